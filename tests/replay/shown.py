#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs as they are: servers, allocators with locks, workers that steal from each other, C++."""
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from cli import PATIENCE, Skip, child_of, contains, equal, lightcone, main, program, record, start, test

CONNECTIONS = 6
INPUTS = ('--inputs',)
LONG = 'a-folder-with-a-name-that-is-as-long-as-the-path-of-a-plan.trace'


def replay(*arguments, **options):
    return lightcone('replay', *arguments, stdin=subprocess.DEVNULL, **options)


def comes_again(recorded, trace='out.trace', times=3):
    result = replay(trace, f'--times={times}')
    equal((result.returncode, result.stdout), (0, recorded * times), f'a replay, which says {result.stderr}')


@test
def stolen_tasks_are_stolen_again():
    deadline, stolen = time.monotonic() + PATIENCE, 0
    while stolen == 0 and time.monotonic() < deadline:
        shutil.rmtree('out.trace', ignore_errors=True)
        recorded = record(program('replay-stealing'), '4', '20000')
        equal(recorded.returncode, 0, 'recording')
        stolen = sum(map(int, re.findall(r'(\d+) stolen', recorded.stdout)))
    assert stolen > 0, f'nothing is stolen: {recorded.stdout}'
    comes_again(recorded.stdout, times=5)


@test
def signals_come_where_they_came():
    with start(program('replay-served'), 'signals', options=INPUTS) as running:
        lines = [running.stdout.readline()]
        child = child_of(running.pid)
        for number in signal.SIGUSR1, signal.SIGTERM:
            os.kill(child, number)
            lines.append(running.stdout.readline())
        equal(running.wait(timeout=PATIENCE), 0, 'recording')
    recorded = ''.join(lines)
    contains(recorded, 'ready 1\n')
    contains(recorded, f'signal {signal.SIGTERM:d}, the 2-th\n')
    comes_again(recorded)


@test
def signals_after_all_that_is_asked_for_are_not_missed():
    with start(program('replay-served'), 'last', options=INPUTS) as running:
        recorded = running.stdout.readline()
        os.kill(child_of(running.pid), signal.SIGTERM)
        Path('go').touch()
        equal(running.wait(timeout=PATIENCE), 0, 'recording')
    comes_again(recorded, times=1)


@test
def connections_have_the_numbers_that_they_had():
    """Each is closed late, by another thread, before the next one comes, which so may have its number."""
    with start(program('replay-served'), 'numbers', options=INPUTS) as running:
        port = running.stdout.readline()
        for _ in range(CONNECTIONS):
            with socket.create_connection(('127.0.0.1', int(port)), timeout=PATIENCE) as client:
                equal(client.recv(1), b'', 'what comes before the end')
        recorded = port + running.stdout.read()
        equal(running.wait(timeout=PATIENCE), 0, 'recording')
    assert len(set(recorded.splitlines()[1:])) < CONNECTIONS, f'no number comes again in {recorded}'
    comes_again(recorded)


@test
def threads_that_nobody_was_seen_making_have_their_histories():
    recorded = record(program('replay-served'), 'hidden')
    equal(recorded.returncode, 0, 'recording')
    comes_again(recorded.stdout)


@test
def nothing_more_is_allocated_than_was():
    """An allocator has locks; and it may be what calls first of all."""
    for options in (), INPUTS:
        recorded = record(program('replay-early'), options=options)
        equal((recorded.returncode, recorded.stdout), (0, '1\n'), 'recording')
        comes_again(recorded.stdout)


@test
def the_environment_takes_as_much_room():
    for options in (), INPUTS:
        recorded = record(program('replay-served'), 'environment', options=options, output=LONG)
        equal(recorded.returncode, 0, 'recording')
        result = replay(LONG)
        equal((result.returncode, sorted(result.stdout.split())), (0, sorted(recorded.stdout.split())),
              f'a replay, which says {result.stderr}')


@test
def stops_name_the_programs_own_functions():
    if not Path(program('replay-frames')).exists():
        raise Skip('no compiler for C++')
    equal(record(program('replay-frames')).returncode, 0, 'recording')
    result = replay('out.trace', '--until=0:3')
    equal(result.returncode, 0, f'a stop, which says {result.stderr}')
    contains(result.stderr, 'use() replay-frames.cpp:')
    equal('gthr' in result.stderr, False, f'whether a stop names the library: {result.stderr}')
    if shutil.which('gdb') is not None:
        result = replay('out.trace', '--until=0:3', '--gdb-command', 'info frame', '--gdb-command', 'frame')
        contains(result.stdout.split('Stack level')[1], 'replay-frames.cpp')
        equal('gthr' in result.stdout.split('Stack level')[1], False, f'whether gdb is in the library: {result.stdout}')


main()
