#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone check finds: in a program that deadlocks, in traces that do not fit, with rules of one's own."""
import json
import os
import re
import signal
import subprocess

from cli import LIGHTCONE, contains, equal, lightcone, main, program, record, test

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']


def text_trace(name, **processes):
    """Writes a text trace; each process is its lines."""
    os.mkdir(name)
    for process, lines in processes.items():
        with open(f'{name}/{process}.events', 'w') as file:
            file.write('%lightcone-events 1\n' + ''.join(line + '\n' for line in lines))


def check(trace, *options):
    result = lightcone('check', '--json', *options, trace)
    equal(result.stderr, '')
    found = json.loads(result.stdout)
    equal(result.returncode, 0 if found['clean'] else 1, 'the status')
    return found


@test
def only_deadlocks_are_told_if_asked_for():
    record('true')
    result = lightcone('check', '--deadlocks', 'out.trace')
    equal((result.returncode, result.stdout, result.stderr), (0, '', ''))
    result = lightcone('check', '--deadlocks', '--json', 'out.trace')
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, '--deadlocks and --json')


@test
def a_recorded_program_is_clean():
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60')
    found = check('out.trace')
    equal((found['clean'], found['unmatched'], found['lost']), (True, 0, 0))
    result = lightcone('check', 'out.trace')
    equal(result.returncode, 0)
    contains(result.stdout, 'nothing is wrong')


@test
def reads_before_the_fill_are_named():
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60', '--variant', 'faulty')
    found = check('out.trace')
    equal(found['clean'], True)
    reads = found['early_read']
    assert reads, 'there are none'
    for read in reads:
        equal((read['operation'], read['sequence']), ('read-start', 0))
        assert read['process'] != read['writer'] and read['count'] >= 1, read
    contains(lightcone('check', 'out.trace').stdout, 'before it is first filled by worker')
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60', output='good.trace')
    equal(check('good.trace')['early_read'], [])


@test
def a_read_write_lock_guards_what_was_there_before():
    text_trace('crew', a=['0 1 read-start A 0', '2 2 read-end A 0'],
               b=['3 4 write-start A 1 value=1', '5 5 write-end A 1'])
    found = check('crew')
    equal([(read['process'], read['ordinal'], read['writer']) for read in found['early_read']], [(0, 0, 1)])


@test
def files_that_are_cut_short_are_told():
    record('true')
    for name, message in (('ctf/metadata', 'the file is cut short: other readers of CTF do not read the trace'),
                          ('trace.ini', 'the file is cut short: what the settings said from there on is not known')):
        path = f'out.trace/{name}'
        with open(path, 'rb') as file:
            whole = file.read()
        for end in (whole.rindex(b'\n', 0, -1) + 1, whole.rindex(b'\n\n') + 1, len(whole) // 2):
            with open(path, 'wb') as file:
                file.write(whole[:end])
            result = lightcone('check', 'out.trace')
            equal((result.returncode, result.stderr), (1, ''), f'{name}, cut at {end}')
            contains(result.stdout, f'{name}: {message}')
            contains(result.stdout, f'(byte {end})')
        with open(path, 'wb') as file:
            file.write(whole)
        equal(lightcone('check', 'out.trace').returncode, 0, f'{name}, whole again')


@test
def a_deadlock_is_the_circle_that_it_is():
    program = subprocess.Popen([LIGHTCONE, 'record', '--no-calibrate', '-o', 'dead.trace', '--',
                                f'{EXAMPLES}/philosophers'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    program.stdout.readline()
    while True:
        # It says so before the last of them has reached for the other fork.
        found = check('dead.trace')
        if len(found['pending']) == 6:
            break
    program.terminate()
    program.wait()
    found = check('dead.trace')
    equal(found['clean'], False)
    equal(len(found['deadlock']), 1)
    equal(sorted(found['deadlock'][0]), [1, 2, 3, 4, 5])
    waits = {wait['process']: wait['holder'] for wait in found['pending'] if wait['operation'] == 'lock'}
    circle = found['deadlock'][0]
    for place, process in enumerate(circle):
        equal(waits[process], circle[(place + 1) % 5])
    text = lightcone('check', 'dead.trace').stdout
    contains(text, 'deadlock:')
    # Each has taken its first fork in one line, and hangs at the other one in another.
    waiting = {wait['site']['line'] for wait in found['pending'] if wait['operation'] == 'lock'}
    holding = {wait['holder_site']['line'] for wait in found['pending'] if wait['operation'] == 'lock'}
    equal((len(waiting), len(holding), waiting & holding), (1, 1, set()))
    equal({wait['site']['file'].rsplit('/', 1)[-1] for wait in found['pending']}, {'philosophers.c'})
    circle = [line for line in text.splitlines() if ' waits since ' in line]
    equal(len(circle), 5)
    for line in circle:
        contains(line, f'philosophers.c:{min(waiting)} for lock of ')
        contains(line, f'philosophers.c:{min(holding)})')


def stuck(name, **processes):
    """Who is stuck in a text trace: their names, whether they are all, and whether it is a fault."""
    text_trace(name, **processes)
    found = check(name)
    names = sorted(processes)
    equal(lightcone('check', name).stdout.count('stuck:'), len(found['stuck']))
    return [([names[process] for process in of['process']], of['all'], not found['clean']) for of in found['stuck']]


MADE = ('0 10 create worker',)


@test
def who_waits_for_the_lock_of_an_ended_thread_is_stuck():
    locked = ['20 30 start worker', '40 50 lock m 1', '60 61 exit worker']
    equal(stuck('kept', main=[*MADE, '%pending 70 900 lock m 2'], worker=locked), [(['main'], True, True)])
    contains(lightcone('check', 'kept').stdout,
             'main waits since 70 ns in lock of m, which worker had when it ended (its event 1)')
    equal(stuck('kept-by-one', main=[*MADE, '%pending 70 900 lock m 2'], worker=locked, other=['0 900 await x 0']),
          [(['main'], False, True)])
    equal(stuck('timed', main=[*MADE, '%pending 70 900 lock m 2 timed-out=1'], worker=locked), [])
    equal(stuck('given', main=[*MADE, '%pending 70 900 lock m 2'],
                worker=[*locked[:2], '52 53 unlock m 1', locked[2]]), [])
    equal(stuck('ended', main=[*MADE, '%pending 50 61 lock m 2'], worker=locked), [])
    # Another thread has taken it over, as of a robust mutex.
    equal(stuck('taken-over', main=['%pending 90 900 lock m 3'], worker=locked,
                younger=['70 80 lock m 2', '%pending 85 900 await x 1']), [])


@test
def a_program_whose_threads_all_wait_for_each_other_is_stuck():
    begun = '20 30 start worker'
    equal(stuck('lost', main=[*MADE, '15 16 signal c 1', '%pending 40 900 condition-wait d 1'],
                worker=[begun, '%pending 50 900 condition-wait c 2']), [(['main', 'worker'], True, True)])
    contains(lightcone('check', 'lost').stdout, 'The 2 threads that are left wait')
    equal(stuck('sent', main=[*MADE, '60 61 signal c 1', '%pending 70 900 join worker'],
                worker=[begun, '%pending 50 900 condition-wait c 2']), [])
    equal(stuck('awake', main=[*MADE, '%pending 40 900 condition-wait d 1'], other=['%pending 9 900 await x 1'],
                worker=[begun, '%pending 50 900 condition-wait c 2']), [])
    equal(stuck('late', main=[*MADE, '%pending 40 900 condition-wait d 1'],
                worker=[begun, '%pending 50 900 condition-wait c 2 timed-out=1']), [])
    equal(stuck('tokens', main=[*MADE, '12 13 post s 1', '%pending 40 900 condition-wait d 1'],
                worker=[begun, '%pending 50 900 wait s 1']), [])
    equal(stuck('posted', main=[*MADE, '%pending 40 900 condition-wait d 1'],
                worker=[begun, '%pending 50 900 wait s 1']), [(['main', 'worker'], True, False)])
    contains(lightcone('check', 'posted').stdout, '(unless a signal handler, a timer or another program wakes one)')
    equal(stuck('exits', main=[*MADE, '890 900 exit main'], worker=[begun, '%pending 50 900 condition-wait c 2']), [])


@test
def a_circle_is_told_once():
    text_trace('circle', a=['0 10 lock m 1', '%pending 20 900 lock n 2'],
               b=['0 10 lock n 1', '%pending 20 900 lock m 2'])
    found = check('circle')
    equal((len(found['deadlock']), found['stuck']), (1, []))


@test
def a_thread_that_keeps_a_lock_is_told_of_a_recorded_program():
    equal(record(program('keeps'), options=('--no-calibrate',)).returncode, -signal.SIGALRM)
    told = lightcone('check', 'out.trace')
    equal(told.returncode, 1)
    assert re.search(r'waits since .* in main\(\) keeps\.c:\d+ in lock of mutex, which keep had when it ended '
                     r'\(its event 1 in keep\(\) keeps\.c:\d+\)$', told.stdout, re.M), told.stdout
    equal(record(program('keeps'), 'timed', options=('--no-calibrate',)).returncode, -signal.SIGALRM)
    assert 'stuck' not in lightcone('check', 'out.trace').stdout


@test
def different_operations_of_one_communicator_are_told():
    root, others = '10 20 broadcast-root w 0 value=3', '10 20 broadcast-recv w 0 value=3'
    text_trace('mixed', a=[root], b=['10 25 reduce w 0 value=3'], c=[others])
    told = lightcone('check', 'mixed')
    equal(told.returncode, 1)
    contains(told.stdout, 'b, event 0: reduce w #0, which is broadcast-root for a (its event 0): '
                          'all members have to carry out the same')
    text_trace('pending', a=['1 2 barrier w 0 value=3', '%pending 10 900 all-reduce w 0'],
               b=['1 2 barrier w 0 value=3', '%pending 10 900 all-gather w 0'])
    contains(lightcone('check', 'pending').stdout, 'b, event 1: all-gather w #0, which is all-reduce for a')
    text_trace('same', a=[root], b=[others], c=[others])
    contains(lightcone('check', 'same').stdout, 'nothing is wrong')


@test
def a_crash_is_told():
    record('sh', '-c', 'kill -SEGV $$', options=('--no-calibrate',))
    told = lightcone('check', 'out.trace')
    equal(told.returncode, 0)
    contains(told.stdout, 'note: the program crashed: signal 11')


@test
def what_is_nowhere_is_named():
    text_trace('unmatched', one=['0 10 await A 7', '20 30 tag value=1'], two=['0 5 advance A 6'])
    found = check('unmatched')
    equal((found['clean'], found['unmatched'], found['events']), (False, 1, 3))
    event = found['event'][0]
    equal((event['trouble'], event['process'], event['ordinal'], event['wants'], event['wants_sequence']),
          ('unmatched', 0, 0, 'advance', 7))
    contains(lightcone('check', 'unmatched').stdout,
             'one, event 0: await A #7, waits for advance #7, which is nowhere')


@test
def what_a_trace_need_not_say_is_not_missed():
    text_trace('first', one=['0 10 lock m 1', '20 30 unlock m 1', '40 50 wait s 1', '60 70 read-start c 0'])
    equal(check('first')['clean'], True)
    text_trace('barrier', one=['0 10 barrier end 0'], two=['0 12 barrier end 0', '20 30 barrier end 1'])
    equal(check('barrier')['clean'], True)


@test
def events_that_wait_for_each_other_are_a_cycle():
    text_trace('cycle', one=['0 10 await A 1', '20 30 advance B 1'], two=['0 10 await B 1', '20 30 advance A 1'])
    found = check('cycle')
    equal((found['clean'], found['cycles'], found['events']), (False, 1, 4))
    event = found['event'][0]
    equal((event['trouble'], event['process'], event['ordinal'], event['operation'], event['object'],
           event['sequence'], event['wants']), ('cycle', 0, 0, 'await', 'A', 1, 'advance'))


@test
def clocks_that_disagree_are_told():
    text_trace('clocks', one=['0 10 await A 1'], two=['40 50 advance A 1'])
    found = check('clocks')
    equal((found['clean'], found['backwards']), (False, 1))


@test
def a_class_of_ones_own_has_arcs():
    text_trace('own', one=['0 10 launch rocket 1'], two=['0 20 land rocket 1'])
    with open('own.rules', 'w') as file:
        file.write('[class flight]\nsummary=Up and down\n'
                   '[operation launch]\nclass=flight\nsummary=Up\n'
                   '[operation land]\nclass=flight\nsummary=Down\n'
                   '[arc launch to land]\nclass=flight\nfrom=launch\nto=land\nsequence=same\nkind=data\n')
    equal(check('own')['arcs'], 0)
    equal(check('own', '--rules', 'own.rules')['arcs'], 1)
    os.mkdir('own/rules')
    os.rename('own.rules', 'own/rules/own.rules')
    equal(check('own')['arcs'], 1, 'the arcs with rules beside the trace')


@test
def wrong_rules_are_told_by_file_group_and_key():
    text_trace('plain', one=['0 10 tag value=1'])
    for text, message in (('[arc x]\nclass=mutex\nfrom=lock\nto=lock\nsequence=sideways\n',
                           "wrong.rules: [arc x] sequence: it is 'sideways', and can be one of: same, next, previous"),
                          ('[arc x]\nclass=mutex\nfrom=lok\nto=lock\n',
                           "wrong.rules: [arc x] from: there is no operation 'lok'"),
                          ('[operation x]\nclass=mutex\nsummary=X\ncolour=red\n',
                           'wrong.rules: [operation x] colour: there is no such key'),
                          ('[arcs x]\n', 'wrong.rules: [arcs x]: a group is')):
        with open('wrong.rules', 'w') as file:
            file.write(text)
        result = lightcone('check', '--rules', 'wrong.rules', 'plain')
        equal((result.returncode, result.stdout), (2, ''))
        contains(result.stderr, message)


@test
def what_is_no_trace_is_refused():
    os.mkdir('empty')
    for name in ('empty', 'nowhere'):
        result = lightcone('check', name)
        equal((result.returncode, result.stdout), (2, ''))
        contains(result.stderr, f'lightcone: {name}')


main()
