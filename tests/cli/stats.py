#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone stats says of small traces, against tables made by hand."""
import csv
import io
import json
import os
import subprocess

from cli import contains, equal, lightcone, main, program, record, test

# Three rounds of an elimination: who has the pivot comes late to the barrier, and the others wait for it.
GAUSS = {
    'a': '0 10 tag value=1\n100 110 barrier rounds 0\n150 310 barrier rounds 1\n350 360 tag value=3\n',
    'b': '0 10 tag value=1\n40 110 barrier rounds 0\n300 310 barrier rounds 1\n350 360 tag value=3\n',
    'c': '20 30 tag value=1\n60 110 barrier rounds 0\n200 310 barrier rounds 1\n320 330 tag value=3\n',
}
LOCKS = {
    'a': '0 10 lock m 1\n100 110 unlock m 1\n200 210 lock n 1\n220 230 unlock n 1\n',
    'b': '20 130 lock m 2\n150 150 unlock m 2\n160 170 lock m 3\n180 190 unlock m 3\n',
}
MESSAGE = {
    'a': '0 5 tag value=1\n100 120 send 0>1:0 1 bytes=8\n',
    'b': '0 150 recv 0>1:0 1 bytes=8\n200 205 tag value=1\n',
}


def write(name, processes):
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def run(*arguments):
    result = lightcone('stats', *arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of stats {arguments}')
    return result.stdout


def table(*arguments):
    """The rows of a CSV, after its names."""
    rows = list(csv.reader(io.StringIO(run(*arguments, '--format', 'csv'))))
    return [[int(cell) if cell.isdecimal() else cell for cell in row] for row in rows[1:]]


def column(what, trace, name):
    return [row[name] for row in json.loads(run(trace, what, '--json'))[{'waiting': 'process', 'parallelism': 'level',
                                                                         'objects': 'object',
                                                                         'operations': 'operation'}[what]]]


@test
def waiting_at_barriers_is_until_the_last_one_comes():
    write('gauss', GAUSS)
    equal(table('gauss', 'waiting'), [
        [0, 'a', 360, 210, 150, '41.6667', 1, 150, 2, 0, 'rounds'],
        [1, 'b', 360, 300, 60, '16.6667', 1, 60, 1, 0, 'rounds'],
        [2, 'c', 310, 170, 140, '45.1613', 2, 100, 2, 0, 'rounds'],
    ])


@test
def parallelism_counts_those_that_do_not_wait():
    write('gauss', GAUSS)
    # 0: a b; 20: a b c; 40: a c; 60: a; 100: all; 150: b c; 200: b; 300: all; 330: a b; 360
    equal(table('gauss', 'parallelism'), [[0, 0, 0], [1, 140, '38.8889'], [2, 120, '33.3333'], [3, 100, '27.7778']])
    found = json.loads(run('gauss', 'parallelism', '--json'))
    equal((found['begin'], found['end'], found['running_total'], found['lowest'], found['highest']),
          (0, 360, 680, 1, 3))
    equal(found['average'], 1.888889)


@test
def a_lock_is_waited_for_until_it_is_given_back():
    write('locks', LOCKS)
    equal(table('locks', 'waiting'), [
        [0, 'a', 230, 230, 0, 0, 0, '', '', '', ''],
        [1, 'b', 170, 80, 90, '52.9412', 1, 90, 0, 0, 'm'],
    ])
    equal(table('locks', 'objects'), [
        [0, 'm', 'mutex', 6, 1, 90, 90, 1, 'b', 0, 90 + 20 + 10],
        [1, 'n', 'mutex', 2, 0, 0, '', '', '', '', 10],
    ])


@test
def a_message_is_waited_for_until_it_is_sent():
    write('message', MESSAGE)
    equal(column('waiting', 'message', 'waiting'), [0, 100])
    equal(table('message', 'operations'), [
        ['recv', 'channel', 1, 150, 1, 100, 150],
        ['send', 'channel', 1, 20, 0, 0, 20],
        ['tag', 'mark', 2, 10, 0, 0, 5],
    ])


@test
def names_of_columns_are_stable():
    write('locks', LOCKS)
    names = {
        'waiting': 'process,name,span,running,waiting,percent,waits,longest,longest_ordinal,longest_object,'
                   'longest_object_name',
        'parallelism': 'running,time,percent',
        'objects': 'object,name,class,events,waits,waited,longest,longest_process,longest_process_name,'
                   'longest_ordinal,held',
        'operations': 'operation,class,events,time,waits,waited,longest',
    }
    keys = {
        'waiting': {'what', 'timeline', 'span_total', 'running_total', 'waiting_total', 'process'},
        'parallelism': {'what', 'timeline', 'begin', 'end', 'running_total', 'average', 'lowest', 'highest', 'level'},
        'objects': {'what', 'timeline', 'object'},
        'operations': {'what', 'timeline', 'operation'},
    }
    for what, line in names.items():
        equal(run('locks', what, '--format', 'csv').split('\n')[0], line, what)
        found = json.loads(run('locks', what, '--format=json'))
        equal(set(found), keys[what], what)
        equal((found['what'], found['timeline']), (what, 'measured'))
        rows = found[(keys[what] & {'process', 'level', 'object', 'operation'}).pop()]
        equal({tuple(row) for row in rows}, {tuple(line.split(','))}, what)


@test
def people_get_a_tidy_table():
    write('locks', LOCKS)
    equal(run('locks', 'waiting'), '''\
Waiting of each process, timeline measured

  Process    Span  Running  Waiting   Share  Waits  Longest  Event  Object
  a        230 ns   230 ns     0 ns   0.0 %      0
  b        170 ns    80 ns    90 ns  52.9 %      1    90 ns      0  m
''')
    equal(run('locks', 'parallelism'), '''\
Processes running at the same time, timeline measured

  1.35 on average, at least 1, at most 2: 310 ns of running in a span of 230 ns

  Running    Time   Share
        1  150 ns  65.2 %
        2   80 ns  34.8 %
''')
    equal(run('locks', 'objects', '--limit', '1'), '''\
Objects, those most waited for first, timeline measured

  Object  Class  Events  Waits  Waited  Longest  Process  Event    Held
  m       mutex       6      1   90 ns    90 ns  b            0  120 ns
  ... and 1 more (see --limit)
''')


@test
def what_was_recorded_agrees_with_sql():
    record(program('known'))
    waited = json.loads(run('out.trace', 'waiting', '--json'))
    sums = json.loads(lightcone('sql', '--json', 'out.trace',
                                'SELECT sum(waited) AS waited, count(*) AS events FROM event').stdout)[0]
    equal(waited['waiting_total'], sums['waited'])
    equal(sum(column('operations', 'out.trace', 'events')), sums['events'])
    equal(sum(column('operations', 'out.trace', 'waited')), sums['waited'])
    levels = json.loads(run('out.trace', 'parallelism', '--json'))
    equal(sum(level['time'] for level in levels['level']), levels['end'] - levels['begin'])
    equal(levels['running_total'], waited['running_total'])


@test
def empty_traces_have_empty_tables():
    write('empty', {'a': ''})
    equal(table('empty', 'waiting'), [[0, 'a', 0, 0, 0, '', 0, '', '', '', '']])
    equal(table('empty', 'parallelism'), [[0, 0, ''], [1, 0, '']])
    equal((table('empty', 'objects'), table('empty', 'operations')), ([], []))
    for what in ('waiting', 'parallelism', 'objects', 'operations'):
        run('empty', what)


@test
def names_are_quoted_for_csv():
    write('odd', {'a': '%process say "a, b"\n0 10 lock m 1\n'})
    contains(run('odd', 'waiting', '--format', 'csv'), '\n0,"say ""a, b""",10,')


@test
def wrong_arguments_are_refused():
    write('locks', LOCKS)
    for arguments, part in ((['locks'], 'DIR WHAT is missing'), (['locks', 'everything'], 'none of waiting'),
                            (['locks', 'waiting', 'more'], 'too many'),
                            (['locks', 'waiting', '--format', 'xml'], 'not a format'),
                            (['locks', 'waiting', '--timeline', 'none'], 'none'),
                            (['missing', 'waiting'], 'missing')):
        result = lightcone('stats', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status and output of {arguments}')
        contains(result.stderr, part)


@test
def a_full_disk_is_told():
    write('locks', LOCKS)
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = lightcone('stats', 'locks', 'waiting', '--json', capture_output=False, stdout=full,
                           stderr=subprocess.PIPE)
    equal(result.returncode, 2, 'the status')
    contains(result.stderr, 'standard output')


main()
