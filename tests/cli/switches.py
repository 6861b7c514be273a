#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When threads were off their processors, by the system's scheduler: in the files, as events have it, and what is said
where the system does not tell."""
import collections
import configparser
import glob
import json
import os
import resource
import signal
import struct
import subprocess
import time

from cli import LIGHTCONE, PATIENCE, Skip, child_of, contains, equal, eventually, info, is_alive, lightcone, main, \
    program, record, start, test
from tables import refuse, run, timeline, write

MS = 1000000
LATE = 1000 * MS  # so much later somebody may go on, on a busy machine
READY = 1 << 63
Absence = collections.namedtuple('Absence', 'begin end preempted')
File = collections.namedtuple('File', 'begin end refused threads lost')


def holds(condition, what):
    equal(bool(condition), True, what)


def settings(trace):
    parser = configparser.RawConfigParser()
    parser.read(f'{trace}/trace.ini')
    return parser


def clock(trace):
    """From ticks to ns since the run began: with its first process."""
    frequency, first = int(settings(trace)['trace']['clock_frequency']), None
    for file in glob.glob(f'{trace}/ctf/process-*'):
        with open(file, 'rb') as stream:
            begin = struct.unpack_from('<Q', stream.read(32), 24)[0]
            first = min(first or begin, begin)
    return lambda ticks: (ticks - first) * 1e9 / frequency


def read(path, to_ns):
    """A file of switches, as docs/format.md has it, without any of Lightcone's own code."""
    with open(path, 'rb') as file:
        data = file.read()
    magic, version, _, _, begin, end, refused = struct.unpack_from('<8sII16sQQI', data)
    equal((magic, version), (b'LCSWITCH', 1), path)
    threads, lost, at = collections.defaultdict(list), 0, 64
    while at < len(data):
        magic, count, _, thread, first, last, missing = struct.unpack_from('<4IQQQ', data, at)
        equal(magic, 0x5053434c, f'{path} at {at}')
        at += 40
        pack = [struct.unpack_from('<QQ', data, at + 16 * i) for i in range(count)]
        at += 16 * count
        lost += missing
        if pack:
            equal((first, last), (pack[0][0], pack[-1][0] + (pack[-1][1] & ~READY)), 'the limits of a pack')
        threads[thread] += [Absence(to_ns(b), to_ns(b + (n & ~READY)), bool(n & READY)) for b, n in pack]
    return File(to_ns(begin), to_ns(end) if end else None, refused, threads, lost)


def switches(trace='out.trace'):
    return [read(path, clock(trace)) for path in sorted(glob.glob(f'{trace}/switches-*'))]


def processes(trace='out.trace'):
    return {process['name']: process for process in info(trace)['process']}


def absences(trace, thread):
    return [absence for file in switches(trace) for absence in file.threads.get(thread, [])]


def need_switches():
    """The result of a recording; skips where the system does not report switches at all."""
    record(program('switches'), 'sleep', output='need.trace')
    found = info('need.trace')
    if found['switches_missing'] is not None:
        raise Skip(f'no switches here: {found["switches_missing"]}')
    return found


def long_ones(found):
    return [absence for absence in found if absence.end - absence.begin > 50 * MS]


def is_a_nap(absence):
    """Of 200 ms."""
    return 190 * MS < absence.end - absence.begin < 200 * MS + LATE


@test
def a_sleep_is_one_absence():
    for name in 'tsc', 'monotonic':
        need_switches()
        result = record(program('switches'), 'sleep', options=['--clock', name])
        if 'time stamp counter' in result.stderr:
            continue
        equal(result.returncode, 0, result.stderr)
        thread = [process for process in info()['process'] if process['parent'] is not None][0]
        slept = long_ones(absences('out.trace', thread['thread']))
        equal(len(slept), 1, f'{name}: absences of the thread that slept')
        holds(is_a_nap(slept[0]) and not slept[0].preempted, slept)
        # It lies between the events before and after it, to the nanosecond.
        events = json.loads(run('sql', 'out.trace', f'SELECT operation, begin, "end" FROM event WHERE process ='
                                f' {thread["id"]} ORDER BY ordinal', '--json'))
        before = [event for event in events if event['operation'] == 'unlock'][0]['end']
        after = [event for event in events if event['operation'] == 'lock'][1]['begin']
        holds(before <= slept[0].begin and slept[0].end <= after, f'{before} {slept} {after}')
        holds(after - before < 200 * MS + LATE, 'the events are near')


@test
def info_sums_absences_up():
    found = need_switches()
    holds(300 * MS < found['switches_blocked'] < 400 * MS + LATE, f'thread and main: {found["switches_blocked"]}')
    contains(run('info', 'need.trace'), ' preempted, ')
    equal(found['problems'], 0, 'problems')
    equal(lightcone('check', 'need.trace').returncode, 0, 'check')
    file, = switches('need.trace')
    equal((file.refused, file.lost), (0, 0), 'the file')
    holds(file.end >= found['span']['end'], 'closed after the last event')
    equal(int(settings('need.trace')['switches']['recorded']), sum(map(len, file.threads.values())), 'trace.ini')


@test
def preemption_is_what_the_kernel_counts():
    need_switches()
    result = record(program('switches'), 'busy', '4', '300')
    equal(result.returncode, 0, result.stderr)
    lines = [line.split() for line in result.stdout.splitlines()]
    equal(len(lines), 4, result.stdout)
    for thread, delay in lines:
        preempted = sum(absence.end - absence.begin for absence in absences('out.trace', int(thread))
                        if absence.preempted)
        holds(int(delay) > 50 * MS and abs(preempted - int(delay)) < int(delay) / 10,
              f'{thread}: {preempted}, and the kernel says {delay}')


@test
def bytes_and_limits():
    need_switches()
    result = record(program('switches'), 'turns', '20000')
    equal(result.returncode, 0, result.stderr)
    found = info()
    # Who finds the other's byte already there does not sleep.
    holds(found['switches_recorded'] >= 38000, f'each turn is two: {found["switches_recorded"]}')
    holds(os.path.getsize('out.trace/switches-0') / found['switches_recorded'] / 2 < 8.2, 'bytes a switch')
    result = record(program('switches'), 'turns', '200000', options=['--max-size', '1M'], output='small.trace')
    equal(result.returncode, 0, result.stderr)
    sizes = sum(os.path.getsize(path) for path in glob.glob('small.trace/**', recursive=True) if os.path.isfile(path))
    holds(sizes < 1.1e6, f'bytes of the trace: {sizes}')
    lost = int(settings('small.trace')['switches']['lost'])
    holds(lost > 0, 'what had no room')
    result = lightcone('check', 'small.trace')
    equal(result.returncode, 1, result.stdout)
    contains(result.stdout, 'switches could not be recorded')
    contains(result.stdout, f'{lost} of them')


@test
def absences_of_children():
    need_switches()
    equal(record(program('switches'), 'fork').returncode, 0, 'fork')
    child = [process for process in info()['process'] if process['pid'] != info()['process'][0]['pid']][0]
    slept = long_ones(absences('out.trace', child['thread']))
    equal(len(slept), 1, 'absences of the child')
    holds(is_a_nap(slept[0]), slept)
    equal(record('sh', '-c', f'{program("switches")} sleep; {program("switches")} sleep; :').returncode, 0, 'children')
    found = info()
    holds(found['switches_blocked'] > 600 * MS, f'two programs that a shell starts: {found["switches_blocked"]}')


@test
def absences_of_the_killed():
    need_switches()
    equal(record(program('switches'), 'killed').returncode, -signal.SIGKILL, 'killed')
    found = info()
    holds(found['switches_blocked'] > 300 * MS, found['switches_blocked'])
    holds(switches()[0].end is not None, 'closed')


@test
def many_threads_one_after_the_other():
    need_switches()
    equal(record(program('switches'), 'reuse', '300').returncode, 0, 'reuse')
    files, missed = switches(), []
    lost = sum(file.lost for file in files)
    for process in info()['process'][1:]:
        found = [absence for file in files for absence in file.threads.get(process['thread'], [])]
        # On a busy machine it may lose its processor on its way to sleep: one nap, two absences.
        slept = [absence for absence in found if absence.end - absence.begin > 0.5 * MS]
        if sum(absence.end - absence.begin for absence in found) < 0.9 * MS:
            missed.append((process, found))
        # On its way out of the system, after its end, it may lose its processor, too.
        holds(not slept or any(process['begin'] <= absence.begin and absence.end <= process['end']
                               for absence in slept), f'{process} {found}')
    holds(len(missed) <= lost, f'{lost} reports were lost, and these did not sleep: {missed}')


@test
def without_switches():
    equal(record(program('switches'), 'sleep', options=['--no-switches']).returncode, 0, 'recorded')
    equal(glob.glob('out.trace/switches-*'), [], 'files')
    found = info()
    equal((found['switches_recorded'], found['switches_missing']), (None, '--no-switches'), 'info')
    contains(run('info', 'out.trace'), 'not recorded (--no-switches)')


@test
def the_system_may_refuse():
    need_switches()
    for files in range(10, 64):
        result = record(program('switches'), 'sleep',
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
        if result.returncode == 0 and settings('out.trace').has_option('switches', 'recorded'):
            break
    equal(result.returncode, 0, result.stderr)
    found = info()
    contains(found['switches_missing'], 'descriptor')
    equal(found['switches_recorded'], None, 'switches')
    holds(found['events'] >= 8 and found['lost'] == 0, 'events are recorded all the same')
    equal([file.refused != 0 and not file.threads for file in switches()], [True], 'the file says so, too')
    contains(run('info', 'out.trace'), 'not recorded (it takes a descriptor')


@test
def only_the_newest():
    need_switches()
    recording = start(program('switches'), 'turns', '1000000000', options=['--keep', '400ms'])
    try:
        eventually(lambda: os.path.exists('out.trace/switches-40'), 'one of the files after a second')
        holds(len(glob.glob('out.trace/switches-*')) < 30, 'old files')
        holds(not os.path.exists('out.trace/switches-0'), 'the first one is dropped')
        result = lightcone('control', 'out.trace', 'dump', '-o', 'copy.trace')
        equal(result.returncode, 0, result.stderr)
        # What came last is in the copy.
        files = switches('copy.trace')
        last = max(absence.end for file in files for thread in file.threads.values() for absence in thread)
        gap = int([value for _, value in settings('copy.trace').items('gaps')][-1].split(';')[0])
        holds(last > gap - 300 * MS, f'the last absence ends at {last}, the copy at {gap}')
        holds(info('copy.trace')['switches_recorded'] > 1000, 'absences in the copy')
        equal([file.end is None for file in files].count(True), 0, 'files that nobody has closed')
    finally:
        os.kill(child_of(recording.pid), signal.SIGKILL)
        recording.communicate(timeout=PATIENCE)
    found = info()
    holds(found['switches_recorded'] > 1000, 'absences at the end')
    # On a machine that is busy with others, reports of so many switches may find no room.
    problems = json.loads(lightcone('check', '--json', 'out.trace').stdout)['problem']
    equal({problem['name'] for problem in problems} - {'switches-lost'}, set(), problems)


@test
def a_recorder_that_is_killed():
    need_switches()
    recording = start(program('switches'), 'turns', '1000000000')
    eventually(lambda: os.path.exists('out.trace/switches-0') and os.path.getsize('out.trace/switches-0') > 100000,
               'a file')
    child = child_of(recording.pid)
    recording.kill()
    os.kill(child, signal.SIGKILL)
    recording.communicate(timeout=PATIENCE)
    eventually(lambda: not os.path.exists(f'/proc/{child}') or not is_alive(child), 'the end of the program')
    found = info()
    holds(found['switches_recorded'] > 1000, found['switches_recorded'])
    contains(json.dumps(json.loads(lightcone('check', '--json', 'out.trace').stdout)['problem']), 'switches-open')


@test
def ranks_have_files_of_their_own():
    need_switches()
    ranks = []
    for rank in range(2):
        environment = {**os.environ, 'OMPI_COMM_WORLD_SIZE': '2', 'OMPI_COMM_WORLD_LOCAL_SIZE': '2',
                       'OMPI_COMM_WORLD_RANK': str(rank), 'OMPI_COMM_WORLD_LOCAL_RANK': str(rank),
                       'PMIX_NAMESPACE': 'switches'}
        ranks.append(subprocess.Popen([LIGHTCONE, 'record', '--no-calibrate', '-o', 'out.trace', '--',
                                       program('switches'), 'sleep'], env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        time.sleep(0.05)
    for rank in ranks:
        equal((rank.communicate(timeout=PATIENCE)[1], rank.returncode)[1], 0, 'the end of a rank')
    equal(len(switches()), 2, 'files')
    found = info()
    equal(len(found['process']), 4, 'processes')
    # Whoever loses its processor on its way to sleep is preempted for that part of its nap.
    holds(600 * MS < found['switches_blocked'] < 800 * MS + LATE, found['switches_blocked'])
    equal(found['problems'], 0, 'problems')


# The first one holds `m` to 100, and is preempted from 20 to 60 and from 90 to 95; of that, the second one, which waits
# from 50 on, sees 15; the third, which waits for the second, sees 5.
HELD = {'a': '0 10 lock m 1\n%absent 20 60 preempted\n%absent 70 80 blocked\n%absent 90 95 preempted\n'
             '100 100 unlock m 1 at=a@x.c:1\n',
        'b': '50 110 lock m 2 contended=1 at=b@x.c:2\n%absent 120 125 preempted\n130 130 unlock m 2 at=b@x.c:2\n',
        'c': '%switches\n60 140 lock m 3 contended=1 at=c@x.c:3\n150 150 unlock m 3\n'}


@test
def holders_without_a_processor():
    write('held', HELD)
    rows = json.loads(run('stats', 'held', 'waits', '--by', 'process', '--json'))['wait']
    equal({row['group']: (row['waited'], row['preempted']) for row in rows}, {'b': (50, 15), 'c': (70, 5)})
    rows = json.loads(run('stats', 'held', 'waits', '--json'))['wait']
    equal([(row['group'], row['waited'], row['preempted']) for row in rows], [('m', 120, 20)])
    # Of the 70 ns that c waits from 60 on, a has those to 100, as b waits for it, and is preempted for 5 of them.
    rows = json.loads(run('stats', 'held', 'blame', '--json'))['blame']
    equal(sorted((row['waiter_function'], row['blamed_function'], row['time'], row['preempted']) for row in rows),
          [('b', 'a', 50, 15), ('c', 'a', 40, 5), ('c', 'b', 30, 5)])
    run('approximate', 'held', '--set', 'overhead.*=0;0;0')
    found = json.loads(run('explain', 'held', 'b:0', '--json'))
    equal((found['measured_after']['name'], found['measured_waited'], found['measured_preempted']), ('a', 50, 15))
    contains(run('explain', 'held', 'c:0'), 'had no processor for')
    write('unknown', {name: ''.join(line + '\n' for line in text.split('\n') if not line.startswith('%'))
                      for name, text in HELD.items()})
    equal([row['preempted'] for row in json.loads(run('stats', 'unknown', 'waits', '--json'))['wait']], [0])


# Of the first one's 90 ns between its events, 40 are preempted, and 20 of its `advance`; the second one waits for it.
CROWDED = {'a': '0 10 lock m 1\n%absent 20 60 preempted\n%absent 70 80 blocked\n100 100 unlock m 1\n'
                '110 210 advance A 0\n%absent 130 150 preempted\n',
           'b': '%switches\n50 110 lock m 2 contended=1\n120 120 unlock m 2\n'}


@test
def preemption_is_taken_off():
    write('crowded', CROWDED)
    nothing = ('--set', 'overhead.*=0;0;0')
    found = json.loads(run('approximate', 'crowded', *nothing, '--name', 'kept', '--json'))
    equal((found['approximated_total'], found['preempted']), (210, 0), 'as measured')
    without = (*nothing, '--set', 'preemption=remove')
    found = json.loads(run('approximate', 'crowded', *without, '--name', 'free', '--json'))
    equal((found['approximated_total'], found['preempted'], found['warnings']), (150, 60, []), 'without preemption')
    equal([(row['name'], row['preempted'], row['end']) for row in found['processes']], [('a', 60, 150), ('b', 0, 80)])
    equal(timeline('crowded', 'free'), {'a': [(0, 10, 0), (60, 60, 0), (70, 150, 0)], 'b': [(50, 70, 10), (80, 80, 0)]})
    states = json.loads(run('sql', 'crowded', "SELECT state, begin, \"end\" FROM state WHERE process = 0 AND"
                            " timeline = 'free' AND state IN ('preempted', 'unseen')", '--json'))
    equal([tuple(row.values()) for row in states], [('unseen', 30, 40)], 'what is left of the times off the processor')
    found = json.loads(run('approximate', 'crowded', *nothing, '--set', 'processors.preemption=remove', '--model',
                           'time', '--json'))
    equal([row['end'] for row in found['processes']], [150, 120], 'model time')
    contains(run('approximate', 'crowded', *without), 'Preemption removed')
    contains(refuse('approximate', 'crowded', '--set', 'preemption=off'), 'keep, remove')
    write('half', {**CROWDED, 'b': CROWDED['b'].replace('%switches\n', '')})
    found = json.loads(run('approximate', 'half', *without, '--json'))
    equal((found['approximated_total'], len(found['warnings'])), (150, 1))
    contains(found['warnings'][0], '1 process')


@test
def a_crowd_without_preemption():
    need_switches()
    equal(record(program('switches'), 'work', '4', '60').returncode, 0, 'four threads')
    found = json.loads(run('approximate', 'out.trace', '--set', 'preemption=remove', '--json'))
    measured, approximated = found['measured_total'], found['approximated_total']
    holds(measured > 4 * 59 * MS, f'they share a processor: {measured}')
    # Each computes for 60 ms; how long a thread that is woken waits for a busy processor stays.
    holds(59 * MS <= approximated < measured / 2, f'{approximated} of {measured}')
    preempted = sorted(row['preempted'] for row in found['processes'])
    holds(preempted[-3] >= 50 * MS, f'preempted: {preempted}')


if __name__ == '__main__':
    main()
