use deminer_game::*;
use deminer_inference::count::Engine;
use std::collections::HashMap;
fn main() {
    let text = std::fs::read_to_string("/work/shared/corpus/positions.txt").unwrap();
    let odds = std::fs::read_to_string("/tmp/odds.txt").unwrap();
    let mut exp: HashMap<String, Vec<(usize, usize, f64)>> = HashMap::new();
    let mut name = String::new();
    for l in odds.lines() {
        if let Some(n) = l.strip_prefix("> ") {
            name = n.into();
            continue;
        }
        let w: Vec<&str> = l.split(' ').collect();
        exp.entry(name.clone()).or_default().push((
            w[0].parse().unwrap(),
            w[1].parse().unwrap(),
            w[2].parse().unwrap(),
        ));
    }
    let mut e = Engine::default();
    let mut out = vec![];
    for b in text.split("> ").skip(1) {
        let (n, p) = b.split_once('\n').unwrap();
        let v: View = p.parse().unwrap();
        let o = e.odds(&v).unwrap();
        if let Some(x) = exp.get(n) {
            let mut m = 0.0f64;
            for &(r, c, p) in x {
                m = m.max((p - o.mine(v.shape().cell(r, c).unwrap()).unwrap()).abs());
            }
            out.push((m, n.to_string()));
        }
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (m, n) in &out[..12] {
        println!("{m:e} {n}");
    }
}
