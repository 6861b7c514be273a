// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other with what Rust's library has: a lock, a condition, a channel, a barrier.
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const THREADS: usize = 3;
const ROUNDS: usize = 40;

fn compute(milliseconds: u64) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(milliseconds) {
        std::hint::spin_loop();
    }
}

fn main() {
    let lock = Arc::new((Mutex::new(0usize), Condvar::new()));
    let barrier = Arc::new(Barrier::new(THREADS));
    let (sender, receiver) = mpsc::sync_channel(1);
    let mut all = Vec::new();
    for me in 0..THREADS {
        let (lock, barrier, sender) = (lock.clone(), barrier.clone(), sender.clone());
        all.push(thread::spawn(move || {
            for round in 0..ROUNDS {
                let (turn, changed) = &*lock;
                let mut now = turn.lock().unwrap();
                while *now != round * THREADS + me {
                    now = changed.wait(now).unwrap();
                }
                compute(2);
                *now += 1;
                changed.notify_all();
                drop(now);
                barrier.wait();
                sender.send(me).unwrap();
            }
        }));
    }
    drop(sender);
    let mut sum = 0;
    for me in receiver {
        compute(1);
        sum += me;
    }
    for thread in all {
        thread.join().unwrap();
    }
    println!("{sum}");
}
