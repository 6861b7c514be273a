#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone check --predict says of programs that could deadlock, and of programs that could not."""
import json
import os

from cli import contains, equal, lightcone, main, program, record, test
from tables import write

LOCKS = {
    'a': '10 20 lock A 1 at=first@q.c:7\n30 40 lock B 1 at=second@q.c:8\n50 60 unlock B 1\n70 80 unlock A 1\n',
    'b': '110 120 lock B 2 at=third@q.c:17\n130 140 lock A 2 at=fourth@q.c:18\n150 160 unlock A 2\n'
         '170 180 unlock B 2\n',
}
# How many locks are in the circle of each.
POSSIBLE = {'two': 2, 'three': 3, 'four': 4, 'writers': 2, 'upgrade': 2, 'mixed': 2, 'spin': 2, 'again': 2, 'kinds': 2,
            'twice': 2}
# What rules out the circle of each: another lock, the order, or that there is none.
IMPOSSIBLE = {'gated': (1, 0), 'crew-gated': (1, 0), 'joined': (0, 1), 'met': (0, 1), 'posted': (0, 1),
              'signalled': (0, 1), 'readers': (0, 0), 'tries': (0, 0), 'passed': (0, 1), 'recursive': (0, 0)}


def predict(trace, status):
    result = lightcone('check', '--predict', '--json', trace)
    equal((result.returncode, result.stderr), (status, ''))
    return json.loads(result.stdout)


def record_cycle(name):
    result = record(program('cycles'), name, output=name)
    equal(result.returncode, 0, f'recording {name}: {result.stderr}')


@test
def all_that_could_deadlock_are_told():
    for name, locks in POSSIBLE.items():
        record_cycle(name)
        found = predict(name, 1)
        equal([len(cycle['waiter']) for cycle in found['possible']], [locks], name)
        waiters = found['possible'][0]['waiter']
        equal(len({waiter['process'] for waiter in waiters}), locks, name)
        equal({waiter['object'] for waiter in waiters}, {waiter['holds'] for waiter in waiters}, name)
        equal((found['gated'], found['ordered'], found['cut']), (0, 0, False), name)


@test
def none_that_could_not_is_told():
    for name, ruled_out in IMPOSSIBLE.items():
        record_cycle(name)
        found = predict(name, 0)
        equal((found['possible'], found['gated'], found['ordered']), ([], *ruled_out), name)


@test
def each_is_told_with_places():
    write('t', LOCKS)
    result = lightcone('check', '--predict', 't')
    equal((result.returncode, result.stderr), (1, ''))
    equal(result.stdout, 'possible deadlock 1, of 2 locks (not confirmed):\n'
          '  b asks for A (event 1 in fourth() q.c:18), and holds B (event 0 in third() q.c:17)\n'
          '  a asks for B (event 1 in second() q.c:8), and holds A (event 0 in first() q.c:7)\n')
    waiter = predict('t', 1)['possible'][0]['waiter'][0]
    equal((waiter['process_name'], waiter['object_name'], waiter['site']['line'], waiter['holds_site']['function']),
          ('b', 'A', 18, 'third'))


@test
def a_schedule_leads_into_it():
    record_cycle('three')
    result = lightcone('check', '--predict', '--schedule', '1', 'three', 'dead')
    equal((result.returncode, result.stdout, result.stderr), (0, '', ''))
    waiters = predict('three', 1)['possible'][0]['waiter']
    with open('dead', encoding='utf-8') as file:
        lines = file.read().splitlines()
    orders = {f'order {waiter["process"]}:{waiter["holds_ordinal"]} before {asks["process"]}:{asks["ordinal"]}'
              for waiter, asks in zip(waiters, waiters[-1:] + waiters)}
    equal({line for line in lines if line.startswith('order')}, orders)
    equal(sorted(line.split()[1:3] for line in lines if line.startswith('process')),
          [['0', '-'], ['1', '0.0'], ['2', '0.1'], ['3', '0.2']])
    equal(lightcone('races', 'three', '--judge', 'dead').returncode, 0)
    for wrong in (['--schedule', '1', 'three', 'x'], ['--predict', '--schedule', '2', 'three', 'x'],
                  ['--predict', '--schedule', '1', 'three']):
        equal(lightcone('check', *wrong).returncode, 2, str(wrong))


@test
def nothing_is_told_of_nothing():
    write('t', {'a': LOCKS['a']})
    result = lightcone('check', '--predict', 't')
    equal((result.returncode, result.stderr), (0, ''))
    contains(result.stdout, 'no deadlock of locks is possible')


@test
def wrong_usage_is_told():
    os.mkdir('t')
    result = lightcone('check', '--predict', '--deadlocks', 't')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, '--deadlocks and --predict')
    result = lightcone('check', '--predict', 't')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, 't')


main()
