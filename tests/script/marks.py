#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Marks and annotations: kept beside the history, seen by Scheme and SQL, and read as data from others is."""
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import LIGHTCONE, contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position

DATA = os.environ['LIGHTCONE_TEST_DATA']
FILE = 'trace/marks.lightcone'


def copy_workers():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')


def script(*expressions):
    result = lightcone('script', 'trace', *(word for text in expressions for word in ('-e', text)))
    equal((result.returncode, result.stderr), (0, ''), expressions)
    return result.stdout


def rows(query):
    result = lightcone('sql', '--json', 'trace', query)
    equal((result.returncode, result.stderr), (0, ''), query)
    return [list(row.values()) for row in json.loads(result.stdout or '[]')]


def refuses(expression, text):
    result = lightcone('script', 'trace', '-e', expression)
    equal(result.returncode, 2, expression)
    contains(result.stderr, text)


def mark_some():
    script("(mark! '((1 . 1) (0 . 2) (0 . 2)) 'slow)", """(mark! '(2 . 0) "a name")""",
           "(mark-span! \"worker-1\" 100 2000 'startup)", """(annotate! '(0 . 2) "why so long?")""")


MARKED = [['a name', 2, 0, None, None], ['slow', 0, 2, None, None], ['slow', 1, 1, None, None],
          ['startup', 1, None, 100, 2000]]


@test
def marks_are_kept_and_tables_of_sql():
    copy_workers()
    equal(rows('SELECT * FROM mark'), [], 'marks before there are any')
    assert not os.path.exists(FILE), 'reading has made a file'
    mark_some()
    equal(rows('SELECT * FROM mark'), MARKED, 'marks')
    equal(rows('SELECT * FROM annotation'), [[0, 2, 'why so long?']], 'annotations')
    equal(rows("SELECT name, operation, waited FROM mark JOIN event USING (process, ordinal) WHERE name = 'slow' "
               "ORDER BY process"), [['slow', 'lock', 510], ['slow', 'lock', 0]], 'marked events')
    equal(script("(marked 'slow)", '(map mark-begin (marks))', '(marks "startup")', '(annotations)'),
          '((0 . 2) (1 . 1))\n(2700 2450 1980 100)\n(#<mark startup 1 from 100 to 2000>)\n'
          '(((0 . 2) . "why so long?"))\n', 'what Scheme sees')


def listed(*options):
    result = lightcone('stats', 'trace', 'marks', *options)
    equal((result.returncode, result.stderr), (0, ''), 'status and errors of stats')
    return result.stdout


@test
def stats_lists_marks():
    copy_workers()
    contains(listed(), 'Nothing has been marked')
    equal(json.loads(listed('--json'))['mark'], [], 'no marks')
    mark_some()
    script("""(annotate! '(2 . 3) "alone\x1b[31m")""", "(what-if '((\"queue\" . 0)))")
    names = ('mark', 'process', 'name', 'ordinal', 'begin', 'end', 'operation', 'object', 'object_name', 'waited',
             'annotation')
    found = [tuple(row[name] for name in names) for row in json.loads(listed('--json'))['mark']]
    alone = rows('SELECT begin, "end", operation, object, waited FROM event WHERE process = 2 AND ordinal = 3')[0]
    equal(found[:4], [('a name', 2, 'worker-2', 0, 2700, 2800, 'start', found[0][7], found[0][8], 0, None),
                      ('slow', 0, 'main', 2, 2450, 3040, 'lock', found[1][7], 'queue', 510, 'why so long?'),
                      ('slow', 1, 'worker-1', 1, 1980, found[2][5], 'lock', found[1][7], 'queue', 0, None),
                      ('startup', 1, 'worker-1', None, 100, 2000, None, None, None, None, None)], 'marks')
    equal((found[4][:2], found[4][4:8], found[4][9:]),
          ((None, 2), tuple(alone[:4]), (alone[4], 'alone\x1b[31m')), 'what is only annotated')
    equal(len(found), 5, 'rows')
    moved = json.loads(listed('--json', '--timeline', 'what-if'))['mark'][1]
    equal([moved['begin'], moved['end']], rows('SELECT begin, "end" FROM event WHERE process = 0 AND ordinal = 2 AND '
                                               "timeline = 'what-if'")[0], 'times on another timeline')
    equal(len(listed('--format', 'csv').splitlines()), 6, 'lines of CSV')
    assert '\x1b' not in listed(), 'a text that does something to the terminal'
    contains(listed('--limit', '1'), '4')


@test
def marks_of_what_is_gone_are_listed_without_times():
    copy_workers()
    script("(mark! '((2 . 19) (0 . 2)) 'x)", "(mark-span! 2 5 9 'y)", """(annotate! '(2 . 18) "gone")""")
    os.remove('trace/worker-2.events')
    found = json.loads(listed('--json'))['mark']
    equal([(row['process'], row['ordinal'], row['begin'], row['annotation']) for row in found],
          [(0, 2, 2450, None), (2, 19, None, None), (2, None, 5, None), (2, 18, None, 'gone')], 'marks')
    contains(listed(), 'gone')


def picture(*options):
    result = lightcone('export', 'trace', '-o', 'p.svg', *options)
    equal((result.returncode, result.stderr), (0, ''), options)
    with open('p.svg', encoding='utf-8') as file:
        return file.read()


def painted(*options):
    """The titles of the groups of marks in a picture, and the colours of their frames."""
    return sorted(re.findall(r'<g id="marked[:0-9]*">\s*<title>(.*?)</title>.*?stroke="(.*?)"', picture(*options),
                             re.DOTALL))


@test
def pictures_show_marks():
    copy_workers()
    mark_some()
    equal('marked' in picture(), False, 'marks that nobody has asked for')
    everything = painted('--marks', '*')
    equal([title for title, _ in everything], ['a name', 'slow', 'startup'], 'names in the picture')
    equal(len({colour for _, colour in everything}), 3, 'colours')
    contains(picture('--marks', '*'), 'Marked: slow')
    for options in (('--time', 'logical'), ('--time', 'phase'), ('--orientation', 'right'), ('--size', '300x200'),
                    ('--collapse', 'prefix')):
        names = [title for title, _ in painted('--marks', '*', *options)]
        equal(set(names) >= {'a name', 'slow'}, True, (options, names))
        equal('startup' in names, '--time' not in options, options)
    contains(picture('--marks', '*', '--time', 'logical'), 'measured time only')
    equal([title for title, _ in painted('--marks', 's*', '--processes', 'main')], ['slow'], 'one process')
    equal(painted('--marks', 'slow', '--from', '20000', '--to', '22000'), [], 'a part without marks')
    result = lightcone('export', 'trace', '-o', 'p.svg', '--marks', 'nobody')
    equal(result.returncode, 2, 'status')
    contains(result.stderr, 'nothing is marked with “nobody”, only with: a name, slow, startup')
    contains(lightcone('export', 'trace', '-o', 'p.svg', '--view', 'matrix', '--marks', 'slow').stderr, '--marks')


@test
def marks_are_seen_at_any_zoom():
    """One event of 60000 is seen, and 60000 are no more boxes than there are pixels."""
    os.mkdir('trace')
    with open('trace/a.events', 'w', encoding='utf-8') as file:
        file.write('%lightcone-events 1\n' + ''.join(f'{i * 10} {i * 10 + 5} tag value=1\n' for i in range(60000)))
    script("(mark! '(0 . 30000) 'one)", "(mark! (events) 'every)")
    equal([title for title, _ in painted('--marks', '*')], ['every', 'one'], 'names in the picture')
    assert len(picture('--marks', '*')) < 2 * len(picture()) + 20000, 'a picture that grows with the marks'


@test
def marks_can_be_taken_away():
    copy_workers()
    mark_some()
    equal(script("(unmark! '(0 . 2) 'a)", "(unmark! '((0 . 2) (2 . 0)) 'slow)", '(length (marks))'), '0\n1\n3\n', 'one')
    equal(script("(unmark! 'slow)", "(unmark-span! 1 100 2000)", "(unmark! '((2 . 0)))", '(marks)'),
          '1\n1\n1\n()\n', 'the rest')
    equal(script("""(annotate! '(0 . 2) "better")""", '(annotations)', "(annotate! '(0 . 2) #f)", '(annotations)'),
          '(((0 . 2) . "better"))\n()\n', 'annotations')


@test
def what_is_not_there_is_not_marked():
    copy_workers()
    refuses("(mark! '((0 . 1) (0 . 25)) 'x)", 'main has no event 25: its last one is 24')
    refuses("(mark! '(7 . 0) 'x)", 'there is no process 7')
    refuses("""(mark! '(0 . 0) "")""", 'the name of a mark has to be a text of 1 to 200 bytes')
    refuses("(mark! '(0 . 0) (make-string 201 #\\x))", 'the name of a mark has to be a text of 1 to 200 bytes')
    refuses("(mark-span! 0 10 9 'x)", 'a span cannot be from 10 to 9')
    refuses("(mark-span! \"nobody\" 1 9 'x)", 'there is no process "nobody"')
    refuses("""(annotate! '(0 . 25) "x")""", 'main has no event 25')
    refuses("""(mark! 5 'x)""", 'mark!: 5 is no event')
    assert not os.path.exists(FILE), 'something was marked'


@test
def marks_outlive_the_history():
    copy_workers()
    mark_some()
    lightcone('merge', 'trace')
    os.remove('trace/history.lightcone')
    equal(rows('SELECT * FROM mark'), MARKED, 'marks of another merge')
    equal(stat.S_IMODE(os.stat(FILE).st_mode) & 0o022, 0, 'who may write to the file')
    equal(sorted(name for name in os.listdir('trace') if '.lightcone' in name),
          ['history.lightcone', 'marks.lightcone'], 'what lies there')


@test
def marks_on_a_timeline_are_of_the_measured_one():
    copy_workers()
    script("(what-if '((\"queue\" . 0)))",
           "(with-timeline \"what-if\" (mark! (events #:process 1 #:operation 'lock) 'l))")
    equal(rows("SELECT m.process, m.ordinal FROM mark AS m"),
          rows("SELECT process, ordinal FROM event WHERE process = 1 AND operation = 'lock'"), 'marked events')


@test
def many_marks_at_once():
    """Both directions, and between marks that are there: none of it may take the square of their number."""
    os.mkdir('trace')
    number = 60000
    with open('trace/a.events', 'w', encoding='utf-8') as file:
        file.write('%lightcone-events 1\n' + ''.join(f'{i} {i} tag value=1\n' for i in range(number)))
    script("(mark! (events) 'z)", "(mark! (reverse (events)) 'a)")
    equal(rows('SELECT name, count(*), count(DISTINCT ordinal) FROM mark GROUP BY 1'),
          [['a', number, number], ['z', number, number]], 'numbers')
    equal(script("(unmark! (events) 'a)", '(length (marks))'), f'{number}\n{number}\n', 'removed')


@test
def two_programs_mark_at_once():
    copy_workers()
    script('1')
    running = [subprocess.Popen([LIGHTCONE, 'script', 'trace', '-e',
                                 f"(do ((i 0 (1+ i))) ((= i 10)) (mark! (cons {process} i) 'both))"])
               for process in (0, 1, 2)]
    equal([one.wait() for one in running], [0, 0, 0], 'how they end')
    equal(rows('SELECT process, count(*) FROM mark GROUP BY 1'), [[0, 10], [1, 10], [2, 10]], 'marks')


def break_file(statement):
    database = sqlite3.connect(FILE)
    database.executescript('PRAGMA writable_schema = 1;' + statement)
    database.close()


@test
def files_that_are_not_ours_are_refused_and_stay():
    copy_workers()
    mark_some()
    with open(FILE, 'rb') as file:
        good = file.read()
    for statement, text in (
            ('CREATE TABLE more (x)', 'its tables are not those of a file of marks'),
            ('DROP TABLE mark; CREATE VIEW mark AS SELECT 1 AS name, 1 AS process, 1 AS span, 1 AS first, 1 AS last',
             'its tables are not those of a file of marks'),
            ('PRAGMA user_version = 2', 'of version 2, and this is for version 1'),
            ('PRAGMA application_id = 5', 'not a file of marks'),
            ("INSERT INTO mark VALUES ('x', -1, 0, 0, 0)", 'a row is none of ours'),
            ("INSERT INTO mark VALUES ('x', 1, 0, 3, 4)", 'a row is none of ours'),
            ("INSERT INTO mark VALUES ('x', 1, 2, 3, 4)", 'a row is none of ours'),
            ("INSERT INTO mark VALUES ('', 1, 1, 3, 4)", 'a row is none of ours'),
            ("INSERT INTO annotation VALUES (1, 'one', 'x')", 'a row is none of ours')):
        with open(FILE, 'wb') as file:
            file.write(good)
        break_file(statement)
        with open(FILE, 'rb') as file:
            broken = file.read()
        refuses("(marks)", text)
        refuses("(mark! '(0 . 0) 'x)", 'put a copy of it back, or move it away')
        contains(lightcone('sql', 'trace', 'SELECT * FROM mark').stderr, text)
        equal(lightcone('sql', 'trace', 'SELECT count(*) FROM event').returncode, 0, 'events')
        with open(FILE, 'rb') as file:
            equal(file.read() == broken, True, f'the file stays as it was ({statement})')


@test
def bytes_of_any_kind_are_refused():
    copy_workers()
    mark_some()
    with open(FILE, 'rb') as file:
        good = file.read()
    for content in (b'', b'x' * 5000, good[:5000], good[:4096] + b'\xff' * (len(good) - 4096)):
        with open(FILE, 'wb') as file:
            file.write(content)
        result = lightcone('script', 'trace', '-e', '(marks)')
        equal(result.returncode, 2, content[:20])
        contains(result.stderr, 'marks.lightcone')


@test
def links_and_files_of_others_are_not_followed():
    copy_workers()
    mark_some()
    os.rename(FILE, 'elsewhere')
    os.symlink('../elsewhere', FILE)
    refuses('(marks)', 'marks.lightcone')
    refuses("(mark! '(0 . 0) 'x)", 'marks.lightcone')
    os.remove(FILE)
    os.mkfifo(FILE)
    refuses('(marks)', 'not a regular file')
    os.remove(FILE)
    os.rename('elsewhere', FILE)
    os.chmod(FILE, 0o666)
    refuses('(marks)', 'others may write to this file')


main()
