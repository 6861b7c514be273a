#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages without waiting, and collective operations, in text traces: their arcs, layers, and what is missing."""
import csv
import io
import json
import os
import re
import subprocess

from cli import LIGHTCONE, contains, equal, lightcone, main, test

DOCS = os.environ['LIGHTCONE_DOCS']
GROUPS = ['all-reduce', 'all-gather', 'all-to-all', 'reduce-scatter', 'scan', 'communicator', 'fence']


def write(name, *processes):
    """Each process is its lines."""
    os.mkdir(name)
    for number, lines in enumerate(processes):
        with open(f'{name}/{number}.events', 'w') as file:
            file.write('%lightcone-events 1\n' + ''.join(line + '\n' for line in lines))


def rows(name, query):
    result = lightcone('sql', '--csv', name, query)
    equal((result.returncode, result.stderr), (0, ''), query)
    return [tuple(row) for row in csv.reader(io.StringIO(result.stdout))][1:]


def arcs(name):
    """process.ordinal of both ends, with the point of the first and the kind."""
    found = rows(name, 'SELECT from_process, from_ordinal, from_point, to_process, to_ordinal, kind FROM arc'
                       ' ORDER BY 4, 5, 1, 2')
    return [f'{a}.{b} {point} > {c}.{d} {kind}' for a, b, point, c, d, kind in found]


def layers(name):
    return {f'{process}.{ordinal}': int(layer)
            for process, ordinal, layer in rows(name, 'SELECT process, ordinal, layer FROM event')}


def check(name):
    result = lightcone('check', '--json', name)
    equal(result.stderr, '')
    return json.loads(result.stdout)


def is_clean(name):
    found = check(name)
    assert found['clean'], found['event']


def complains(name, *messages):
    result = lightcone('check', name)
    equal(result.returncode, 1, 'the status')
    for message in messages:
        contains(result.stdout, message)
    equal(check(name)['unmatched'], len(messages))


# --- Messages -------------------------------------------------------------------------------------------------------


@test
def a_recv_takes_what_any_operation_sends():
    write('sends', ['0 10 send c 0 bytes=8', '20 40 ssend c 1', '50 60 isend c 2', '70 80 complete c 2'],
          ['5 12 recv c 0', '30 45 recv c 1', '55 90 recv c 2'])
    is_clean('sends')
    equal(arcs('sends'), ['1.1 begin > 0.1 order', '0.2 begin > 0.3 data', '0.0 begin > 1.0 data',
                          '0.1 begin > 1.1 data', '0.2 begin > 1.2 data'])


@test
def the_complete_of_an_irecv_takes_what_any_operation_sends():
    write('irecvs', ['10 11 send c 0', '20 45 ssend c 1', '50 60 isend c 2', '70 80 complete c 2'],
          ['0 1 irecv c 0', '2 3 irecv c 1', '4 5 irecv c 2', '30 40 complete c 1', '41 42 complete c 0',
           '43 90 complete c 2'])
    is_clean('irecvs')
    equal(arcs('irecvs'), ['1.1 begin > 0.1 order', '0.2 begin > 0.3 data', '0.1 begin > 1.3 data',
                           '0.0 begin > 1.4 data', '0.2 begin > 1.5 data'])


@test
def a_probe_sees_a_message_and_leaves_it():
    write('probes', ['0 10 send c 0 bytes=8', '20 30 isend c 1', '40 50 complete c 1', '60 90 ssend c 2'],
          ['1 2 probe-failed c 0', '3 12 probe c 0', '13 14 probe c 0', '15 20 recv c 0', '21 25 probe c 1',
           '26 27 irecv c 1', '28 40 complete c 1', '55 65 probe c 2', '70 95 recv c 2'])
    is_clean('probes')
    equal(check('probes')['left'], 0)
    equal(arcs('probes'), ['0.1 begin > 0.2 data', '1.8 begin > 0.3 order',
                           '0.0 begin > 1.1 order', '0.0 begin > 1.2 order', '0.0 begin > 1.3 data',
                           '0.1 begin > 1.4 order', '0.1 begin > 1.6 data', '0.3 begin > 1.7 order',
                           '0.3 begin > 1.8 data'])
    write('nothing', ['0 1 put c 0', '2 3 accumulate c 1', '4 5 get c 2'], ['5 6 probe d 0'])
    complains('nothing', 'event 0: probe d #0, waits for send #0, which is nowhere')


@test
def what_nobody_receives_is_a_note():
    write('left',
          ['0 1 send c 0', '2 3 send c 1', '4 5 isend c 2', '6 7 complete c 2', '8 9 isend c 3', '10 11 ssend d 0'],
          ['0 2 recv c 0', '8 10 recv c 3', '10 14 recv d 0'])
    found = check('left')
    assert found['clean'], found
    equal([(event['trouble'], event['process'], event['ordinal'], event['wants']) for event in found['event']],
          [('left', 0, 1, 'recv'), ('left', 0, 2, 'recv')])
    result = lightcone('check', 'left')
    equal(result.returncode, 0, 'the status')
    contains(result.stdout, 'note: 0, event 1: send c #1, was taken by nobody: recv #1 is nowhere')
    equal(rows('left', 'SELECT kind, severity, ordinal, operation, sequence FROM problem'),
          [('left', 'note', '1', 'send', '1'), ('left', 'note', '2', 'isend', '2')])


@test
def what_is_begun_with_all_is_finished_by_each():
    for kind in ['ibarrier', 'iall-reduce', 'iall-gather', 'iall-to-all', 'ireduce-scatter', 'iscan']:
        name = f'begun-{kind}'
        write(name, [f'0 1 {kind} w 0 value=2', '2 3 finish-failed w 0 value=2', '4 30 finish-all w 0 value=2'],
              [f'20 21 {kind} w 0 value=2', '22 31 finish-all w 0 value=2'])
        is_clean(name)
        equal(arcs(name), ['0.0 begin > 0.2 data', '1.0 begin > 0.2 data', '0.0 begin > 1.1 data',
                           '1.0 begin > 1.1 data'])
    write('one-short', ['0 1 iall-reduce w 0 value=3', '4 30 finish-all w 0 value=3'],
          ['20 21 iall-reduce w 0 value=3', '22 31 finish-all w 0 value=3'])
    complains('one-short',
              '0, event 1: finish-all w #0, waits for iall-reduce #0, of which 2 of 3 are there',
              '1, event 1: finish-all w #0, waits for iall-reduce #0, of which 2 of 3 are there')


@test
def what_is_begun_with_a_root_is_finished_from_it_or_at_it():
    write('down', ['10 11 ibroadcast-root w 0 value=2', '12 13 finish-local w 0 value=2',
                   '20 21 iscatter-root w 1 value=2', '22 23 finish-local w 1 value=2'],
          ['0 1 ibroadcast-recv w 0 value=2', '2 15 finish-from-root w 0 value=2',
           '16 17 iscatter w 1 value=2', '18 40 finish-from-root w 1 value=2'])
    is_clean('down')
    equal(arcs('down'), ['0.0 begin > 1.1 data', '0.2 begin > 1.3 data'])
    write('up', ['0 1 ireduce-root w 0 value=2', '2 20 finish-at-root w 0 value=2', '21 22 igather w 1 value=2',
                 '23 24 finish-local w 1 value=2'],
          ['10 11 ireduce w 0 value=2', '12 13 finish-local w 0 value=2', '14 15 igather-root w 1 value=2',
           '16 30 finish-at-root w 1 value=2'])
    is_clean('up')
    equal(arcs('up'), ['1.0 begin > 0.1 data', '0.2 begin > 1.3 data'])


@test
def a_complete_waits_for_the_begin_of_the_send():
    write('waits', ['100 110 isend c 0', '120 130 complete c 0'],
          ['0 5 irecv c 0', '10 20 test-failed c 0', '30 160 complete c 0'])
    is_clean('waits')
    equal(rows('waits', "SELECT waited FROM event WHERE operation = 'complete' ORDER BY process"), [('0',), ('70',)])
    equal(layers('waits'), {'0.0': 1, '0.1': 2, '1.0': 1, '1.1': 2, '1.2': 3})


@test
def a_message_to_oneself_is_completed_twice():
    write('self', ['0 5 isend c 0', '10 15 irecv c 0', '20 25 complete c 0', '30 35 complete c 0'])
    is_clean('self')
    equal(arcs('self'), ['0.0 begin > 0.2 data', '0.0 begin > 0.3 data'])


@test
def a_rendezvous_waits_for_an_irecv_too():
    write('rendezvous', ['0 60 ssend c 0'], ['50 55 irecv c 0', '70 80 complete c 0'])
    is_clean('rendezvous')
    equal(rows('rendezvous', "SELECT waited FROM event WHERE operation = 'ssend'"), [('50',)])


@test
def a_send_that_has_waited_is_a_rendezvous():
    write('waited', ['0 60 send c 0 contended=1', '70 130 send c 1 contended=1', '140 150 send c 2'],
          ['50 65 recv c 0', '100 105 irecv c 1', '110 140 complete c 1', '145 155 recv c 2'])
    is_clean('waited')
    equal(rows('waited', "SELECT waited FROM event WHERE operation = 'send'"), [('50',), ('30',), ('0',)])
    equal(arcs('waited'), ['1.0 begin > 0.0 order', '1.1 begin > 0.1 order', '0.0 begin > 1.0 data',
                           '0.1 begin > 1.2 data', '0.2 begin > 1.3 data'])
    equal(layers('waited'), {'0.0': 1, '0.1': 2, '0.2': 3, '1.0': 1, '1.1': 2, '1.2': 3, '1.3': 4})


@test
def a_send_whose_receiver_came_later_was_buffered_after_all():
    write('late', ['0 40 send c 0 contended=1', '50 60 send c 1 contended=1'],
          ['41 70 recv c 0', '80 90 irecv c 1', '91 95 complete c 1'])
    is_clean('late')
    equal(rows('late', "SELECT sum(waited) FROM event WHERE operation = 'send'"), [('0',)])
    equal(arcs('late'), ['0.0 begin > 1.0 data', '0.1 begin > 1.2 data'])


@test
def sends_that_can_have_waited_for_no_receiver_hold_nobody_up():
    write('both', ['0 40 send c 0 contended=1', '50 60 recv d 0'], ['0 41 send d 0 contended=1', '50 60 recv c 0'])
    is_clean('both')
    equal(arcs('both'), ['1.0 begin > 0.1 data', '0.0 begin > 1.1 data'])
    # The first is released, and so the second has its receiver.
    write('chain', ['0 40 send c 0 contended=1', '45 50 recv d 0'], ['5 60 send d 0 contended=1', '70 80 recv c 0'])
    is_clean('chain')
    equal(arcs('chain'), ['1.0 begin > 0.1 data', '0.1 begin > 1.0 order', '0.0 begin > 1.1 data'])
    write('nobody', ['0 40 send c 0 contended=1', '50 60 recv d 0'], ['10 20 send d 0'])
    found = check('nobody')
    assert found['clean'], found['event']
    contains(lightcone('check', 'nobody').stdout, '0, event 0: send c #0, was taken by nobody')


@test
def a_failed_test_waits_for_nothing():
    write('tests', ['0 5 irecv c 0', '10 20 test-failed c 0', '20 30 test-failed c 0', '31 40 test-failed c 0'])
    is_clean('tests')
    equal(arcs('tests'), [])
    equal(rows('tests', "SELECT name, class FROM operation WHERE name LIKE 'test-%'"), [('test-failed', 'channel')])


@test
def a_row_of_tests_is_a_wait():
    write('row', ['0 5 irecv c 0', '10 60 test-failed c 0 contended=1 value=7', '61 70 test-failed c 0'])
    is_clean('row')
    equal(arcs('row'), [])
    equal(rows('row', "SELECT begin, waited, value FROM event WHERE operation = 'test-failed' ORDER BY ordinal"),
          [('10', '50', '7'), ('61', '0', '')])


@test
def what_was_never_sent_is_named():
    write('unsent', ['0 10 send c 0', '20 30 ssend c 2'],
          ['0 10 recv c 0', '20 30 recv c 1', '40 50 irecv d 4', '60 70 complete d 4'])
    complains('unsent', '0, event 1: ssend c #2, waits for recv #2, which is nowhere',
              '1, event 1: recv c #1, waits for send #1, which is nowhere',
              '1, event 3: complete d #4, waits for send #4, which is nowhere')


# --- Collective operations ------------------------------------------------------------------------------------------


@test
def all_wait_for_the_root():
    for root, others in (('broadcast-root', 'broadcast-recv'), ('scatter-root', 'scatter')):
        for value in (' value=3', ''):
            name = root + value
            write(name, [f'0 30 {others} world 0{value}'], [f'20 22 {root} world 0{value} bytes=80'],
                  ['0 1 tag value=1', f'25 32 {others} world 0{value}'])
            is_clean(name)
            equal(arcs(name), ['1.0 begin > 0.0 data', '1.0 begin > 2.1 data'])
            equal(rows(name, 'SELECT waited FROM event WHERE waited > 0'), [('20',)])
            equal(layers(name), {'0.0': 1, '1.0': 1, '2.0': 1, '2.1': 2})


@test
def the_root_waits_for_all():
    for root, others in (('reduce-root', 'reduce'), ('gather-root', 'gather')):
        for value in (' value=3', ''):
            name = root + value
            write(name, [f'30 31 {others} world 0{value}'], [f'20 45 {root} world 0{value}'],
                  ['0 1 tag value=1', f'40 41 {others} world 0{value}'])
            is_clean(name)
            equal(arcs(name), ['0.0 begin > 1.0 data', '2.1 begin > 1.0 data'])
            equal(rows(name, 'SELECT process, waited FROM event WHERE waited > 0'), [('1', '20')])
            equal(layers(name), {'0.0': 1, '1.0': 2, '2.0': 1, '2.1': 2})


@test
def the_members_of_a_group_share_a_layer_and_wait_for_the_last():
    for group in GROUPS:
        for value in (' value=3', ''):
            name = group + value
            write(name, [f'30 50 {group} world 0{value}'], [f'20 51 {group} world 0{value}'],
                  ['0 1 tag value=1', '2 3 tag value=2', f'40 52 {group} world 0{value}'])
            is_clean(name)
            equal(arcs(name), ['2.2 begin > 0.0 data', '2.2 begin > 1.0 data'])
            equal(rows(name, 'SELECT process, waited FROM event WHERE waited > 0'), [('0', '10'), ('1', '20')])
            equal(layers(name), {'0.0': 3, '1.0': 3, '2.0': 1, '2.1': 2, '2.2': 3})


@test
def a_communicator_of_one_waits_for_nobody():
    operations = ['broadcast-root', 'scatter-root', 'reduce-root', 'gather-root', *GROUPS]
    write('alone', [f'{number * 10} {number * 10 + 5} {operation} self {number} value=1'
                    for number, operation in enumerate(operations)])
    is_clean('alone')
    equal(arcs('alone'), [])


@test
def an_operation_of_one_kind_is_no_partner_of_another():
    write('kinds', ['0 10 all-reduce world 0', '20 30 scan world 1'], ['0 10 all-reduce world 0', '20 30 scan world 1'])
    is_clean('kinds')
    equal(layers('kinds'), {'0.0': 1, '0.1': 2, '1.0': 1, '1.1': 2})


@test
def more_may_come_than_the_root_says():
    write('more', ['0 10 broadcast-root world 0 value=2'], ['0 12 broadcast-recv world 0'],
          ['0 12 broadcast-recv world 0'], ['0 12 broadcast-recv world 0'])
    is_clean('more')
    equal(arcs('more'), ['0.0 begin > 1.0 data', '0.0 begin > 2.0 data', '0.0 begin > 3.0 data'])


@test
def who_did_not_come_is_told():
    write('missing', ['0 10 broadcast-recv world 0', '20 30 reduce-root world 1 value=3',
                      '40 50 gather-root world 2 value=2', '60 70 scan world 3 value=3'],
          ['20 21 reduce world 1 value=3', '60 70 scan world 3 value=3'])
    complains('missing', '0, event 0: broadcast-recv world #0, waits for broadcast-root #0, which is '
                         'nowhere',
              '0, event 1: reduce-root world #1, waits for reduce #1, of which 1 of 2 are there',
              '0, event 2: gather-root world #2, waits for gather #2, which is nowhere',
              '0, event 3: scan world #3, waits for scan #3, of which 2 of 3 are there',
              '1, event 1: scan world #3, waits for scan #3, of which 2 of 3 are there')
    equal([(event['there'], event['needed']) for event in check('missing')['event']],
          [(0, 1), (1, 2), (0, 1), (2, 3), (2, 3)])
    equal(rows('missing', "SELECT wants, wants_sequence, there, needed FROM problem WHERE operation = 'reduce-root'"),
          [('reduce', '1', '1', '2')])


# --- All of them ----------------------------------------------------------------------------------------------------


@test
def the_other_commands_know_them():
    write('all', ['0 10 isend c 0 bytes=100 to=1', '20 60 all-reduce world 0 value=2', '70 71 complete c 0'],
          ['0 5 irecv c 0 from=0', '6 7 test-failed c 0', '8 30 complete c 0', '50 61 all-reduce world 0 value=2'])
    found = json.loads(lightcone('info', '--json', 'all').stdout)
    equal({operation['name']: (operation['class'], operation['events']) for operation in found['operation']},
          {'isend': ('channel', 1), 'irecv': ('channel', 1), 'test-failed': ('channel', 1), 'complete': ('channel', 2),
           'all-reduce': ('collective', 2)})
    equal({thing['name']: thing['objects'] for thing in found['class']}, {'channel': 1, 'collective': 1})
    for what in ('waiting', 'parallelism', 'objects', 'operations'):
        result = lightcone('stats', 'all', what)
        equal((result.returncode, result.stderr), (0, ''), what)
    contains(lightcone('stats', 'all', 'objects').stdout, 'collective')
    result = lightcone('critical-path', 'all')
    equal((result.returncode, result.stderr), (0, ''), 'critical-path')
    contains(result.stdout, 'all-reduce')


@test
def the_example_of_the_format_is_what_the_page_says():
    with open(os.path.join(DOCS, 'format.md'), encoding='utf-8') as page:
        section = page.read().split('### Messages and collective operations')[1]
    files = re.findall(r'```\n# (\S+)\n(%lightcone-events 1\n.*?)```', section, re.DOTALL)
    equal([name for name, _ in files], ['rank-0.events', 'rank-1.events'])
    os.mkdir('example')
    for name, text in files:
        with open(f'example/{name}', 'w') as file:
            file.write(text)
    shown = re.search(r'```\n\$ lightcone (.*?)\n(.*?)```', section, re.DOTALL)
    result = subprocess.run(f'"{LIGHTCONE}" {shown[1]}', shell=True, capture_output=True, text=True)
    equal((result.returncode, result.stderr), (0, ''))
    equal(result.stdout, shown[2])
    is_clean('example')


main()
