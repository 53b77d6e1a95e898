//! x
use std::collections::HashMap;
use std::time::Instant;
use deminer_game::View;
use deminer_inference::count::Engine;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let odds = args.get(1).map(|p| std::fs::read_to_string(p).unwrap());
    let mut expected: HashMap<String, Vec<(usize, usize, f64)>> = HashMap::new();
    if let Some(odds) = &odds {
        let mut name = String::new();
        for line in odds.lines() {
            if let Some(n) = line.strip_prefix("> ") { name = n.to_owned(); continue; }
            let w: Vec<&str> = line.split(' ').collect();
            expected.entry(name.clone()).or_default().push((w[0].parse().unwrap(), w[1].parse().unwrap(), w[2].parse().unwrap()));
        }
    }
    let mut groups: HashMap<String, Vec<f64>> = HashMap::new();
    let mut engine = Engine::new();
    let mut worst = 0.0f64;
    for block in text.split("> ").skip(1) {
        let (name, position) = block.split_once('\n').unwrap();
        let view: View = position.parse().unwrap();
        let mut times = Vec::new();
        let mut failed = None;
        for _ in 0..7 {
            let start = Instant::now();
            let r = engine.odds(&view);
            times.push(start.elapsed().as_secs_f64() * 1e6);
            if let Err(e) = r { failed = Some(e); break; }
            if times[0] > 1e5 { break; }
        }
        times.sort_by(f64::total_cmp);
        let t = times[times.len() / 2];
        if let Some(e) = failed { println!("{name}: {e} after {t:.0} us"); continue; }
        let o = engine.odds(&view).unwrap();
        if let Some(e) = expected.get(name) {
            for &(r, c, p) in e {
                let q = o.mine(view.shape().cell(r, c).unwrap()).unwrap();
                if (p - q).abs() > 1e-9 { println!("{name} {r},{c}: {p} {q}"); break; }
                worst = worst.max((p - q).abs());
            }
        } else { println!("{name} no published odds"); }
        if name.starts_with("hard") { println!("{name} {t:.0}"); }
        groups.entry(name.rsplit_once('_').unwrap().0.to_owned()).or_default().push(t);
    }
    let mut names: Vec<_> = groups.into_iter().collect();
    names.sort_by(|a, b| a.0.cmp(&b.0));
    for (n, mut t) in names { t.sort_by(f64::total_cmp); println!("{n:<20} n {:>4} mean {:>9.1} p50 {:>9.1} p99 {:>9.1} max {:>9.1}", t.len(), t.iter().sum::<f64>() / t.len() as f64, t[t.len()/2], t[(t.len() - 1) * 99 / 100], t[t.len()-1]); }
    println!("worst error {worst:e}");
}
