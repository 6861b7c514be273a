# SPDX-License-Identifier: Apache-2.0
"""Figures that are of many runs: one point for each. session.py has made the modules of the validation known."""
import math

from real import COARSE, livermore, measure
from report import Bars, Figure

LOOPS = {3: (40000, 1000, 4, 4096, 2), 4: (40000, 2000, 4, 4096, 2), 17: (12000, 1600, 1, 256, 2)}


def ratios(title, numbers, series):
    """Ratios to actual over the number of processors: lines of (number, ratio), by name."""
    values = [y for points in series.values() for _, y in points]
    step = 0.1 if max(values) - min(values) < 1 else 0.25
    low, high = (round_up(value / step) for round_up, value in ((math.floor, min(values)), (math.ceil, max(values))))
    figure = Figure(title, (numbers[0], numbers[-1], True), (low * step, high * step, False), 'processors',
                    'ratio to actual')
    digits = 1 if step == 0.1 else 2
    figure.ticks([(n, str(n)) for n in numbers], [(n * step, f'{n * step:.{digits}f}') for n in range(low, high + 1)])
    for colour, (name, points) in enumerate(series.items()):
        figure.series(name, points, colour)
    return figure


def sequential_loops(session):
    """Figure 1 of 1991: one process, full instrumentation, time model."""
    bars = Bars('Loops on one process', ['measured/actual', 'approximated/actual'], 'ratio to actual')
    found = []
    for loop, (lose, length, strip, grain, repeat) in LOOPS.items():
        case = livermore(loop, COARSE, 1, lose, length // 4 if session.quick else length, strip, grain, repeat)
        result = measure(case, session.temporary, 3 if session.quick else 7)
        measured, approximated = (result.spread(name)[0] for name in ('measured', 'time'))
        found.append((measured, approximated))
        bars.add(f'loop {loop}', [measured, approximated])
    session.chart('sequential-loops', bars)
    worst = max(abs(approximated - 1) for _, approximated in found)
    return ('Figure 1 of 1991: sequential loops, measured and approximated',
            f'Kernels on one process with a mark after each statement, which makes them take '
            f'{min(m for m, _ in found):.1f} to {max(m for m, _ in found):.1f} times as long. Without waits the time '
            f'model is enough: it is at most {100 * worst:.0f} % off here.')


def processors(session, numbers):
    return numbers[:2] if session.quick else numbers


def barriers(session):
    """Figure 5 of 1993."""
    numbers, alphas = processors(session, (2, 4, 8, 16)), (6, 12, 18, 24, 30, 36)
    before = Figure('Measured against actual', (6, 36, False), (0, 45, False), 'alpha', 'measured is longer, %')
    after = Figure('Approximated against actual', (6, 36, False), (-5, 5, False), 'alpha',
                   'approximated is longer, %')
    before.ticks([(alpha, str(alpha)) for alpha in alphas], [(y, str(y)) for y in (0, 10, 20, 30, 40)])
    after.ticks([(alpha, str(alpha)) for alpha in alphas], [(y, str(y)) for y in (-5, 0, 5)])
    for colour, number in enumerate(numbers):
        rows = [session.study.barrier_loop(number, alpha) for alpha in alphas]
        before.series(f'{number} processors', [(a, 100 * (row.slowdown - 1)) for a, row in zip(alphas, rows)], colour)
        after.series(f'{number} processors', [(a, 100 * (row.ratio - 1)) for a, row in zip(alphas, rows)], colour)
    session.chart('barriers-measured', before)
    session.chart('barriers-approximated', after)
    return ('Figure 5 of 1993: barriers, measured and approximated against actual',
            'A loop with a barrier on virtual processors; alpha is what recording an event costs. The more it costs, '
            'the longer the measured run; the approximated one is the actual one for every alpha and every number of '
            'processors. Runs on real processors: [validation.md](validation.md).')


def transposes(session):
    """Figure 6 of 1993."""
    numbers = processors(session, (4, 8, 16, 32))
    for name, decreasing in (('decreasing', True), ('constant', False)):
        found = {n: [row for row, _ in session.study.ocean(n, decreasing)[1]] for n in numbers}
        session.chart(f'transposes-{name}', ratios(f'Transposes, {name} events', numbers, {
            'measured': [(n, rows[0].slowdown) for n, rows in found.items()],
            'pessimistic': [(n, rows[2].ratio) for n, rows in found.items()],
            'model of the network': [(n, rows[0].ratio) for n, rows in found.items()],
            'optimistic': [(n, rows[1].ratio) for n, rows in found.items()]}))
    return ('Figure 6 of 1993: transposes of the ocean code',
            'Messages on a virtual hypercube with the costs of the iPSC/860; first with fewer events a process the '
            'more processors there are, then with as many. Optimistic analysis is below the actual time, pessimistic '
            'above; with the model of the network it is the actual time.')


def blind_receives(session):
    """Figure 7 of 1993."""
    numbers = processors(session, (4, 8, 16))
    found = {n: session.study.blind_ocean(n)[1] for n in numbers}
    session.chart('blind-receives', ratios('Blind receives', numbers, {
        'measured': [(n, rows['fifo'].slowdown) for n, rows in found.items()],
        **{policy: [(n, rows[policy].ratio) for n, rows in found.items()] for policy in ('preserve', 'lifo', 'fifo')}}))
    return ('Figure 7 of 1993: which message a blind receive takes',
            'The same with receives that take any message, and with much more recorded on some processors than on '
            'others. Which message came first is decided again (fifo, lifo) or kept as measured (preserve). Kept, it '
            'is off where recording has changed the order; here lifo is as good as fifo (its line is below the other), '
            'for whichever message is taken first, the last one decides when a process goes on.')
