#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks with threads that are run again: threads have their turns, and ranks the messages that they got."""
import os
import re
import shutil
import subprocess
import time

from cli import PATIENCE, Skip, contains, equal, main, program, record, test
from mpi_ranks import MPIS, ask, replay

RANKS = 3
TIMES = 20 if os.environ.get('LIGHTCONE_THOROUGH') else 6
FUNNELED = ['threads'] + (['openmp'] if os.environ['LIGHTCONE_TEST_OPENMP'] == 'yes' else [])
KINDS = FUNNELED + ['serialized', 'multiple', 'mixture']


def hybrid(mpi, kind):
    return ['mpirun.' + mpi, '-n', str(RANKS), program('replay-hybrid-' + mpi), kind]


def record_hybrid(mpi, kind):
    recorded = record(*hybrid(mpi, kind), options=('--lossless',), timeout=2 * PATIENCE)
    equal(recorded.returncode, 0, f'recording {kind} with {mpi}, which says {recorded.stderr}')
    return recorded


def replay_many(kind):
    for mpi in MPIS:
        recorded = record_hybrid(mpi, kind)
        result = replay(f'--times={TIMES}')
        equal((mpi, kind, result.returncode), (mpi, kind, 0), f'replays, which say {result.stderr}')
        contains(result.stderr, f'{TIMES} of {TIMES} runs came to the end')
        equal((mpi, kind, result.stdout), (mpi, kind, recorded.stdout * TIMES), 'what they print')


@test
def threads_of_ranks_do_what_they_did_between_the_messages_that_came():
    """What is printed depends on who gets a lock of each rank next, and on who sends next."""
    for kind in FUNNELED:
        replay_many(kind)


@test
def threads_that_call_mpi_one_at_a_time_get_the_messages_that_they_got():
    replay_many('serialized')


@test
def threads_that_call_mpi_at_once_get_the_messages_that_they_got():
    """All receive from anybody with the same tag, and all send to the same rank."""
    replay_many('multiple')


@test
def threads_that_call_all_of_mpi_at_once_do_what_they_did():
    replay_many('mixture')


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
def a_thread_that_calls_something_else_of_mpi_is_told_among_others_that_call_it():
    for mpi in MPIS:
        record_hybrid(mpi, 'multiple')
        result = replay('-q', differ='tag')
        equal((mpi, result.returncode), (mpi, 1), f'the status, with {result.stderr}')
        for part in ('rank 1 rush_into_mpi 2 #', ': it came to another object', 'recorded: send 1>0:0 #',
                     'came:     send 1>0:1'):
            contains(result.stderr, part)


OF_MPI = "object in (select id from object where class in ('channel', 'collective'))"


def choose_stops(n):
    """Calls in the middle of what threads do with MPI, each of another one."""
    rows = ask('select process, ordinal, n from (select process, ordinal, row_number() over (partition by process '
               'order by ordinal) k, count(*) over (partition by process) n from event where operation in '
               f"('send', 'recv')) where k = n / 2 + 1 order by n desc, process limit {n}")
    return [(int(row[0]), int(row[1])) for row in rows]


def past_of(process, ordinal):
    """How many events of each process are in the past of an event, by the arcs."""
    arcs, processes = {}, int(ask('select count(*) from process')[0][0])
    for row in ask('select to_process, to_ordinal, from_process, from_ordinal from arc'):
        arcs.setdefault((int(row[0]), int(row[1])), []).append((int(row[2]), int(row[3])))
    past, todo = [0] * processes, [(process, ordinal - 1)]
    while todo:
        follower, last = todo.pop()
        for event in range(past[follower], last + 1):
            todo += arcs.get((follower, event), [])
        past[follower] = max(past[follower], last + 1)
    return past


@test
def threads_of_a_rank_that_call_mpi_stop_each_at_its_place():
    """Each has done of MPI what is in the past of the stop, and the one that is to stop has not done its call. Of the
    mixture, only the begin of some collective operations is in the past."""
    for mpi in MPIS:
        for kind in ('serialized', 'multiple', 'mixture'):
            record_hybrid(mpi, kind)
            names = [row[0] for row in ask('select name from process order by id')]
            for process, ordinal in choose_stops(3):
                result = replay(f'--until={process}:{ordinal}')
                equal((mpi, kind, process, result.returncode), (mpi, kind, process, 0), f'a stop: {result.stderr}')
                last = dict(re.findall(r':   (rank .*) #(\d+) (?:was the last|is not over yet): ', result.stderr))
                past = past_of(process, ordinal)
                past[process] = ordinal
                for number, name in enumerate(names):
                    calls = [int(row[0]) for row in ask(
                        f'select ordinal from event where process = {number} and ordinal < {past[number]} '
                        f'and {OF_MPI} order by ordinal')]
                    there = int(last.get(name, -1))
                    if calls and kind != 'mixture':
                        assert there >= calls[-1], f'{name} has done #{calls[-1]}: {result.stderr}'
                    assert number != process or there < ordinal, f'{name} has not done #{ordinal}: {result.stderr}'


@test
def a_stop_at_what_is_no_call_of_mpi_is_one_at_the_next():
    """What the thread needs to come so far is its past, too: others that had the lock before it."""
    mpi = MPIS[0]
    record_hybrid(mpi, 'serialized')
    names = [row[0] for row in ask('select name from process order by id')]
    process = names.index('rank 1 take_turns_in_mpi 2')
    calls = ask(f'select min(ordinal), max(ordinal) from event where process = {process} and {OF_MPI}')[0]
    barrier, = ask(f"select ordinal from event where process = {process} and operation = 'barrier'")[0]
    first, there = (replay(f'--until={process}:{number}') for number in (barrier, calls[0]))
    equal((first.returncode, there.returncode), (0, 0), f'the stops: {first.stderr}{there.stderr}')
    places = [sorted(re.findall(r':   (rank .*) #(\d+) was the last: ', result.stderr)) for result in (first, there)]
    equal(places[0], places[1], 'where all are')
    assert names[process] not in dict(places[0]), f'it has done nothing: {first.stderr}'


@test
def a_rank_stops_at_a_call_while_its_threads_go_on_as_far_as_they_can():
    for mpi in MPIS:
        record_hybrid(mpi, 'threads')
        receives = "select e.ordinal from event e where e.process = 0 and e.operation = 'recv' order by e.ordinal"
        number = ask(receives)[9][0]
        result = replay(f'--until=0:{number}')
        equal((mpi, result.returncode), (mpi, 0), f'the status, with {result.stderr}')
        contains(result.stderr, 'rank 0 #')
        contains(result.stderr, 'was the last: ')


@test
def all_threads_come_to_where_they_were_when_one_aborts():
    """Open MPI's launcher hangs or crashes now and then when a thread has aborted, also if nobody looks on."""
    mpi = 'mpich'
    if mpi not in MPIS:
        raise Skip('MPICH is not here')
    equal(record(*hybrid(mpi, 'aborting'), options=('--lossless',), timeout=2 * PATIENCE).returncode, 3, 'recording')
    result = replay('--times=5')
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    contains(result.stderr, '5 of 5 runs came to the end')
    contains(result.stderr, '5 of 5 runs ended with exit status 3, as the recorded run did')


@test
def threads_of_two_worlds_are_free_and_that_is_said_before():
    """Their launchers tell them the same numbers."""
    mpi = MPIS[0]
    for kind, status, said in (('threads', 0, ' events have no turns, for their order cannot be kept ('),
                               ('serialized', 2, 'cannot be replayed: several threads of rank 0 used MPI')):
        command = ' '.join(hybrid(mpi, kind))
        equal(record('sh', '-c', f'{command}; {command}', options=('--lossless',), timeout=2 * PATIENCE).returncode, 0,
              'recording')
        result = replay()
        equal((kind, result.returncode), (kind, status), f'the status, with {result.stderr}')
        contains(result.stderr, said)


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
