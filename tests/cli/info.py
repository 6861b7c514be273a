#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone info says."""
import json
import os
import shutil
import subprocess

from cli import Skip, contains, equal, info, lightcone, main, operations, program, record, test

KEYS = {'trace', 'format', 'state', 'title', 'command', 'started', 'status', 'clock', 'start', 'frequency', 'processes',
        'events', 'objects', 'lost', 'lost_apart', 'not_recorded', 'complete', 'problems', 'wrong_times', 'mpi', 'span',
        'measured_total', 'waiting_total', 'woken_total', 'preempted_total', 'outside_total', 'parallelism',
        'lost_by_reason', 'gap', 'process', 'operation', 'class', 'timeline', 'module', 'sites', 'stacks',
        'clock_correction', 'blocked_total', 'unseen_total', 'switches_recorded', 'switches_preempted',
        'switches_blocked', 'switches_missing', 'futex', 'futex_trouble'}
PROCESS_KEYS = {'id', 'number', 'name', 'parent', 'host', 'pid', 'thread', 'instance', 'file', 'events', 'begin', 'end',
                'lost', 'state', 'pending', 'running', 'runnable', 'blocked', 'switches', 'preemptions', 'unseen',
                'unseen_waits'}
KNOWN = {'lock': 20, 'unlock': 20, 'barrier': 4, 'create': 2, 'start': 2, 'exit': 3, 'join': 2}


def write_text(folder, **files):
    os.makedirs(folder)
    for name, text in files.items():
        with open(f'{folder}/{name}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


@test
def json_has_stable_keys():
    record(program('known'))
    found = info()
    equal(set(found), KEYS)
    equal([set(process) for process in found['process']], [PROCESS_KEYS] * 3)
    equal([set(operation) for operation in found['operation']], [{'id', 'name', 'class', 'events'}] * 7)
    equal([set(entry) for entry in found['class']], [{'name', 'objects'}] * len(found['class']))
    equal(set(found['span']), {'begin', 'end'})


@test
def json_counts_what_was_recorded():
    record(program('known'))
    found = info()
    equal((found['processes'], found['events'], found['lost'], found['problems']), (3, 53, 0, 0))
    equal(operations(), KNOWN)
    equal({entry['name']: entry['objects'] for entry in found['class']}, {'thread': 3, 'barrier': 1, 'mutex': 1})
    equal(found['objects'], 5)
    equal([process['events'] for process in found['process']], [5, 24, 24])
    equal([process['parent'] for process in found['process']], [None, 0, 0])
    equal([process['state'] for process in found['process']], ['ended'] * 3)
    equal((found['state'], found['status'], found['format']), ('complete', 'exit 0', 'ctf'))


@test
def spans_are_from_the_first_begin_to_the_last_end():
    record(program('known'))
    found = info()
    equal(found['span'], {'begin': min(process['begin'] for process in found['process']),
                          'end': max(process['end'] for process in found['process'])})
    equal(found['measured_total'], found['span']['end'] - found['span']['begin'])


@test
def babeltrace_counts_the_same_events_without_a_warning():
    if not shutil.which('babeltrace2'):
        raise Skip('no babeltrace2')
    record(program('known'))
    result = subprocess.run(['babeltrace2', 'out.trace'], capture_output=True, text=True, check=True)
    equal((result.stdout.count('\n'), result.stderr), (info()['events'] - 1, ''))  # main's exit is in its account


@test
def text_traces_are_described_too():
    write_text('text', a='0 0 tag value=16\n1716 3030 await A 0\n', b='100 200 advance A 0\n', c='')
    found = info('text')
    equal((found['format'], found['processes'], found['events'], found['objects']), ('text', 3, 3, 1))
    equal((found['span'], found['measured_total']), ({'begin': 0, 'end': 3030}, 3030))
    equal([process['name'] for process in found['process']], ['a', 'b', 'c'])
    equal((found['title'], found['clock'], found['process'][0]['pid']), (None, None, None))


@test
def what_a_killed_program_waited_for_is_told():
    result = record(program('stuck'))
    equal(result.returncode, -9, 'the status')
    pending = [process['pending'] for process in info()['process'] if process['pending']]
    equal([(one['operation'], one['object_name']) for one in pending], [('lock', 'mutex')])
    text = lightcone('info', 'out.trace').stdout
    contains(text, 'waiting for lock of mutex since ')
    contains(text, '  cut')


@test
def people_get_a_tidy_table():
    write_text('text', **{'first': '0 0 lock m 1\n1000 1250000 unlock m 1\n', 'second-one': ''})
    equal(lightcone('info', 'text').stdout, '''\
text

  Duration     1.25 ms
  Waiting      0 ns, 0.0 % of the time of all processes
  Parallelism  1.00 processes running on average, at most 1
  State        complete
  Processes    2
  Events       2
  Objects      1
  Lost         0

  No.  Process     Events  Begin       End  State
    0  first            2   0 ns  1.250 ms  ended
    1  second-one       0                   ended

  Operation  Class  Events
  lock       mutex       1
  unlock     mutex       1

  Class  Objects
  mutex        1
''')


@test
def waiting_and_parallelism_come_from_the_history():
    write_text('text', a='0 10 lock m 1\n90 100 unlock m 1\n', b='40 110 lock m 2\n130 140 unlock m 2\n')
    found = info('text')
    equal((found['waiting_total'], found['parallelism']), (60, 0.928571))
    contains(lightcone('info', 'text').stdout, 'Waiting      60 ns, 30.0 % of the time of all processes\n')
    equal(os.path.exists('text/history.lightcone'), True, 'a history')


@test
def info_need_not_merge():
    write_text('text', a='0 10 lock m 1\n90 100 unlock m 1\n')
    result = lightcone('info', '--json', '--no-merge', 'text')
    found = json.loads(result.stdout)
    equal((found['waiting_total'], found['parallelism'], found['events']), (None, None, 2))
    equal('Waiting' in lightcone('info', '--no-merge', 'text').stdout, False)
    equal(os.listdir('text'), ['a.events'])


@test
def names_cannot_speak_to_the_terminal():
    write_text('text', a='%process evil\x1b[2Jname\n')
    equal('\x1b' in lightcone('info', 'text').stdout, False, 'an escape sequence')
    contains(info('text')['process'][0]['name'], 'name')


@test
def what_is_no_trace_is_refused():
    os.mkdir('empty')
    for name in ('empty', 'missing', '/etc/passwd'):
        result = lightcone('info', name)
        equal((result.returncode, result.stdout), (2, ''))
        equal(result.stderr.startswith(f'lightcone: {name}: '), True, result.stderr)


@test
def wrong_arguments_are_refused():
    for arguments in ([], ['one', 'two'], ['--what', 'one']):
        result = lightcone('info', *arguments)
        equal((result.returncode, result.stdout), (2, ''))
        contains(result.stderr, 'see lightcone help info')


@test
def a_full_disk_is_told():
    write_text('text', a='0 0 tag value=16\n')
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = lightcone('info', 'text', capture_output=False, stdout=full, stderr=subprocess.PIPE)
    equal(result.returncode, 2, 'the status')
    contains(result.stderr, 'standard output')


@test
def every_language_gets_the_same_json():
    record(program('known'))
    for locale in ('C', 'C.UTF-8'):
        result = lightcone('info', '--json', 'out.trace', env={**os.environ, 'LC_ALL': locale})
        equal(json.loads(result.stdout)['events'], 53)


@test
def of_many_processes_the_first_are_listed_and_those_that_stand_out():
    os.mkdir('many')
    for number in range(205):
        with open(f'many/{number:03}.events', 'w') as file:
            file.write('%lightcone-events 1\n%process p' + str(number) + '\n0 10 tag value=1\n' +
                       ('%pending 11 20 lock m 1\n' if number == 203 else ''))
    shown = lightcone('info', '--no-merge', 'many').stdout
    contains(shown, ' p199 ')
    contains(shown, ' p203 ')
    equal(' p200 ' in shown, False, 'one that ended as all others')
    contains(shown, '  ... and 4 more, which have ended and lost nothing (--json tells of all)\n')
    equal(len(info('many')['process']), 205, 'processes in JSON')


main()
