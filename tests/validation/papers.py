# SPDX-License-Identifier: Apache-2.0
"""The programs of the papers, for the virtual multiprocessor, with about the ratios of costs that are told there."""
import random
from dataclasses import dataclass

from network import IPSC860, Costs, Overhead
from operations import (advance, await_, barrier, create, exit_, join, read_end, read_start, recv, send, start, tag,
                        write_end, write_start)
from programs import statements, work
from truth import Program

# --- Livermore loops (1991 paper, section 5): DOACROSS on 8 processors, an event for each statement


@dataclass
class Loop:
    """An iteration: independent statements, then a critical section between await and advance."""
    statements: int   # before it
    each: int         # ns
    critical: int     # statements in it
    each_critical: int
    iterations: int = 1001


# Loops 3 and 4 have a small critical section at the end of much that is independent; that of loop 17 is large.
LOOPS = {3: Loop(30, 24, 1, 194), 4: Loop(29, 65, 1, 354), 17: Loop(30, 73, 10, 13)}
ALLIANT = Costs(waiting={'await': (60, 120)}, local={'advance': 40}, beta=100)
ALLIANT_OVERHEAD = Overhead((100, 20, 240))


def livermore(number, processors=8, scale=1.0, uneven=0.0):
    """`scale`: how many times the instrumentation of the paper. `uneven`: by which share iterations take more or less
    before the critical section, as those of loop 17 do, whose data decide what is computed."""
    loop = LOOPS[number]

    def body(process):
        for i in range(process, loop.iterations, processors):
            share = random.Random(f'loop {number} {i}').uniform(1 - uneven, 1 + uneven)
            yield from both(loop.statements, round(loop.each * share))
            if i > 0:
                yield await_('A', i - 1)
            yield from both(loop.critical, loop.each_critical)
            yield advance('A', i)
        yield barrier('end', processors)

    def both(number_of_statements, each):
        for statement in range(number_of_statements):
            yield each
            yield tag(statement, takes=0)

    return Program(lambda: [body(process) for process in range(processors)], ALLIANT, ALLIANT_OVERHEAD.scaled(scale))


# --- Barrier loops (1993 paper, section 4.1): alpha is what an event costs

def barrier_loop(processors, alpha, leave='linear', iterations=100, unit=10):
    """Some work, not the same for all, and a barrier; both its begin and its end are recorded. Times in units."""
    def body(process):
        lengths = work('barrier loop', process, 150, 250)
        for _ in range(iterations):
            yield next(lengths) * unit
            yield barrier('loop', processors)

    overhead = Overhead((0, alpha * unit, alpha * unit))
    return Program(lambda: [body(process) for process in range(processors)],
                   Costs(exit=leave, beta=5 * unit), overhead)


# --- Transposes of the ocean code (1993 paper, section 4.2) on the iPSC/860

def ocean(processors, events, blind=False, transposes=2, size=128):
    """A matrix in slabs of columns; a block of each goes to each process. `events`: how many a process records between.

    `events` is a function of the process and the transpose.
    """
    block = size * size * 8 // (processors * processors)
    columns = 60_000_000 // processors

    def body(process):
        for transpose in range(transposes):
            count = events(process, transpose)
            for event in range(count):
                yield columns // count
                yield tag(event, takes=0)
            yield columns % count + 1009 * process
            for other in range(1, processors):
                yield send(process ^ other, bytes=block, tag=transpose)
                if not blind:
                    yield recv(process ^ other, tag=transpose)
            for _ in range(processors - 1 if blind else 0):
                yield recv(None, tag=transpose)
                yield 2000

    return Program(lambda: [body(process) for process in range(processors)],
                   Costs(copy=20_000, network=IPSC860), Overhead((10_000, 5_000, 25_000)))


# --- Pi, with a master and workers (tests/examples/pi.c)

def pi(processors, batches=60, darts=40):
    """Each answer is followed by the next batch, or by the end, for the worker whose turn it is."""
    workers = processors - 1

    def worker(process):
        yield start(process)
        for _ in range(process - 1, batches, workers):
            yield recv(0)
            for dart in range(4):
                yield darts * 50
                yield tag(dart, takes=0)
            yield send(0, bytes=16)
        yield recv(0)
        yield exit_(process)

    def master():
        for process in range(1, processors):
            yield create(process, worker(process))
        for batch in range(batches):
            process = 1 + batch % workers
            if batch >= workers:
                yield recv(process)
                yield from statements(iter([150]), 1)
            yield send(process, bytes=16)
        for process in range(1, processors):
            yield recv(process)
            yield send(process, bytes=16)
        for process in range(1, processors):
            yield join(process)

    return Program(lambda: {0: master()}, Costs(), Overhead((150, 50, 200)), at_most=processors)


# --- Upper triangulation (1990 paper, section 5, and tests/examples/gauss.c)

def gauss(workers, size, copy=60, multiply=240, contention=0.12):
    """A row is copied into its owner's buffer and from there by all others, an entry in `copy` ns; each that copies at
    the same time makes it longer for the others. Whole rows are copied, as in the paper's first version."""
    copying = set()

    def transfer(process, end):
        """Up to the event that ends it: only then it is over for the others too."""
        copying.add(process)
        yield round(size * copy * (1 + contention * (len(copying) - 1)))
        yield end
        copying.discard(process)

    def body(process):
        buffer = f'output of worker {process}'
        for k in range(size - 1):
            owner = k % workers
            yield tag(k, takes=0)
            if owner == process:
                yield write_start(buffer)
                yield from transfer(process, write_end(buffer))
                yield advance('rows', k)
            else:
                yield await_('rows', k)
                yield read_start(f'output of worker {owner}')
                yield from transfer(process, read_end(f'output of worker {owner}'))
            rows = len(range(process, size, workers)) - len(range(process, k + 1, workers))
            yield rows * (size - k) * multiply

    def make():
        copying.clear()
        return [body(process) for process in range(workers)]

    return Program(make, Costs(), Overhead())
