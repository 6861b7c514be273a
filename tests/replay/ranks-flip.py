#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages from any sender turned round: a rank does what it does when the other sender comes first."""
import json
import os
import shutil

from cli import PATIENCE, contains, equal, lightcone, main, program, record, test
from mpi_ranks import MPIS, ask, command, record_pi

OTHERWISE = 'the program ended otherwise: exit 3, recorded: exit 0'


def record_senders(mpi, *arguments, trace='out.trace'):
    shutil.rmtree(trace, ignore_errors=True)
    recorded = record(*command(mpi, program('replay-senders-' + mpi), *arguments), output=trace, timeout=2 * PATIENCE)
    equal((mpi, recorded.returncode, recorded.stderr if recorded.returncode else ''), (mpi, 0, ''), 'recording')
    return recorded


def flip(events, *options, trace='out.trace'):
    return lightcone('replay', '--no-environment', '-q', trace, '--flip', events, *options, timeout=3 * PATIENCE)


def races(trace='out.trace'):
    return json.loads(lightcone('races', trace, '--json').stdout)


def pair(which=''):
    """The events of the first race: the two that receive, or ("_from") that send."""
    race = races()['race'][0]
    return ','.join(f'{race[event + which + "_process"]}:{race[event + which + "_ordinal"]}'
                    for event in ('first', 'second'))


def events_that(operations):
    return [f'{process}:{ordinal}' for process, ordinal in
            ask(f'select process, ordinal from event where operation in ({operations}) order by process, ordinal')]


@test
def the_other_sender_comes_first():
    for mpi in MPIS:
        recorded = record_senders(mpi, 'receive')
        contains(recorded.stdout, '1 came first')
        equal([race['kind'] for race in races()['race']], ['message'], 'what is a race')
        for events, then in ((pair(), 'free'), (pair('_from'), 'recorded-where-possible'),
                             (pair().split(',')[1], 'recorded-where-possible')):
            result = flip(events, '--then', then)
            contains(result.stdout, '2 came first\nthe output differs from line 1 on; as recorded: 1 came first')
            contains(result.stdout, OTHERWISE)
            equal((mpi, result.returncode), (mpi, 1), f'the status, with {result.stderr}')
        result = lightcone('races', 'out.trace', '--flip', '1')
        contains(result.stdout, '2 came first')
        contains(result.stdout, f'turned round, then free; {OTHERWISE}')


@test
def all_kinds_of_receives_are_turned_round():
    for mpi in MPIS:
        for kind, operation in ('posted', 'complete'), ('tag', 'recv'), ('probe', 'probe'), ('iprobe', 'probe'):
            record_senders(mpi, kind)
            race, = races()['race']
            equal((mpi, kind, race['kind'], race['first_operation'], race['second_operation']),
                  (mpi, kind, 'message', operation, operation), 'what the race is')
            result = flip(pair())
            contains(result.stdout, '2 came first\n')
            contains(result.stdout, OTHERWISE)


@test
def the_run_turned_round_is_recorded():
    query = "select e.peer from event e where e.process = 0 and e.operation = 'recv' order by e.ordinal"
    for mpi in MPIS:
        record_senders(mpi, 'receive')
        equal(ask(query), [['1'], ['2']], 'who sent as recorded')
        for then in ('free', 'recorded-where-possible'):
            shutil.rmtree('new.trace', ignore_errors=True)
            result = flip(pair(), '--then', then, '--output=new.trace', '--record-option=--no-calibrate')
            contains(result.stdout, '2 came first\n')
            contains(result.stdout, f'the run is recorded in {os.path.realpath("new.trace")}\n')
            equal((mpi, then, ask(query, 'new.trace')), (mpi, then, [['2'], ['1']]), 'who sent')


@test
def what_needs_the_first_message_is_infeasible():
    for mpi in MPIS:
        record_senders(mpi, 'after')
        receives = [event for event in events_that('"recv"') if event.startswith('0:')]
        sent = events_that('"send"')
        result = flip(','.join(receives))
        contains(result.stdout, f'infeasible: the second message is sent by {sent[-1]} (')
        contains(result.stdout, '), after 2:')
        contains(result.stdout, ', which needs the first to be received\n')
        equal((mpi, result.returncode, result.stderr), (mpi, 1, ''), 'the status')


@test
def a_message_that_never_comes_is_told_with_its_sender():
    mpi = MPIS[-1]
    record_senders(mpi, 'outside', os.path.abspath('came'))
    receives = [event for event in events_that('"recv"') if event.startswith('0:')]
    result = flip(','.join(receives))
    equal(result.returncode, 1, f'the status, with {result.stderr}')
    contains(result.stdout, 'not turned round: nobody went on, and the second message had not come')
    contains(result.stdout, f'which {events_that(chr(34) + "send" + chr(34))[-1]} (')


@test
def ranks_that_wait_for_each_other_then_have_hung():
    mpi = MPIS[0]
    record_senders(mpi, 'hang')
    result = flip(pair())
    contains(result.stdout, 'turned round, then free; the program hung, for 10 s nothing happened, and it ')
    equal(result.returncode, 1, f'the status, with {result.stderr}')


@test
def what_mpi_keeps_in_order_is_infeasible():
    """Rank 1 sends twice, and then rank 2 does."""
    mpi = MPIS[0]
    record_senders(mpi, 'twice')
    one, two, three, four = (event for event in events_that('"recv"') if event.startswith('0:'))
    kept = 'infeasible: both messages are of one sender, and MPI keeps them in order\n'
    for events, reason in ((f'{one},{two}', kept), (two, kept),
                           (f'{one},{four}', f'infeasible: MPI gives the message of {three} (rank 0) before, for the '),
                           (f'{three},{one}', 'infeasible: the first message did not come before the second\n')):
        result = flip(events)
        contains(result.stdout, reason)
        equal((events, result.returncode, result.stderr), (events, 1, ''), 'the status')
    for events, first in ((f'{one},{three}', 2), (f'{two},{three}', 1)):
        for then in ('free', 'recorded-where-possible'):
            contains(flip(events, '--then', then).stdout, f'{first} came first\n')


@test
def another_worker_of_pi_is_first_and_pi_is_the_same():
    for mpi in MPIS:
        recorded = record_pi(mpi)
        result = flip(pair(), '--then', 'recorded-where-possible')
        contains(result.stdout, recorded.stdout + 'the output is as recorded\n')
        contains(result.stdout, 'then it did something else than recorded, and was free:\n')
        equal((mpi, result.returncode), (mpi, 0), f'the status, with {result.stderr}')


@test
def what_are_no_messages_is_refused():
    mpi = MPIS[0]
    record_senders(mpi, 'receive')
    barrier, = [event for event in events_that('"barrier"') if event.startswith('0:')]
    receives = [event for event in events_that('"recv"') if event.startswith('0:')]
    for events, part in ((f'{barrier},{receives[1]}', f'--flip of {barrier} (rank 0): of an MPI program only mess'),
                         (receives[0], 'no receive from any sender, for the same tag, comes before it'),
                         ('0:999', 'not 999')):
        result = flip(events)
        equal((events, result.returncode, result.stdout), (events, 2, ''), 'the status')
        contains(result.stderr, part)


main(at_once=2)
