//! `cargo xtask check`: everything that must hold before a change lands; CI runs the same.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// One thing that must hold.
struct Gate {
    name: &'static str,
    words: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
}

const GATES: &[Gate] = &[
    Gate {
        name: "formatting",
        words: &["fmt", "--all", "--check"],
        env: &[],
    },
    Gate {
        name: "lints",
        words: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        env: &[],
    },
    Gate {
        name: "tests",
        words: &["test", "--workspace"],
        env: &[("INSTA_UPDATE", "no")],
    },
    Gate {
        name: "docs",
        words: &[
            "doc",
            "--workspace",
            "--no-deps",
            "--document-private-items",
        ],
        env: &[("RUSTDOCFLAGS", "-D warnings")],
    },
];

/// Runs all gates, or those that are named.
pub fn run(names: &[String]) -> Result<(), Box<dyn Error>> {
    if let Some(name) = names
        .iter()
        .find(|name| !GATES.iter().any(|gate| gate.name == **name))
    {
        let known: Vec<_> = GATES.iter().map(|gate| gate.name).collect();
        return Err(format!("unknown gate {name}; known are {}", known.join(", ")).into());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let wanted = |gate: &&Gate| names.is_empty() || names.iter().any(|name| name == gate.name);
    for gate in GATES.iter().filter(wanted) {
        let status = Command::new(env!("CARGO"))
            .args(gate.words)
            .envs(gate.env.iter().copied())
            .current_dir(&root)
            .status()?;
        if !status.success() {
            return Err(
                format!("{} do not hold: cargo {}", gate.name, gate.words.join(" ")).into(),
            );
        }
    }
    Ok(())
}
