#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run ends when its program ends, and waiting that was not recorded is told by everything that tells waiting."""
import json
import os
import shutil

from cli import contains, equal, info, lightcone, main, program, record, test
from tables import WAIT, WAIT_SETTINGS, run, write

MS = 1000000
COLUMNS = 'followed, running, runnable, blocked, switches, preemptions, unseen, unseen_waits'


def holds(condition, what):
    equal(bool(condition), True, what)


def get_stolen():
    """ns in which a virtual machine's processors were given to others. The kernel counts that as nothing at all, so
    that a process which computed then seems to have been blocked."""
    with open('/proc/stat', encoding='ascii') as file:
        return int(file.readline().split()[8]) * 1000 * MS // os.sysconf('SC_CLK_TCK')


def recorded(how, name):
    """The trace, and what is known of its processes: main and one thread. In `stolen`, how long they may have had no
    processor without the kernel's knowing; of several runs the first is taken where that is 0, or the last one."""
    for _ in range(12):
        shutil.rmtree(name, ignore_errors=True)
        before = get_stolen()
        record(program('unseen'), how, output=name)
        stolen = get_stolen() - before
        if stolen == 0:
            break
    found = info(name)
    equal(len(found['process']), 2, name)
    found['stolen'] = stolen + 20 * MS if stolen > 0 else 0  # told in steps of 10 ms for each of the processors
    return found


@test
def a_run_ends_with_its_program():
    found = recorded('seen', 'tail.trace')
    first = found['process'][0]
    equal(first['end'], found['span']['end'], 'main ends last')
    holds(first['end'] - found['process'][1]['end'] >= 119 * MS, f'what main did after its last event: {found}')
    path = json.loads(run('critical-path', 'tail.trace', '--json'))
    holds(path['length'] >= 195 * MS, f'from the begin to the end: {path}')
    rows = json.loads(run('stats', 'tail.trace', 'waiting', '--json'))['process']
    # On a machine that is busy with others it would go on, but has no processor.
    holds(rows[0]['running'] + rows[0]['preempted'] >= 119 * MS and rows[0]['waiting'] >= 60 * MS,
          f'main runs on: {rows[0]}')
    text = run('sql', 'tail.trace', "SELECT operation, begin = (SELECT \"end\" FROM process WHERE id = 0) AS is_end"
               " FROM event WHERE process = 0 ORDER BY ordinal DESC LIMIT 1", '--csv')
    contains(text, 'exit,1')


@test
def a_run_begins_with_its_program():
    recorded('seen', 'begin.trace')
    followed = json.loads(run('sql', 'begin.trace', 'SELECT followed, begin < (SELECT min(begin) FROM event WHERE'
                              ' process = id) AS before FROM process ORDER BY id', '--json'))
    equal([(row['followed'], row['before']) for row in followed], [(1, 1), (0, 0)], 'main begins before its events')


@test
def what_is_recorded_is_not_unseen():
    found = recorded('seen', 'seen.trace')
    for process in found['process']:
        holds(process['blocked'] >= 60 * MS, f'the kernel knows of it: {process}')
        holds(process['unseen'] <= process['blocked'] / 20 + found['stolen'], f'and it was recorded: {process}')
    if found['stolen'] > 0:
        return
    result = lightcone('check', 'seen.trace')
    equal((result.returncode, result.stderr), (0, ''), 'check')
    holds('unseen' not in result.stdout and 'nothing is wrong' in result.stdout, result.stdout)


def waits_to_its_end(name, *how):
    """What main and a thread that still waits on a condition did in a run that ended like this."""
    record(program('unseen'), 'pending', *how, output=name)
    first, thread = info(name)['process']
    pending = thread['pending']
    equal((pending['operation'], pending['object_name']), ('condition-wait', 'condition'), name)
    equal((first['pending'], thread['end']), (None, first['end']), 'both end with the program')
    long = thread['end'] - pending['begin']
    holds(long >= 119 * MS, f'it waits while main runs on: {thread}')
    row = json.loads(run('stats', name, 'waiting', '--json'))['process'][1]
    equal((row['longest'], row['longest_ordinal'], row['longest_object_name']),
          (long, thread['events'] - 1, 'condition'), f'of {row}')
    holds(row['waiting'] >= long, f'it waits: {row}')
    equal(row['running'] + row['waiting'] + row['woken'] + row['preempted'] + row['outside'], row['span'], f'of {row}')
    states = json.loads(run('sql', name, 'SELECT state, sum("end" - begin) AS time FROM state WHERE process = 1 AND '
                            f'begin >= {pending["begin"]} GROUP BY state', '--json'))
    equal(states, [{'state': 'waiting', 'time': long}], 'to its end')
    total = json.loads(run('stats', name, 'parallelism', '--json'))
    whole = json.loads(run('stats', name, 'waiting', '--json'))['process']
    equal(total['running_total'], sum(each['running'] for each in whole), 'who waits does not run')
    path = json.loads(run('critical-path', name, '--json'))
    holds('pending' not in path and path['process'][0]['id'] == 0, f'main made it so long: {path}')
    ends = {each['end'] for each in json.loads(run('approximate', name, '--json'))['processes']}
    equal(len(ends), 1, 'without the measurement both end with the program, too')


@test
def who_is_left_waiting_has_waited():
    waits_to_its_end('left.trace')


@test
def who_is_killed_waiting_has_waited():
    waits_to_its_end('slain.trace', 'killed')


@test
def a_path_that_ends_in_vain_says_so():
    write('vain', {'a': '0 5 tag value=1\n%pending 20 100 lock L 1\n', 'b': '0 10 tag value=1\n'})
    equal(json.loads(run('critical-path', 'vain', '--json'))['pending'], 0)
    contains(run('critical-path', 'vain'), 'ends with a, which was blocked in lock since 20 ns, and to its end.')


@test
def an_approximation_warns_of_what_is_unseen():
    recorded('', 'doubtful.trace')
    warnings = json.loads(run('approximate', 'doubtful.trace', '--json'))['warnings']
    holds(any('blocked on something that no event explains' in warning for warning in warnings), warnings)
    contains(run('info', 'doubtful.trace'), 'Timeline event: For ')
    found = recorded('seen', 'sure.trace')
    warnings = json.loads(run('approximate', 'sure.trace', '--json'))['warnings']
    holds(found['stolen'] > 0 or not any('no event explains' in warning for warning in warnings), warnings)


@test
def an_approximation_warns_of_too_few_processors():
    if shutil.which('taskset') is None:
        return
    example = os.path.join(os.environ['LIGHTCONE_EXAMPLES'], 'contention')
    record('taskset', '-c', str(min(os.sched_getaffinity(0))), example, '--threads', '3', '--shape', 'queue', '--work',
           '300', '--rounds', '5000', output='crowded.trace')
    warnings = json.loads(run('approximate', 'crowded.trace', '--json'))['warnings']
    holds(any('ready but had no processor' in warning for warning in warnings), warnings)
    warnings = json.loads(run('approximate', 'crowded.trace', '--set', 'preemption=remove', '--json'))['warnings']
    holds(not any('ready but had no processor' in warning for warning in warnings), warnings)


@test
def what_is_not_recorded_is_unseen():
    found = recorded('', 'unseen.trace')
    thread = found['process'][1]
    # Where the machine is busy with others, part of the 80 ms is spent ready.
    holds(75 * MS <= thread['unseen'] + thread['runnable'] and thread['unseen'] <= thread['blocked'],
          f'20 waits of 4 ms: {thread}')
    holds(19 <= thread['unseen_waits'] <= 25, f'20 waits: {thread}')
    holds(found['process'][0]['unseen'] <= 20 * MS + found['stolen'], f'main waited in a join: {found["process"][0]}')
    equal(found['unseen_total'], sum(process['unseen'] for process in found['process']), 'the sum')
    contains(run('info', 'unseen.trace'), 'blocked\n')
    check = json.loads(run('check', 'unseen.trace', '--json'))
    told = [(row['process'], row['unseen']) for row in check['unseen'] if found['stolen'] == 0 or row['process'] == 1]
    equal(told, [(1, thread['unseen'])], 'check')
    equal(check['clean'], True, 'it is no fault of the trace')
    contains(run('check', 'unseen.trace'), 'unseen: ')
    rows = json.loads(run('stats', 'unseen.trace', 'waiting', '--json'))['process']
    # By the scheduler's switches a thread is blocked until it runs again, which may be later than when it is woken; and
    # on a machine that is busy with others, what the kernel counts as running before that takes long.
    for row, process in zip(rows, found['process'], strict=True):
        most = process['unseen'] + process['runnable'] + process['running'] + MS
        least = process['unseen'] - 20 * MS - found['stolen']  # what is stolen is told in steps
        holds(least <= row['unseen'] <= most, f'stats: {row}, and the kernel: {process}')
    problem = json.loads(run('sql', 'unseen.trace', "SELECT severity, process FROM problem WHERE kind = 'unseen'"
                             ' ORDER BY process DESC LIMIT 1', '--json'))
    equal(problem, [{'severity': 'note', 'process': 1}])


@test
def threads_that_are_left_end_with_the_program():
    found = recorded('left', 'left.trace')
    first, thread = found['process']
    equal(thread['end'], first['end'], 'both end together')
    # When processors are busy it is ready for as long, rather than blocked.
    holds(thread['unseen'] >= 0.9 * thread['blocked'], f'it was asked about: {thread}')
    holds(thread['unseen'] + thread['runnable'] >= 3 * MS * (thread['unseen_waits'] - 3), f'waits of 4 ms: {thread}')
    known = thread['running'] + thread['runnable'] + thread['blocked']
    # It was ready from when main made it on, which may be long before its first instruction.
    least, most = 0.9 * (thread['end'] - thread['begin']), 1.1 * (thread['end'] - first['begin'])
    holds(least <= known <= most, f'the kernel knows of all its life: {thread}')


@test
def killed_programs_end_when_they_were_killed():
    found = recorded('killed', 'killed.trace')
    first = found['process'][0]
    holds(first['end'] - found['process'][1]['end'] >= 119 * MS, f'main was killed later: {found}')
    equal(first['state'], 'cut', 'state')


@test
def what_nobody_asked_is_not_known():
    write('text.trace', WAIT, WAIT_SETTINGS)
    for process in info('text.trace')['process']:
        equal([process[key] for key in COLUMNS.split(', ')[1:]], [None] * 7, 'a text trace')
    equal(info('text.trace')['unseen_total'], None, 'nothing is known')
    rows = json.loads(run('sql', 'text.trace', f'SELECT {COLUMNS} FROM process', '--json'))
    equal({tuple(row.values()) for row in rows}, {(0,) + (None,) * 7}, 'null, not 0')
    holds('Unseen' not in run('info', 'text.trace'), 'info')


main()
