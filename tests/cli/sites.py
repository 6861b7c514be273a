#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where in the source: what stats, critical-path, explain, check, info and export say of small traces."""
import csv
import io
import json
import os
import re
from xml.etree import ElementTree

from cli import contains, equal, lightcone, main, test
from tables import refuse, run, write

# a waits for b, from 10 to 160, which waits for c from 20 to 100.
CHAIN = {
    'a': '10 170 await Y 1 at=consume@src/a.c:4;main@src/a.c:40\n',
    'b': '20 110 await X 1 at=pass@src/b.c:2;main@src/b.c:50\n'
         '150 160 advance Y 1 at=pass@src/b.c:3;main@src/b.c:50\n',
    'c': '90 100 advance X 1 at=produce@c.c:1\n',
}
# b waits for m from 20 to 100, and d from 30 to 150; a waits for n from 140 to 165. Two places take m.
LOCKS = {
    'a': '0 10 lock m 1 at=take@x.c:3\n100 100 unlock m 1 at=give@x.c:5\n140 175 lock n 2 at=take@x.c:4\n',
    'b': '20 110 lock m 2 at=grab@y.c:7\n150 150 unlock m 2 at=drop@y.c:9\n',
    'd': '0 5 lock n 1\n10 10 tag value=1 at=note@z.c:1\n30 160 lock m 3 at=grab@y.c:7\n'
         '165 165 unlock n 1\n170 170 unlock m 3 at=drop@y.c:9\n',
}


def table(*arguments):
    """The rows of a CSV, each with its names."""
    return list(csv.DictReader(io.StringIO(run(*arguments))))


def pick(rows, *names):
    return [tuple(int(row[name]) if row[name].isdecimal() else row[name] for name in names) for row in rows]

# In the region S, a's part ends at 110 and b's at 310; a works from 310 to 350 before it begins T, in which a is late.
# b waits for U from 510 on: for the end of T until 600, then for a, who works until 640. c was in no region before U.
REGIONS = {
    'a': '0 0 fork S 0 at=main@x.c:4\n110 310 team-join S 0 value=2 at=main@x.c:4\n350 350 fork T 0 at=main@x.c:6\n'
         '590 600 team-join T 0 value=2 at=main@x.c:6\n640 640 fork U 0 at=main@x.c:8\n'
         '700 720 team-join U 0 value=3 at=main@x.c:8\n',
    'b': '0 5 team-start S 0 at=main@x.c:4\n310 310 team-end S 0 at=main@x.c:4\n310 350 team-start T 0 at=main@x.c:6\n'
         '510 510 team-end T 0 at=main@x.c:6\n510 640 team-start U 0 at=main@x.c:8\n'
         '720 720 team-end U 0 at=main@x.c:8\n',
    'c': '20 640 team-start U 0 at=main@x.c:8\n700 700 team-end U 0 at=main@x.c:8\n',
}


# --- Sites ----------------------------------------------------------------------------------------------------------


@test
def a_site_waits_makes_wait_and_holds():
    write('locks', LOCKS)
    rows = table('stats', 'locks', 'sites', '--format', 'csv')
    names = ('site', 'events', 'time', 'waits', 'waited', 'longest', 'longest_process_name', 'longest_ordinal')
    equal(pick(rows, *names), [
        ('grab() y.c:7', 2, 90 + 130, 2, 80 + 120, 120, 'd', 2),
        ('drop() y.c:9', 2, 0, 0, 0, '', '', ''),
        ('give() x.c:5', 1, 0, 0, 0, '', '', ''),
        ('(unknown)', 2, 5, 0, 0, '', '', ''),
        ('take() x.c:4', 1, 35, 1, 25, 25, 'a', 2),
        ('note() z.c:1', 1, 0, 0, 0, '', '', ''),
        ('take() x.c:3', 1, 10, 0, 0, '', '', ''),
    ])
    equal(pick(rows, 'site', 'made_waits', 'made_wait', 'whom', 'whom_waited', 'held'), [
        ('grab() y.c:7', 0, 0, '', '', 40 + 10),
        ('drop() y.c:9', 1, 120, 'grab() y.c:7', 120, 0),
        ('give() x.c:5', 1, 80, 'grab() y.c:7', 80, 0),
        ('(unknown)', 1, 25, 'take() x.c:4', 25, 160),
        ('take() x.c:4', 0, 0, '', '', 0),
        ('note() z.c:1', 0, 0, '', '', 0),
        ('take() x.c:3', 0, 0, '', '', 90),
    ])


@test
def the_sums_of_sites_are_those_of_processes_and_objects():
    write('locks', LOCKS)
    waiting = table('stats', 'locks', 'waiting', '--format', 'csv')
    objects = table('stats', 'locks', 'objects', '--format', 'csv')
    for by in ('site', 'function', 'file', 'module'):
        rows = table('stats', 'locks', 'sites', '--format', 'csv', '--by', by)
        equal(sum(int(row['waited']) for row in rows), sum(int(row['waiting']) for row in waiting), by)
        equal(sum(int(row['made_wait']) for row in rows), sum(int(row['waiting']) for row in waiting), by)
        equal(sum(int(row['held']) for row in rows), sum(int(row['held']) for row in objects), by)


@test
def sites_are_grouped_by_function_file_and_module():
    write('locks', LOCKS)
    rows = json.loads(run('stats', 'locks', 'sites', '--json', '--by', 'function'))
    equal((rows['what'], rows['by'], rows['sites']), ('sites', 'function', 6))
    take = [row for row in rows['site'] if row['function'] == 'take']
    equal([(row['site'], row['file'], row['line'], row['module'], row['events']) for row in take],
          [('take', 'x.c', None, None, 2)])
    rows = json.loads(run('stats', 'locks', 'sites', '--json', '--by', 'file'))['site']
    equal([(row['site'], row['function'], row['file'], row['events'], row['waited'], row['made_wait'], row['held'])
           for row in rows],
          [('y.c', None, 'y.c', 4, 200, 120, 50), ('x.c', None, 'x.c', 3, 25, 80, 90),
           ('(unknown)', None, None, 2, 0, 25, 160), ('z.c', None, 'z.c', 1, 0, 0, 0)])
    # Text traces have no modules.
    rows = json.loads(run('stats', 'locks', 'sites', '--json', '--by', 'module'))['site']
    equal([(row['site'], row['events']) for row in rows], [('(unknown)', 10)])


@test
def waits_of_a_pool_are_for_what_its_master_did():
    """Who waits for the next region waits for the end of that which the master is in, and only then for the next."""
    write('regions', REGIONS)
    # At S, a waits 200 and c from 20 to 310, for b. At T, which a ends last, b waits from 510 to 600, c from 350 on.
    # The rest: b from 310 to 350 for T, and from 600 to 640 for U; c for U from 310 to 350 and from 600 to 640.
    at_s, at_t, at_u = 200 + 290, 90 + 250 + 40, 40 + 80 + 20
    names = ('site', 'waits', 'waited', 'longest', 'made_wait')
    equal(pick(table('stats', 'regions', 'sites', '--format', 'csv'), *names),
          [('main() x.c:4', 2, at_s, 290, at_s), ('main() x.c:6', 3, at_t, 250, at_t),
           ('main() x.c:8', 3, at_u, 80, at_u)])
    equal(pick(table('stats', 'regions', 'objects', '--format', 'csv'), 'name', 'waits', 'waited', 'longest'),
          [('S', 2, at_s, 290), ('T', 3, at_t, 250), ('U', 3, at_u, 80)])
    for by, expected in (('object', [('S', at_s), ('T', at_t), ('U', at_u)]),
                         ('site', [('main() x.c:4', at_s), ('main() x.c:6', at_t), ('main() x.c:8', at_u)]),
                         ('for', [('b', at_s + 20), ('a', at_t + 120)]),
                         ('process', [('c', 620), ('a', 220), ('b', 170)])):
        equal(pick(table('stats', 'regions', 'waits', '--format', 'csv', '--by', by), 'group', 'waited'), expected, by)
    equal(pick(table('stats', 'regions', 'blame', '--format', 'csv'), 'waiter', 'blamed', 'object_name', 'time'),
          [(f'main() x.c:{line}', f'main() x.c:{line}', name, time)
           for line, name, time in ((4, 'S', at_s), (6, 'T', at_t), (8, 'U', at_u))])


@test
def people_read_sites_in_a_table():
    write('chain', CHAIN)
    text = run('stats', 'chain', 'sites')
    contains(text, 'Where processes waited, and made others wait, timeline measured\n')
    equal([line.split()[:2] for line in text.splitlines()[3:]],
          [['consume()', 'a.c:4'], ['pass()', 'b.c:3'], ['pass()', 'b.c:2'], ['produce()', 'c.c:1']])
    contains(run('stats', 'chain', 'sites', '--limit', '3'), '  ... and 1 more (see --limit)\n')


@test
def sites_of_another_timeline_are_of_its_times():
    write('wait', {'a': '500 540 advance A 1 at=go@a.c:1\n1000 1010 tag value=1\n',
                   'b': '100 812 await A 1 at=stay@b.c:2\n1000 1010 tag value=2\n'},
          '[overhead]\n*=0;0;35\nawait=10;12;20\n[cost]\nawait=90;260\n')
    run('approximate', 'wait')
    names = ('site', 'waited', 'made_wait', 'whom')
    equal(pick(table('stats', 'wait', 'sites', '--format', 'csv', '--by', 'function'), *names)[:2],
          [('go', 0, 440, 'stay'), ('stay', 440, 0, '')])
    equal(pick(table('stats', 'wait', 'sites', '--format', 'csv', '--by', 'function', '--timeline', 'event'),
               *names)[:2], [('go', 0, 450, 'stay'), ('stay', 450, 0, '')])
    equal(pick(table('stats', 'wait', 'blame', '--format', 'csv', '--timeline', 'event'), 'waiter', 'blamed', 'time'),
          [('stay() b.c:2', 'go() a.c:1', 450)])


# --- Blame ----------------------------------------------------------------------------------------------------------


@test
def blame_goes_on_to_whom_the_blamed_waited_for():
    write('chain', CHAIN)
    rows = table('stats', 'chain', 'blame', '--format', 'csv')
    equal(pick(rows, 'waiter', 'blamed', 'object_name', 'waits', 'time', 'percent'), [
        ('consume() a.c:4', 'produce() c.c:1', 'Y', 1, 80, '34.7826'),
        ('pass() b.c:2', 'produce() c.c:1', 'X', 1, 80, '34.7826'),
        ('consume() a.c:4', 'pass() b.c:3', 'Y', 1, 70, '30.4348'),
    ])
    equal(pick(rows[:1], 'waiter_function', 'waiter_file', 'waiter_line', 'waiter_module', 'blamed_function',
               'blamed_file', 'blamed_line'), [('consume', 'src/a.c', 4, '', 'produce', 'c.c', 1)])
    found = json.loads(run('stats', 'chain', 'blame', '--json', '--by', 'function'))
    equal((found['by'], [(row['waiter'], row['blamed'], row['time']) for row in found['blame']]),
          ('function', [('consume', 'produce', 80), ('pass', 'produce', 80), ('consume', 'pass', 70)]))


@test
def blame_is_only_passed_on_for_the_time_that_is_shared():
    # b waited before a did, and again until 60; of that a shares what is from 50 on.
    write('shared', {'a': '50 100 await Y 1 at=wait_y@a.c:1\n',
                     'b': '0 20 await X 1 at=first@b.c:1\n30 60 await X 2 at=second@b.c:2\n'
                          '90 100 advance Y 1 at=done@b.c:3\n',
                     'c': '10 20 advance X 1 at=one@c.c:1\n50 60 advance X 2 at=two@c.c:2\n'})
    equal(pick(table('stats', 'shared', 'blame', '--format', 'csv'), 'waiter', 'blamed', 'time'), [
        ('wait_y() a.c:1', 'done() b.c:3', 40),
        ('second() b.c:2', 'two() c.c:2', 30),
        ('first() b.c:1', 'one() c.c:1', 20),
        ('wait_y() a.c:1', 'two() c.c:2', 10),
    ])


@test
def blame_is_of_who_slept_and_not_of_what_came_after():
    write('sleeper', {'main': '0 900 await X 1 at=main@a.c:1\n',
                      'worker': '0 10 tag start at=work@b.c:1\n100 700 sleep - at=read@b.c:2\n'
                                '880 890 advance X 1 at=work@b.c:3\n'})
    equal(pick(table('stats', 'sleeper', 'blame', '--format', 'csv'), 'waiter', 'blamed', 'time'),
          [('main() a.c:1', 'read() b.c:2', 600), ('main() a.c:1', 'work() b.c:3', 290)])


@test
def blame_of_a_wait_that_never_ended_is_of_who_keeps_what_it_waits_for():
    write('kept', {'a': '0 10 lock m 1 at=take@a.c:1\n%pending 20 500 lock n 2 at=more@a.c:2\n',
                   'b': '0 5 lock n 1 at=grab@b.c:1\n30 31 tag x at=go_on@b.c:2\n',
                   'c': '%pending 100 500 lock m 2 at=want@c.c:1\n'})
    equal(sorted(pick(table('stats', 'kept', 'blame', '--format', 'csv'), 'waiter', 'blamed', 'time')),
          [('more() a.c:2', 'grab() b.c:1', 480), ('want() c.c:1', 'more() a.c:2', 400)])


@test
def blame_sums_up_to_all_waiting():
    write('locks', LOCKS)
    rows = table('stats', 'locks', 'blame', '--format', 'csv')
    equal(sum(int(row['time']) for row in rows), 80 + 120 + 25)
    # d waited for b until 150; b waited for a until 100, which d shares from 30 on. a waited for d's unlock of n until
    # 165; d waited for b until 150, which a shares from 140 on.
    equal(sorted(pick(rows, 'waiter', 'blamed', 'object_name', 'waits', 'time')), [
        ('grab() y.c:7', 'drop() y.c:9', 'm', 1, 50),
        ('grab() y.c:7', 'give() x.c:5', 'm', 2, 80 + 70),
        ('take() x.c:4', '(unknown)', 'n', 1, 15),
        ('take() x.c:4', 'drop() y.c:9', 'n', 1, 10),
    ])


@test
def who_comes_last_to_a_barrier_is_to_blame():
    write('barrier', {'a': '10 110 barrier B 0 at=meet@a.c:1\n', 'b': '100 110 barrier B 0 at=late@b.c:1\n'})
    equal(pick(table('stats', 'barrier', 'blame', '--format', 'csv'), 'waiter', 'blamed', 'time'),
          [('meet() a.c:1', 'late() b.c:1', 90)])


# --- Waits in groups ------------------------------------------------------------------------------------------------


@test
def a_wait_is_shared_by_those_that_held_meanwhile():
    names = ('group', 'waits', 'waited', 'longest', 'longest_process_name', 'longest_ordinal')
    write('locks', LOCKS)
    # d waited from 30 to 150: for a until 100, for nobody until b has locked, and then for b, the last to hold it.
    expected = [('a', 2, 80 + 70, 80, 'b', 0), ('b', 1, 40, 40, 'd', 2), ('d', 1, 25, 25, 'a', 2),
                ('(none)', 1, 10, 10, 'd', 2)]
    equal(pick(table('stats', 'locks', 'waits', '--by', 'holder', '--format', 'csv'), *names), expected)
    run('approximate', 'locks', '--model', 'event', '--set', 'overhead.*=0;0;0')
    equal(pick(table('stats', 'locks', 'waits', '--by', 'holder', '--timeline', 'event', '--format', 'csv'), *names),
          expected, 'of another timeline')
    # Two readers at a time have half of it each, and the writer its turn.
    write('readers', {'a': '0 0 read-start c 0\n60 60 read-end c 0\n',
                      'b': '20 20 read-start c 0\n100 100 read-end c 0\n',
                      'w': '10 100 write-start c 1 value=2\n110 110 write-end c 1\n',
                      'x': '15 110 read-start c 1\n120 120 read-end c 1\n'})
    equal(pick(table('stats', 'readers', 'waits', '--by', 'holder', '--format', 'csv'), 'group', 'waits', 'waited'),
          [('b', 2, 20 + 40 + 20 + 40), ('a', 2, 10 + 20 + 5 + 20), ('w', 1, 10)])


@test
def waits_are_in_groups():
    write('locks', LOCKS)
    names = ('group', 'number', 'waits', 'waited', 'percent', 'longest', 'longest_process_name', 'longest_ordinal')
    expected = {
        'object': [('m', 0, 2, 200, '88.8889', 120, 'd', 2), ('n', 1, 1, 25, '11.1111', 25, 'a', 2)],
        'site': [('grab() y.c:7', '', 2, 200, '88.8889', 120, 'd', 2),
                 ('take() x.c:4', '', 1, 25, '11.1111', 25, 'a', 2)],
        'process': [('d', 2, 1, 120, '53.3333', 120, 'd', 2), ('b', 1, 1, 80, '35.5556', 80, 'b', 0),
                    ('a', 0, 1, 25, '11.1111', 25, 'a', 2)],
        'for': [('b', 1, 1, 120, '53.3333', 120, 'd', 2), ('a', 0, 1, 80, '35.5556', 80, 'b', 0),
                ('d', 2, 1, 25, '11.1111', 25, 'a', 2)],
        'pair': [('d < b', '', 1, 120, '53.3333', 120, 'd', 2), ('b < a', '', 1, 80, '35.5556', 80, 'b', 0),
                 ('a < d', '', 1, 25, '11.1111', 25, 'a', 2)],
    }
    for by, rows in expected.items():
        equal(pick(table('stats', 'locks', 'waits', '--by', by, '--format', 'csv'), *names), rows, by)
    equal(pick(table('stats', 'locks', 'waits', '--format', 'csv'), *names), expected['object'])
    # Another timeline has no basis of its own; with nothing removed from it, waits are the same.
    run('approximate', 'locks', '--model', 'event', '--set', 'overhead.*=0;0;0')
    for by in ('for', 'pair'):
        found = table('stats', 'locks', 'waits', '--by', by, '--timeline', 'event', '--format', 'csv')
        equal({row['group'] for row in found}, {row[0] for row in expected[by]}, f'of another timeline, {by}')
    write('chain', CHAIN)
    found = json.loads(run('stats', 'chain', 'waits', '--by', 'stack', '--json'))
    equal((found['what'], found['by'], [(row['group'], row['waited']) for row in found['wait']]),
          ('waits', 'stack', [('consume() a.c:4 < main() a.c:40', 150), ('pass() b.c:2 < main() b.c:50', 80)]))
    contains(refuse('stats', 'chain', 'waits', '--by', 'module'),
             'object, site, stack, process, for, pair, holder, event')
    contains(refuse('stats', 'chain', 'sites', '--by', 'object'), 'object')
    contains(run('stats', 'chain', 'waits', '--limit', '1'), '  ... and 1 more (see --limit)\n')


@test
def single_waits_tell_who_held_for_most_of_them():
    """That is not whom they were for: d waited until b unlocked, but a had held the lock most of the time."""
    write('locks', LOCKS)
    names = ('waited', 'process_name', 'ordinal', 'operation', 'object_name', 'begin', 'for_name', 'holder_name',
             'held', 'held_percent')
    expected = [(120, 'd', 2, 'lock', 'm', 30, 'b', 'a', 70, '58.3333'),
                (80, 'b', 0, 'lock', 'm', 20, 'a', 'a', 80, 100),
                (25, 'a', 2, 'lock', 'n', 140, 'd', 'd', 25, 100)]
    equal(pick(table('stats', 'locks', 'waits', '--by', 'event', '--format', 'csv'), *names), expected)
    run('approximate', 'locks', '--model', 'event', '--set', 'overhead.*=0;0;0')
    equal(pick(table('stats', 'locks', 'waits', '--by', 'event', '--timeline', 'event', '--format', 'csv'), *names),
          expected, 'of another timeline')
    equal(len(table('stats', 'locks', 'waits', '--by', 'event', '--limit', '1', '--format', 'csv')), 1, 'only one')
    # Nobody holds what a message is waited for on.
    write('message', {'p': '0 5 tag value=1\n50 60 send c 0\n', 'q': '10 70 recv c 0\n'})
    found = table('stats', 'message', 'waits', '--by', 'event', '--format', 'csv')
    equal(pick(found, 'for_name', 'holder_name', 'held'), [('p', '', '')])
    equal(pick(found, 'for', 'holder'), [(0, '')])
    # What a process was in to its end is told as what it is, not as the end. Nobody ended it.
    write('ended', {'p': '0 10 lock m 1\n%pending 500 9000 condition-wait filled 4\n'})
    equal(pick(table('stats', 'ended', 'waits', '--by', 'event', '--format', 'csv'), 'waited', 'ordinal', 'operation',
               'object_name', 'for', 'for_name'), [(8500, 1, 'condition-wait', 'filled', '', '')])
    write('still', {'p': '0 100 send c 0\n'})
    contains(run('stats', 'still', 'waits', '--by', 'event'), 'No event waited.')
    equal(json.loads(run('stats', 'still', 'waits', '--by', 'event', '--json'))['wait'], [], 'none in JSON')


# --- Flame graphs ---------------------------------------------------------------------------------------------------


@test
def stacks_of_both_ends_meet_at_the_object():
    write('chain', CHAIN)
    run('export', 'chain', '-o', 'chain.folded')
    with open('chain.folded', encoding='utf-8') as file:
        equal(file.read().splitlines(), [
            'main() a.c:40;consume() a.c:4;[waits for Y];produce() c.c:1 80',
            'main() b.c:50;pass() b.c:2;[waits for X];produce() c.c:1 80',
            'main() a.c:40;consume() a.c:4;[waits for Y];pass() b.c:3;main() b.c:50 70',
        ])
    equal(run('export', 'chain', '-o', '-', '--format', 'folded', '--by', 'waiter').splitlines(), [
        'main() a.c:40;consume() a.c:4;[waits for Y] 150',
        'main() b.c:50;pass() b.c:2;[waits for X] 80',
    ])
    equal(run('export', 'chain', '-o', '-', '--format', 'folded', '--by', 'blamed').splitlines(), [
        'produce() c.c:1;[waits for Y] 80',
        'produce() c.c:1;[waits for X] 80',
        'main() b.c:50;pass() b.c:3;[waits for Y] 70',
    ])


@test
def speedscope_gets_a_sampled_profile():
    write('chain', CHAIN)
    run('export', 'chain', '-o', 'chain.speedscope.json', '--title', 'A chain')
    with open('chain.speedscope.json', encoding='utf-8') as file:
        found = json.load(file)
    equal((found['$schema'], found['name']), ('https://www.speedscope.app/file-format-schema.json', 'A chain'))
    profile, = found['profiles']
    equal((profile['type'], profile['unit'], profile['startValue'], profile['endValue'], profile['weights']),
          ('sampled', 'nanoseconds', 0, 230, [80, 80, 70]))
    frames = found['shared']['frames']
    equal([frames[frame] for frame in profile['samples'][0]], [
        {'name': 'main() a.c:40', 'file': 'src/a.c', 'line': 40},
        {'name': 'consume() a.c:4', 'file': 'src/a.c', 'line': 4},
        {'name': '[waits for Y]'},
        {'name': 'produce() c.c:1', 'file': 'c.c', 'line': 1},
    ])


@test
def names_do_not_break_folded_lines():
    write('odd', {'a': '10 170 await Y 1 at=f(a%3bb%0ac)@a%20b.c:4\n', 'b': '150 160 advance Y 1\n'})
    line, = run('export', 'odd', '-o', '-', '--format', 'folded').splitlines()
    equal(line.count(';'), 2, line)
    frames, weight = line.rsplit(' ', 1)
    equal((frames.split(';')[1:], weight), (['[waits for Y]', '(unknown)'], '150'))
    contains(frames, 'a b.c:4')


@test
def options_of_pictures_do_not_go_with_stacks():
    write('chain', CHAIN)
    equal(refuse('export', 'chain', '-o', 'chain.folded', '--size', '400x300'),
          'lightcone: export: --size goes with pictures only\n')
    equal(refuse('export', 'chain', '-o', 'chain.folded', '--view', 'ratio'),
          'lightcone: export: --view goes with pictures only\n')
    contains(refuse('export', 'chain', '-o', 'chain.folded', '--by', 'none'), 'both, waiter, blamed')
    contains(refuse('export', 'chain', '-o', 'chain.svg', '--by', 'both'), '--by does not go with the view space-time')
    contains(refuse('export', 'chain', '-o', 'chain.svg', '--view', 'flame', '--skip', 'a.c'), '--skip goes with')
    equal(run('export', 'chain', '-o', '-', '--format', 'folded', '--flame', 'waiter'),
          run('export', 'chain', '-o', '-', '--format', 'folded', '--by', 'waiter'))
    equal(os.path.exists('chain.folded'), False)


SVG = '{http://www.w3.org/2000/svg}'


def draw(trace, *options):
    """The picture of a flame graph, as SVG."""
    return ElementTree.fromstring(run('export', trace, '-o', '-', '--format', 'svg', '--view', 'flame', *options))


def boxes(picture):
    """Of a flame graph, from the lowest level up: (level, left, right in ns, first line of the tooltip, name)."""
    found = []
    for group in picture.iter(SVG + 'g'):
        if re.fullmatch('frame(:[0-9]+)?', group.get('id', '')):
            shape = next(one for one in group.iter() if one.tag in (SVG + 'rect', SVG + 'path'))
            name = [''.join(text.itertext()) for text in group.iter(SVG + 'text')]
            found.append((*corners(shape), group.find(SVG + 'title').text, ''.join(name)))
    left, right, row = found[0][0], found[0][2], found[0][3] - found[0][1]
    lines = [title.splitlines() for *_, title, _ in found]
    whole = re.search('^([0-9]+) ns waited', lines[0][1]).group(1)
    scale = int(whole) / (right - left)
    return [(round((found[0][3] - bottom) / row), round((x - left) * scale), round((end - left) * scale), first, name)
            for (x, _, end, bottom, _, name), (first, *_) in zip(found, lines)]


def corners(shape):
    """Left, top, right and bottom, without the gap of a pixel that separates two boxes."""
    if shape.tag == SVG + 'rect':
        x, y, width, height = (float(shape.get(name)) for name in ('x', 'y', 'width', 'height'))
        return x, y, x + width, y + height
    numbers = re.findall('([A-Za-z])([-0-9. ,]*)', shape.get('d'))
    x, y = (float(number) for number in re.findall('[-0-9.]+', numbers[0][1]))
    width = next(float(value) for letter, value in numbers if letter == 'h')
    height = next(float(value) for letter, value in numbers if letter == 'v')
    return x, y, x + width, y + height


def notes(picture):
    group, = (group for group in picture.iter(SVG + 'g') if group.get('id') == 'notes')
    return ' '.join(''.join(text.itertext()) for text in group.iter(SVG + 'text'))


@test
def a_flame_graph_is_as_wide_as_the_waiting():
    write('chain', CHAIN)
    picture = draw('chain', '--size', '1200x600')
    # Each level is from the longest to the shortest; 1 ns is 5 pixels here, so the gaps do not show in ns.
    equal(boxes(picture), [
        (0, 0, 230, 'All waiting', 'All waiting'),
        (1, 0, 150, 'main() a.c:40', 'main() a.c:40'),
        (1, 150, 230, 'main() b.c:50', 'main() b.c:50'),
        (2, 0, 150, 'consume() a.c:4', 'consume() a.c:4'),
        (2, 150, 230, 'pass() b.c:2', 'pass() b.c:2'),
        (3, 0, 150, 'waits for Y', 'waits for Y'),
        (3, 150, 230, 'waits for X', 'waits for X'),
        (4, 0, 80, 'produce() c.c:1', 'produce() c.c:1'),
        (4, 80, 150, 'pass() b.c:3', 'pass() b.c:3'),
        (4, 150, 230, 'produce() c.c:1', 'produce() c.c:1'),
        (5, 80, 150, 'main() b.c:50', 'main() b.c:50'),
    ])
    equal(notes(picture), 'Waiting: 230 ns in all; 150 ns of it (65.2 %) in main() a.c:40.')
    titles = [group.find(SVG + 'title').text for group in picture.iter(SVG + 'g') if group.get('id') == 'frame:4']
    equal(titles, ['consume() a.c:4\n150 ns waited, 65.2 % of all waiting here\nsrc/a.c:4'])
    titles = [group.find(SVG + 'title').text for group in picture.iter(SVG + 'g') if group.get('id') == 'frame:9']
    equal(titles, ['pass() b.c:3\nmade others wait 70 ns, 30.4 % of all waiting here\nsrc/b.c:3'])


@test
def a_flame_graph_is_of_either_end():
    write('chain', CHAIN)
    equal(boxes(draw('chain', '--by', 'waiter', '--processes', 'b')), [
        (0, 0, 80, 'All waiting', 'All waiting'), (1, 0, 80, 'main() b.c:50', 'main() b.c:50'),
        (2, 0, 80, 'pass() b.c:2', 'pass() b.c:2'), (3, 0, 80, 'waits for X', 'waits for X')])
    equal([box[:4] for box in boxes(draw('chain', '--by', 'blamed'))], [
        (0, 0, 230, 'All waiting'), (1, 0, 160, 'produce() c.c:1'), (1, 160, 230, 'main() b.c:50'),
        (2, 0, 80, 'waits for X'), (2, 80, 160, 'waits for Y'), (2, 160, 230, 'pass() b.c:3'),
        (3, 160, 230, 'waits for Y')])
    equal(run('export', 'chain', '-o', '-', '--format', 'svg', '--view', 'flame', '--by', 'waiter'),
          run('export', 'chain', '-o', '-', '--format', 'svg', '--view', 'flame', '--measure', 'waiter'))
    contains(refuse('export', 'chain', '-o', 'x.svg', '--view', 'flame', '--by', 'all'), 'both, waiter, blamed')


@test
def a_flame_graph_is_of_what_is_chosen():
    write('chain', CHAIN)
    for options, widths in (
            (['--from', '30ns', '--to', '60ns'], [60, 30, 30]),       # both wait all the time
            (['--from', '90ns', '--to', '150ns'], [70, 60, 10]),
            (['--objects', 'X'], [80, 80]),
            (['--called-in', 'consume'], [150, 150]),
            (['--longer-than', '100ns'], [150, 150]),
            (['--operations', 'await'], [230, 150, 80])):
        found = [(right - left) for level, left, right, *_ in boxes(draw('chain', '--by', 'waiter', *options))
                 if level < 2]
        equal(found, widths, options)
    contains(refuse('export', 'chain', '-o', 'x.svg', '--view', 'flame', '--from', '165ns'), 'nothing was waited for')


@test
def a_frame_can_be_as_wide_as_the_picture():
    write('chain', CHAIN)
    picture = draw('chain', '--frame', 'main() a.c:40;consume() a.c:4;waits for Y;pass() b.c:3')
    equal(boxes_of_zoomed(picture), ['All waiting', 'main() a.c:40', 'consume() a.c:4', 'waits for Y', 'pass() b.c:3',
                                     'main() b.c:50'])
    contains(notes(picture), 'Zoomed to pass() b.c:3: 70 ns, 30.4 % of all waiting here.')
    picture = draw('chain', '--frame', 'main() b.c:50;nobody()')
    contains(notes(picture), 'Zoomed to main() b.c:50: 80 ns')
    contains(notes(picture), 'The frame to zoom to has no waiting here')


def boxes_of_zoomed(picture):
    """The names, if all boxes have the same width."""
    groups = [group for group in picture.iter(SVG + 'g') if re.fullmatch('frame(:[0-9]+)?', group.get('id', ''))]
    shapes = [next(one for one in group.iter() if one.tag in (SVG + 'rect', SVG + 'path')) for group in groups]
    equal(len({corners(shape)[2] for shape in shapes}), 1)
    return [group.find(SVG + 'title').text.splitlines()[0] for group in groups]


@test
def what_is_narrower_than_a_pixel_is_counted():
    waits = [(number * 100_000, 90_000 if number == 0 else 10) for number in range(200)]
    write('fine', {'a': ''.join(f'{begin} {begin + length} await Y {number} at=f{number:03}@a.c:1\n'
                                for number, (begin, length) in enumerate(waits)),
                   'b': ''.join(f'{begin + length} {begin + length} advance Y {number} at=go@b.c:1\n'
                                for number, (begin, length) in enumerate(waits))})
    picture = draw('fine', '--by', 'waiter', '--size', '600x400')
    contains(notes(picture), '199 frames, narrower than a pixel each, share boxes with their neighbours.')
    titles = [group.find(SVG + 'title').text for group in picture.iter(SVG + 'g')
              if re.fullmatch('frame(:[0-9]+)?', group.get('id', ''))]
    contains('\n'.join(titles), '199 frames on All waiting\n1.99 µs waited, 2.2 % of all waiting here')


@test
def a_stack_that_was_not_recorded_is_said_in_the_flame_graph():
    write('half', {'a': '10 110 await Y 1\n200 260 await Y 2 at=f@a.c:1\n', 'b': '110 110 advance Y 1 at=g@b.c:1\n'
                   '260 260 advance Y 2\n'})
    picture = draw('half')
    equal([box[:4] for box in boxes(picture)], [
        (0, 0, 160, 'All waiting'), (1, 0, 100, '(stack not recorded)'), (1, 100, 160, 'f() a.c:1'),
        (2, 0, 100, 'waits for Y'), (2, 100, 160, 'waits for Y'), (3, 0, 100, 'g() b.c:1'),
        (3, 100, 160, '(stack not recorded)')])
    contains(notes(picture), 'Of 100 ns (62.5 %) the stack of who waited was not recorded.')
    contains(notes(picture), 'Of 60 ns (37.5 %) the stack of who made others wait was not recorded.')


# --- Critical path --------------------------------------------------------------------------------------------------


@test
def the_path_leads_from_line_to_line():
    write('chain', CHAIN)
    rows = table('critical-path', 'chain', '--by', 'site', '--csv')
    names = ('part', 'from_site', 'to_site', 'process_name', 'time', 'visits')
    equal(sorted(pick(rows, *names)), sorted([
        ('computing', '(begin)', 'produce() c.c:1', 'c', 90, 1),
        ('event', 'produce() c.c:1', 'produce() c.c:1', 'c', 10, 1),
        ('hop', 'produce() c.c:1', 'pass() b.c:2', 'b', 10, 1),
        ('computing', 'pass() b.c:2', 'pass() b.c:3', 'b', 40, 1),
        ('event', 'pass() b.c:3', 'pass() b.c:3', 'b', 10, 1),
        ('hop', 'pass() b.c:3', 'consume() a.c:4', 'a', 10, 1),
    ]))
    times = [int(row['time']) for row in rows]
    equal(times, sorted(times, reverse=True))
    found = json.loads(run('critical-path', 'chain', '--json', '--by', 'site'))
    equal((found['by'], sum(piece['time'] for piece in found['piece'])), ('site', found['length']))
    second = found['piece'][1]
    equal((second['from_function'], second['from_file'], second['from_line'], second['to_line'], second['percent']),
          ('pass', 'src/b.c', 2, 3, round(40 / 170 * 100, 4)))
    text = run('critical-path', 'chain', '--by', 'site')
    contains(text, 'between events  pass() b.c:2     pass() b.c:3     b   40 ns  23.5 %')
    equal('piece' in json.loads(run('critical-path', 'chain', '--json')), False)


@test
def computing_before_a_begin_leads_to_that_event():
    # The path leaves b at the begin of its barrier: what it computed before that leads there.
    write('barrier', {'a': '10 120 barrier B 0 at=meet@a.c:1\n',
                      'b': '0 10 tag value=1 at=begin@b.c:1\n100 105 barrier B 0 at=late@b.c:2\n'})
    rows = pick(table('critical-path', 'barrier', '--by', 'site', '--csv'), 'part', 'from_site', 'to_site', 'time')
    assert ('computing', 'begin() b.c:1', 'late() b.c:2', 90) in rows, rows
    assert ('hop', 'late() b.c:2', 'meet() a.c:1', 20) in rows, rows
    equal(sum(row[3] for row in rows), 120)


@test
def events_of_the_path_tell_their_line():
    write('chain', CHAIN)
    rows = table('critical-path', 'chain', '--events', '--csv')
    equal(pick(rows, 'part', 'site', 'function', 'file', 'line'), [
        ('computing', '', '', '', ''),
        ('event', 'produce() c.c:1', 'produce', 'c.c', 1),
        ('hop', 'pass() b.c:2', 'pass', 'src/b.c', 2),
        ('computing', '', '', '', ''),
        ('event', 'pass() b.c:3', 'pass', 'src/b.c', 3),
        ('hop', 'consume() a.c:4', 'consume', 'src/a.c', 4),
    ])


# --- Explain, check and info ----------------------------------------------------------------------------------------


@test
def explain_tells_where_an_event_is_and_what_it_waited_for():
    write('chain', CHAIN)
    run('approximate', 'chain')
    found = json.loads(run('explain', 'chain', 'a:0', '--json'))
    consume = {'function': 'consume', 'file': 'src/a.c', 'line': 4, 'module': None}
    equal((found['site'], found['stack']),
          (consume, [consume, {'function': 'main', 'file': 'src/a.c', 'line': 40, 'module': None}]))
    equal([frame['line'] for frame in found['measured_after']['stack']], [3, 50])
    equal(found['after']['site']['function'], 'pass')
    text = run('explain', 'chain', 'a:0')
    contains(text, 'a:0 await Y 1 in consume() a.c:4, timeline event\n')
    contains(text, 'the end of b:1 advance Y 1 in pass() b.c:3\n')


@test
def check_tells_the_line_of_an_event():
    write('stuck', {'a': '10 20 await X 1 at=hang@a.c:9;main@a.c:1\n'})
    result = lightcone('check', 'stuck')
    equal((result.returncode, result.stderr), (1, ''))
    contains(result.stdout, 'a, event 0 in hang() a.c:9: await X #1, ')
    found = json.loads(lightcone('check', '--json', 'stuck').stdout)
    equal(found['event'][0]['site'], {'function': 'hang', 'file': 'a.c', 'line': 9, 'module': None})
    write('silent', {'a': '10 20 await X 1\n'})
    contains(lightcone('check', 'silent').stdout, 'a, event 0: await X #1, ')
    equal(json.loads(lightcone('check', '--json', 'silent').stdout)['event'][0]['site'], None)


@test
def info_counts_sites_and_stacks():
    write('chain', CHAIN)
    found = json.loads(run('info', '--json', 'chain'))
    equal((found['sites'], found['stacks'], found['module']), (6, 6, []))
    contains(run('info', 'chain'), '6 sites, 6 stacks')


# --- Compare --------------------------------------------------------------------------------------------------------


@test
def compare_tells_which_function_waits_longer():
    write('chain', CHAIN)
    # c is 30 earlier; lines have moved.
    write('faster', {**CHAIN, 'b': CHAIN['b'].replace('20 110', '20 80').replace(':2;', ':12;'),
                     'c': '60 70 advance X 1 at=produce@c.c:1\n'})
    found = json.loads(run('compare', 'chain', 'faster', '--json', '--by', 'function'))['site']
    equal([(row['site'], row['first_waited'], row['second_waited'], row['waited_change'], row['first_made_wait'],
            row['second_made_wait'], row['made_wait_change']) for row in found],
          [('pass', 80, 50, -30, 150, 150, 0), ('produce', 0, 0, 0, 80, 50, -30), ('consume', 150, 150, 0, 0, 0, 0)])
    found = json.loads(run('compare', 'chain', 'faster', '--json', '--by', 'site'))['site']
    equal([(row['site'], row['first_events'], row['second_events'], row['waited_change']) for row in found[:2]],
          [('pass() b.c:2', 1, 0, -80), ('pass() b.c:12', 0, 1, 50)])
    contains(run('compare', 'chain', 'faster', '--by', 'function'), '\nWhere waiting differs most:\n')
    equal('site' in json.loads(run('compare', 'chain', 'faster', '--json')), False)


# --- Wrappers ---------------------------------------------------------------------------------------------------------

# Wrappers of a program's own, one of them without anything around it, in what the C library begins a program with.
WRAPPED = {
    'a': '10 170 await Y 1 at=Gate<long>::pass(Gate<long>*)@src/yarn.c:4;work(int)@src/a.c:7;main@src/a.c:40;'
         '_start@crt1.c:1\n',
    'b': '150 160 advance Y 1 at=open_it@src/yarn.c:9;_start@crt1.c:1\n',
}


def places(*skip):
    rows = table('stats', 'wrapped', 'blame', '--format', 'csv', *(f'--skip={pattern}' for pattern in skip))
    return pick(rows, 'waiter', 'blamed', 'time')


@test
def frames_that_are_skipped_are_a_librarys():
    write('wrapped', WRAPPED)
    inner, outer, alone = 'Gate<long>::pass(Gate<long>*) yarn.c:4', 'work(int) a.c:7', 'open_it() yarn.c:9'
    equal(places(), [(inner, alone, 150)])
    for pattern in ('yarn.c', 'y?rn.*', 'Gate<*>::pass', 'Gate<long>::*'):
        equal(places(pattern), [(outer, alone, 150)], pattern)
    equal(places('yarn.c', 'work'), [('main() a.c:40', alone, 150)])
    for pattern in ('pass', 'src/yarn.c', 'Gate<long>::pass(Gate<long>*)', 'yarn'):
        equal(places(pattern), [(inner, alone, 150)], pattern)
    # Where all would be skipped, all stays.
    equal(places('*'), [(inner, alone, 150)])


@test
def all_that_tells_places_skips():
    write('wrapped', WRAPPED)
    sites = pick(table('stats', 'wrapped', 'sites', '--format', 'csv', '--skip', 'yarn.c', '--by', 'function'),
                 'site', 'waited', 'whom')
    equal(sites, [('open_it', 0, 'work(int)'), ('work(int)', 150, '')])
    rows = table('critical-path', 'wrapped', '--by', 'site', '--csv', '--skip', 'yarn.c')
    equal({'work(int) a.c:7', 'open_it() yarn.c:9'} & {row['to_site'] for row in rows},
          {'work(int) a.c:7', 'open_it() yarn.c:9'})
    found = json.loads(run('compare', 'wrapped', 'wrapped', '--json', '--by', 'site', '--skip', 'yarn.c'))['site']
    equal(sorted(row['site'] for row in found), ['open_it() yarn.c:9', 'work(int) a.c:7'])
    equal(run('export', 'wrapped', '-o', '-', '--format', 'folded', '--skip', 'yarn.c'),
          'main() a.c:40;work(int) a.c:7;[waits for Y];open_it() yarn.c:9 150\n')
    for arguments in (('stats', 'wrapped', 'objects'), ('critical-path', 'wrapped'), ('compare', 'wrapped', 'wrapped'),
                      ('export', 'wrapped', '-o', 'x.svg')):
        contains(refuse(*arguments, '--skip', 'yarn.c'), '--skip goes with')


@test
def stacks_begin_in_the_program():
    write('wrapped', WRAPPED)
    equal(run('export', 'wrapped', '-o', '-', '--format', 'folded'),
          'main() a.c:40;work(int) a.c:7;Gate<long>::pass(Gate<long>*) yarn.c:4;[waits for Y];open_it() yarn.c:9 150\n')
    write('bare', {'a': '10 170 await Y 1 at=std::run@b.c:4;_start@crt1.c:1\n',
                   'b': '150 160 advance Y 1 at=std::run@b.c:5;go@b.c:6;std::begin@b.c:7;_start@crt1.c:1\n'})
    equal(run('export', 'bare', '-o', '-', '--format', 'folded'),
          'std::run() b.c:4;[waits for Y];std::run() b.c:5;go() b.c:6 150\n')


# --- Long names -------------------------------------------------------------------------------------------------------


def shown(function):
    """How the table for people names a function, and the one for programs."""
    trace = f'named-{len(os.listdir())}'
    write(trace, {'a': f'10 170 await Y 1 at={function.replace(" ", "%20")}@a.cpp:4\n', 'b': '150 160 advance Y 1\n'})
    name, = [row['site'] for row in table('stats', trace, 'sites', '--format', 'csv') if row['waited'] == '150']
    equal(name, f'{function} a.cpp:4')
    line, = [line for line in run('stats', trace, 'sites').splitlines()[3:] if '(unknown)' not in line]
    return line.strip().split(' a.cpp:4')[0]


@test
def long_names_are_shortened_for_people():
    string = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
    equal(shown('Queue<std::vector<long>>::put(long)'), 'Queue<std::vector<long>>::put(long)')
    equal(shown(f'open({string} const&)'), 'open(std::string const&)')
    equal(shown(f'Map<{string}, std::vector<std::pair<long, long>>>::find({string}, unsigned long) const'),
          'Map<…>::find(std::string, unsigned long) const')
    equal(shown('Table<std::pair<Key<int>, Key<long>>, Less<int>>::operator<(Table<int> const&)'),
          'Table<std::pair<…>, Less<int>>::operator<(Table<int> const&)')
    equal(shown('x' * 40 + '::' + 'y' * 40 + '()'), 'x' * 30 + '…' + 'y' * 27 + '()')


# --- Nothing to tell ------------------------------------------------------------------------------------------------


NONE = 'This trace does not say where in the program its events are: record the program once more, with lightcone ' \
       'record and without --no-sites.'


@test
def a_trace_without_sites_says_so():
    write('none', {'a': '10 170 await Y 1\n', 'b': '150 160 advance Y 1\n'})
    for what in ('sites', 'blame'):
        contains(run('stats', 'none', what), f'\n  {NONE}\n')
        result = lightcone('stats', 'none', what, '--format', 'csv')
        equal((result.returncode, result.stderr, len(result.stdout.splitlines())), (0, f'lightcone: {NONE}\n', 1))
        result = lightcone('stats', 'none', what, '--json')
        equal((result.returncode, result.stderr), (0, f'lightcone: {NONE}\n'))
        equal(json.loads(result.stdout)['site' if what == 'sites' else 'blame'], [])
    contains(run('critical-path', 'none', '--by', 'site'), f'\n  {NONE}\n')
    result = lightcone('compare', 'none', 'none', '--by', 'file', '--json')
    equal((result.returncode, result.stderr, json.loads(result.stdout)['site']), (0, f'lightcone: {NONE}\n', []))
    contains(refuse('export', 'none', '-o', 'none.folded'), 'does not say where in the program its events are')
    contains(refuse('export', 'none', '-o', 'none.svg', '--view', 'flame'), 'does not say where in the program')
    equal(json.loads(run('info', '--json', 'none'))['sites'], 0)
    equal('Source' in run('info', 'none'), False)


@test
def nobody_is_told_to_record_what_has_no_events():
    write('empty', {'a': ''})
    for arguments in (('stats', 'empty', 'sites'), ('stats', 'empty', 'blame')):
        text = run(*arguments)
        contains(text, '\n  This trace has no events.\n')
        equal('--no-sites' in text, False)
    contains(refuse('export', 'empty', '-o', 'empty.folded'), 'the trace has no events')


@test
def tables_without_rows_say_why():
    write('calm', {'a': '10 170 tag value=1 at=f@a.c:1\n'})
    contains(run('stats', 'calm', 'blame'), '\n  No event waited.\n')
    contains(run('stats', 'calm', 'objects'), '\n  No event is on an object.\n')
    equal(len(run('stats', 'calm', 'objects', '--format', 'csv').splitlines()), 1)


@test
def pauses_of_the_recorder_are_nowhere():
    write('paused', {'a': '0 5 pause\n10 170 tag value=1 at=f@a.c:1\n'})
    equal(pick(table('stats', 'paused', 'sites', '--format', 'csv'), 'site', 'events'), [('f() a.c:1', 1)])


@test
def wrong_groups_are_refused():
    write('chain', CHAIN)
    equal(refuse('stats', 'chain', 'sites', '--by', 'line'),
          'lightcone: stats: --by can be site, function, file, module, not “line”\n')
    equal(refuse('stats', 'chain', 'objects', '--by', 'file'),
          'lightcone: stats: --by goes with sites, blame, waits, slack only\n')
    equal(refuse('critical-path', 'chain', '--by', 'file', '--events'),
          'lightcone: critical-path: --events and --by do not go together\n')


main()
