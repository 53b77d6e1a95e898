//! scratch
use deminer_game::*;
use deminer_learn::ilp::*;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|v| v.parse().unwrap()).collect();
    let rules = Rules::of("8x8x10".parse().unwrap()).unwrap().with_start(Start::Unsafe).unwrap();
    let course = Course { rules, at: At::Random, seed: a[0], first: a[1] as usize, rounds: a[2], games: a[3], positions: 60, tests: 4000 };
    let threads = NonZero::new(2).unwrap();
    let stop = AtomicBool::new(false);
    let t = std::time::Instant::now();
    let mut p = course.begin();
    while !course.is_over(&p) {
        course.round(&mut p, threads, &stop, |n| match n {
            News::Learned(g, e) => eprintln!("  {:?} {} literals wanted {} mean {:.0} {:.1}s", g.clause.target(), g.clause.body().len(), g.wanted, e.mean(), t.elapsed().as_secs_f64()),
            News::Refuted(c) => eprintln!("  refuted {} literals", c.body().len()),
            News::Round(p) => eprintln!("round {} rules {} examples {} seen {:?} given up {} {} effort {:?} {:.1}s", p.round, p.rules.len(), p.examples.len(), p.seen.last(), p.given_up[0].len(), p.given_up[1].len(), p.effort, t.elapsed().as_secs_f64()),
        });
    }
    let rules = course.finish(&p, threads);
    println!("{}", Theory { origin: vec![], rules });
}
