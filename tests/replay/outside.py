#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks of MPI get again what they got from outside, if it was kept with --inputs."""
import os
import shutil
import struct
import subprocess
from pathlib import Path

from cli import PATIENCE, contains, equal, lightcone, main, program, test
from mpi_ranks import MPIS, RANKS, command, replay

LINES = 'first line\nsecond\n'
TIMES = 20 if os.environ.get('LIGHTCONE_THOROUGH') else 3
KINDS = 'plain', 'threads'
HEADER, RECORD_BYTES, BYTES = 32, 40, 12  # see docs/format.md
NAMES = {1: 'clock_gettime', 2: 'time', 4: 'getrandom', 7: 'getpid', 10: 'MPI_Wtime', 16: 'read', 48: 'stdin',
         49: 'inherited'}
ROUND = ['clock_gettime', 'time', 'getrandom', 'MPI_Wtime', 'MPI_Wtime']
ROUNDS = 5


def outside(mpi, kind):
    return command(mpi, program('replay-outside-' + mpi), kind)


def keep(mpi, kind, *options):
    result = lightcone('record', '-q', '--no-calibrate', '--replace', '--inputs', *options, '-o', 'out.trace', '--',
                       *outside(mpi, kind), input=LINES, timeout=2 * PATIENCE)
    equal((mpi, kind, result.returncode), (mpi, kind, 0), f'recording, which says {result.stderr}')
    return result.stdout


def list_inputs(path):
    """The names of the calls whose results were kept of a process."""
    kept, at, names = path.read_bytes(), HEADER, []
    while at < len(kept):
        call, = struct.unpack_from('<H', kept, at)
        names.append(NAMES.get(call, call))
        at += RECORD_BYTES + -(-struct.unpack_from('<I', kept, at + BYTES)[0] // 8) * 8
    return names


@test
def each_rank_gets_what_it_got():
    """Also what the launcher gave it on standard input; nothing is there to be read in a replay."""
    for mpi in MPIS:
        for kind in KINDS:
            recorded = keep(mpi, kind)
            contains(recorded, ' <first line> <second> ')
            result = replay(f'--times={TIMES}', stdin=subprocess.DEVNULL)
            equal((mpi, kind, result.returncode, result.stdout), (mpi, kind, 0, recorded * TIMES),
                  f'replays, which say {result.stderr}')
            contains(result.stderr, f'{TIMES} of {TIMES} runs came to the end')
            equal(keep(mpi, kind) == recorded, False, f'whether {kind} with {mpi} always prints the same')


@test
def nothing_is_kept_that_mpi_asks_for_itself():
    asked = ['inherited', 'stdin', 'clock_gettime', 'getpid', *ROUNDS * ROUND]
    for mpi in MPIS:
        keep(mpi, 'plain')
        *others, first = sorted((list_inputs(path) for path in Path('out.trace').glob('inputs-*')), key=len)
        equal((mpi, others), (mpi, [[*asked, 'getrandom']] * (RANKS - 1)), 'what is kept of ranks')
        equal((mpi, [name for name in first if name != 'read']), (mpi, [*asked, 'clock_gettime', 'getrandom']),
              'what is kept of rank 0')


@test
def a_rank_that_asks_for_something_else_is_told():
    expected = {
        'random': ['rank 1: its input 7 is another one', 'recorded: getrandom, 4', 'came:     getrandom, 8'],
        'call': ['rank 1: its input 10 is another one', 'recorded: clock_gettime (0)', 'came:     getpid'],
        'more': ['rank 1: its input 30 is another one', 'recorded: getrandom, 4', 'came:     MPI_Wtime'],
        'less': ['the program ended before the end of what was recorded',
                 'rank 1 did not ask for 1 input that was recorded: getrandom, 4'],
        'last': ['rank 1: its input 31 is another one', 'recorded: nothing', 'came:     getrandom, 4']}
    for mpi in MPIS:
        keep(mpi, 'plain')
        for differ, parts in expected.items():
            result = replay('-q', differ=differ, stdin=subprocess.DEVNULL)
            equal((mpi, differ, result.returncode), (mpi, differ, 1), f'the status, with {result.stderr}')
            for part in parts:
                contains(result.stderr, part)


@test
def a_thread_of_a_rank_that_asks_for_something_else_is_told_with_both():
    for mpi in MPIS:
        keep(mpi, 'threads')
        result = replay('-q', differ='thread', stdin=subprocess.DEVNULL)
        equal((mpi, result.returncode), (mpi, 1), f'the status, with {result.stderr}')
        for part in 'rank 1 work 2: its input 6 is another one', 'recorded: clock_gettime (0)', 'came:     getpid':
            contains(result.stderr, part)


@test
def a_replay_is_recorded_with_what_the_ranks_got():
    for mpi in MPIS:
        recorded = keep(mpi, 'threads')
        shutil.rmtree('new.trace', ignore_errors=True)
        result = replay('--output=new.trace', '--record-option=--no-calibrate', stdin=subprocess.DEVNULL)
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded), f'recorded again: {result.stderr}')
        contains(result.stderr, 'new.trace: has the same ')


@test
def older_traces_of_ranks_are_replayed_without_inputs():
    """They have what MPI had asked for among what the program had."""
    mpi = MPIS[0]
    recorded = keep(mpi, 'plain')
    settings = Path('out.trace/trace.ini')
    settings.write_text(settings.read_text(encoding='utf-8').replace('inputs-of-ranks=true\n', ''), encoding='utf-8')
    result = replay(input=LINES)
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    equal(result.stdout == recorded, False, 'whether it prints the same')
    contains(result.stderr, 'the inputs of its ranks were kept by an older version, and are not given back')


@test
def ranks_of_two_worlds_are_given_nothing_and_that_is_said_before():
    """Their launchers tell them the same numbers."""
    mpi = MPIS[0]
    one = ' '.join(outside(mpi, 'plain'))
    result = lightcone('record', '-q', '--no-calibrate', '--replace', '--inputs', '-o', 'out.trace', '--',
                       'sh', '-c', f'{one} </dev/null; {one} </dev/null', timeout=2 * PATIENCE)
    equal(result.returncode, 0, f'recording, which says {result.stderr}')
    contains(replay(stdin=subprocess.DEVNULL).stderr, 'what came from outside is not given back to ranks of several')


if __name__ == '__main__':
    main()
