//! Solves a field by logic on connected cells, to compare evolved trees with.

use super::field::{Code, EMPTY, Field, MINE, TOUCHING, UNKNOWN, is_number};

/// Fills a field in by components.
///
/// Around a mine there are only mines and numbers, around an empty cell without a number only
/// such cells and numbers. So unknown cells that touch are all mines or all empty, and every
/// number asks for a few whole components. Counting goes on until it finds nothing new; what it
/// leaves is taken for empty.
///
/// ```text
/// - - 1 1 1      a a . . .      the 1s on the right touch b alone, so b is a mine; the 1s in
/// - - 1 - 1  ->  a a . b .      the middle have it then, so a is empty
/// - - 1 1 1      a a . . .
/// ```
pub fn by_components(field: &Field) -> Vec<Code> {
    let component = components(field);
    let count = component.iter().flatten().max().map_or(0, |&last| last + 1);
    // What each component is, once it is known: mines or not.
    let mut mined: Vec<Option<bool>> = vec![None; count];
    let numbers: Vec<usize> =
        (0..field.seen.len()).filter(|&place| is_number(field.seen[place])).collect();
    loop {
        let mut found = false;
        for &place in &numbers {
            let mut left = i32::from(field.seen[place]);
            let mut open: Vec<(usize, i32)> = Vec::new();
            for near in field.around(place).into_iter().filter_map(|near| component[near]) {
                match mined[near] {
                    Some(true) => left -= 1,
                    Some(false) => {}
                    None => match open.iter_mut().find(|(other, _)| *other == near) {
                        Some((_, cells)) => *cells += 1,
                        None => open.push((near, 1)),
                    },
                }
            }
            found |= decide(&open, left, &mut mined);
        }
        if !found {
            break;
        }
    }
    let fill = |place: usize| match component[place].map(|of| mined[of]) {
        None => field.seen[place],
        Some(Some(true)) => MINE,
        Some(_) if field.around[place].number => TOUCHING,
        Some(_) => EMPTY,
    };
    (0..field.seen.len()).map(fill).collect()
}

/// Learns what is the same in all ways to choose components whose cells add up; at most eight
/// touch a number.
fn decide(open: &[(usize, i32)], left: i32, mined: &mut [Option<bool>]) -> bool {
    let fits = |choice: u32| {
        let chosen = open.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
        chosen.map(|(_, (_, cells))| cells).sum::<i32>() == left
    };
    let ways: Vec<u32> = (0..1u32 << open.len()).filter(|&choice| fits(choice)).collect();
    let mut found = false;
    for (at, &(component, _)) in open.iter().enumerate() {
        let chosen = ways.iter().filter(|&&choice| choice >> at & 1 == 1).count();
        if !ways.is_empty() && (chosen == 0 || chosen == ways.len()) {
            mined[component] = Some(chosen > 0);
            found = true;
        }
    }
    found
}

/// The number of the component of each unknown place.
fn components(field: &Field) -> Vec<Option<usize>> {
    let mut component = vec![None; field.seen.len()];
    let mut count = 0;
    for start in 0..field.seen.len() {
        if field.seen[start] != UNKNOWN || component[start].is_some() {
            continue;
        }
        let mut stack = vec![start];
        component[start] = Some(count);
        while let Some(place) = stack.pop() {
            for near in field.around(place) {
                if field.seen[near] == UNKNOWN && component[near].is_none() {
                    component[near] = Some(count);
                    stack.push(near);
                }
            }
        }
        count += 1;
    }
    component
}
