//! Measures how long the odds of a position take.

use cpu_time::ThreadTime;
use deminer_game::View;
use deminer_inference::odds::Engine;

/// Measures the time for the odds of a view with an empty cache.
pub struct Meter {
    engine: Engine,
}

impl Meter {
    /// A meter whose engine has this budget for each region.
    pub fn new(budget: usize) -> Self {
        Self { engine: Engine::new(budget) }
    }

    /// CPU time from view to odds in microseconds: the median of nine measurements, of five if they
    /// are long.
    pub fn micros(&mut self, view: &View) -> f64 {
        const LONG: f64 = 100_000.0;
        let mut times = Vec::with_capacity(9);
        while times.len() < 9 {
            self.engine.forget();
            let start = ThreadTime::now();
            let _ = std::hint::black_box(self.engine.odds(view));
            times.push(start.elapsed().as_nanos() as f64 / 1000.0);
            if times[0] > LONG && times.len() >= 5 {
                break;
            }
        }
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}
