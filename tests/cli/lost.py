#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Events that were lost are told by everything that is made of the trace, with the reason; and nothing else is."""
import json
import os
import re
import resource
import xml.etree.ElementTree as ElementTree

from cli import contains, equal, info, lightcone, main, program, record, test
from tables import WAIT, WAIT_SETTINGS, run, write

LOST = '[trace]\ntitle=holes\nlost=1007\n[lost]\nfile=1000\ndisk=7\n'
TOLD = '1,007 events were lost: the disk is full (7), a file of the trace could not be opened (1,000)'
REASONS = {'disk': 7, 'file': 1000}
SVG = '{http://www.w3.org/2000/svg}'


def write_traces():
    write('holes.trace', WAIT, LOST + WAIT_SETTINGS)
    write('whole.trace', WAIT, '[trace]\ntitle=whole\nlost=0\n' + WAIT_SETTINGS)


def check_text(*arguments, note=f'Note: {TOLD}\n'):
    """The same command says it of the trace that has lost some, and of the other one nothing."""
    contains(run(arguments[0], 'holes.trace', *arguments[1:]), note)
    equal('lost:' in run(arguments[0], 'whole.trace', *arguments[1:]), False, f'{arguments} of a whole trace')


def check_json(*arguments):
    for trace, lost, reasons in (('holes.trace', 1007, REASONS), ('whole.trace', 0, {})):
        found = json.loads(run(arguments[0], trace, *arguments[1:], '--json'))
        equal((found['events_lost'], found['events_lost_by_reason']), (lost, reasons), arguments)


def check_csv(*arguments):
    result = lightcone(arguments[0], 'holes.trace', *arguments[1:])
    equal((result.returncode, result.stderr), (0, f'lightcone: Note: {TOLD}\n'), arguments)
    equal(lightcone(arguments[0], 'whole.trace', *arguments[1:]).stderr, '', arguments)


@test
def info_tells_it():
    write_traces()
    text = run('info', 'holes.trace')
    contains(text, 'State        not complete: events were lost\n')
    contains(text, '1,007: the disk is full (7), a file of the trace could not be opened (1,000)\n')
    contains(run('info', 'whole.trace'), 'State        complete\n')
    found = info('holes.trace')
    equal((found['lost'], found['lost_apart'], found['lost_by_reason'], found['complete'], found['problems']),
          (1007, 1007, REASONS, False, 1), 'info')
    found = info('whole.trace')
    equal((found['lost'], found['lost_by_reason'], found['complete'], found['problems']), (0, {}, True, 0), 'info')


@test
def check_finds_it():
    write_traces()
    result = lightcone('check', 'holes.trace')
    equal((result.returncode, result.stderr), (1, ''), 'check')
    contains(result.stdout, f'{TOLD}; 1,007 of them of processes that are not known\n')
    found = json.loads(lightcone('check', '--json', 'holes.trace').stdout)
    equal((found['clean'], found['lost'], found['lost_by_reason']), (False, 1007, REASONS), 'check --json')
    contains(run('check', 'whole.trace'), 'nothing is wrong')


@test
def merge_tells_it():
    write_traces()
    for times in range(2):  # also of a history that is there already
        contains(run('merge', 'holes.trace'), '; 1,007 events were lost: lightcone info tells why\n')
        equal(json.loads(run('merge', 'holes.trace', '--json'))['lost'], 1007, f'merge --json, {times}')
    equal('lost' in run('merge', 'whole.trace'), False, 'a whole trace')


@test
def statistics_tell_it():
    write_traces()
    for what in ('waiting', 'waiting-history', 'parallelism', 'parallelism-history', 'objects', 'object-uses',
                 'operations', 'matrix', 'communication', 'processors', 'phases', 'ratio'):
        check_text('stats', what)
        check_json('stats', what)
        check_csv('stats', what, '--format', 'csv')


@test
def critical_paths_tell_it():
    write_traces()
    check_text('critical-path')
    check_json('critical-path')
    check_csv('critical-path', '--csv')


@test
def approximations_tell_it():
    write_traces()
    check_text('approximate')
    check_json('approximate')
    check_text('explain', 'b:0')
    check_json('explain', 'b:0')
    check_text('what-if', '--scale', 'A=0.5')
    check_json('what-if', '--scale', 'A=0.5')


@test
def comparisons_tell_it_of_each_side():
    write_traces()
    contains(run('compare', 'whole.trace', 'holes.trace'), f'Note: holes.trace: {TOLD}\n')
    equal('Note: whole' in run('compare', 'whole.trace', 'holes.trace'), False, 'of the other side')
    found = json.loads(run('compare', '--json', 'whole.trace', 'holes.trace'))
    equal((found['first_events_lost'], found['second_events_lost']), (0, 1007), 'compare --json')


@test
def pictures_tell_it():
    write_traces()
    drawn = 0
    for view in json.loads(run('export', '--list-views', '--json'))['view']:
        result = lightcone('export', 'holes.trace', '--view', view['name'], '-o', 'holes.svg')
        if result.returncode != 0:
            continue  # there is nothing that it could show
        drawn += 1
        root = ElementTree.parse('holes.svg').getroot()
        notes = next(group for group in root.iter(f'{SVG}g') if group.get('class') == 'notes' or
                     group.get('id') == 'notes')
        contains(''.join(' '.join(notes.itertext()).split('\n')), '1,007 events were lost')
        contains(root.find(f'{SVG}desc').text, TOLD)
        lightcone('export', 'whole.trace', '--view', view['name'], '-o', 'whole.svg')
        with open('whole.svg', encoding='utf-8') as file:
            equal('lost' in file.read(), False, 'a whole trace')
    equal(drawn > 8, True, f'{drawn} views')


@test
def sql_has_it():
    write_traces()
    equal(json.loads(run('sql', '--json', 'holes.trace', "SELECT key, value FROM meta WHERE key LIKE 'lost%' "
                         'ORDER BY key')),
          [{'key': 'lost', 'value': 1007}, {'key': 'lost_apart', 'value': 1007}, {'key': 'lost_disk', 'value': 7},
           {'key': 'lost_file', 'value': 1000}], 'meta')
    equal(json.loads(run('sql', '--json', 'holes.trace', "SELECT file, count FROM problem WHERE kind = 'events-lost'")),
          [{'file': 'trace.ini', 'count': 1}], 'problem')
    equal(json.loads(run('sql', '--json', 'whole.trace', "SELECT value FROM meta WHERE key LIKE 'lost%'")),
          [{'value': 0}], 'meta of a whole trace')


@test
def parts_are_added_up():
    os.mkdir('parts.trace')
    write('parts.trace/host-a', WAIT, LOST)
    write('parts.trace/host-b', {'c': '0 10 tag value=1\n'}, '[trace]\nlost=1\n[lost]\nsignal=1\n')
    write('parts.trace/host-c', {'d': '0 10 tag value=1\n'})
    found = info('parts.trace')
    equal((found['lost'], found['lost_by_reason'], found['complete']), (1008, {**REASONS, 'signal': 1}, False), 'info')
    equal(json.loads(run('merge', 'parts.trace', '--json'))['lost'], 1008, 'merge')


@test
def reasons_of_later_versions_are_counted():
    write('later.trace', WAIT, '[trace]\nlost=12\n[lost]\ndisk=2\nmoonlight=10\n')
    found = info('later.trace')
    equal((found['lost'], found['lost_by_reason']), (12, {'disk': 2, 'other': 10}), 'info')
    write('sum.trace', WAIT, '[lost]\nmoonlight=10\n')
    equal(info('sum.trace')['lost'], 10, 'without the sum')


@test
def numbers_that_make_no_sense_harm_nobody():
    huge = 18446744073709551615
    write('huge.trace', WAIT, f'[trace]\nlost={huge}\n[lost]\ndisk={huge}\nfile={huge}\nsignal=-1\nobjects=x\n')
    for command in (('info', '--json'), ('check', '--json'), ('merge', '--json'), ('check',)):
        result = lightcone(*command, 'huge.trace')
        equal((result.returncode in (0, 1), result.stderr), (True, ''), command)
    equal(info('huge.trace')['lost'], 2 ** 63 - 1, 'the most that is told')


@test
def what_record_says_is_what_the_trace_says():
    """However much that is: a recorder that needs no file then loses nothing."""
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))

    for name, limit in (('known', None), ('known', few_files), ('few-files', None)):
        result = record(program(name), preexec_fn=limit)
        said = int(re.search(r', ([\d,]+) lost', result.stderr)[1].replace(',', ''))
        found = info()
        equal((found['lost'], sum(found['lost_by_reason'].values()), found['complete']), (said, said, said == 0), name)
        events = sum(operation['events'] for operation in found['operation'])
        equal(name == 'known' or events + said >= 8000, True, f'{events} events and {said} lost')
        equal(lightcone('check', 'out.trace').returncode, 1 if said > 0 else 0, f'check, {said} lost')


main()
