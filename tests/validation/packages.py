# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian packages, which nobody here wrote: bare and recorded by turns, by lightcone validate."""
import json
import os
import shutil
import subprocess
import sys

from report import number, ratio, table

PATIENCE = 900

# Of each a name, a command, and whether it reads the data from its standard input.
PROGRAMS = [
    ('pigz -p 2', ['pigz', '-p', '2', '-c', '{data}']),
    ('pigz -p 4', ['pigz', '-p', '4', '-c', '{data}']),
    ('pbzip2 -p2', ['pbzip2', '-p2', '-c', '{data}']),
    ('lbzip2 -n 2', ['lbzip2', '-n', '2', '-c', '{data}']),
    ('zstd -T2', ['zstd', '-T2', '-q', '-c', '{data}']),
    ('zstd -T4', ['zstd', '-T4', '-q', '-c', '{data}']),
    ('xz -T2', ['xz', '-1', '-T2', '--block-size=512KiB', '-c', '{data}']),
    ('plzip -n 2', ['plzip', '-1', '-n', '2', '-c', '{data}']),
    ('x264, 2 threads', ['x264', '--threads', '2', '--preset', 'superfast', '--quiet', '--input-res', '352x288',
                         '--fps', '25', '-o', '/dev/null', '{film}']),
    ('x265, a pool of 2', ['x265', '--input', '{film}', '--input-res', '352x288', '--fps', '25', '--pools', '2',
                           '--preset', 'superfast', '--log-level', 'none', '-o', '/dev/null']),
    ('stockfish, 2 threads', ['/usr/games/stockfish', 'bench', '16', '2', '8']),
    ('sysbench mutex, 2 threads', ['sysbench', 'mutex', '--threads=2', '--mutex-locks=20000', 'run']),
]


def make_data(path):
    """Something to compress: neither noise nor all the same, and the same in each run."""
    state, words = 12345, []
    for _ in range(4096):
        state = (state * 1103515245 + 12345) % (1 << 31)
        words.append(b'%d-%x ' % (state % 9973, state))
    with open(path, 'wb') as file:
        for i in range(600):
            file.write(b''.join(words[(i * 7 + j * j) % 4096] for j in range(2000)))


def make_film(path):
    """A pattern that moves."""
    frame = bytes((x * y >> 4) & 255 for y in range(288) for x in range(352))
    with open(path, 'wb') as file:
        for i in range(30):
            file.write(frame[i * 352:] + frame[:i * 352] + bytes([128]) * (352 * 288 // 2))


def validate(command, runs):
    result = subprocess.run([os.environ['LIGHTCONE'], 'validate', '--json', '--runs', str(runs), '--', *command],
                            capture_output=True, text=True, timeout=PATIENCE)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())
    return json.loads(result.stdout)


def with_interval(row):
    return f'{ratio(row["ratio"])} ({ratio(row["low"])} - {ratio(row["high"])})'


def row_of(name, found):
    runs = {row['run']: row for row in found['run']}
    lines = {row['timeline']: row for row in found['timeline']}
    return [name, number(lines['reference']['time'] / 1e6), f'{found["events"]:,}', ratio(runs['reference']['ratio']),
            *(with_interval(lines[timeline]) for timeline in ('measured', 'event', 'liberal')),
            f'{found["undisturbed"]} of {found["rounds"]}']


def section(folder, runs):
    """The table, and what could not be tried."""
    files = {'data': os.path.join(folder, 'data'), 'film': os.path.join(folder, 'film.yuv')}
    make_data(files['data'])
    make_film(files['film'])
    rows, missing = [], []
    for name, command in PROGRAMS:
        print(name, file=sys.stderr, flush=True)
        if shutil.which(command[0]) is None:
            missing.append(command[0])
            continue
        try:
            rows.append(row_of(name, validate([word.format(**files) for word in command], runs)))
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            missing.append(f'{name} ({problem})')
    head = ['', 'reference, ms', 'events', 'reference/bare', 'measured/reference', 'event', 'liberal', 'rounds']
    text = table(head, rows)
    return text + (f'\n\nNot tried: {", ".join(missing)}.' if missing else '')
