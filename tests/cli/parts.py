#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of several hosts, and their clocks."""
import json
import os
import shutil

from cli import contains, equal, lightcone, main, test
from tables import run, timeline, write


def two_hosts(clock, a, b, name='trace'):
    """Rank 0 on host a, whose clock is the reference, and rank 1 on host b."""
    write(f'{name}/host-a', {'rank-0': a}, '[clock]\nreference=true\nsample-1=0;0;0\n')
    write(f'{name}/host-b', {'rank-1': b}, '[clock]\n' + clock)


def check():
    return json.loads(lightcone('check', '--json', 'trace').stdout)


# Host b's clock began 1000 ns after a's, and shows 9 ns when a's shows 10. Rank 1 gets a message, and sends it back.
DRIFT = 'sample-1=0;1000;5\nsample-2=9000;11000;5\n'
RANK_0 = '2000 2100 send 0>1:7 0 bytes=8 to=1\n2200 4000 recv 1>0:7 0 bytes=8 from=1\n'
RANK_1 = '0 1800 recv 0>1:7 0 bytes=8 from=0\n2250 2340 send 1>0:7 0 bytes=8 to=0\n'


@test
def clocks_that_differ_by_an_offset_and_a_drift_become_one():
    two_hosts(DRIFT, RANK_0, RANK_1)
    equal(timeline('trace', 'measured'), {
        'rank-0': [(2000, 2100, 0), (2200, 4000, 1300)],  # waits until 3500, when rank 1 began to send
        'rank-1': [(1000, 3000, 1000), (3500, 3600, 0)],  # waits until 2000
    }, 'the events')
    rows = json.loads(run('sql', '--json', 'trace', 'SELECT from_process, from_ordinal, to_process, to_ordinal '
                          'FROM arc ORDER BY 1'))
    equal([tuple(row.values()) for row in rows], [(0, 0, 1, 0), (1, 1, 0, 1)], 'the arcs')
    equal((check()['clean'], check()['backwards']), (True, 0), 'what is wrong')


@test
def a_history_is_made_again_when_a_part_is_newer():
    two_hosts(DRIFT, RANK_0, RANK_1)
    equal(json.loads(run('merge', '--json', 'trace'))['events'], 4, 'events')
    equal(json.loads(run('merge', '--json', 'trace'))['made'], False, 'whether it is made again')
    with open('trace/host-b/rank-1.events', 'a', encoding='utf-8') as events:
        events.write('9000 9000 tag value=1\n')
    result = json.loads(run('merge', '--json', 'trace'))
    equal((result['made'], result['events']), (True, 5))
    with open('trace/host-b/trace.ini', 'w', encoding='utf-8') as settings:
        settings.write('[clock]\nsample-1=0;1500;5\n')
    equal(json.loads(run('merge', '--json', 'trace'))['made'], True, 'whether it is made again')
    equal(timeline('trace', 'measured')['rank-1'][0][:2], (1500, 3300), 'the first event')


@test
def a_part_that_is_missing_is_told_and_the_rest_is_read():
    two_hosts(DRIFT, RANK_0, RANK_1)
    shutil.rmtree('trace/host-b')
    os.mkdir('trace/host-b')
    found = check()
    equal([problem['file'] for problem in found['problem'] if problem['name'] == 'part-unreadable'], ['host-b'])
    equal(found['events'], 2, 'events')
    equal(json.loads(run('info', '--json', 'trace'))['processes'], 1, 'processes')


@test
def problems_name_the_part():
    two_hosts(DRIFT, RANK_0, 'nonsense\n' + RANK_1)
    contains(lightcone('check', 'trace').stdout, 'host-b/rank-1.events: ')


@test
def clocks_that_were_never_compared_are_told():
    two_hosts('', RANK_0, RANK_1)
    contains(lightcone('check', 'trace').stdout, 'host-b/trace.ini: the host\'s clock was never compared')


# b gets the message 10 ns before it was sent, and answers: its samples are only good for 50 ns.
SAMPLE = 'sample-1=0;0;50\n'
EARLY_0 = '100 110 send 0>1:7 0 to=1\n150 300 recv 1>0:7 0 from=1\n'
EARLY_1 = '50 90 recv 0>1:7 0 from=0\n200 210 send 1>0:7 0 to=0\n'


@test
def clocks_are_shifted_until_nothing_ends_before_what_it_waited_for():
    two_hosts(SAMPLE, EARLY_0, EARLY_1)
    equal(timeline('trace', 'measured'), {
        'rank-0': [(100, 110, 0), (150, 300, 60)],
        'rank-1': [(60, 100, 40), (210, 220, 0)],
    }, 'the events')
    found = check()
    equal((found['clean'], found['backwards']), (True, 0), 'what is wrong')
    equal(found['clock_correction'], [{'host': 'a', 'shift': 0, 'arcs': 1, 'most': 10},
                                      {'host': 'b', 'shift': 10, 'arcs': 1, 'most': 10}])
    contains(lightcone('check', 'trace').stdout,
             'note: the clock of b: put forward by 10 ns: 1 arc pointed backwards, by 10 ns at most\n')
    contains(run('info', 'trace'), 'put forward by 10 ns')
    with open('trace/host-b/trace.ini', encoding='utf-8') as settings:
        equal(settings.read(), '[clock]\n' + SAMPLE, 'the settings of the part')


@test
def a_correction_is_taken_back():
    two_hosts(SAMPLE, EARLY_0, EARLY_1)
    run('merge', 'trace')
    run('merge', '--no-clock-correction', 'trace')
    equal(timeline('trace', 'measured')['rank-1'][0][:2], (50, 90), 'as it was recorded')
    equal(check()['backwards'], 1, 'arcs that point backwards')
    os.remove('trace/clock.ini')
    equal(timeline('trace', 'measured')['rank-1'][0][:2], (60, 100), 'corrected again')


@test
def a_correction_is_found_again_when_a_part_has_changed():
    two_hosts(SAMPLE, EARLY_0, EARLY_1)
    run('merge', 'trace')
    with open('trace/host-b/trace.ini', 'w', encoding='utf-8') as settings:
        settings.write('[clock]\nsample-1=0;4;50\n')
    later = os.stat('trace/clock.ini').st_mtime + 1
    os.utime('trace/host-b/trace.ini', (later, later))
    equal(timeline('trace', 'measured')['rank-1'][0][:2], (60, 100), 'the first event')
    equal([host['shift'] for host in check()['clock_correction']], [0, 6], 'the shifts')


@test
def the_host_that_is_ahead_is_put_back():
    two_hosts(SAMPLE, '20 40 recv 1>0:7 0 from=1\n', '50 90 send 1>0:7 0 to=0\n')
    equal(timeline('trace', 'measured'), {'rank-0': [(30, 50, 20)], 'rank-1': [(50, 90, 0)]}, 'the events')
    equal([host['shift'] for host in check()['clock_correction']], [0, -10], 'the shifts')


@test
def what_no_shift_mends_stays_a_problem():
    two_hosts(SAMPLE, '100 110 send 0>1:7 0 to=1\n150 195 recv 1>0:7 0 from=1\n', EARLY_1)
    found = check()
    equal((found['clean'], found['backwards'], found['clock_correction']), (False, 2, []))
    equal(os.path.exists('trace/clock.ini'), False, 'whether there is a correction')


@test
def a_barrier_of_several_hosts_holds_all_of_them():
    names = {'a': ('0 100', '[clock]\nreference=true\nsample-1=0;0;0\n'), 'b': ('0 90', '[clock]\nsample-1=0;0;0\n'),
             'c': ('95 99', '[clock]\nsample-1=0;0;0\n')}
    for name, (times, settings) in names.items():
        write(f'trace/host-{name}', {f'rank-{name}': f'{times} barrier world 0 value=3\n'}, settings)
    equal(timeline('trace', 'measured'), {'rank-a': [(5, 105, 90)], 'rank-b': [(5, 95, 90)], 'rank-c': [(95, 99, 0)]})
    equal([(host['host'], host['shift']) for host in check()['clock_correction']], [('b', 0), ('c', -5)], 'the shifts')


main()
