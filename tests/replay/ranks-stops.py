#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs that are run again, up to a stop in the middle: each rank has done what is in the past of it."""
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, test
from mpi_ranks import MPIS, RANKS, ask, record_pi, record_ranks, replay

# --- Stops ----------------------------------------------------------------------------------------------------------


def past_of(process, ordinal):
    """How many events of each rank are in the past of an event: by the arcs, without Lightcone's own search in them.
    All that are in one barrier are in each other's past."""
    arcs, barriers = {}, {}
    for row in ask("select process, ordinal, object, sequence from event where operation = 'barrier'"):
        barriers.setdefault(tuple(row[2:]), []).append((int(row[0]), int(row[1])))
    for members in barriers.values():
        arcs.update({member: list(members) for member in members})
    for row in ask('select to_process, to_ordinal, from_process, from_ordinal from arc'):
        arcs.setdefault((int(row[0]), int(row[1])), []).append((int(row[2]), int(row[3])))
    past = [0] * RANKS
    todo = [(process, ordinal)]
    while todo:
        rank, last = todo.pop()
        for event in range(past[rank], last + 1):
            todo += arcs.get((rank, event), [])
        past[rank] = max(past[rank], last + 1)
    return past


def worker_in_the_middle():
    """A rank of pi, and the ordinal of one of its receives."""
    rows = ask("select process, ordinal from event where operation = 'recv' and process <> 0 order by \"end\"")
    return tuple(map(int, rows[len(rows) // 2]))


def stops(*arguments):
    """How many events each rank has begun in a replay that stops, and what it says. What waits for something that is
    not in the past is not over."""
    result = replay(*arguments)
    equal(result.returncode, 0, f'the status of {arguments}, which says {result.stderr}')
    contains(result.stderr, 'stopped there, and the program was ended')
    done = [0] * RANKS
    for rank, ordinal in re.findall(r':   rank (\d+) #(\d+) (?:was the last|is not over yet): ', result.stderr):
        done[int(rank)] = int(ordinal) + 1
    return done, result.stderr


@test
def ranks_stop_before_an_event_with_its_past_and_no_more():
    for mpi in MPIS:
        recorded = record_pi(mpi)
        for process, ordinal in (worker_in_the_middle(), (0, 20)):
            expected = past_of(process, ordinal)
            expected[process] = ordinal
            done, said = stops(f'--until={process}:{ordinal}')
            equal((mpi, process, ordinal, done), (mpi, process, ordinal, expected), f'the past, with {said}')
        result = replay('--until=0:20', '--continue')
        equal((mpi, result.returncode, result.stdout), (mpi, 0, recorded.stdout), f'with --continue: {result.stderr}')


def closed(counts):
    """The same number of events of each rank, and what is in the past of these."""
    pasts = [past_of(rank, count - 1) for rank, count in enumerate(counts) if count > 0]
    return [max(column) for column in zip(counts, *pasts)]


@test
def ranks_stop_at_a_cut_a_time_and_a_layer():
    mpi = MPIS[-1]
    record_pi(mpi)
    for ordinal in range(20, 50):
        past = past_of(0, ordinal)
        worker = 1 + past[1:].index(max(past[1:]))
        cut = [ordinal if rank == 0 else past[rank] if rank == worker else 0 for rank in range(RANKS)]
        if closed(cut)[0] == ordinal:  # the two are not together, as a message that was waited for
            break
    equal(stops(f'--cut=0:{ordinal},{worker}:{cut[worker]}')[0], closed(cut), 'the cut')
    needed = closed(cut)[worker]
    for other in range(needed, -1, -1):
        cut[worker] = other
        if closed(cut)[worker] > other:
            result = replay(f'--cut=0:{ordinal},{worker}:{other}')
            equal(result.returncode, 2, 'the status of no cut')
            contains(result.stderr, f'no cut is before {worker}:{other}')
            break
    (layer, moment), = ask(f'select layer, begin from event where process = 0 and ordinal = {ordinal}')
    for option, condition in ((f'--until-layer={layer}', f'layer < {layer}'),
                              (f'--until-time={moment}ns', f'"end" <= {moment}')):
        counts = [0] * RANKS
        for process, count in ask(f'select process, count(*) from event where {condition} group by process'):
            counts[int(process)] = int(count)
        done, said = stops(option)
        equal((option, done), (option, closed(counts)), said)


@test
def a_stop_is_before_a_call_and_has_what_mpi_itself_needs():
    """Another rank's broadcast is in the past of nobody but the root's, but MPI may need it. A call is not divided."""
    for mpi in MPIS:
        record_ranks(mpi, 'needing')
        for event, target, expected in (('3:1', 3, 1), ('3:3', 3, 2), ('0:3', 0, 2), ('2:4', 2, 4), ('3:5', 3, 5)):
            done, said = stops('--until=' + event)
            equal((mpi, event, done[target]), (mpi, event, expected), f'what the target has done: {said}')
            for extra in re.findall(r' (rank \d+ #\d+ is done, too, for MPI needs it: \S+)', said):
                assert extra.endswith('broadcast-recv'), extra
            assert 'is not there' not in said, said
        equal(stops('--until=3:5')[0], [5, 7, 6, 5], 'what is before the message')


@test
def ranks_stop_before_calls_that_open_and_close_windows():
    for mpi in MPIS:
        record_ranks(mpi, 'windows')
        for word in 'post', 'complete':
            for operation in 'send', 'recv':
                rows = ask('select e.process, e.ordinal from event e join object o on o.id = e.object '
                           f"where e.operation = '{operation}' and o.name like '%:{word}@%' "
                           "and e.sequence between 2 and 5 and e.timeline = 'measured' order by e.\"end\"")
                process, ordinal = map(int, rows[len(rows) // 2])
                expected = past_of(process, ordinal)
                expected[process] = ordinal
                done, said = stops(f'--until={process}:{ordinal}')
                equal((mpi, word, operation, process, ordinal, done),
                      (mpi, word, operation, process, ordinal, expected), f'the past, with {said}')


# --- Debuggers ------------------------------------------------------------------------------------------------------


def debug(until, *commands):
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    result = replay('--until', until, *[f'--gdb-command={line}' for line in commands])
    if 'ptrace' in result.stderr:
        raise Skip('gdb may not attach here')
    equal(result.returncode, 0, f'the status, which says {result.stderr}')
    assert 'Fatal signal' not in result.stderr, 'gdb has crashed'
    return result


def places(text):
    """The next events that are told, by rank."""
    return {int(rank): int(ordinal) for rank, ordinal in re.findall(r'  rank (\d+) #(\d+) is next', text)}


@test
def gdb_looks_into_the_rank_and_lets_all_go_on():
    for mpi in MPIS:
        recorded = record_pi(mpi)
        result = debug('0:20', 'frame', 'lightcone next', 'lightcone next 1', 'lightcone break 0:30', 'lightcone go',
                       'lightcone until 0:1', 'lightcone delete 0:30', 'lightcone go')
        at = [places(text) for text in re.split(r'received signal SIGINT', result.stdout)][1:]
        contains(result.stdout, 'in run_master () at')
        contains(result.stdout, '"rank 0"')
        equal((mpi, [place[0] for place in at[::2]]), (mpi, [21, 30]), f'rank 0 in {result.stdout}')
        expected = past_of(0, 20)
        equal((mpi, at[0]), (mpi, dict(enumerate(expected))), 'where all are after one more event')
        equal((mpi, at[1][1]), (mpi, expected[1] + 1), 'rank 1 after one more event')
        contains(result.stderr, '0:1 has been done already')
        contains(result.stdout, recorded.stdout)
        contains(result.stdout, 'exited normally')
        others = re.search('the other ranks wait, and gdb -p PID looks into them: (.*)', result.stderr)[1]
        equal([int(rank) for rank in re.findall(r'rank (\d) is process \d+', others)], [1, 2, 3], 'who else is there')


@test
def a_debugger_is_served_at_a_rank():
    mpi = MPIS[0]
    record_pi(mpi)
    process, ordinal = worker_in_the_middle()
    os.mkdir('bin')
    Path('bin/gdbserver').write_text('#!/bin/sh\necho "served $* $(cat /proc/$4/comm)"\n', encoding='ascii')
    os.chmod('bin/gdbserver', 0o755)
    result = lightcone('replay', '--no-environment', 'out.trace', f'--until={process}:{ordinal}',
                       '--gdbserver=3333',
                       env={**os.environ, 'PATH': os.path.abspath('bin') + ':' + os.environ['PATH']})
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    assert re.search(r'served --once --attach localhost:3333 \d+ pi-' + mpi, result.stdout), result.stdout


@test
def who_shows_the_ranks_is_told_where_they_are():
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    record_pi(MPIS[0])
    process, ordinal = worker_in_the_middle()
    expected = past_of(process, ordinal)
    names = [f'{rank}:{count}' for rank, count in enumerate(expected)]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind('control')
        listener.listen(1)
        listener.settimeout(PATIENCE)
        running = subprocess.Popen([LIGHTCONE, 'replay', '--no-environment', 'out.trace',
                                    f'--until={process}:{ordinal}', '--gdb', '--control=control'],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        window, _ = listener.accept()
    window.settimeout(PATIENCE)
    with window, window.makefile('r') as lines:
        told = [next(lines).split()]
        window.sendall(b'next ' + str(process).encode().hex().encode() + b'\n')
        told += [next(lines).split(), next(lines).split()]
        window.sendall(b'quit\n')
        equal(lines.readlines()[-1:], ['ended\n'], 'its end')
    said = running.communicate(timeout=PATIENCE)[0]
    if 'ptrace' in said:
        raise Skip('gdb may not attach here')
    equal(told[0], ['stopped', str(process), *[name if rank != process else f'{process}:{ordinal}'
                                               for rank, name in enumerate(names)]], f'the stop, with {said}')
    equal(told[1:], [['running'], ['stopped', str(process), *names]], f'the next event, with {said}')


main()
