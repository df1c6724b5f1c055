//! Paths that a project file writes relative to itself, made usable from the current folder.

use std::path::{Component, Path, PathBuf};

use toml::Value;

/// Makes the paths in the option `key` relative to `current_dir`, where `folder` is that of the
/// file they were written in; `None` if the result cannot be written as text.
pub(super) fn rebase(key: &str, value: Value, folder: &Path, current_dir: &Path) -> Option<Value> {
    let path = |path: &str| rebase_path(path, folder, current_dir);
    match (key, value) {
        ("android.apk", Value::String(text)) if text == "none" => Some(text.into()),
        ("suite" | "out" | "android.apk" | "android.jacoco_classes", Value::String(text)) => {
            Some(path(&text)?.into())
        }
        ("device", Value::String(url)) => match url.strip_prefix("sim:") {
            Some(rest) => {
                let end = rest.find('?').unwrap_or(rest.len());
                let (file, options) = rest.split_at(end);
                Some(format!("sim:{}{options}", path(file)?).into())
            }
            None => Some(url.into()),
        },
        ("suite" | "device" | "android.jacoco_classes", Value::Array(items)) => items
            .into_iter()
            .map(|item| rebase(key, item, folder, current_dir))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array),
        (_, value) => Some(value),
    }
}

fn rebase_path(path: &str, folder: &Path, current_dir: &Path) -> Option<String> {
    // An empty path stays empty, so that whoever opens it can say so.
    if path.is_empty() {
        return Some(String::new());
    }
    tidy(&folder.join(path), current_dir)
        .to_str()
        .map(str::to_owned)
}

/// The same path without detours. A symbolic link keeps the `..` behind it: its parent is not
/// the folder it is found in.
fn tidy(path: &Path, current_dir: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match (component, tidied.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_)))
                if !current_dir.join(&tidied).is_symlink() =>
            {
                tidied.pop();
            }
            _ => tidied.push(component),
        }
    }
    if tidied.as_os_str().is_empty() {
        tidied.push(".");
    }
    tidied
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use toml::Value;

    use super::rebase;

    #[track_caller]
    fn check(key: &str, written: &str, folder: &str, expect: &str) {
        let current_dir = Path::new("/nowhere");
        let value = rebase(key, written.into(), Path::new(folder), current_dir);
        assert_eq!(value, Some(Value::from(expect)));
    }

    #[test]
    fn paths_of_a_file_start_in_its_folder() {
        check("out", "result", "config", "config/result");
        check("out", "../result", "config", "result");
        check("out", "..", "config", ".");
        check("suite", "./../a/b.jsonl", "../../config", "../../a/b.jsonl");
        check("suite", "../../a", "config", "../a");
    }

    #[test]
    fn absolute_paths_stay() {
        check("out", "/tmp/x", "config", "/tmp/x");
        check("out", "../../../x", "/config", "/x");
    }

    #[test]
    fn only_simulated_devices_hold_a_path() {
        check("device", "sim:../app.json", "config", "sim:app.json");
        check(
            "device",
            "sim:../a?count=2/../x",
            "config",
            "sim:a?count=2/../x",
        );
        check("device", "sim:", "config", "sim:");
        check("device", "adb:", "config", "adb:");
        check("device", "web:http://x/../y", "config", "web:http://x/../y");
    }

    #[test]
    fn other_options_hold_no_path() {
        check("strategy", "../best", "config", "../best");
    }

    #[test]
    fn the_parent_of_a_link_is_not_the_folder_it_is_found_in() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("elsewhere/config")).unwrap();
        std::os::unix::fs::symlink("elsewhere/config", folder.path().join("config")).unwrap();
        let value = rebase("out", "../x".into(), Path::new("config"), folder.path());
        assert_eq!(value.unwrap(), Value::from("config/../x"));
    }
}
