//! Exported tests of the shipped web page run in the runners of their own tools, where `npm` and a Chromium are at hand.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]
#![expect(
    clippy::disallowed_methods,
    reason = "a page is served by a thread of its own"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use reduce_suite::export;
use reduce_suite::import::{Limits, load};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};
const PACKAGES: [&str; 3] = [
    "@puppeteer/replay@3.1.3",
    "puppeteer-core@25.16.0",
    "@playwright/test@1.65.1",
];
/// Where exports take pages to be whose traces say their path alone.
const HOST: &str = "http://localhost:8080";

/// What the page shows after the first trace.
const TWO_NOTES: &str = r#"["all","[ ] it's \"quoted\" <b> & `${more}` \\","[x] second"]"#;
/// What it shows after the second one.
const CLEARED: &str = r#"["open"]"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> PathBuf {
    root().join("testdata/web-exports")
}

/// Serves the page and remembers what it told.
struct Server {
    url: String,
    told: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&told);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(&stream, &heard);
            }
        });
        Self { url, told }
    }

    fn last(&self) -> String {
        let told = self.told.lock().expect("nobody panicked");
        told.last().cloned().unwrap_or_default()
    }
}

fn answer(mut stream: &TcpStream, told: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().and_then(Result::ok).unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
    while lines
        .next()
        .and_then(Result::ok)
        .is_some_and(|line| !line.is_empty())
    {}
    let (kind, body) = match path.split_once('?') {
        Some(("/state", state)) => {
            told.lock().expect("nobody panicked").push(decoded(state));
            ("text/plain", Vec::new())
        }
        _ if path == "/notes.js" => (
            "text/javascript",
            fs::read(page().join("notes.js")).expect("it is there"),
        ),
        _ => (
            "text/html",
            fs::read(page().join("index.html")).expect("it is there"),
        ),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A browser that has gone away needs no answer.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(&body));
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let code = (byte == b'%').then(|| [rest.next(), rest.next()]);
        let code = code.and_then(|[high, low]| {
            let digits = [high?, low?].map(char::from);
            u8::from_str_radix(&String::from_iter(digits), 16).ok()
        });
        bytes.push(code.unwrap_or(byte));
    }
    String::from_utf8(bytes).expect("it is text")
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn chromium() -> Option<&'static str> {
    let known = [
        "/usr/lib/chromium/chromium",
        "/usr/bin/chromium",
        "/usr/bin/google-chrome",
    ];
    known.into_iter().find(|path| Path::new(path).exists())
}

/// One test installs the runners while the others wait.
static INSTALLING: Mutex<()> = Mutex::new(());

/// A folder with the runners in it; none, and a word about it, where they cannot be had.
fn runners() -> Option<(PathBuf, &'static str)> {
    let Some(chromium) = chromium() else {
        eprintln!("skipped: there is no Chromium");
        return None;
    };
    if !is_there("npm") || !is_there("node") {
        eprintln!("skipped: there is no npm");
        return None;
    }
    let _alone = INSTALLING.lock().expect("no test fails while it installs");
    let folder = root().join("target/runners");
    let done = folder.join("installed");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&done).ok().as_deref() == Some(&*wanted) {
        return Some((folder, chromium));
    }
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(
        folder.join("package.json"),
        r#"{"private":true,"type":"module"}"#,
    )
    .expect("it is written");
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--legacy-peer-deps",
    ]);
    npm.args(PACKAGES)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if !npm.status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: npm cannot get the runners");
        return None;
    }
    fs::write(done, wanted).expect("it is written");
    Some((folder, chromium))
}

/// A trace of the example in a format, on the pages of a server, and what of it could not be said.
fn exported(format: &str, trace: &str, server: &Server) -> (String, BTreeSet<usize>) {
    let loaded = load(&[page().join("recorded.jsonl")], &LIMITS).expect("it loads");
    let exporter = export::all()
        .iter()
        .find(|one| one.name == format)
        .expect("a format");
    let mut traces = loaded.suite.traces();
    let (idx, _) = traces.find(|(_, one)| *one.id == *trace).expect("a trace");
    let written = (exporter.write)(&loaded.suite, &loaded.names, idx);
    let left_out = written.unwritten.iter().map(|(at, _)| *at).collect();
    let text = written.text.replace(HOST, &server.url);
    (
        text.replace("goto(\"/\")", &format!("goto(\"{}/\")", server.url)),
        left_out,
    )
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().expect("it starts");
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}\n{}",
        shown(&output.stdout),
        shown(&output.stderr)
    );
}

#[test]
fn exported_tests_run_in_playwright() {
    let Some((folder, chromium)) = runners() else {
        return;
    };
    for (trace, expect) in [("two notes", TWO_NOTES), ("cleared", CLEARED)] {
        let server = Server::start();
        let (script, left_out) = exported("playwright", trace, &server);
        assert!(left_out.is_empty());
        let tests = folder.join(format!("playwright-{}", std::process::id()));
        fs::create_dir_all(&tests).expect("a folder");
        fs::write(tests.join("exported.spec.ts"), script).expect("it is written");
        let config = format!(
            "export default {{ timeout: 60000, workers: 1, reporter: 'line', use: {{ actionTimeout: 20000, launchOptions: {{ \
             executablePath: '{chromium}', args: ['--no-sandbox'] }} }} }};\n"
        );
        fs::write(tests.join("playwright.config.mjs"), config).expect("it is written");
        let mut node = Command::new("node");
        node.arg(folder.join("node_modules/@playwright/test/cli.js"))
            .arg("test");
        run(node.current_dir(&tests));
        assert_eq!(server.last(), expect);
        fs::remove_dir_all(&tests).expect("it goes away");
    }
}

/// Replays a recording as the library of `DevTools`' makers does.
const REPLAY: &str = "
import { readFileSync } from 'node:fs';
import { createRunner, parse, PuppeteerRunnerExtension } from '@puppeteer/replay';
import puppeteer from 'puppeteer-core';
const [chromium, file] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  const extension = new PuppeteerRunnerExtension(browser, page, { timeout: 20000 });
  const runner = await createRunner(parse(JSON.parse(readFileSync(file, 'utf8'))), extension);
  await runner.run();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
} finally {
  await browser.close();
}
";

#[test]
fn exported_recordings_run_in_puppeteer_replay() {
    let Some((folder, chromium)) = runners() else {
        return;
    };
    let server = Server::start();
    let (recording, left_out) = exported("devtools-recorder", "two notes", &server);
    assert!(left_out.is_empty());
    let file = folder.join(format!("exported-{}.json", std::process::id()));
    fs::write(&file, recording).expect("it is written");
    fs::write(folder.join("replay.mjs"), REPLAY).expect("it is written");
    run(Command::new("node")
        .arg("replay.mjs")
        .arg(chromium)
        .arg(&file)
        .current_dir(&folder));
    assert_eq!(server.last(), TWO_NOTES);
    fs::remove_file(&file).expect("it goes away");
    let (_, left_out) = exported("devtools-recorder", "cleared", &server);
    assert_eq!(
        left_out,
        BTreeSet::from([3, 5]),
        "no list to choose from, and no dialogs"
    );
}
