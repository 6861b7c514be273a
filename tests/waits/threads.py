# SPDX-License-Identifier: Apache-2.0
"""Threads of Python: a queue, a condition, an event, and the interpreter's own lock."""
import queue
import threading
import time

ITEMS, THREADS = 150, 3


def compute(seconds):
    begin = time.thread_time()
    while time.thread_time() - begin < seconds:
        pass


def work(todo, done):
    for item in iter(todo.get, None):
        compute(0.002)
        done.put(item)


todo, done, begin = queue.Queue(4), queue.Queue(), threading.Event()
threads = [threading.Thread(target=lambda: (begin.wait(), work(todo, done))) for _ in range(THREADS)]
for thread in threads:
    thread.start()
compute(0.05)
begin.set()
for i in range(ITEMS):
    todo.put(i)
total = sum(done.get() for _ in range(ITEMS))
for _ in threads:
    todo.put(None)
for thread in threads:
    thread.join()
print(total)
