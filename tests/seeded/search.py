#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Failures that rarely come are found by trying orders, and come again by the schedule that is left of them."""
import os
import re
from pathlib import Path

from cli import contains, equal, lightcone, main, program, test

KINDS = ('mutex', 'recursive', 'attempts', 'timed', 'rwlock', 'condition', 'timed-condition', 'semaphore', 'spin',
         'barrier', 'c11', 'makers', 'cancel')


def search(*command, runs=200, options=(), output='out.trace'):
    return lightcone('record', '--search', str(runs), '--replace', '-o', output, *options, '--', *command)


def seed_of(result):
    return re.search(r'failed, with seed (\d+)', result.stderr)[1]


@test
def a_failure_is_found_and_comes_again():
    for name, outcome in ('three-locks', 'deadlock'), ('if-for-while', 'exit 1'), ('use-after-free', 'signal'):
        result = search(program('seeded'), name)
        equal(result.returncode, 1, f'{name}: {result.stderr}')
        contains(result.stderr, f': {outcome}')
        contains(result.stderr, 'reproduce it with: lightcone replay out.trace.schedule')
        text = Path('out.trace.schedule').read_text(encoding='utf-8')
        contains(text, f'\noutcome {outcome}')
        assert 1 <= text.count('\norder ') <= 4, text
        result = lightcone('replay', 'out.trace.schedule', '--times', '10')
        contains(result.stderr, '10 of 10 runs ended as the schedule says')
        equal(result.returncode, 0, result.stderr)
        result = lightcone('races', 'out.trace', '--judge', 'out.trace.schedule')
        equal((result.returncode in (0, 1), result.stderr), (True, ''))


# Seeds that lead to a failure before a thread has begun, or before an operation comes that an order is of. If programs
# or libraries change, others may; so whatever fails is tried.
EARLY = {'abort': (8, 32), 'crash': (8, 39), 'exit': (8, 32), 'grandchild': (19, 40), 'sooner': (10, 154),
         'waiting': (4, 14)}


@test
def a_failure_before_others_have_come_to_their_part_comes_again():
    absent = 0
    for name, seeds in EARLY.items():
        for seed in seeds:
            result = search(program('early-end'), name, runs=2, options=['--search-seed', str(seed)])
            equal(result.returncode, 1, f'{name} {seed}: {result.stderr}')
            contains(result.stderr, 'reproduce it with: lightcone replay out.trace.schedule')
            text = Path('out.trace.schedule').read_text(encoding='utf-8')
            absent += re.search(r'\nevent \d+:\d+ \w+\nnth \d+\n(?!object)', text) is not None
            result = lightcone('replay', 'out.trace.schedule', '--times', '20')
            contains(result.stderr, '20 of 20 runs ended as the schedule says')
            result = lightcone('races', 'out.trace', '--judge', 'out.trace.schedule')
            equal((name, result.returncode, result.stderr), (name, 0, ''))
    assert absent >= len(EARLY), absent


@test
def a_thread_that_had_not_begun_is_told_by_how_it_was_made():
    search(program('early-end'), 'abort', runs=2, options=['--search-seed', '8'])
    text = Path('out.trace.schedule').read_text(encoding='utf-8')
    contains(text, '\nprocess 2 0.1 thread made in join_first() early-end.c:')
    contains(text, '\nevent 2:0 start\nnth 0\n')
    contains(text, ' before 2:0\n')
    Path('other.schedule').write_text(text.replace('process 2 0.1', 'process 2 0.2'), encoding='utf-8')
    result = lightcone('races', 'out.trace', '--judge', 'other.schedule')
    equal(result.returncode, 2)
    contains(result.stderr, 'the run has no event 2:0: the schedule is of another run')


@test
def the_trace_shows_the_deadlock():
    search(program('seeded'), 'two-locks')
    result = lightcone('check', 'out.trace')
    equal(result.returncode, 1, result.stderr)
    contains(result.stdout, 'second_then_first waits since')
    result = lightcone('replay', 'out.trace', '--times', '5')
    contains(result.stderr, '5 of 5 runs ended with all threads waiting, as the recorded run did')
    result = lightcone('replay', 'out.trace.schedule')
    equal(result.returncode, 0, result.stderr)
    contains(result.stderr, 'the program ended as the schedule says: in a deadlock')


@test
def a_seed_leads_to_the_same_again():
    seed = seed_of(search(program('seeded'), 'two-locks'))
    result = search(program('seeded'), 'two-locks', runs=2, options=['--search-seed', seed], output='again.trace')
    contains(result.stderr, f'run 2 of 2 failed, with seed {seed}: deadlock')
    equal(Path('again.trace.schedule').read_text(encoding='utf-8'),
          Path('out.trace.schedule').read_text(encoding='utf-8'))


@test
def programs_without_mistakes_do_not_fail():
    for kind in KINDS:
        result = search(os.path.join(os.environ['LIGHTCONE_REPLAY_PROGRAMS'], 'replay-order'), kind, runs=3)
        equal(result.returncode, 0, f'{kind}: {result.stderr}')
        contains(result.stderr, 'none of 3 runs failed')
    assert not os.path.exists('out.trace') and not os.path.exists('out.trace.schedule')


@test
def a_hang_is_found_when_the_patience_is_over():
    result = search('sleep', '100', runs=1, options=['--search-patience', '300ms'])
    contains(result.stderr, 'run 1 of 1 failed, in which nothing was left to chance: hang')
    equal(result.returncode, 1)


@test
def an_order_that_cannot_be_is_told():
    search(program('seeded'), 'two-locks')
    lines = Path('out.trace.schedule').read_text(encoding='utf-8').split('\n')
    order = next(line for line in lines if line.startswith('order ')).split()
    turned = [f'order {order[3]} before {order[1]}' if line.startswith('order ') else line for line in lines]
    Path('turned.schedule').write_text('\n'.join(turned), encoding='utf-8')
    result = lightcone('replay', 'turned.schedule')
    equal(result.returncode, 1, result.stderr)
    contains(result.stderr, 'the program ended otherwise than the schedule says: with exit status 0, not in a deadlock')
    result = lightcone('replay', 'turned.schedule', '--times', '2')
    contains(result.stderr, '0 of 2 runs ended as the schedule says: in a deadlock; the others: 2 with exit status 0')
    # Nobody is made before the first one's begin.
    impossible = [*lines[:-1], 'event 0:0 start', 'nth 0', f'order {order[1]} before {order[3]}',
                  f'order {order[3]} before {order[1]}', '']
    Path('impossible.schedule').write_text('\n'.join(impossible), encoding='utf-8')
    result = lightcone('replay', 'impossible.schedule')
    equal(result.returncode, 1, result.stderr)
    contains(result.stderr, 'infeasible: all others waited or had ended, and this had not come')
    text = '\n'.join('outcome bang' if line.startswith('outcome ') else line for line in lines)
    Path('bang.schedule').write_text(text, encoding='utf-8')
    result = lightcone('replay', 'bang.schedule')
    equal(result.returncode, 2)
    contains(result.stderr, 'bang.schedule: “bang” is no end of a program: exit STATUS, signal NUMBER, deadlock')
    text = '\n'.join(line for line in lines if not line.startswith('nth '))
    Path('old.schedule').write_text(text, encoding='utf-8')
    result = lightcone('replay', 'old.schedule')
    equal(result.returncode, 2)
    contains(result.stderr, 'does not say which of its kind it is')


@test
def wrong_usage_is_told():
    for options in ['--search-patience', 'x'], ['--search-patience', '0'], ['--search-seed', '-1']:
        result = search('true', options=options)
        equal((result.returncode, result.stdout), (2, ''))
    Path('there.trace').mkdir()
    result = lightcone('record', '--search', '1', '-o', 'there.trace', 'true')
    equal(result.returncode, 2)
    contains(result.stderr, 'there.trace: is there already')
    Path('x.schedule').write_text('%lightcone-schedule 1\nargument true\n', encoding='utf-8')
    equal(lightcone('replay', 'x.schedule', '--until', '0:1').returncode, 2)
    equal(lightcone('replay', 'x.schedule', '-q').returncode, 0)


main()
