#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces that begin, pause and end in the middle: what they are is said with all that is made of them, and counted."""
import json
import re
import xml.etree.ElementTree as ElementTree

from cli import contains, equal, info, lightcone, main, test
from tables import WAIT, WAIT_EVENT, WAIT_SETTINGS, approximate, run, timeline, write

START = 10000
GAPS = f'[gaps]\n1=0;{START};ring;123456\n2={START + 820};{START + 990};paused\n3={START + 1010};;dump\n'
TOLD = ['Begins 10.0 µs after the start: 123,456 older events were dropped',
        'Not recorded from 10.8 µs to 11.0 µs (paused)', 'Ends 11.0 µs after the start: the run went on']
LISTED = [{'from': 0, 'to': START, 'reason': 'ring', 'events': 123456},
          {'from': START + 820, 'to': START + 990, 'reason': 'paused'},
          {'from': START + 1010, 'to': None, 'reason': 'dump'}]
NOTES = ''.join(f'Note: {line}\n' for line in TOLD)
SVG = '{http://www.w3.org/2000/svg}'


def later(lines):
    """The same lines when the gap has ended."""
    return re.sub(r'(?m)^(\d+) (\d+)', lambda times: f'{int(times[1]) + START} {int(times[2]) + START}', lines)


def later_table(table):
    return {name: [(begin + START, end + START, waited) for begin, end, waited in rows]
            for name, rows in table.items()}


def write_traces():
    write('gaps.trace', {name: later(lines) for name, lines in WAIT.items()}, GAPS + WAIT_SETTINGS)
    write('whole.trace', WAIT, WAIT_SETTINGS)


@test
def info_and_check_tell_it():
    write_traces()
    text = run('info', 'gaps.trace')
    contains(text, 'State        complete\n')
    contains(text, f'Gaps         {TOLD[0]}\n               {TOLD[1]}\n               {TOLD[2]}\n'.replace(
        '\n               ', '\n' + ' ' * 15))
    contains(text, 'Duration     1.01 µs\n')
    found = info('gaps.trace')
    equal((found['gap'], found['complete'], found['problems']), (LISTED, True, 0), 'info')
    equal([process['begin'] for process in found['process']], [START, START], 'where they begin')
    equal(info('whole.trace')['gap'], [], 'a whole trace')
    contains(run('check', 'gaps.trace'), ''.join(f'note: {line}\n' for line in TOLD) + 'nothing is wrong: 4 events')
    found = json.loads(run('check', '--json', 'gaps.trace'))
    equal((found['clean'], found['gap'], found['event']), (True, LISTED, []), 'check')


@test
def all_else_tells_it():
    write_traces()
    for command in (*(('stats', what) for what in ('waiting', 'waiting-history', 'parallelism', 'objects', 'operations',
                                                   'matrix', 'processors', 'phases', 'ratio')),
                    ('critical-path',), ('approximate',), ('explain', 'b:0'), ('races',),
                    ('what-if', '--scale', 'A=0.5')):
        contains(run(command[0], 'gaps.trace', *command[1:]), NOTES)
        equal(json.loads(run(command[0], 'gaps.trace', *command[1:], '--json'))['gap'], LISTED, command)
        equal('Note:' in run(command[0], 'whole.trace', *command[1:]), False, command)
    result = lightcone('stats', 'gaps.trace', 'waiting', '--format', 'csv')
    equal((result.returncode, result.stderr), (0, NOTES.replace('Note', 'lightcone: Note')), 'as csv')
    contains(run('compare', 'whole.trace', 'gaps.trace'), f'Note: gaps.trace: {TOLD[1]}\n')


@test
def pictures_tell_it():
    write_traces()
    for view in ('space-time', 'waiting', 'parallelism'):
        run('export', 'gaps.trace', '--view', view, '-o', 'gaps.svg')
        root = ElementTree.parse('gaps.svg').getroot()
        contains(root.find(f'{SVG}desc').text, TOLD[0])
        shown = 'Not recorded' in [text.text for text in root.iter(f'{SVG}text')]
        equal(shown, view == 'space-time', f'the band over the pause in {view}')


@test
def shares_are_of_what_was_recorded():
    """From the end of the first gap on, and without the pause: a waits for nothing, b 440 ns."""
    write_traces()
    rows = json.loads(run('stats', 'gaps.trace', 'waiting', '--json'))
    table = next(value for value in rows.values() if isinstance(value, list) and value and 'waiting' in value[0])
    equal([(row['span'], row['running'] + row['woken'], row['waiting']) for row in table],
          [(1010 - 170, 1010 - 170, 0), (1010 - 170, 400, 440)], 'waiting')
    path = json.loads(run('critical-path', 'gaps.trace', '--json'))
    equal((path['begin'], path['end']), (START, START + 1010), 'critical path')


@test
def approximations_begin_there():
    """What stands before the first event begins where the gap ends; all is as in the run that began there."""
    write_traces()
    for trace in ('gaps.trace', 'whole.trace'):
        found = approximate(trace)
        approximate(trace, '--model', 'time', '--name', 'time')
        equal((found['measured_total'], found['approximated_total']), (1010, 978), trace)
    equal(timeline('whole.trace', 'event'), WAIT_EVENT, 'without a gap')
    for name in ('event', 'time'):
        equal(timeline('gaps.trace', name), later_table(timeline('whole.trace', name)), name)


@test
def what_is_malformed_is_a_problem():
    for number, gap in enumerate(('', ';;', '5;4;ring', 'x;4;ring', '0;9999999999999999999;ring', '1;2;3;4;5',
                                  '1;2;why')):
        name = f'{number}.trace'
        write(name, WAIT, f'[gaps]\n1={gap}\n')
        result = lightcone('check', name)
        equal((result.returncode, result.stderr), (1, ''), gap)
        contains(result.stdout, 'trace.ini: a time in which nothing was recorded makes no sense, and is ignored '
                 f'(byte 0): [gaps] 1={gap}: ')
        equal(info(name)['gap'], [], gap)


@test
def a_history_knows_its_gaps():
    write_traces()
    run('merge', 'gaps.trace')
    equal(json.loads(run('sql', '--json', 'gaps.trace', "SELECT value FROM meta WHERE key = 'gaps'")),
          [{'value': f'0;{START};ring;123456\n{START + 820};{START + 990};paused\n{START + 1010};;dump'}], 'meta')
    equal(json.loads(run('sql', '--json', 'gaps.trace', 'SELECT begin FROM process')), [{'begin': START}] * 2,
          'process')
    equal(json.loads(run('sql', '--json', 'whole.trace', "SELECT value FROM meta WHERE key = 'gaps'")), [], 'none')


main()
