//! Runs the examples for engineers. Each checks its own answer.

#[path = "../examples/analysis.rs"]
mod analysis;
#[path = "../examples/custom_agent.rs"]
mod custom_agent;
#[path = "../examples/first_program.rs"]
mod first_program;
#[path = "../examples/tournament.rs"]
mod tournament;
#[path = "../examples/web_embedding.rs"]
mod web_embedding;

#[test]
fn every_example_runs() {
    analysis::main().unwrap();
    custom_agent::main().unwrap();
    first_program::main().unwrap();
    tournament::main().unwrap();
    web_embedding::main().unwrap();
}
