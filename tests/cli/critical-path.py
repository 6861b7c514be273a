#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone critical-path says, against paths found by hand."""
import csv
import io
import json
import os

from cli import contains, equal, lightcone, main, program, record, test

# b gets the lock from a, and sends a message to c; d has nothing to do with it.
CHAIN = {
    'a': '0 10 lock m 1\n100 110 unlock m 1\n300 310 tag value=1\n',
    'b': '20 130 lock m 2\n140 141 enter work\n150 160 unlock m 2\n180 240 send q 0 bytes=8\n245 246 leave work\n',
    'c': '50 200 recv q 0 bytes=8\n400 410 tag value=2\n',
    'd': '0 380 tag value=3\n',
}
PATH = [  # part, process, ordinal, operation, begin and end on the path
    ('event', 'a', 0, 'lock', 0, 10),
    ('computing', 'a', None, None, 10, 100),
    ('event', 'a', 1, 'unlock', 100, 110),
    ('hop', 'b', 0, 'lock', 110, 130),
    ('computing', 'b', None, None, 130, 140),
    ('event', 'b', 1, 'enter', 140, 141),
    ('computing', 'b', None, None, 141, 150),
    ('event', 'b', 2, 'unlock', 150, 160),
    ('computing', 'b', None, None, 160, 180),
    ('hop', 'c', 0, 'recv', 180, 200),
    ('computing', 'c', None, None, 200, 400),
    ('event', 'c', 1, 'tag', 400, 410),
]


def write(name, processes):
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def run(*arguments):
    result = lightcone('critical-path', *arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of critical-path {arguments}')
    return result.stdout


def find(*arguments):
    return json.loads(run('--json', *arguments))


def shares(found, key):
    return [(share['name'], share['time'], share['visits']) for share in found[key]]


def check_sums(found):
    equal(found['computing'] + found['inside'] + found['passing'], found['length'])
    for key in ('process', 'operation', 'object', 'region'):
        equal(sum(share['time'] for share in found[key]), found['length'], f'the sum of {key}')


@test
def the_path_is_the_chain_of_what_was_waited_for():
    write('chain', CHAIN)
    found = find('chain', '--events')
    equal([(entry['part'], entry['process_name'], entry['ordinal'], entry['operation'], entry['path_begin'],
            entry['path_end']) for entry in found['event']], PATH)
    equal([(entry['process'], entry['from_process'], entry['from_ordinal']) for entry in found['event']
           if entry['part'] == 'hop'], [(1, 0, 1), (2, 1, 3)])
    lock = found['event'][3]
    equal((lock['object_name'], lock['sequence'], lock['begin'], lock['end'], lock['waited'], lock['time']),
          ('m', 2, 20, 130, 90, 20))


@test
def shares_say_whose_time_it_is():
    write('chain', CHAIN)
    found = find('chain')
    check_sums(found)
    equal((found['begin'], found['end'], found['length'], found['events'], found['hops']), (0, 410, 410, 7, 2))
    equal((found['computing'], found['inside'], found['passing']), (329, 41, 40))
    equal(shares(found, 'process'), [('c', 230, 1), ('a', 110, 1), ('b', 70, 1)])
    equal(shares(found, 'operation'), [(None, 329, 5), ('lock', 30, 2), ('unlock', 20, 2), ('recv', 20, 1),
                                       ('tag', 10, 1), ('enter', 1, 1)])
    equal(shares(found, 'object'), [(None, 339, 6), ('m', 50, 4), ('q', 20, 1), ('work', 1, 1)])
    equal(shares(found, 'region'), [(None, 370, 3), ('work', 40, 1)])
    equal([share['percent'] for share in found['process']], [56.0976, 26.8293, 17.0732])


@test
def keys_are_stable():
    write('chain', CHAIN)
    keys = {'timeline', 'begin', 'end', 'length', 'computing', 'inside', 'unseen', 'passing', 'events', 'hops',
            'preempted', 'blocked', 'sleeping', 'outside', 'finalizing',
            'process', 'operation', 'object', 'region', 'events_lost', 'events_lost_by_reason'}
    found = find('chain')
    equal(set(found), keys)
    equal(set(find('chain', '--events')), keys | {'event'})
    equal(tuple(found['process'][0]), ('id', 'name', 'time', 'percent', 'visits'))
    for key in ('operation', 'object', 'region'):
        equal(tuple(found[key][0]), ('id', 'name', 'class', 'time', 'percent', 'visits'), key)


@test
def what_nothing_recorded_ended_is_told():
    """Who sent the signal is not in the trace. The sleep is not on the path, and what ended the lock is."""
    write('unseen', {'a': '0 10 lock m 1\n20 620 condition-wait c - unknown=1\n700 700 unlock m 1\n',
                     'c': '0 900 sleep\n', 'b': '5 710 lock m 2\n1010 1010 unlock m 2\n'})
    found = find('unseen')
    equal((found['inside'], found['unseen'], found['length']), (610, 600, 1010))
    text = run('unseen')
    contains(text, 'Blocked, ended unseen     600 ns   59.4 %\n')
    contains(text, 'For 600 ns of the path (59.4 %) a process was blocked until something happened that is not')
    write('chain', CHAIN)
    equal(find('chain')['unseen'], 0)
    equal('unseen' in run('chain'), False, 'of a path that is seen')


PARTS = ('computing', 'preempted', 'blocked', 'inside', 'unseen', 'sleeping', 'outside', 'finalizing')


def sentences(name):
    """What the text says between the summary and the first table."""
    return [line for line in run(name).split('\n\n')[2].split('\n') if line.startswith('For ')]


@test
def why_a_process_did_not_go_on_is_told():
    """A clock is not a file, and neither is something that nobody knows. Of what is outside the longest has a name."""
    write('asleep', {'a': '0 10 tag\n20 320 sleep\n320 350 read in\n350 450 read out\n460 560 finalize MPI\n'
                          '560 760 condition-wait c - unknown=1\n760 800 wait-failed s - timed-out=1\n1000 1000 tag\n'})
    found = find('asleep')
    equal([found[key] for key in PARTS], [220, 0, 0, 780, 770, 340, 130, 100])
    contains(' '.join(run('asleep').split()), 'Asleep 340 ns 34.0 % Outside of the program 130 ns 13.0 % '
             'In MPI_Finalize 100 ns 10.0 % Blocked, ended unseen 200 ns 20.0 % Events')
    equal([line.split(')')[1][1:] for line in sentences('asleep')], [
        'a process was asleep, or waited until a time was over: a clock decides how long that takes.',
        'a process was outside of the program, mostly in read out. What ended that is not recorded.',
        'a rank was in MPI_Finalize, where ranks wait for others, and MPI does not say for whom.',
        'a process was blocked until something happened that is not recorded. What made that so long is not on the'
        ' path.'])


@test
def who_has_no_processor_does_not_compute():
    """On the path only: of b what is before the wait, and of a what is after it, belongs to nobody."""
    write('pinned', {'a': '0 10 lock m 1\n%absent 20 320 preempted\n%absent 400 500 blocked\n610 610 unlock m 1\n'
                          '%absent 650 900 preempted\n910 910 tag\n',
                     'b': '%absent 5 80 blocked\n100 620 lock m 2\n%absent 700 900 preempted\n1000 1000 unlock m 2\n'})
    found = find('pinned')
    equal([found[key] for key in PARTS], [980, 500, 100, 10, 0, 0, 0, 0])
    contains(' '.join(run('pinned').split()),
             'Without a processor 500 ns 50.0 % Blocked between events 100 ns 10.0 % Events')
    equal([line.split(')')[1][1:] for line in sentences('pinned')], [
        'a process was ready to go on, but had no processor.',
        'a process was blocked between two events, and nothing that is recorded says in what.'])


@test
def csv_has_the_same():
    write('chain', CHAIN)
    rows = list(csv.DictReader(io.StringIO(run('chain', '--csv'))))
    found = find('chain')
    for key in ('process', 'operation', 'object', 'region'):
        equal([(row['name'] or None, int(row['time']), int(row['visits'])) for row in rows if row['share'] == key],
              shares(found, key), key)
    events = list(csv.DictReader(io.StringIO(run('chain', '--csv', '--events'))))
    equal([(row['part'], row['process_name'], int(row['ordinal']) if row['ordinal'] else None,
            row['operation'] or None, int(row['path_begin']), int(row['path_end'])) for row in events], PATH)


@test
def people_get_a_report():
    write('chain', CHAIN)
    text = run('chain', '--limit', '2')
    contains(text, 'Critical path, timeline measured\n\n  Length                   410 ns  100.0 %\n')
    contains(text, '''
  Process    Time   Share  Stays
  c        230 ns  56.1 %      1
  a        110 ns  26.8 %      1
  ... and 1 more (see --limit)
''')
    contains(run('chain', '--events'), '  to              110 ns   20 ns  b            0  lock       m            2\n')
    contains(run('chain', '--events', '--limit=3'), '  ... and 9 more (see --limit)\n')


@test
def what_was_recorded_has_a_path_to_its_end():
    record(program('known'))
    found = find('out.trace', '--events')
    check_sums(found)
    last = json.loads(lightcone('sql', '--json', 'out.trace', 'SELECT max("end") AS "end" FROM event').stdout)[0]
    equal(found['end'], last['end'])
    time = found['begin']  # when the program began
    for entry in found['event']:
        equal(entry['path_begin'], time, 'the begin of a part')
        time = entry['path_end']
    equal(time - found['begin'], found['length'])
    # The first process made the others, and waits for them.
    equal([entry['process'] for entry in found['event']][0], 0)
    equal(found['event'][-1]['process'], 0)


@test
def an_empty_trace_has_none():
    write('empty', {'a': ''})
    found = find('empty', '--events')
    equal((found['length'], found['process'], found['event']), (0, [], []))
    contains(run('empty'), 'Length                   0 ns')


@test
def a_long_path_is_written_whole():
    write('long', {'a': ''.join(f'{i * 10} {i * 10 + 5} tag value={i}\n' for i in range(20000))})
    found = find('long', '--events')
    equal((len(found['event']), found['event'][-1]['path_end']), (39999, 199995))
    rows = run('long', '--events', '--csv').split('\n')
    equal(len(rows), 39999 + 2)
    contains(run('long', '--events'), '  ... and 39,799 more (see --limit)\n')


@test
def wrong_arguments_are_refused():
    write('chain', CHAIN)
    for arguments, part in (([], 'DIR is missing'), (['chain', 'more'], 'too many'),
                            (['chain', '--timeline', 'none'], 'none'), (['missing'], 'missing'),
                            (['chain', '--json', '--csv'], 'do not go together')):
        result = lightcone('critical-path', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status and output of {arguments}')
        contains(result.stderr, part)


main()
