#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Expressions of the program become tags of a recorded replay: their values before events."""
import csv
import io
import os
import shutil
import subprocess
from pathlib import Path

from cli import PATIENCE, Skip, contains, equal, lightcone, main, program, record, test

LOCKS = 150  # of the program: each thread counts once under each


def may_attach():
    """Whether gdb can look into a child of ours that lets everybody."""
    with subprocess.Popen(['sleep', '60']) as child:
        result = subprocess.run(['gdb', '-q', '-batch', '-p', str(child.pid)], capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        child.kill()
    return 'ptrace' not in result.stderr


def probe(*arguments, status=0):
    """Records a replay with probes, and returns what it has said."""
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    shutil.rmtree('new.trace', ignore_errors=True)
    result = lightcone('replay', 'out.trace', '-o', 'new.trace', '--record-option=--no-calibrate', *arguments)
    if 'ptrace' in result.stderr and not may_attach():
        raise Skip('gdb may not attach here')
    equal(result.returncode, status, f'the status, which says {result.stderr}')
    return result


def rows(query, trace='new.trace'):
    result = lightcone('sql', '--csv', trace, query)
    equal(result.returncode, 0, f'the status of {query}, which says {result.stderr}')
    return list(csv.DictReader(io.StringIO(result.stdout)))


def tags():
    """The events that have tags, each with the texts of these, by process and ordinal of the recorded trace."""
    found, before, n = {}, [], {}
    for row in rows('select e.process, e.operation, e.value, o.name from event e left join object o on o.id = e.object '
                    "where e.operation <> 'pause' order by e.process, e.ordinal"):
        process = int(row['process'])
        if row['operation'] == 'tag':
            before.append((row['name'], int(row['value'])))
            continue
        place = (process, n.get(process, 0))
        n[process] = place[1] + 1
        if before:
            found[place] = before
        before = []
    equal(before, [], 'tags after the last event')
    return found


def events(operation, function=None):
    """Where the recorded trace has them, in the order of their object."""
    return [(int(row['process']), int(row['ordinal'])) for row in rows(
        'select e.process, e.ordinal from event e left join site s on s.id = e.site '
        f"where e.operation = '{operation}' and ({int(function is None)} or s.function = '{function}') "
        'order by e.sequence', 'out.trace')]


def record_probed():
    result = record(program('replay-probed'))
    equal((result.returncode, result.stdout), (0, '150 150\n'), f'the recording, which says {result.stderr}')


@test
def a_variable_has_its_value_at_each_event():
    record_probed()
    result = probe('--probe=count@lock', '--probe', 'posts@post', '--old-times')
    equal(result.stdout, '150 150\n', 'what the program prints')
    contains(result.stderr, '“count” at “lock”: 150 values, before 150 events')
    contains(result.stderr, 'new.trace: has the same ')
    contains(result.stderr, 'new.trace: its timeline “recorded” has the times of the recorded run')
    locks, posts = events('lock'), events('post')
    equal((len(locks), len(posts)), (LOCKS, LOCKS), 'locks and posts')
    expected = {place: [(f'count = {k}', k)] for k, place in enumerate(locks)}
    expected.update({place: [(f'posts = {k + 1}', k + 1)] for k, place in enumerate(posts)})
    equal(tags(), expected, 'the values')


@test
def a_tag_comes_right_before_its_event_and_from_the_same_place():
    record_probed()
    probe('--probe=count@1:1', '--probe=count@2:3')
    found = tags()
    equal(set(found), {(1, 1), (2, 3)}, 'the events')
    for row in rows('select a.site as site, b.site as other, a.end <= b.begin as ordered from event a join event b on '
                    "b.process = a.process and b.ordinal = a.ordinal + 1 where a.operation = 'tag' and a.process = 2"):
        equal((row['site'] == row['other'], row['ordered']), (True, '1'), 'site and order of a tag and its event')


@test
def places_are_events_processes_lines_functions_and_objects():
    record_probed()
    (line,) = {row['line'] for row in rows("select s.line from event e join site s on s.id = e.site "
                                           "where e.operation = 'unlock'", 'out.trace')}
    unlocks = events('unlock')
    for place in f'replay-probed.c:{line}', f'replay/replay-probed.c:{line}':
        probe(f'--probe=count@{place}')
        equal(tags(), {at: [(f'count = {k + 1}', k + 1)] for k, at in enumerate(unlocks)}, f'the values at {place}')
    said = probe('--probe=count@use()').stderr
    contains(said, f'“count” at “use()”: {4 * LOCKS} values')
    contains(said, '6 events there have no turns in a replay, or are not called by the program')
    contains(probe('--probe=count@mutex').stderr, f'“count” at “mutex”: {2 * LOCKS} values')
    contains(probe('--probe=posts@tokens').stderr, f'“posts” at “tokens”: {2 * LOCKS} values')
    said = probe('--probe=count@1').stderr
    contains(said, f'before {4 * LOCKS // 3} events')
    contains(said, '2 events there have no turns in a replay, or are not called by the program')


@test
def values_of_any_type_are_texts():
    record_probed()
    last = events('unlock')[-1]
    at = f'{last[0]}:{last[1]}'
    probe(*[f'--probe={text}@{at}' for text in
            ('half', 'pair', 'word', 'pair.left', '$_siginfo_is_void', 'count * 1000000000l', '*&pair.left@2')])
    found = [(name if '“' not in name and '0x' not in name else 'word', value) for name, value in tags()[last]]
    equal(found, [('half = 75', 0), ('pair = {left = -150, right = 300}', 0), ('word', 0), ('pair.left = -150', 0),
                  ('$_siginfo_is_void = void', 0), ('count * 1000000000l = 150000000000', 0),
                  ('*&pair.left@2 = {-150, 300}', 0)], 'the values')


@test
def what_has_no_value_is_told_once_for_each_place():
    record_probed()
    result = probe('--probe=nowhere@lock', '--probe=count@lock', '--probe=gone@lock', '--probe=add_one()@lock',
                   status=1)
    equal(result.stdout, '150 150\n', 'what the program prints, in which no function was called')
    lines = [line for line in result.stderr.splitlines() if 'has no value in' in line]
    equal(len(lines), 3, f'the lines that tell it, {lines}')
    contains(lines[0], '“nowhere” has no value in use() replay-probed.c:')
    contains(lines[0], ', before 150 events: No symbol "nowhere" in current context.')
    contains(lines[1], '“gone” has no value in use()')
    contains(lines[1], 'optimized out')
    contains(lines[2], '“add_one()” has no value in use()')
    contains(result.stderr, 'new.trace: has the same ')
    equal(len(tags()), LOCKS, 'the events with values')


@test
def a_value_that_is_not_recorded_is_missed():
    record_probed()
    result = probe('--probe=count@lock', '--record-option=--events=-mark')
    contains(result.stderr, '150 values were not recorded')


def with_gdb(*lines):
    """An environment in which this script is called gdb."""
    os.makedirs('bin', exist_ok=True)
    Path('bin/gdb').write_text('\n'.join(('#!/bin/sh', *lines, '')), encoding='ascii')
    os.chmod('bin/gdb', 0o755)
    return {**os.environ, 'PATH': f'{os.getcwd()}/bin:{os.environ["PATH"]}'}


@test
def without_gdb_the_program_comes_to_its_end_and_it_is_told():
    record_probed()
    arguments = ('replay', 'out.trace', '-o', 'new.trace', '--record-option=--no-calibrate', '--probe=count@lock')
    result = lightcone(*arguments,
                       env=with_gdb('echo Attaching', 'echo ptrace: Operation not permitted. >&2', 'exit 1'))
    equal((result.returncode, result.stdout), (1, '150 150\n'), f'the run, which says {result.stderr}')
    contains(result.stderr, 'the rest has no values: ptrace: Operation not permitted.')
    contains(result.stderr, '“count” at “lock”: 0 values, before 150 events')
    contains(result.stderr, '150 events that have probes were not looked at')
    contains(result.stderr, 'new.trace: has the same ')
    shutil.rmtree('new.trace')
    result = lightcone(*arguments, env={**os.environ, 'PATH': '/nowhere'})
    equal((result.returncode, os.path.exists('new.trace')), (2, False), 'status and trace where no gdb is installed')
    contains(result.stderr, '--probe needs gdb, which is not installed')


@test
def wrong_probes_are_told():
    record_probed()
    for arguments, message in (
            (('--probe=count',), '“count” is not a probe: it has to be EXPRESSION@PLACE'),
            (('--probe=count@',), 'is not a probe'),
            (('--probe=@lock',), 'is not a probe'),
            (('--probe=count@nothing.c:3',), 'there is nothing “nothing.c:3” to evaluate an expression at'),
            (('--probe=count@1:999999',), 'has events from 0 to'),
            (('--probe=count@send',), '“count” is evaluated nowhere: no event at “send” has a turn'),
            (('--probe=count@lock',) * 33, '33 probes are too many'),
            (('--probe=count@lock', '--flip=1:1,2:1'), '--probe needs a replay in the recorded order'),
            (('--probe=count@lock', '--until=1:1'), '--output records one run to its end')):
        contains(probe(*arguments, status=2).stderr, message)
    result = lightcone('replay', 'out.trace', '--probe=count@lock')
    equal(result.returncode, 2, 'the status without a new trace')
    contains(result.stderr, '--probe needs --output')


main()
