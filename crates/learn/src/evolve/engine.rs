//! A population and how it changes: selection, replacement, statistics.
//!
//! Every iteration draws from a stream of its own, made of the seed and the iteration's number.
//! So a run that is taken up again from its members alone goes on as if it had never stopped, and
//! what evaluation costs, or how many threads share it, changes nothing.

use std::num::NonZero;

use deminer_game::{GameSeed, Purpose, Rng};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::parallel::in_order;

/// What is evolved: how genomes are made, bred and judged.
pub trait Problem: Sync {
    /// A solution, good or bad; checkpoints hold it as a document.
    type Genome: Clone + Send + Sync + Serialize + DeserializeOwned;

    /// A random genome.
    fn random(&self, rng: &mut Rng) -> Self::Genome;

    /// Writes two children over two genomes that are no longer needed.
    fn breed(&self, parents: [&Self::Genome; 2], children: &mut [Self::Genome; 2], rng: &mut Rng);

    /// How good a genome is; more is better. `luck` is another number at every evaluation, for
    /// problems that are not always judged alike.
    fn fitness(&self, genome: &Self::Genome, luck: u64) -> f64;

    /// A fitness that nothing exceeds.
    fn perfect(&self) -> f64;

    /// How large a genome is: bits, nodes.
    fn size(&self, genome: &Self::Genome) -> usize;
}

/// A genome of a population and how good it is. In documents, a pair with the fitness first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "(f64, G)", into = "(f64, G)")]
#[serde(bound = "G: Clone + Serialize + DeserializeOwned")]
pub struct Member<G> {
    /// The genome.
    pub genome: G,
    /// Its fitness; more is better.
    pub fitness: f64,
}

impl<G> From<(f64, G)> for Member<G> {
    fn from((fitness, genome): (f64, G)) -> Self {
        Self { genome, fitness }
    }
}

impl<G> From<Member<G>> for (f64, G) {
    fn from(Member { genome, fitness }: Member<G>) -> Self {
        (fitness, genome)
    }
}

/// How a population changes in one iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scheme {
    /// Two parents, each the better of two, have two children, and those take places.
    Steady(Replacement),
    /// All members pair up at random. Each pair has this many children, and the best two of parents
    /// and children survive.
    MuPlusLambda(usize),
    /// A whole new population: some members are copied, the others are children. Copied
    /// members and parents win a tournament.
    Generational {
        /// The share that is copied.
        copied: f64,
        /// The size of a tournament.
        tournament: usize,
    },
}

/// Whose places two children take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// Those of the worse of two, drawn twice, whatever the children are worth.
    WorseOfTwo,
    /// That of the member whose fitness is nearest, if the child is not worse; the second child
    /// does not take the place of the first.
    Closest,
    /// That of a member of the same fitness, or else that of the worst, if the child is better.
    Worst,
}

/// All that a run depends on beside its problem.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How the population changes.
    pub scheme: Scheme,
    /// How many members it has, at least 2.
    pub population: usize,
    /// Whether members of the first population should all differ in fitness.
    pub distinct: bool,
    /// The seed.
    pub seed: u64,
}

/// A population at one moment, in numbers: what a plot of the run or a line of progress needs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Iterations done.
    pub iteration: u64,
    /// Genomes judged.
    pub evaluations: u64,
    /// The best fitness ever met.
    pub best: f64,
    /// The mean fitness of the population.
    pub mean: f64,
    /// The worst fitness in it.
    pub worst: f64,
    /// How many different fitnesses it has, as a share of its members.
    pub diversity: f64,
    /// The mean size of its genomes.
    pub size: f64,
    /// The size of the best genome.
    pub best_size: usize,
}

impl Row {
    /// The numbers' names, in their order.
    pub const COLUMNS: [&str; 8] =
        ["iteration", "evaluations", "best", "mean", "worst", "diversity", "size", "best_size"];

    /// The numbers, with commas between.
    pub fn csv(&self) -> String {
        let Row { iteration, evaluations, best, mean, worst, diversity, size, best_size } = self;
        format!(
            "{iteration},{evaluations},{best:?},{mean:?},{worst:?},{diversity:?},{size:?},{best_size}"
        )
    }
}

/// Where a run stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "G: Clone + Serialize + DeserializeOwned")]
pub struct EvolutionState<G> {
    /// Iterations done.
    pub iteration: u64,
    evaluations: u64,
    /// Iterations since the best became better.
    pub(super) stalled: u64,
    /// The best member ever met.
    pub best: Member<G>,
    /// The population.
    pub members: Vec<Member<G>>,
}

/// A population that evolves.
#[derive(Clone, Debug)]
pub struct Evolution<P: Problem> {
    problem: P,
    settings: Settings,
    state: EvolutionState<P::Genome>,
    children: [P::Genome; 2],
    /// The places that the last pair of children took.
    newest: [Option<usize>; 2],
}

/// How often a first member is drawn anew because its fitness is taken.
const PATIENCE: usize = 50;

impl<P: Problem> Evolution<P> {
    /// The first population.
    ///
    /// # Panics
    /// If the population has fewer than two members.
    pub fn new(problem: P, settings: Settings, threads: NonZero<usize>) -> Self {
        assert!(settings.population >= 2, "one alone has no partner");
        let mut rng = stream(settings.seed, 0);
        let (members, evaluations) = if settings.distinct {
            distinct_members(&problem, settings.population, &mut rng)
        } else {
            let genomes: Vec<P::Genome> =
                (0..settings.population).map(|_| problem.random(&mut rng)).collect();
            let luck = rng.bits();
            let members = judge(&problem, genomes, luck, threads);
            (members, settings.population as u64)
        };
        let best = members[fittest(&members)].clone();
        let state = EvolutionState { iteration: 0, evaluations, stalled: 0, best, members };
        Self::at(problem, settings, state)
    }

    fn at(problem: P, settings: Settings, state: EvolutionState<P::Genome>) -> Self {
        let children = [0, 1].map(|place| state.members[place].genome.clone());
        Self { problem, settings, state, children, newest: [None; 2] }
    }

    /// Where the run stands.
    pub fn state(&self) -> &EvolutionState<P::Genome> {
        &self.state
    }

    /// Continues a run as if it had never stopped. A state of another run is refused with a
    /// reason.
    pub fn resume(
        problem: P,
        settings: Settings,
        state: EvolutionState<P::Genome>,
    ) -> Result<Self, String> {
        let (found, expected) = (state.members.len(), settings.population);
        if found != expected {
            return Err(format!("the population has {found} members, not {expected}"));
        }
        Ok(Self::at(problem, settings, state))
    }

    /// What is evolved.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The children that took places in the last iteration of a steady state.
    pub fn newest(&self) -> impl Iterator<Item = &Member<P::Genome>> {
        self.newest.into_iter().flatten().map(|place| &self.state.members[place])
    }

    /// Whether nothing can become better.
    pub fn perfect(&self) -> bool {
        self.state.best.fitness >= self.problem.perfect()
    }

    /// The population in numbers.
    pub fn row(&self) -> Row {
        let EvolutionState { iteration, evaluations, ref best, ref members, .. } = self.state;
        let count = members.len() as f64;
        let mut all: Vec<f64> = members.iter().map(|member| member.fitness).collect();
        let mean = all.iter().sum::<f64>() / count;
        let size: usize = members.iter().map(|member| self.problem.size(&member.genome)).sum();
        all.sort_by(f64::total_cmp);
        let worst = all[0];
        all.dedup();
        Row {
            iteration,
            evaluations,
            best: best.fitness,
            mean,
            worst,
            diversity: all.len() as f64 / count,
            size: size as f64 / count,
            best_size: self.problem.size(&best.genome),
        }
    }

    /// One iteration.
    pub fn step(&mut self, threads: NonZero<usize>) {
        self.state.iteration += 1;
        self.state.stalled += 1;
        let mut rng = stream(self.settings.seed, self.state.iteration);
        match self.settings.scheme {
            Scheme::Steady(replacement) => self.breed_one_pair(replacement, &mut rng),
            Scheme::MuPlusLambda(children) => self.breed_all_pairs(children, &mut rng, threads),
            Scheme::Generational { copied, tournament } => {
                self.breed_anew(copied, tournament, &mut rng, threads);
            }
        }
    }

    fn breed_one_pair(&mut self, replacement: Replacement, rng: &mut Rng) {
        self.breed_children(2, rng);
        self.newest = [None; 2];
        for child in 0..2 {
            let taken = self.newest[0];
            let fitness = self.problem.fitness(&self.children[child], rng.bits());
            self.state.evaluations += 1;
            if fitness > self.state.best.fitness {
                self.state.best.genome.clone_from(&self.children[child]);
                self.state.best.fitness = fitness;
                self.state.stalled = 0;
            }
            let place = match replacement {
                Replacement::WorseOfTwo => Some(loser(&self.state.members, taken, rng)),
                Replacement::Closest => nearest(&self.state.members, fitness, taken),
                Replacement::Worst => worst(&self.state.members, fitness),
            };
            let Some(place) = place else { continue };
            self.newest[child] = Some(place);
            let member = &mut self.state.members[place];
            std::mem::swap(&mut member.genome, &mut self.children[child]);
            member.fitness = fitness;
        }
    }

    /// Breeds two children of two winners of tournaments.
    fn breed_children(&mut self, size: usize, rng: &mut Rng) {
        let members = &self.state.members;
        let mut parent = || &members[tournament(members, size, rng)].genome;
        let parents = [parent(), parent()];
        self.problem.breed(parents, &mut self.children, rng);
    }

    fn breed_all_pairs(&mut self, children: usize, rng: &mut Rng, threads: NonZero<usize>) {
        rng.shuffle(&mut self.state.members);
        let mut genomes = Vec::new();
        let pairs = self.state.members.len() / 2;
        for pair in 0..pairs {
            for _ in 0..children.div_ceil(2) {
                let parents =
                    [2 * pair, 2 * pair + 1].map(|place| &self.state.members[place].genome);
                self.problem.breed(parents, &mut self.children, rng);
                genomes.extend_from_slice(&self.children);
            }
            genomes.truncate((pair + 1) * children);
        }
        let bred = self.judge_children(genomes, rng, threads);
        let mut bred = bred.into_iter();
        for pair in 0..pairs {
            // A stable sort: parents stay where a child is no better.
            let mut family: Vec<_> = self.state.members[2 * pair..2 * pair + 2].to_vec();
            family.extend(bred.by_ref().take(children));
            family.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
            family.truncate(2);
            self.state.members.splice(2 * pair..2 * pair + 2, family);
        }
    }

    fn breed_anew(&mut self, copied: f64, size: usize, rng: &mut Rng, threads: NonZero<usize>) {
        let count = self.state.members.len();
        let copies = ((count as f64 * copied).round() as usize).min(count);
        let chosen: Vec<usize> =
            (0..copies).map(|_| tournament(&self.state.members, size, rng)).collect();
        let mut genomes = Vec::with_capacity(count - copies + 1);
        while genomes.len() < count - copies {
            self.breed_children(size, rng);
            genomes.extend_from_slice(&self.children);
        }
        genomes.truncate(count - copies);
        let mut next = self.judge_children(genomes, rng, threads);
        next.extend(chosen.into_iter().map(|place| self.state.members[place].clone()));
        self.state.members = next;
    }

    fn judge_children(
        &mut self,
        genomes: Vec<P::Genome>,
        rng: &mut Rng,
        threads: NonZero<usize>,
    ) -> Vec<Member<P::Genome>> {
        self.state.evaluations += genomes.len() as u64;
        let bred = judge(&self.problem, genomes, rng.bits(), threads);
        if !bred.is_empty() {
            let best = &bred[fittest(&bred)];
            if best.fitness > self.state.best.fitness {
                self.state.best = best.clone();
                self.state.stalled = 0;
            }
        }
        bred
    }
}

/// The random numbers of one iteration.
fn stream(seed: u64, iteration: u64) -> Rng {
    GameSeed { seed, game: iteration }.rng(Purpose::Agent)
}

/// Judges genomes on several threads.
fn judge<P: Problem>(
    problem: &P,
    genomes: Vec<P::Genome>,
    luck: u64,
    threads: NonZero<usize>,
) -> Vec<Member<P::Genome>> {
    let fitness = in_order(threads, genomes.len(), |at| {
        problem.fitness(&genomes[at], luck.wrapping_add(at as u64))
    });
    let both = genomes.into_iter().zip(fitness);
    both.map(|(genome, fitness)| Member { genome, fitness }).collect()
}

/// Members of different fitness, as far as patience goes, and how many were judged.
fn distinct_members<P: Problem>(
    problem: &P,
    count: usize,
    rng: &mut Rng,
) -> (Vec<Member<P::Genome>>, u64) {
    let mut members: Vec<Member<P::Genome>> = Vec::with_capacity(count);
    let mut evaluations = 0;
    while members.len() < count {
        for patience in (0..=PATIENCE).rev() {
            let genome = problem.random(rng);
            let fitness = problem.fitness(&genome, rng.bits());
            evaluations += 1;
            if patience == 0 || members.iter().all(|other| other.fitness != fitness) {
                members.push(Member { genome, fitness });
                break;
            }
        }
    }
    (members, evaluations)
}

/// The place of the best member; of equals the first.
fn fittest<G>(members: &[Member<G>]) -> usize {
    let better = |best: usize, place: usize| {
        if members[place].fitness > members[best].fitness { place } else { best }
    };
    (1..members.len()).fold(0, better)
}

/// The best of `size` members drawn at random; of equals the first drawn.
fn tournament<G>(members: &[Member<G>], size: usize, rng: &mut Rng) -> usize {
    let mut best = rng.below(members.len());
    for _ in 1..size {
        let rival = rng.below(members.len());
        if members[rival].fitness > members[best].fitness {
            best = rival;
        }
    }
    best
}

/// The worse of two different members, none of them `taken`.
fn loser<G>(members: &[Member<G>], taken: Option<usize>, rng: &mut Rng) -> usize {
    let others = members.len() - usize::from(taken.is_some());
    let skip =
        |place: usize, gap: Option<usize>| place + usize::from(gap.is_some_and(|gap| place >= gap));
    let one = rng.below(others);
    let other = if others > 1 { skip(rng.below(others - 1), Some(one)) } else { one };
    let (one, other) = (skip(one, taken), skip(other, taken));
    if members[other].fitness < members[one].fitness { other } else { one }
}

/// The member of nearest fitness that is not better and not `taken`; of equals the first.
fn nearest<G>(members: &[Member<G>], fitness: f64, taken: Option<usize>) -> Option<usize> {
    let far = |place: usize| (members[place].fitness - fitness).abs();
    let places = (0..members.len()).filter(|&place| Some(place) != taken);
    let place = places.min_by(|&a, &b| far(a).total_cmp(&far(b)))?;
    (members[place].fitness <= fitness).then_some(place)
}

/// A member of the same fitness, or else the worst if it is worse.
fn worst<G>(members: &[Member<G>], fitness: f64) -> Option<usize> {
    let same = members.iter().position(|member| member.fitness == fitness);
    let lowest = || {
        let by_fitness = |a: &usize, b: &usize| members[*a].fitness.total_cmp(&members[*b].fitness);
        let place = (0..members.len()).min_by(by_fitness).expect("a population has members");
        (members[place].fitness < fitness).then_some(place)
    };
    same.or_else(lowest)
}
