#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the ranks of a parallel job record together, and on several hosts."""
import configparser
import os
import re
import shutil
import signal
import subprocess
import time

from cli import COUNTED, LIGHTCONE, PATIENCE, Skip, child_of, contains, equal, eventually, info, is_alive, lightcone, \
    main, operations, program, test

RANKS = 4


def settings(path):
    parser = configparser.RawConfigParser()
    with open(path, encoding='utf-8') as file:
        parser.read_file(file)
    return parser


def of_job(rank, ranks=RANKS, local=None, job='job-1'):
    """What a launcher tells a rank."""
    return {**os.environ, 'OMPI_COMM_WORLD_SIZE': str(ranks), 'OMPI_COMM_WORLD_LOCAL_SIZE': str(local or ranks),
            'OMPI_COMM_WORLD_RANK': str(rank), 'OMPI_COMM_WORLD_LOCAL_RANK': str(rank), 'PMIX_NAMESPACE': job}


def begin(rank, *command, output='out.trace', options=(), **job):
    return subprocess.Popen([LIGHTCONE, 'record', *COUNTED, '-o', output, *options, '--', *command],
                            env=of_job(rank, **job), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def end(ranks):
    """What they say, and how they end."""
    results = [rank.communicate(timeout=PATIENCE) + (rank.returncode,) for rank in ranks]
    return ''.join(result[1] for result in results), [result[2] for result in results]


def run_all(*command, **more):
    return end([begin(rank, *command, **more) for rank in range(RANKS)])


def mpirun(kind, ranks, *arguments):
    launcher = shutil.which(f'mpirun.{kind}')
    if launcher is None:
        raise Skip(f'no mpirun.{kind}')
    options = ['--oversubscribe'] if kind == 'openmpi' else []
    # Without the components a launcher would ask whichever display there is for its graphics cards.
    environment = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
                   'HWLOC_COMPONENTS': '-gl'}
    for name in list(environment):
        if name.startswith(('PMI', 'OMPI_COMM', 'MPI_LOCAL')):
            del environment[name]
    return subprocess.run([launcher, *options, '-n', str(ranks), LIGHTCONE, 'record', '--no-calibrate', *arguments],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)


@test
def all_ranks_are_in_one_trace():
    said, statuses = run_all(program('known'))
    equal(statuses, [0] * RANKS, 'the statuses')
    equal(said, 'lightcone: out.trace: 12 processes, 212 events, 0 lost\n', 'what is said')
    equal(operations()['lock'], RANKS * 20, 'locks')
    equal(info()['state'], 'complete')
    equal(os.path.exists('out.trace/.lock') or os.path.exists('out.trace/.control'), False, 'what is left over')


@test
def launchers_start_ranks_that_record_together():
    for kind in ('openmpi', 'mpich'):
        result = mpirun(kind, RANKS, '-o', f'{kind}.trace', '--', program('known'))
        equal(result.returncode, 0, f'the status ({result.stderr})')
        equal(result.stderr, f'lightcone: {kind}.trace: 12 processes, 212 events, 0 lost\n', 'what is said')
        equal(settings(f'{kind}.trace/trace.ini')['trace']['status'], 'exit 0')


@test
def without_a_name_all_ranks_find_the_same_one():
    os.mkdir('known.trace')
    with open('known.trace/notes', 'w', encoding='utf-8'):
        pass
    result = mpirun('mpich', 3, '--', program('known'))
    equal(result.stderr, 'lightcone: known-2.trace: 9 processes, 159 events, 0 lost\n', 'what is said')
    equal(sorted(os.listdir('.')), ['known-2.trace', 'known.trace'])


@test
def each_rank_ends_as_its_program_does():
    ranks = [begin(rank, 'sh', '-c', f'exit {rank}') for rank in range(3)]
    ranks.append(begin(3, 'sh', '-c', 'kill -9 $$'))
    said, statuses = end(ranks)
    equal(statuses, [0, 1, 2, -signal.SIGKILL], 'the statuses')
    contains(said, 'out.trace: 4 processes, ')
    equal(said.count('\n'), 1, 'lines')
    assert settings('out.trace/trace.ini')['trace']['status'] in ('exit 1', 'exit 2', 'signal 9')


@test
def a_rank_may_end_before_another_begins():
    first = begin(0, 'true', ranks=2)
    time.sleep(1)
    equal(first.poll(), None, 'the first rank, which waits')
    said, statuses = end([first, begin(1, 'true', ranks=2)])
    equal((said, statuses), ('lightcone: out.trace: 2 processes, 2 events, 0 lost\n', [0, 0]))


@test
def a_rank_that_is_alone_does_not_wait_when_it_is_told_to_end():
    rank = begin(0, 'true', ranks=2)
    eventually(lambda: os.path.exists('out.trace/heads-0'), 'the program')
    time.sleep(0.5)
    begun = time.monotonic()
    rank.terminate()
    said, statuses = end([rank])
    assert time.monotonic() - begun < 5, 'it waits for others'
    equal((said, statuses), ('lightcone: out.trace: 1 process, 1 event, 0 lost\n', [0]))


@test
def another_jobs_trace_stays_and_one_rank_says_so():
    run_all('true')
    before = sorted(os.listdir('out.trace'))
    result = mpirun('openmpi', RANKS, '-o', 'out.trace', '--', 'true')
    equal(result.returncode, 2, 'the status')
    equal(result.stderr.count('lightcone: '), 1, f'messages in {result.stderr}')
    contains(result.stderr, 'out.trace: there is something in this directory')
    # The launcher ends the others at once, perhaps while one holds the lock.
    equal(sorted(set(os.listdir('out.trace')) - {'.lock'}), before, 'what is there')


@test
def wrong_usage_is_told_by_one_rank():
    for kind in 'openmpi', 'mpich':
        for arguments, what in ((('--wrong', '--', 'true'), 'Unknown option --wrong'),
                                (('--depth=-1', '--', 'true'), '--depth can be'), ((), 'PROGRAM ARGS... is missing'),
                                (('--', 'no-such-program'), 'there is no such program')):
            begun = time.monotonic()
            result = mpirun(kind, RANKS, *arguments)
            equal(result.returncode, 127 if 'no such' in what else 2, f'the status of {arguments}')
            equal(result.stderr.count('lightcone: '), 1, f'messages in {result.stderr}')
            contains(result.stderr, what)
            equal(time.monotonic() - begun < 20, True, 'nobody waits')


@test
def a_replaced_trace_is_replaced_once():
    run_all(program('known'))
    for turn in range(5):
        said, statuses = run_all(program('known'), options=['--replace'], job=f'job-{turn + 2}')
        equal((said, statuses),
              ('lightcone: out.trace: 12 processes, 212 events, 0 lost\n', [0] * RANKS), f'turn {turn}')


@test
def a_recorder_that_is_killed_leaves_the_rest():
    ranks = [begin(rank, 'sleep', '2') for rank in range(RANKS)]
    child = child_of(ranks[0].pid)
    time.sleep(0.5)
    os.kill(ranks[0].pid, signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    said, statuses = end(ranks)
    equal(statuses, [-signal.SIGKILL, 0, 0, 0], 'the statuses')
    equal(said, 'lightcone: out.trace: 4 processes, 3 events, 0 lost\n', 'what is said')
    equal(info()['state'], 'complete')


@test
def a_job_whose_recorders_are_all_killed_is_recovered():
    ranks = [begin(rank, 'sleep', '60') for rank in range(2)]
    children = [child_of(rank.pid) for rank in ranks]
    time.sleep(0.5)
    equal(lightcone('info', '--no-merge', 'out.trace').stdout.count('being recorded'), 1, 'the state')
    for process in [rank.pid for rank in ranks] + children:
        os.kill(process, signal.SIGKILL)
    end(ranks)
    eventually(lambda: not any(is_alive(child) for child in children), 'the end of the programs')
    contains(lightcone('info', '--no-merge', 'out.trace').stdout, 'complete, closed afterwards')
    equal(os.path.exists('out.trace/.control'), False, 'the control block')


@test
def each_host_has_a_part_of_its_own():
    ranks = [begin(rank, program('known'), options=['--host', f'node-{rank % 2}'], ranks=4) for rank in range(RANKS)]
    said, statuses = end(ranks)
    equal(statuses, [0] * RANKS, 'the statuses')
    equal(sorted(said.splitlines()), [f'lightcone: out.trace/host-node-{i}: 6 processes, 106 events, 0 lost'
                                      for i in range(2)], 'what is said')
    equal(sorted(os.listdir('out.trace')), ['host-node-0', 'host-node-1', 'trace.ini'])
    equal(settings('out.trace/trace.ini')['trace']['title'], 'known')
    equal(operations()['lock'], RANKS * 20, 'locks of all hosts')
    equal([process['host'] for process in info()['process']], ['node-0'] * 6 + ['node-1'] * 6)
    result = lightcone('check', 'out.trace')
    # That something is unseen may be told too, where the dynamic linker read from a disk that was busy.
    equal(result.returncode, 0, result.stdout)
    equal(bool(re.search('nothing (else )?is wrong', result.stdout)), True, result.stdout)


@test
def a_part_is_made_when_the_job_has_other_hosts():
    said, _ = end([begin(rank, 'true', ranks=8, local=2) for rank in range(2)])
    contains(said, f'out.trace/host-{os.uname().nodename}: 2 processes')


@test
def a_trace_of_several_hosts_is_replaced_as_a_whole():
    end([begin(0, 'true', options=['--host', 'old'], ranks=2), begin(1, 'true', options=['--host', 'older'], ranks=2)])
    said, statuses = end([begin(rank, 'true', options=['--host', 'new'], ranks=2, job='job-2') for rank in range(2)])
    equal(statuses, [2, 2], f'the statuses ({said})')
    contains(said, 'there is something in this directory')
    said, statuses = end([begin(rank, 'true', options=['--replace', '--host', f'new-{rank}'], ranks=2, job='job-2')
                          for rank in range(2)])
    equal(statuses, [0, 0], f'the statuses ({said})')
    equal(sorted(os.listdir('out.trace')), ['host-new-0', 'host-new-1', 'trace.ini'])


@test
def parts_that_were_abandoned_are_recovered():
    rank = begin(0, 'sleep', '60', options=['--host', 'node'], ranks=2)
    child = child_of(rank.pid)
    eventually(lambda: os.path.exists('out.trace/host-node/heads-0'), 'the program')
    contains(lightcone('info', '--no-merge', 'out.trace').stdout, 'being recorded')
    os.kill(rank.pid, signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    end([rank])
    eventually(lambda: not is_alive(child), 'the end of the program')
    contains(lightcone('info', '--no-merge', 'out.trace').stdout, 'complete, closed afterwards')
    equal(os.path.exists('out.trace/host-node/.control'), False, 'the control block')


@test
def bad_names_are_refused():
    for option, what in (('--host=a/b', 'cannot be a part'), ('--host=', 'cannot be a part'),
                         ('--mpi=lam', 'openmpi or mpich')):
        result = lightcone('record', option, '--', 'true')
        equal(result.returncode, 2, f'the status of {option}')
        contains(result.stderr, what)


main()
