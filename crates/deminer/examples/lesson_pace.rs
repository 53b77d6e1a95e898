//! How long it takes to find the exercises of each chapter.

use cpu_time::ThreadTime;
use deminer::lesson::CHAPTERS;

/// Exercises of each chapter.
const SEEDS: u64 = 200;

fn main() -> Result<(), deminer::lesson::LessonError> {
    println!("CPU time for an exercise, of seeds 1 to {SEEDS}, in milliseconds");
    for chapter in CHAPTERS {
        let mut times = Vec::new();
        for seed in 1..=SEEDS {
            let start = ThreadTime::now();
            chapter.exercise(seed)?;
            times.push(1e3 * start.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "{:14} median {:5.1}, 95 % {:5.1}, most {:5.1}",
            chapter.name,
            at(50),
            at(95),
            at(100)
        );
    }
    Ok(())
}
