#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How lightcone record ends."""
import os
import re
import shutil
import signal
import subprocess

from cli import LIGHTCONE, Skip, contains, equal, info, main, program, record, test


@test
def a_status_is_passed_on():
    for status in (0, 1, 3, 127, 255):
        equal(record('sh', '-c', f'exit {status}').returncode, status, 'the status')


@test
def a_killed_program_kills_lightcone_by_the_same_signal():
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT, signal.SIGINT):
        result = record('sh', '-c', f'kill -{int(number)} $$')
        equal(result.returncode, -number, 'the status')
        contains(result.stderr, 'out.trace: 1 process, ')


@test
def lightcone_leaves_no_core():
    result = record('sh', '-c', 'ulimit -c 0; kill -SEGV $$', preexec_fn=lambda: os.umask(0o22))
    equal(result.returncode, -signal.SIGSEGV, 'the status')
    equal([name for name in os.listdir('.') if 'core' in name], [], 'what is left')


@test
def a_missing_program_is_127_and_leaves_no_trace():
    for name in ('no-such-program', './no-such-program', ''):
        result = record(name)
        equal(result.returncode, 127, 'the status')
        contains(result.stderr, 'there is no such program')
        equal(os.listdir('.'), [], 'what is left')


@test
def what_cannot_be_run_is_126_and_leaves_no_trace():
    with open('text', 'w', encoding='utf-8') as text:
        text.write('no program\n')
    os.mkdir('folder')
    for name in ('./text', './folder'):
        result = record(name)
        equal(result.returncode, 126, 'the status')
        contains(result.stderr, f'{name}: cannot be run')
        equal(sorted(os.listdir('.')), ['folder', 'text'], 'what is left')


@test
def a_script_whose_interpreter_is_missing_is_126_and_leaves_no_trace():
    with open('script', 'w', encoding='utf-8') as script:
        script.write('#!/nowhere/interpreter\n')
    os.chmod('script', 0o755)
    result = record('./script')
    equal((result.returncode, os.listdir('.')), (126, ['script']))
    contains(result.stderr, 'its interpreter is missing')


@test
def a_script_without_an_interpreter_runs_as_it_does_in_a_shell():
    with open('script', 'w', encoding='utf-8') as script:
        script.write('exit 9\n')
    os.chmod('script', 0o755)
    equal(record('./script').returncode, 9, 'the status')


@test
def an_ignored_sigchld_does_no_harm():
    result = record('sh', '-c', 'exit 6', preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    equal(result.returncode, 6, 'the status')


@test
def the_last_line_says_what_was_recorded():
    result = record(program('known'))
    equal(result.stderr, 'lightcone: out.trace: 3 processes, 53 events, 0 lost\n')
    equal(info()['events'], 53, 'what info says')


@test
def the_last_line_counts_as_info_does():
    """Also the ends of processes that were not there to tell them, or that were killed, and of a part."""
    for name, command, options in (('none', ['true'], []), ('killed', ['sh', '-c', 'kill -9 $$'], []),
                                   ('several', ['sh', '-c', f'{program("known")}; exec {program("known")}'], []),
                                   ('kept', [program('busy')], ['--keep', '200K'])):
        result = record(*command, output=f'{name}.trace', options=options)
        said = re.search(r' processe?s?, ([0-9,]+) events?, ', result.stderr)
        equal(int(said.group(1).replace(',', '')), info(f'{name}.trace')['events'], f'events of {name}')


@test
def what_was_lost_is_told_with_the_reason():
    os.mkdir('small')
    command = 'mount -t tmpfs -o size=3m small small && cd small && exec "$@"'
    if subprocess.run(['unshare', '--mount', 'true'], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip('not allowed to mount')
    result = subprocess.run(['unshare', '--mount', 'sh', '-c', command, '-',
                             LIGHTCONE, 'record', '--no-calibrate', '-o', 'out.trace', '--', program('busy')],
                            stderr=subprocess.PIPE, text=True, check=False)
    equal(result.returncode, 0, 'the status')
    # On a busy machine some may be lost before it is full.
    found = re.fullmatch(r'lightcone: out.trace: 1 process, ([\d,]+) events, ([\d,]+) lost: the disk is full'
                         r'(?: \([\d,]+\), they came faster than they could be written \([\d,]+\))?\n', result.stderr)
    equal(bool(found), True, result.stderr)
    events = sum(int(number.replace(',', '')) for number in found.groups())
    assert 200000 <= events < 200200, f'{events} events in all, with the pauses of the recorder'


@test
def a_static_program_is_run_and_the_line_says_why_nothing_was_recorded():
    if not os.path.exists(program('static')):
        raise Skip('no static C library')
    with open('script', 'w', encoding='utf-8') as script:
        script.write(f'#!{program("static")}\n')
    os.chmod('script', 0o755)
    for name in (program('static'), './script', *filter(os.path.exists, (program('static-pie'),))):
        result = record(name)
        equal((result.returncode, result.stderr),
              (4, 'lightcone: out.trace: nothing was recorded: the program is linked statically\n'))


@test
def a_program_that_gains_privileges_is_run_and_the_line_says_why_nothing_was_recorded():
    if os.geteuid() != 0:
        raise Skip('only for root')
    shutil.copy(program('known'), 'privileged')
    os.chown('privileged', 65534, 65534)
    os.chmod('privileged', 0o4755)
    result = record('./privileged')
    equal((result.returncode, result.stderr),
          (0, 'lightcone: out.trace: nothing was recorded: the program has more privileges than its user\n'))


@test
def quiet_says_nothing():
    result = record(program('known'), options=['--quiet'])
    equal((result.stdout, result.stderr), ('', ''))


main()
