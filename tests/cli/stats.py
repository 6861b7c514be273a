#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone stats says of small traces, against tables made by hand."""
import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path

from cli import contains, equal, lightcone, main, program, record, test

# Three rounds of an elimination: who has the pivot comes late to the barrier, and the others wait for it.
UNKNOWN = [''] * 5  # what the kernel has counted, in a text trace
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
        [0, 'a', 360, 200, 150, '41.6667', 1, 150, 2, 0, 'rounds', '41.6667'] + UNKNOWN + [10, '', 0],
        [1, 'b', 360, 290, 60, '16.6667', 1, 60, 1, 0, 'rounds', '16.6667'] + UNKNOWN + [10, '', 0],
        [2, 'c', 310, 150, 140, '45.1613', 2, 100, 2, 0, 'rounds', '38.8889'] + UNKNOWN + [20, '', 0],
    ])


@test
def parallelism_counts_those_that_do_not_wait():
    write('gauss', GAUSS)
    # 0: a b; 20: a b c; 40: a c; 60: a, while b and c wait, then are woken; 110: all; 150: b c; 200: b; 310: all;
    # 330: a b; 360
    equal(table('gauss', 'parallelism'), [[0, 0, 0], [1, 160, '44.4444'], [2, 120, '33.3333'], [3, 80, '22.2222']])
    found = json.loads(run('gauss', 'parallelism', '--json'))
    equal((found['begin'], found['end'], found['running_total'], found['lowest'], found['highest']),
          (0, 360, 640, 1, 3))
    equal(found['average'], 1.777778)


# a is alone at first and at last; between 100 and 300 they take turns with the lock, and run together a while.
TURNS = {
    'a': '0 110 lock m 1\n200 200 unlock m 1\n1000 1000 tag\n',
    'b': '100 200 lock m 2\n300 300 unlock m 2\n',
}


@test
def sequential_parts_are_before_and_after_what_is_parallel():
    write('turns', TURNS)
    # b waits from 100 to 200; so both run from 200 to 300 only.
    found = json.loads(run('turns', 'parallelism', '--json'))
    equal((found['average'], found['parallel_begin'], found['parallel_end'], found['parallel_running'],
           found['parallel_average']), (1.1, 200, 300, 200, 2))
    write('gauss', GAUSS)
    # Alone in the middle is not sequential: a is from 60 to 100, and b from 200 to 300.
    found = json.loads(run('gauss', 'parallelism', '--json'))
    equal((found['parallel_begin'], found['parallel_end'], found['parallel_running']), (0, 360, 640))
    write('alone', {'a': '0 10 tag\n100 110 tag\n'})
    found = json.loads(run('alone', 'parallelism', '--json'))
    equal((found['average'], found['parallel_begin'], found['parallel_average']), (1, None, None))


@test
def parallelism_over_time_has_exact_averages():
    write('gauss', GAUSS)
    equal(table('gauss', 'parallelism-history', '--intervals', '4'), [
        [0, 90, 2 * 20 + 3 * 20 + 2 * 20 + 30, '1.888889', 1, 3],
        [90, 180, 20 + 3 * 40 + 2 * 30, '2.222222', 1, 3],
        [180, 270, 2 * 20 + 70, '1.222222', 1, 2],
        [270, 360, 40 + 3 * 20 + 2 * 30, '1.777778', 1, 3],
    ])
    for intervals in (1, 7, 359, 360, 1000):
        rows = table('gauss', 'parallelism-history', '--intervals', str(intervals))
        equal((len(rows), sum(row[2] for row in rows)), (min(intervals, 360), 640), f'{intervals} intervals')
        equal([row[0] for row in rows] + [360], [0] + [row[1] for row in rows])
    equal(len(table('gauss', 'parallelism-history')), 100)


@test
def waits_are_told_each_for_itself_or_together():
    write('gauss', GAUSS)
    waits = [[0, 'a', 150, 300, 150, 1, 2, 0, 'rounds'], [1, 'b', 40, 100, 60, 1, 1, 0, 'rounds'],
             [2, 'c', 60, 100, 40, 1, 1, 0, 'rounds'], [2, 'c', 200, 300, 100, 1, 2, 0, 'rounds']]
    equal(table('gauss', 'waiting-history'), waits)
    # c's are 100 apart: less than a third of 360, and not less than a fourth.
    equal(table('gauss', 'waiting-history', '--intervals', '3'),
          [*waits[:2], [2, 'c', 60, 300, 140, 2, 1, 0, 'rounds']])
    equal(table('gauss', 'waiting-history', '--intervals', '4'), waits)
    contains(run('gauss', 'waiting-history', '--limit', '3'), '  ... and 1 more (see --limit)\n')
    # What they wait for differs: the one has no name then.
    write('both', {'a': '0 10 lock m 1\n100 110 unlock m 1\n120 130 lock n 1\n200 210 unlock n 1\n',
                   'b': '20 115 lock m 2\n125 225 lock n 2\n'})
    equal(table('both', 'waiting-history', '--intervals', '2'), [[1, 'b', 20, 210, 90 + 85, 2, 0, '', '']])


@test
def waits_and_blame_are_of_what_filters_leave():
    write('both', {'a': '0 5 enter solve\n10 20 lock m 1\n100 110 unlock m 1\n120 130 lock n 1\n200 210 unlock n 1\n',
                   'b': '5 10 enter solve\n20 115 lock m 2\n118 120 leave solve\n125 225 lock n 2\n'
                        '230 400 tag value=1\n'})
    # The first wait of b has slack: it would have waited for the second lock anyway.
    for options, waits in (([], [['n', 85], ['m', 90]]),
                           (['--within', 'solve'], [['m', 90]]), (['--objects', 'n'], [['n', 85]]),
                           (['--operations', 'lock', '--longer-than', '88ns'], [['m', 90]]),
                           (['--operations', 'unlock'], []), (['--slack', '0'], [['n', 85]])):
        report = json.loads(lightcone('stats', 'both', 'waits', '--json', *options).stdout)
        equal(sorted([row['group'], row['waited']] for row in report['wait']), sorted(waits), f'waits with {options}')
        equal(report.get('filters'), ' '.join(options).replace('88ns', '88') or None, 'what is said of it')
        singles = json.loads(lightcone('stats', 'both', 'waits', '--by', 'event', '--json', *options).stdout)
        equal(sorted(row['waited'] for row in singles['wait']), sorted(waited for _, waited in waits), 'one by one')
    contains(run('both', 'waits', '--within', 'solve'), 'filtered: only inside solve\n')
    refused = lightcone('stats', 'both', 'objects', '--within', 'solve')
    equal(refused.returncode, 2, 'the status')
    contains(refused.stderr, 'lightcone: stats: --within goes with blame, waits only')
    refused = lightcone('stats', 'both', 'waits', '--slack', 'much')
    contains(refused.stderr, 'lightcone: stats: --slack much: it has to be a time')


@test
def ratios_are_of_the_whole_run():
    write('gauss', GAUSS)
    equal(table('gauss', 'ratio'), [['measured', '', 360, 1, '']])
    equal(table('gauss', 'ratio', '--actual', '240'), [['measured', '', 360, 1, '1.5']])


@test
def a_lock_is_waited_for_until_it_is_given_back():
    write('locks', LOCKS)
    equal(table('locks', 'waiting'), [
        [0, 'a', 230, 230, 0, 0, 0, '', '', '', '', 0] + UNKNOWN + [0, '', 0],
        [1, 'b', 170, 60, 90, '52.9412', 1, 90, 0, 0, 'm', '39.1304'] + UNKNOWN + [20, '', 0],
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
def the_matrix_tells_who_sent_what_to_whom():
    write('message', MESSAGE)
    equal(table('message', 'matrix'), [[0, 'a', 1, 'b', 1, 8, 100, 1]])
    write('locks', LOCKS)
    # b's second lock comes after its own unlock, which goes from nobody to nobody.
    equal(table('locks', 'matrix'), [[0, 'a', 1, 'b', 1, 0, 90, 0]])
    write('gauss', GAUSS)
    # b comes last to the second barrier, a to the first.
    equal(table('gauss', 'matrix'), [[0, 'a', 1, 'b', 1, 0, 60, 0], [0, 'a', 2, 'c', 1, 0, 40, 0],
                                     [1, 'b', 0, 'a', 1, 0, 150, 0], [1, 'b', 2, 'c', 1, 0, 100, 0]])
    equal(run('message', 'matrix'), '''\
What went from process to process, timeline measured

  From  To  Arcs  Bytes  Waited  Messages
  a     b      1      8  100 ns         1
''')


@test
def the_matrix_counts_each_message_once():
    """Not what a rendezvous, a probe or a barrier leads from one to the other."""
    write('sorts', {
        'a': '0 100 ssend 0>1:7 0 bytes=8 to=1\n110 120 send 0>1:7 1 bytes=16 to=1\n'
             '130 140 isend 0>1:7 2 bytes=32 to=1\n150 160 complete 0>1:7 2\n170 190 barrier end 0\n',
        'b': '90 101 recv 0>1:7 0 bytes=8 from=0\n105 118 probe 0>1:7 1 from=0\n119 130 recv 0>1:7 1 bytes=16 from=0\n'
             '132 135 irecv 0>1:7 2 bytes=32\n136 150 complete 0>1:7 2\n160 190 barrier end 0\n'})
    equal(table('sorts', 'matrix'), [[0, 'a', 1, 'b', 4, 56, 10, 3]])


@test
def communication_is_compared_with_computing():
    """b waits for m from 20 to 110, holds it until 150, and once more from 160 to 190."""
    write('locks', LOCKS)
    found = json.loads(run('locks', 'communication', '--json'))
    equal([(row['name'], row['computing'], row['waiting'], row['transfer']) for row in found['process']],
          [('a', 90, 0, 140), ('b', 10, 90, 70)])
    equal([(row['span'], row['communication'], row['percent'], row['ratio']) for row in found['process']],
          [(230, 140, 60.8696, 1.555556), (170, 160, 94.1176, 16)])
    equal((found['computing_total'], found['waiting_total'], found['transfer_total']), (100, 90, 210))
    equal((found['preempted_total'], found['outside_total']), (0, 0))
    write('all', {'a': '0 100 lock m 1\n100 110 unlock m 1\n'})
    equal(table('all', 'communication'), [[0, 'a', 110, 0, 110, 100, '', 0, 110, 0, 0]])


@test
def what_is_outside_or_preempted_is_neither_computing_nor_communication():
    """a holds m from 10 to 110, sleeps in there and after it, is preempted and blocked, and ends MPI."""
    write('off', {'a': '%absent 100 105 preempted\n%absent 205 208 blocked\n5 10 lock m 1\n20 80 sleep file\n'
                       '110 115 unlock m 1\n130 200 sleep file\n210 250 finalize MPI\n'})
    for rows in (json.loads(run('off', 'communication', '--json'))['process'],
                 json.loads(run('off', 'phases', '--phases', 'object:m', '--per-process', '--json'))['phase']):
        equal([sum(row[name] for row in rows) for name in ('computing', 'waiting', 'transfer', 'preempted', 'outside')],
              [15 + 10 - 3, 0, 110 - 60 - 5, 5, 60 + 70 + 3 + 40])


@test
def uses_of_objects_are_by_process():
    write('locks', LOCKS)
    equal(table('locks', 'object-uses'), [[0, 'm', 'mutex', 0, 'a', 2, 0, 90], [0, 'm', 'mutex', 1, 'b', 4, 90, 30],
                                          [1, 'n', 'mutex', 0, 'a', 2, 0, 10]])
    equal(len(json.loads(run('locks', 'object-uses', '--json', '--limit', '2'))['use']), 2)


@test
def stays_on_processors_are_joined_if_they_are_short():
    write('cpus', {'a': '0 10 tag cpu=2\n40 50 tag cpu=2\n60 70 tag cpu=0\n80 90 tag\n100 110 tag cpu=2\n'})
    equal(table('cpus', 'processors'), [[0, 'a', 2, 0, 60, 2, 0, 1, 60, 0, 0, 0],
                                        [0, 'a', 0, 60, 80, 1, 0, 1, 20, 0, 0, 0],
                                        [0, 'a', '', 80, 100, 1, 0, 1, 20, 0, 0, 0],
                                        [0, 'a', 2, 100, 110, 1, 0, 1, 10, 0, 0, 0]])
    equal(table('cpus', 'processors', '--intervals', '2'), [[0, 'a', 2, 0, 60, 2, 0, 1, 60, 0, 0, 0],
                                                            [0, 'a', 0, 60, 110, 3, 0, 3, 50, 0, 0, 0]])
    equal(json.loads(run('cpus', 'processors', '--intervals', '2', '--json'))['resolution'], 55)


@test
def names_of_columns_are_stable():
    write('locks', LOCKS)
    names = {
        'waiting': 'process,name,span,running,waiting,percent,waits,longest,longest_ordinal,longest_object,'
                   'longest_object_name,total_percent,runnable,preemptions,blocked,unseen,unseen_waits,woken,'
                   'preempted,outside',
        'waiting-history': 'process,name,begin,end,waiting,waits,ordinal,object,object_name',
        'parallelism': 'running,time,percent',
        'parallelism-history': 'begin,end,running,average,lowest,highest',
        'ratio': 'timeline,model,total,ratio,actual_ratio',
        'objects': 'object,name,class,events,waits,waited,longest,longest_process,longest_process_name,'
                   'longest_ordinal,held',
        'operations': 'operation,class,events,time,waits,waited,longest',
        'object-uses': 'object,object_name,class,process,name,events,waited,held',
        'matrix': 'from_process,from_name,to_process,to_name,arcs,bytes,waited,messages',
        'communication': 'process,name,span,computing,communication,percent,ratio,waiting,transfer,preempted,outside',
        'processors': 'process,name,cpu,begin,end,events,waited,stays,running,woken,preempted,outside',
    }
    keys = {
        'waiting': {'what', 'timeline', 'span_total', 'running_total', 'waiting_total', 'woken_total',
                    'preempted_total',
                    'outside_total', 'total', 'process'},
        'waiting-history': {'what', 'timeline', 'begin', 'end', 'resolution', 'interval'},
        'parallelism': {'what', 'timeline', 'begin', 'end', 'running_total', 'average', 'lowest', 'highest',
                        'parallel_begin', 'parallel_end', 'parallel_running', 'parallel_average', 'level'},
        'parallelism-history': {'what', 'timeline', 'interval'},
        'ratio': {'what', 'timeline', 'measured_total', 'actual', 'ratio'},
        'objects': {'what', 'timeline', 'object'},
        'operations': {'what', 'timeline', 'operation'},
        'object-uses': {'what', 'timeline', 'use'},
        'matrix': {'what', 'timeline', 'cell'},
        'communication': {'what', 'timeline', 'computing_total', 'waiting_total', 'transfer_total', 'preempted_total',
                          'outside_total', 'process'},
        'processors': {'what', 'timeline', 'resolution', 'stay'},
    }
    for what, line in names.items():
        equal(run('locks', what, '--format', 'csv').split('\n')[0], line, what)
        found = json.loads(run('locks', what, '--format=json'))
        equal(set(found), keys[what] | {'events_lost', 'events_lost_by_reason'}, what)
        equal((found['what'], found['timeline']), (what, None if what == 'ratio' else 'measured'))
        rows = found[(keys[what] & {'process', 'level', 'object', 'operation', 'interval', 'ratio', 'use', 'cell',
                                    'stay'}).pop()]
        equal({tuple(row) for row in rows}, {tuple(line.split(','))}, what)


@test
def people_get_a_tidy_table():
    write('locks', LOCKS)
    equal(run('locks', 'waiting'), '''\
Waiting of each process, timeline measured

  Process    Span  Running  Waiting   Share  Waits  Longest  Event  Object  Woken  Outside
  a        230 ns   230 ns     0 ns   0.0 %      0                           0 ns     0 ns
  b        170 ns    60 ns    90 ns  52.9 %      1    90 ns      0  m       20 ns     0 ns
''')
    equal(run('locks', 'parallelism'), '''\
Processes running at the same time, timeline measured

  1.26 on average, at least 1, at most 2: 290 ns of running in a span of 230 ns
  2.00 on average from 130 ns to 190 ns, without the sequential parts

  Running    Time   Share
        1  170 ns  73.9 %
        2   60 ns  26.1 %
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
    equal(table('empty', 'waiting'), [[0, 'a', 0, 0, 0, '', 0, '', '', '', '', ''] + UNKNOWN + [0, '', 0]])
    equal(table('empty', 'parallelism'), [[0, 0, ''], [1, 0, '']])
    for what in ('objects', 'object-uses', 'operations', 'waiting-history', 'parallelism-history', 'matrix',
                 'processors'):
        equal(table('empty', what), [], what)
    equal(table('empty', 'ratio'), [['measured', '', 0, '', '']])
    for what in ('waiting', 'waiting-history', 'parallelism', 'parallelism-history', 'objects', 'object-uses',
                 'operations', 'matrix', 'communication', 'processors', 'ratio'):
        run('empty', what)


# b waits for a's first unlock; the rest of a, and a third process, have nothing to do with the run's end.
SLACK = {
    'a': '10 20 lock L 1\n100 110 unlock L 1\n200 2210 tag value=1\n',
    'b': '30 120 lock L 2\n3000 30100 unlock L 2\n',
    'c': '0 5 tag value=2\n50 60 lock M 1\n25000 29000 unlock M 1\n',
}


@test
def slack_is_how_much_later_the_run_would_have_borne():
    write('slack', SLACK)
    # a: 0, 0, 27890; b: 0, 0; c: 1100 each
    equal(table('slack', 'slack'), [
        ['a', 0, 3, 2, 2, 27890, 27890, 0, 'a', 2, 0, 0, 1, 0, 0, 0, 0],
        ['b', 1, 2, 2, 2, 0, '', '', '', '', 0, 0, 0, 0, 0, 0, 0],
        ['c', 2, 3, 0, 0, 3300, 1100, 2, 'c', 0, 0, 3, 0, 0, 0, 0, 0],
    ])
    equal([row[:1] + row[2:] for row in table('slack', 'slack', '--by', 'operation', '--max-slack', '2us')], [
        ['lock', 3, 2, 3, 1100, 1100, 2, 'c', 1, 0, 1, 0, 0, 0, 0, 0],
        ['unlock', 3, 2, 3, 1100, 1100, 2, 'c', 2, 0, 1, 0, 0, 0, 0, 0],
        ['tag', 2, 0, 1, 28990, 1100, 2, 'c', 0, 0, 1, 1, 0, 0, 0, 0],
    ])
    equal([row[0] for row in table('slack', 'slack', '--by', 'object')], ['L', 'M', '(none)'])
    contains(run('slack', 'slack', '--by', 'site'), '(unknown)       8     4 ')
    contains(run('slack', 'slack'), 'no more than 301 ns')


@test
def what_is_nearest_to_being_critical_is_listed_by_slack():
    write('slack', SLACK)
    equal(table('slack', 'slack', '--by', 'event', '--limit', '3'), [
        [1100, 2, 'c', 0, 'tag', '', '', 0, 5, ''],
        [1100, 2, 'c', 1, 'lock', 1, 'M', 50, 60, ''],
        [1100, 2, 'c', 2, 'unlock', 1, 'M', 25000, 29000, ''],
    ])
    equal([row[0] for row in table('slack', 'slack', '--by', 'event')], [1100, 1100, 1100, 27890])
    equal(table('slack', 'slack', '--by', 'event', '--max-slack', '1099'), [])
    found = json.loads(run('slack', 'slack', '--by', 'event', '--max-slack', '2us', '--json'))
    equal((found['by'], found['max_slack'], len(found['event'])), ('event', 2000, 3))


@test
def arcs_have_slack_of_their_own():
    # Who waited could have been let go no later; who did not, up to when it came.
    write('advance', {'a': '0 10 advance A 1\n90 100 tag value=1\n', 'b': '20 30 await A 1\n',
                      'c': '60 90 await A 1\n'})
    equal([[row[0], row[2], row[3]] + row[-4:] for row in table('advance', 'slack', '--by', 'arc')],
          [[60, 'c', 0, 0, 'a', 0, 'end'], [80, 'b', 0, 0, 'a', 0, 'end']])
    contains(run('advance', 'slack', '--by', 'arc'), 'Arcs nearest to being critical')


@test
def slack_is_of_the_timeline_that_is_asked_for():
    write('timelines', {'a': '0 100 tag value=1\n1000 1010 tag value=1\n', 'b': '0 10 tag value=1\n'})
    with open('timelines/trace.ini', 'w', encoding='utf-8') as settings:
        settings.write('[overhead]\n*=0;0;400\n')
    equal(lightcone('approximate', 'timelines').returncode, 0)
    equal([row[5] for row in table('timelines', 'slack')], [0, 1000])
    with_name = [row['name'] for row in json.loads(lightcone('sql', 'timelines', '--json',
                                                             "SELECT name FROM timeline WHERE id > 0").stdout)]
    equal([row[5] for row in table('timelines', 'slack', '--timeline', with_name[0])], [0, 600])


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
                            (['locks', 'waiting', '--timeline', 'none'], 'only: measured'),
                            (['locks', 'waiting', '--intervals', '3'], '--intervals'),
                            (['locks', 'parallelism-history', '--intervals', '0'], 'from 1 to'),
                            (['locks', 'waiting', '--actual', '3'], '--actual'),
                            (['locks', 'ratio', '--actual', '0'], '1 or more'),
                            (['locks', 'ratio', '--timeline', 'measured'], '--timeline'),
                            (['locks', 'slack', '--by', 'stack'], 'site, event, arc, not'),
                            (['locks', 'slack', '--max-slack', '3 apples'], 'is a time'),
                            (['locks', 'waiting', '--max-slack', '3'], '--max-slack goes with slack only'),
                            (['missing', 'waiting'], 'missing')):
        result = lightcone('stats', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status and output of {arguments}')
        contains(result.stderr, part)


@test
def help_manual_and_completion_have_all_tables():
    root = Path(__file__).parents[2]
    told = lightcone('stats', '--help').stdout.split('WHAT is one of:')[1]
    names = re.findall(r'^  (\S+) ', told, re.MULTILINE)
    equal(names[0] + ' ' + names[-1], 'waiting marks', 'the first and the last one')
    manual = (root / 'docs/man/lightcone-stats.1.scd').read_text(encoding='utf-8')
    equal(re.findall(r'^\*([a-z-]+)\*$', manual.split('# OPTIONS')[0], re.MULTILINE), names, 'the manual page')
    for completion in ('lightcone.bash', 'lightcone.fish', '_lightcone'):
        contains((root / 'data/completion' / completion).read_text(encoding='utf-8'), ' '.join(names))
    scripted = re.findall(r'^  (\S+)$', told, re.MULTILINE)
    own = manual.split("Lightcone's own scripts (")[1].split('and in those')[0]
    if scripted:
        equal(re.findall(r'\*([a-z-]+)\*[,)]', own), scripted, 'those of scripts in the manual page')


@test
def a_name_that_is_no_table_is_answered_with_those_of_the_help():
    """All of them, also those that scripts of the program define, and first of all the similar ones."""
    write('locks', LOCKS)
    told = lightcone('stats', '--help').stdout.split('WHAT is one of:')[1]
    help_names = re.findall(r'^  ([a-z-]+)(?: |$)', told, re.MULTILINE)
    for name, hint in (('wait', ' (did you mean waits, waiting, waiting-history?)'),
                       ('matrx', ' (did you mean matrix?)'), ('phase-wait', ' (did you mean phase-waits?)'),
                       ('everything', '')):
        equal(lightcone('stats', 'locks', name).stderr,
              f'lightcone: stats: “{name}” is none of {", ".join(help_names)}{hint}\n', name)


@test
def a_full_disk_is_told():
    write('locks', LOCKS)
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = lightcone('stats', 'locks', 'waiting', '--json', capture_output=False, stdout=full,
                           stderr=subprocess.PIPE)
    equal(result.returncode, 2, 'the status')
    contains(result.stderr, 'standard output')


main()
