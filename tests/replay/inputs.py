#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs get from outside is kept with --inputs, and given back when they are replayed."""
import os
import pty
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

from cli import LIGHTCONE, PATIENCE, child_of, contains, equal, lightcone, main, program, test

LINES = 'Ann\nsecond line\n 42 word\nabcdefghij\nlast\n'
HEADER, RECORD_BYTES, BYTES, RESULT = 32, 40, 12, 16  # see docs/format.md
HOW = 2
FREE, GIVEN, DONE, FOLLOWED = range(4)
GETRANDOM, GETPID, GETPPID, GETTID, READ, POLL, SELECT, EPOLL_WAIT = 4, 7, 8, 9, 16, 40, 41, 42
WRITE, CONNECT = 24, 33
MUCH = 4096
RECORD = ('record', '-q', '--no-calibrate', '--replace', '--inputs', '-o', 'out.trace', '--')


def keep(*arguments, **options):
    """Records a program with its inputs."""
    result = lightcone(*RECORD, program('replay-inputs'), *arguments, **options)
    equal((arguments, result.returncode), (arguments, 0), f'recording, which says {result.stderr}')
    return result


def replay(*arguments, **options):
    return lightcone('replay', *arguments, stdin=subprocess.DEVNULL, **options)


def comes_again(recorded, *arguments):
    """Replays print what the recorded run did, without any of what it got."""
    result = replay('out.trace', *arguments, '--times=2')
    equal((result.returncode, result.stdout), (0, recorded * 2), f'a replay, which says {result.stderr}')


def forge(call, number, place=RESULT, form='<q'):
    """Writes another result of a call into the inputs, or another number of what is kept of it. What is printed is left
    as it is."""
    path = Path('out.trace/inputs-0')
    kept = bytearray(path.read_bytes())
    at, forged = HEADER, 0
    while at < len(kept):
        found, file = struct.unpack_from('<H2xi', kept, at)
        if found == call and file not in (1, 2):
            struct.pack_into(form, kept, at + place, number)
            forged += 1
        at += RECORD_BYTES + -(-struct.unpack_from('<I', kept, at + BYTES)[0] // 8) * 8
    path.write_bytes(kept)
    assert forged > 0, f'no call {call}'


@test
def the_time_random_numbers_and_numbers_of_processes_come_again():
    for what in ('time', 'random', 'numbers'):
        recorded = keep(what).stdout
        comes_again(recorded)
        equal(keep(what).stdout == recorded, False, f'whether {what} is always the same')
    contains(recorded, 'signalled, child 7')


@test
def so_they_do_for_a_program_that_another_becomes():
    """It is another address space, of the same process; the one before gets what there is."""
    for before in (['sh', '-c', 'exec "$0" "$@"'], ['env', 'X=1', 'nice']):
        command = [*before, program('replay-inputs'), 'random']
        recorded = lightcone(*RECORD, *command, input=LINES)
        equal(recorded.returncode, 0, f'recording, which says {recorded.stderr}')
        comes_again(recorded.stdout)
        equal('nothing was steered' in replay('out.trace').stderr, False, f'of {command}')


@test
def without_inputs_they_do_not():
    recorded = lightcone('record', '-q', '--no-calibrate', '-o', 'out.trace', '--', program('replay-inputs'), 'random')
    equal([name for name in os.listdir('out.trace') if name.startswith('inputs')], [], 'what is kept')
    equal(replay('-q', 'out.trace').stdout == recorded.stdout, False, 'whether it prints the same')


@test
def lines_come_again_however_they_are_read():
    recorded = keep('lines', input=LINES).stdout
    contains(recorded, 'name? fgets Ann\ngetline second line\nscanf 42 word\ngetchar 10 97\nfread 5\n')
    comes_again(recorded)
    for file in Path('out.trace').glob('inputs-*'):
        equal(file.stat().st_mode & 0o777, 0o600, 'who may read it')
    Path('lines').write_text(LINES, encoding='ascii')
    with open('lines', encoding='ascii') as lines:
        equal(keep('lines', stdin=lines).stdout, recorded, 'with a file')
    with open('lines', encoding='ascii') as lines:
        equal(lightcone('replay', '-q', 'out.trace', stdin=lines).stdout, recorded, 'with the same file')


@test
def threads_get_what_they_got():
    recorded = keep('threads', input=''.join(chr(65 + i % 26) for i in range(200))).stdout
    comes_again(recorded)
    result = replay('out.trace', '-o', 'new.trace', '--record-option=--no-calibrate')
    equal((result.returncode, result.stdout), (0, recorded), f'a recorded replay, which says {result.stderr}')


@test
def select_waits_no_more():
    with subprocess.Popen([LIGHTCONE, *RECORD, program('replay-inputs'), 'select'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as running:
        recorded = running.communicate('typed\n', timeout=PATIENCE)[0]
    contains(recorded, 'typed\n')
    comes_again(recorded)
    forge(SELECT, MUCH)
    comes_again(recorded)


@test
def streams_within_the_program_keep_their_order():
    for _ in range(3):
        recorded = keep('inside').stdout
        assert recorded.endswith(' 20 round 19\n'), recorded
        comes_again(recorded)


def answer_lines(end):
    with end.makefile('rw', encoding='ascii') as file:
        for number, line in enumerate(file):
            file.write(f'answer {number * number} to {line}')
            file.flush()


@test
def an_inherited_connection_comes_again():
    ours, theirs = socket.socketpair()

    def place():
        os.dup2(ours.fileno(), 3)
        os.set_inheritable(3, True)

    talker = threading.Thread(target=answer_lines, args=(theirs,))
    talker.start()
    with subprocess.Popen([LIGHTCONE, *RECORD, program('replay-inputs'), 'ask'], stdout=subprocess.PIPE, text=True,
                          close_fds=False, preexec_fn=place) as running:
        recorded = running.communicate(timeout=PATIENCE)[0]
    ours.close()
    theirs.shutdown(socket.SHUT_RDWR)
    talker.join()
    theirs.close()
    contains(recorded, 'got 26 answer 361 to question 19\n')
    comes_again(recorded)
    forge(POLL, MUCH)
    comes_again(recorded)


@test
def nobody_is_connected_to_again():
    with socket.create_server(('127.0.0.1', 0)) as server:
        came = []

        def serve():
            while True:
                try:
                    peer, _ = server.accept()
                except OSError:
                    return
                with peer:
                    came.append(peer.recv(100))
                    peer.sendall(b'one ')
                    peer.sendall(b'two\n')

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        recorded = keep('connect', str(server.getsockname()[1])).stdout
        contains(recorded, 'connect 0\n')
        contains(recorded, 'one two\nend\n')
        comes_again(recorded)
        equal(came, [b'hello\n'], 'who has come')
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)
    comes_again(recorded)
    forge(EPOLL_WAIT, MUCH)
    comes_again(recorded)


@test
def nobody_is_connected_to_whatever_a_trace_says():
    for how in FREE, DONE, FOLLOWED:
        with socket.create_server(('127.0.0.1', 0)) as server:
            came = []

            def serve():
                while True:
                    try:
                        peer, _ = server.accept()
                    except OSError:
                        return
                    with peer:
                        came.append(peer.recv(100))
                        peer.sendall(b'one two\n')

            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            recorded = keep('connect', str(server.getsockname()[1])).stdout
            forge(CONNECT, how, HOW, '<B')
            replay('out.trace')
            forge(CONNECT, GIVEN, HOW, '<B')
            forge(WRITE, how, HOW, '<B')
            comes_again(recorded)
            equal(came, [b'hello\n'], f'who has come, by {how}')
            server.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE)


@test
def nobody_can_connect_again():
    with subprocess.Popen([LIGHTCONE, *RECORD, program('replay-inputs'), 'serve'], stdout=subprocess.PIPE,
                          text=True) as running:
        port = running.stdout.readline()
        with socket.create_connection(('127.0.0.1', int(port))) as client:
            client.sendall(b'hello server\n')
        recorded = port + running.stdout.read()
    contains(recorded, 'hello server\n')
    with socket.create_server(('127.0.0.1', int(port))):
        comes_again(recorded)


@test
def what_is_asked_for_otherwise_is_told():
    equal(keep(input='abcdefgh').stdout, '8 efgh\n', 'what it prints')
    for how, status, *told in (('call', 1, 'its input', 'recorded: read (0), 4', 'came:     time'),
                               ('size', 1, 'recorded: read (0), 4', 'came:     read (0), 8'),
                               ('more', 1, 'recorded: nothing', 'came:     read (0), 4'),
                               ('less', 1, 'did not ask for 1 input that was recorded: read (0), 4')):
        result = replay('--no-environment', 'out.trace', env={**os.environ, 'DIFFER': how})
        equal((how, result.returncode), (how, status), f'the status, with {result.stderr}')
        for part in told:
            contains(result.stderr, part)
    result = replay('--no-environment', '--continue', 'out.trace', env={**os.environ, 'DIFFER': 'call'})
    equal((result.returncode, result.stdout), (1, '4 abcd\n'), 'with --continue')


@test
def a_program_that_was_killed_is_followed():
    with subprocess.Popen([LIGHTCONE, *RECORD, program('replay-inputs'), 'serve'], stdout=subprocess.PIPE,
                          text=True) as running:
        port = running.stdout.readline()
        os.kill(child_of(running.pid), signal.SIGKILL)
        running.communicate(timeout=PATIENCE)
    result = replay('out.trace')
    equal((result.returncode, result.stdout), (0, port), f'a replay, which says {result.stderr}')
    contains(result.stderr, 'the recording was cut short there')


@test
def damaged_inputs_are_an_error_and_never_more():
    keep('lines', input=LINES)
    path = Path('out.trace/inputs-0')
    good = path.read_bytes()
    chance = random.Random(18)
    for turn in range(15):
        bad = bytearray(good)
        if turn % 3 == 0:
            del bad[chance.randrange(len(bad)):]
        for _ in range(chance.randrange(1, 4) if turn % 3 else 0):
            bad[chance.randrange(len(bad))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
        path.write_bytes(bad)
        result = replay('out.trace')
        assert result.returncode in (0, 1, 2), (turn, result.returncode, result.stderr)
    for bad, what in ((b'LCINPUTX' + good[8:], 'no file of inputs (byte 32)'),
                      (good[:8] + b'\x09' + good[9:], 'of another version or process'),
                      (good[:-4], 'the file ends within a record'),
                      (good[:34] + b'\x77' + good[35:], 'no record of an input')):
        path.write_bytes(bad)
        result = replay('out.trace')
        equal(result.returncode, 2, f'the status, with {result.stderr}')
        contains(result.stderr, f'out.trace/inputs-0: {what}')


@test
def no_more_random_numbers_are_given_than_there_is_room_for():
    recorded = keep('random').stdout
    forge(GETRANDOM, MUCH)
    comes_again(recorded)


def ends_stuck(descriptor, *arguments):
    """Says who waits for what, and ends."""
    result = replay('out.trace', *arguments)
    equal(result.returncode, 1, f'the status, with {result.stderr}')
    contains(result.stderr, 'the replay has no way on')
    contains(result.stderr,
             f'waits for descriptor {descriptor}, as its recorded input says, which no thread makes ready')


@test
def nobody_waits_for_ever_for_what_a_trace_says():
    keep('inside')
    path = Path('out.trace/inputs-0')
    good = path.read_bytes()
    kept, at, last = bytearray(good), HEADER, None
    events = []
    while at < len(kept):
        call, = struct.unpack_from('<H', kept, at)
        size, = struct.unpack_from('<I', kept, at + BYTES)
        if call == READ and size == 8:
            events.append((at, struct.unpack_from('<i', kept, at + 4)[0]))
        if call == POLL:
            last = at
        at += RECORD_BYTES + -(-size // 8) * 8
    # The counter is never as high as this.
    struct.pack_into('<Q', kept, events[0][0] + RECORD_BYTES, 1 << 60)
    path.write_bytes(kept)
    ends_stuck(events[0][1])
    ends_stuck(events[0][1], '-o', 'new.trace', '--record-option=--no-calibrate')
    # Both were ready here at the last poll, after all was taken from one.
    kept = bytearray(good)
    struct.pack_into('<4h', kept, last + RECORD_BYTES, 1, 1, 1, 1)
    path.write_bytes(kept)
    ends_stuck(events[0][1])


@test
def no_process_has_a_number_by_which_a_signal_goes_to_others():
    keep('who')  # it sends none: were such a number given back, one would go to everybody
    path = Path('out.trace/inputs-0')
    good = path.read_bytes()
    for call, number in (GETPID, -1), (GETPID, 0), (GETPID, -2), (GETPID, 1 << 32), (GETPPID, -1), (GETTID, 0):
        forge(call, number)
        result = replay('out.trace')
        equal((call, number, result.returncode), (call, number, 2), f'the status, with {result.stderr}')
        contains(result.stderr, 'out.trace/inputs-0: no record of an input')
        path.write_bytes(good)


@test
def calls_fail_with_one_number_only():
    keep('lines', input=LINES)
    forge(READ, -2)
    result = replay('out.trace')
    equal(result.returncode, 2, f'the status, with {result.stderr}')
    contains(result.stderr, 'out.trace/inputs-0: no record of an input')


@test
def a_program_goes_on_when_the_trace_is_full():
    result = lightcone('record', '--no-calibrate', '--inputs', '--max-size=4M', '-o', 'out.trace', '--',
                       'head', '-c', '12000000', '/dev/urandom', text=False)
    equal((result.returncode, len(result.stdout)), (0, 12000000), f'what is written, with {result.stderr}')
    kept = sum(file.stat().st_size for file in Path('out.trace').glob('inputs-*'))
    assert 1000000 < kept <= 4 << 20, kept
    result = replay('out.trace')
    equal(result.returncode, 2, 'the status of a replay')
    contains(result.stderr, 'events were lost')


@test
def terminals_come_again():
    child, terminal = pty.fork()
    if child == 0:
        os.execv(LIGHTCONE, [LIGHTCONE, *RECORD, program('replay-inputs'), 'lines'])
    shown = b''
    while b'name? ' not in shown:
        shown += os.read(terminal, 1000)
    for line, answer in zip(LINES.splitlines(), ('fgets', 'getline', 'scanf', 'fread', '[t]')):
        os.write(terminal, line.encode() + b'\n')
        while answer.encode() not in shown:
            shown += os.read(terminal, 1000)
    os.write(terminal, b'\x04')
    equal(os.waitpid(child, 0)[1], 0, 'recording')
    os.close(terminal)
    equal(replay('-q', 'out.trace').stdout,
          'name? fgets Ann\ngetline second line\nscanf 42 word\ngetchar 10 97\nfread 5\n'
          '[g][h][i][j][.][l][a][s][t][.] 1 0\n', 'a replay')


@test
def inputs_are_for_replays():
    for option in ('--search=2', '--keep=10s', '--paused'):
        result = lightcone('record', '--inputs', option, '--', 'true')
        equal(result.returncode, 2, f'the status with {option}')
        contains(result.stderr, '--inputs is for a replay')


@test
def other_programs_work_with_it():
    for command, given in (([sys.executable, '-c', 'import random; print(random.random(), input())'], 'text\n'),
                           (['sort'], 'b\na\n'), (['cat'], LINES)):
        recorded = lightcone(*RECORD, *command, input=given)
        equal((command, recorded.returncode), (command, 0), f'recording, which says {recorded.stderr}')
        comes_again(recorded.stdout)


main()
