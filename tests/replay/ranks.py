#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs that are run again: ranks get the messages that they got, and ask in vain as often as they did."""
import os
import shutil
import signal
import subprocess
import time

from cli import LIGHTCONE, PATIENCE, child_of, contains, equal, is_alive, lightcone, main, program, record, test
from mpi_ranks import MPIS, RANKS, ask, ranks, record_pi, record_ranks, replay


def again(*options, **others):
    shutil.rmtree('new.trace', ignore_errors=True)
    return replay('--output=new.trace', '--record-option=--no-calibrate', *options, **others)


def events_of(trace):
    """What ranks did of MPI, with the flags of blind receives."""
    rows = ask('select e.process, e.operation, o.name, o.class, e.sequence, e.value, e.bytes, e.peer, '
               "e.flags like '%blind%' from event e left join object o on o.id = e.object "
               "where o.class in ('channel', 'collective', 'barrier') or o.id is null "
               'order by e.process, e.ordinal', trace)
    assert rows, f'{trace} has no events of MPI'
    return rows


def times_of(trace, timeline):
    return ask('select e.process, e.operation, e.begin, e.end, e.waited from event e join object o on o.id = e.object '
               f"where e.timeline = '{timeline}' and o.class in ('channel', 'barrier') order by e.process, e.ordinal",
               trace)


@test
def each_rank_gets_the_messages_and_the_outcomes_that_it_got():
    for mpi in MPIS:
        recorded = record_ranks(mpi, 'all')
        result = replay('--times=2')
        equal((mpi, result.returncode, result.stderr if result.returncode else ''), (mpi, 0, ''), 'a replay')
        contains(result.stderr, '2 of 2 runs came to the end')
        equal((mpi, result.stdout), (mpi, recorded.stdout * 2), 'what it prints')
        result = again()
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded.stdout), f'recorded again: {result.stderr}')
        contains(result.stderr, 'new.trace: has the same ')
        assert events_of('new.trace') == events_of('out.trace'), f'the events of {mpi} are others'


@test
def windows_that_are_opened_to_some_are_used_as_they_were():
    """MPI_Win_test is in vain as often as it was."""
    for mpi in MPIS:
        recorded = record_ranks(mpi, 'windows')
        result = replay('--times=3')
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded.stdout * 3), f'a replay: {result.stderr}')
        result = again()
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded.stdout), f'recorded again: {result.stderr}')
        contains(result.stderr, 'new.trace: has the same ')
        assert events_of('new.trace') == events_of('out.trace'), f'the events of {mpi} are others'


@test
def bare_runs_print_something_else():
    for mpi in MPIS:
        printed = {record_ranks(mpi, 'wait-some').stdout}
        deadline = time.monotonic() + PATIENCE
        while len(printed) == 1 and time.monotonic() < deadline:
            printed.add(subprocess.run(ranks(mpi, 'wait-some'), capture_output=True, text=True, timeout=PATIENCE,
                                       check=True).stdout)
        assert len(printed) > 1, 'the order never matters'


@test
def the_master_of_pi_hears_of_its_workers_in_the_recorded_order():
    order = "select o.name, e.sequence from event e join object o on o.id = e.object " \
            "where e.operation = 'recv' and e.process = 0 order by e.ordinal"
    for mpi in MPIS:
        recorded = record_pi(mpi)
        result = replay()
        equal((result.returncode, result.stdout), (0, recorded.stdout), f'a replay, which says {result.stderr}')
        contains(result.stderr, f'{RANKS} ranks came to the end of their histories: ')
        assert lightcone('sql', '--csv', 'out.trace', order).stdout.count('\n') > 30, 'blind receives'


@test
def another_operation_is_told_with_the_rank():
    for mpi in MPIS:
        record_ranks(mpi, 'differing')
        for differ, parts in (
                ('tag', ('rank 1 #1: it came to another object', 'recorded: send 1>0:7 #0 in differing() ',
                         'came:     send 1>0:8\n', 'before:   barrier world #0 in differing() ')),
                ('source', ('rank 0 #1: it came to another object', 'recorded: recv 1>0:7 #0', 'came:     recv ')),
                ('operation', ('rank 1 #1: another operation came', 'came:     broadcast-root self/r1')),
                ('more', ('rank 1 #', ': nothing more was recorded', 'came:     barrier self/r1'))):
            result = replay('-q', differ=differ)
            equal((mpi, differ, result.returncode), (mpi, differ, 1), f'the status, with {result.stderr}')
            for part in parts:
                contains(result.stderr, part)


@test
def a_program_goes_on_free_if_it_may():
    for mpi in MPIS:
        record_ranks(mpi, 'differing')
        result = replay('--continue', differ='tag')
        equal((mpi, result.returncode, result.stdout), (mpi, 1, 'differing:end\n'), f'with {result.stderr}')
        contains(result.stderr, 'it came to another object')


@test
def a_rank_that_leaves_early_is_told():
    for mpi in MPIS:
        record_ranks(mpi, 'differing')
        result = replay('--times=1', differ='end')
        equal((mpi, result.returncode), (mpi, 1), 'the status')
        contains(result.stderr, 'the program ended before the end of what was recorded')
        contains(result.stderr, 'rank 1 #2: next would be barrier world #1 in differing() replay-ranks.c:')


@test
def all_come_to_where_they_were_when_one_aborts():
    for mpi in MPIS:
        record_ranks(mpi, 'aborting', 3)
        result = replay('--times=1')
        equal((mpi, result.returncode), (mpi, 0), f'the status, with {result.stderr}')
        contains(result.stderr, 'the program ended with exit status 3 again')
        contains(replay('--times=2').stderr, '2 of 2 runs ended with exit status 3, as the recorded run did')


@test
def a_launcher_that_takes_its_time_to_end_after_an_abort_is_waited_for():
    mpi = MPIS[0]
    script = ' '.join(ranks(mpi, 'aborting')) + '; status=$?; sleep 4; exit $status'
    equal(record('sh', '-c', script, timeout=2 * PATIENCE).returncode, 3, 'recording')
    result = replay()
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    contains(result.stderr, 'the program ended with exit status 3 again')


@test
def a_history_that_was_cut_short_is_followed_to_its_end():
    for mpi in MPIS:
        recorded = record_ranks(mpi, 'waiting', None)
        assert recorded.returncode != 0, 'rank 0 was killed'
        result = replay(differ='patience')
        equal((mpi, result.returncode), (mpi, 0), f'the status, with {result.stderr}')
        contains(result.stderr, 'the recording was cut short there, and the program was ended')
    result = again(differ='patience')
    equal(result.returncode, 0, f'the status of a recorded replay, with {result.stderr}')
    contains(result.stderr, 'new.trace: has the same 4 events, one by one')


@test
def a_recorded_replay_has_the_stacks_of_all_events():
    started = "select count(*) from stack s join site t on t.id = s.site where t.function = '_start'"
    for mpi in MPIS:
        recorded = record_pi(mpi, '--stacks=none')
        result = again('--old-times')
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded.stdout), f'it says {result.stderr}')
        contains(result.stderr, 'new.trace: has the same ')
        assert events_of('new.trace') == events_of('out.trace'), f'the events of {mpi} are others'
        equal((ask(started), ask(started, 'new.trace')), ([['0']], [['1']]), 'how many stacks begin where programs do')
        contains(lightcone('compare', 'out.trace', 'new.trace').stdout, '0 in the first only, 0 in the second only')
        contains(result.stderr, 'its timeline “recorded” has the times of the recorded run')
        equal(times_of('new.trace', 'recorded'), times_of('out.trace', 'measured'), 'the times')
        result = lightcone('replay', '--no-environment', 'new.trace')
        equal((result.returncode, result.stdout), (0, recorded.stdout), f'its replay, which says {result.stderr}')


@test
def where_a_recorded_replay_is_another_one_is_told():
    record_ranks(MPIS[0], 'differing')
    result = again('--record-option=--events=-channel')
    equal(result.returncode, 1, 'the status without messages')
    contains(result.stderr, 'new.trace: is not as the recorded one: ')
    contains(result.stderr, '; in the replay: rank ')
    result = again(differ='tag')
    equal(result.returncode, 1, 'the status of another tag')
    contains(result.stderr, 'rank 1 #1: it came to another object')


@test
def what_cannot_be_kept_is_refused():
    mpi = MPIS[0]
    record_ranks(mpi, 'differing')
    for option in ('--times=2', '--until=0:1', '--continue', '--kill'):
        result = again(option)
        equal((option, result.returncode), (option, 2), 'the status of another recording')
        contains(result.stderr, 'replay: --output records one run to its end, without --times, a stop, --continue and ')
    result = again('--flip=0:0,1:0')
    equal(result.returncode, 2, 'the status of another order of what are no messages')
    contains(result.stderr, 'of an MPI program only messages can be turned round')
    (last,), = ask('select max(ordinal) from event where process = 1')
    for stop, part in ((f'--until=1:{last}', f'no call of MPI of a rank comes at or after 1:{last}'),
                       ('--until=0:999', 'not 999'), ('--until-time=1000s', 'nothing comes after that in the trace')):
        result = replay(stop)
        equal(result.returncode, 2, f'the status of {stop}')
        contains(result.stderr, part)
    result = lightcone('replay', 'out.trace', '--', program('replay-ranks-' + mpi), 'nothing')
    equal(result.returncode, 1, 'the status of another number of ranks')
    contains(result.stderr, 'the program ended before the end of what was recorded')


@test
def nothing_is_left_of_a_replay_that_is_interrupted():
    mpi = MPIS[0]
    record_ranks(mpi, 'waiting', None)
    running = subprocess.Popen([LIGHTCONE, 'replay', '-q', '--no-environment', 'out.trace'], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, 'DIFFER': 'patience'})
    launcher = child_of(running.pid)
    running.send_signal(signal.SIGTERM)
    equal(running.wait(PATIENCE), -signal.SIGTERM, 'the status')
    equal(is_alive(launcher), False, 'whether the launcher is there')


main()
