#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone merge makes, says and leaves."""
import json
import os
import pty
import shutil
import sqlite3
import subprocess

from cli import LIGHTCONE, contains, equal, lightcone, main, record, test

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']


def text_trace(name, **processes):
    """Writes a text trace; each process is its lines."""
    os.mkdir(name)
    for process, lines in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + ''.join(line + '\n' for line in lines))


def merge(trace, *options):
    result = lightcone('merge', '--json', *options, trace)
    equal((result.returncode, result.stderr), (0, ''), 'status and stderr')
    return json.loads(result.stdout)


def ask(trace, sql):
    with sqlite3.connect(f'file:{trace}/history.lightcone?mode=ro', uri=True) as database:
        return database.execute(sql).fetchall()


def contents(path):
    with open(path, 'rb') as file:
        return file.read()


def read_terminal(terminal):
    """All that was written to it; its other end is closed."""
    shown = b''
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:
        pass
    os.close(terminal)
    return shown.decode()


@test
def a_recorded_program_becomes_a_history():
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60')
    made = merge('out.trace')
    equal(sorted(made), ['arcs', 'bytes', 'events', 'history', 'layers', 'lost', 'made', 'problems'])
    equal(made['history'], 'out.trace/history.lightcone')
    equal((made['made'], made['problems']), (True, 0))
    equal(made['bytes'], os.path.getsize('out.trace/history.lightcone'))
    info = json.loads(lightcone('info', '--json', 'out.trace').stdout)
    equal(made['events'], info['events'])
    check = json.loads(lightcone('check', '--json', 'out.trace').stdout)
    equal((made['events'], made['arcs']), (check['events'], check['arcs']))
    equal(ask('out.trace', 'SELECT sum(events) FROM process'), [(made['events'],)])
    equal(ask('out.trace', "SELECT value FROM meta WHERE key = 'format'"), [('ctf',)])
    equal(ask('out.trace', 'PRAGMA integrity_check'), [('ok',)])
    again = merge('out.trace')
    equal(again, {**made, 'made': False})


@test
def the_same_trace_gives_the_same_bytes():
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60')
    merge('out.trace')
    shutil.copytree('out.trace', 'elsewhere/out.trace')
    before = contents('out.trace/history.lightcone')
    equal(merge('out.trace', '--again')['made'], True)
    merge('elsewhere/out.trace', '--again')
    equal(contents('out.trace/history.lightcone') == before, True, 'merged again')
    equal(contents('elsewhere/out.trace/history.lightcone') == before, True, 'merged elsewhere')


@test
def people_get_one_line():
    text_trace('text.trace', a=['0 10 lock m 1', '20 20 unlock m 1'], b=['5 25 lock m 2', '30 30 unlock m 2'])
    result = lightcone('merge', 'text.trace')
    equal((result.returncode, result.stderr), (0, ''))
    equal(result.stdout.count('\n'), 1, 'the number of lines')
    contains(result.stdout, 'text.trace: 4 events, 1 arcs, 4 layers')
    contains(lightcone('merge', 'text.trace').stdout, 'up to date')
    equal(lightcone('merge', '-q', '--again', 'text.trace').stdout, '')
    equal(ask('text.trace', "SELECT name, events, waited, held FROM object"), [('m', 4, 15, 15)])
    equal(ask('text.trace', 'SELECT name, model FROM timeline'), [('measured', None)])


@test
def problems_are_counted_and_are_no_failure():
    text_trace('odd.trace', a=['0 10 recv c 1', '20 30 await v 7'], b=['nonsense'])
    result = lightcone('merge', 'odd.trace')
    equal(result.returncode, 0)
    contains(result.stdout, '3 problems: lightcone check tells more')
    equal(merge('odd.trace')['problems'], 3)
    equal(ask('odd.trace', "SELECT process, ordinal, operation, sequence FROM problem WHERE kind = 'unmatched'"),
          [(0, 0, 'recv', 1), (0, 1, 'await', 7)])


@test
def rules_of_ones_own_make_arcs():
    text_trace('pot.trace', a=['0 10 fill pot 1'], b=['5 25 pour pot 1'])
    equal(merge('pot.trace')['arcs'], 0)
    with open('pot.rules', 'w', encoding='utf-8') as file:
        file.write('[class pot]\nsummary=A pot\nholding=fill;pour\n\n[operation fill]\nclass=pot\nsummary=Fills it\n\n'
                   '[operation pour]\nclass=pot\nsummary=Pours\nwaits=true\n\n'
                   '[arc fill to pour]\nclass=pot\nfrom=fill\nto=pour\nsequence=same\nkind=data\n')
    found = merge('pot.trace', '--rules', 'pot.rules')
    equal((found['made'], found['arcs']), (True, 1))
    equal(ask('pot.trace', "SELECT class FROM operation WHERE name = 'pour'"), [('pot',)])
    equal(ask('pot.trace', "SELECT from_operation, to_operation FROM holding WHERE class = 'pot'"), [('fill', 'pour')])
    equal(merge('pot.trace')['made'], True)


@test
def what_is_no_trace_is_refused():
    os.mkdir('nothing')
    for trace, what in (('nothing', 'not a trace'), ('missing', 'No such file')):
        result = lightcone('merge', trace)
        equal((result.returncode, result.stdout), (2, ''))
        contains(result.stderr, f'lightcone: {trace}: ')
        contains(result.stderr, what)
    equal(os.listdir('nothing'), [])
    with open('bad.rules', 'w', encoding='utf-8') as file:
        file.write('[pot]\n')
    text_trace('text.trace', a=['0 10 tag value=1'])
    result = lightcone('merge', '--rules', 'bad.rules', 'text.trace')
    equal(result.returncode, 2)
    contains(result.stderr, 'bad.rules')


@test
def a_terminal_sees_progress():
    text_trace('text.trace', a=['0 10 lock m 1', '20 20 unlock m 1'], b=['5 25 lock m 2', '30 30 unlock m 2'])
    ours, theirs = pty.openpty()
    result = subprocess.run([LIGHTCONE, 'merge', '--again', 'text.trace'], stdout=subprocess.PIPE, stderr=theirs,
                            text=True, check=True)
    os.close(theirs)
    shown = read_terminal(ours)
    contains(shown, 'merging: 100 %, 4 events')
    equal(shown.endswith('\r\033[K'), True, 'the line is cleared')
    contains(result.stdout, '4 events')


@test
def a_history_is_no_obstacle_to_recording_again():
    record(f'{EXAMPLES}/gauss', '--workers', '2', '--size', '20', output='again.trace')
    merge('again.trace')
    shutil.copy('again.trace/history.lightcone', 'again.trace/history.lightcone.aB3dE6')
    result = record(f'{EXAMPLES}/gauss', '--workers', '2', '--size', '20', output='again.trace')
    equal(result.returncode, 0, result.stderr)
    equal([name for name in os.listdir('again.trace') if name.startswith('history')], [])
    equal(merge('again.trace')['made'], True)


main()
