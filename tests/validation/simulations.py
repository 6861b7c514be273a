# SPDX-License-Identifier: Apache-2.0
"""The part of the page about simulated truth: tables and figures of the programs that the virtual machine runs."""
import sys

from cases import DECIDED, DETERMINED, FIFTY, Study
from report import Figure, number, ratio, table

PAPER = {3: (4.56, 0.96, 0.37), 4: (3.38, 1.06, 0.57), 17: (14.08, 0.97, 8.31)}  # 1991, tables 1 and 2
TEXT = '''## Simulated truth

A small deterministic virtual multiprocessor (`tests/validation/machine.py`) runs the same program bare and measured,
and writes the measured run as a trace. What is approximated from it can be compared event by event. *Worst* is the
largest difference of any begin or end from the bare run. *Varied*: each event costs up to 30 % more or less than
`trace.ini` says. `meson test simulated-truth` has all of this and more, for more seeds and sizes, as tests.'''


def say(text):
    print(text, file=sys.stderr, flush=True)


def classes(study, processors):
    rows = []
    for name in [*DETERMINED, *DECIDED]:
        say(f'{name}, simulated')
        model = 'event' if name in DETERMINED else 'liberal'
        exact, varied = (run(name, processors, 1, model=model) for run in (study.exact, study.varied))
        worst = 'other events' if exact.worst is None else f'{exact.worst} ns'
        rows.append([name, model, number(exact.slowdown), ratio(exact.ratio), worst, ratio(varied.ratio)])
    return table(['', 'model', 'measured/actual', 'approximated/actual', 'worst', 'varied'], rows, 2)


def changed(study):
    rows = []
    for name in [*DECIDED, 'doacross', 'conditions', 'linear barriers', 'messages, ring']:
        say(f'{name}, what if, simulated')
        found = [study.what_if(name, 4, 1, factor, ('auto', 'event')) for factor in (0.5, 2)]
        rows.append([name, found[0][0].model, *[ratio(row.ratio) for pair in found for row in pair]])
    return table(['', 'model', 'half: what-if/actual', '`event`', 'double: what-if/actual', '`event`'], rows, 2)


def loops(study):
    rows = []
    for loop, (paper_measured, paper_event, paper_time) in PAPER.items():
        say(f'loop {loop}, simulated')
        event, timed = study.livermore(loop)
        varied, = study.livermore(loop, ['event'], seed=loop, varies=0.3)
        more, = study.livermore(loop, ['event'], scale=FIFTY[loop])
        rows.append([loop, paper_measured, number(event.slowdown), paper_event, ratio(event.ratio), ratio(varied.ratio),
                     paper_time, ratio(timed.ratio), f'{number(more.slowdown)}: {ratio(more.ratio)}'])
    return table(['loop', 'measured/actual, 1991', 'here', 'approximated/actual, 1991', 'here', 'here, varied',
                  'time model, 1991', 'here', 'more instrumentation'], rows)


def barriers(study, folder, quick):
    processors = (2, 8, 64) if quick else (2, 4, 8, 16, 32, 64)
    alphas = (6, 36) if quick else (6, 12, 18, 24, 30, 36)
    figure = Figure('Barrier loops', (2, 64, True), (0, 40, False), 'processors', 'added by measuring, %')
    figure.ticks([(n, str(n)) for n in processors], [(y, str(y)) for y in (0, 10, 20, 30, 40)])
    rows = []
    for colour, alpha in enumerate(alphas):
        say(f'barrier loops, alpha {alpha}, simulated')
        found = [study.barrier_loop(n, alpha) for n in processors]
        figure.series(f'alpha {alpha}', [(n, 100 * (row.slowdown - 1)) for n, row in zip(processors, found)], colour)
        rows.append([alpha, *[f'{ratio(row.slowdown)}: {ratio(row.ratio)}' for row in found]])
    figure.write(folder / 'validation-barriers.svg')
    return table(['alpha', *[f'{n} processors' for n in processors]], rows)


def transposes(study, quick):
    rows = []
    for kind in ('constant', 'decreasing'):
        for processors in (4, 16) if quick else (4, 8, 16, 32, 64):
            say(f'transposes, {processors} processors, simulated')
            _, found = study.ocean(processors, kind == 'decreasing')
            event, optimistic, pessimistic = (row for row, _ in found)
            rows.append([kind, processors, ratio(event.slowdown), ratio(event.ratio), ratio(optimistic.ratio),
                         ratio(pessimistic.ratio)])
    return table(['events a process', 'processors', 'measured/actual', 'event', 'optimistic', 'pessimistic'], rows)


def blind(study, quick):
    rows = []
    for processors in (4,) if quick else (4, 8, 16):
        _, found = study.blind_ocean(processors)
        rows.append([processors, ratio(found['fifo'].slowdown),
                     *[ratio(found[policy].ratio) for policy in ('preserve', 'lifo', 'fifo')]])
    return table(['processors', 'measured/actual', 'preserve', 'lifo', 'fifo'], rows)


def section(temporary, folder, quick):
    study = Study(temporary)
    return '\n\n'.join([
        TEXT, '### Every class of operations, on 8 processors', classes(study, 8),
        '### What if, on 4 processors',
        'Every other process computes for half or double the time: what `lightcone what-if` says of the run as it was, '
        'over what the changed program takes.', changed(study),
        '### Loops 3, 4 and 17 on 8 processors (1991, tables 1 and 2)',
        'The time model takes the instrumentation off each process and leaves the waits as they are. It fails as in '
        'the paper: too low where the measurement made waits vanish (3, 4), too high where it made them (17).',
        loops(study),
        '### Barrier loops (1993, figure 5)',
        'Measured/actual and approximated/actual; alpha is what an event costs. The paper was within 5 %.',
        barriers(study, folder, quick), '![Barrier loops](validation-barriers.svg)',
        '### Transposes of the ocean code (1993, figure 6)',
        'With messages that take no time (optimistic), the longest that they can have taken (pessimistic), and as the '
        'model of the iPSC/860 says (event).', transposes(study, quick),
        '### Blind receives (1993, figure 7)', 'Which message a receive takes is decided again, or kept.',
        blind(study, quick)])
