// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other with the locks of parking_lot.
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const THREADS: usize = 3;
const ROUNDS: usize = 60;

fn compute(milliseconds: u64) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(milliseconds) {
        std::hint::spin_loop();
    }
}

fn main() {
    let shared = Arc::new((Mutex::new(0usize), Condvar::new(), Mutex::new(0usize)));
    let all: Vec<_> = (0..THREADS)
        .map(|me| {
            let shared = shared.clone();
            thread::spawn(move || {
                let (turn, changed, sum) = &*shared;
                for round in 0..ROUNDS {
                    let mut now = turn.lock();
                    while *now != round * THREADS + me {
                        changed.wait(&mut now);
                    }
                    compute(1);
                    *now += 1;
                    changed.notify_all();
                    drop(now);
                    let mut sum = sum.lock();
                    compute(2);
                    *sum += me;
                }
            })
        })
        .collect();
    for thread in all {
        thread.join().unwrap();
    }
    println!("{}", *shared.2.lock());
}
