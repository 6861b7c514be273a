#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone predict --sizes says of runs whose growth is known."""
import json
import os
import sys

from cli import contains, equal, lightcone, main, record, test

SIZES = (4, 16, 64, 256)
TARGET = 1024


def write(name, processes):
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def series(name, make, sizes=SIZES):
    """One trace for each size; `make` gives its processes."""
    for size in sizes:
        write(f'{name}-{size}', make(size))
    return ['--sizes', ','.join(map(str, sizes)), *(f'{name}-{size}' for size in sizes), '--timeline', 'measured']


def predict(*arguments):
    result = lightcone('predict', '--json', *arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of predict {arguments}')
    return json.loads(result.stdout)


def tags(number, computing):
    """Something that is no tag, and then tags, each after so much computing."""
    return '0 0 lock m 0\n' + ''.join(f'{i * computing} {i * computing} tag value={i}\n' for i in range(1, number + 1))


def find_part(found, operation):
    return next(part for part in found['parts'] if part['operation'] == operation)


def kinds(found):
    return [warning['kind'] for warning in found['warnings']]


def near(value, expected, what):
    assert abs(value - expected) <= 1e-6 * expected + 1, f'{what}: {value}, expected {expected}'


LOGARITHM = {4: 1, 16: 2, 64: 3, 256: 4, 1024: 5}
LAWS = {
    'constant': lambda n: 7,
    'log': lambda n: 100 + 50 * LOGARITHM[n],
    'linear': lambda n: 100 + 3 * n,
    'linear-log': lambda n: 5 * n * LOGARITHM[n],
    'square': lambda n: 10 + n * n,
    'cube': lambda n: 9 + 2 * n ** 3,
    'power': lambda n: round(n ** 1.5),
}


@test
def laws_are_found_and_go_on():
    """What each of n events computes grows by each of the laws; the larger run has exactly what they say."""
    for law, grows in LAWS.items():
        found = predict('--for', str(TARGET), '--processes', '1,2', '--quantum', '1000s',
                        *series(law, lambda n: {f'worker{i}': tags(n, grows(n)) for i in (1, 2)}))
        part = find_part(found, 'tag')
        equal((part['processes'], part['events']['law'], part['computing']['law'], part['waiting']['law']),
              ('worker*', 'linear', law, 'constant'), f'laws of {law}')
        work = 2 * TARGET * grows(TARGET)
        for row, time in zip(found['predicted'], (work, work / 2)):
            near(row['work'], work, f'work of {law}')
            near(row['time'], time, f'time of {law} on {row["processors"]}')
            near(row['speed_up'], row['processors'], f'speed-up of {law}')
        equal([row['size'] for row in found['tried']], [256, 256], f'tried with {law}')
        for row in found['tried']:
            near(row['ratio'], 1, f'the largest run from the smaller ones, of {law}')


@test
def numbers_of_events_grow_too():
    """n² events of which each takes n: the power of the whole is not that of its parts."""
    found = predict('--for', '32', '-p', '1',
                    *series('count', lambda n: {'main': tags(n * n, 3 * n)}, sizes=(2, 4, 8, 16)))
    part = find_part(found, 'tag')
    equal((part['events']['law'], part['computing']['law'], found['work']['law']), ('square', 'linear', 'cube'), 'laws')
    near(found['predicted'][0]['time'], 3 * 32 ** 3, 'time')
    equal((found['predicted'][0]['low'], found['predicted'][0]['high']), (3 * 32 ** 3,) * 2, 'interval')


@test
def waiting_grows_by_its_own_law():
    """a computes n² and hands the lock to b, who waits for it from the begin on, and computes n."""
    def make(n):
        square = n * n
        return {'a': f'0 0 lock m 0\n{square} {square} unlock m 0\n',
                'b': f'0 {square} lock m 1\n{square + n} {square + n} unlock m 1\n'}

    found = predict('--for', '1024', '-p', '1,2', *series('handed', make))
    laws = {(part['processes'], part['operation']): part for part in found['parts']}
    equal((laws['a', 'unlock']['computing']['law'], laws['b', 'unlock']['computing']['law'],
           laws['b', 'lock']['waiting']['law']), ('square', 'linear', 'square'), 'laws')
    for row in found['predicted']:
        near(row['span'], 1024 ** 2 + 1024, 'span')
        near(row['time'], 1024 ** 2 + 1024, 'time')


@test
def another_process_may_be_the_slowest_in_each_run():
    """No part has a law, but the whole has."""
    found = predict('--for', '1024', '-p', '1,4', '--quantum', '1000s', *series('turns', lambda n: {
        name: tags(1, (1000 if SIZES[i] == n else 10) * n) for i, name in enumerate('abcd')}))
    for row in found['predicted']:
        near(row['work'], 1030 * 1024, 'work')
        near(row['span'], 1000 * 1024, 'span')


@test
def a_time_stays_between_its_bounds_where_it_was():
    """Four equal ones on three processors: after the first three, one is left, at each size."""
    found = predict('--for', '1024', '-p', '3', '--quantum', '1000s',
                    *series('four', lambda n: {f'p{i}': tags(1, 1000 * n) for i in range(4)}))
    near(found['predicted'][0]['time'], 2 * 1000 * 1024, 'time')


@test
def parts_sum_up_to_the_work():
    """Of a program that was recorded, on both timelines."""
    for size in (20, 30, 40):
        record(os.path.join(os.environ['LIGHTCONE_EXAMPLES'], 'gauss'), '--size', str(size), output=f'g{size}',
               options=['--no-io'])
    for more in ((), ('--timeline', 'measured')):
        found = predict('--sizes', '20,30,40', 'g20', 'g30', 'g40', '--for', '80', *more)
        for i, run in enumerate(found['runs']):
            equal(sum(part['runs'][i]['computing'] for part in found['parts']), run['work'], f'work of {run["trace"]}')
            path = sum(part['runs'][i]['path'] for part in found['parts'])
            assert abs(path - run['span']) <= len(found['parts']), f'critical path of {run["trace"]}: {path}'
            equal(run['timeline'], more[1] if more else 'event', 'timeline')
        equal((kinds(found)[0], found['tried']), ('few-sizes', []), 'three sizes')


@test
def what_is_doubtful_is_said():
    def make(n):
        return {'main': tags(n, 5)}

    equal(kinds(predict('--for', '512', *series('good', make))), [], 'nothing is')
    equal(kinds(predict('--for', '1025,3', '-p', '1', *series('far', make))), ['far', 'below'], 'targets')
    equal(kinds(predict('--for', '15', *series('narrow', make, sizes=(10, 11, 12)))), ['few-sizes', 'narrow-sizes'],
          'sizes')
    uneven = {4: 100, 16: 900, 64: 200, 256: 5000}
    contains(kinds(predict('--for', '1024', *series('uneven', lambda n: {'main': tags(1, uneven[n])}))), 'ambiguous')
    found = predict('--for', '512', *series('more', lambda n: {f'p{i}': tags(n, 5) for i in range(1 if n < 9 else 2)}))
    equal(kinds(found)[0], 'processes', 'processes')
    found = predict('--for', '512', *series('late', lambda n: {'main': tags(4, 5) if n < 64 else
                                                               tags(4, 5) + '90 90 unlock m 0\n'}))
    assert 'unknown-parts' in kinds(found), kinds(found)
    equal(find_part(found, 'unlock')['computing']['is_known'], False, 'a part of two sizes')


@test
def runs_of_one_size_are_averaged():
    """The order of the runs does not matter, and a size may have several."""
    for name, size, computing in (('s1', 8, 90), ('s2', 2, 20), ('s3', 4, 40), ('s4', 8, 70), ('s5', 16, 160)):
        write(name, {'main': tags(size, computing)})
    found = predict('--sizes', '8,2,4,8,16', 's1', 's2', 's3', 's4', 's5', '--for', '32', '-p', '1',
                    '--timeline', 'measured')
    row = found['predicted'][0]
    assert row['low'] <= 32 * 320 <= row['high'], row


@test
def people_and_tables_are_told_the_same():
    arguments = ['--for', '1024', '-p', '1,2', *series('told', lambda n: {f'worker{i}': tags(n, n) for i in (1, 2)})]
    text = lightcone('predict', *arguments)
    equal((text.returncode, text.stderr), (0, ''), 'text')
    for words in ('worker*', 'tag', 'Computing of each', 'Predicted', 'Tried out', '1,024'):
        contains(text.stdout, words)
    lines = lightcone('predict', *arguments, '--csv').stdout.splitlines()
    equal(lines[0], 'size,processors,time,low,high,work,span,speed_up,efficiency', 'columns')
    equal([line.split(',')[:2] for line in lines[1:]], [['1024', '1'], ['1024', '2']], 'lines')
    result = lightcone('predict', *arguments, '--limit', '1')
    contains(result.stdout, '--limit')
    few = lightcone('predict', '--sizes', '4,16,64', 'told-4', 'told-16', 'told-64', '--for', '128', '--csv')
    contains(few.stderr, 'three sizes')


@test
def what_makes_no_sense_is_said():
    for size in (1, 2, 3):
        write(f'n{size}', {'main': tags(size, 5)})
    for arguments, words in ((['n1', 'n2'], '“n2” is one trace too many'),
                             (['--for', '3', 'n1'], 'go with --sizes'),
                             (['--limit', '3', 'n1'], 'go with --sizes'),
                             (['--sizes', '1,2', 'n1', 'n2', 'n3', '--for', '9'], '2 sizes for 3 traces'),
                             (['--sizes', '1,2,2', 'n1', 'n2', 'n3', '--for', '9'], 'three different sizes'),
                             (['--sizes', '1,2,3', 'n1', 'n2', 'n3'], 'needs --for'),
                             (['--sizes', '0,2,3', 'n1', 'n2', 'n3', '--for', '9'], '“0” is no number from 1'),
                             (['--sizes', '1,2,3', 'n1', 'n2', 'n3', '--for', 'x'], '“x” is no number'),
                             (['--sizes', '1,2,3', 'n1', 'n2', 'gone', '--for', '9'], 'gone')):
        result = lightcone('predict', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status of predict {arguments}')
        contains(result.stderr, words)


sys.exit(main())
