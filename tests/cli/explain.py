#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone explain says of events that moved, against what is known of small traces."""
import json

from cli import contains, equal, main, test
from tables import WAIT, WAIT_SETTINGS, approximate, refuse, run, write

KEYS = ('timeline', 'events_lost', 'events_lost_by_reason', 'process', 'name', 'ordinal', 'timeline_process',
        'timeline_ordinal', 'operation', 'object', 'object_name', 'sequence', 'site', 'stack', 'measured_begin',
        'measured_end', 'measured_waited', 'measured_preempted', 'begin', 'end', 'waited', 'measured_slack', 'slack',
        'begin_moved', 'moved',
        'removed', 'gained',
        'inherited', 'cost', 'own', 'reordered', 'pending', 'measured_after', 'after', 'chain', 'rest', 'to_start')
LINK_KEYS = ('link', 'process', 'name', 'events', 'first', 'last', 'last_point', 'moved', 'removed', 'gained', 'cost',
             'from_process', 'from_ordinal', 'from_point', 'from', 'reordered')
# a holds the lock and sends; b waits for the lock, and c for the message; all meet at a barrier.
MIXED = {
    'a': '0 10 lock m 1\n60 70 tag\n200 210 unlock m 1\n300 310 send q 0 bytes=4 to=2\n400 730 barrier r 0\n',
    'b': '20 230 lock m 2\n250 260 unlock m 2\n600 720 barrier r 0\n',
    'c': '0 350 recv q 0 bytes=4 from=0\n360 370 tag\n500 510 tag\n700 710 barrier r 0\n',
}
MIXED_SETTINGS = '[overhead]\n*=3;0;7\ntag=0;0;60\nlock=0;4;2\n'
LOCKS = {
    'a': '0 10 lock m 1\n200 210 unlock m 1\n',
    'b': '0 10 tag\n150 320 lock m 3\n330 340 unlock m 3\n',
    'c': '100 240 lock m 2\n290 300 unlock m 2\n',
}
FORK = {
    'a': '0 10 tag\n200 300 create t\n900 1000 join t\n',
    't': '350 360 start t\n500 510 tag\n600 610 exit t\n',
}


def explain(trace, event, *options):
    return json.loads(run('explain', trace, event, '--json', *options))


def links(found):
    return [(link['link'], link['name'], link['first'], link['last'], link['moved'], link['removed'], link['cost'])
            for link in found['chain']]


def check_sums(found):
    """What is told of an event has to add up, to the nanosecond."""
    for movement in (found, found['own'], *found['chain']):
        equal(movement['gained'] - movement['removed'] + movement.get('inherited', 0) + movement['cost'],
              movement['moved'], 'the sum of the parts')
    equal(found['end'] - found['measured_end'], found['moved'])
    equal(found['begin'] - found['measured_begin'], found['begin_moved'])
    equal(sum(link['moved'] for link in found['chain']) + found['rest'], found['moved'], 'the sum of the chain')


@test
def an_event_is_explained_by_what_it_waited_for():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    found = explain('wait', 'b:0')
    check_sums(found)
    equal((found['moved'], found['removed'], found['gained'], found['cost'], found['inherited']), (-12, 22, 10, 0, 0))
    equal((found['measured_waited'], found['waited'], found['reordered']), (440, 450, False))
    equal((found['after']['name'], found['after']['ordinal'], found['after']['point'], found['after']['operation'],
           found['after']['time']), ('a', 0, 'end', 'advance', 540))
    equal(found['measured_after'], found['after'])
    # From the advance to its end it takes 12 less: what was inside.
    equal(links(found), [('waiting', 'b', 0, 0, -12, 12, 0), ('running', 'a', 0, 0, 0, 0, 0)])
    equal((found['rest'], found['to_start']), (0, True))
    later = explain('wait', '1:1')
    check_sums(later)
    equal((later['moved'], later['removed'], later['gained']), (-32, 42, 10))
    equal({key: later['own'][key] for key in ('moved', 'removed', 'gained', 'cost')},
          {'moved': -20, 'removed': 20, 'gained': 0, 'cost': 0})
    equal(links(later)[0], ('running', 'b', 1, 1, -20, 20, 0))


@test
def it_all_adds_up():
    write('mixed', MIXED, MIXED_SETTINGS)
    for model in ('event', 'time', 'optimistic', 'pessimistic', 'liberal'):
        approximate('mixed', '--model', model)
        for process, events in (('a', 5), ('b', 3), ('c', 4)):
            for ordinal in range(events):
                for steps in ('0', '1', '10'):
                    check_sums(explain('mixed', f'{process}:{ordinal}', '--timeline', model, '--steps', steps))


@test
def steps_end_the_chain():
    write('mixed', MIXED, MIXED_SETTINGS)
    approximate('mixed')
    whole, short = explain('mixed', 'a:4'), explain('mixed', 'a:4', '--steps', '1')
    equal((whole['to_start'], whole['rest'], short['to_start']), (True, 0, False))
    equal(short['chain'], whole['chain'][:len(short['chain'])])
    equal([link['link'] for link in short['chain']].count('waiting'), 1)
    contains(run('explain', 'mixed', 'a:4', '--steps=1'), f'which moved by {short["rest"]} ns itself (see --steps)')


@test
def a_process_inherits_when_it_was_made():
    write('fork', FORK, '[overhead]\n*=0;0;0\ntag=0;0;100\n')
    approximate('fork')
    found = explain('fork', 't:1')
    check_sums(found)
    equal((found['moved'], found['inherited'], found['removed'], found['own']['inherited']), (-100, -100, 0, 0))
    equal(links(found), [('running', 't', 1, 1, 0, 0, 0), ('waiting', 't', 0, 0, 0, 0, 0),
                         ('running', 'a', 0, 1, -100, 100, 0)])
    equal(explain('fork', 't:0')['own']['inherited'], -100)


@test
def an_order_that_changed_is_told():
    write('locks', LOCKS, '[overhead]\n*=0;0;0\ntag=0;0;100\n[cost]\nlock=10;30\n')
    approximate('locks', '--model', 'liberal')
    found = explain('locks', 'b:1')
    check_sums(found)
    equal((found['reordered'], found['measured_after']['name'], found['after']['name']), (True, 'c', 'a'))
    # The lock takes 30 after the wait, and was measured to take 20.
    equal((found['moved'], found['removed'], found['gained'], found['cost']), (-80, 100, 10, 10))
    equal((found['chain'][0]['reordered'], found['chain'][0]['removed']), (True, 0))
    contains(run('explain', 'locks', 'b:1'), 'and comes, in another order, after  the end of a:1 unlock m 1\n')


@test
def keys_are_stable():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    found = explain('wait', 'b:0')
    equal(tuple(found), KEYS)
    equal({tuple(link) for link in found['chain']}, {LINK_KEYS})


@test
def people_get_a_report():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    equal(run('explain', 'wait', 'b:1'), '''\
b:1 tag, timeline event

          Measured  Approximated   Moved
  Begin    1.00 µs        968 ns  -32 ns
  End      1.01 µs        978 ns  -32 ns
  Waited      0 ns          0 ns    0 ns
  Slack       0 ns          0 ns    0 ns

  It was measured to come after  what is before it on its own process
  and comes after                what is before it on its own process

  Why its end moved                                Its own part  With all before it
  instrumentation removed                                -20 ns              -42 ns
  waiting gained or lost                                   0 ns              +10 ns
  operations and work that take longer or shorter          0 ns                0 ns
  together, exactly                                      -20 ns              -32 ns

  Back in time  Process  Events   Moved  Removed  Waiting  Costs  Waited for
  running       b        1       -20 ns    20 ns     0 ns   0 ns
  waiting       b        0       -12 ns    12 ns     0 ns   0 ns  the end of a:0 advance A 1
  running       a        0         0 ns     0 ns     0 ns   0 ns
  ... and so to the begin of the run: these movements sum up to that of its end
''')


@test
def slack_is_told_on_both_timelines():
    """Both processes end at 1010, so neither has any; approximated, a ends at 975, and b at 978."""
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    for event, slacks in (('a:0', (0, 0)), ('b:0', (0, 0)), ('a:1', (0, 3)), ('b:1', (0, 0))):
        found = explain('wait', event)
        equal((found['measured_slack'], found['slack']), slacks, f'slack of {event}')


@test
def slack_among_many_events_is_looked_for_when_asked():
    many = (1 << 18) + 1
    write('many', {'a': ''.join(f'{i} {i} tag\n' for i in range(many)), 'b': '0 0 tag\n'}, '[overhead]\n')
    approximate('many')
    found = explain('many', 'b:0')
    equal((found['measured_slack'], found['slack']), (None, None), 'not asked')
    contains(run('explain', 'many', 'b:0'), f'not looked for among {many + 1:,} events')
    found = explain('many', 'b:0', '--slack')
    equal((found['measured_slack'], found['slack']), (many - 1, many - 1), 'asked')


@test
def the_timeline_is_found():
    write('wait', WAIT, WAIT_SETTINGS)
    contains(refuse('explain', 'wait', 'b:0'), 'no approximated timeline')
    approximate('wait', '--name', 'one')
    equal(explain('wait', 'b:0')['timeline'], 'one')
    approximate('wait', '--name', 'two')
    message = refuse('explain', 'wait', 'b:0')
    contains(message, '--timeline')
    contains(message, 'measured, one, two')
    approximate('wait')
    equal(explain('wait', 'b:0')['timeline'], 'event')
    equal(explain('wait', 'b:0', '--timeline', 'two')['timeline'], 'two')


@test
def wrong_arguments_are_refused():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    for arguments, part in ((['wait'], 'is missing'), (['wait', 'b:0', 'more'], 'too many'),
                            (['missing', 'b:0'], 'missing'), (['wait', 'b'], 'PROCESS:ORDINAL'),
                            (['wait', 'b:x'], 'PROCESS:ORDINAL'), (['wait', 'b:-1'], 'PROCESS:ORDINAL'),
                            (['wait', 'z:0'], 'no process “z”'), (['wait', '2:0'], 'no process “2”'),
                            (['wait', 'b:2'], 'from 0 to 1'),
                            (['wait', 'b:0', '--timeline', 'none'], 'measured, event'),
                            (['wait', 'b:0', '--timeline', 'measured'], 'measured timeline'),
                            (['wait', 'b:0', '--steps', '-1'], '--steps')):
        contains(refuse('explain', *arguments), part)


main()
