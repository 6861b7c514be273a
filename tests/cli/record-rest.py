#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a program leaves behind when it ends, and what lightcone leaves when it is killed."""
import grp
import os
import signal
import stat
import time

from cli import (Skip, child_of, contains, equal, eventually, info, is_alive, lightcone, main, operations, program,
                 record, start, test)


@test
def a_daemon_is_recorded_to_its_end():
    result = record('sh', '-c', f'(sleep 0.3; exec {program("known")}) & exit 3')
    equal(result.returncode, 3, 'the status')
    equal(operations()['lock'], 20, 'locks')


@test
def a_daemon_that_has_left_the_session_is_too():
    result = record('sh', '-c', f'setsid sh -c "sleep 0.3; exec {program("known")}" & exit 3')
    equal((result.returncode, operations()['lock']), (3, 20))


def keeper_of(text):
    """The process that goes on with a recording, as stderr tells it."""
    contains(text, 'what still runs is recorded to its end, by process')
    return int(text.split()[-1])


@test
def an_interrupt_ends_the_waiting_and_keeps_the_status():
    process = start('sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!; exit 3')
    sleeper = int(process.stdout.readline())
    contains(process.stderr.readline(), 'the program has ended; 1 child')
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    keeper = keeper_of(process.communicate()[1])
    equal(process.returncode, 3, 'the status')
    equal(time.monotonic() - began < 10 and is_alive(sleeper) and is_alive(keeper), True, 'the daemon lives on')
    os.kill(sleeper, signal.SIGKILL)
    eventually(lambda: not is_alive(keeper), 'the end of the recording')


@test
def who_is_left_behind_is_recorded_to_the_end_after_an_interrupt():
    """More than fits into the places that there are at first, and the switches of the daemon, too."""
    loop = f'sleep 2; for i in 1 2 3 4 5 6 7 8 9 10; do {program("busy")}; done'
    process = start('sh', '-c', f'({loop}) >/dev/null 2>&1 & exit 3')
    contains(process.stderr.readline(), 'the program has ended; ')
    process.send_signal(signal.SIGINT)
    keeper = keeper_of(process.communicate()[1])
    equal(process.returncode, 3, 'the status')
    eventually(lambda: not is_alive(keeper), 'the end of the recording')
    found = info()
    equal((found['state'], found['status'], found['lost']), ('complete', 'exit 3', 0), 'the trace')
    equal(operations()['lock'], 1000000, 'locks')
    equal(lightcone('check', 'out.trace').returncode, 0, 'the status of check')


@test
def a_recording_that_nobody_goes_on_with_is_closed_by_who_looks():
    process = start('sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!; exit 3')
    sleeper = int(process.stdout.readline())
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    keeper = keeper_of(process.communicate()[1])
    os.kill(keeper, signal.SIGKILL)
    eventually(lambda: not is_alive(keeper), 'its end')
    os.kill(sleeper, signal.SIGKILL)
    eventually(lambda: not is_alive(sleeper), 'the end of the daemon')
    equal(info()['state'], 'recovered')


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


NOBODY = ('setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups')


def as_root_where_others_can_look():
    if os.geteuid() != 0:
        raise Skip('only for root')
    os.chmod('..', 0o755)
    os.chmod('.', 0o755)
    os.chmod('../..', stat.S_IMODE(os.stat('../..').st_mode) | 0o5)


def modes(folder):
    """Of all that a recording leaves: those of folders and those of files. The history is a merge's."""
    found = {'folders': set(), 'files': set()}
    for path, _, names in os.walk(folder):
        found['folders'].add(stat.S_IMODE(os.stat(path).st_mode))
        found['files'] |= {stat.S_IMODE(os.stat(os.path.join(path, name)).st_mode) for name in names}
    return found


@test
def a_program_that_gives_root_up_is_unharmed_and_said_to_be_missing():
    as_root_where_others_can_look()
    result = record(*NOBODY, program('known'))
    equal(result.returncode, 0, 'the status')
    contains(result.stderr, '1 program was not recorded, since it ran as another user')
    equal(info()['not_recorded'], 1)
    contains(lightcone('info', 'out.trace').stdout, '1 program that ran as another user')
    equal(operations().get('lock', 0), 0, 'locks')


@test
def a_program_that_does_not_start_as_another_user_is_not_missing():
    as_root_where_others_can_look()
    result = record(*NOBODY, '/nothing/here')
    equal(result.returncode, 127, 'the status')
    equal(info()['not_recorded'], 0)


@test
def a_program_that_gives_root_up_is_recorded_on_if_the_trace_is_shared_with_its_group():
    as_root_where_others_can_look()
    result = record(*NOBODY, program('known'), options=['--shared', 'nogroup'])
    equal(result.returncode, 0, 'the status')
    contains(result.stderr, ' 0 lost')
    equal((operations()['lock'], info()['not_recorded']), (20, 0))


@test
def a_trace_is_its_users_alone_whatever_the_mask():
    for mask in 0, 0o22, 0o777:
        before = os.umask(mask)
        try:
            result = record('sh', '-c', f'{program("known")} && find out.trace -type d -printf "%m " -o -printf "%m "')
        finally:
            os.umask(before)
        # A file that is just being made may have no mode yet but what the mask leaves.
        equal((result.returncode, set(result.stdout.split()) - {'0'}), (0, {'700', '600'}),
              f'with {mask:o}, while it runs')
        equal(modes('out.trace'), {'folders': {0o700}, 'files': {0o600}}, f'with {mask:o}')


@test
def a_shared_trace_is_its_groups_too():
    if os.geteuid() != 0:
        raise Skip('only for root')
    record('sh', '-c', f'{program("known")} && {program("known")}', options=['--shared', 'nogroup'])
    equal(modes('out.trace'), {'folders': {0o2770}, 'files': {0o660}})
    group = grp.getgrnam('nogroup').gr_gid
    equal({os.stat(os.path.join(path, name)).st_gid for path, _, names in os.walk('out.trace') for name in names},
          {group})


@test
def a_group_that_is_not_there_is_said():
    result = record('true', options=['--shared', 'no-such-group'])
    equal((result.returncode, os.path.exists('out.trace')), (2, False))
    contains(result.stderr, 'there is no group “no-such-group”')


@test
def what_others_may_write_to_is_not_taken():
    os.mkdir('open')
    os.chmod('open', 0o777)
    result = record('true', output='open')
    equal(result.returncode, 2, 'the status')
    contains(result.stderr, 'all users may write to this directory')
    equal(os.listdir('open'), [])
    if os.geteuid() == 0:
        os.chmod('open', 0o755)
        os.chown('open', 65534, 65534)
        contains(record('true', output='open').stderr, "another user's directory")
        equal(os.listdir('open'), [])


main()
