#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone calibrate measures, and what becomes of it."""
import configparser
import ctypes
import functools
import json
import os
import shutil
import subprocess
import time

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, program, test

WAITING = {'lock', 'read-start', 'write-start', 'wait', 'condition-wait', 'await', 'barrier', 'recv', 'ssend', 'start',
           'join', 'futex-wait'}
INSTANTS = {'unlock', 'read-end', 'write-end', 'post', 'signal', 'broadcast', 'advance', 'tag', 'enter', 'leave',
            'futex-wake'}
MARKS = {'tag', 'enter', 'leave'}
OTHERS = {'lock-failed', 'read-failed', 'write-failed', 'wait-failed', 'condition-wait-failed', 'send', 'create',
          'exit', 'read', 'write', 'pipe-read', 'pipe-write', 'poll', 'futex-wait-failed'}
OPENMP = {'fork', 'team-start', 'team-end', 'team-join', 'chunk', 'task-create', 'task-start', 'task-end', 'task-wait'}
SHARED = {'lock', 'unlock', 'barrier', 'advance', 'await'}  # by OpenMP's wrappers and others
OPENMP_WAITS = {'lock', 'await', 'team-start', 'team-join'} if len(os.sched_getaffinity(0)) > 1 else set()
OPENMP_INSTANTS = {'fork', 'team-end', 'task-create', 'task-end'}
OF_THEMSELVES = {'exit', 'futex-wait-failed', 'team-end', 'task-end'}  # nothing is known of what they take
FUTEXES = {'futex-wait', 'futex-wake', 'futex-wait-failed'}
PIPES = {'read', 'pipe-read', 'pipe-write'}
SLOW = {'create', 'start', 'exit', 'join', 'write', 'poll'} | PIPES | FUTEXES  # the kernel does most of it

SANITIZED = os.environ.get('LIGHTCONE_TEST_SANITIZED') == '1'
TRIES = 7
MANY_TRIES = 20
FEWEST_TRIES = 3  # before the least of all is believed


def calibrate(*options):
    result = lightcone('calibrate', '--quick', *options)
    equal((result.returncode, result.stderr), (0, ''), 'calibrate')
    return result.stdout


@functools.lru_cache(maxsize=None)
def measured(attempt=0):
    return json.loads(calibrate('--json', '-o', f'{attempt}.ini'))


def rows(attempt=0):
    return {(row['operation'], row['interface']): row for row in measured(attempt)['operations']}


def overhead(row):
    return sum(row[part]['median'] for part in ('before', 'inside', 'after') if row[part])


def read_ini(path):
    ini = configparser.ConfigParser(delimiters=('=',), comment_prefixes=('#',), interpolation=None)
    ini.optionxform = str
    with open(path, encoding='utf-8') as file:
        ini.read_file(file)
    return {group: dict(ini[group]) for group in ini.sections()}


def numbers(text):
    return [float(number) for number in text.split(';')]


def cache():
    return os.path.join(os.environ['XDG_CACHE_HOME'], 'lightcone', 'calibration.ini')


def recorded(*options, **environment):
    """trace.ini of a recording that may calibrate first."""
    result = lightcone('record', '--replace', '-q', '-o', 'out.trace', *options, '--', 'true',
                       env={**os.environ, **environment})
    equal((result.returncode, result.stderr), (0, ''), 'record')
    return read_ini('out.trace/trace.ini')


def has_openmp():
    try:
        ctypes.CDLL('libgomp.so.1')
    except OSError:
        return False
    return True


def is_trapped(found):
    return any(interface == 'trapped' for _, interface in found)


def needs_timing():
    if SANITIZED:
        raise Skip('times of a sanitized build mean nothing')


@test
def every_operation_has_plausible_numbers():
    needs_timing()
    equal({operation for operation, _ in rows()}, WAITING | INSTANTS | OTHERS | (OPENMP if has_openmp() else set()))
    equal({operation for operation, interface in rows() if interface == 'openmp'},
          OPENMP | SHARED if has_openmp() else set())
    assert not is_trapped(rows()) or FUTEXES == {one for one, interface in rows() if interface == 'trapped'}, rows()
    for (operation, interface), row in rows().items():
        for part in ('before', 'inside', 'after', 'nowait', 'wait'):
            if row[part] is None:
                continue
            assert 0 <= row[part]['low'] <= row[part]['median'] <= row[part]['high'], (operation, interface, row)
            if operation not in SLOW and part != 'wait':
                assert row[part]['median'] < 2000, (operation, interface, row)
        waits = OPENMP_WAITS if interface == 'openmp' else WAITING if interface != 'trapped' else set()
        equal(row['wait'] is not None, operation in waits, f'{operation} has a wait')


@test
def what_is_asked_of_a_pipe_costs_more_than_a_lock():
    needs_timing()
    found = {(row['operation'], row['interface']): row
             for row in json.loads(calibrate('--json', '-o', 'here.ini'))['operations']}
    ini = read_ini('here.ini')
    for operation in PIPES:
        assert overhead(found[operation, 'pipe']) > overhead(found['lock', 'pthread']), (operation, found)
    for operation in PIPES | {'write', 'poll'}:
        row = found[operation, 'pipe' if operation in PIPES else 'file']
        written = numbers(ini['overhead'][operation])
        for part, number in zip(('before', 'inside', 'after'), written):
            assert abs(number - row[part]['median']) < 0.06, (operation, part, written, row)


@test
def a_trapped_call_costs_more_than_one_by_the_c_library():
    needs_timing()
    if not is_trapped(rows()):
        raise Skip('nothing can be trapped here')
    for attempt in range(TRIES):
        found = rows(attempt)
        if all(overhead(found[one, 'trapped']) > 3 * overhead(found[one, 'futex']) for one in FUTEXES):
            return
    assert False, found


@test
def an_instant_has_no_inside():
    for (operation, interface), row in rows().items():
        if operation in INSTANTS | OPENMP_INSTANTS:
            equal(row['inside']['median'], 0, f'inside of {operation}, {interface}')
        if operation in MARKS:
            equal(row['nowait'], None, f'the cost of {operation}')


@test
def waiting_takes_longer_than_not_waiting():
    needs_timing()
    for (operation, interface), row in rows().items():
        if operation in WAITING - {'start', 'ssend', 'barrier'} and interface not in ('openmp', 'trapped'):
            assert row['wait_asleep']['median'] > row['nowait']['median'], (operation, interface, row)
        if row['wait_awake'] and row['wait_asleep']:
            assert row['wait_awake']['median'] < row['wait_asleep']['median'], (operation, interface, row)


@test
def the_file_has_the_groups_of_a_trace():
    calibrate('-o', 'made/here.ini')
    found = read_ini('made/here.ini')
    openmp = OPENMP if has_openmp() else set()
    equal(set(found) - {'trapped'}, {'overhead', 'cost', 'barrier', 'machine'} | ({'openmp'} if openmp else set()))
    equal(set(found['overhead']), {'*'} | WAITING | INSTANTS | OTHERS | openmp)
    equal(set(found['cost']), {'copy'} | WAITING | INSTANTS - MARKS | (OTHERS | openmp) - OF_THEMSELVES)
    equal(set(found.get('openmp', {})), OPENMP | SHARED if openmp else set())
    assert set(found.get('trapped', FUTEXES)) == FUTEXES, found
    for group in ('overhead', 'openmp', 'trapped'):
        for name, text in found.get(group, {}).items():
            equal(len(numbers(text)), 4 if group == 'openmp' and name in OPENMP_WAITS else 3, f'{group} of {name}')
    for name, text in found['cost'].items():
        equal(len(numbers(text)), 2 if name in WAITING | OPENMP_WAITS else 1, f'cost of {name}')
    assert min(min(numbers(text)) for group in ('overhead', 'cost') for text in found[group].values()) >= 0, found
    equal((found['barrier']['exit'], set(found['barrier'])), ('linear', {'exit', 'beta'}))


@test
def people_get_a_table():
    text = calibrate()
    contains(text, '\nOperation              Interface ')
    contains(text, '\nlock                   pthread ')
    contains(text, f'Kept in {cache()}\n')


@test
def two_measurements_agree():
    needs_timing()
    for attempt in range(TRIES):
        first, second = (overhead(rows(attempt + i)[('lock', 'pthread')]) for i in (0, 1))
        if 2 / 3 < first / second < 1.5:
            return
    assert False, (first, second)


@test
def what_is_measured_is_what_a_recorded_loop_takes_longer():
    needs_timing()
    # Whatever disturbs one of them makes it longer, and never all tries alike.
    bare, recorded_loop, predicted = [], [], []
    for attempt in range(MANY_TRIES):
        bare.append(float(subprocess.run([program('calibrate-loop')], capture_output=True, text=True,
                                         check=True).stdout))
        recorded_loop.append(float(lightcone('record', '-q', '--no-calibrate', '--replace', '-o', 'loop.trace', '--',
                                             program('calibrate-loop')).stdout))
        predicted.append(overhead(rows(attempt)[('lock', 'pthread')]) + overhead(rows(attempt)[('unlock', 'pthread')]))
        longer = min(recorded_loop) - min(bare)
        if attempt + 1 >= FEWEST_TRIES and 0.85 <= min(predicted) / longer <= 1.15:
            return
    assert False, (bare, recorded_loop, predicted)


@test
def one_processor_is_enough():
    if not shutil.which('taskset'):
        raise Skip('no taskset')
    result = subprocess.run(['taskset', '-c', str(min(os.sched_getaffinity(0))), LIGHTCONE, 'calibrate', '--quick',
                             '--json', '-o', 'one.ini'], capture_output=True, text=True, timeout=PATIENCE)
    equal((result.returncode, result.stderr), (0, ''))
    equal([row['operation'] for row in json.loads(result.stdout)['operations'] if row['wait_awake']], [])


@test
def the_first_recording_measures_and_the_next_ones_do_not():
    first = recorded(XDG_CACHE_HOME=os.path.abspath('cache'))
    kept = read_ini('cache/lightcone/calibration.ini')
    before = os.stat('cache/lightcone/calibration.ini')
    second = recorded(XDG_CACHE_HOME=os.path.abspath('cache'))
    after = os.stat('cache/lightcone/calibration.ini')
    for group in ('overhead', 'cost', 'barrier', *(one for one in ('openmp', 'trapped') if one in kept)):
        equal((first[group], second[group]), (kept[group], kept[group]), group)
    equal((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns), 'the file in the cache')


@test
def without_calibration_a_trace_says_nothing_of_costs():
    found = recorded('--no-calibrate', XDG_CACHE_HOME=os.path.abspath('cache'))
    equal({'overhead', 'cost'} & set(found), set())
    equal(os.path.exists('cache'), False, 'a cache')


@test
def another_recorder_is_measured_again():
    library = os.environ.get('LIGHTCONE_TEST_RECORDER')
    if not library:
        raise Skip('LIGHTCONE_TEST_RECORDER does not say where the recorder is')
    shutil.copy(library, 'other.so')
    own = {'XDG_CACHE_HOME': os.path.abspath('cache'), 'LIGHTCONE_RECORD_LIBRARY': os.path.abspath('other.so')}
    recorded(**own)
    first = read_ini('cache/lightcone/calibration.ini')['machine']
    os.utime('other.so', (1, 1))
    equal('overhead' in recorded('--no-calibrate', **own), False, 'the numbers of another recorder are used')
    recorded(**own)
    second = read_ini('cache/lightcone/calibration.ini')['machine']
    equal((second['recorder_changed'], second['recorder_size']), ('1000000', first['recorder_size']))


@test
def another_kernel_is_measured_again():
    own = {'XDG_CACHE_HOME': os.path.abspath('cache')}
    recorded(**own)
    with open('cache/lightcone/calibration.ini', encoding='utf-8') as file:
        text = file.read()
    kernel = read_ini('cache/lightcone/calibration.ini')['machine']['kernel']
    for damaged in (text.replace(kernel, '1.0'), text.replace('[cost]', '[other]'), text[:100], ''):
        with open('cache/lightcone/calibration.ini', 'w', encoding='utf-8') as file:
            file.write(damaged)
        equal('overhead' in recorded('--no-calibrate', **own), False, 'numbers that are not about this are used')
    equal('overhead' in recorded(**own), True)
    equal(read_ini('cache/lightcone/calibration.ini')['machine']['kernel'], kernel)


@test
def a_cache_that_cannot_be_written_is_no_obstacle_to_recording():
    equal('overhead' in recorded(XDG_CACHE_HOME='/proc/none'), True)
    result = lightcone('calibrate', '--quick', env={**os.environ, 'XDG_CACHE_HOME': '/proc/none'})
    equal(result.returncode, 2)
    contains(result.stderr, 'lightcone: /proc/none/lightcone: ')


@test
def without_a_recorder_nothing_can_be_measured():
    result = lightcone('calibrate', env={**os.environ, 'LIGHTCONE_RECORD_LIBRARY': '/none.so'})
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, '/none.so: the recorder is not there')


@test
def a_calibration_can_itself_be_recorded():
    result = lightcone('record', '-q', '--no-calibrate', '-o', 'out.trace', '--', LIGHTCONE, 'calibrate', '--quick',
                       '-o', 'nested.ini')
    equal(result.returncode, 0, result.stderr)
    equal('overhead' in read_ini('nested.ini'), True)


@test
def a_busy_machine_is_told():
    busy = [subprocess.Popen(['sh', '-c', 'while :; do :; done']) for _ in range(2 * os.cpu_count())]
    try:
        found, shown = json.loads(calibrate('--json', '-o', 'busy.ini')), calibrate('-o', 'busy.ini')
    finally:
        for process in busy:
            process.kill()
            process.wait()
    equal(0.2 < float(found['machine']['others']) <= 1, True, f'what others had: {found["machine"]["others"]}')
    contains(shown, '% of the processors meanwhile')


@test
def numbers_of_a_busy_machine_are_measured_again_after_a_while():
    def is_busy():
        return os.getloadavg()[0] > len(os.sched_getaffinity(0)) / 2

    recorded()
    kept = read_ini(cache())
    kept['machine']['others'] = '0.9'
    for age, again in (0, False), (700, True):
        with open(cache(), 'w', encoding='utf-8') as file:
            file.write(''.join(f'[{group}]\n' + ''.join(f'{key}={value}\n' for key, value in keys.items())
                               for group, keys in kept.items()))
        os.utime(cache(), (time.time() - age,) * 2)
        was_busy = is_busy()
        recorded()
        # While others have the processors they give no better numbers. The load may have crossed the limit meanwhile.
        if is_busy() == was_busy:
            equal(read_ini(cache())['machine']['others'] != '0.9', again and not was_busy,
                  f'whether {age} s old numbers are measured again, busy: {was_busy}')


main()
