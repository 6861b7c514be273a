#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone approximate makes of small traces, against timelines found by hand."""
import configparser
import json
import os
import re

from cli import contains, equal, main, test
from tables import WAIT, WAIT_EVENT, WAIT_SETTINGS, WAIT_TIME, approximate, refuse, run, timeline, write

KEYS = {'timeline', 'model', 'measured_total', 'approximated_total', 'ratio', 'removed', 'events', 'moved', 'gained',
        'lost', 'reordered', 'clamped', 'preempted', 'chosen', 'kept', 'low', 'high', 'processes', 'costs', 'decided',
        'warnings', 'events_lost', 'events_lost_by_reason'}
PROCESS_KEYS = ('process', 'name', 'measured_begin', 'measured_end', 'measured_waiting', 'measured_percent', 'begin',
                'end', 'waiting', 'percent', 'removed', 'events', 'moved', 'gained', 'lost', 'reordered', 'clamped',
                'preempted')
COST_KEYS = ('section', 'key', 'part', 'label', 'value', 'source', 'how', 'samples', 'least', 'low', 'median',
             'high', 'most')
# They leave the barrier 30, 20 and 10 after the last one came.
BARRIER = {
    'a': '0 10 tag\n100 330 barrier r 0\n',
    'b': '0 10 tag\n200 320 barrier r 0\n',
    'c': '0 10 tag\n300 310 barrier r 0\n',
}
# The message is on its way for 50.
MESSAGE = {
    'a': '100 120 send q 0 bytes=8 to=1\n',
    'b': '0 150 recv q 0 bytes=8 from=0\n300 310 tag\n',
}
# c came for the lock before b, because b was being measured.
LOCKS = {
    'a': '0 10 lock m 1\n200 210 unlock m 1\n',
    'b': '0 10 tag\n150 320 lock m 3\n330 340 unlock m 3\n',
    'c': '100 240 lock m 2\n290 300 unlock m 2\n',
}
LOCK_SETTINGS = '[overhead]\ntag=0;0;100\n[cost]\nlock=10;30\n'
# Which message a takes is whichever is there. b's was sent late, because b was being measured.
BLIND = {
    'a': '%s recv 2>0:7 1 from=2 blind=1 bytes=1\n420 610 recv 1>0:7 1 from=1 blind=1 bytes=1\n',
    'b': '0 0 tag\n600 600 send 1>0:7 1 to=0 bytes=1\n',
    'c': '300 300 send 2>0:7 1 to=0 bytes=1\n',
}
BLIND_SETTINGS = '[overhead]\n*=0;0;0\ntag=0;0;500\n[cost]\ncopy=0\n[communication]\nlong=10;0;0\n'
FORK = {
    'a': '0 10 tag\n200 300 create t\n900 1000 join t\n',
    't': '350 360 start t\n500 510 tag\n600 610 exit t\n',
}


def costs(found):
    """Those that are known, by section, key and part: value and source."""
    return {(cost['section'], cost['key'], cost['part']): (cost['value'], cost['source']) for cost in found['costs']
            if cost['source'] != 'unknown'}


@test
def an_await_ends_after_its_advance():
    write('wait', WAIT, WAIT_SETTINGS)
    found = approximate('wait')
    equal(timeline('wait', 'event'), WAIT_EVENT)
    equal((found['timeline'], found['model']), ('event', 'event'))
    equal((found['measured_total'], found['approximated_total'], found['ratio']), (1010, 978, 1.03272))
    equal((found['removed'], found['events'], found['moved'], found['gained'], found['lost'], found['reordered']),
          (35 + 10 + 12 + 20, 4, 3, 1, 0, 0))
    equal([tuple(process.values()) for process in found['processes']], [
        (0, 'a', 500, 1010, 0, 0, 500, 975, 0, 0, 35, 2, 1, 0, 0, 0, 0, 0),
        (1, 'b', 100, 1010, 440, 48.3516, 90, 978, 450, 50.6757, 42, 2, 2, 1, 0, 0, 0, 0),
    ])
    equal(found['warnings'], [])


@test
def a_lock_whose_release_was_late_has_waited_for_that():
    """The lock is given back 100 after the stamp, 50 after b has come: that is not what taking a free lock takes."""
    write('late', {'a': '0 10 lock m 1\n200 200 unlock m 1\n', 'b': '250 310 lock m 2\n500 500 unlock m 2\n'},
          '[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\nunlock=0;0;100\n[cost]\nlock=10;30\n')
    approximate('late', '--model', 'liberal')
    equal(timeline('late', 'liberal'), {'a': [(0, 10, 0), (200, 200, 0)], 'b': [(250, 260, 0), (450, 450, 0)]})


@test
def trapped_calls_have_instrumentation_of_their_own():
    write('trapped', {'a': '100 100 futex-wake w 1 trapped=1\n300 310 tag\n500 500 futex-wake w 2\n700 710 tag\n'},
          '[overhead]\n*=0;0;0\nfutex-wake=0;0;10\n[trapped]\nfutex-wake=0;0;60\n')
    for settings, trapped, other in (([], 60, 10), (['trapped.futex-wake=0;0;40'], 40, 10),
                                     (['overhead.futex-wake=0;0;20', 'trapped.futex-wake=0;0;30'], 30, 20)):
        approximate('trapped', *(word for setting in settings for word in ('--set', setting)))
        both = trapped + other
        equal(timeline('trapped', 'event'), {'a': [(100, 100, 0), (300 - trapped, 310 - trapped, 0),
                                                   (500 - trapped, 500 - trapped, 0), (700 - both, 710 - both, 0)]},
              settings)


@test
def the_time_model_keeps_no_order():
    write('wait', WAIT, WAIT_SETTINGS)
    found = approximate('wait', '--model', 'time')
    equal((found['timeline'], found['approximated_total']), ('time', 975))
    table = timeline('wait', 'time')
    equal([[event[:2] for event in table[name]] for name in table],
          [[event[:2] for event in WAIT_TIME[name]] for name in WAIT_TIME])


@test
def barriers_are_left_as_they_were_or_as_is_said():
    write('barrier', BARRIER, '[overhead]\ntag=0;0;40\nbarrier=0;0;0\n')
    approximate('barrier')
    # All begin 40 earlier, and leave 30, 20 and 10 after the last.
    equal(timeline('barrier', 'event'), {'a': [(0, 10, 0), (60, 290, 200)], 'b': [(0, 10, 0), (160, 280, 100)],
                                         'c': [(0, 10, 0), (260, 270, 0)]})
    found = approximate('barrier', '--name', 'quick', '--set', 'barrier.exit=linear', '--set', 'barrier.beta=5')
    equal([process['end'] for process in found['processes']], [275, 270, 265])
    equal(costs(found)['barrier', 'beta', None], (5, 'given'))
    # Without it b comes first: it is the one that leaves last.
    write('order', {'a': '0 10 tag\n100 330 barrier r 0\n', 'b': '0 10 tag\n20 30 tag\n105 320 barrier r 0\n',
                    'c': '0 10 tag\n300 310 barrier r 0\n'}, '[overhead]\ntag=0;0;40\nbarrier=0;0;0\n')
    found = approximate('order')
    equal([process['end'] for process in found['processes']], [280, 290, 270])
    equal((found['clamped'], found['reordered']), (1, 2))


@test
def a_barrier_of_several_stages_comes_back_exactly():
    """Whoever comes needs 3, the last one 5 more; 7 later all are released, and leave 11 after one another, those who
    came last first. The tags before it have cost 40 each, by which a and b changed their order."""
    work, tags = {'a': (100, 170, 250), 'b': (110, 160, 260), 'c': (50, 300, 240)}, {'a': 2, 'b': 1, 'c': 0}

    def simulate(overhead):
        """The begins and ends of all barriers."""
        now, found, text = dict.fromkeys(work, 0), {name: [] for name in work}, dict.fromkeys(work, '')
        for turn in range(3):
            entries = {}
            for name, amounts in work.items():
                for tag in range(tags[name]):
                    text[name] += f'{now[name] + 10} {now[name] + 20} tag\n'
                    now[name] += 20 + overhead
                entries[name] = now[name] + amounts[turn]
            order = sorted(work, key=lambda name: (entries[name], name))
            for rank, name in enumerate(order):
                now[name] = entries[order[-1]] + 3 + 5 + 7 + 11 * (len(order) - rank)
                found[name].append((entries[name], now[name]))
                text[name] += f'{entries[name]} {now[name]} barrier r {turn}\n'
        return found, text

    write('stages', simulate(40)[1], '[overhead]\ntag=0;0;40\nbarrier=0;0;0\n')
    approximate('stages')
    bare = simulate(0)[0]
    table = timeline('stages', 'event')
    equal({name: [event[:2] for event in table[name] if event[:2] in bare[name]] for name in bare}, bare, 'barriers')
    # One cost for each to leave takes the stages before that for the same.
    wrong = approximate('stages', '--name', 'linear', '--set', 'barrier.exit=linear')
    last = max(ends[-1][1] for ends in bare.values())
    equal(last - wrong['approximated_total'], 3 * (3 + 5 + 7), 'one cost')


@test
def messages_take_as_long_as_the_model_says():
    write('message', MESSAGE, '[overhead]\n*=0;0;0\nsend=30;0;0\n')
    for model, end in (('event', 70 + 50), ('pessimistic', 70 + 50), ('optimistic', 70)):
        found = approximate('message', '--model', model)
        equal(timeline('message', model), {'a': [(70, 90, 0)], 'b': [(0, end, 70), (end + 150, end + 160, 0)]}, model)
        equal((found['approximated_total'], found['lost']), (end + 160, 1), model)


@test
def a_message_that_has_long_been_there_is_not_what_a_receive_waits_for():
    settings = ('[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;%d\n[cost]\ncopy=20\n'
                '[communication]\nlong=50;0;0\n')
    sending = '100 120 send q 0 bytes=8 to=1\n'
    # It came at 100 + 50 + 20: that the receive took 40 more than the mean shows nothing of that.
    write('there', {'a': sending, 'b': '0 10 tag\n1500 1560 recv q 0 bytes=8 from=0\n'}, settings % 1000)
    approximate('there')
    equal(timeline('there', 'event')['b'], [(0, 10, 0), (500, 560, 0)])
    # Here it may have been on its way for longer than the model says.
    write('coming', {'a': sending, 'b': '0 10 tag\n110 400 recv q 0 bytes=8 from=0\n'}, settings % 50)
    approximate('coming')
    equal(timeline('coming', 'event')['b'], [(0, 10, 0), (60, 400, 40)])


@test
def a_send_that_has_waited_waits_for_its_receiver_again():
    settings = '[overhead]\n*=0;0;0\ntag=0;0;30\n'
    receiver = '0 10 tag\n50 62 recv q 0 bytes=9000 from=0\n'
    write('waited', {'a': '0 60 send q 0 bytes=9000 to=1 contended=1\n', 'b': receiver}, settings)
    approximate('waited')
    equal(timeline('waited', 'event'), {'a': [(0, 30, 20)], 'b': [(0, 10, 0), (20, 32, 0)]})
    # It waited for room in a buffer, and goes on doing so.
    write('room', {'a': '0 40 send q 0 bytes=9000 to=1 contended=1\n', 'b': receiver}, settings)
    approximate('room')
    equal(timeline('room', 'event'), {'a': [(0, 40, 0)], 'b': [(0, 10, 0), (20, 32, 0)]})


@test
def who_gets_a_lock_is_decided_again_if_that_is_asked_for():
    write('locks', LOCKS, LOCK_SETTINGS)
    approximate('locks', '--model', 'event')
    # b comes 100 earlier, and gets the lock third all the same.
    equal(timeline('locks', 'event'), {'a': [(0, 10, 0), (200, 210, 0)],
                                       'b': [(0, 10, 0), (50, 330, 250), (340, 350, 0)],
                                       'c': [(100, 240, 110), (290, 300, 0)]})
    found = approximate('locks', '--model', 'liberal')
    # 210 + 30 for b, which came first; it gives it back at 260, + 30 for c.
    equal(timeline('locks', 'liberal'), {'a': [(0, 10, 0), (200, 210, 0)],
                                         'b': [(0, 10, 0), (50, 240, 160), (250, 260, 0)],
                                         'c': [(100, 290, 160), (340, 350, 0)]})
    equal(found['decided'], [{'object': 0, 'object_name': 'm', 'work': False, 'decisions': 3, 'changed': 2,
                              'kept': False}])
    contains(run('approximate', 'locks', '--model=liberal'), '''
  Decided again  Decisions  Changed
  m                      3        2
''')


@test
def people_are_told_of_the_objects_that_change_most():
    """Twelve locks; of the last one the order changes."""
    def quiet(begin, turn):
        return ''.join(f'{begin + 10 * i} {begin + 10 * i + 1} lock q{i} {turn}\n'
                       f'{begin + 10 * i + 2} {begin + 10 * i + 3} unlock q{i} {turn}\n' for i in range(11))
    write('many', {**LOCKS, 'd': quiet(0, 1), 'e': quiet(1000, 2)}, LOCK_SETTINGS)
    told = run('approximate', 'many', '--model=liberal')
    rows = told.split('  Decided again')[1].splitlines()[1:11]
    equal(len(json.loads(run('approximate', 'many', '--model=liberal', '--name=again', '--json'))['decided']), 12)
    equal(rows[0].split(), ['m', '3', '2'], 'the first one')
    contains(told, '... and 2 more, of which less changed (--json tells of all)')


@test
def a_process_that_was_made_earlier_begins_earlier():
    write('fork', FORK, '[overhead]\n*=0;0;0\ntag=0;0;100\n')
    found = approximate('fork')
    # From tag to exit there are 90 only, of the 100 that are to be taken off.
    equal(timeline('fork', 'event'), {'a': [(0, 10, 0), (100, 200, 0), (800, 900, 0)],
                                      't': [(250, 260, 0), (400, 410, 0), (410, 420, 0)]})
    equal((found['removed'], found['clamped']), (190, 1))


@test
def processes_that_are_made_come_in_the_order_without_the_measurement():
    """u takes the lock between the two times that t does, and still does when both begin 1000 earlier."""
    made = {'a': '0 10 tag\n1200 1210 create t\n1220 1230 create u\n3000 3010 join t\n',
            't': '1250 1260 start t\n1300 1310 lock x 1\n1320 1330 unlock x 1\n'
                 '1900 1910 lock x 3\n1920 1930 unlock x 3\n2000 2010 exit t\n',
            'u': '1300 1310 start u\n1500 1510 lock x 2\n1520 1530 unlock x 2\n2100 2110 exit u\n'}
    write('made', made, '[overhead]\n*=0;0;0\ntag=0;0;1000\n')
    found = approximate('made', '--model', 'liberal')
    equal([decided['changed'] for decided in found['decided']], [0])
    equal(timeline('made', 'liberal')['u'], [(300, 310, 0), (500, 510, 0), (520, 530, 0), (1100, 1110, 0)])


def received(trace, policy):
    """From whom, begin and end of each receive."""
    found = approximate(trace, '--blind', policy, '--name', policy)
    rows = run('sql', trace, f"SELECT peer, begin, end FROM event WHERE timeline = '{policy}' AND operation = 'recv'",
               '--csv')
    return found['decided'], [tuple(map(int, line.split(','))) for line in rows.split()[1:]]


@test
def a_blind_receive_takes_what_has_come():
    write('early', {**BLIND, 'a': BLIND['a'] % '100 310'}, BLIND_SETTINGS)
    equal(received('early', 'preserve'), ([], [(2, 100, 310), (1, 420, 420)]))
    for policy in ('fifo', 'lifo'):
        decided, rows = received('early', policy)
        equal(rows, [(1, 100, 110), (2, 220, 310)])
        equal([each['changed'] for each in decided], [1, 1])
    write('late', {**BLIND, 'a': BLIND['a'] % '400 410'}, BLIND_SETTINGS)
    equal(received('late', 'fifo')[1], [(1, 400, 400), (2, 410, 410)])
    # As measured, and so it takes as long as then: its end showed when the message came.
    equal(received('late', 'lifo')[1], [(2, 400, 410), (1, 420, 420)])


@test
def costs_come_with_where_they_are_from():
    write('wait', WAIT, WAIT_SETTINGS)
    equal(costs(approximate('wait', '--set', 'cost.await=80;250'))['cost', 'await', 'wait'], (250, 'given'))
    found = costs(approximate('wait'))
    equal(found['cost', 'await', 'nowait'], (90, 'given'))
    equal([found['overhead', 'await', part] for part in ('before', 'inside', 'after')],
          [(10, 'given'), (12, 'given'), (20, 'given')])
    # Without waiting 10, 12 and 10; after waiting 135 - 110.
    write('unknown', {'a': '0 10 lock m 1\n100 110 unlock m 1\n200 212 lock n 1\n220 230 unlock n 1\n',
                      'b': '20 135 lock m 2\n150 150 unlock m 2\n160 170 lock m 3\n180 190 unlock m 3\n'})
    found = approximate('unknown')
    estimated = {cost['part']: tuple(cost.values())[4:6] + tuple(cost.values())[7:] for cost in found['costs']
                 if cost['source'] == 'estimated'}
    equal(estimated, {'nowait': (10, 'estimated', 3, 10, 10, 10, 11, 12),
                      'wait': (25, 'estimated', 1, 25, 25, 25, 25, 25)})
    # Nothing was taken off, so nothing moved; and that is said.
    equal((found['moved'], found['removed'], found['measured_total'], found['approximated_total']), (0, 0, 230, 230))
    equal(len(found['warnings']), 1, 'the number of warnings')
    contains(found['warnings'][0], 'set overhead.')


@test
def keys_are_stable():
    write('wait', WAIT, WAIT_SETTINGS)
    found = approximate('wait')
    equal(set(found), KEYS)
    equal({tuple(process) for process in found['processes']}, {PROCESS_KEYS})
    equal({tuple(cost) for cost in found['costs']}, {COST_KEYS})


@test
def several_timelines_live_side_by_side():
    write('wait', WAIT, WAIT_SETTINGS)
    for options in ((), ('--model', 'time'), ('--name', 'mine', '--set', 'overhead.await=0;0;0'), ()):
        approximate('wait', *options)
    known = json.loads(run('info', '--json', 'wait'))['timeline']
    equal(sorted((entry['name'], entry['model']) for entry in known),
          [('event', 'event'), ('measured', None), ('mine', 'event'), ('time', 'time')])
    contains(run('info', 'wait'), '  Timeline  Model\n')
    equal(timeline('wait', 'event'), WAIT_EVENT)
    equal(run('approximate', 'wait', '--remove', 'time'), '')
    equal({entry['name'] for entry in json.loads(run('info', '--json', 'wait'))['timeline']},
          {'measured', 'event', 'mine'})
    equal(timeline('wait', 'event'), WAIT_EVENT)
    contains(refuse('approximate', 'wait', '--remove', 'time'), 'event, mine')


@test
def other_commands_work_on_it():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait')
    found = json.loads(run('critical-path', 'wait', '--timeline', 'event', '--json'))
    # It goes from a's advance to b: 0-500, 500-540, from 540 to 800, to 968 and 978.
    equal((found['length'], found['computing'], found['inside'], found['passing']), (978, 500 + 168, 40 + 10, 260))
    waiting = json.loads(run('stats', 'wait', 'waiting', '--timeline', 'event', '--json'))
    equal([process['waiting'] for process in waiting['process']], [0, 450])
    equal(json.loads(run('stats', 'wait', 'ratio', '--actual', '978', '--json'))['ratio'], [
        {'timeline': 'measured', 'model': None, 'total': 1010, 'ratio': 1, 'actual_ratio': 1.03272},
        {'timeline': 'event', 'model': 'event', 'total': 978, 'ratio': 1.03272, 'actual_ratio': 1},
    ])


@test
def people_get_a_report():
    write('wait', WAIT, WAIT_SETTINGS)
    equal(run('approximate', 'wait'), '''\
Approximated run, timeline event

  Model                    event, as the order of events is fixed
  Measured                 1.01 µs
  Approximated             978 ns
  Measured / approximated  1.03
  Instrumentation removed  77 ns
  Moved                    3 of 4 events
  Wait longer              1
  Wait shorter             0
  In another order         0

  Process  Measured end  Waiting   Share   Begin     End  Waiting   Share  Removed
  a             1.01 µs     0 ns   0.0 %  500 ns  975 ns     0 ns   0.0 %    35 ns
  b             1.01 µs   440 ns  48.4 %   90 ns  978 ns   450 ns  50.7 %    42 ns

  Instrumentation  Before  Inside  After  From
  advance            0 ns    0 ns  35 ns  given
  await             10 ns   12 ns  20 ns  given
  tag                0 ns    0 ns  35 ns  given

  Cost   Of                Value  From
  await  without waiting   90 ns  given
  await  after waiting    260 ns  given
''')


@test
def an_empty_trace_stays_empty():
    write('empty', {'a': ''})
    found = approximate('empty')
    equal((found['measured_total'], found['approximated_total'], found['ratio'], found['events']), (0, 0, None, 0))
    run('approximate', 'empty')


# b comes for the lock while a has it, but for the measurement; and then it sleeps, which takes it 20,000.
SLEEPS = {
    'a': '0 5 lock m 1\n1000 1010 unlock m 1\n',
    'b': '0 0 tag\n1100 1105 lock m 2\n1110 1115 unlock m 2\n',
}
SLEEP_COSTS = '[overhead]\n*=0;0;0\ntag=0;0;500\n[cost]\nlock=5;20000\n'


@test
def a_model_is_chosen():
    write('wait', WAIT, WAIT_SETTINGS)
    found = approximate('wait')
    equal((found['model'], found['chosen']), ('event', True))
    equal(approximate('wait', '--model', 'event')['chosen'], False)
    write('locks', LOCKS, LOCK_SETTINGS)
    found = approximate('locks')
    equal((found['model'], found['timeline'], found['chosen']), ('liberal', 'liberal', True))
    equal(timeline('locks', 'liberal')['b'], [(0, 10, 0), (50, 240, 160), (250, 260, 0)])
    contains(run('approximate', 'locks'), 'liberal, as time decides who gets something next\n')
    # A lock that one process has to itself is no matter of time.
    write('alone', {'a': '0 10 lock m 1\n20 30 unlock m 1\n', 'b': '0 10 lock n 1\n20 30 unlock n 1\n'})
    equal(approximate('alone')['model'], 'event')
    # Nor is one that has to stay as measured.
    write('inside', {'a': '0 10 lock m 1\n20 30 await A 1\n40 50 unlock m 1\n',
                     'b': '0 20 advance A 1\n60 70 lock m 2\n80 90 unlock m 2\n'})
    equal(approximate('inside')['model'], 'event')


@test
def a_measured_run_that_would_get_longer_is_kept():
    write('sleeps', SLEEPS, '[trace]\nclock_ticks=1\n' + SLEEP_COSTS)
    for model in 'event', 'liberal', 'auto':
        found = approximate('sleeps', '--model', model, '--name', 'new')
        equal((found['kept'], found['measured_total'], found['approximated_total'], found['high'], found['moved']),
              (True, 1115, 1115, 1115, 0), model)
        contains(found['warnings'][-1], 'the measured run is kept')
        equal(timeline('sleeps', 'new')['b'], [(0, 0, 0), (1100, 1105, 0), (1110, 1115, 0)])
    contains(run('approximate', 'sleeps'), 'the measured run is kept\n')
    contains(run('info', 'sleeps'), 'Timeline new: Without the measurement the run would take')
    # Of a user's costs nobody knows whether they are those of this run.
    for arguments in ('sleeps', '--set', 'cost.lock=5;20000'), ('given',):
        if arguments[0] == 'given':
            write('given', SLEEPS, SLEEP_COSTS)
        found = approximate(*arguments, '--model', 'event')
        equal((found['kept'], found['approximated_total']), (False, 1010 + 20000 + 10))
        contains(found['warnings'][0], 'is longer than the measured one')


@test
def models_that_differ_are_told():
    def settings(lost):
        return f'[overhead]\n*=0;0;0\ntag=0;0;{lost}\n[cost]\nlock=10;30\n'
    write('apart', {**LOCKS, 'c': '100 240 lock m 2\n290 300 unlock m 2\n600 610 work\n'}, settings(100))
    for model, other in (('event', 'liberal'), ('liberal', 'event')):
        found = approximate('apart', '--model', model)
        equal((found['low'], found['high']), (610, 660))
        contains(found['warnings'][-1], 'The order of events matters')
        contains(found['warnings'][-1], f'model {other} finds {610 if other == "event" else 660} ns')
    write('same', LOCKS, settings(0))
    equal([warning for warning in approximate('same')['warnings'] if 'order' in warning], [])


@test
def operations_that_took_longer_than_calibrated_are_told():
    def locks(took):
        return ''.join(f'{at} {at + took} lock m {at // 1000}\n{at + 500} {at + 500} unlock m {at // 1000}\n'
                       for at in range(1000, 9000, 1000))
    settings = '[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\n[cost]\nlock=10;20000\n'
    write('cold', {'a': locks(51)}, settings)
    write('warm', {'a': locks(50)}, settings)
    contains(approximate('cold')['warnings'][0], 'lock 51 and 10 ns')
    equal(approximate('warm')['warnings'], [])
    # If nothing but recording them took longer, each lock takes 10.
    equal((approximate('cold')['low'], approximate('cold')['high']), (8500 - 8 * 41, 8500))


@test
def an_order_that_recording_hardly_changed_is_kept():
    """b, 5 earlier, would have the lock before c, who has much to do: that is chance, and not what recording did."""
    chance = {**LOCKS, 'b': '0 10 tag\n152 320 lock m 3\n330 340 unlock m 3\n',
              'c': '150 240 lock m 2\n290 300 unlock m 2\n600 610 work\n'}
    def settings(lost):
        return f'[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;{lost}\n[cost]\nlock=10;30\n'
    write('chance', chance, settings(5))
    found = approximate('chance')
    equal((found['model'], found['chosen'], found['approximated_total']), ('event', True, 610))
    contains(found['warnings'][0], 'recording can have made it, which took ')
    contains(found['warnings'][0], 'so the order stays as it was measured')
    again = [warning for warning in found['warnings'] if 'The order of events matters' in warning]
    equal(again, [], 'the same in other words')
    assert re.search(r'next finds 6[3-9]\d ns, and 610 ns were measured', found['warnings'][0]), found['warnings'][0]
    contains(run('approximate', 'chance'), 'event, as another order is further off than recording can have made it')
    # Where it took much, another order may well be what it has done.
    write('lost', chance, settings(140))
    equal(approximate('lost')['model'], 'liberal')


@test
def the_interval_holds_what_recording_may_have_cost():
    """A fifth less, or a fifth more; and where locks took twice as long as calibrated, twice as much."""
    tags = ''.join(f'{at} {at} tag\n' for at in range(1000, 9000, 1000))
    write('even', {'a': tags}, '[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;100\n')
    found = approximate('even')
    equal((found['low'], found['approximated_total'], found['high']), (8000 - 7 * 120, 8000 - 7 * 100, 8000 - 7 * 80))
    locks = ''.join(f'{at} {at + 20} lock m {at // 1000}\n{at + 500} {at + 500} unlock m {at // 1000}\n'
                    for at in range(11000, 20000, 1000))
    write('dear', {'a': tags + locks},
          '[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;100\n[cost]\nlock=10;20000\n')
    # In the shortest run each lock takes 10, too.
    equal(approximate('dear')['low'], 19500 - 8 * 240 - 9 * 10)


@test
def events_that_leave_little_but_their_cost_are_told():
    tags = ''.join(f'{at} {at} tag\n' for at in range(1000, 9000, 1000))
    for lost, warned in (300, True), (240, False):
        write(f'dense-{lost}', {'a': tags}, f'[trace]\nclock_ticks=1\n[overhead]\n*=0;0;0\ntag=0;0;{lost}\n')
        warnings = approximate(f'dense-{lost}')['warnings']
        equal(['believe the interval' in warning for warning in warnings], [True] if warned else [], str(lost))
    contains(run('info', 'dense-300'), 'Recording took 30 % of the time in which the processes did not wait')


def describe(trace, name):
    """The events, arcs and spans of a timeline, by names of objects: their numbers may be others."""
    named = f"LEFT JOIN object AS o ON o.id = x.object WHERE x.timeline = '{name}'"
    return [run('sql', '--csv', trace, query) for query in (
        'SELECT x.process, ordinal, operation, o.name, sequence, x.begin, x."end", x.waited, woken, layer, x.value, '
        f'bytes, peer, flags FROM event AS x {named} ORDER BY 1, 2',
        'SELECT from_process, from_ordinal, from_point, to_process, to_ordinal, kind, rule, from_time, to_time '
        f"FROM arc WHERE timeline = '{name}' ORDER BY 4, 5, 1, 2",
        f'SELECT x.process, o.name, x.begin, x."end" FROM span AS x {named} ORDER BY 1, 3, 2',
        f"SELECT process, begin, \"end\", state FROM state WHERE timeline = '{name}' ORDER BY 1, 2, 3")]


@test
def a_timeline_becomes_a_trace_that_merges_to_the_same():
    write('wait', WAIT, WAIT_SETTINGS)
    write('barrier', BARRIER, '[overhead]\ntag=0;0;100\n')
    write('message', MESSAGE, '[overhead]\n*=0;0;0\nsend=20;0;0\n')
    write('locks', LOCKS, LOCK_SETTINGS)
    write('blind', {name: text % '400 410' if '%s' in text else text for name, text in BLIND.items()}, BLIND_SETTINGS)
    write('fork', FORK, '[overhead]\ntag=0;0;50\n')
    for trace, options in (('wait', []), ('barrier', []), ('message', []), ('locks', ['--model', 'liberal']),
                           ('locks', ['--model', 'event']), ('blind', ['--blind', 'fifo']), ('fork', [])):
        out = '-'.join([trace, *options]).replace('---', '-') + '.out'
        found = approximate(trace, *options, '-o', out)
        equal(describe(out, 'measured'), describe(trace, found['timeline']))
        again = approximate(out, '--model', 'event')
        equal((again['measured_total'], again['removed']), (found['approximated_total'], 0), trace)


@test
def a_written_timeline_says_where_it_comes_from():
    write('wait', WAIT, WAIT_SETTINGS + '[trace]\ntitle=Waiting\n')
    approximate('wait', '--name', 'mine', '--model', 'event', '--output', 'out')
    settings = configparser.ConfigParser(interpolation=None)
    settings.read('out/trace.ini')
    equal((settings['origin']['trace'], settings['origin']['timeline'], settings['origin']['model']),
          (os.path.realpath('wait'), 'mine', 'event'))
    equal(json.loads(settings['origin']['parameters'])['model'], 'event')
    equal((settings['trace']['title'], settings['overhead']['*']), ('Waiting', '0;0;0'))


@test
def nothing_is_written_over():
    write('wait', WAIT, WAIT_SETTINGS)
    approximate('wait', '-o', 'out')
    contains(refuse('approximate', 'wait', '-o', 'out'), 'something in this directory')
    run('approximate', 'wait', '-o', 'out', '--replace', '--model', 'time')
    equal(describe('out', 'measured')[0], describe('wait', 'time')[0])
    contains(refuse('approximate', 'wait', '-o', 'wait', '--replace'), 'the trace itself')
    equal(sorted(os.listdir('wait')), sorted(['history.lightcone', 'trace.ini'] + [f'{name}.events' for name in WAIT]))
    os.makedirs('other')
    with open('other/notes', 'w', encoding='utf-8'):
        pass
    contains(refuse('approximate', 'wait', '-o', 'other', '--replace'), 'not a trace')
    equal(os.listdir('other'), ['notes'])


@test
def gaps_are_not_made_up():
    write('gaps', WAIT, WAIT_SETTINGS + '[gaps]\n1=2000;3000;paused\n')
    contains(refuse('approximate', 'gaps', '-o', 'out'), 'nothing was recorded')
    assert not os.path.exists('out')


@test
def wrong_arguments_are_refused():
    write('wait', WAIT, WAIT_SETTINGS)
    os.makedirs('nothing')
    for arguments, parts in (
            ([], ['DIR is missing']), (['wait', 'more'], ['too many']), (['missing'], ['missing']),
            (['nothing'], ['nothing']), (['wait', '--model', 'best'], ['“best”', 'time, event, liberal, optimistic']),
            (['wait', '--blind', 'any'], ['“any”', 'preserve, fifo, lifo']),
            (['wait', '--name', 'measured'], ['“measured”', '--name']), (['wait', '--name', ''], ['“”']),
            (['wait', '--set', 'await=3'], ['await=3', 'SECTION.KEY=VALUE']),
            (['wait', '--set', 'overhead.await=x'], ['overhead.await=x', 'BEFORE;INSIDE;AFTER']),
            (['wait', '--set', 'overhead.dance=1;2;3'], ['overhead.dance', 'no operation']),
            (['wait', '--set', 'barrier.exit=late'], ['barrier.exit=late', 'linear']),
            (['wait', '--remove', 'measured'], ['measured']), (['wait', '--remove', 'none'], ['none', 'measured']),
            (['wait', '--replace'], ['--output']), (['wait', '--remove', 'event', '-o', 'out'], ['--remove']),
            (['wait', '--remove', 'event', '--model', 'event'], ['--remove'])):
        message = refuse('approximate', *arguments)
        for part in parts:
            contains(message, part)
    equal([entry['name'] for entry in json.loads(run('info', '--json', 'wait'))['timeline']], ['measured'])


main()
