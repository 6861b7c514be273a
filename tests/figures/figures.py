#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the figures of the papers again, from recordings of the examples: figures.py [--quick] FOLDER PAGE.

LIGHTCONE is the program, LIGHTCONE_EXAMPLES the folder of the example programs. Pictures go to FOLDER; PAGE shows them.
"""
import os
import platform
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from session import Session  # first: it makes the modules of the validation known
import experiments
import papers

WIDTH = 120  # of a line of the page

HEAD = '''# Figures

The figures of the papers, made again by one command, `./dev figures`, from recordings of the programs in
`tests/examples`. Each picture is what `lightcone export` writes; the command below it is all that is needed. What is
said of a picture was read from the same history: the numbers are those of the run that is shown.

These runs: {machine}. Where a paper had a processor for each process, processes share processors here; figures for
which that would be another experiment are of the virtual multiprocessor that also validates approximations
([validation.md](validation.md)), and say so.'''


def machine():
    model = re.search(r'^model name\s*:\s*(.*)$', Path('/proc/cpuinfo').read_text(encoding='utf-8'), re.MULTILINE)
    return f'{len(os.sched_getaffinity(0))} processors ({model[1] if model else platform.machine()})'


# --- Fowler, LeBlanc, Mellor-Crummey: multiple views (1990)

MOVES = 'advance,await,read-start,read-end,write-start,write-end'


def rounds(session, trace, first, number):
    """The layers from one broadcast to the one so many rounds later."""
    found = session.sql(trace, "SELECT layer FROM event WHERE operation = 'write-start' ORDER BY layer "
                               f'LIMIT {number + 1} OFFSET {first}')
    return found[0]['layer'], found[-1]['layer']


def contours(session):
    trace = session.record('gauss', '--workers', '4', '--size', '200', '--snapshots')
    session.export('contours', trace, '--view', 'snapshots', size='1200x480')
    return ('Figure 1 of 1990: the matrix at the start, half-way and at the end',
            'Rows and columns across and down, the lower a value the darker, and a shade is the same value in all '
            'three. Half-way the left half below the diagonal has become 0 and the finished rows are all 2; at the end '
            'there is nothing but 0 below the diagonal and 2 on and above it. (The paper has contours at even '
            'intervals; here they divide the values of all three into parts of about equally many, for between 0 and '
            '400 the 2 would look like 0.)')


def logical_rounds(session):
    trace = session.record('gauss', '--workers', '16', '--size', '200')
    first, last = rounds(session, trace, 100, 4)
    session.export('rounds', trace, '--time', 'logical', '--from', first, '--to', last, '--operations', MOVES)
    return ('Figure 2 of 1990: four rounds of the triangulation in logical time',
            f'Layers {first} to {last}. In each round one worker fills its buffer and all others copy the row: from '
            'one hash mark arcs fan out to the awaits of all the others, who stand in one layer. The next round begins '
            'where a neighbour has what it needs.')


def erroneous(session):
    return session.record('gauss', '--workers', '16', '--size', '200', '--variant', 'faulty', '--uneven', '13:0.5',
                          status=1)


def late_rows(session, trace):
    """Reads that come before what they read was written, by process."""
    found = session.sql(trace, "SELECT p.name AS name, count(*) AS n FROM event e JOIN process p ON p.id = e.process "
                               "WHERE e.operation = 'read-start' AND e.sequence = 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
    return found[0] if found else {'name': 'no worker', 'n': 0}


def erroneous_logical(session):
    trace = erroneous(session)
    first, last = rounds(session, trace, 20, 4)
    session.export('erroneous-logical', trace, '--time', 'logical', '--from', first, '--to', last, '--operations',
                   MOVES)
    found = late_rows(session, trace)
    return ('Figure 3 of 1990: rounds of an erroneous triangulation in logical time',
            f'The same in a variant that believes too early that a buffer is full: {found["name"]} read {found["n"]} '
            'buffers before they were ever filled. In each of these rounds it reads twice: what was there before, and '
            'the row itself a little later, at the end of a steeper arc.')


def erroneous_physical(session):
    trace = erroneous(session)
    first, last = rounds(session, trace, 20, 4)
    times = session.sql(trace, f'SELECT min(begin) AS b, max("end") AS e FROM event WHERE layer >= {first} AND '
                               f"layer < {last} AND operation IN ('advance', 'await', 'read-start', 'write-start')")[0]
    session.export('erroneous-physical', trace, '--style', 'moviola', '--from', times['b'], '--to', times['e'],
                   '--operations', MOVES)
    return ('Figure 4 of 1990: the same rounds in physical time',
            f'The rounds that logical time keeps apart overlap: these layers took from {times["b"] / 1e6:.2f} to '
            f'{times["e"] / 1e6:.2f} ms, and within that time processes are in several rounds at once.')


def distribution(session):
    trace = session.record('gauss', '--workers', '16', '--size', '400')
    session.export('distribution', trace, '--view', 'parallelism-histogram', size='900x540')
    found = session.json('stats', trace, 'parallelism')
    return ('Figure 5 of 1990: the distribution of parallelism',
            f'The part of the time that so many of the 17 processes were running: {session.average(found)} on '
            'average. A process that has work but no processor counts as running: no trace can tell.')


def utilized(session):
    trace = session.record('gauss', '--workers', '16', '--size', '400')
    session.export('parallelism', trace, '--view', 'parallelism', size='1200x540')
    return ('Figure 6 of 1990: parallelism over time',
            'Every change, as far as pixels go: at the left the master makes one worker after the other, at the right '
            'they end one after the other. Between them it falls whenever a row is not there yet.')


def averaged(session):
    trace = session.record('gauss', '--workers', '16', '--size', '400')
    session.export('parallelism-average', trace, '--view', 'parallelism-average', '--intervals', '40',
                   size='1200x540')
    return ('Figure 7 of 1990: parallelism averaged over 40 intervals',
            'The same run. What looked like a fall to a few processes was so short that the average hardly sees it.')


def startup(session):
    trace = session.record('gauss', '--workers', '16', '--size', '400')
    end = session.sql(trace, 'SELECT "end" AS e FROM event WHERE operation = \'advance\' ORDER BY "end" LIMIT 1 '
                             'OFFSET 34')[0]['e']
    begin = session.sql(trace, "SELECT min(begin) AS b FROM event WHERE operation = 'start'")[0]['b']
    session.export('startup', trace, '--style', 'moviola', '--from', begin, '--to', end, size='1200x1100')
    return ('Figure 8 of 1990: startup, and the first two cycles',
            'The master, in the first column, creates the workers in turn; each waits (hatched) until all are there '
            'and the master lets them go. Then the first rows go round.')


def triangulation(session):
    """With a processor for each of 36 workers, as the paper had: only then is a copy what takes time, not a turn."""
    return session.simulate('gauss-virtual.trace', papers.gauss(36, 72 if session.quick else 360))


VIRTUAL = ('On the virtual multiprocessor, with a processor for each of 36 workers; copies that go on at the same time '
           'slow each other down. ')


def communication(session):
    trace = triangulation(session)
    session.export('communication', trace, '--view', 'communication', '--measure', 'ratio', size='1200x640')
    workers = [row for row in session.json('stats', trace, 'communication')['process'] if row['ratio'] is not None]
    workers.sort(key=lambda row: row['ratio'])
    return ('Figure 9 of 1990: communication against computation',
            f'{VIRTUAL}For each the time in which it waited for a row, or copied one, divided by the time in which it '
            f'computed: from {100 * workers[0]["ratio"]:.1f} % ({workers[0]["name"]}) to '
            f'{100 * workers[-1]["ratio"]:.1f} % ({workers[-1]["name"]}); the paper has 14 % (the last process) to '
            '19 % (the first).')


def per_round(session):
    trace = triangulation(session)
    session.export('communication-per-round', trace, '--view', 'phases', '--phases', 'tag', '--processes', 'p18',
                   '--measure', 'communication', size='1200x480')
    return ('Figure 10 of 1990: communication time per round, for one worker',
            'The same run. A phase is a round: it begins where a worker says so (`lc_tag`). The cycles of 36 rounds'
            ' are plain to see: waiting builds up after the worker has sent a row of its own, until the cycle ends.'
            ' The paper shows a worker of a real run, in which the cycles are hidden under the variation.')


def transfer(session):
    trace = triangulation(session)
    session.export('transfer-per-round', trace, '--view', 'phases', '--phases', 'tag', '--processes', 'p18',
                   '--measure', 'transfer', size='1200x480')
    return ('Figure 11 of 1990: transfer time per round, for one worker',
            'The same without waiting: what it takes to copy the row. It does not get less in the later rounds, '
            'although less and less of a row is needed, for whole rows are copied; and the more workers copy at '
            'once, the longer it takes each of them.')


def surface(session):
    trace = triangulation(session)
    session.export('transfer-surface', trace, '--view', 'phase-surface', '--phases', 'tag', '--measure', 'transfer',
                   size='1200x800')
    session.export('transfer-map', trace, '--view', 'phase-map', '--phases', 'tag', '--measure', 'transfer',
                   size='1200x640')
    return ('Figure 12 of 1990: transfer time per round, for all workers',
            'Workers to the right, rounds to the rear, time upwards; the second picture has the same as a map, in '
            'which nothing hides anything. Contention builds up within each cycle of 36 rounds, and ends with it: '
            'who has sent its row has one less to compute, gets ahead, and copies at the same time as others. (Of '
            'those that begin at the same instant the lower numbers come first there.)')


def communication_here(session):
    trace = session.record('gauss', '--workers', '36', '--size', '900')
    session.export('communication-here', trace, '--view', 'communication', '--processes', '1-36', size='1200x640')
    return ('Figure 9 again, recorded here',
            'The same program on the processors of this machine: where 36 workers share them, hardly any of their time '
            'is computing. What looks like transfer is mostly waiting for a processor with a row at hand.')


# --- Malony, Larson, Reed: event-based perturbation analysis (1991)

# By which share the iterations of loop 17 take more or less, so that as many processes run as in the paper.
UNEVEN = 0.12


def waiting_behaviour(session):
    folder = session.simulate('loop-17.trace', papers.livermore(17, uneven=UNEVEN))
    session.run('approximate', folder, '--model', 'event')
    shares = [100 * row['waiting'] / row['span']
              for row in session.json('stats', folder, 'waiting', '--timeline', 'event')['process']]
    session.export('waiting', folder, '--view', 'waiting-history', '--timeline', 'event',
                   size='1200x480')
    return ('Figure 4 of 1991: approximated waiting in loop 17',
            'Loop 17 on eight virtual processors, with the measurement taken out: where each of them waits for the '
            'iteration before. What an iteration computes before that depends on its data; here it takes up to '
            f'{100 * UNEVEN:.0f} % more or less, by chance, which was chosen so that as many processes run as in the '
            f'paper. Each waits for {min(shares):.2f} to {max(shares):.2f} % of its time, in table 3 of the paper for '
            '2.70 to 8.09 %.')


def parallelism_behaviour(session):
    folder = session.simulate('loop-17.trace', papers.livermore(17, uneven=UNEVEN))
    session.run('approximate', folder, '--model', 'event')
    session.export('parallelism-approximated', folder, '--view', 'parallelism-average', '--timeline', 'event',
                   '--intervals', '80', size='1200x480')
    found = session.json('stats', folder, 'parallelism', '--timeline', 'event')
    return ('Figure 5 of 1991: approximated parallelism in loop 17',
            f'The same run, with the sequential parts marked. On average {session.parallel_average(found)} processes '
            'run in the parallel part (the paper has 7.5).')


FIGURES = [contours, logical_rounds, erroneous_logical, erroneous_physical, distribution, utilized, averaged, startup,
           communication, per_round, transfer, surface, communication_here,
           experiments.sequential_loops, waiting_behaviour, parallelism_behaviour,
           experiments.barriers, experiments.transposes, experiments.blind_receives]

TITLES = {contours: '## Multiple views (1990)', experiments.sequential_loops: '## Event-based perturbation (1991)',
          experiments.barriers: '## SPMD perturbation (1993)'}


def wrap(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def wrap_command(command):
    lines = textwrap.wrap(command, WIDTH - 2, subsequent_indent='  ', break_long_words=False, break_on_hyphens=False)
    return ' \\\n'.join(lines)


def section(session, figure):
    session.begin()
    title, text = figure(session)
    parts = [TITLES[figure]] if figure in TITLES else []
    parts += [f'### {title}', wrap(text)]
    parts += [f'![{title}](figures/{name})' for name in session.pictures]
    if session.commands:
        parts.append('```sh\n' + '\n'.join(map(wrap_command, session.commands)) + '\n```')
    return '\n\n'.join(parts)


def main(arguments):
    quick = '--quick' in arguments
    folder, page = (Path(argument) for argument in arguments if argument != '--quick')
    folder.mkdir(parents=True, exist_ok=True)
    os.environ['LC_ALL'] = 'C.UTF-8'
    with tempfile.TemporaryDirectory(prefix='lightcone-figures-') as temporary:
        session = Session(folder.resolve(), temporary, quick)
        sections = [section(session, figure) for figure in FIGURES]
    head = [wrap(part) for part in HEAD.format(machine=machine()).split('\n\n')]
    page.write_text('\n\n'.join([*head, *sections]) + '\n', encoding='utf-8')
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        print(f'{" ".join(error.cmd)}: status {error.returncode}\n{error.stderr}', file=sys.stderr)
        sys.exit(2)
