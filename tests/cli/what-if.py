#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone what-if says of small traces, against what is found by hand."""
import json

from cli import contains, equal, main, program, record, test
from tables import refuse, run, timeline, write

KEYS = {'timeline', 'model', 'chosen', 'scales', 'before', 'measured_total', 'before_total', 'approximated_total',
        'low', 'high', 'saved', 'processes', 'critical_path', 'warnings', 'events_lost', 'events_lost_by_reason'}
PROCESS_KEYS = ('process', 'name', 'before_end', 'after_end', 'end_change', 'before_waiting', 'after_waiting',
                'waiting_change')
SHARE_KEYS = ('id', 'name', 'class', 'before', 'before_percent', 'after', 'after_percent', 'change')
# b waits for a's lock, and is the last; a has a region of its own.
LOCK = {
    'a': '0 10 lock m 1\n20 20 enter work\n120 120 leave work\n130 140 unlock m 1\n200 210 tag value=1\n',
    'b': '50 170 lock m 2\n250 260 unlock m 2\n400 410 tag value=2\n',
}
# work() calls push(), and both of what main() calls.
PLACES = {
    'a': '0 10 lock m 1 at=push@src/q.c:7;work@a.c:20;main@a.c:40\n'
         '50 60 unlock m 1 at=push@src/q.c:9;work@a.c:20;main@a.c:40\n'
         '160 170 tag value=1 at=note@a.c:30;main@a.c:41\n'
         '200 210 tag value=2 at=work@a.c:22;main@a.c:40\n',
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


def of_places(scale, *more):
    found = ask('places', '--scale', scale, *more)
    equal(found['warnings'], [], scale)
    return [times[:2] for times in timeline('places', 'what-if')['a']]


@test
def a_line_is_what_begins_or_ends_at_it():
    write('places', PLACES, '[overhead]\n*=0;0;0\n')
    # The lock takes half, and so does the time from there to the next event, which is not there any more.
    equal(of_places('q.c:7=0.5'), [(0, 5), (25, 35), (135, 145), (175, 185)])
    equal(of_places('line src/q.c:9=0.5'), [(0, 10), (30, 35), (85, 95), (125, 135)])
    # A line that calls others: all that is called there.
    equal(of_places('a.c:20=0'), [(0, 0), (0, 0), (0, 10), (40, 50)])
    equal(of_places('q.c:7=0.5', '--scale', 'q.c:9=0.5'), [(0, 5), (15, 20), (70, 80), (110, 120)])


@test
def a_function_is_what_begins_and_ends_inside():
    write('places', PLACES, '[overhead]\n*=0;0;0\n')
    equal(of_places('function push=0.5'), [(0, 5), (25, 30), (130, 140), (170, 180)])
    equal(of_places('push=0.5'), of_places('function push=0.5'))
    equal(of_places('file q.c=0.5'), of_places('function push=0.5'))
    equal(of_places('work=0.5'), [(0, 5), (25, 30), (130, 140), (170, 175)])
    equal(of_places('main=0.5'), [(0, 5), (25, 30), (80, 85), (100, 105)])
    equal(of_places('file a.c=2'), [(0, 20), (100, 120), (320, 340), (400, 420)])
    equal(of_places('function main=1'), [times[:2] for times in timeline('places', 'measured')['a']])
    (what,) = json.loads(run('sql', '--json', 'places', "SELECT parameters FROM timeline WHERE name = 'what-if'"))
    equal(json.loads(what['parameters'])['scales'], [
        {'kind': 'function', 'name': 'main', 'text': 'function main', 'factor': 1}])


@test
def an_event_without_a_call_is_where_the_one_before_was():
    # The time before the first event lies between no two.
    write('first', {'a': '100 110 lock m 1 at=push@q.c:7\n120 130 unlock m 1\n'}, '[overhead]\n*=0;0;0\n')
    ask('first', '--scale', 'q.c:7=0')
    equal([times[:2] for times in timeline('first', 'what-if')['a']], [(100, 100), (100, 110)])
    write('places', {'a': '0 10 lock m 1 at=push@q.c:7\n20 30 tag value=1\n40 50 unlock m 1 at=push@q.c:9\n'},
          '[overhead]\n*=0;0;0\n')
    equal(of_places('push=0'), [(0, 0), (0, 10), (10, 10)])
    equal(of_places('q.c:7=0'), [(0, 0), (0, 10), (10, 20)])


@test
def of_a_bare_call_whole_stacks_say_where_it_is():
    write('bare', PLACES | {'b': '0 10 tag value=1 at=push@src/q.c:9\n100 110 tag value=2 at=push@src/q.c:9\n'
                                 '200 210 tag value=3 at=get@q.c:12\n300 310 tag value=4 at=note@a.c:30\n'},
          '[overhead]\n*=0;0;0\n')
    found = ask('bare', '--scale', 'function work=0.5')
    # push() is called by work() wherever it is known, note() never is, and of get() nobody knows.
    equal([times[:2] for times in timeline('bare', 'what-if')['b']], [(0, 5), (50, 55), (145, 155), (245, 255)])
    (warning,) = found['warnings']
    contains(warning, 'function work: of 1 of 8 events')
    # push() calls nothing that has events, so nothing else can be in it.
    equal(ask('bare', '--scale', 'function push=0.5')['warnings'], [])
    (warning,) = ask('bare', '--scale', 'function get=0.5')['warnings']
    contains(warning, 'function get: no two events')


@test
def what_is_named_in_the_trace_is_not_a_place():
    write('both', {'a': '0 10 lock push 1 at=push@q.c:7\n20 30 unlock push 1 at=push@q.c:9\n'},
          '[overhead]\n*=0;0;0\n[cost]\nlock=10;30\n')
    ask('both', '--scale', 'push=0')
    equal([times[:2] for times in timeline('both', 'what-if')['a']], [(0, 0), (10, 10)])
    ask('both', '--scale', 'function push=0')
    equal([times[:2] for times in timeline('both', 'what-if')['a']], [(0, 0), (0, 0)])


@test
def the_critical_paths_are_told_from_line_to_line():
    write('places', PLACES, '[overhead]\n*=0;0;0\n')
    path = ask('places', '--scale', 'function push=0.5')['critical_path']
    equal([(piece['part'], piece['from_site'], piece['to_site'], piece['process_name'], piece['before'], piece['after'],
            piece['change']) for piece in path['piece']], [
        ('computing', 'push() q.c:9', 'note() a.c:30', 'a', 100, 100, 0),
        ('computing', 'push() q.c:7', 'push() q.c:9', 'a', 40, 20, -20),
        ('computing', 'note() a.c:30', 'work() a.c:22', 'a', 30, 30, 0),
        ('event', 'push() q.c:7', 'push() q.c:7', 'a', 10, 5, -5),
        ('event', 'push() q.c:9', 'push() q.c:9', 'a', 10, 5, -5),
        ('event', 'note() a.c:30', 'note() a.c:30', 'a', 10, 10, 0),
        ('event', 'work() a.c:22', 'work() a.c:22', 'a', 10, 10, 0)])
    for key in 'before', 'after':
        equal(sum(piece[key] for piece in path['piece']), path[key]['length'], key)
    equal([(piece['from_function'], piece['from_file'], piece['from_line']) for piece in path['piece']][0],
          ('push', 'src/q.c', 9))
    text = run('what-if', 'places', '--scale', 'function push=0.5', '--limit', '2')
    contains(text, '  Critical path: part  From')
    contains(text, '  between events       push() q.c:7  push() q.c:9   a    40 ns   20 ns  -20 ns\n  ... and 5 more')


@test
def what_is_waited_for_by_time_is_said():
    write('clock', {'a': '0 10 tag value=1\n100 900 sleep\n950 960 tag value=2\n'}, SETTINGS)
    equal([warning[:6] for warning in ask('clock', '--scale', 'tag=2')['warnings']], ['81.6 %'], 'a sleep')
    write('late', {'a': '0 10 tag value=1\n100 900 lock-failed m - timed-out=1\n950 960 tag value=2\n'}, SETTINGS)
    contains(ask('late', '--scale', 'tag=2')['warnings'][0], 'waited for by time')
    write('short', {'a': '0 10 tag value=1\n100 110 sleep\n950 960 tag value=2\n'}, SETTINGS)
    equal(ask('short', '--scale', 'tag=2')['warnings'], [], 'a short one')


@test
def the_other_order_is_told_where_time_decides():
    # Whoever comes first has the lock. Where a's work takes four times as long, b comes first.
    trace = {'a': '0 0 enter work\n100 100 leave work\n100 110 lock m 1\n400 400 unlock m 1\n',
             'b': '200 410 lock m 2\n700 700 unlock m 2\n710 710 tag value=1\n'}
    write('turns', trace, '[overhead]\n*=0;0;0\n[cost]\nlock=10;10\n')
    found = ask('turns', '--scale', 'work=4')
    equal((found['model'], found['chosen']), ('liberal', True))
    # b from 200 to 210, and to 500; a then from 400 to 510, and to 800. In the order as it was: b from 700 on.
    equal((found['approximated_total'], found['low'], found['high']), (800, 800, 1010))
    contains(found['warnings'][0], 'The order of events matters')
    contains(run('what-if', 'turns', '--scale', 'work=4'), 'timeline what-if (800 ns to 1.01 µs)')
    found = ask('turns', '--scale', 'work=4', '--model', 'event')
    equal((found['chosen'], found['approximated_total']), (False, 1010))


@test
def a_model_that_does_not_find_the_run_is_not_taken():
    # The costs that the recorder has found say that b goes on 500 after it is given the lock; it did 30 after it.
    write('lock', LOCK, '[trace]\nclock_ticks=0\n[overhead]\n*=5;5;5\n[cost]\nlock=1;500\n')
    found = ask('lock', '--scale', 'work=1')
    equal((found['model'], found['saved'], found['warnings']), ('event', 0, []))
    found = ask('lock', '--scale', 'work=1', '--model', 'liberal')
    contains(found['warnings'][0], 'model liberal finds')


@test
def an_operation_that_nobody_does_is_said():
    write('places', {'a': '0 10 lock m 1 at=put@q.c:7\n20 30 unlock m 1 at=put@q.c:9\n'}, '[overhead]\n*=0;0;0\n')
    (warning,) = ask('places', '--scale', 'put=0')['warnings']
    contains(warning, 'operation put')
    contains(warning, 'function put')
    equal(ask('places', '--scale', 'function put=0')['warnings'], [])
    equal(ask('places', '--scale', 'unlock=0')['warnings'], [])


@test
def what_is_not_there_is_answered_with_what_is_like_it():
    write('places', PLACES | {'b': '0 1 tag value=1 at=q.c@x.c:3\n'})
    for scale, parts in {'q.c:8=0': ['q.c:8', 'q.c:7, q.c:9'], 'src/q.c:200=0': ['q.c:9, q.c:7'],
                         'queue.c:7=0': ['queue.c:7', 'q.c, a.c'], 'function works=0': ['works', 'similar', ': work, '],
                         'pus=0': ['pus: the trace has no', ': push, '], 'file b.c=0': ['a.c, q.c, x.c'],
                         'line q.c=0': ['FILE:LINE'], 'module libm.so.6=0': ['libm.so.6: no event'],
                         'q.c=0': ['function q.c or file q.c'], 'line q.c:7=x': ['factor']}.items():
        text = refuse('what-if', 'places', '--scale', scale)
        for part in parts:
            contains(text, part)
    write('lock', LOCK, SETTINGS)
    contains(refuse('what-if', 'lock', '--scale', 'q.c:7=0'), 'does not say where')
    contains(refuse('what-if', 'lock', '--scale', 'function push=0'), 'does not say where')


def changes(trace, scale):
    """How much sooner main() makes its thread, and how much shorter that lives."""
    equal([warning for warning in ask(trace, '--scale', scale)['warnings'] if 'call' in warning], [], scale)
    before, after = (timeline(trace, name) for name in ('measured', 'what-if'))
    (thread,) = {name for name in before if not name.startswith('where-work')}
    (made,) = json.loads(run('sql', '--json', trace, "SELECT ordinal FROM event WHERE operation = 'create'"))
    (of_main,) = (before[name][made['ordinal']][0] - after[name][made['ordinal']][0]
                  for name in before if name != thread)
    return of_main, (before[thread][-1][1] - before[thread][0][0]) - (after[thread][-1][1] - after[thread][0][0])


def takes(measured, said):
    """A time from event to event, against what the program has measured between them."""
    assert said <= measured <= said * 1.1 + 3000000, (measured, said)


def check_known_shares(name, *options):
    result = record(program(name), options=('-q', '-o', 'work', *options))
    equal((result.returncode, result.stderr), (0, ''))
    said = {function: int(time) for function, time in (line.split() for line in result.stdout.splitlines())}
    for scale, main_takes, thread_takes in (('function slow_part=0', said['slow_part'], 0),
                                            ('slow_part=0.5', said['slow_part'] / 2, 0),
                                            ('function quick_part=0', said['quick_part'], said['worker'])):
        of_main, of_thread = changes('work', scale)
        takes(of_main, main_takes)
        takes(of_thread, thread_takes)
    # All of a thread, although of most of its events only the call was recorded; the rest goes on as it did.
    of_main, of_thread = changes('work', 'function worker=0')
    takes(of_thread, said['worker'])
    equal(of_main, 0)
    of_main, of_thread = changes('work', 'function slow_part=2')
    takes(-of_main, said['slow_part'])
    equal(of_thread, 0)
    return said


@test
def functions_take_what_the_program_says_that_they_do():
    check_known_shares('where-work-O0')
    check_known_shares('where-work-O2')
    check_known_shares('where-work-O2', '--stacks', 'none')
    said = check_known_shares('where-work-O2', '--stacks', 'all')
    # It works between its two lines, and from the second one on there is next to nothing.
    (line,) = json.loads(run('sql', '--json', 'work', """SELECT DISTINCT line FROM event JOIN site
                             ON site.id = event.site WHERE function = 'slow_part' AND operation = 'unlock'"""))
    takes(changes('work', f"where-work.c:{line['line']}=0")[0], said['slow_part'])


@test
def keys_are_stable():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'm=0')
    equal(set(found), KEYS)
    equal({tuple(process) for process in found['processes']}, {PROCESS_KEYS})
    equal(set(found['critical_path']), {'before', 'after', 'process', 'operation', 'object', 'region', 'piece'})
    equal(found['critical_path']['piece'], [])
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
def a_process_that_is_twice_as_fast_releases_others_earlier():
    write('lock', LOCK, SETTINGS)
    found = ask('lock', '--scale', 'process:a=0.5', '--name', 'fast')
    # All of a is halved; b still needs 30 to go on after a's unlock, and then as long as before.
    equal(timeline('lock', 'fast'), {
        'a': [(0, 5, 0), (10, 10, 0), (60, 60, 0), (65, 70, 0), (100, 105, 0)],
        'b': [(50, 100, 20), (180, 190, 0), (330, 340, 0)]})
    equal(found['saved'], 70)


@test
def the_name_of_a_process_is_its_computing():
    """The object of class thread, which has the same name, is meant by its class only."""
    write('threads', {'a': '0 10 create b 0\n100 100 tag\n110 410 join b 0\n',
                      'b': '20 30 start b 0\n330 330 tag\n390 390 exit b 0\n'}, SETTINGS)
    bare, process = ask('threads', '--scale', 'b=0.5'), ask('threads', '--scale', 'process:b=0.5')
    equal(bare['saved'] > 100, True, bare['saved'])
    equal((bare['saved'], bare['processes']), (process['saved'], process['processes']))
    equal(ask('threads', '--scale', 'thread:b=0.5')['saved'] < 50, True)


@test
def a_name_that_is_a_process_and_something_else_is_refused():
    write('same', {'a': '0 10 lock a 1\n20 20 unlock a 1\n30 30 tag\n'}, SETTINGS)
    contains(refuse('what-if', 'same', '--scale', 'a=0.5'), 'a: this could be process:a, mutex:a: say which')
    for name in ('process:a', 'mutex:a', 'object:a'):
        ask('same', '--scale', f'{name}=0.5')
    write('placed', {'work': '0 10 lock m 1 at=work@x.c:3\n20 20 unlock m 1 at=work@x.c:4\n30 30 tag at=work@x.c:5\n'},
          SETTINGS)
    contains(refuse('what-if', 'placed', '--scale', 'work=0.5'), 'this could be process:work, function work: say which')
    for name in ('process:work', 'function work'):
        ask('placed', '--scale', f'{name}=0.5')


@test
def a_message_that_has_long_been_there_does_not_take_that_long():
    """b's lay there for 2900 until a asked for it. What messages take is shown by a's, for which b has waited: 10."""
    write('late', {
        'a': '0 0 irecv q 0\n3000 3000 isend p 0 bytes=8 to=1\n3001 3002 complete q 0\n3002 3003 complete p 0\n'
             '3100 3100 tag\n',
        'b': '0 0 irecv p 0\n100 100 isend q 0 bytes=8 to=0\n101 3010 complete p 0\n3011 3012 complete q 0\n'})
    found = ask('late', '--scale', 'process:a=0.1')
    equal((found['before_total'], found['approximated_total']), (3100, 312))


@test
def a_what_if_is_called_by_what_it_asks():
    write('lock', LOCK, SETTINGS)
    event = ('--model', 'event')
    run('approximate', 'lock', '--name', 'mine', *event)
    ask('lock', '--scale', 'm=0', *event)
    ask('lock', '--scale', 'lock=0.5', '--scale', 'm=2', '--name', 'other', *event)
    for name in ('event', 'liberal', 'mine'):
        contains(refuse('what-if', 'lock', '--scale', 'm=0', '--name', name), f'“{name}”')
    listed = json.loads(run('info', '--json', 'lock'))['timeline']
    equal([(entry['name'], entry['what_if']) for entry in listed],
          [('measured', None), ('mine', None), ('what-if', 'm × 0'), ('other', 'lock × 0.5, m × 2')])
    contains(run('info', 'lock'), '''\
  Timeline  What if            Model
  mine                         event
  what-if   m × 0              event
  other     lock × 0.5, m × 2  event
''')


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
