#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone compare says of two executions, against what was found by hand."""
import json
import os

from cli import contains, equal, lightcone, main, program, record, test

# a and b take m in turn. In the second run b is first, and holds it longer; its barrier waits 5 more. Only the second
# run has the semaphore s, and only the first one c.
FIRST = {
    'a': '0 10 lock m 0\n20 30 unlock m 0\n100 110 barrier end 0\n120 130 post done 0\n',
    'b': '5 35 lock m 1\n40 50 unlock m 1\n90 110 barrier end 0\n120 125 tag value=1\n',
    'c': '0 130 wait done 0\n',
}
SECOND = {
    'a': '5 85 lock m 1\n90 95 unlock m 1\n100 110 barrier end 0\n120 130 post s 0\n',
    'b': '0 10 lock m 0\n70 80 unlock m 0\n85 110 barrier end 0\n120 190 wait s 0\n',
}


def write(name, processes):
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def write_both():
    write('first', FIRST)
    write('second', SECOND)


def run(*arguments):
    result = lightcone('compare', *arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of compare {arguments}')
    return result.stdout


def find(*arguments):
    return json.loads(run('--json', *arguments))


@test
def order_differs_where_another_process_is_first():
    write_both()
    found = find('first', 'second')
    equal([(row['object'], row['class'], row['sequence']) for row in found['order']], [('m', 'mutex', 0)])
    row = found['order'][0]
    equal((row['first_process'], row['first_operation'], row['first_ordinal'], row['first_begin']), ('a', 'lock', 0, 0))
    equal((row['second_process'], row['second_operation'], row['second_ordinal'], row['second_begin']),
          ('b', 'lock', 0, 0))


@test
def what_is_left_out_is_told():
    """The tag of b in the first run; nothing in the second. Of threads their creation, begins and ends."""
    write_both()
    found = find('first', 'second')
    equal((found['first_without_sequence'], found['second_without_sequence']), (1, 0), 'events that are left out')
    contains(run('first', 'second'), '1 of the first and 0 of the second have no sequence, and are left out')
    equal('left out' in run('second', 'second'), False, 'nothing is left out')
    for name in ('one.trace', 'other.trace'):
        record(program('known'), output=name)
    found = find('one.trace', 'other.trace')
    for side, trace in (('first', 'one.trace'), ('second', 'other.trace')):
        events = lightcone('sql', '--csv', trace, 'SELECT count(*) FROM event WHERE sequence IS NULL OR object IS NULL')
        equal(found[f'{side}_without_sequence'], int(events.stdout.split()[1]), f'what SQL says of {trace}')
        assert found[f'{side}_without_sequence'] > 0, 'a recorded program has creates and joins'


@test
def times_differ_by_what_an_event_lasts():
    write_both()
    found = find('first', 'second')
    equal([(row['object'], row['sequence'], row['process'], row['operation'], row['first_duration'],
            row['second_duration'], row['change']) for row in found['times']], [('end', 0, 'b', 'barrier', 20, 25, 5)])


@test
def events_and_objects_are_counted():
    write_both()
    found = find('first', 'second')
    equal((found['first_end'], found['second_end']), (130, 190))
    equal((found['events'], found['first_only'], found['second_only']), (2, 4, 4))
    equal((found['objects'], found['first_only_objects'], found['second_only_objects'],
           found['objects_in_another_order']), (2, 1, 1, 1))


@test
def processes_are_matched_by_name():
    write_both()
    found = find('second', 'first')
    equal([(row['name'], row['first_events'], row['second_events']) for row in found['process']],
          [('a', 4, 4), ('b', 4, 4), ('c', None, 1)])
    equal([row['waiting_change'] for row in found['process']], [-75, 10, None])


@test
def one_that_has_no_such_event_is_empty():
    write('two', {'a': '0 10 advance A 1\n20 30 advance A 2\n'})
    write('one', {'a': '0 10 advance A 1\n'})
    row = find('two', 'one')['order'][0]
    equal((row['sequence'], row['first_process'], row['first_begin'], row['second_process'], row['second_begin']),
          (2, 'a', 20, None, None))


@test
def people_get_tables():
    write_both()
    text = run('first', 'second')
    contains(text, 'First:   first, took 130 ns\nSecond:  second, took 190 ns\n')
    contains(text, 'Events:  2 are in both, 4 in the first only, 4 in the second only\n')
    contains(text, 'Objects whose order differs: 1.')
    contains(text, '  m       mutex         0  a               lock            0  0 ns  b                lock')
    contains(text, '  end     barrier         0  b        barrier    20 ns   25 ns   +5 ns')
    contains(run('first', 'first'), 'The order of events is the same on each object that both have.\n')


@test
def events_are_told_by_where_they_are():
    write('first', {'a': '0 10 lock m 0 at=take@x.c:3\n20 30 unlock m 0 at=give@x.c:5\n',
                    'b': '5 35 lock m 1 at=grab@y.c:7\n40 50 unlock m 1\n'})
    write('second', {'a': '5 85 lock m 1 at=take@x.c:4\n90 95 unlock m 1 at=give@x.c:6\n',
                     'b': '0 10 lock m 0 at=grab@y.c:8\n70 80 unlock m 0\n'})
    (row,) = find('first', 'second')['order']
    equal((row['first_site'], row['second_site']), ('take() x.c:3', 'grab() y.c:8'))
    contains(run('first', 'second'), '  take() x.c:3  b                lock            0  0 ns  grab() y.c:8\n')
    write('longer', {'a': '0 10 lock m 0 at=take@x.c:3\n20 30 unlock m 0 at=give@x.c:5\n',
                     'b': '5 36 lock m 1 at=grab@y.c:9\n40 50 unlock m 1\n'})
    (row,) = find('first', 'longer')['times']
    equal((row['first_site'], row['second_site']), ('grab() y.c:7', 'grab() y.c:9'))
    contains(run('first', 'longer'), 'grab() y.c:7  grab() y.c:9\n')
    # Traces that do not say where have no such columns for people, and null for programs.
    write('plain', FIRST)
    write('other', SECOND)
    equal(find('plain', 'other')['order'][0]['first_site'], None)
    equal('in' in run('plain', 'other').splitlines()[5].split(), False, 'a title of sites')


@test
def lists_have_a_limit():
    write('first', {'a': ''.join(f'{20 * i} {20 * i + 5} advance A{i} 1\n' for i in range(30))})
    write('second', {'a': ''.join(f'{20 * i} {20 * i + 6 + i % 7} advance A{i} 2\n' for i in range(30))})
    equal(len(find('first', 'second')['order']), 10)
    equal(len(find('first', 'second', '--limit', '25')['order']), 25)
    found = find('first', 'second', '--limit=0')
    equal((found['order'], found['times'], found['objects_in_another_order']), ([], [], 30))
    contains(run('first', 'second', '--limit', '4'), '  ... and 26 more (see --limit)\n')


@test
def a_recorded_program_is_the_same_as_itself():
    record(program('known'))
    found = find('out.trace', 'out.trace')
    equal((found['order'], found['times'], found['first_only'], found['second_only']), ([], [], 0, 0))
    equal(found['first_end'], found['second_end'])


@test
def timelines_are_compared_if_both_have_them():
    write_both()
    for trace in 'first', 'second':
        equal(lightcone('approximate', trace, '--model', 'event').returncode, 0, 'the status of approximate')
    equal(find('first', 'second', '--timeline', 'event')['objects'], 2)
    result = lightcone('compare', 'first', 'second', '--timeline', 'liberal')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, 'liberal')


@test
def wrong_arguments_are_refused():
    write_both()
    for arguments, part in (([], 'DIR is missing'), (['first'], 'DIR is missing'),
                            (['first', 'second', 'x'], 'too many'),
                            (['first', 'missing'], 'missing'), (['first', 'second', '--limit', '-2'], '--limit')):
        result = lightcone('compare', *arguments)
        equal((result.returncode, result.stdout), (2, ''), f'status and output of {arguments}')
        contains(result.stderr, part)


main()
