#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone validate says of programs whose times are known."""
import json
import os
import signal
import subprocess
import sys
import tempfile

from cli import LIGHTCONE, PATIENCE, child_of, contains, equal, eventually, lightcone, main, program, test

def validate(*arguments, status=0):
    result = lightcone('validate', *arguments, timeout=3 * PATIENCE)
    equal((result.returncode, result.stderr), (status, ''), f'status and errors of validate {arguments}')
    return result.stdout


def near(found, expected, share, what):
    assert abs(found / expected - 1) < share, f'{what}: {found}, not about {expected}'


@test
def lengths_of_threads_are_compared():
    found = json.loads(validate('--runs', '2', '--json', '--', program('regions'), 'threads'))
    equal((found['part'], found['command']), ('threads', [program('regions'), 'threads']), 'what was compared')
    assert 2 <= found['rounds'] <= 4, found['rounds']
    equal([row['timeline'] for row in found['timeline']], ['reference', 'measured', 'event', 'liberal'], 'timelines')
    for row in found['timeline']:
        near(row['time'], 150e6, 0.3, row['timeline'])
    for row in found['timeline'][1:]:
        assert row['low'] <= row['ratio'] <= row['high'], row
        near(row['ratio'], 1, 0.2, row['timeline'])
    equal([process['path'] for process in found['process']], ['0', '0.0', '0.1'], 'paths')
    for process, length in zip(found['process'][1:], (50e6, 150e6)):
        near(process['reference'], length, 0.4, process['path'])
        near(process['approximated'], length, 0.4, process['path'])
    for row, model in zip(found['interval'], ('event', 'liberal'), strict=True):
        equal((row['model'], row['rounds']), (model, found['counted']), 'the interval')
        assert 0 < row['low'] <= row['high'] and 0 <= row['held'] <= row['rounds'], row
        near(row['high'], 1, 0.3, 'the interval of the run')
    bare, reference, recorded = found['run']
    assert 250e6 < bare['time'] <= 2 * min(reference['time'], recorded['time']), found['run']
    equal((bare['run'], bare['ratio']), ('bare', None), 'the bare run')


@test
def the_run_can_be_compared():
    found = json.loads(validate('--runs', '1', '--json', '--part', 'run', '--model', 'time', '--', program('regions'),
                                'threads'))
    equal((found['part'], [row['timeline'] for row in found['timeline']]), ('run', ['reference', 'measured', 'time']),
          'what was compared')
    for row in found['timeline']:
        assert row['time'] > 245e6, row


@test
def a_region_can_be_compared():
    found = json.loads(validate('--runs', '1', '--json', '--part', 'work', '--', program('regions')))
    equal((found['part'], found['region']), ('region', 'work'), 'what was compared')
    for row in found['timeline']:
        near(row['time'], 80e6, 0.4, row['timeline'])


@test
def what_recording_costs_on_purpose_is_measured_and_taken_off():
    """Each of some 200 events costs a millisecond more."""
    found = json.loads(validate('--runs', '2', '--json', '--record=--overhead-test=1000000', '--', program('regions'),
                                'locks'))
    reference, measured, event, _ = found['timeline']
    assert measured['time'] > reference['time'] + 150e6, found['timeline']
    assert event['time'] < measured['time'] - 150e6, found['timeline']


@test
def the_interval_is_compared_with_the_reference_of_its_round():
    """It is wide if much is lost on purpose, and then holds the reference. Of one round its ends tell whether it does;
    of two, on a busy machine, only their medians are known."""
    for option, is_wide in ('--record=--overhead-test=2000000', True), ('--record=--overhead-test=0', False):
        for _ in range(2):
            found = json.loads(validate('--runs', '1', '--json', option, '--', program('regions'), 'locks'))
            equal([row['model'] for row in found['interval']], ['event', 'liberal'], 'models')
            for row in found['interval']:
                if found['rounds'] == 1:
                    equal(row['held'], int(row['low'] <= 1 <= row['high']), f'whether {row} holds 1')
                equal(row['high'] - row['low'] > 0.1, is_wide, f'whether {row} is wide')
                if row['low'] < 0.7 and row['high'] > 1.4:
                    assert row['held'] > 0, f'{row} holds no reference'
    shown = validate('--runs', '1', '--', program('regions'), 'threads')
    contains(shown, 'The interval for the whole run that each approximation tells')


@test
def each_kind_of_warning_is_said_once():
    """Threads compute in turns on one processor, so each round warns of it with its own figures."""
    arguments = ['--runs', '3', '--', program('switches'), 'busy', '4', '60']
    found = json.loads(validate('--json', *arguments))
    ready = [warning for warning in found['warnings'] if 'were ready but had no processor' in warning]
    equal(len(ready), 1, f'warnings of one kind in {found["warnings"]}')
    contains(ready[0], f'(in {found["rounds"]} of {found["rounds"]} rounds; this is from the last of them)')
    equal(validate(*arguments).count('were ready but had no processor'), 1, 'lines of it')


@test
def text_has_it_all():
    text = validate('--runs', '1', '--', program('regions'), 'threads')
    for words in ('regions threads', 'a bare, a reference and a recorded run', 'To bare', 'reference', 'recorded',
                  'from the making of the first thread to the last join', 'measured', 'event', 'liberal', 'Process'):
        contains(text, words)


@test
def a_limit_decides_the_status():
    validate('--runs', '1', '--within', '90', '--', program('regions'), 'threads')
    validate('--runs', '1', '--within', '0', '--', program('regions'), 'locks', status=1)


@test
def the_program_reads_a_file_each_time():
    with open('input', 'w', encoding='utf-8') as file:
        file.write('some words')
    script = 'import sys; sys.exit(sys.stdin.read() != "some words")'
    validate('--runs', '1', '--input', 'input', '--', 'python3', '-c', script)


@test
def traces_can_be_kept():
    validate('--runs', '1', '-o', 'kept', '--', program('regions'))
    for name in ('reference', 'recorded'):
        equal(lightcone('check', f'kept/{name}').returncode, 0, name)
    again = lightcone('validate', '--runs', '1', '-o', 'kept', '--', 'true')
    equal((again.returncode, again.stderr), (2, 'lightcone: kept: File exists\n'), 'a folder that is there')


@test
def what_cannot_be_measured_is_said():
    for arguments, status, words in (
            (['--', 'no-such-program'], 127, 'no-such-program: there is no such program'),
            (['--', '/etc/passwd'], 126, '/etc/passwd: cannot be run'),
            (['--', 'sh', '-c', 'echo what went wrong >&2; exit 3'], 2, 'sh: ended with status 3: what went wrong'),
            (['--', 'sh', '-c', 'kill -9 $$'], 2, 'sh: ended by signal 9 (Killed)'),
            (['--runs', '0', '--', 'true'], 2, '--runs can be from 1 to 1000'),
            (['--model', 'best', '--', 'true'], 2, '“best” is not a model'),
            (['--input', 'missing', '--', 'true'], 2, 'missing: No such file'),
            (['--part', 'threads', '--', 'true'], 2, 'no thread is made and joined'),
            (['--part', 'solve', '--', 'true'], 2, 'no region “solve” is entered and left')):
        result = lightcone('validate', *arguments, timeout=PATIENCE)
        equal((result.returncode, result.stdout), (status, ''), f'status of validate {arguments}')
        contains(result.stderr, words)


@test
def an_interrupt_leaves_nothing_behind():
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([LIGHTCONE, 'validate', '--', 'sleep', '600'], stderr=subprocess.PIPE,
                                   env={**os.environ, 'TMPDIR': folder})
        child = child_of(process.pid)
        eventually(lambda: os.listdir(folder), 'a folder')
        process.send_signal(signal.SIGTERM)
        equal((process.communicate(timeout=PATIENCE)[1], process.returncode), (b'', -signal.SIGTERM), 'its end')
        equal(os.listdir(folder), [], 'what is left')
        assert not os.path.exists(f'/proc/{child}'), 'the program goes on'


sys.exit(main())
