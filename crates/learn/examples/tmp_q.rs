//! t
use deminer_learn::evolve::quartetti::*;
use deminer_learn::evolve::*;
use std::num::NonZero;
fn main() {
    let pop: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let seed: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let one = NonZero::<usize>::MIN;
    let settings = Settings { scheme: Scheme::Generational { copied: 0.1, tournament: 7 }, population: pop, distinct: false, seed };
    let mut e = Evolution::new(Breeding::new(6, 6), settings, one);
    let t = std::time::Instant::now();
    while e.iteration() < 151 && !e.perfect() {
        e.step(one);
        let r = e.row();
        if r.iteration % 10 == 0 || e.perfect() { println!("{} best {:.4} mean {:.4} size {:.1} cleared {} {:?}", r.iteration, r.best, r.mean, r.size, Breeding::cleared(&e.best().genome, &Grid::new(6,6)), t.elapsed()); }
    }
    println!("{}", e.problem().write(&e.best().genome));
    for n in 5..12 { println!("{n}: {} of {}", Breeding::cleared(&e.best().genome, &Grid::new(n,n)), n*n); }
}
