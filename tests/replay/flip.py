#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races turned round: the program does what it does when the other one comes first."""
import json

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


main()
