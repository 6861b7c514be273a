#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The options of lightcone record, and where the trace goes."""
import os
import shutil

from cli import contains, equal, info, lightcone, main, operations, program, record, test

CLASSES = 'mutex, crew, advance, semaphore, condition, barrier, channel, collective, thread, mark, function, ' \
    'futex, team, task'


def refused(*arguments):
    """The message of a wrong call, which leaves nothing."""
    result = lightcone('record', *arguments)
    equal((result.returncode, result.stdout), (2, ''))
    equal([name for name in os.listdir('.') if name.endswith('.trace')], [], 'what is left')
    equal(result.stderr.startswith('lightcone: ') and result.stderr.count('\n'), 1, result.stderr)
    return result.stderr


@test
def wrong_options_are_refused_with_a_reason():
    contains(refused('--events', 'mutex,mutexes', '--', 'true'), f'“mutexes”: there are {CLASSES}')
    contains(refused('--clock', 'sundial', '--', 'true'), '“sundial”')
    contains(refused('--depth', '-1', '--', 'true'), '--depth can be from 0 to 4294967295, not “-1”')
    contains(refused('--overhead-test', '2000000000', '--', 'true'),
             '--overhead-test can be from 0 to 1000000000, not “2000000000”')
    contains(refused('--depth', 'deep', '--', 'true'), 'deep')
    contains(refused('--futex', 'some', '--', 'true'), '--futex: there is no “some”: libc or all')
    contains(refused('--no-such-option', '--', 'true'), '--no-such-option')
    contains(refused('-o'), '-o')
    contains(refused(), 'PROGRAM')


@test
def events_are_chosen_by_class():
    def seen(classes):
        equal(record(program('known'), options=['--events', classes]).returncode, 0, classes)
        found = operations()
        equal(found.pop('exit'), 3, 'each process has an end, whatever is recorded')
        return found

    mutex = {'lock': 20, 'unlock': 20}
    barrier = {'barrier': 4}
    thread = {'create': 2, 'start': 2, 'join': 2}
    equal(seen('mutex'), mutex)
    equal(seen('mutex,barrier'), mutex | barrier)
    equal(seen('-mutex'), barrier | thread)
    equal(seen('-mutex,-thread'), barrier)
    equal(seen('thread,barrier,-thread'), barrier)
    equal(seen('semaphore'), {})


@test
def a_program_may_follow_without_two_dashes():
    result = lightcone('record', '--no-calibrate', '-o', 'out.trace',
                       'sh', '-c', 'echo "$@"', '-', '--title', '--', '-o')
    equal((result.returncode, result.stdout), (0, '--title -- -o\n'))
    equal(info()['title'], 'sh')


@test
def a_program_that_a_launcher_starts_gives_its_name():
    def named(*words):
        command = ['lightcone', 'record', '--no-calibrate', '-q', '--', './mpirun', *words]
        result = lightcone(*command[1:], env={**os.environ, 'PATH': os.getcwd() + ':' + os.environ['PATH']})
        equal((result.returncode, result.stderr), (0, ''), words)
        found = [name for name in os.listdir('.') if name.endswith('.trace')]
        equal(len(found), 1, words)
        title = info(found[0])['title']
        shutil.rmtree(found[0])
        return title, found[0]

    for name, text in ('mpirun', '#!/bin/sh\nexec true\n'), ('ssh', ''), ('job', ''):
        with open(name, 'w', encoding='utf-8') as script:
            script.write(text)
        os.chmod(name, 0o755)
    job = ('job', 'job.trace')
    equal(named('-n', '4', './job', 'ssh'), job)
    equal(named('--report', '-launcher', 'ssh', '-n', '4', 'job'), job)
    equal(named('--mca', 'plm_rsh_agent', 'ssh', '--host', 'job', '-x', 'A', './job', '-n', '4'), job)
    equal(named('-genv', 'A', 'ssh', '-np', '2', 'job', ':', '-n', '1', 'ssh'), job)
    equal(named('-n', '4', 'no-such-program'), ('mpirun', 'mpirun.trace'))


@test
def arguments_of_the_program_are_its_own():
    result = record('sh', '-c', 'printf "%s|" "$@"', '-', '--help', '', '--', 'a b', b'\xff', text=False)
    equal((result.returncode, result.stdout), (0, b'--help||--|a b|\xff|'))


@test
def a_trace_is_named_after_the_program_and_numbered():
    for expected in ('known.trace', 'known-2.trace', 'known-3.trace'):
        result = lightcone('record', '--no-calibrate', '--', program('known'))
        contains(result.stderr, f'lightcone: {expected}: 3 processes')
    equal(sorted(os.listdir('.')), ['known-2.trace', 'known-3.trace', 'known.trace'])


@test
def what_is_there_is_not_touched():
    os.mkdir('full')
    with open('full/text', 'w', encoding='utf-8') as text:
        text.write('mine\n')
    for option in ([], ['--replace']):
        result = lightcone('record', '-o', 'full', *option, '--', 'true')
        equal((result.returncode, os.listdir('full')), (2, ['text']))
        contains(result.stderr, 'full')


@test
def an_old_trace_is_replaced_only_when_asked():
    record('sh', '-c', 'exit 0')
    result = lightcone('record', '-o', 'out.trace', '--', program('known'))
    equal((result.returncode, info()['events']), (2, 1))
    equal(record(program('known')).returncode, 0, 'the status')
    equal(info()['events'], 53)


@test
def a_missing_program_does_not_cost_the_old_trace():
    record(program('known'))
    equal(record('no-such-program').returncode, 127, 'the status')
    equal(info()['events'], 53)


@test
def title_and_command_are_kept():
    record('sh', '-c', 'exit 0', options=['--title', 'A “title”'])
    found = info()
    equal((found['title'], found['command']), ('A “title”', "sh -c 'exit 0'"))


@test
def each_clock_can_be_had():
    for clock, name in (('monotonic', 'monotonic'), ('auto', None)):
        record(program('known'), options=['--clock', clock])
        found = info()
        equal(found['events'], 53)
        equal(found['clock'] in ([name] if name else ['tsc', 'monotonic']), True, found['clock'])


@test
def overhead_can_be_added_on_purpose():
    def total(overhead):
        record(program('known'), options=['--overhead-test', overhead])
        return info()['measured_total']

    equal(total('1000000') > 40_000_000, True, 'at least 40 ms for the 40 events of one mutex')


main()
