use deminer_game::*;
use deminer_inference::count::*;
fn main() {
    for n in [3usize, 10, 40, 100, 200, 220, 240, 300] {
        let mut t = format!("mines {}\nclues optimistic\n", n + 1);
        for _ in 0..n {
            t += "#0#?#?\n??????\n";
        }
        let v: View = t.parse().unwrap();
        let o = Engine::default().odds(&v).unwrap().clone();
        let c = v.shape().nth(0).unwrap();
        let d = v.shape().nth(4).unwrap();
        let e = if n <= 100 { Some(ExactOdds::of(&v, 1 << 30).unwrap()) } else { None };
        let s: f64 = v.covered().map(|c| o.mine(c).unwrap()).sum();
        println!(
            "{n} {} {} sum {s} exact {:?}",
            o.mine(c).unwrap(),
            o.mine(d).unwrap(),
            e.map(|e| (e.mine(c).unwrap().to_f64(), e.mine(d).unwrap().to_f64()))
        );
    }
}
