#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs with OpenMP that are run again: each thread does what it did, in the recorded order."""
import os
import subprocess
import time

from cli import PATIENCE, contains, equal, lightcone, main, program, record, test

CLANG = os.environ.get('LIGHTCONE_TEST_OPENMP') == 'clang'
PROGRAM = 'replay-openmp-clang' if CLANG else 'replay-openmp'
# By gcc, threads add up by atomic operations, whose order is not known.
PARTS = ('sections', 'locks', 'loops', 'singles', 'order', 'tasks', 'late-tasks', 'task-loops', 'nested', 'last-calls',
         'last-waits', *(['sums', 'inner-sums'] if CLANG else []))
# Threads of inner regions of clang's may have changed places, and are recorded as they are.
RECORDED_AGAIN = tuple(part for part in PARTS if not CLANG or part not in ('late-tasks', 'nested', 'inner-sums'))
SETTINGS = {'OMP_WAIT_POLICY': 'passive', 'OMP_DYNAMIC': 'false'}


def run(part):
    recorded = record(program(PROGRAM), part, env={**os.environ, **SETTINGS})
    equal(recorded.returncode, 0, f'recording {part}')
    return recorded.stdout


def replay(*arguments):
    return lightcone('replay', *arguments, env={**os.environ, **SETTINGS})


@test
def each_construct_is_carried_out_as_recorded():
    for part in PARTS:
        printed = run(part)
        result = replay('out.trace', '--times=3')
        equal((part, result.returncode, result.stdout), (part, 0, printed * 3), f'a replay, which says {result.stderr}')
        equal('no turns' in result.stderr, False, f'whether something of {part} has no turns')


@test
def a_region_may_end_by_an_unlock():
    run('last-calls')
    rows = lightcone('sql', '--csv', 'out.trace', "select operation, count(*) from event where operation in ('lock', "
                     "'unlock') group by operation order by operation")
    equal(rows.stdout.splitlines()[1:], ['lock,200', 'unlock,200'], 'four threads, fifty rounds')


@test
def bare_runs_print_something_else():
    for part in ('loops', 'tasks'):
        printed = {run(part)}
        deadline = time.monotonic() + PATIENCE
        while len(printed) == 1 and time.monotonic() < deadline:
            printed.add(subprocess.run([program(PROGRAM), part], capture_output=True, text=True,
                                       env={**os.environ, **SETTINGS}, timeout=PATIENCE, check=True).stdout)
        assert len(printed) > 1, f'who does what of {part} is always the same'


@test
def a_recorded_replay_has_the_same_events():
    for part in RECORDED_AGAIN:
        printed = run(part)
        new = f'{part}.trace'
        result = replay('out.trace', '-o', new)
        equal((part, result.returncode, result.stdout), (part, 0, printed), f'which says {result.stderr}')
        contains(result.stderr, 'events, one by one')
        result = lightcone('check', new)
        equal((part, result.returncode), (part, 0), f'the check: {result.stdout}')
        result = replay('-q', new)
        equal((part, result.returncode, result.stdout), (part, 0, printed), f'it again, which says {result.stderr}')


@test
def what_is_different_is_told():
    run('loops')
    for other, part in (('static', 'recorded: chunk'), ('few', 'recorded: ')):
        result = replay('out.trace', '--', program(PROGRAM), 'loops', other)
        equal(result.returncode, 1, f'the status with {other}, which says {result.stderr}')
        contains(result.stderr, part)


@test
def after_a_difference_a_program_can_go_on():
    run('loops')
    result = replay('out.trace', '--continue', '--', program(PROGRAM), 'loops', 'static')
    equal(result.returncode, 1, f'the status, which says {result.stderr}')
    assert result.stdout.endswith('\n'), 'the program did not come to its end'


@test
def what_is_not_recorded_is_told():
    run('detached')
    result = replay('out.trace')
    equal(result.returncode, 1, f'the status, which says {result.stderr}')
    contains(result.stderr, 'the recording does not tell the order of what came')


@test
def it_stops_before_an_event_of_openmp():
    run('tasks')
    # On a busy machine, the first thread may have carried out all of them.
    rows = lightcone('sql', '--csv', 'out.trace', "select process, ordinal from event where operation = 'task-start' "
                     'order by process > 0 desc, ordinal desc limit 1')
    process, ordinal = rows.stdout.splitlines()[1].split(',')
    result = replay('out.trace', '--until', f'{process}:{ordinal}')
    equal((result.returncode, result.stdout), (0, ''), f'the status, which says {result.stderr}')
    contains(result.stderr, f'#{int(ordinal) - 1} was the last')


main()
