//! Agents by name, and agents written in Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use deminer::documents::AgentsDocument;
use deminer::roster::{self, Roster, Spec};
use deminer_game::{Action, Agent, BuildError, Cell, Decision, Shape, View, Why};
use deminer_lab::artifact_files;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::document::to_python;
use crate::errors;
use crate::position::Position;

/// All agents, with the artifacts that are shipped.
pub static ROSTER: LazyLock<Roster> = LazyLock::new(|| Roster::new(deminer_artifacts::shipped()));

/// The roster as documents.
#[pyfunction]
pub fn agents(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &AgentsDocument::of(ROSTER.artifacts(), roster::entries()).agents)
}

/// Random numbers for agents: the same for the same seed and game.
#[pyclass(module = "deminer")]
pub struct Rng(deminer_game::Rng);

#[pymethods]
impl Rng {
    #[new]
    fn new(seed: u64) -> Self {
        Self(deminer_game::Rng::new(seed))
    }

    /// A number from 0 up to 1.
    fn random(&mut self) -> f64 {
        self.0.unit()
    }

    /// A whole number from 0 up to the bound.
    fn below(&mut self, bound: usize) -> PyResult<usize> {
        match bound {
            0 => Err(errors::wrong("the bound must be at least 1")),
            bound => Ok(self.0.below(bound)),
        }
    }

    /// One of the items.
    fn choice<'py>(&mut self, items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.below(items.len()?)?;
        items.get_item(place)
    }
}

/// The agents of a call: names, classes, functions and objects.
pub struct Agents {
    /// The specs, in order.
    pub specs: Vec<Spec>,
    /// Whether all may play on several threads. An object that is not a class is shared, and its
    /// games must not overlap.
    pub threads: bool,
    /// What an agent written in Python raised.
    pub raised: Arc<Raised>,
}

/// The first exception of an agent; it ends the play.
#[derive(Default)]
pub struct Raised {
    /// Ends the play.
    pub stop: Arc<AtomicBool>,
    error: Mutex<Option<PyErr>>,
}

impl Raised {
    fn keep(&self, error: PyErr) {
        self.error.lock().expect("no panic holds the lock").get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Raises what was raised.
    pub fn check(&self) -> PyResult<()> {
        match self.error.lock().expect("no panic holds the lock").take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Agents {
    /// The agents that Python names or gives, if they can play these rules.
    pub fn of(given: Vec<Bound<'_, PyAny>>, rules: &deminer_game::Rules) -> PyResult<Self> {
        let mut agents =
            Self { specs: Vec::new(), threads: true, raised: Arc::new(Raised::default()) };
        for agent in &given {
            let spec = match agent.cast::<PyString>() {
                Ok(text) => {
                    artifact_files::agent(&ROSTER, text.to_str()?).map_err(errors::agent)?
                }
                Err(_) => agents.own(agent)?,
            };
            spec.admit(rules).map_err(errors::agent)?;
            if let Err(error) = spec.build() {
                agents.raised.check()?;
                return Err(errors::agent(error));
            }
            agents.specs.push(spec);
        }
        Ok(agents)
    }

    /// An agent written in Python: a class is built for each thread, anything else is shared.
    fn own(&mut self, agent: &Bound<'_, PyAny>) -> PyResult<Spec> {
        let is_class = agent.is_instance_of::<PyType>();
        if !is_class && !agent.is_callable() && !agent.hasattr("decide")? {
            let kind = agent.get_type().name()?;
            let message = format!(
                "an agent is a name, a class or object with `decide(position, rng)`, or a \
                 function, not {kind}"
            );
            return Err(PyTypeError::new_err(message));
        }
        self.threads &= is_class;
        let name = name_of(agent)?;
        let taken = |name: &str| self.specs.iter().any(|spec| spec.to_string() == name);
        let name = (1..)
            .map(|number| if number == 1 { name.clone() } else { format!("{name} {number}") })
            .find(|name| !taken(name))
            .expect("numbers do not end");
        let (agent, raised) = (agent.clone().unbind(), Arc::clone(&self.raised));
        Ok(Spec::own(name, move || {
            let player = Python::attach(|py| {
                let agent = agent.bind(py);
                let player = if is_class { agent.call0()? } else { agent.clone() };
                PythonAgent::new(&player, Arc::clone(&raised))
            });
            match player {
                Ok(player) => Ok(Box::new(player) as Box<dyn Agent>),
                Err(error) => {
                    let message = error.to_string();
                    raised.keep(error);
                    Err(BuildError(message.into()))
                }
            }
        }))
    }
}

/// The name of an agent in tables: its attribute `name`, or that of its class or function.
fn name_of(agent: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Some(name) = agent.getattr_opt("name")?
        && let Ok(name) = name.extract()
    {
        return Ok(name);
    }
    match agent.getattr_opt("__name__")? {
        Some(name) => name.extract(),
        None => Ok(agent.get_type().name()?.to_string()),
    }
}

/// An agent written in Python.
struct PythonAgent {
    /// `decide(position, rng)`, or the function itself.
    decide: Py<PyAny>,
    /// `begin(rules)`, if it has one.
    begin: Option<Py<PyAny>>,
    raised: Arc<Raised>,
}

impl PythonAgent {
    fn new(agent: &Bound<'_, PyAny>, raised: Arc<Raised>) -> PyResult<Self> {
        let decide = agent.getattr_opt("decide")?.unwrap_or_else(|| agent.clone());
        let begin = agent.getattr_opt("begin")?;
        Ok(Self { decide: decide.unbind(), begin: begin.map(Bound::unbind), raised })
    }

    fn ask(&self, py: Python<'_>, view: &View, rng: &mut deminer_game::Rng) -> PyResult<Action> {
        let numbers = Bound::new(py, Rng(deminer_game::Rng::resume(rng.state())))?;
        let position = Position(view.clone());
        let answer = self.decide.bind(py).call1((position, &numbers))?;
        *rng = deminer_game::Rng::resume(numbers.borrow().0.state());
        action(&answer, view.shape())
    }
}

impl Agent for PythonAgent {
    fn begin(&mut self, rules: &deminer_game::Rules) {
        let Some(begin) = &self.begin else { return };
        let rules = crate::rules::Rules(rules.clone());
        if let Err(error) = Python::attach(|py| begin.call1(py, (rules,)).map(drop)) {
            self.raised.keep(error);
        }
    }

    fn decide(&mut self, view: &View, rng: &mut deminer_game::Rng) -> Decision {
        match Python::attach(|py| self.ask(py, view, rng)) {
            Ok(action) => Decision::new(action, Why::Nothing),
            Err(error) => {
                self.raised.keep(error);
                Decision::decline()
            }
        }
    }
}

/// What an agent answered: a cell to open as `(row, column)` or as its number, a verb with a
/// cell, or `None` to give up.
fn action(answer: &Bound<'_, PyAny>, shape: &Shape) -> PyResult<Action> {
    if answer.is_none() {
        return Ok(Action::Decline);
    }
    if let Ok((row, column)) = answer.extract::<(usize, usize)>() {
        return Ok(Action::Open(cell(shape, row, column)?));
    }
    if let Ok((verb, row, column)) = answer.extract::<(String, usize, usize)>() {
        let cell = cell(shape, row, column)?;
        return match verb.as_str() {
            "open" => Ok(Action::Open(cell)),
            "flag" => Ok(Action::Flag(cell)),
            "unflag" => Ok(Action::Unflag(cell)),
            "chord" => Ok(Action::Chord(cell)),
            _ => Err(errors::wrong(format_args!(
                "`{verb}` is not an action (use open, flag, unflag or chord)"
            ))),
        };
    }
    if let Ok(number) = answer.extract::<usize>() {
        let outside = || {
            let size = shape.size();
            errors::wrong(format_args!("cell {number} is outside the board of {size} cells"))
        };
        return shape.nth(number).map(Action::Open).ok_or_else(outside);
    }
    let message = format!(
        "an agent answers (row, column), a cell number, (verb, row, column) or None, not {}",
        answer.repr()?
    );
    Err(PyTypeError::new_err(message))
}

fn cell(shape: &Shape, row: usize, column: usize) -> PyResult<Cell> {
    shape.cell(row, column).ok_or_else(|| {
        errors::wrong(format_args!(
            "row {row}, column {column} is outside the board ({} rows of {}, counted from 0)",
            shape.height(),
            shape.width()
        ))
    })
}
