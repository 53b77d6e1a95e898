//! Measures how long the odds of a position take.

use cpu_time::ThreadTime;
use deminer_game::View;
use deminer_inference::odds::Engine;

/// CPU time from view to odds in microseconds, with an empty cache: the median of nine
/// measurements, of five if they are long.
pub fn micros(engine: &mut Engine, view: &View) -> f64 {
    const LONG: f64 = 100_000.0;
    let mut times = Vec::with_capacity(9);
    while times.len() < 9 && (times.len() < 5 || times[0] <= LONG) {
        engine.forget();
        let start = ThreadTime::now();
        let _ = std::hint::black_box(engine.odds(view));
        times.push(start.elapsed().as_nanos() as f64 / 1000.0);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
