#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a program leaves behind when it ends, and what lightcone leaves when it is killed."""
import os
import signal
import stat
import time

from cli import (Skip, child_of, contains, equal, eventually, info, is_alive, main, operations, program, record, start,
                 test)


@test
def a_daemon_is_recorded_to_its_end():
    result = record('sh', '-c', f'(sleep 0.3; exec {program("known")}) & exit 3')
    equal(result.returncode, 3, 'the status')
    equal(operations()['lock'], 20, 'locks')


@test
def a_daemon_that_has_left_the_session_is_too():
    result = record('sh', '-c', f'setsid sh -c "sleep 0.3; exec {program("known")}" & exit 3')
    equal((result.returncode, operations()['lock']), (3, 20))


@test
def an_interrupt_ends_the_waiting_and_keeps_the_status():
    process = start('sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!; exit 3')
    sleeper = int(process.stdout.readline())
    contains(process.stderr.readline(), 'the program has ended; 1 child')
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    contains(process.communicate()[1], '1 process still runs')
    equal(process.returncode, 3, 'the status')
    equal(time.monotonic() - began < 10 and is_alive(sleeper), True, 'the daemon lives on')
    os.kill(sleeper, signal.SIGKILL)


@test
def what_is_not_recorded_is_not_waited_for():
    began = time.monotonic()
    result = record(program('leave'))
    equal(result.returncode, 0, 'the status')
    equal(time.monotonic() - began < 10, True, 'no waiting')
    os.kill(int(result.stdout), signal.SIGKILL)


@test
def a_killed_lightcone_leaves_a_trace_that_info_closes():
    process = start(program('listen'))
    equal(process.stdout.readline(), 'ready\n')
    child = child_of(process.pid)
    os.kill(child, signal.SIGUSR1)
    equal(process.stdout.readline(), '10 0\n')
    equal(info()['state'], 'recording')
    process.kill()
    process.wait()
    os.kill(child, signal.SIGUSR2)
    equal(process.stdout.readline(), '12 0\n', 'the program goes on')
    os.kill(child, signal.SIGKILL)
    eventually(lambda: not is_alive(child), 'it ends')
    equal([info()['state'] for _ in range(2)], ['recovered', 'recovered'])
    found = info()
    equal((found['events'], found['lost'], operations()), (4, 0, {'lock': 2, 'unlock': 2}))
    equal([process['state'] for process in found['process']], ['cut'])


@test
def a_program_that_gives_root_up_is_recorded_on():
    if os.geteuid() != 0:
        raise Skip('only for root')
    os.chmod('..', 0o755)
    os.chmod('.', 0o755)
    os.chmod('../..', stat.S_IMODE(os.stat('../..').st_mode) | 0o5)
    result = record('setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', program('known'))
    equal(result.returncode, 0, 'the status')
    contains(result.stderr, ' 0 lost')
    equal(operations()['lock'], 20, 'locks')


@test
def a_trace_that_root_made_is_then_roots_alone():
    if os.geteuid() != 0:
        raise Skip('only for root')
    before = os.umask(0o27)
    result = record('sh', '-c', f'{program("known")} && stat -c %a out.trace out.trace/ctf')
    os.umask(before)
    equal(result.stdout, '1773\n1773\n')
    for folder, _, names in os.walk('out.trace'):
        for name in [folder, *(os.path.join(folder, name) for name in names)]:
            equal(stat.S_IMODE(os.stat(name).st_mode), 0o750 if os.path.isdir(name) else 0o640, name)


main()
