#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lightcone sql, the tables of a history, and the extension that gives them to other programs."""
import csv
import io
import json
import os
import pty
import random
import re
import select
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, eventually, lightcone, main, test

DOCS = os.environ['LIGHTCONE_DOCS']
DATA = os.environ['LIGHTCONE_TEST_DATA']
EXTENSION = os.environ.get('LIGHTCONE_SQL_EXTENSION', '')  # empty: it cannot be loaded by other programs here


def copy_workers():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'workers.trace')


def sql(query, *options, trace='workers.trace'):
    result = lightcone('sql', trace, *options, query)
    equal((result.returncode, result.stderr), (0, ''), query)
    return result.stdout


def rows(query, trace='workers.trace'):
    return list(csv.reader(io.StringIO(sql(query, '--csv', trace=trace))))[1:]


def write_long(folder='long.trace', rounds=1500, seed=1):
    """Three processes that lock, send, meet and do other things: some blocks of events for each."""
    chance = random.Random(seed)
    now, lines, count = [0] * 3, [[] for _ in range(3)], [0, 0]
    free = [0, 0]

    def add(process, duration, text):
        now[process] += chance.randint(0, 300)
        lines[process].append(f'{now[process]} {now[process] + duration} {text}')
        now[process] += duration

    for number in range(rounds):
        for process in chance.sample(range(3), chance.randint(1, 3)):
            which = chance.randint(0, 1)
            count[which] += 1
            add(process, max(50, free[which] - now[process] + 50), f'lock m{which} {count[which]}')
            if chance.random() < 0.3:
                add(process, 0, f'tag value={number}')
            add(process, 20, f'unlock m{which} {count[which]}')
            free[which] = now[process]
        if number % 5 == 0:
            add(0, 100, f'send c {number // 5} bytes={number} to=1')
            add(1, max(30, now[0] - now[1]), f'recv c {number // 5} bytes={number} from=0')
        if number % 50 == 49:
            last = max(now) + 300
            for process in range(3):
                add(process, max(last - now[process], 0) + 10, f'barrier b {number // 50} value=3')
    add(2, 10, f'lock m0 {count[0] + 1}')  # and never gives it back
    os.makedirs(folder)
    for process, text in enumerate(lines):
        with open(f'{folder}/p{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + '\n'.join(text) + '\n')


# --- What is in the tables ------------------------------------------------------------------------------------------


@test
def events_have_all_columns():
    copy_workers()
    equal(sql('SELECT process, ordinal, operation, object, sequence, begin, "end", waited, layer, cpu, value, bytes, '
              'peer, timeline, flags, basis_process, basis_ordinal FROM event '
              'WHERE process = 0 AND ordinal IN (1, 2, 6, 7)', '--csv'), '''\
process,ordinal,operation,object,sequence,begin,end,waited,layer,cpu,value,bytes,peer,timeline,flags,basis_process,\
basis_ordinal
0,1,create,1,,1200,2200,0,2,,,,,measured,"",,
0,2,lock,2,2,2450,3040,510,4,,,,,measured,"",1,2
0,6,barrier,3,0,4910,8390,3330,14,,3,,,measured,group,2,5
0,7,recv,4,0,8490,9180,240,16,,,1024,1,measured,"",1,6
'''.replace('14', rows('SELECT layer FROM event WHERE process = 0 AND ordinal = 6')[0][0])
          .replace(',16,', f",{rows('SELECT layer FROM event WHERE process = 0 AND ordinal = 7')[0][0]},"))


@test
def arcs_name_their_points_and_rules():
    copy_workers()
    equal(sql('SELECT * FROM arc WHERE to_process = 0 AND to_ordinal BETWEEN 6 AND 8'), '''\
from_process  from_ordinal  from_point  to_process  to_ordinal  kind  object  timeline  from_time  to_time  rule
           2             5  begin                0           6  data       3  measured       8240     8390  \
barrier to barrier
           1             6  begin                0           7  data       4  measured       8730     9180  send to recv
           2             6  begin                0           8  data       5  measured       9070     9520  send to recv
''')


@test
def spans_are_from_the_end_of_a_lock_to_its_unlock():
    copy_workers()
    equal(rows('SELECT process, object, "begin", "end", begin_ordinal, end_ordinal, timeline FROM span'),
          rows('SELECT l.process, l.object, l."end", u."begin", l.ordinal, u.ordinal, l.timeline FROM event l '
               'JOIN event u USING (object, sequence) WHERE l.operation = \'lock\' AND u.operation = \'unlock\' '
               'ORDER BY l.process, u.ordinal'))


@test
def what_is_never_given_back_has_no_end():
    write_long()
    (row,) = rows('SELECT process, begin_ordinal, "end", end_ordinal FROM span WHERE "end" IS NULL', 'long.trace')
    (last,) = rows('SELECT max(ordinal) FROM event WHERE process = 2', 'long.trace')
    equal(row, ['2', last[0], '', ''])


def write_places():
    os.mkdir('places.trace')
    with open('places.trace/0.events', 'w', encoding='utf-8') as file:
        file.write('%lightcone-events 1\n'
                   '0 10 lock m 1 at=put@src/pipe.cpp:7;std::run@/usr/include/c++/12/thread:9;main@main.cpp:3\n'
                   '20 20 unlock m 1 at=put@src/pipe.cpp:9;std::run@/usr/include/c++/12/thread:9;main@main.cpp:3\n'
                   '30 30 tag value=1\n'
                   '40 40 tag value=2 at=std::run@/usr/include/c++/12/thread:9;main@main.cpp:3\n')


def read_manual():
    with open(os.path.join(DOCS, 'sql.md'), encoding='utf-8') as page:
        return page.read()


@test
def events_say_where_they_come_from():
    write_places()
    equal(rows('SELECT ordinal, function, file, line FROM event LEFT JOIN site ON site.id = event.site',
               'places.trace'),
          [['0', 'put', 'src/pipe.cpp', '7'], ['1', 'put', 'src/pipe.cpp', '9'], ['2', '', '', ''],
           ['3', 'main', 'main.cpp', '3']])
    equal(rows('SELECT function, library, kind FROM event JOIN stack ON stack.id = event.stack '
               'JOIN site ON site.id = stack.site', 'places.trace'),
          [['put', '0', 'inner'], ['put', '0', 'inner'], ['std::run', '1', 'inner']])
    equal(rows('SELECT name, function, line FROM object JOIN stack ON stack.id = object.stack '
               'JOIN site ON site.id = stack.own', 'places.trace'), [['m', 'put', '7']])
    equal(rows('SELECT count(*) FROM module', 'places.trace'), [['0']])
    equal(rows('SELECT count(*), count(site), count(stack) FROM event WHERE object = 0', 'places.trace'),
          [['2', '2', '2']])


@test
def the_manual_finds_lines_and_callers():
    write_places()
    lines, = re.findall(r'### Which lines waited most.*?```sql\n(.*?)```', read_manual(), re.DOTALL)
    equal(sorted(rows(lines, 'places.trace')),
          [['main', 'main.cpp', '3', '1', '0'], ['put', 'src/pipe.cpp', '7', '1', '0'],
           ['put', 'src/pipe.cpp', '9', '1', '0']])
    callers, = re.findall(r'### Who called it.*?```sql\n(.*?)```', read_manual(), re.DOTALL)
    equal(rows(callers, 'places.trace'),
          [['0', 'put', 'src/pipe.cpp', '9'], ['1', 'std::run', '/usr/include/c++/12/thread', '9'],
           ['2', 'main', 'main.cpp', '3']])


@test
def the_examples_of_the_manual_are_true():
    copy_workers()
    with open(os.path.join(DOCS, 'sql.md'), encoding='utf-8') as page:
        examples = re.findall(r'```sql\n([^`]*)```\n\n```text\n(.*?)```', page.read(), re.DOTALL)
    assert len(examples) >= 8, len(examples)
    for query, expected in examples:
        equal(sql(query), expected, query)


# --- What is pushed down --------------------------------------------------------------------------------------------

CONDITIONS = {
    'event': ['process = 1', 'process = 7', 'process > 0', "process = '1'", 'process = 1.5', 'process < 1.5',
              'process IN (0, 2, 5)', 'ordinal = 600', 'process = 2 AND ordinal = 600',
              'process = 2 AND ordinal BETWEEN 510 AND 515', 'ordinal >= 1024 AND ordinal < 1030', 'ordinal < 0',
              'begin > 100000 AND begin <= 102000', '"end" >= 300000 AND begin < 301000', 'begin = 0', 'layer = 77',
              'layer BETWEEN 1000 AND 1010', 'process = 1 AND layer < 20', 'object = 1',
              'object = 1 AND sequence = 100',
              'object = 0 AND sequence < 3', 'object = 2 AND sequence = 5 AND process = 1', 'object = 99',
              'object = -1', 'object IS NULL AND ordinal < 100', 'object = 3 AND process = 0 AND ordinal < 50',
              'object = 1 AND begin BETWEEN 50000 AND 52000', 'begin > NULL', "begin < 'x' AND process = 0",
              'begin > 1e300', 'begin >= -1e300 AND ordinal = 0', "timeline = 'measured' AND process = 0",
              "timeline = 'nothing'", "timeline LIKE 'meas%' AND ordinal = 3", 'timeline = 5', 'sequence = 4'],
    'arc': ['to_process = 1', 'to_process = 1 AND to_ordinal = 500', 'to_process = 0 AND to_ordinal < 30',
            'from_process = 2', 'from_process = 0 AND from_ordinal = 20', 'from_process = 0 AND from_ordinal < 20',
            'from_process = 0 AND from_ordinal IN (3, 5, 20, 21, 22, 23, 24)', 'object = 1',
            'object = 2 AND to_process = 1',
            'to_time < 9000', 'to_time > 400000 AND to_time < 402000', 'from_process = 9 AND from_ordinal = 1',
            "from_process = '0' AND from_ordinal = '20'", 'from_process = NULL AND from_ordinal = 1',
            "timeline = 'measured' AND to_process = 0 AND to_ordinal = 30"],
    'span': ['process = 1', 'object = 1', 'object = 0 AND process = 2', 'begin < 5000', '"end" > 400000',
             'begin < 201000 AND "end" > 200000', 'begin > 200000 AND "end" < 202000', 'process = 1 AND begin > 300000',
             'object = 1 AND begin < 201000 AND "end" > 200000', 'begin > 100000 AND begin < 101000', '"end" < 3000',
             '"end" IS NULL', "timeline = 'measured' AND begin < 1000",
             'begin < 201000 AND coalesce("end", 9e18) > 200000'],
    'state': ['process = 1', 'begin < 5000', '"end" > 400000', 'begin < 201000 AND "end" > 200000', "state = 'waiting'",
              'begin > 200000 AND "end" < 202000', "process = 1 AND state = 'woken'", '"end" < 3000', '"end" IS NULL',
              "timeline = 'measured' AND begin < 1000", 'process = 2 AND begin >= 300000'],
}


def copy_of(table, trace):
    """The same table in a database of its own, as rows."""
    database = sqlite3.connect(':memory:')
    database.execute(sql(f'.schema {table}', trace=trace))
    names = [column[1] for column in database.execute(f'PRAGMA table_info ({table})')]
    found = json.loads(sql(f'SELECT * FROM {table}', '--json', trace=trace))
    database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(names))})",
                         [[row[name] for name in names] for row in found])
    return database


@test
def what_is_pushed_down_changes_no_answer():
    write_long()
    for table, conditions in CONDITIONS.items():
        database = copy_of(table, 'long.trace')
        (number,), = database.execute(f'SELECT count(*) FROM {table}')
        assert number > 2000, f'{table} has {number} rows'
        for condition in conditions:
            query = f'SELECT * FROM {table} WHERE {condition}'
            found = [tuple(row.values()) for row in json.loads(sql(query, '--json', trace='long.trace'))]
            expected = database.execute(query).fetchall()
            equal(sorted(found, key=repr), sorted(expected, key=repr), condition)


@test
def the_planner_enters_the_tables_where_it_can():
    write_long()

    def plan(query):
        return [line[-1] for line in rows('EXPLAIN QUERY PLAN ' + query, 'long.trace')]

    def is_sorted(query):
        return any('USE TEMP B-TREE' in line for line in plan(query))
    for order, sorts in (('process, ordinal', False), ('process, begin', False), ('ordinal', True),
                         ('process, ordinal DESC', True), ('process, waited', True)):
        equal(is_sorted(f'SELECT * FROM event ORDER BY {order}'), sorts, order)
    equal(is_sorted('SELECT * FROM event WHERE process = 1 ORDER BY ordinal'), False)
    equal(is_sorted('SELECT process, count(*) FROM event GROUP BY process'), False)
    both = plan('SELECT * FROM event e JOIN arc a ON a.to_process = e.process AND a.to_ordinal = e.ordinal')
    equal(len(both), 2, both)
    for constraint in ('3,0', '4,0') if ' a ' in both[1] else ('0,0', '1,0'):
        contains(both[1], ' ' + constraint)
    equal(rows('SELECT count(*), sum(e."end" = a.to_time) FROM event e JOIN arc a '
               'ON a.to_process = e.process AND a.to_ordinal = e.ordinal', 'long.trace'),
          [rows('SELECT count(*) FROM arc', 'long.trace')[0] * 2])
    equal(rows('SELECT count(*), sum(e.timeline = f.timeline) FROM event e JOIN event f '
               'ON f.timeline = e.timeline AND f.process = e.process AND f.ordinal = e.ordinal', 'long.trace'),
          [rows('SELECT count(*) FROM event', 'long.trace')[0] * 2])


@test
def rows_come_in_order():
    write_long()
    for table, columns in (('event', 'process, ordinal'), ('arc', 'to_process, to_ordinal')):
        found = [tuple(map(int, row)) for row in rows(f'SELECT {columns} FROM {table}', 'long.trace')]
        equal(found, sorted(found))


@test
def other_timelines_are_seen_when_they_are_asked_for():
    copy_workers()
    sql('SELECT 1')
    history = sqlite3.connect('workers.trace/history.lightcone')
    history.executescript("INSERT INTO timeline VALUES (1, 'second', 'test', NULL, 0);"
                          "INSERT INTO block SELECT id + (1 << 55), data FROM block;"
                          "INSERT INTO block_index SELECT 1, process, data FROM block_index WHERE timeline = 0")
    history.close()
    for table, number in (('event', 65), ('arc', 33), ('span', 18)):
        for condition, expected in (
                ('1', [('measured', number)]), ("timeline = 'second'", [('second', number)]),
                ("timeline = 'third'", []),
                ("timeline IN ('second', 'measured')", [('measured', number), ('second', number)]),
                ("timeline LIKE '%'", [('measured', number), ('second', number)]),
                ("timeline <> 'measured'", [('second', number)]), ("timeline > 'n'", [('second', number)]),
                ("'second' = timeline COLLATE NOCASE", [('second', number)]), ('timeline IS NULL', []),
                ('timeline IN (SELECT name FROM timeline WHERE model IS NOT NULL)', [('second', number)])):
            found = rows(f'SELECT timeline, count(*) FROM {table} WHERE {condition} GROUP BY timeline')
            equal(found, [[name, str(count)] for name, count in expected], f'{table} WHERE {condition}')
        equal(rows(f'SELECT t.name, count(*) FROM {table} AS x JOIN timeline AS t ON t.name = x.timeline '
                   'GROUP BY t.id'),
              [['measured', str(number)], ['second', str(number)]])
    equal(rows("SELECT count(*) FROM event AS m JOIN event AS s USING (process, ordinal) "
               "WHERE m.timeline = 'measured' AND s.timeline = 'second' AND s.begin = m.begin"), [['65']])


# --- How it is written ----------------------------------------------------------------------------------------------


@test
def slack_is_a_table_of_events_and_arcs():
    copy_workers()
    # Each event once, and each arc; the events of the critical path have none.
    equal(rows('SELECT (SELECT count(*) FROM slack WHERE from_process IS NULL) = (SELECT count(*) FROM event), '
               '(SELECT count(*) FROM slack WHERE from_process IS NOT NULL) = (SELECT count(*) FROM arc), '
               '(SELECT min(slack) FROM slack)'), [['1', '1', '0']])
    # An arc leaves no less slack to where it comes from than that point has.
    equal(rows('SELECT count(*) FROM slack AS a JOIN slack AS e ON e.process = a.from_process '
               "AND e.ordinal = a.from_ordinal WHERE a.from_point = 'end' AND e.from_process IS NULL "
               'AND a.slack < e.slack'), [['0']])
    equal(rows("SELECT count(*) FROM slack WHERE timeline = 'none'"), [['0']])
    write_long()
    found = rows('SELECT e.process, max(e."end" + s.slack) FROM event AS e JOIN slack AS s USING (process, ordinal) '
                 'WHERE s.from_process IS NULL GROUP BY 1', trace='long.trace')
    end = rows('SELECT max("end") FROM event', trace='long.trace')[0][0]
    equal(found, [[process, end] for process in '012'])


@test
def tables_are_aligned():
    copy_workers()
    equal(sql("SELECT 1 AS a, 'x' AS text, NULL AS missing, 1.5 AS real UNION ALL SELECT -100, 'été 漢字', NULL, 10.0;"
              "SELECT 2"), '''\
   a  text      missing  real
   1  x                   1.5
-100  été 漢字           10.0
2
2
''')


@test
def csv_and_json_keep_what_is_odd():
    copy_workers()
    odd = """SELECT 'a"b,c' AS "x,y", '' AS empty, NULL AS missing, x'00ff' AS bytes, 'l1' || char(10) || 'l2' AS two,
             9e999 AS inf"""
    equal(sql(odd, '--csv'), '"x,y",empty,missing,bytes,two,inf\n"a""b,c","",,00ff,"l1\nl2",Inf\n')
    equal(json.loads(sql(odd, '--json')), [{'x,y': 'a"b,c', 'empty': '', 'missing': None, 'bytes': '00ff',
                                            'two': 'l1\nl2', 'inf': None}])
    equal(json.loads(sql('SELECT process, ordinal, waited / 2.0 AS half FROM event WHERE ordinal = 2 AND process < 2',
                         '--json')),
          [{'process': 0, 'ordinal': 2, 'half': 255.0}, {'process': 1, 'ordinal': 2, 'half': 0.0}])
    equal(json.loads(sql('SELECT 1 WHERE 0', '--json')), [])


@test
def statements_can_come_by_standard_input():
    copy_workers()
    result = lightcone('sql', 'workers.trace',
                       input='.mode csv\nSELECT\n  1 AS a; -- and\n\nSELECT 2 AS b; SELECT 3\nAS c')
    equal((result.returncode, result.stdout, result.stderr), (0, 'a\n1\nb\n2\nc\n3\n', ''))


@test
def the_schema_has_all_tables():
    copy_workers()
    tables = sql('.tables').split()
    equal(tables[:5], ['event', 'arc', 'span', 'state', 'slack'])
    assert {'process', 'object', 'operation', 'timeline', 'phase', 'problem', 'meta', 'module', 'site',
            'stack'} < set(tables), tables
    assert 'block' not in tables, tables
    contains(sql('.schema event'), 'CREATE TABLE event (')
    contains(sql('.schema'), 'CREATE TABLE block (')
    for table in tables:
        head = sql(f'SELECT * FROM {table} LIMIT 0').split()
        for column in head:
            contains(sql(f'.schema {table}'), column)


@test
def a_process_that_is_no_rank_has_none():
    copy_workers()
    equal(rows('SELECT DISTINCT rank IS NULL FROM process'), [['1']])


@test
def mistakes_are_told_with_their_place():
    copy_workers()
    for query, message in (
            ('SELECT nobody FROM event', 'sql: no such column: nobody (line 1, column 8)'),
            ('SELECT 1;\nSELECT *\n  FROM nowhere;', 'sql: no such table: nowhere'),
            ('SELECT 1;\nSELECT *\n  FROM event WHERE x;', 'sql: no such column: x (line 2, column 20)'),
            ('SELECT 1 +', 'sql: incomplete input'),
            ('DELETE FROM process', 'sql: a history can only be read'),
            ('CREATE TABLE x (y)', 'sql: a history can only be read'),
            ('UPDATE event SET value = 1', 'sql: table event may not be modified'),
            ('.nothing', 'sql: there is no command “.nothing” (see .help)'),
            ('.schema nothing', 'sql: there is no table “nothing”'),
            ("SELECT abs(-9223372036854775808)", 'sql: integer overflow')):
        result = lightcone('sql', 'workers.trace', query)
        equal((result.returncode, result.stderr), (2, f'lightcone: {message}\n'), query)
    result = lightcone('sql', 'workers.trace', 'SELECT 1; SELECT x; SELECT 2')
    equal((result.returncode, result.stdout), (2, '1\n1\n'))


@test
def wrong_arguments_are_refused():
    os.mkdir('empty')
    copy_workers()
    for arguments in ([], ['a', 'b', 'c'], ['--what', 'a'], ['--csv', '--json', 'workers.trace', 'SELECT 1']):
        result = lightcone('sql', *arguments)
        equal((result.returncode, result.stdout), (2, ''), arguments)
    for name in ('empty', 'missing'):
        result = lightcone('sql', name, 'SELECT 1')
        equal((result.returncode, result.stdout), (2, ''))
        contains(result.stderr, f'lightcone: {name}')


@test
def a_full_disk_is_told():
    copy_workers()
    with open('/dev/full', 'w', encoding='utf-8') as full:
        for option in ('--csv', '--json'):
            result = lightcone('sql', 'workers.trace', option, 'SELECT * FROM event', capture_output=False, stdout=full,
                               stderr=subprocess.PIPE)
            equal(result.returncode, 2, option)
            contains(result.stderr, 'lightcone: ')


# --- The shell ------------------------------------------------------------------------------------------------------


class Terminal:
    """lightcone sql as a person has it."""

    def __init__(self, *arguments):
        os.environ['XDG_STATE_HOME'] = os.path.abspath('state')
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ['TERM'] = 'dumb'
            os.execv(LIGHTCONE, [LIGHTCONE, 'sql', *arguments])
        self.text = ''
        self.wait_for('sql> ')

    def wait_for(self, part):
        end = time.monotonic() + PATIENCE
        while part not in self.text:
            assert time.monotonic() < end, f'{part!r} does not come after {self.text!r}'
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.text += os.read(self.terminal, 4096).decode()
        before, self.text = self.text.split(part, 1)
        return before

    def type(self, text):
        os.write(self.terminal, text.encode())

    def runs(self):
        """Waits until it has computed for a while."""
        def ticks():
            with open(f'/proc/{self.pid}/stat', encoding='utf-8') as stat:
                return int(stat.read().rsplit(')', 1)[1].split()[11])
        begin = ticks()
        eventually(lambda: ticks() > begin + 5, 'the query')

    def end_input(self):
        """Control-D; the terminal takes it for something else before the editor has told it otherwise, so what has
        become of the last one is thrown away first."""
        def ended():
            self.type('\x15\x04')
            return self.is_closed(0.1)
        eventually(ended, 'the end')

    def is_closed(self, seconds):
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                os.read(self.terminal, 4096)
            except OSError:
                return True
        return False

    def end(self):
        while True:
            try:
                if not os.read(self.terminal, 4096):
                    break
            except OSError:
                break
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@test
def the_shell_takes_statements_of_many_lines():
    copy_workers()
    shell = Terminal('workers.trace')
    shell.type('SELECT count(*)\r')
    shell.wait_for('...> ')
    shell.type('AS events FROM event;\r')
    shell.wait_for('events\r\n    65\r\n')
    shell.type('.mode json\rSELECT 1 AS one;\r')
    shell.wait_for('"one": 1')
    shell.type('.mode table\r.tables\r')
    shell.wait_for('operation_total')
    shell.type('SELECT nobody;\r')
    shell.wait_for('no such column: nobody')
    shell.wait_for('sql> ')
    shell.type('SELECT 40 + 2;\r')
    shell.wait_for('    42\r\n')
    shell.type('.quit\r')
    equal(shell.end(), 0)


@test
def the_shell_survives_interruption():
    copy_workers()
    shell = Terminal('workers.trace')
    for moment in (lambda: None, shell.runs):  # at the latest before the second statement, and in it
        shell.type('SELECT 1 AS begun; SELECT count(*) FROM event a, event b, event c, event d, event e;\r')
        shell.wait_for('begun\r\n')
        moment()
        os.kill(shell.pid, signal.SIGINT)
        shell.wait_for('cancelled')
        shell.wait_for('sql> ')
    shell.type('SELECT nothing\r')
    shell.wait_for('...> ')
    os.kill(shell.pid, signal.SIGINT)
    shell.wait_for('sql> ')
    shell.type('SELECT 40 + 2;\r')
    shell.wait_for('    42\r\n')
    shell.end_input()
    equal(shell.end(), 0)


# --- Other programs -------------------------------------------------------------------------------------------------


def need_extension():
    if not EXTENSION:
        raise Skip('the extension cannot be loaded here')
    copy_workers()
    sql('SELECT 1')


@test
def the_sqlite3_shell_has_the_same_tables():
    need_extension()
    if not shutil.which('sqlite3'):
        raise Skip('no sqlite3')
    for query in ('SELECT * FROM event', 'SELECT * FROM arc', 'SELECT * FROM span WHERE object = 2',
                  'SELECT count(*) FROM event JOIN arc ON to_process = process AND to_ordinal = ordinal'):
        result = subprocess.run(['sqlite3', '-csv', '-header', '-newline', '\n', 'workers.trace/history.lightcone',
                                 '-cmd', f'.load {EXTENSION}', query], capture_output=True, text=True)
        equal((result.returncode, result.stderr), (0, ''), query)
        equal(list(csv.reader(io.StringIO(result.stdout))), list(csv.reader(io.StringIO(sql(query, '--csv')))), query)


def run_python(program):
    """In a Python whose sqlite3 loads extensions; not all are built so."""
    test_it = 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True)'
    for python in (sys.executable, '/usr/bin/python3'):
        if shutil.which(python) and subprocess.run([python, '-c', test_it], capture_output=True).returncode == 0:
            return subprocess.run([python, '-c', program], capture_output=True, text=True)
    raise Skip('no Python that loads extensions')


PYTHON = """
import sqlite3
for _ in range(3):
    history = sqlite3.connect('file:workers.trace/history.lightcone?mode=ro', uri=True)
    history.enable_load_extension(True)
    history.load_extension('EXTENSION')
    print(history.execute('SELECT count(*), max(begin) FROM event').fetchall())
    print(history.execute('SELECT process, object FROM span WHERE begin = ?', (2040,)).fetchall())
    left = history.execute('SELECT * FROM arc')
    print(left.fetchone()[10])
    history.close()
"""


@test
def python_has_the_same_tables():
    need_extension()
    result = run_python(PYTHON.replace('EXTENSION', EXTENSION))
    equal((result.stdout, result.stderr, result.returncode), ('[(65, 29490)]\n[(1, 2)]\nunlock to lock\n' * 3, '', 0))


@test
def what_is_no_history_is_refused_by_the_extension():
    need_extension()
    if not shutil.which('sqlite3'):
        raise Skip('no sqlite3')
    for name in ('other.db', ':memory:'):
        result = subprocess.run(['sqlite3', name, '-cmd', 'CREATE TABLE x (y)', '-cmd', f'.load {EXTENSION}',
                                 'SELECT 1'], capture_output=True, text=True)
        contains(result.stderr, 'not a history')


@test
def the_extension_exports_nothing_else():
    need_extension()
    if not shutil.which('nm'):
        raise Skip('no nm')
    names = subprocess.run(['nm', '-D', '--defined-only', EXTENSION + '.so'], capture_output=True, text=True,
                           check=True).stdout.split('\n')
    equal(sorted(name.split()[-1] for name in names if name), ['sqlite3_extension_init', 'sqlite3_lightconesql_init'])


@test
def the_examples_with_other_programs_are_true():
    need_extension()
    with open(os.path.join(DOCS, 'sql.md'), encoding='utf-8') as page:
        text = re.sub(r"(\.load |\(')liblightcone-sql\b", lambda match: match[1] + EXTENSION, page.read())
    (python,) = re.findall(r'```python\n(.*?)```', text, re.DOTALL)
    commands = re.findall(r'^\$ (.*)', text, re.MULTILINE)
    assert len(commands) >= 3, commands
    os.mkdir('bin')
    os.symlink(LIGHTCONE, 'bin/lightcone')
    environment = {**os.environ, 'PATH': os.path.abspath('bin') + ':' + os.environ['PATH']}
    for command in commands:
        if shutil.which(shlex.split(command)[0], path=environment['PATH']):
            result = subprocess.run(['sh', '-c', command], capture_output=True, text=True, env=environment)
            equal((result.returncode, result.stderr), (0, ''), command)
            assert result.stdout or 'merge' in command, command
    result = run_python(python)
    equal((result.stdout, result.stderr), ('lock 18\nunlock 18\nbarrier 9\n', ''))


main()
