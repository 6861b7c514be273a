#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks with threads of their own that are run again: threads have their turns, and ranks the messages that they got."""
import os
import shutil
import subprocess
import time

from cli import PATIENCE, contains, equal, main, program, record, test
from mpi_ranks import MPIS, ask, replay

RANKS = 3
TIMES = 20
KINDS = ['threads'] + (['openmp'] if os.environ['LIGHTCONE_TEST_OPENMP'] == 'yes' else [])


def hybrid(mpi, kind):
    return ['mpirun.' + mpi, '-n', str(RANKS), program('replay-hybrid-' + mpi), kind]


def record_hybrid(mpi, kind):
    recorded = record(*hybrid(mpi, kind), options=('--lossless',), timeout=2 * PATIENCE)
    equal(recorded.returncode, 0, f'recording {kind} with {mpi}, which says {recorded.stderr}')
    return recorded


@test
def threads_of_ranks_do_what_they_did_between_the_messages_that_came():
    """What is printed depends on who gets a lock of each rank next, and on who sends next."""
    for mpi in MPIS:
        for kind in KINDS:
            recorded = record_hybrid(mpi, kind)
            result = replay(f'--times={TIMES}')
            equal((mpi, kind, result.returncode), (mpi, kind, 0), f'replays, which say {result.stderr}')
            contains(result.stderr, f'{TIMES} of {TIMES} runs came to the end')
            equal((mpi, kind, result.stdout), (mpi, kind, recorded.stdout * TIMES), 'what they print')


@test
def bare_runs_print_something_else():
    for mpi in MPIS:
        for kind in KINDS:
            printed = set()
            deadline = time.monotonic() + PATIENCE
            while len(printed) < 2 and time.monotonic() < deadline:
                printed.add(subprocess.run(hybrid(mpi, kind), capture_output=True, text=True, timeout=PATIENCE,
                                           check=True).stdout)
            assert len(printed) > 1, f'the order never matters to {kind} with {mpi}'


@test
def it_is_said_how_many_threads_had_turns():
    record_hybrid(MPIS[0], 'threads')
    result = replay()
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    contains(result.stderr, '3 ranks came to the end of their histories: ')
    contains(result.stderr, '12 threads of theirs had their turns: ')
    assert 'no turn' not in result.stderr, f'locks of MPI are none of the program: {result.stderr}'


@test
def a_thread_that_does_something_else_is_told_with_its_rank():
    for mpi in MPIS:
        record_hybrid(mpi, 'threads')
        for differ, parts in (
                ('object', ('rank 1 work 2 #', ': it came from another place in the code',
                            'recorded: lock mutex ', ' in note() ', 'came:     lock ', ' in work() ')),
                ('leave', ('rank 1 work 1 #', ': another operation came', 'came:     exit')),
                ('message', ('rank 1 #', ': another operation came', 'recorded: send 1>0:0 #1 in talk() ',
                             'came:     barrier self/r1'))):
            result = replay('-q', differ=differ)
            equal((mpi, differ, result.returncode), (mpi, differ, 1), f'the status, with {result.stderr}')
            for part in parts:
                contains(result.stderr, part)


@test
def threads_go_on_free_if_they_may():
    for mpi in MPIS:
        recorded = record_hybrid(mpi, 'threads')
        result = replay('--continue', differ='object')
        equal((mpi, result.returncode), (mpi, 1), f'the status, with {result.stderr}')
        equal(len(result.stdout.split()), len(recorded.stdout.split()), f'all comes to its end: {result.stdout}')


@test
def who_would_have_had_to_come_is_told_of_threads_and_ranks():
    """A thread waits for what has no turn, others of its rank for it, and other ranks for that one."""
    record_hybrid(MPIS[0], 'threads')
    result = replay('-q', differ='stay')
    equal(result.returncode, 1, f'the status, with {result.stderr}')
    for part in ('the replay has no way on', 'rank 1 work 3 waits elsewhere, for what has no turns',
                 'rank 1 work 1 #', ' waits for its turn: lock mutex ', ' would have had to come: unlock mutex ',
                 'rank 0 #', ': next would be '):
        contains(result.stderr, part)


@test
def threads_and_messages_are_recorded_again():
    for mpi in MPIS:
        for kind in KINDS:
            recorded = record_hybrid(mpi, kind)
            shutil.rmtree('new.trace', ignore_errors=True)
            result = replay('--output=new.trace', '--record-option=--no-calibrate', '--old-times')
            equal((mpi, kind, result.returncode, result.stdout), (mpi, kind, 0, recorded.stdout),
                  f'recorded again: {result.stderr}')
            contains(result.stderr, 'new.trace: has the same ')
            contains(result.stderr, 'its timeline “recorded” has the times of the recorded run')
            order = 'select o.class, e.operation, e.sequence from event e join object o on o.id = e.object ' \
                    "where o.class in ('mutex', 'team', 'task') and e.process = 0 order by e.ordinal"
            equal(ask(order, 'new.trace'), ask(order), f'what rank 0 did with {mpi}, {kind}')


if __name__ == '__main__':
    main()
