#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many of twenty mistakes a search finds, and how often they come again by its schedule: seeded.py PROGRAM."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIGHTCONE = os.environ['LIGHTCONE']
PROGRAMS = (
    'two-locks', 'three-locks', 'lock-and-crew', 'two-semaphores', 'lost-wake-up', 'wrong-waiter', 'missed-signal',
    'wrong-barrier-count', 'use-before-init', 'use-after-free', 'double-checked-init', 'sleeps-for-order',
    'if-for-while', 'reference-too-late', 'lost-update', 'check-then-act', 'torn-pair', 'aba', 'read-before-lock',
    'two-switches')
HEAD = '| program | fails by itself | found in run | fails by | orders | comes again |\n|---|---:|---:|---|---:|---:|\n'
HANGS = 2  # seconds after which a program that runs by itself hangs


def fails(command):
    try:
        return subprocess.run(command, capture_output=True, timeout=HANGS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def lightcone(*arguments):
    return subprocess.run([LIGHTCONE, *arguments], capture_output=True, text=True, check=False)


def measure(program, name, runs, times, folder):
    """A row of the table, and whether the mistake was found and always came again."""
    trace = os.path.join(folder, name)
    bare = sum(fails([program, name]) for _ in range(times))
    result = lightcone('record', '--search', str(runs), '-o', trace, '--', program, name)
    found = re.search(r'run (\d+) of \d+ failed', result.stderr)
    schedule = Path(f'{trace}.schedule')
    row = [name, f'{bare} of {times}', found[1] if found else '-', '-', '-', '-']
    again = None
    if schedule.exists():
        text = schedule.read_text(encoding='utf-8')
        replayed = lightcone('replay', str(schedule), '--times', str(times))
        again = re.search(r'(\d+) of (\d+) runs ended as', replayed.stderr)
        row[3:] = [re.search(r'^outcome (.*)$', text, re.M)[1], str(text.count('\norder ')),
                   f'{again[1]} of {again[2]}']
    return f'| {" | ".join(row)} |\n', again is not None and again[1] == again[2]


def put_into(path, table):
    """Replaces the page's table that has this head."""
    text = path.read_text(encoding='utf-8')
    before, _, rest = text.partition(HEAD)
    assert rest, f'{path}: there is no table to replace'
    while rest.startswith('|'):
        rest = rest.partition('\n')[2]
    path.write_text(before + table + rest, encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('--runs', type=int, default=500, help='of a search')
    parser.add_argument('--times', type=int, default=100, help='for how often it fails, by itself and by its schedule')
    parser.add_argument('--into', type=Path, help='the page whose table is to be replaced')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    table, good = HEAD, 0
    names = options.names or PROGRAMS
    sys.stdout.write(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            row, is_good = measure(options.program, name, options.runs, options.times, folder)
            sys.stdout.write(row)
            sys.stdout.flush()
            table += row
            good += is_good
    print(f'{good} of {len(names)} were found, and came again each time')
    if options.into:
        put_into(options.into, table)
    return 0 if good >= len(names) * 0.9 else 1


if __name__ == '__main__':
    sys.exit(main())
