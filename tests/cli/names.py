#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names that a user gives to objects and processes in a file, and how a history keeps them."""
import json
import os

from cli import contains, equal, lightcone, main, record, test

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
PROGRAMS = os.environ['LIGHTCONE_TEST_PROGRAMS']
TRACE = {'a': '%process worker-1\n0 10 lock m 1 at=put@src/pipe.cpp:7\n20 25 unlock m 1 at=put@src/pipe.cpp:9\n',
         'b': '%process worker-2\n5 30 lock m 2 at=get@src/pipe.cpp:12\n40 45 unlock m 2\n50 60 lock n 1\n'}


def write(name, text):
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)


def make(name='t'):
    os.mkdir(name)
    for process, lines in TRACE.items():
        write(f'{name}/{process}.events', '%lightcone-events 1\n' + lines)


def run(*arguments, status=0, **variables):
    result = lightcone(*arguments, env={**os.environ, **variables})
    equal(result.returncode, status, result.stderr)
    return result


def merge(*options, trace='t', **variables):
    return json.loads(run('merge', '--json', *options, trace, **variables).stdout)['made']


def names(kind, trace='t', **variables):
    rows = json.loads(run('sql', '--json', trace, f'SELECT name FROM {kind} ORDER BY id', **variables).stdout)
    return [row['name'] for row in rows]


def locks(**variables):
    return [name for name in names('object', **variables) if not name.startswith('worker')]


@test
def objects_and_processes_have_the_names_of_the_file():
    make()
    write('n.ini', '# mine\n[objects]\nthe queue = m; other\n[processes]\nreader = worker-2\n')
    equal(merge('--names', 'n.ini'), True)
    equal(locks(), ['the queue', 'n'])
    equal(names('process'), ['worker-1', 'reader'])
    contains(run('stats', 't', 'waiting').stdout, 'reader')


@test
def names_are_by_variable_by_line_and_by_function_of_a_program():
    record(f'{EXAMPLES}/bounded-buffer')
    trace = 'out.trace'
    places = json.loads(run('sql', '--json', trace, 'SELECT o.name AS name, s.line AS line FROM object o JOIN stack k '
                            'ON k.id = o.stack JOIN site s ON s.id = k.own').stdout)
    line = {row['name']: row['line'] for row in places}
    began = json.loads(run('sql', '--json', trace, 'SELECT p.name AS name, s.function AS function FROM process p '
                           'JOIN stack k ON k.id = p.start JOIN site s ON s.id = k.site').stdout)
    function = next(row['function'] for row in began if row['name'] == 'consumer 1')
    write('n.ini', f'[objects]\nroom = bounded-buffer.c:{line["free_places"]}\n'
                   f'things = examples/bounded-buffer.c:{line["filled_places"]}\n'
                   'the lock = lock\ncalls = not_empty; not_full\n[processes]\nstart = bounded-buffer\n'
                   f'eater = {function}\n')
    merge('--names', 'n.ini', trace=trace)
    found = names('object', trace)
    equal([name for name in found if name in ('room', 'things', 'the lock', 'calls 1', 'calls 2')],
          ['room', 'things', 'the lock', 'calls 1', 'calls 2'], 'the objects')
    equal(names('process', trace), ['start', 'eater 1', 'eater 2', 'producer 1', 'producer 2'])
    contains(run('stats', trace, 'objects').stdout, 'the lock')


@test
def a_history_keeps_the_file_and_is_made_again_when_it_changes():
    make()
    write('n.ini', '[objects]\nfirst = m\n')
    equal(merge('--names', 'n.ini'), True)
    equal((merge(), locks()), (False, ['first', 'n']), 'without the option')
    write('n.ini', '[objects]\nsecond = m\n')
    equal((merge(), locks()), (True, ['second', 'n']), 'when it has changed')
    equal((merge('--again'), locks()), (True, ['second', 'n']), 'merged again')
    os.remove('n.ini')
    equal((merge(), locks()), (False, ['second', 'n']), 'when it has gone')
    with open('t/b.events', 'a', encoding='utf-8') as file:
        file.write('70 80 unlock n 1\n')
    equal((merge(), locks()), (True, ['second', 'n']), 'of a trace that has grown')
    equal((merge('--names', ''), locks()), (True, ['m', 'n']), 'when there are to be none')
    equal(merge(), False)


@test
def the_environment_names_a_file_for_every_command():
    make()
    write('e.ini', '[objects]\nqueue = m\n')
    write('n.ini', '[objects]\nmine = m\n')
    contains(run('stats', 't', 'objects', LIGHTCONE_NAMES='e.ini').stdout, 'queue')
    merge('--names', 'n.ini', LIGHTCONE_NAMES='e.ini')
    equal(locks(), ['mine', 'n'], 'the option comes first')
    equal(locks(LIGHTCONE_NAMES=''), ['m', 'n'])


@test
def a_file_that_is_wrong_is_refused_with_what_is_wrong():
    make()
    merge()
    write('old.ini', '[objects]\nold = m\n')
    merge('--names', 'old.ini')
    for text, part in (('[object]\nx = m\n', 'a group is [objects] or [processes]'), ('x = m\n', 'start with a group'),
                       ('[objects]\nx = m\ny = m\n', '“m” has two names, x and y'),
                       ('[objects]\n' + 'x' * 201 + ' = m\n', 'longer than 200 bytes'),
                       ('[objects]\nx\n', 'n.ini'), ('[objects]\n' + '#' * (1 << 20), 'n.ini')):
        write('n.ini', text)
        error = run('merge', '--names', 'n.ini', 't', status=2).stderr
        contains(error, 'n.ini: ')
        contains(error, part)
        equal(error.count('\n'), 1, error)
    with open('n.ini', 'wb') as file:
        file.write(b'[objects]\nx = y\xff\n')
    contains(run('merge', '--names', 'n.ini', 't', status=2).stderr, 'UTF-8')
    contains(run('merge', '--names', 'nowhere.ini', 't', status=2).stderr, 'nowhere.ini')
    os.mkfifo('pipe')
    contains(run('merge', '--names', 'pipe', 't', status=2).stderr, 'pipe')
    equal(locks(), ['old', 'n'], 'what was there')
    write('old.ini', '[objects\n')
    contains(run('info', 't').stdout, 'worker-1')
    contains(run('stats', 't', 'objects', status=2).stderr, '--names gives others')


@test
def objects_on_the_heap_have_the_same_names_in_every_run():
    """Each mutex is known by how many events it has; who comes first to it is another one in each run."""
    runs, firsts = [], set()
    for seed in range(20):
        record(f'{PROGRAMS}/heap-names', str(seed), output='heap.trace')
        rows = json.loads(run('sql', '--json', 'heap.trace', "SELECT o.events AS events, o.name AS name, s.function AS "
                              "first FROM object o JOIN stack k ON k.id = o.stack JOIN site s ON s.id = k.own "
                              "WHERE o.class = 'mutex' ORDER BY o.events").stdout)
        runs.append({row['events']: row['name'] for row in rows})
        firsts.add(tuple(row['first'] for row in rows))
    equal(len(runs[0]), 15, 'mutexes')
    equal(len(set(runs[0].values())), 15, 'different names')
    for seed, names_of_run in enumerate(runs):
        equal(names_of_run, runs[0], f'names with seed {seed}')
    equal(len(firsts) > 1, True, 'whether others came first')
    equal([runs[0][40 + 2 * i].split()[-1] for i in range(4)], ['1', '2', '3', '4'], 'locks of one worker each')
    equal([runs[0][8 * (100 + 10 * k)].split()[-1] for k in range(6)], [str(k + 1) for k in range(6)], 'of an array')
    contains(runs[0][800], 'mutex of put heap-names.c:')


@test
def futexes_are_named_by_where_they_are():
    equal(record(f'{PROGRAMS}/futex-names', output='futex.trace').returncode, 0)
    rows = json.loads(run('sql', '--json', 'futex.trace', "SELECT name FROM object WHERE class = 'futex'").stdout)
    names = sorted(row['name'] for row in rows)
    equal(len(names), 2, 'words that somebody has slept at')
    equal(names[0], 'door', 'the static one')
    contains(names[1], 'futex-names.c:')
    assert names[1].startswith(('futex of sleep_at ', 'futex of wake_at ')), names


if __name__ == '__main__':
    main()
