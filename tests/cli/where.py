#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where in the code events and objects are: as the programs say of themselves, compiled in several ways."""
import json
import os
import platform
import re
import shutil
import struct
import subprocess
from random import Random

from cli import COUNTED, LIGHTCONE, PATIENCE, Skip, contains, equal, info, lightcone, main, program, record, test

SOURCES = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = int(os.environ.get('LIGHTCONE_WHERE_LIBRARIES', '60'))


def ask(query, trace='out.trace'):
    result = lightcone('sql', '--json', trace, query)
    equal(result.returncode, 0, result.stderr)
    return json.loads(result.stdout)


def sites(operation, trace='out.trace'):
    """(function, line) -> how many events of this operation."""
    rows = ask(f"""SELECT function, line, count(*) AS n FROM event JOIN site ON site.id = event.site
                   WHERE operation IN ({', '.join(f"'{name}'" for name in operation.split())}) GROUP BY 1, 2""", trace)
    return {(row['function'], row['line']): row['n'] for row in rows}


def said(output):
    """The same, as the program prints it."""
    lines = [line.split() for line in output.splitlines()]
    return {(function, int(line)): int(times) for function, line, times in lines}


def names(class_name, trace='out.trace'):
    return {row['name'] for row in ask(f"SELECT name FROM object WHERE class = '{class_name}'", trace)}


def frames(stack, trace='out.trace'):
    """The functions of a stack, innermost first."""
    rows = ask(f"""WITH RECURSIVE up (id, depth) AS (SELECT {stack}, 0 UNION ALL SELECT parent, depth + 1
                   FROM up JOIN stack USING (id) WHERE parent IS NOT NULL)
                   SELECT function FROM up JOIN stack USING (id) JOIN site ON site.id = site ORDER BY depth""", trace)
    return [row['function'] for row in rows]


def line_of(file, marker):
    """The line of a source that has a marker."""
    with open(os.path.join(SOURCES, file), encoding='utf-8') as source:
        return next(number for number, line in enumerate(source, 1) if marker in line)


def run(name, *options, arguments=()):
    result = record(program(name), *arguments, options=('-q', *options))
    equal((result.returncode, result.stderr), (0, ''), name)
    return result.stdout


def run_c(name, *options):
    return run(name, *options, arguments=(program('libwhere-first.so'), program('libwhere-second.so'), str(LIBRARIES)))


def is_as_said(output, operation='lock'):
    found, expected = sites(operation), said(output)
    for place, times in expected.items():
        equal(found.get(place), times, f'{place} among {sorted(found, key=str)}')


@test
def every_lock_is_at_the_line_that_the_program_names():
    """Signal handlers, other stacks, a stack that is full, libraries that replace one another, children."""
    is_as_said(run_c('where-c-O2'))


@test
def and_without_optimization():
    is_as_said(run_c('where-c-O0'))


@test
def and_with_frame_pointers_instead_of_tables():
    is_as_said(run_c('where-c-no-tables'))


@test
def and_when_all_stacks_are_recorded_or_only_calls():
    is_as_said(run_c('where-c-O2', '--stacks', 'all'))
    equal({row['kind'] for row in ask("SELECT DISTINCT kind FROM stack JOIN event ON event.stack = stack.id "
                                      "WHERE operation = 'lock'")} & {'call'}, set(), 'bare calls')
    is_as_said(run_c('where-c-O2', '--stacks', 'none'))
    equal([row['kind'] for row in ask("SELECT DISTINCT kind FROM stack JOIN event ON event.stack = stack.id "
                                      "WHERE operation = 'lock'")], ['call'], 'stacks')


@test
def without_sites_there_are_none():
    run_c('where-c-O2', '--no-sites')
    equal(ask('SELECT count(*) AS n FROM stack'), [{'n': 0}])
    equal(ask('SELECT count(*) AS n FROM event WHERE site IS NOT NULL'), [{'n': 0}])
    result = lightcone('record', '--stacks', 'some', '--', 'true')
    equal(result.returncode, 2)
    contains(result.stderr, '--stacks')
    result = lightcone('record', '--stacks', 'all', '--no-sites', '--', 'true')
    equal(result.returncode, 2)


@test
def waits_and_who_ends_them_have_whole_stacks():
    run_c('where-c-O2')
    (wait,) = ask("SELECT stack, basis_process AS process, basis_ordinal AS ordinal FROM event JOIN site ON site.id = "
                  "event.site WHERE operation = 'lock' AND function = 'contended'")
    equal(frames(wait['stack'])[:2], ['contended', 'main'])
    (release,) = ask(f"SELECT operation, stack FROM event WHERE process = {wait['process']} AND "
                     f"ordinal = {wait['ordinal']}")
    equal(release['operation'], 'unlock')
    stack = frames(release['stack'])
    equal(stack[0], 'keep')
    assert len(stack) > 1, 'a bare call'
    equal({row['name'] for row in ask('SELECT name FROM process')} >= {'keep'}, True, 'the name of the thread')


@test
def a_deep_stack_is_cut():
    run_c('where-c-O2', '--stacks', 'all')
    (row,) = ask("SELECT stack FROM event JOIN site ON site.id = event.site WHERE operation = 'lock' AND "
                 "function = 'descend'")
    stack = frames(row['stack'])
    equal(set(stack), {'descend'})
    assert 50 < len(stack) < 200, len(stack)


@test
def a_stack_that_cannot_be_followed_ends_there_and_says_so():
    """Code that a program made itself has no tables, and its frame pointer is rubbish; a coroutine has no caller."""
    if platform.machine() != 'x86_64':
        raise Skip('the program makes code of another processor')
    run_c('where-c-O2', '--stacks', 'all')
    made = ask('SELECT event.operation, stack.kind, stack.parent, site.function FROM event '
               'JOIN stack ON stack.id = event.stack JOIN site ON site.id = stack.site '
               'WHERE site.module IS NULL ORDER BY event.process, ordinal')
    equal(made, [{'operation': operation, 'kind': 'cut', 'parent': None, 'function': None}
                 for operation in ('lock', 'unlock')])
    equal(outermost_kind('on_another_stack'), 'cut')
    equal(outermost_kind('heap'), 'root')
    equal(info()['lost'], 0, 'lost')


def outermost_kind(function):
    """Of the stack of a function's lock."""
    (row,) = ask(f"""WITH RECURSIVE up (id) AS (SELECT * FROM (SELECT event.stack FROM event
                     JOIN site ON site.id = event.site WHERE operation = 'lock' AND function = '{function}' LIMIT 1)
                     UNION ALL SELECT parent FROM up JOIN stack USING (id) WHERE parent IS NOT NULL)
                     SELECT kind FROM up JOIN stack USING (id) WHERE parent IS NULL""")
    return row['kind']


@test
def libraries_that_come_and_go_are_told_apart():
    """Each comes to an address that another had; what is known of it does not grow with how often."""
    few = pieces(4)
    many = pieces(10000 if os.environ.get('LIGHTCONE_HARM') == 'all' else 500)
    assert many['sites'] < few['sites'] + 20, f'{many} after {few}'
    equal(many['modules'], few['modules'], 'the modules')


def pieces(times):
    output = subprocess.run([LIGHTCONE, 'record', *COUNTED, '--replace', '-q', '-o', 'out.trace', '--',
                             program('where-c-O2'), program('libwhere-first.so'), program('libwhere-second.so'),
                             str(times)], capture_output=True, text=True, check=True, timeout=4 * PATIENCE).stdout
    is_as_said(output)
    equal(info()['lost'], 0, 'lost')
    (found,) = ask('SELECT (SELECT count(*) FROM site) AS sites, (SELECT count(*) FROM module) AS modules')
    return found


@test
def objects_have_the_names_of_their_variables():
    """The child has a copy of one of them, so there are two of that name."""
    run_c('where-c-O2')
    found = names('mutex')
    for name in 'single 1', 'several[0]', 'several[1]', 'several[2]', 'outer.inner[1].lock':
        assert name in found, f'{name} is not among {found}'
    assert any('local' in name for name in found), found
    made = [name for name in found if 'heap' in name and 'where-c.c' in name]
    equal(len(made), 2, f'made in heap() among {found}')


@test
def objects_have_the_names_that_the_program_gives_them():
    """And the library that programs link for that is looked through as others are."""
    is_as_said(run('where-named'), 'lock read-start')
    found = names('mutex')
    for name in 'input queue', 'output queue', 'for now':
        assert name in found, f'{name} is not among {found}'
    equal(len([name for name in found if 'main' in name and 'where-named.c' in name]), 1,
          f'without a name among {found}')
    equal(names('crew'), {'crew'})


@test
def the_c_plus_plus_library_is_looked_through():
    if not os.path.exists(program('where-cpp-O2')):
        raise Skip('there is no C++ compiler')
    for name in 'where-cpp-O2', 'where-cpp-O0':
        output = run(name)
        found, file = sites('lock'), 'where-cpp.cpp'
        for function, marker in (('put', 'put 1'), ('get', 'get 1')):
            equal(found.get((f'Queue<int>::{function}', line_of(file, marker)), 0) >= 100, True,
                  f'{name}: lock in {function} among {found}')
        found = sites('unlock')
        for function, marker in (('put', 'put 2'), ('get', 'get 2')):
            equal(found.get((f'Queue<int>::{function}', line_of(file, marker)), 0) >= 100, True,
                  f'{name}: unlock in {function} among {found}')
        equal(sites('signal').get(('Queue<int>::put', line_of(file, 'notify_one'))), 100, f'{name}: signals')
        reads, writes = said(output)
        equal(sites('read-start').get(reads), 1, f'{name}: {sites("read-start")}')
        equal(sites('write-start').get(writes), 1, f'{name}: {sites("write-start")}')
        found = names('mutex') | names('condition') | names('crew')
        for object_name in 'shop::orders.mutex', 'shop::orders.filled', 'shop::prices', 'shop::counter':
            assert object_name in found, f'{name}: {object_name} is not among {found}'
        equal({row['name'] for row in ask('SELECT name FROM process')} >= {'serve'}, True, f'{name}: the thread')


@test
def a_stripped_program_has_places_in_its_file():
    if shutil.which('strip') is None:
        raise Skip('there is no strip')
    subprocess.run(['strip', '-o', 'where-stripped', program('where-c-O2')], check=True)
    result = record('./where-stripped', program('libwhere-first.so'), program('libwhere-second.so'), '2',
                    options=('-q',))
    equal((result.returncode, result.stderr), (0, ''))
    rows = ask("SELECT DISTINCT function, line, path, site.offset FROM event JOIN site ON site.id = event.site "
               "JOIN module ON module.id = module WHERE operation = 'lock'")
    ours = [row for row in rows if row['path'].endswith('where-stripped')]
    assert len(ours) >= 8, rows
    equal({row['line'] for row in ours}, {None})
    text = lightcone('stats', 'out.trace', 'sites').stdout
    assert re.search(r'0x[0-9a-f]+ in where-stripped', text), text
    contains(lightcone('info', 'out.trace').stdout, '-g')


@test
def calls_of_one_function_without_lines_are_one_row():
    if shutil.which('strip') is None:
        raise Skip('there is no strip')
    subprocess.run(['strip', '-g', '-o', 'where-symbols', program('where-c-O0')], check=True)
    result = record('./where-symbols', program('libwhere-first.so'), program('libwhere-second.so'), '2',
                    options=('-q',))
    equal((result.returncode, result.stderr), (0, ''))
    places = ask("SELECT function, count(DISTINCT site.offset) AS n FROM event JOIN site ON site.id = event.site "
                 "JOIN module ON module.id = module WHERE line IS NULL AND path LIKE '%where-symbols' "
                 "GROUP BY function")
    assert max(row['n'] for row in places if row['function'] is not None) > 1, places
    rows = json.loads(lightcone('stats', 'out.trace', 'sites', '--json').stdout)['site']
    found = [row['site'] for row in rows if row['line'] is None]
    equal(sorted(found), sorted(set(found)))
    equal(len([name for name in found if name.endswith(' in where-symbols')]), len(places))


def sections_of(path):
    """Where in a file its debugging information is: [(begin, end)]."""
    with open(path, 'rb') as file:
        image = file.read()
    (table,), (size, n, of_names) = struct.unpack_from('<Q', image, 0x28), struct.unpack_from('<HHH', image, 0x3A)
    heads = [struct.unpack_from('<IIQQQQ', image, table + i * size) for i in range(n)]
    names_at = heads[of_names][4]
    return [(at, at + length) for name, _, _, _, at, length in heads
            if image[names_at + name:].startswith((b'.debug_info', b'.debug_line\0', b'.debug_abbrev'))]


@test
def damaged_debugging_information_gives_other_names_or_none():
    """The file is still the one that was recorded; a merge of it ends, and has every place."""
    rounds = 100 if os.environ.get('LIGHTCONE_HARM') == 'all' else 8
    random = Random(15)
    for name in 'where-c-O2', 'where-cpp-O2':
        shutil.copy(program(name), 'damaged')
        equal(record('./damaged', options=('-q',)).returncode, 0)
        n = ask('SELECT count(*) AS n FROM event WHERE site IS NOT NULL')
        with open('damaged', 'rb') as file:
            good = file.read()
        for number in range(rounds):
            bytes_now = bytearray(good)
            for begin, end in sections_of(program(name)):
                for _ in range(random.choice((0, 1, 8, 100))):
                    bytes_now[random.randrange(begin, end)] = random.randrange(256)
            with open('damaged', 'wb') as file:
                file.write(bytes_now)
            os.remove('out.trace/history.lightcone')
            result = lightcone('merge', 'out.trace')
            equal(result.returncode, 0, f'{name}, damage {number}: {result.stderr}')
            equal(ask('SELECT count(*) AS n FROM event WHERE site IS NOT NULL'), n, f'{name}, damage {number}')


@test
def the_program_does_not_notice():
    bare = subprocess.run([program('where-c-O2'), program('libwhere-first.so'), program('libwhere-second.so'), '4'],
                          capture_output=True, text=True, check=False)
    for options in ((), ('--stacks', 'all'), ('--stacks', 'none'), ('--no-sites',)):
        result = record(program('where-c-O2'), program('libwhere-first.so'), program('libwhere-second.so'), '4',
                        options=('-q', *options))
        equal((result.returncode, result.stdout, result.stderr), (bare.returncode, bare.stdout, bare.stderr))
        equal(info()['lost'], 0, 'lost')


@test
def what_a_killed_program_was_blocked_in_has_its_line():
    """Of an operation that never ended there is no event: the process tells its stack."""
    equal(record(program('stuck')).returncode, -9)
    (found,) = ask('SELECT p.pending_operation AS operation, p.pending_stack AS stack, s.function AS function, '
                   's.file AS file, s.line AS line FROM process p JOIN stack k ON k.id = p.pending_stack '
                   'JOIN site s ON s.id = k.own')
    equal((found['operation'], found['function'], os.path.basename(found['file'])), ('lock', 'work', 'stuck.c'))
    equal(found['line'], line_of('stuck.c', 'pthread_mutex_lock (&mutex)'))
    equal(frames(found['stack'])[0], 'work')
    (last,) = ask("SELECT id || ':' || (events - 1) AS event FROM process WHERE pending_operation IS NOT NULL")
    equal(lightcone('approximate', 'out.trace').returncode, 0)
    pending = json.loads(lightcone('explain', '--json', 'out.trace', last['event']).stdout)['pending']
    equal((pending['operation'], pending['site']['line'], pending['stack'][0]['function']),
          ('lock', found['line'], 'work'))
    equal(json.loads(lightcone('explain', '--json', 'out.trace', '0:0').stdout)['pending'], None)
    text = lightcone('explain', 'out.trace', last['event']).stdout
    assert re.search(rf'After it lock \S.* in work\(\) stuck\.c:{found["line"]} was begun at .*, and never ended',
                     text), text


@test
def who_called_what_never_ended_is_told():
    equal(record(program('stuck'), 'deep').returncode, -9)
    (found,) = ask("SELECT id || ':' || (events - 1) AS event, pending_stack AS stack FROM process "
                   'WHERE pending_operation IS NOT NULL')
    equal(frames(found['stack'])[:3], ['grab', 'dig', 'work'])
    equal(lightcone('approximate', 'out.trace').returncode, 0)
    text = lightcone('explain', 'out.trace', found['event']).stdout
    assert re.search(rf' in grab\(\) stuck\.c:{line_of("stuck.c", "deep */")} was begun at [^\n]*\n'
                     r'    called by dig\(\) stuck\.c:\d+\n    called by work\(\) stuck\.c:\d+\n', text), text


def told(trace='out.trace'):
    """What a history has of functions, lines and names."""
    return [ask(query, trace) for query in (
        'SELECT id, function, file, line FROM site ORDER BY id', 'SELECT id, parent, site, own FROM stack ORDER BY id',
        'SELECT id, name FROM object ORDER BY id', 'SELECT id, name FROM process ORDER BY id')]


@test
def what_was_found_is_kept_when_the_program_changes():
    shutil.copy(program('heap-names'), 'changing')
    equal(record('./changing').returncode, 0)
    before = told()
    assert any(row['function'] == 'take' for row in before[0]), 'the functions'
    names_before = {row['name'] for row in before[2]}
    assert any(name.startswith('mutex of put heap-names.c:') for name in names_before), names_before
    for change in (lambda: shutil.copy(program('stuck'), 'changing'), lambda: os.remove('changing')):
        change()
        for _ in range(2):
            equal(lightcone('merge', '--again', 'out.trace').returncode, 0)
            equal(told(), before, 'all of it')
        contains(lightcone('info', 'out.trace').stdout, 'those that an earlier merge found')
    shutil.copy(program('heap-names'), 'changing')
    equal(lightcone('merge', '--again', 'out.trace').returncode, 0)
    equal(told(), before, 'all of it')
    equal('earlier merge' in lightcone('info', 'out.trace').stdout, False)
    # Without an earlier merge there is nothing to keep.
    os.remove('out.trace/history.lightcone')
    os.remove('changing')
    contains(lightcone('info', 'out.trace').stdout, 'changing')
    equal(lightcone('merge', 'out.trace').returncode, 0)
    equal([row for row in ask('SELECT function FROM site') if row['function'] == 'take'], [])
    contains(lightcone('info', 'out.trace').stdout, 'merge the trace where the program is')


if __name__ == '__main__':
    main()
