#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays that are recorded themselves: the new trace has the events of the old one, and more detail."""
import os
import shutil

from cli import contains, equal, lightcone, main, program, record, test


def record_again(*options):
    shutil.rmtree('new.trace', ignore_errors=True)
    return lightcone('replay', 'out.trace', '-o', 'new.trace', '--record-option=--no-calibrate', *options)


def events_of(trace):
    result = lightcone('sql', '--csv', trace, 'select e.process, e.ordinal, e.operation, o.name, o.class, e.sequence, '
                       'e.value, e.bytes, s.function, s.line from event e left join object o on o.id = e.object '
                       'left join site s on s.id = e.site order by 1, 2')
    equal(result.returncode, 0, f'the events of {trace}')
    return result.stdout


@test
def a_recorded_replay_has_the_same_events():
    for name, kind in [('replay-order', kind) for kind in
                       ('recursive', 'attempts', 'rwlock', 'timed-condition', 'semaphore', 'spin', 'c11', 'makers',
                        'cancel')] + [('replay-own', 'semaphores'), ('replay-own', 'barriers')]:
        recorded = record(program(name), kind, options=('--stacks=blocking',))
        equal(recorded.returncode, 0, f'recording {kind}')
        result = record_again()
        equal((kind, result.returncode, result.stdout), (kind, 0, recorded.stdout), f'it says {result.stderr}')
        contains(result.stderr, 'new.trace: has the same ')
        equal('other numbers' in result.stderr, False, f'whether {kind} has other numbers')
        assert events_of('new.trace') == events_of('out.trace'), f'the events of {kind} are others'
    contains(lightcone('compare', 'out.trace', 'new.trace').stdout, '0 in the first only, 0 in the second only')


@test
def a_recorded_replay_has_more_detail_and_can_be_replayed():
    recorded = record(program('replay-own'), 'channel', options=('--stacks=none',))
    equal(record_again().returncode, 0, 'the replay')
    count = 'select count(distinct s.parent) from event e join stack s on s.id = e.stack where s.parent is not null'
    for trace, expected in (('out.trace', False), ('new.trace', True)):
        found = int(lightcone('sql', '--csv', trace, count).stdout.splitlines()[1])
        equal(found > 0, expected, f'whether {trace} has stacks')
    result = lightcone('replay', 'new.trace')
    equal((result.returncode, result.stdout), (0, recorded.stdout), f'its replay, which says {result.stderr}')


def times_of(trace, timeline):
    result = lightcone('sql', '--csv', trace, 'select process, operation, begin, end, waited from event '
                       f"where timeline = '{timeline}' order by process, ordinal")
    equal(result.returncode, 0, f'the times of {trace}')
    return result.stdout.splitlines()[1:]


@test
def a_recorded_replay_can_have_the_times_of_the_old_one():
    for name, kind in ('replay-order', 'semaphore'), ('replay-own', 'barriers'):
        equal(record(program(name), kind).returncode, 0, 'recording')
        result = record_again('--old-times')
        equal(result.returncode, 0, f'the replay, which says {result.stderr}')
        contains(result.stderr, 'new.trace: its timeline “recorded” has the times of the recorded run')
        old = times_of('out.trace', 'measured')
        assert len(old) > 100, f'{kind} has {len(old)} events'
        equal(times_of('new.trace', 'recorded') == old, True, f'whether the times of {kind} are laid under it')
        equal(times_of('new.trace', 'measured') == old, False, f'whether {kind} had these times again')
    equal(lightcone('export', 'new.trace', '-o', 'new.svg', '--timeline=recorded').returncode, 0, 'a picture')
    with open('new.svg', encoding='utf-8') as picture:
        contains(picture.read(), 'recorded: times of the recorded run')
    result = lightcone('explain', 'new.trace', '0:1')
    equal(result.returncode, 2, 'the status: these times are no approximation')
    contains(result.stderr, 'there is no approximated timeline, only: measured, recorded')
    result = record_again('--old-times', '--flip=0:1,1:1')
    equal(result.returncode, 2, 'the status with another order')
    contains(result.stderr, 'replay: --old-times needs a replay in the recorded order, without --flip')


@test
def events_that_have_no_old_times_take_none():
    equal(record(program('replay-order'), 'cancel', options=('--events=-io',)).returncode, 0, 'recording')
    result = record_again('--old-times', '--record-option=--events=-futex')
    equal(result.returncode, 0, f'the replay, which says {result.stderr}')
    contains(result.stderr, '1 of its events was not recorded then, and takes no time there')
    recorded = times_of('new.trace', 'recorded')
    equal([row for row in recorded if ',sleep,' not in row], times_of('out.trace', 'measured'), 'all other events')
    (sleep,) = [row.split(',') for row in recorded if ',sleep,' in row]
    equal(sleep[2], sleep[3], 'begin and end of the sleep')


@test
def where_a_recorded_replay_is_another_one_is_told():
    equal(record(program('replay-order'), 'mutex').returncode, 0, 'recording')
    result = record_again('--record-option=--events=-mutex')
    equal(result.returncode, 1, 'the status without mutexes')
    contains(result.stderr, 'new.trace: is not as the recorded one: it is another operation')
    contains(result.stderr, '; in the replay: ')
    equal(record(program('replay-differ')).returncode, 0, 'recording')
    shutil.rmtree('new.trace')
    result = lightcone('replay', '--no-environment', 'out.trace', '-o', 'new.trace',
                       env={**os.environ, 'DIFFER': 'object'})
    equal(result.returncode, 1, 'the status of another object')
    contains(result.stderr, 'it came to another object')


main()
