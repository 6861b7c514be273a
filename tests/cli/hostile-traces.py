#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces that somebody has prepared, under every command: nothing hangs or crashes, or changes what lies outside."""
import hashlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, program, record, test

# s. Each of them takes a fraction of one; and where many tests run at once, some.
LIMIT = PATIENCE

PLACES = ['trace.ini', 'clock.ini', '.control', 'objects-0', 'objects-shared', 'symbols-0', 'requests-0', 'heads-0',
          'packets-0', 'ctf/metadata', 'ctf/process-0', 'snapshots/0', 'rules/a.rules']
COMMANDS = [['info'], ['check'], ['merge', '--again', '-q'], ['stats']]
NOBODY = ('setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups')


def make_socket(path):
    here = os.getcwd()
    os.chdir(os.path.dirname(path))
    socket.socket(socket.AF_UNIX).bind(os.path.basename(path))
    os.chdir(here)


def make_sparse(path):
    with open(path, 'wb') as file:
        file.truncate(8 << 30)


KINDS = {
    'fifo': os.mkfifo,
    'socket': make_socket,
    'device': lambda path: os.symlink('/dev/zero', path),
    'sparse': make_sparse,
}


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def sample():
    """A trace that was left open, for closing it is what writes to it."""
    if not os.path.exists('sample'):
        result = record(program('known'), output='sample')
        equal(result.returncode, 0, result.stderr)
    remove('trace')
    shutil.copytree('sample', 'trace')
    for folder in 'snapshots', 'rules':
        os.makedirs('trace/' + folder, exist_ok=True)


def run(*arguments, prefix=()):
    """A status that a command may have, within a time."""
    how = {'stdin': subprocess.DEVNULL, 'capture_output': True, 'text': False, 'timeout': LIMIT}
    result = subprocess.run([*prefix, LIGHTCONE, *arguments], **how) if prefix else lightcone(*arguments, **how)
    assert result.returncode in (0, 1, 2), f'{arguments}: {result.returncode}, {result.stderr}'
    return result


def describe(folder):
    """All that could be changed there."""
    found = {}
    for path, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            name = os.path.join(path, name)
            status = os.lstat(name)
            is_file = stat.S_ISREG(status.st_mode) and status.st_size < 1 << 30
            found[name] = (status.st_mode, status.st_uid, status.st_nlink, status.st_size, hashlib.sha256(
                open(name, 'rb').read()).hexdigest() if is_file else None)
    return found


def use(prefix=()):
    for command in COMMANDS:
        run(*command, 'trace', prefix=prefix)
    run('record', '--no-calibrate', '-q', '--replace', '-o', 'trace', '--', 'true', prefix=prefix)


@test
def odd_files_in_the_place_of_each():
    for kind, make in KINDS.items():
        for place in PLACES:
            sample()
            remove('trace/' + place)
            make('trace/' + place)
            try:
                use()
            except subprocess.TimeoutExpired:
                sys.exit(f'not ok 1 a {kind} as {place} makes a command wait')


def two_hosts():
    """A message that comes before it is sent, for which a merge looks at the clocks."""
    remove('trace')
    for host, rank, event in ('a', 0, '20 40 recv 1>0:7 0 from=1'), ('b', 1, '50 90 send 1>0:7 0 to=0'):
        os.makedirs(f'trace/host-{host}')
        with open(f'trace/host-{host}/rank-{rank}.events', 'w', encoding='ascii') as events:
            events.write(f'%lightcone-events 1\n{event}\n')


@test
def odd_files_among_those_of_several_hosts():
    for kind, make in KINDS.items():
        for place in 'clock.ini', 'host-a/trace.ini':
            two_hosts()
            make('trace/' + place)
            try:
                use()
            except subprocess.TimeoutExpired:
                sys.exit(f'not ok 1 a {kind} as {place} of several hosts makes a command wait')


@test
def gaps_of_any_kind():
    """Malformed, over nothing, over all of it, and where the events are."""
    sample()
    found = json.loads(run('info', '--json', 'trace').stdout)
    begin, end = found['span']['begin'], found['span']['end']
    middle = (begin + end) // 2
    for gaps in ('1=', '1=;;;;;;;', f'1=0;{end * 9};ring', '1=0;;dump', '1=0;0;paused', f'1={2 ** 64};;ring',
                 f'1=0;{middle};ring;{2 ** 63}', f'1=0;{middle};ring', f'1={middle};;dump', f'2=0;{middle};ring\n1=;;x',
                 f'1=0;{middle - 9};ring\n2={middle};{middle + 9};paused\n3={middle + 99};;dump',
                 '\n'.join(f'{i}={i};{i};paused' for i in range(1, 30000))):
        sample()
        with open('trace/trace.ini', 'a', encoding='utf-8') as file:
            file.write(f'\n[gaps]\n{gaps}\n')
        for command in (*COMMANDS, ['stats', 'trace', 'waiting'], ['stats', 'trace', 'parallelism'], ['critical-path'],
                        ['approximate'], ['export', '--view', 'space-time', '-o', 'out.svg'], ['explain', '0:0']):
            run(*(command if 'trace' in command else [command[0], 'trace', *command[1:]]))


@test
def rules_that_are_too_large_are_named_with_what_to_do():
    sample()
    make_sparse('trace/rules/a.rules')
    result = run('merge', 'trace')
    equal(result.returncode, 2)
    contains(result.stderr.decode(), 'trace/rules/a.rules: has 8589934592 bytes')
    contains(result.stderr.decode(), 'remove it')
    remove('trace/rules/a.rules')
    os.mkfifo('trace/rules/a.rules')
    contains(run('merge', 'trace').stderr.decode(), 'trace/rules/a.rules: not a regular file')


@test
def links_lead_nowhere():
    sample()
    for place in [*PLACES, 'ctf', 'snapshots', 'rules']:
        sample()
        remove('other')
        shutil.copytree('trace', 'other')
        if not os.path.exists('other/' + place):
            with open('other/' + place, 'w', encoding='utf-8') as file:
                file.write('[class x]\n')
        # What a recording that was killed leaves: closing it rewrites the streams.
        shutil.copy('other/ctf/process-0', 'trace/heads-0')
        before = describe('other')
        remove('trace/' + place)
        os.symlink(os.path.abspath('other/' + place), 'trace/' + place)
        use()
        equal(describe('other'), before, f'what the link {place} leads to')


@test
def another_users_trace_is_read_as_it_is():
    if os.geteuid() != 0:
        raise Skip('only for root')
    sample()
    shutil.copy('trace/ctf/process-0', 'trace/heads-0')
    with open('trace/.control', 'wb') as file:
        file.write(b'LCCONTRL' + bytes(2 << 20))
    os.chown('trace', 65534, 65534)
    before = describe('trace')
    result = lightcone('info', 'trace')
    contains(result.stderr, "another user's trace, which was left open, is read as it is")
    before.pop('trace/history.lightcone', None)
    after = describe('trace')
    after.pop('trace/history.lightcone', None)
    equal(after, before, 'the trace')
    equal(run('record', '--replace', '--no-calibrate', '-o', 'trace', '--', 'true').returncode, 2)


@test
def a_trace_that_cannot_be_entered_is_named():
    """Not a file that could be in it."""
    if os.geteuid() != 0:
        raise Skip('only for root')
    for folder in '..', '.':
        os.chmod(folder, 0o755)
    os.chmod('../..', stat.S_IMODE(os.stat('../..').st_mode) | 0o5)
    sample()
    os.chmod('trace', 0o700)
    for command in (['check'], ['merge'], ['info'], ['stats'], ['critical-path']):
        more = ['waiting'] if command == ['stats'] else []
        result = subprocess.run([*NOBODY, LIGHTCONE, *command, 'trace', *more],
                                capture_output=True, text=True, timeout=LIMIT)
        equal((result.returncode, result.stdout), (2, ''), command)
        equal(result.stderr, 'lightcone: trace: Permission denied\n', command)


@test
def another_user_can_neither_read_nor_harm_a_recording():
    if os.geteuid() != 0:
        raise Skip('only for root')
    for folder in '..', '.':
        os.chmod(folder, 0o755)
    os.chmod('../..', stat.S_IMODE(os.stat('../..').st_mode) | 0o5)
    # What the other user tries from inside, while the trace is open: the program itself starts it.
    script = ('for f in trace trace/.control trace/heads-0 trace/ctf; do'
              ' cat $f && echo read $f; (echo x >>$f) && echo written $f; done;'
              ' ln -s /etc/passwd trace/objects-7 && echo planted; true')
    remove('trace')
    result = record('sh', '-c', f'{program("known")}; ' + ' '.join(NOBODY) + f" sh -c '{script}' 2>/dev/null",
                    output='trace')
    equal((result.returncode, result.stdout), (0, ''), 'what another user can do')


main()
