#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much is recorded, and what becomes of the rest; and children that the recorder is not told of."""
import os
import re
import shutil
import signal
import subprocess

from cli import PATIENCE, Skip, contains, equal, info, lightcone, main, operations, program, record, start, test

LOCKS = 2000000


def size_of(folder):
    return sum(os.lstat(os.path.join(path, name)).st_size for path, _, names in os.walk(folder) for name in names
               if not name.startswith('history'))


def record_many(options, stop=0.0):
    """Records four million events; for a while nobody empties the places. Returns how many are there and lost."""
    shutil.rmtree('out.trace', ignore_errors=True)
    recording = start(program('many-events'), options=options, stdin=subprocess.PIPE)
    equal(recording.stdout.readline(), 'ready\n', 'the program')
    if stop > 0:
        os.kill(recording.pid, signal.SIGSTOP)
    recording.stdin.write('x')
    recording.stdin.flush()
    if stop > 0:
        try:
            recording.wait(stop)
        except subprocess.TimeoutExpired:
            pass
        os.kill(recording.pid, signal.SIGCONT)
    errors = recording.communicate(timeout=PATIENCE)[1]
    equal(recording.returncode, 0, errors)
    found = info()
    counts = operations()
    return counts.get('lock', 0) + counts.get('unlock', 0), found


@test
def sizes_that_make_no_sense_are_refused():
    for size in ('x', '0', '-1', '1X', '1GG', '1 G', '', '9999999T', '1.5G'):
        result = lightcone('record', '--max-size', size, '-o', 'out.trace', '--', 'true')
        equal((result.returncode, os.path.exists('out.trace')), (2, False), size)
        contains(result.stderr, f'“{size}” is no size')


@test
def a_trace_becomes_no_larger_than_it_may():
    for size, most in (('4M', 4 << 20), ('1048576', 1 << 20), ('12000k', 12000 << 10)):
        there, found = record_many(['--max-size', size])
        # A thread goes on to the end of its place.
        assert size_of('out.trace') < most + (1 << 20), f'{size_of("out.trace")} bytes with {size}'
        assert there > most / 32 / 4, f'{there} events with {size}'
        assert found['lost_by_reason']['limit'] > 0 and not found['complete'], found['lost_by_reason']
        assert there + found['lost'] >= 2 * LOCKS, f'{there} and {found["lost"]} of {2 * LOCKS}'
        equal(lightcone('check', 'out.trace').returncode, 1, 'check')


@test
def threads_do_not_wait_for_who_writes_unless_they_are_to():
    there, found = record_many([], stop=0.8)
    assert found['lost_by_reason'].get('full', 0) > 0, found['lost_by_reason']
    assert there + found['lost'] >= 2 * LOCKS, f'{there} and {found["lost"]}'
    there, found = record_many(['--lossless'], stop=0.8)
    equal((there, found['lost'], found['complete']), (2 * LOCKS, 0, True), 'without loss')
    equal(lightcone('check', 'out.trace').returncode, 0, 'check')


@test
def a_child_that_nobody_is_told_of_is_a_process_of_its_own():
    equal(record(program('raw-fork')).returncode, 0)
    found = info()
    equal([process['events'] >= 6000 for process in found['process']], [True, True], 'events of each')
    equal(operations()['lock'], 6001)
    equal(lightcone('check', 'out.trace').returncode, 0, 'check')


@test
def a_program_in_another_root_directory_prints_what_it_prints():
    if os.geteuid() != 0:
        raise Skip('only for root')
    libraries = re.findall(r'(/\S+)', subprocess.run(['ldd', program('raw-fork')], capture_output=True, text=True,
                                                     check=True).stdout)
    for library in libraries:
        os.makedirs(os.path.join('root', os.path.dirname(library)[1:]), exist_ok=True)
        shutil.copy(library, os.path.join('root', library[1:]))
    shutil.copy(program('raw-fork'), 'root/raw-fork')
    result = record(program('raw-fork'), 'root')
    equal((result.returncode, result.stdout), (0, ''), result.stderr)
    equal(re.sub(r'out.trace: .*\n', '', result.stderr), 'lightcone: ', 'what is said besides')


main()
