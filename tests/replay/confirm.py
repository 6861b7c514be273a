#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deadlocks that did not happen: those that a replay can be steered into, and those that it cannot."""
import json

from cli import contains, equal, lightcone, main, program, record, test

# How many processes wait in the circle, and what comes of trying it.
TRIALS = {'two': (2, 'deadlock'), 'three': (3, 'deadlock'), 'crew': (2, 'deadlock'), 'told': (2, 'differed'),
          'unseen': (2, 'elsewhere')}


@test
def only_what_deadlocks_is_confirmed():
    for name, (n, trial) in TRIALS.items():
        record(program('replay-cycles'), name, output=name)
        result = lightcone('check', '--predict', '--confirm', '--json', name)
        is_confirmed = trial == 'deadlock'
        found = json.loads(result.stdout)['possible']
        equal([(len(cycle['waiter']), cycle['trial'], cycle['confirmed']) for cycle in found],
              [(n, trial, is_confirmed)], name)
        equal(result.returncode, 1 if is_confirmed else 0, name)


@test
def people_are_told_what_came_of_it():
    record(program('replay-cycles'), 'two', output='t')
    result = lightcone('check', '--predict', '--confirm', 't')
    equal(result.returncode, 1)
    contains(result.stdout, 'possible deadlock 1, of 2 locks (confirmed: a replay came to it)')


@test
def nothing_to_try_needs_no_program():
    record('true', output='t')
    equal(lightcone('check', '--predict', '--confirm', 't').returncode, 0)
    result = lightcone('check', '--confirm', 't')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, '--confirm goes with --predict')


main()
