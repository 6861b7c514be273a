#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of which only the newest is kept, and recordings that are stopped, started and copied while they go on."""
import configparser
import json
import os
import re
import shutil
import signal
import subprocess
import threading

from cli import PATIENCE, contains, equal, eventually, info, lightcone, main, operations, program, start, test


DUMPS = int(os.environ.get('LIGHTCONE_DUMPS', '3'))


class Steps:
    """A recorded program that does what it is told."""

    def __init__(self, *options, output='out.trace'):
        self.recording = start(program('steps'), options=options, output=output, stdin=subprocess.PIPE)
        self.locks = 0

    def do(self, step):
        self.recording.stdin.write(f'{step}\n')
        self.recording.stdin.flush()
        if step != 'thread':
            equal(self.recording.stdout.readline(), 'done\n', f'{step}')
        if isinstance(step, int):
            self.locks += step

    def end(self):
        errors = self.recording.communicate(timeout=PATIENCE)[1]
        equal(self.recording.returncode, 0, errors)
        return errors


def gaps(trace='out.trace'):
    """(from, to, reason, events) of each, as trace.ini has them; None: to the end, or not known."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(os.path.join(trace, 'trace.ini'))
    lines = [value.split(';') for _, value in settings.items('gaps')] if settings.has_section('gaps') else []
    number = lambda text: int(text) if text else None  # noqa: E731
    return [(number(line[0]), number(line[1]), line[2], number(line[3]) if len(line) > 3 else None) for line in lines]


def is_dumped(number):
    """Whether this trace is whole: its settings are copied before its control block, which goes when it is closed."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(f'out-dump-{number}.trace/trace.ini')
    return settings.get('trace', 'state', fallback='') == 'dumped' and \
        not os.path.exists(f'out-dump-{number}.trace/.control')


def ask(query, trace='out.trace'):
    result = lightcone('sql', '--json', trace, query)
    equal(result.returncode, 0, result.stderr)
    return json.loads(result.stdout)


def status(trace='out.trace'):
    result = lightcone('control', '--json', trace, 'status')
    equal(result.returncode, 0, result.stderr)
    return json.loads(result.stdout)


def control(action, *options, trace='out.trace'):
    result = lightcone('control', *options, trace, action)
    equal(result.returncode, 0, result.stderr)
    return result.stdout


def check_newest(trace, locks):
    """The newest of a run with so many locks by one thread at a time is there, and the rest is counted."""
    counts = operations(trace)
    first, = [gap for gap in gaps(trace) if gap[2] == 'ring']
    there = sum(counts.values())
    equal((first[0], counts['lock'] in (counts['unlock'], counts['unlock'] - 1)), (0, True), f'{counts}')
    # The recorder's own pauses are events too.
    assert there + first[3] >= 2 * locks, f'{there} events, {first[3]} dropped, of {2 * locks}'
    sequence, = ask("select min(sequence) low, max(sequence) high, count(*) n from event where operation = 'lock'",
                    trace)
    equal((sequence['high'], sequence['n']), (locks, locks - sequence['low'] + 1), 'the newest, and without holes')
    earliest = ask('select min("end") t from event', trace)[0]['t']
    assert earliest >= first[1], f'{earliest} is before {first[1]}'
    equal(info(trace)['lost'], 0, 'lost')
    result = lightcone('check', trace)
    equal(result.returncode, 0, result.stdout)


@test
def what_is_to_be_kept_must_make_sense():
    for value in ('x', '0', '5q', '-1s', '', '1.5G', '99999999999999T', '10 s'):
        result = lightcone('record', '--keep', value, '-o', 'out.trace', '--', 'true')
        equal((result.returncode, os.path.exists('out.trace')), (2, False), value)
        contains(result.stderr, f'“{value}” is neither a time')
    result = lightcone('record', '--dump-on', 'KILL', '-o', 'out.trace', '--', 'true')
    equal((result.returncode, os.path.exists('out.trace')), (2, False))
    contains(result.stderr, '“KILL”')


@test
def the_newest_bytes_are_kept():
    steps = Steps('--keep', '4M')
    for _ in range(8):
        steps.do(50000)
    eventually(lambda: status()['dropped'] > 0, 'nothing is dropped')
    assert status()['bytes'] < 6 << 20, status()
    steps.end()
    size = os.path.getsize('out.trace/ctf/process-0')
    assert 2 << 20 < size < 6 << 20, f'{size} bytes'
    check_newest('out.trace', steps.locks)


@test
def the_newest_time_is_kept():
    steps = Steps('--keep', '200ms')
    steps.do(50000)
    eventually(lambda: (steps.do(1000), status()['dropped'] > 50000)[1], 'nothing is dropped')
    steps.end()
    check_newest('out.trace', steps.locks)


@test
def what_has_not_ended_is_drawn_until_now():
    goes_on = 'Goes on since its last event'

    def picture(*options):
        equal(lightcone('export', 'out.trace', '-o', 'out.svg', *options).returncode, 0, 'export')
        with open('out.svg', encoding='utf-8') as file:
            return file.read()

    steps = Steps('--no-io')
    steps.do(1000)
    eventually(lambda: goes_on in picture(), 'the process has ended, though it is recorded')
    for options in ((), ('--size', '300x200', '--orientation', 'right')):
        drawn, left_out = (len(re.findall('<path fill="#', picture(*options, *more)))
                           for more in ((), ('--hide', 'going-on')))
        equal(drawn - left_out, 1, f'what goes on, drawn with {options}')
    steps.end()
    equal(goes_on in picture(), False, 'the process goes on, though it has ended')


@test
def little_is_kept_whole():
    steps = Steps('--keep', '2G')
    steps.do(1000)
    steps.end()
    equal((gaps(), operations()['lock'], info()['complete']), ([], 1000, True))


@test
def threads_that_have_ended_long_ago_are_dropped_and_those_that_wait_are_not():
    steps = Steps('--keep', '1M')
    steps.do('thread')
    for _ in range(4):
        steps.do(50000)
    steps.end()
    check_newest('out.trace', steps.locks)
    # The first one has waited all the time for the second one.
    equal([process['events'] > 0 for process in info()['process']], [True, True])
    equal(operations().get('join'), 1)


@test
def what_was_kept_is_there_when_all_were_killed():
    steps = Steps('--keep', '2M')
    steps.do(200000)
    eventually(lambda: status()['dropped'] > 0, 'nothing is dropped')
    os.kill(steps.recording.pid, signal.SIGKILL)
    steps.do(1000)
    steps.recording.communicate(timeout=PATIENCE)
    eventually(lambda: info()['state'] == 'recovered', 'it is not recovered')
    check_newest('out.trace', steps.locks)


@test
def a_dump_is_a_trace_of_its_own():
    steps = Steps('--keep', '2M')
    steps.do(200000)
    eventually(lambda: status()['dropped'] > 0, 'nothing is dropped')
    contains(control('dump'), 'out-dump-1.trace')
    first = steps.locks
    steps.do(100000)
    contains(control('dump', '-o', 'other'), 'other')
    second = steps.locks
    result = lightcone('info', 'out.trace')
    equal(result.returncode, 2)
    contains(result.stderr, 'lightcone control out.trace dump')
    steps.do(1000)
    steps.end()
    for trace, locks in (('out-dump-1.trace', first), ('other', second)):
        equal([gap[1:3] for gap in gaps(trace)][-1], (None, 'dump'), trace)
        check_newest(trace, locks)
    check_newest('out.trace', steps.locks)


@test
def a_dump_of_a_program_that_goes_on_is_whole():
    steps = Steps('--keep', '1M')
    steps.do(1)
    signal.alarm(2 * PATIENCE + 2 * DUMPS)
    ended = threading.Event()

    def go_on():
        while not ended.wait(0.002):
            steps.do(1000)

    others = threading.Thread(target=go_on)
    others.start()
    try:
        eventually(lambda: status()['dropped'] > 0, 'nothing is dropped')
        for number in range(DUMPS):
            control('dump', '-o', 'dump')
            result = lightcone('check', 'dump')
            equal((result.returncode, info('dump')['lost']), (0, 0), f'{number}: {result.stdout}')
            assert operations('dump')['lock'] > 1000, operations('dump')
            shutil.rmtree('dump')
    finally:
        ended.set()
        others.join()
    steps.end()


@test
def a_whole_recording_can_be_dumped_too():
    steps = Steps()
    steps.do(20000)
    control('dump', '--quiet')
    steps.do(1000)
    steps.end()
    equal(operations('out-dump-1.trace')['lock'], 20000)
    equal((operations()['lock'], gaps()), (21000, []))
    equal(lightcone('check', 'out-dump-1.trace').returncode, 0)


@test
def a_signal_makes_a_dump_and_the_program_does_not_get_it():
    steps = Steps('--keep', '2M', '--dump-on', 'USR2')
    steps.do(1000)
    os.kill(steps.recording.pid, signal.SIGUSR2)
    eventually(lambda: is_dumped(1), 'there is no dump')
    steps.do(1000)
    steps.end()
    equal((operations('out-dump-1.trace')['lock'], operations()['lock']), (1000, 2000))


@test
def a_long_wait_makes_a_dump_with_what_it_waited_for():
    steps = Steps('--keep', '4M', '--dump-if-wait', '50ms')
    for _ in range(8):
        steps.do(20000)
    steps.do('wait 10')
    steps.do('wait 200')
    steps.do(1000)
    eventually(lambda: is_dumped(1), 'there is no dump')
    query = '''SELECT release.operation, arc.from_process <> arc.to_process AS other
               FROM event JOIN arc ON arc.to_process = event.process AND arc.to_ordinal = event.ordinal
               JOIN event release ON release.process = arc.from_process AND release.ordinal = arc.from_ordinal
               WHERE event.operation = 'lock' AND event.waited > 100000000'''
    (wait,) = ask(query, 'out-dump-1.trace')
    equal((wait['operation'], wait['other']), ('unlock', 1))
    equal(gaps('out-dump-1.trace')[-1][2], 'dump')
    contains(steps.end(), '(lock): a trace of it is made')
    equal(os.path.exists('out-dump-2.trace'), False, 'one for each wait')


@test
def a_wait_that_does_not_end_makes_a_dump_too():
    steps = Steps('--dump-if-wait', 'barrier,lock=50ms', '--most-dumps', '1')
    steps.do('wait 1500')
    eventually(lambda: is_dumped(1), 'there is no dump')
    pending = [process['pending'] for process in info('out-dump-1.trace')['process'] if process['pending']]
    equal([wait['object_name'] for wait in pending if wait['operation'] == 'lock'], ['slow'])
    steps.do('wait 200')
    errors = steps.end()
    contains(errors, 'has been waiting for 1.')
    contains(errors, 'the last such trace')
    equal(os.path.exists('out-dump-2.trace'), False, 'as many as were asked for')


@test
def a_region_longer_than_its_limit_makes_a_dump():
    steps = Steps('--keep', '4M', '--dump-if-region', 'other=50ms', '--dump-if-region', 'request=1s')
    steps.do('region 0')
    for _ in range(4):
        steps.do(20000)
    steps.do('region 1100')
    steps.do(1000)
    eventually(lambda: is_dumped(1), 'there is no dump')
    edges = ask("SELECT operation, begin FROM event WHERE operation IN ('enter', 'leave') ORDER BY begin",
                'out-dump-1.trace')
    equal([edge['operation'] for edge in edges][-2:], ['enter', 'leave'])
    begin, end = (edge['begin'] for edge in edges[-2:])
    assert end - begin >= 1100000000, edges
    (wait,) = ask(f"""SELECT release.operation FROM event
                      JOIN arc ON arc.to_process = event.process AND arc.to_ordinal = event.ordinal
                      JOIN event release ON release.process = arc.from_process AND release.ordinal = arc.from_ordinal
                      WHERE event.operation = 'lock' AND event.waited > 100000000
                      AND event.begin >= {begin} AND event."end" <= {end}""", 'out-dump-1.trace')
    equal(wait['operation'], 'unlock', 'what it waited for')
    errors = steps.end()
    contains(errors, 'process 0 (steps) was in region “request” for ')
    equal((errors.count('region'), os.path.exists('out-dump-2.trace')), (1, False), errors)


@test
def a_region_that_does_not_end_makes_a_dump_too():
    steps = Steps('--dump-if-region', 'request=50ms', '--most-dumps', '1')
    steps.do('region 2500')
    eventually(lambda: is_dumped(1), 'there is no dump')
    equal(operations('out-dump-1.trace').get('enter'), 1)
    equal(operations('out-dump-1.trace').get('leave'), None)
    for _ in range(270):  # more than can be in such regions at a time
        steps.do('region 0')
    errors = steps.end()
    contains(errors, 'process 0 (steps) has been in region “request” for ')
    contains(errors, 'the last such trace')
    equal((operations()['enter'], operations()['leave']), (271, 271))


@test
def regions_that_were_left_by_the_end_of_their_thread_or_process_make_no_dumps():
    steps = Steps('--dump-if-region', 'request=1s')
    steps.do('leave 0')
    steps.do('leave 1')
    steps.do('region 1100')
    eventually(lambda: is_dumped(1), 'there is no dump')
    errors = steps.end()
    contains(errors, 'process 0 (steps) ')
    equal((errors.count('in region'), os.path.exists('out-dump-2.trace')), (1, False), errors)


@test
def limits_of_regions_must_make_sense():
    for options, reason in (('request', 'is no region with a time'), ('=5ms', 'is no region with a time'),
                            ('request=soon', 'is no region with a time'), ('request=0ms', 'is no region with a time'),
                            ('x' * 64 + '=1s', '63 bytes at the most')):
        result = lightcone('record', '--dump-if-region', options, '-o', 'none.trace', '--', 'true')
        equal((result.returncode, os.path.exists('none.trace')), (2, False), options)
        contains(result.stderr, reason)
    for options, reason in ((['--dump-if-region', 'a=1s'] * 17, '16 regions at the most'),
                            (['--dump-if-region', 'a=1s', '--events', 'mutex'], 'events of the class mark')):
        result = lightcone('record', *options, '-o', 'none.trace', '--', 'true')
        equal((result.returncode, os.path.exists('none.trace')), (2, False), f'{options}')
        contains(result.stderr, reason)


@test
def a_deadlock_is_told_while_it_happens():
    for options, dumps in ((), False), (('--keep', '10s'), True):
        recording = start(program('circle'), options=('--replace', '--watch', *options), stdin=subprocess.PIPE)
        lines = [recording.stderr.readline() for _ in range(3)]
        equal(lines[0], 'lightcone: deadlock:\n')
        for line, lock, held in (lines[1], 'left', 'right'), (lines[2], 'right', 'left'):
            assert f'for lock of {lock}' in line or f'for lock of {held}' in line, line
        if dumps:
            eventually(lambda: is_dumped(1), 'there is no dump')
            found = json.loads(lightcone('check', '--json', 'out-dump-1.trace').stdout)
            equal([len(circle) for circle in found['deadlock']], [2])
        output, errors = recording.communicate(timeout=PATIENCE)
        equal((recording.returncode, output, errors.count('deadlock')), (7, 'ended\n', 0), 'the program goes on')
        equal(os.path.exists('out-dump-1.trace'), dumps)


@test
def who_waits_for_long_is_not_in_a_deadlock():
    steps = Steps('--watch')
    steps.do('thread')
    steps.do('wait 2500')
    equal('deadlock' in steps.end(), False)


@test
def only_long_waits_of_the_chosen_operations_make_dumps():
    steps = Steps('--dump-if-wait', 'barrier=50ms')
    steps.do('wait 200')
    equal('a trace of it' in steps.end(), False)
    equal(os.path.exists('out-dump-1.trace'), False)
    for value, reason in ('soon', '“soon” is no time'), ('look=5ms', 'no operation “look”'), ('lock=', 'is no time'):
        result = lightcone('record', '--dump-if-wait', value, '-o', 'none.trace', '--', 'true')
        equal((result.returncode, os.path.exists('none.trace')), (2, False), value)
        contains(result.stderr, reason)


@test
def a_dump_overwrites_nothing():
    steps = Steps()
    steps.do(10)
    os.mkdir('full')
    with open('full/file', 'w', encoding='ascii') as file:
        file.write('mine')
    os.mkdir('inner')
    for target in ('full', 'inner/out.trace', 'out.trace'):
        result = lightcone('control', '-o', target, 'out.trace', 'dump')
        equal((result.returncode, result.stdout), (2, ''), target)
        contains(result.stderr, target)
    equal((os.listdir('full'), os.listdir('inner')), (['file'], []))
    steps.do(10)
    steps.end()
    equal(operations()['lock'], 20)


@test
def recording_can_be_stopped_and_started_from_outside():
    steps = Steps()
    steps.do(100)
    contains(control('stop'), 'recording has stopped')
    contains(control('stop'), 'stopped before')
    equal(status()['state'], 'paused')
    steps.do(5000)
    contains(control('start'), 'goes on')
    contains(control('start'), 'already')
    equal(status()['state'], 'recording')
    steps.do(200)
    steps.end()
    equal(operations()['lock'], 300)
    equal([gap[2] for gap in gaps()], ['paused'])
    rows = ask("select sequence from event where operation = 'lock' order by sequence")
    equal([row['sequence'] for row in rows], list(range(1, 101)) + list(range(5101, 5301)))
    equal((info()['lost'], lightcone('check', 'out.trace').returncode), (0, 0))


@test
def a_program_can_stop_and_start_its_recording():
    steps = Steps('--paused')
    for step in (1000, 'start', 20, 'stop', 1000, 'stop', 1000, 'start', 'start', 30, 'stop', 1000):
        steps.do(step)
    steps.end()
    equal(operations()['lock'], 50)
    equal([gap[2] for gap in gaps()], ['paused'] * 3)
    equal((gaps()[0][0], gaps()[-1][1]), (0, None))
    for gap, later in zip(gaps(), gaps()[1:]):
        assert gap[0] <= gap[1] <= later[0], gaps()
    equal(lightcone('check', 'out.trace').returncode, 0)


@test
def a_program_that_is_not_recorded_does_not_mind():
    result = subprocess.run([program('steps')], input='start\nstop\n10\n', capture_output=True, text=True,
                            timeout=PATIENCE, check=False)
    equal((result.returncode, result.stdout), (0, 'done\n' * 3), result.stderr)


@test
def what_is_not_being_recorded_cannot_be_controlled():
    steps = Steps()
    steps.do(1)
    steps.end()
    for action in ('start', 'stop', 'status', 'dump'):
        for trace in ('out.trace', '.', 'nowhere'):
            result = lightcone('control', trace, action)
            equal((result.returncode, result.stdout), (2, ''), f'{action} {trace}')
            contains(result.stderr, trace)
    result = lightcone('control', 'out.trace', 'jump')
    equal(result.returncode, 2)
    contains(result.stderr, '“jump”')


main()
