# SPDX-License-Identifier: Apache-2.0
"""Small parallel programs, one for each class of operations: for P processors, with work that a seed decides."""
from random import Random

from network import Costs, Network, Overhead
from operations import (advance, await_, barrier, broadcast, collective, complete, create, exit_, irecv, isend, join,
                        lock, post, read_end, read_start, recv, send, signal, sleep, ssend, start, tag, test, unlock,
                        wait, write_end, write_start)
from truth import Program

# What an event of these programs costs to measure; about as long as what they do between events.
OVERHEAD = Overhead((320, 160, 500), {'barrier': (290, 80, 450), 'tag': (0, 0, 600), 'send': (250, 140, 700)})


def work(seed, process, least=400, most=2400):
    """Endless lengths of work, the same in each run."""
    random = Random(f'{seed} {process}')
    while True:
        yield random.randint(least, most)


def spmd(processors, body, costs=None, overhead=OVERHEAD, seed=0):
    """Runs body(process, work) on each processor."""
    def make():
        return [body(process, work(seed, process)) for process in range(processors)]
    return Program(make, costs or Costs(), overhead)


def statements(lengths, number):
    for index in range(number):
        yield next(lengths)
        yield tag(index)


# --- Shared memory

def independent(processors, seed, rounds=30):
    def body(process, lengths):
        yield from statements(lengths, rounds + process)
    return spmd(processors, body, seed=seed)


def doacross(processors, seed, rounds=40):
    def body(process, lengths):
        for i in range(process, rounds, processors):
            yield from statements(lengths, 2)
            if i > 0:
                yield await_('A', i - 1)
            yield from statements(lengths, 1)
            yield advance('A', i)
        yield barrier('end', processors)
    return spmd(processors, body, seed=seed)


def locks_in_turn(processors, seed, rounds=12):
    """Everybody comes back before all others have had the lock, so that it goes round."""
    def body(process, lengths):
        yield 50 + 60 * process
        for _ in range(rounds):
            yield lock('m')
            yield from statements(lengths, 1)
            yield 900
            yield unlock('m')
            yield 100 + next(lengths) // 24
    return spmd(processors, body, seed=seed)


def locks_by_chance(processors, seed, rounds=20):
    """Who comes first is another one when measured: some have much more to record."""
    def body(process, lengths):
        for _ in range(rounds):
            yield from statements(lengths, 1 + process % 3)
            yield lock('m')
            yield next(lengths) // 4
            yield unlock('m')
    return spmd(processors, body, seed=seed)


def tokens_by_chance(processors, seed, rounds=20, tokens=None):
    """As many processes at once as there are tokens, all posted by the first; which of them, time decides."""
    def body(process, lengths):
        for _ in range((tokens or max(1, processors // 2)) if process == 0 else 0):
            yield post('pool')
        for _ in range(rounds):
            yield from statements(lengths, 1 + process % 3)
            yield wait('pool')
            yield next(lengths)
            yield post('pool')
    return spmd(processors, body, seed=seed)


def crew_by_chance(processors, seed, rounds=20):
    """Some read and some write, and who comes before whom is another one when measured."""
    def body(process, lengths):
        for turn in range(rounds):
            yield from statements(lengths, 1 + process % 3)
            writes = (process + turn) % 4 == 0
            yield write_start('table') if writes else read_start('table')
            yield next(lengths) // 3
            yield write_end('table') if writes else read_end('table')
    return spmd(processors, body, seed=seed)


def crew(processors, seed, rounds=6):
    """In turn one writes while the others come to read what it has written."""
    def body(process, lengths):
        for turn in range(rounds):
            if turn % processors == process:
                yield write_start('matrix')
                yield from statements(lengths, 2)
                yield write_end('matrix')
            else:
                yield 900 + 10 * process
            yield read_start('matrix')
            yield from statements(lengths, 1)
            yield read_end('matrix')
            yield next(lengths)
            yield barrier('turn', processors)
    return spmd(processors, body, seed=seed)


def semaphores(processors, seed, rounds=15, places=3):
    """Pairs of a producer and a consumer with a buffer between them."""
    def body(process, lengths):
        pair = process // 2
        full, empty = f'full {pair}', f'empty {pair}'
        if process % 2:
            for _ in range(rounds):
                yield wait(full)
                yield from statements(lengths, 1)
                yield post(empty)
            return
        for _ in range(places):
            yield post(empty)
        for _ in range(rounds if process + 1 < processors else places):
            yield wait(empty)
            yield from statements(lengths, 1)
            yield post(full)
    return spmd(processors, body, seed=seed)


def conditions(processors, seed, rounds=5):
    """All sleep until the first process opens the gate; then one after another wakes the next one."""
    def body(process, lengths):
        for turn in range(rounds):
            yield from statements(lengths, 1)
            if process == 0:
                yield 20000 + 4000 * processors
                yield lock('m')
                yield broadcast('gate')
                yield unlock('m')
            else:
                yield 4000 * process
                yield lock('m')
                yield from sleep('gate', 'm')
                yield next(lengths) // 2
                yield unlock('m')
            yield barrier('turn', processors)
            if process < processors - 1:
                yield lock(f'm {process}')
                yield from sleep(f'turn {process}', f'm {process}')
                yield unlock(f'm {process}')
            yield 30000 + next(lengths)
            if process > 0:
                yield lock(f'm {process - 1}')
                yield signal(f'turn {process - 1}')
                yield unlock(f'm {process - 1}')
            yield barrier('turn', processors)
    return spmd(processors, body, seed=seed)


def barriers(processors, seed, rounds=12, leave='linear', beta=40):
    """The last to come is often another one when measured: by turns they have more to record."""
    def body(process, lengths):
        for turn in range(rounds):
            yield from statements(lengths, 1 + (process + turn) % 4)
            yield 300 * ((process * 7 + turn * 3) % 5)
            yield barrier('all', processors)
    return spmd(processors, body, Costs(exit=leave, beta=beta), seed=seed)


def threads(processors, seed, rounds=4):
    """The first makes all others, one of which makes one more, and joins them in another order."""
    def body(process, lengths):
        yield start(process)
        yield from statements(lengths, rounds - process % 2)
        if process == 1:
            yield create(processors, leaf(processors, work(seed, processors)))
            yield next(lengths)
            yield join(processors)
        yield exit_(process)

    def leaf(process, lengths):
        yield start(process)
        yield from statements(lengths, rounds)
        yield exit_(process)

    def first(lengths):
        yield next(lengths)
        for process in range(1, processors):
            yield create(process, body(process, work(seed, process)))
            yield next(lengths) // 4
        yield from statements(lengths, rounds // 2)
        for process in reversed(range(1, processors)):
            yield join(process)
            yield from statements(lengths, 1)

    return Program(lambda: {0: first(work(seed, 0))}, Costs(), OVERHEAD, at_most=processors + 1)


def self_scheduled(processors, seed, rounds=60):
    """Whoever is free takes the next iteration; some of those have much more to record."""
    lengths = work(seed, 'iterations')
    amounts = [next(lengths) * 4 for _ in range(rounds)]

    def body(process, counter):
        while True:
            yield lock('counter')
            yield 30
            i = counter['next']
            counter['next'] += 1
            yield unlock('counter')
            if i >= rounds:
                break
            for statement in range(1 + i % 5):
                yield amounts[i] // (1 + i % 5)
                yield tag(i * 8 + statement)
        yield barrier('end', processors)

    def make():
        counter = {'next': 0}
        return [body(process, counter) for process in range(processors)]

    rules = '[work iterations]\nclass=mutex\noperation=unlock\nobject=counter\n'
    return Program(make, Costs(), OVERHEAD, rules=rules)


# --- Messages

SHORT_AND_LONG = {'long': (3000, 2, 250), 'limit': 100, 'short': (1200, 3, 90)}


def network(topology, processors):
    """`mesh` and `torus` get the size that holds all processors."""
    if topology in ('mesh', 'torus'):
        width = max(divisor for divisor in range(1, processors + 1)
                    if processors % divisor == 0 and divisor * divisor <= processors)
        topology = f'{topology}:{processors // width}x{width}'
    return Costs(network=Network(topology, **SHORT_AND_LONG))


def messages(processors, seed, rounds=6, topology='none'):
    """To each distance in turn, short ones and long ones; some wait for theirs and some need not."""
    def body(process, lengths):
        for turn in range(rounds):
            distance = 1 + turn % (processors - 1)
            yield from statements(lengths, 1 + (process + turn) % 3)
            yield send((process + distance) % processors, bytes=64 if turn % 2 else 1500, tag=turn % 2)
            yield next(lengths) * (1 + 4 * ((process + turn) % 2))
            yield recv((process - distance) % processors, tag=turn % 2)
    return spmd(processors, body, network(topology, processors), seed=seed)


def rendezvous(processors, seed, rounds=8):
    """Neighbours meet, by turns to the left and to the right."""
    def body(process, lengths):
        for turn in range(rounds):
            yield from statements(lengths, 1 + (process + turn) % 3)
            partner = process + (1 if (process + turn) % 2 == 0 else -1)
            if 0 <= partner < processors:
                yield ssend(partner, bytes=800) if process < partner else recv(partner)
    return spmd(processors, body, network('ring', processors), seed=seed)


def background(processors, seed, rounds=6, polls=False, pause=70):
    """Messages that travel while everybody computes; `polls`: who needs one asks again and again."""
    def body(process, lengths):
        right, left = (process + 1) % processors, (process - 1) % processors
        for turn in range(rounds):
            incoming = yield irecv(left)
            yield from statements(lengths, 1 + (process + turn) % 3)
            outgoing = yield isend(right, bytes=64 if turn % 2 else 1500)
            yield next(lengths) * (1 + 2 * ((process + turn) % 2))
            if polls:
                while not (yield test(incoming)):
                    yield pause
            else:
                yield complete(incoming)
            yield from statements(lengths, 1)
            yield complete(outgoing)
    return spmd(processors, body, network('ring', processors), seed=seed)


def collectives(processors, seed, rounds=3):
    names = [('broadcast-root', 'broadcast-recv'), ('reduce-root', 'reduce'), ('scatter-root', 'scatter'),
             ('gather-root', 'gather'), ('all-reduce',), ('all-to-all',), ('all-gather',), ('reduce-scatter',),
             ('scan',)]

    def body(process, lengths):
        for turn in range(rounds):
            for index, pair in enumerate(names):
                yield from statements(lengths, 1 + (process + index) % 3)
                root = (turn + index) % processors
                yield collective(pair[-1 if process != root else 0], processors, bytes=64 if turn % 2 else 1500)
    return spmd(processors, body, network('hypercube', processors), seed=seed)


def to_anyone(processors, seed, rounds=6):
    """The first takes whatever comes; who is first to send is another one when measured."""
    def body(process, lengths):
        for turn in range(rounds):
            if process > 0:
                yield next(lengths) * 3
                yield from statements(lengths, 1 + (process + turn) % 4)
                yield 37 * process
                yield send(0, bytes=300, tag=turn)
            else:
                for _ in range(processors - 1):
                    yield recv(None, tag=turn)
                    yield from statements(iter([700] * 2), 2)
        yield barrier('end', processors)
    return spmd(processors, body, network('full', processors), seed=seed)
