#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone predict says of runs whose schedules were found by hand."""
import json
import os
import pty
import subprocess
import sys

from cli import LIGHTCONE, contains, equal, lightcone, main, program, record, test


def write(name, processes):
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def predict(*arguments):
    result = lightcone('predict', *arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of predict {arguments}')
    return result.stdout


def find(trace, processes, *arguments, timeline='measured'):
    found = json.loads(predict('--json', '--timeline', timeline, '--processes', processes, *arguments, trace))
    return found, {row['processors']: (row['time'], row['low'], row['high']) for row in found['predicted']}


@test
def independent_processes_are_shared_out():
    """Four that compute for 10 ms each: 40, 20, and with three a second round of one of them."""
    write('four', {f'p{i}': '0 0 tag value=1\n10000000 10000000 tag value=2\n' for i in range(4)})
    found, times = find('four', '1,2,3,4,9', '--quantum', '1s')
    equal((found['total'], found['work'], found['span'], found['most'], found['processes']),
          (10000000, 40000000, 10000000, 4, 4), 'the whole')
    equal({n: time for n, (time, _, _) in times.items()},
          {1: 40000000, 2: 20000000, 3: 20000000, 4: 10000000, 9: 10000000}, 'times')
    equal(times[3][1:], (13333333, 20000000), 'bounds')
    equal([(row['speed_up'], row['efficiency']) for row in found['predicted'][:2]], [(1, 1), (2, 1)], 'speed-up')


@test
def a_quantum_shares_a_processor_fairly():
    """Three of 9 ms on two processors, in slices of 1 ms: all processors are busy nearly to the end."""
    write('three', {f'p{i}': '0 0 tag value=1\n9000000 9000000 tag value=2\n' for i in range(3)})
    _, times = find('three', '2', '--quantum', '1ms')
    equal(times[2], (14000000, 13500000, 18000000), 'with slices')
    _, times = find('three', '2', '--quantum', '1s')
    equal(times[2][0], 18000000, 'without')


# a computes 10, and then unlocks; b waits for that from 2 on, goes on 3 later, and computes 5.
HANDED = {
    'a': '0 0 lock m 0\n10 10 unlock m 0\n30 30 tag value=1\n',
    'b': '2 13 lock m 1\n18 18 unlock m 1\n',
}


@test
def who_waits_needs_no_processor():
    write('handed', HANDED)
    found, times = find('handed', '1,2', '--quantum', '1s')
    equal((found['work'], found['span']), (30 + 5, 30), 'the whole')
    equal(times[2], (30, 30, 30 + 17), 'with two')
    # a does not make room before its end, at 30.
    equal(times[1][0], 35, 'with one')


@test
def members_of_a_barrier_wait_for_the_last_of_this_schedule():
    """Each computes 10 or more, and goes on 2 after the last; on one processor that comes at 33."""
    write('barrier', {f'p{i}': f'0 0 tag value=1\n{10 + i} 14 barrier end 0\n20 20 tag value=2\n' for i in range(3)})
    found, times = find('barrier', '1,3', '--quantum', '1s')
    equal(found['span'], 20, 'the span')
    equal(times[3][0], 20, 'with three')
    equal(times[1][0], 10 + 11 + 12 + 2 + 3 * 6, 'with one')


@test
def waits_that_no_process_ends_last_as_long_as_they_did():
    """A process that is alone, and waits 100 for a post that the trace does not have."""
    write('alone', {'a': '0 0 tag value=1\n10 110 wait s 5\n120 120 tag value=2\n'})
    found, times = find('alone', '1')
    equal(found['total'], 120, 'total')
    equal(times[1][0], 120, 'with one')


@test
def a_processor_that_was_taken_away_is_no_part_of_it():
    """b was ready, and had none, for 6 of its 10: with two processors it takes 4."""
    write('taken', {'a': '0 0 tag value=1\n10 10 tag value=2\n',
                    'b': '%absent 2 8 preempted\n0 0 tag value=1\n10 10 tag value=2\n'})
    found, times = find('taken', '1,2', '--quantum', '1s')
    equal((found['total'], found['work'], found['span']), (10, 14, 10), 'the whole')
    equal((times[1][0], times[2][0]), (14, 10), 'times')


@test
def what_is_outside_needs_no_processor():
    """Three that sleep for 10, and compute 1 before: one processor is enough for all."""
    write('outside', {f'p{i}': '0 0 tag value=1\n1 11 sleep timer\n' for i in range(3)})
    _, times = find('outside', '1,3', '--quantum', '1s')
    equal((times[1][0], times[3][0]), (13, 11), 'times')


@test
def with_a_processor_for_each_it_is_the_timeline():
    """For every example, and each timeline that keeps the order."""
    for name, arguments in (('barrier-loop', ['--rounds', '50']), ('bounded-buffer', []), ('gauss', []), ('nested', []),
                            ('pi', []), ('readers-writers', [])):
        trace = f'{name}.trace'
        record(os.path.join(os.environ['LIGHTCONE_EXAMPLES'], name), *arguments, output=trace,
               options=['--no-switches', '--no-io'])
        equal(lightcone('approximate', trace, '--model', 'event').returncode, 0, f'status of approximate {name}')
        for timeline in ('measured', 'event'):
            found, times = find(trace, '1,2,1000', timeline=timeline)
            equal((found['span'], times[1000][0]), (found['total'], found['total']), f'{name}, {timeline}')
            for time, low, high in times.values():
                assert low <= time <= high, f'{name}, {timeline}: {times}'


def long_run(rounds):
    """Two processes that take turns with a mutex: each computes 2 outside of it, 3 inside, and waits for the other."""
    lines = {'a': [], 'b': []}
    free = {'a': 0, 'b': 0}  # when a process has computed outside
    unlocked = 0
    for i in range(2 * rounds):
        name = 'ab'[i % 2]
        begin = free[name] + 2
        taken = max(begin, unlocked)
        lines[name] += [f'{begin} {taken} lock m {i}', f'{taken + 3} {taken + 3} unlock m {i}']
        free[name] = unlocked = taken + 3
    return {name: '0 0 tag value=1\n' + '\n'.join(some) + '\n' for name, some in lines.items()}, unlocked


@test
def long_runs_with_many_handovers_keep_their_times():
    """Long enough for more parts than one of each process, and simulations that take turns."""
    rounds = 20000
    processes, end = long_run(rounds)
    write('long', processes)
    found, times = find('long', '2,1,2,3', '--quantum', '1s')
    equal((found['total'], found['span'], found['work']), (end, end, 2 * rounds * (2 + 3)), 'the whole')
    # On one processor the other has computed its 2 when the lock is handed over: nobody idles.
    equal({n: time for n, (time, _, _) in times.items()}, {1: 2 * rounds * (2 + 3), 2: end, 3: end}, 'times')
    equal([row['processors'] for row in found['predicted']], [2, 1, 2, 3], 'rows, in the order asked for')
    equal(json.loads(predict('--json', '--timeline', 'measured', '--quantum', '1s', 'long'))['predicted'],
          sorted(found['predicted'][:2], key=lambda row: row['processors']), 'rows without --processes')


@test
def members_of_many_barriers_meet():
    """In each of 2,000 rounds the last one computes 3, the others less; alone, a processor computes for all of them."""
    write('rounds', {f'p{i}': '0 0 tag value=1\n' + ''.join(f'{n * 3 + i + 1} {n * 3 + 3} barrier end {n}\n'
                                                            for n in range(2000)) for i in range(3)})
    found, times = find('rounds', '1,2,3', '--quantum', '1s')
    equal((found['span'], found['work']), (6000, 2000 * 6), 'the whole')
    equal((times[1][0], times[3][0]), (2000 * 6, 6000), 'times')


def is_made(trace):
    """Whether predict makes the timeline, as it says in its log."""
    said = subprocess.run([LIGHTCONE, 'predict', '--json', trace], capture_output=True, text=True, check=True,
                          env=os.environ | {'G_MESSAGES_DEBUG': 'lightcone-analysis'})
    return 'timeline event made' in said.stdout + said.stderr


@test
def an_approximation_is_made_once():
    """As long as nothing is different: other costs make another one."""
    write('once', HANDED)
    equal((is_made('once'), is_made('once')), (True, False), 'made the first time, and again')
    first = predict('--json', 'once')
    equal(lightcone('approximate', '--model', 'event', '--set', 'overhead.unlock=2;0;0', 'once').returncode, 0,
          'other costs')
    assert predict('--json', '--timeline', 'event', 'once') != first, 'the costs change nothing'
    equal((is_made('once'), is_made('once')), (True, False), 'with the usual costs again')
    equal(predict('--json', 'once'), first, 'with the usual costs again')


@test
def a_terminal_sees_progress():
    processes, _ = long_run(1000)
    write('seen', processes)
    predict('--timeline', 'measured', 'seen')
    ours, theirs = pty.openpty()
    shown = subprocess.run([LIGHTCONE, 'predict', '--timeline', 'measured', 'seen'], stdout=subprocess.PIPE,
                           stderr=theirs, check=True)
    os.close(theirs)
    contains(os.read(ours, 65536).decode(), 'predicting: ')
    contains(shown.stdout.decode(), 'Processors')
    os.close(ours)


@test
def a_recorded_program_is_predicted():
    record(program('known'))
    text = predict('out.trace')
    for words in ('Timeline event', 'Processors', 'At least', 'At most', 'Speed-up'):
        contains(text, words)
    lines = predict('--csv', '--processes', '2', 'out.trace').splitlines()
    equal((lines[0], len(lines)), ('processors,time,low,high,speed_up,efficiency', 2), 'CSV')


@test
def what_makes_no_sense_is_said():
    write('any', HANDED)
    for arguments, words in ((['--processes', '0', 'any'], '“0” is no number from 1'),
                             (['--processes', '2,x', 'any'], '“x” is no number'),
                             (['--quantum', 'soon', 'any'], '“soon” is no time'),
                             (['--timeline', 'none', 'any'], 'none'),
                             (['--format', 'xml', 'any'], 'xml'),
                             (['missing'], 'missing')):
        result = lightcone('predict', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status of predict {arguments}')
        contains(result.stderr, words)


sys.exit(main())
