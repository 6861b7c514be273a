#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone what-if says of small traces, against what is found by hand."""
import json

from cli import contains, equal, main, test
from tables import refuse, run, timeline, write

KEYS = {'timeline', 'model', 'scales', 'before', 'measured_total', 'before_total', 'approximated_total', 'saved',
        'processes', 'critical_path', 'warnings', 'events_lost', 'events_lost_by_reason'}
PROCESS_KEYS = ('process', 'name', 'before_end', 'after_end', 'end_change', 'before_waiting', 'after_waiting',
                'waiting_change')
SHARE_KEYS = ('id', 'name', 'class', 'before', 'before_percent', 'after', 'after_percent', 'change')
# b waits for a's lock, and is the last; a has a region of its own.
LOCK = {
    'a': '0 10 lock m 1\n20 20 enter work\n120 120 leave work\n130 140 unlock m 1\n200 210 tag value=1\n',
    'b': '50 170 lock m 2\n250 260 unlock m 2\n400 410 tag value=2\n',
}
SETTINGS = '[overhead]\n*=0;0;0\ntag=0;0;0\nunlock=0;0;20\n[cost]\nlock=10;30\n'
MESSAGE = {
    'a': '100 120 send q 0 bytes=8 to=1\n',
    'b': '0 180 recv q 0 bytes=8 from=0\n300 310 tag value=1\n',
}


def ask(trace, *options):
    return json.loads(run('what-if', trace, '--json', *options))


@test
def a_lock_that_costs_nothing_saves_what_it_cost():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=0')
    # a: nothing for the lock, so all is 10 earlier, and the unlock another 10; b goes on when that is there, at 120.
    equal(timeline('lock', 'what-if'), {
        'a': [(0, 0, 0), (10, 10, 0), (110, 110, 0), (120, 120, 0), (180, 190, 0)],
        'b': [(50, 120, 70), (200, 200, 0), (340, 350, 0)]})
    equal((found['before'], found['measured_total'], found['before_total'], found['approximated_total'],
           found['saved']), ('measured', 410, 410, 350, 60))
    equal([tuple(process.values()) for process in found['processes']],
          [(0, 'a', 210, 190, -20, 0, 0, 0), (1, 'b', 410, 350, -60, 90, 70, -20)])


@test
def a_region_that_is_twice_as_fast_saves_half_of_it():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'region:work=0.5', '--name', 'fast')
    # From 20 to 120 it takes 50, and b is released so much earlier.
    equal((found['timeline'], found['saved'], found['approximated_total']), ('fast', 50, 360))
    equal(timeline('lock', 'fast')['b'], [(50, 120, 40), (200, 210, 0), (350, 360, 0)])


@test
def an_ideal_network_brings_messages_at_once():
    write('message', MESSAGE, '[overhead]\n*=0;0;0\n')
    found = ask('message', '--scale', 'communication=0')
    equal(timeline('message', 'what-if')['b'][0], (0, 100, 100))
    equal((found['before_total'], found['saved']), (310, 80))


@test
def nothing_changes_when_all_takes_as_long_as_it_does():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=1', '--scale', 'tag=1')
    equal((found['saved'], found['scales']), (0, ['m=1', 'tag=1']))
    equal(timeline('lock', 'what-if'), timeline('lock', 'measured'))
    # Whatever the recorder has found that a lock costs: it takes as long as it was measured to.
    write('recorded', LOCK, '[trace]\nclock_ticks=0\n[overhead]\n*=5;5;5\n[cost]\nlock=1;500\n')
    ask('recorded', '--scale', 'tag=1')
    equal(timeline('recorded', 'what-if'), timeline('recorded', 'measured'))


@test
def the_critical_paths_are_those_of_the_two_timelines():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=0')['critical_path']
    for key, name in (('before', 'measured'), ('after', 'what-if')):
        path = json.loads(run('critical-path', 'lock', '--timeline', name, '--json'))
        equal(found[key], {part: path[part] for part in found[key]}, key)
        for kind in ('process', 'operation', 'object', 'region'):
            equal({share['name']: share[key] for share in found[kind] if share[key] > 0},
                  {share['name']: share['time'] for share in path[kind] if share['time'] > 0}, kind)
    # On the way from a to b there was 30, and 10 in each other operation on m.
    equal([(share['before'], share['after'], share['change']) for share in found['object'] if share['name'] == 'm'],
          [(10 + 10 + 30 + 10, 0, -60)])


@test
def the_measurement_can_be_taken_out_too():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=0', '--approximate')
    # 20 after each unlock: b's last one is 20 earlier.
    equal((found['before'], found['measured_total'], found['before_total'], found['approximated_total']),
          ('what-if-before', 410, 390, 330))
    equal(found['saved'], 60)
    equal({entry['name'] for entry in json.loads(run('info', '--json', 'lock'))['timeline']},
          {'measured', 'what-if', 'what-if-before'})


@test
def keys_are_stable():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=0')
    equal(set(found), KEYS)
    equal({tuple(process) for process in found['processes']}, {PROCESS_KEYS})
    equal(set(found['critical_path']), {'before', 'after', 'process', 'operation', 'object', 'region'})
    equal({tuple(share) for kind in ('process', 'operation', 'object', 'region')
           for share in found['critical_path'][kind]}, {SHARE_KEYS})


@test
def people_get_a_report():
    write('lock', LOCK, SETTINGS)
    text = run('what-if', 'lock', '--scale', 'm=0', '--limit', '1')
    contains(text, '''\
What if m=0

  Before  410 ns          timeline measured
  After   350 ns          timeline what-if
  Saved    60 ns  14.6 %

  Process  End before   After  Change  Waiting before  After  Change
  a            210 ns  190 ns  -20 ns            0 ns   0 ns    0 ns
  ... and 1 more (see --limit)
''')
    contains(text, '''
  Critical path: object  Before   Share   After    Share  Change
''')
    contains(run('what-if', 'lock', '--scale', 'tag=10'), '  Lost   ')


@test
def wrong_arguments_are_refused():
    write('lock', LOCK, SETTINGS)
    for arguments, part in (([], 'DIR is missing'), (['lock'], '--scale'), (['lock', '--scale', 'm'], 'NAME=FACTOR'),
                            (['lock', '--scale', 'm=much'], 'm=much'), (['lock', '--scale', 'm=-1'], 'm=-1'),
                            (['lock', '--scale', 'nothing=2'], 'nothing'), (['missing', '--scale', 'm=0'], 'missing'),
                            (['lock', '--scale', 'm=0', '--name', 'measured'], '“measured”'),
                            (['lock', '--scale', 'm=0', '--model', 'best'], '“best”')):
        contains(refuse('what-if', *arguments), part)
    equal([entry['name'] for entry in json.loads(run('info', '--json', 'lock'))['timeline']], ['measured'])


main()
