//! Kills campaigns, trainings and servers at random moments, again and again, and compares what they
//! come to with what was never disturbed. `cargo xtask kill-test` is the long form of these tests.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use deminer_game::Rng;
use serde_json::Value;

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is `{text}`")))
}

fn deminer(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs to the end; gives what was printed, and what was said besides.
fn finish(arguments: &[&str]) -> (String, String) {
    let output = deminer(arguments).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    (stdout, stderr)
}

/// A document without what differs from run to run: times, and who ran it.
fn repeatable(text: &str) -> Value {
    let mut document: Value = serde_json::from_str(text).unwrap();
    for key in ["fingerprint", "parts", "builds", "provenance"] {
        document.as_object_mut().unwrap().remove(key);
    }
    for agent in document["agents"].as_array_mut().unwrap() {
        for key in ["cpu_seconds", "games_per_cpu_second"] {
            agent.as_object_mut().unwrap().remove(key).expect("agents have times");
        }
    }
    document
}

/// How many names in a folder end so.
fn count(folder: &Path, ending: &str) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .filter(|entry| entry.as_ref().unwrap().path().to_string_lossy().ends_with(ending))
        .count()
}

#[test]
fn a_campaign_killed_again_and_again_comes_to_the_same() {
    let games = number("DEMINER_KILL_GAMES", 20_000);
    let kills = number("DEMINER_KILLS", 3);
    let shard = (games / 100).max(1);
    let shards = games.div_ceil(shard) as usize;
    let scratch = tempfile::tempdir().unwrap();
    let (spec, folder) = (scratch.path().join("spec.toml"), scratch.path().join("campaign"));
    let text = format!("agents = [\"single-point\"]\ngames = {games}\nshard = {shard}\nseed = 5\n");
    fs::write(&spec, text).unwrap();
    let [spec, out] = [&spec, &folder].map(|path| path.to_str().unwrap());

    let start = Instant::now();
    let bench = format!("bench --agent single-point --games {games} --seed 5 --json");
    let undisturbed = repeatable(&finish(&bench.split(' ').collect::<Vec<_>>()).0);
    let whole = start.elapsed();
    println!("undisturbed: {games} games in {:.2} s", whole.as_secs_f64());

    let seed = RandomState::new().hash_one("moments");
    let mut rng = Rng::new(seed);
    let run = ["run", spec, "--out", out];
    let mut killed = 0;
    for kill in 1..=kills {
        // On average the lives share what is left evenly, one more of them being the last.
        let left = (shards - count(&folder, ".parquet")) as f64 / shards as f64;
        let mean = whole.mul_f64(left) / (kills - kill + 2) as u32;
        let life = mean.mul_f64(2.0 * rng.unit()) + Duration::from_millis(5);
        let mut child = deminer(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(life);
        let alive = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        killed += u64::from(alive);
        println!(
            "kill {kill} after {:.0} ms{}: {} of {shards} shards, {} claims, {} unfinished",
            1000.0 * life.as_secs_f64(),
            if alive { "" } else { " came too late" },
            count(&folder, ".parquet"),
            count(&folder, ".lock"),
            count(&folder, ".unfinished"),
        );
    }
    assert!(killed > 0, "nothing was killed");

    let (_, said) = finish(&run);
    assert_eq!(said, "", "a kill leaves nothing to complain about");
    let sealed = finish(&["seal", out, "--json"]).0;
    assert_eq!(repeatable(&sealed), undisturbed);
    assert_eq!(fs::read_to_string(folder.join("totals.json")).unwrap(), sealed);
    // Parts, spec and totals; nothing is left lying about.
    assert_eq!(count(&folder, ""), shards + 2);
    println!("{killed} kills, {games} games, the same totals: {}", undisturbed["agents"][0]);
}

/// Random moments at which each kind of process is killed.
fn points() -> u64 {
    number("DEMINER_KILL_POINTS", 6)
}

fn any_rng() -> Rng {
    Rng::new(RandomState::new().hash_one("moments"))
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Kills a process after a part of this time; true if it had not ended before.
fn kill_within(mut child: Child, most: Duration, rng: &mut Rng) -> bool {
    thread::sleep(most.mul_f64(rng.unit()));
    let alive = child.try_wait().unwrap().is_none();
    kill(child);
    alive
}

#[test]
fn small_campaigns_killed_anywhere_come_to_the_same() {
    let bench = "bench --agent single-point --games 600 --seed 5 --json";
    let undisturbed = repeatable(&finish(&bench.split(' ').collect::<Vec<_>>()).0);
    let mut rng = any_rng();
    let (mut killed, mut campaigns) = (0, 0);
    while killed < points() {
        let scratch = tempfile::tempdir().unwrap();
        let (spec, folder) = (scratch.path().join("spec.toml"), scratch.path().join("campaign"));
        fs::write(&spec, "agents = [\"single-point\"]\ngames = 600\nshard = 10\nseed = 5\n")
            .unwrap();
        let [spec, out] = [&spec, &folder].map(|path| path.to_str().unwrap());
        let run = ["run", spec, "--out", out];
        let since = Instant::now();
        let mut whole = Duration::from_millis(50);
        for _ in 0..12 {
            let child = deminer(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            match kill_within(child, whole, &mut rng) {
                true => killed += 1,
                false => break,
            }
            whole = (since.elapsed() / 2).clamp(whole, Duration::from_millis(400));
        }
        assert_eq!(finish(&run).1, "");
        let sealed = finish(&["seal", out, "--json"]).0;
        assert_eq!(repeatable(&sealed), undisturbed);
        assert_eq!(count(&folder, ""), 62);
        campaigns += 1;
    }
    println!("run: {killed} kills of {campaigns} campaigns of 600 games, the same totals");
}

/// All names in a folder.
fn names(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[cfg(unix)]
#[test]
fn trainings_killed_anywhere_end_with_the_same_file() {
    let train = |folder: &Path| {
        let words = "train q-table --board 4x4x3 --games 60000 --seed 3 --threads 1 --out made.q";
        let mut command = deminer(&words.split(' ').collect::<Vec<_>>());
        command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let made = |folder: &Path| fs::read(folder.join("made.q")).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let since = Instant::now();
    assert!(train(fresh.path()).status().unwrap().success());
    let (whole, expected) = (since.elapsed(), made(fresh.path()));
    let mut rng = any_rng();
    let (mut killed, mut trainings) = (0, 0);
    while killed < points() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..12 {
            let child = train(folder.path()).spawn().unwrap();
            // Half of them are asked to stop first, so that they die around a checkpoint.
            let mut most = whole;
            if rng.below(2) == 0 {
                thread::sleep(whole.mul_f64(rng.unit()));
                let id = child.id().to_string();
                let _ = Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status();
                most = Duration::from_millis(15);
            }
            killed += u64::from(kill_within(child, most, &mut rng));
            // A file that is there is whole.
            if folder.path().join("made.q").exists() {
                assert!(made(folder.path()) == expected);
                break;
            }
        }
        assert!(train(folder.path()).status().unwrap().success());
        assert!(made(folder.path()) == expected);
        assert_eq!(names(folder.path()), names(fresh.path()), "nothing is left lying about");
        trainings += 1;
    }
    println!("train: {killed} kills of {trainings} trainings, the same file");
}

/// A server process, and the answers that its client got.
struct Laboratory {
    child: Child,
    address: String,
}

impl Laboratory {
    /// Starts it; it may be killed before it says its address.
    fn start(data: &Path) -> Self {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"];
        let mut command = deminer(&serve);
        let child = command.arg(data).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap_or_default().to_owned();
        Self { child, address }
    }
}

/// The answer to a request; none if the server was killed before it was whole.
fn ask(address: &str, method: &str, path: &str, body: &str) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    let head = format!(
        "{method} /api/v1/{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let good = head.starts_with("HTTP/1.1 2");
    good.then(|| serde_json::from_str(body).ok())?
}

/// What the server reported as kept.
#[derive(Default)]
struct Told {
    records: BTreeSet<String>,
    runs: BTreeSet<String>,
}

impl Told {
    /// Keeps records and starts runs until the server is gone.
    fn fill(&mut self, address: &str) {
        for _ in 0..12 {
            let number = self.records.len() + self.runs.len();
            let record = format!(
                r#"{{"schema_version":1,"kind":"record","player":"player {number}","layout":["*...","...."],"outcome":"undecided","rules":{{"board":"4x2x1","shape":"rect","start":"unsafe","cascade":"on","clues":"exact"}},"moves":[]}}"#
            );
            let id = |answer: Value| answer["id"].as_str().unwrap().to_owned();
            match ask(address, "POST", "records", &record).map(id) {
                Some(id) => self.records.insert(id),
                None => return,
            };
            let run = format!(
                r#"{{"kind":"tournament","spec":{{"agents":["single-point"],"games":300,"shard":20,"seed":{number}}}}}"#
            );
            match ask(address, "POST", "runs", &run).map(id) {
                Some(id) => assert!(self.runs.insert(id), "a number is used once"),
                None => return,
            }
        }
    }

    /// Whether a server has all of it, once.
    fn check(&self, address: &str) {
        let names = |path: &str, field: &str| -> Vec<String> {
            let list = ask(address, "GET", path, "").expect("the server answers");
            assert_eq!(list.get("damaged"), None);
            let list = list[field].as_array().unwrap().iter();
            list.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
        };
        for (told, there) in
            [(&self.records, names("records", "records")), (&self.runs, names("runs", "runs"))]
        {
            let once: BTreeSet<String> = there.iter().cloned().collect();
            assert_eq!(once.len(), there.len());
            assert!(told.is_subset(&once), "{told:?} of {once:?}");
        }
    }
}

#[test]
fn servers_killed_anywhere_keep_what_they_told() {
    let mut rng = any_rng();
    let (mut killed, mut folders, mut kept) = (0, 0, 0);
    while killed < points() {
        let data = tempfile::tempdir().unwrap();
        let mut told = Told::default();
        for _ in 0..points().min(8) {
            let mut served = Laboratory::start(data.path());
            told.check(&served.address);
            let address = served.address.clone();
            let life = Duration::from_millis(150).mul_f64(rng.unit());
            thread::scope(|scope| {
                let client = scope.spawn(|| told.fill(&address));
                thread::sleep(life);
                killed += u64::from(served.child.try_wait().unwrap().is_none());
                kill(served.child);
                client.join().unwrap();
            });
        }
        // A kill while it starts is one too.
        let serve = ["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"];
        let child =
            deminer(&serve).arg(data.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        killed += u64::from(kill_within(child.unwrap(), Duration::from_millis(60), &mut rng));

        let served = Laboratory::start(data.path());
        told.check(&served.address);
        for run in &told.runs {
            let since = Instant::now();
            loop {
                let document = ask(&served.address, "GET", &format!("runs/{run}"), "").unwrap();
                if document["state"] == "finished" {
                    assert_eq!(document["totals"]["agents"][0]["games"], 300);
                    break;
                }
                assert!(since.elapsed() < Duration::from_secs(120), "{document}");
                thread::sleep(Duration::from_millis(10));
            }
        }
        kill(served.child);
        folders += 1;
        kept += told.records.len() + told.runs.len();
    }
    println!(
        "serve: {killed} kills over {folders} data folders, {kept} records and runs kept once"
    );
}
