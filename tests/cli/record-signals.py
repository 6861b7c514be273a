#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signals, and stopping and going on, pass through lightcone record."""
import os
import pty
import signal
import subprocess
import time

from cli import LIGHTCONE, contains, equal, eventually, main, program, start, test

RECORD = [LIGHTCONE, 'record', '--no-calibrate', '-o', 'out.trace', '--']


def listener(**options):
    """A recorded program that prints the signals it gets."""
    process = start(program('listen'), **options)
    equal(process.stdout.readline(), 'ready\n')
    return process


def state(pid):
    with open(f'/proc/{pid}/stat', encoding='utf-8') as stat:
        return stat.read().rsplit(')', 1)[1].split()[0]


@test
def signals_sent_to_lightcone_reach_the_program_once():
    process = listener()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM,
                   signal.SIGCONT, signal.SIGWINCH, signal.SIGRTMIN + 3, signal.SIGTERM):
        process.send_signal(number)
        equal(process.stdout.readline(), f'{int(number)} 0\n')
    contains(process.communicate()[1], 'out.trace: 1 process')
    equal(process.returncode, 5, 'the status')


@test
def queued_signals_keep_their_value():
    process = listener()
    subprocess.run(['/bin/kill', '--queue', '77', '-s', 'USR1', str(process.pid)], check=True)
    equal(process.stdout.readline(), '10 77\n')
    process.terminate()
    process.communicate()


@test
def what_the_program_sends_to_its_group_does_not_come_back():
    process = start('sh', '-c', 'trap "echo got" USR1; kill -USR1 0; sleep 0.2; echo end', start_new_session=True)
    equal(process.communicate()[0], 'got\nend\n')


@test
def an_alarm_that_was_set_before_reaches_the_program():
    process = listener(preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 0.3))
    equal(process.stdout.readline(), '14 0\n')
    process.terminate()
    process.communicate()


@test
def lightcone_stops_and_goes_on_with_its_program():
    # In a process group of its own: one that no shell could continue is never stopped.
    process = start('sh', '-c', 'echo $$; exec sleep 60', preexec_fn=os.setpgrp)
    child = int(process.stdout.readline())
    process.send_signal(signal.SIGTSTP)
    eventually(lambda: (state(process.pid), state(child)) == ('T', 'T'), 'both stop')
    process.send_signal(signal.SIGCONT)
    eventually(lambda: (state(process.pid), state(child)) == ('S', 'S'), 'both go on')
    process.terminate()
    process.communicate()
    equal(process.returncode, -signal.SIGTERM, 'the status')


@test
def a_program_that_others_stop_and_continue_is_waited_for():
    process = start('sh', '-c', 'echo $$; exec sleep 0.5')
    child = int(process.stdout.readline())
    os.kill(child, signal.SIGSTOP)
    eventually(lambda: state(child) == 'T', 'it stops')
    time.sleep(0.1)
    equal(state(process.pid), 'S', 'lightcone')
    os.kill(child, signal.SIGCONT)
    process.communicate()
    equal(process.returncode, 0, 'the status')


def at_terminal(function):
    """Runs a function as the leader of a session with a terminal; gives its pid and the terminal's other end."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            function()
        finally:
            os._exit(99)
    return pid, terminal


def read_until(terminal, end):
    text = ''
    while end not in text:
        text += os.read(terminal, 1000).decode()
    return text


@test
def control_c_reaches_the_program_once():
    pid, terminal = at_terminal(lambda: os.execv(LIGHTCONE, RECORD + [program('listen')]))
    read_until(terminal, 'ready')
    for _ in range(2):
        os.write(terminal, b'\x03')
        read_until(terminal, '2 0\r\n')
    time.sleep(0.2)
    os.kill(pid, signal.SIGTERM)
    text = read_until(terminal, ' lost')
    equal('2 0' in text, False, text)
    equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 5, 'the status')


def shell():
    """A shell with one job that it continues each time it stops."""
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(LIGHTCONE, RECORD + [program('listen'), '--stop'])
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status))
        os.tcsetpgrp(0, os.getpgrp())
        print('stopped by', os.WSTOPSIG(status), flush=True)
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


@test
def control_z_stops_both_and_the_shell_sees_it():
    pid, terminal = at_terminal(shell)
    read_until(terminal, 'ready')
    for _ in range(3):
        os.write(terminal, b'\x1a')
        text = read_until(terminal, '18 0')
        contains(text, f'stopped by {int(signal.SIGTSTP)}')
        equal(text.count('stopped by'), 1, 'how often')
    os.write(terminal, b'\x1c')
    read_until(terminal, '3 0')
    with open(f'/proc/{pid}/task/{pid}/children', encoding='utf-8') as children:
        os.kill(int(children.read()), signal.SIGTERM)
    read_until(terminal, ' lost')
    equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 5, 'the status')


main()
