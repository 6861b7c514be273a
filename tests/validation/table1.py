#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Table 1 of the paper of 2007 made again: table1.py [--turns N | --quick] [--under COMMAND] [--callpath] PAGE.

PAGE is docs/profile.md, or with --callpath, for profiles by call path, another one with the same two comments.
LIGHTCONE is the program, LIGHTCONE_EXAMPLES the folder of the example programs. Two ranks need two processors that are
theirs alone; where others compute too, --under 'chrt -r 1' makes the ranks go first (with -f, a rank of Open MPI may
wait for ever for a thread of its own, which never gets its processor).
"""
import argparse
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BEGIN, END = '<!-- table 1: written by tests/validation/table1.py -->', '<!-- end of table 1 -->'
LIGHTCONE = os.environ['LIGHTCONE']
EXAMPLES = Path(os.environ['LIGHTCONE_EXAMPLES']) / 'mpi'
NAMES = {'openmpi': 'Open MPI', 'mpich': 'MPICH'}
TASKS = {'Master': 'run_master', 'Worker': 'run_worker'}
SUFFIXES = {'none': '', 'local': '_local', 'parallel': '_parallel'}
WAYS = {'bare': 'No measurement', 'none': 'No compensation', 'local': 'Local', 'parallel': 'Parallel'}
PACKETS, QUICK = 160000, 20000  # 2 s and 0.3 s without measurement
PROGRAM = ['--points', '200', '--copies', '60', '--time']
# Without gl, MPI does not look for graphics cards at X displays, which may be gone a moment later: that would end it.
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
               'HWLOC_COMPONENTS': '-gl'}


def run(command):
    return subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout


def launch(mpi, under, packets, name):
    program = str(EXAMPLES / f'{name}-{mpi}')
    return [f'mpirun.{mpi}', '-n', '2', *under, program, '--packets', str(packets), *PROGRAM]


def bare(mpi, under, packets):
    """What the ranks that nobody measures say themselves, ms: from the first barrier on until they are done."""
    text = run(launch(mpi, under, packets, 'pi'))
    return [int(time) / 1e6 for time in re.findall(r'^rank \d+: (\d+) ns$', text, re.M)]


def measured(mpi, under, packets, way, options, folder):
    """The time of run_master and run_worker, ms, in a run of its own with this compensation."""
    path = Path(folder) / 'pi.profile'
    run([LIGHTCONE, 'profile', '--quiet', '-o', str(path), '-c', way, *options, '--',
         *launch(mpi, under, packets, 'pi-instrumented')])
    processes = json.loads(path.read_text(encoding='utf-8'))['processes']
    return [next(row for row in process['routines'] if row['name'] == name)['inclusive' + SUFFIXES[way]] / 1e6
            for process, name in zip(processes, TASKS.values())]


def measure(mpi, under, packets, turns, options, folder):
    """By way, the times of the master and of the worker in each turn: the machine is not as fast in all of them."""
    found = {way: [] for way in WAYS}
    for turn in range(turns):
        for way in WAYS:
            print(f'\r{mpi}: {turn + 1} of {turns}, {way}   ', end='', file=sys.stderr)
            found[way].append(bare(mpi, under, packets) if way == 'bare' else
                              measured(mpi, under, packets, way, options, folder))
    print(file=sys.stderr)
    return found


def spread(values):
    """Half of the way from one quartile to the other: half of the values are no farther from their middle."""
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2


def cell(times, task, way):
    """The median; and that of how much longer than the run without measurement of the same turn, with its spread."""
    own, free = ([turn[task] for turn in times[which]] for which in (way, 'bare'))
    middle = statistics.median(own)
    if way == 'bare':
        return f'{middle:.1f} (±{spread([100 * time / middle for time in own]):.1f}%)'
    changes = [100 * (one / other - 1) for one, other in zip(own, free)]
    return f'{middle:.1f} ({statistics.median(changes):+.1f}% ±{spread(changes):.1f})'


def table(found):
    yield '| MPI | task | ' + ' | '.join(WAYS.values()) + ' |'
    yield '|---|---|' + '---:|' * len(WAYS)
    for mpi, times in found.items():
        for task, name in enumerate(TASKS):
            yield f'| {NAMES[mpi]} | {name} | ' + ' | '.join(cell(times, task, way) for way in WAYS) + ' |'


def machine():
    model = re.search(r'^model name\s*:\s*(.*)$', Path('/proc/cpuinfo').read_text(encoding='utf-8'), re.MULTILINE)
    return f'{len(os.sched_getaffinity(0))} processors ({model[1] if model else "?"})'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--turns', type=int)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--under', type=shlex.split, default=[], metavar='COMMAND')
    parser.add_argument('--callpath', action='store_true')
    parser.add_argument('page', type=Path)
    arguments = parser.parse_args()
    turns = max(arguments.turns or (3 if arguments.quick else 20), 2)
    packets = QUICK if arguments.quick else PACKETS
    options = ['--callpath'] if arguments.callpath else []
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for mpi in NAMES:
            if shutil.which(f'mpirun.{mpi}') and (EXAMPLES / f'pi-{mpi}').exists():
                found[mpi] = measure(mpi, arguments.under, packets, turns, options, folder)
    if not found:
        print('table1.py: there is no MPI here: the table stays as it is', file=sys.stderr)
        return
    load = os.getloadavg()[0]
    under = f', ranks under `{" ".join(arguments.under)}`' if arguments.under else ''
    text = '\n'.join(table(found)) + (
        f'\n\nms; medians of {turns} turns, per cent against the same turn, ± half of the way between their quartiles; '
        f'{machine()}, load {load:.1f}{under}.')
    page = arguments.page.read_text(encoding='utf-8')
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    arguments.page.write_text(f'{before}{BEGIN}\n{text}\n{END}{after}', encoding='utf-8')
    print(text)


if __name__ == '__main__':
    main()
