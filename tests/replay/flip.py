#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races turned round: the program does what it does when the other one comes first."""
import json
import os

from cli import contains, equal, lightcone, main, program, record, test


def races(trace):
    return json.loads(lightcone('races', trace, '--json').stdout)


@test
def the_other_one_comes_first():
    for name in ('lock', 'crew'):
        result = record(program('replay-flip'), name, output=name)
        contains(result.stdout, '1 came first')
        equal([race['kind'] for race in races(name)['race']], [name])
        result = lightcone('races', name, '--flip', '1')
        contains(result.stdout, '2 came first')
        contains(result.stdout, 'turned round, then free; the program ended otherwise: exit 3, recorded: exit 0')
        equal(result.returncode, 1, result.stderr)


def pair(trace):
    race = races(trace)['race'][0]
    return [f'{race[which + "_process"]}:{race[which + "_ordinal"]}' for which in ('first', 'second')]


@test
def two_events_are_turned_round():
    for name, orders in ('lock', ['free', 'recorded-where-possible']), ('crew', ['recorded-where-possible']):
        record(program('replay-flip'), name, output=name)
        for then in orders:
            result = lightcone('replay', name, '-q', '--flip', ','.join(pair(name)), '--then', then)
            contains(result.stdout, '2 came first\n')
            contains(result.stdout, 'the output differs from line 1 on; as recorded: 1 came first')
            contains(result.stdout, 'the program ended otherwise: exit 3, recorded: exit 0')
            equal((result.returncode, result.stderr), (1, ''))


@test
def the_other_order_is_recorded():
    query = 'SELECT process, sequence FROM event WHERE operation IN ("lock", "read-start", "write-start")'
    for name, numbers in ('lock', (1, 2)), ('crew', (0, 1)):
        record(program('replay-flip'), name, output=name)
        for then in ('free', 'recorded-where-possible'):
            new = f'{name}-{then}'
            result = lightcone('replay', name, '-q', '--flip', ','.join(pair(name)), '--then', then, '--output', new)
            contains(result.stdout, '2 came first\n')
            contains(result.stdout, f'the run is recorded in {os.path.realpath(new)}\n')
            contains(result.stdout, 'the program ended otherwise: exit 3, recorded: exit 0')
            rows = json.loads(lightcone('sql', new, query, '--json').stdout)
            equal(sorted((row['sequence'], row['process']) for row in rows), list(zip(numbers, (2, 1))), new)
            contains(lightcone('check', new).stdout, 'else is wrong: ')


@test
def a_schedule_turns_a_race_round():
    for name in ('lock', 'crew'):
        record(program('replay-flip'), name, output=name)
        equal(lightcone('races', name, '--schedule', '1', f'{name}.schedule').returncode, 0)
        result = lightcone('replay', f'{name}.schedule')
        contains(result.stdout, '2 came first')
        contains(result.stderr, 'the program ended by this schedule: with exit status 3')
        equal(result.returncode, 0, result.stderr)


@test
def what_cannot_be_is_told_with_the_reason():
    record(program('replay-flip'), 'lock', output='t')
    first, second = pair('t')
    for then in ('free', 'recorded-where-possible'):
        result = lightcone('replay', 't', '-q', '--flip', f'0:0,{first}', '--then', then)
        contains(result.stdout, 'infeasible: what its process does before the second event comes after the first one')
        equal(result.returncode, 1, result.stderr)
    result = lightcone('replay', 't', '-q', '--flip', '0:0')
    equal(result.returncode, 2)
    contains(result.stderr, 'needs one that gets a lock which another process had before')
    contains(lightcone('replay', 't', '-q', '--flip', second).stdout, '2 came first\n')
    result = lightcone('replay', 't', '-q', '--flip', f'{first},{first}')
    contains(result.stdout, 'both are events of one process')
    for wrong in (['--flip', 'x'], ['--flip', first], ['--flip', f'{first},9:9'], ['--then', 'free'],
                  ['--flip', f'{first},{second}', '--then', 'x'], ['--flip', f'{first},{second}', '--times', '2']):
        equal(lightcone('replay', 't', *wrong).returncode, 2)


@test
def the_rest_goes_on_as_recorded_or_hangs():
    record(program('replay-cycles'), 'two', output='t')
    result = lightcone('replay', 't', '-q', '--flip', ','.join(pair('t')), '--then', 'recorded-where-possible')
    contains(result.stdout, 'then as recorded where possible; the program ')
    contains(result.stdout, 'hung, for 5 s nothing happened, and it was ended; recorded: exit 0')
    equal(result.returncode, 1, result.stderr)


@test
def what_something_else_orders_is_no_race():
    record(program('replay-flip'), 'after', output='t')
    found = races('t')
    equal((found['pairs'], found['ordered'], found['race']), (0, 1, []))
    equal(lightcone('races', 't', '--flip', '1').returncode, 2)


@test
def an_order_that_changes_nothing_is_told():
    record(program('replay-cycles'), 'two', output='t')
    result = lightcone('races', 't', '--flip', '1')
    contains(result.stdout, 'the program ended as recorded: exit 0')
    equal(result.returncode, 0, result.stderr)


@test
def wrong_usage_is_told():
    record(program('replay-flip'), output='t')
    result = lightcone('races', 't', '--flip', '1', '--judge', 'x')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, 'exclude each other')


main(at_once=2)
