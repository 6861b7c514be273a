#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Approximations of programs that are recorded here: what every one of them keeps, and sums that agree."""
import json
import os
import shutil
import struct
import subprocess

from cli import equal, lightcone, main, record, test

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
PROPERTIES = os.environ['LIGHTCONE_TEST_PROPERTIES']
DATA = os.environ['LIGHTCONE_TEST_DATA']
MODELS = ('time', 'event', 'optimistic', 'pessimistic', 'liberal')

# Places in a packet (docs/format.md).
PACKET_SIZE, SEARCH = 48, 236
# What the recording is said to have cost: from little to more than there is between some events.
OVERHEAD = '''
[overhead]
*=40.5;12;60
lock=30;9;500
await=2000;40;100.25
'''
# What a timeline has to say of each process: the same as the table of processes.
SUMS = '''SELECT process, count(*) AS events, min(begin) AS begin, max("end") AS "end", sum(waited) AS waiting,
          max(removed) AS removed, sum(reordered) AS reordered FROM event WHERE timeline = '%s' GROUP BY process'''
GAINED = '''SELECT process, gained FROM event AS e WHERE timeline = '%s' AND ordinal =
            (SELECT max(ordinal) FROM event WHERE timeline = '%s' AND process = e.process)'''


def ask(query):
    result = lightcone('sql', '--json', 'out.trace', query)
    equal((result.returncode, result.stderr), (0, ''), query)
    return json.loads(result.stdout)


def sums_agree(model):
    result = lightcone('approximate', '--json', '--model', model, '--name', f'of {model}', 'out.trace')
    equal(result.returncode, 0, result.stderr)
    found = json.loads(result.stdout)
    rows = {row['process']: row for row in ask(SUMS % f'of {model}')}
    began = {row['id']: row['begin'] for row in ask('SELECT id, begin FROM process WHERE followed')}
    waiting = lightcone('stats', '--json', '--timeline', f'of {model}', 'out.trace', 'waiting')
    equal(waiting.returncode, 0, waiting.stderr)
    for process in found['processes']:
        if process['events'] == 0:
            continue
        row = rows[process['process']]
        for key in ('events', 'end', 'waiting', 'removed', 'reordered'):
            equal(row[key], process[key], f'{model}, process {process["process"]}: {key}')
        begin = began.get(process['process'], row['begin'])  # the first process began before its first event
        equal(min(row['begin'], begin), process['begin'], f'{model}, process {process["process"]}: begin')
    equal([row['waiting'] for row in json.loads(waiting.stdout)['process']],
          [process['waiting'] for process in found['processes']])
    equal(max(row['end'] for row in rows.values()) - min(began.values(), default=0), found['approximated_total'])
    equal(sum(row['removed'] for row in rows.values()), found['removed'])
    if model != 'liberal':
        gained = {row['process']: row['gained'] for row in ask(GAINED % ((f'of {model}',) * 2))}
        equal(gained, {each['process']: each['waiting'] - each['measured_waiting'] for each in found['processes']
                       if each['events'] > 0})
    return found


def properties(trace):
    result = subprocess.run([PROPERTIES, trace], capture_output=True, text=True, timeout=300)
    equal(result.returncode, 0, result.stdout + result.stderr)


def approximate_all():
    with open('out.trace/trace.ini', 'a', encoding='utf-8') as file:
        file.write(OVERHEAD)
    for model in MODELS:
        found = sums_agree(model)
        assert found['removed'] > 0 or found['kept'], f'{model} takes nothing off'
    properties('out.trace')


def approximated(name, *arguments, status=0):
    result = record(os.path.join(EXAMPLES, name), *arguments)
    equal(result.returncode, status, result.stderr)
    approximate_all()


@test
def a_barrier_loop():
    approximated('barrier-loop', '--rounds', '40')
    approximated('barrier-loop', '--rounds', '40', '--pthread', '--skew', '5', '--processes', '3')


@test
def a_bounded_buffer():
    approximated('bounded-buffer', '--items', '300')
    approximated('bounded-buffer', '--items', '200', '--semaphores', '--producers', '3', '--consumers', '1')


@test
def doacross_loops():
    for loop in ('3', '4', '17'):
        approximated('livermore', '--loop', loop, '--repeat', '2')
    approximated('livermore', '--loop', '4', '--repeat', '2', '--schedule', 'self', '--instrument', 'full')


@test
def gaussian_elimination():
    approximated('gauss', '--size', '60')
    approximated('gauss', '--size', '40', '--variant', 'faulty', '--workers', '3', status=1)


@test
def master_and_workers():
    approximated('pi', '--darts', '100')
    approximated('pi', '--darts', '100', '--rendezvous', '--workers', '5', '--batches', '20')


@test
def philosophers():
    approximated('philosophers', '--polite')


@test
def forks():
    approximated('nested')


@test
def readers_and_writers():
    approximated('readers-writers', '--rounds', '60')
    approximated('readers-writers', '--rounds', '60', '--crew', '--writers', '2')


def search(trace, *, to=None):
    """The field of the last packet of each process; or sets it in all packets."""
    found = {}
    for name in os.listdir(os.path.join(trace, 'ctf')):
        if not name.startswith('process-'):
            continue
        path = os.path.join(trace, 'ctf', name)
        with open(path, 'rb') as file:
            data = bytearray(file.read())
        place = 0
        while place < len(data):
            found[name] = struct.unpack_from('<I', data, place + SEARCH)[0]
            if to is not None:
                struct.pack_into('<I', data, place + SEARCH, to)
            place += struct.unpack_from('<Q', data, place + PACKET_SIZE)[0] // 8
        if to is not None:
            with open(path, 'wb') as file:
                file.write(data)
    return found


def approximation(trace):
    result = lightcone('approximate', '--json', '--model', 'event', trace)
    equal(result.returncode, 0, result.stderr)
    return json.loads(result.stdout)


@test
def making_objects_and_looking_for_them_is_no_work_of_the_program():
    """The main thread makes 16,384 mutexes before it makes threads, which share them."""
    result = record(os.path.join(EXAMPLES, 'contention'), '--shape', 'tree', '--rounds', '3000')
    equal(result.returncode, 0, result.stderr)
    made = ask("SELECT min(begin) AS begin FROM event WHERE operation = 'create'")[0]['begin']
    pauses = ask("""SELECT count(*) AS n, sum("end" - begin) AS sum FROM event
                    WHERE process = 0 AND operation = 'pause'""")[0]
    assert pauses['n'] > 16000, f'{pauses["n"]} objects were told'
    found = approximation('out.trace')
    removed = found['processes'][0]['removed']
    assert pauses['sum'] <= removed, f'{removed} of {pauses["sum"]} are taken off'
    then = ask("SELECT min(begin) AS begin FROM event WHERE operation = 'create' AND timeline = 'event'")[0]['begin']
    assert then <= made - pauses['sum'], f'the first thread was made at {made}, without the pauses at {then}'

    numbers = search('out.trace')
    assert all(numbers[f'process-{i}'] > 0 for i in (1, 2)), f'{numbers}: threads look for thousands of locks'
    with open('out.trace/trace.ini', 'a', encoding='utf-8') as file:
        file.write('[overhead]\n*=1;1;1\n')  # as a calibration writes it
    search('out.trace', to=0)
    none = [process['removed'] for process in approximation('out.trace')['processes']]
    search('out.trace', to=1 << 16)
    some = [process['removed'] for process in approximation('out.trace')['processes']]
    assert all(some[i] > none[i] for i in (1, 2)), f'removed: {some}; if it takes no time to look: {none}'


@test
def traces_that_are_kept():
    for name in sorted(name for name in os.listdir(DATA) if name.endswith('.trace')):
        shutil.copytree(os.path.join(DATA, name), 'out.trace')
        properties('out.trace')
        approximate_all()
        shutil.rmtree('out.trace')


main()
