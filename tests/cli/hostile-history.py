#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Histories that somebody has forged: no command runs for ever, crashes, or touches a file that is not its own."""
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import time

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, test

DATA = os.environ['LIGHTCONE_TEST_DATA']
HISTORY = 'evil.trace/history.lightcone'
SOON = PATIENCE / 3  # seconds that a command may take here; all of them take less than one
COMMANDS = [
    ('info',), ('info', '--json'), ('merge',), ('check',), ('stats', 'objects'), ('stats', 'processes'),
    ('stats', 'waits'), ('stats', 'marks'), ('stats', 'phases'), ('stats', 'sites'), ('stats', 'blame'),
    ('critical-path',), ('critical-path', '--by', 'site'), ('approximate', '--set', 'time.mutex.lock=1'),
    ('approximate', '--model', 'liberal'), ('what-if', '--scale', 'queue=0'),
    ('races',), ('check', '--predict'),
]


def make_evil():
    """A trace with its history, as it came from somebody else."""
    if not os.path.exists('../good.trace'):
        shutil.copytree(os.path.join(DATA, 'workers.trace'), '../good.trace')
        equal(lightcone('merge', '../good.trace').returncode, 0)
    shutil.rmtree('evil.trace', ignore_errors=True)
    shutil.copytree('../good.trace', 'evil.trace')


def change(*statements, writable_schema=False):
    """Changes the history where it is, and nothing of when it seems to have been made."""
    status = os.stat(HISTORY)
    database = sqlite3.connect(HISTORY, isolation_level=None)
    database.execute('PRAGMA journal_mode = OFF')
    if writable_schema:
        database.execute('PRAGMA writable_schema = 1')
    for statement in statements:
        database.execute(statement)
    database.close()
    os.utime(HISTORY, ns=(status.st_atime_ns, status.st_mtime_ns))


def run(*arguments, **options):
    """What a command makes of it; that it ends is what is asked."""
    result = lightcone(*arguments, **{'timeout': SOON, **options})
    assert result.returncode in (0, 1, 2), f'{arguments}: {result.returncode}: {result.stderr}'
    return result


def run_all(what):
    """Every command, each on the same file."""
    with open(HISTORY, 'rb') as file:
        evil = file.read()
    status = os.stat(HISTORY)
    for command in COMMANDS:
        with open(HISTORY, 'wb') as file:
            file.write(evil)
        os.utime(HISTORY, ns=(status.st_atime_ns, status.st_mtime_ns))
        try:
            run(command[0], 'evil.trace', *command[1:])
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f'{what}: {command} does not end') from late


def test_each(claim, cases):
    """A test of its own for each case, so that each has all the time that a test has."""
    def register(what, case):
        def function():
            claim(what, case)
        function.__name__ = f'{claim.__name__}: {what}'
        test(function)
    for what, case in cases.items():
        register(what, case)


def good_answer(*arguments):
    result = run(*arguments)
    equal((result.returncode, result.stderr), (0, ''), str(arguments))
    return result.stdout


def forge_journal(path, victim):
    """The journal of nothing, of a transaction of several files that the victim would be the journal of."""
    name = os.path.abspath(victim).encode()
    magic = bytes.fromhex('d9d505f920a163d7')
    with open(path, 'wb') as file:
        file.write(magic + struct.pack('>IIIII', 0, 0, 0, 512, 8192) + bytes(484))
        file.write(struct.pack('>I', 0x40000000 // 8192 + 1) + name + struct.pack('>II', len(name), sum(name)) + magic)


@test
def a_forged_journal_removes_nothing():
    for suffix in ('-journal', '-wal', '-shm'):
        make_evil()
        with open('victim', 'w', encoding='utf-8') as file:
            file.write('mine')
        for command in COMMANDS:
            forge_journal(HISTORY + suffix, 'victim')
            run(command[0], 'evil.trace', *command[1:])
            assert os.path.exists('victim'), f'{suffix}: {command}'
        # What is not ours beside it is not handed on to the next program that has SQLite.
        equal(os.path.exists(HISTORY + suffix), False, suffix)
        equal(sqlite3.connect(HISTORY).execute('PRAGMA integrity_check').fetchone(), ('ok',))
        assert os.path.exists('victim')


@test
def a_history_with_a_journal_is_made_again():
    make_evil()
    change("UPDATE object SET name = 'forged' WHERE id = 2")
    contains(good_answer('stats', 'evil.trace', 'objects'), 'forged')
    forge_journal(HISTORY + '-journal', 'victim')
    assert 'forged' not in good_answer('stats', 'evil.trace', 'objects')


@test
def what_a_killed_program_of_others_left_is_not_read():
    """Half a transaction is in the file, the other half would be in the journal."""
    make_evil()
    status = os.stat(HISTORY)
    database = sqlite3.connect(HISTORY, isolation_level=None)
    database.execute('PRAGMA cache_size = 1')
    database.execute('BEGIN')
    database.execute("UPDATE object SET name = hex (randomblob (5000))")
    shutil.copy(HISTORY, 'half')
    shutil.copy(HISTORY + '-journal', 'half-journal')
    database.execute('ROLLBACK')
    database.close()
    shutil.copy('half', HISTORY)
    shutil.copy('half-journal', HISTORY + '-journal')
    os.utime(HISTORY, ns=(status.st_atime_ns, status.st_mtime_ns))
    contains(good_answer('stats', 'evil.trace', 'objects'), 'queue')
    equal(os.path.exists(HISTORY + '-journal'), False)


ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'
COLUMNS = {
    'process': 'i AS id, \'p\' AS name, 0 AS parent, \'h\' AS host, 0 AS rank, 1 AS pid, 1 AS thread, 1 AS events, '
               '0 AS begin, 1 AS "end", 1 AS layers, 0 AS instance, \'f\' AS file, \'ended\' AS state, 0 AS lost, '
               'NULL AS pending_operation, 0 AS pending_object, 0 AS pending_sequence, 0 AS pending_begin, '
               'NULL AS pending_stack',
    'object': "i AS id, 'o' AS name, 'mutex' AS class, 0 AS process, 0 AS instance, 0 AS address, 0 AS value, "
              '1 AS events, 1 AS waited, 1 AS held',
    'operation': "i AS id, 'x' AS name, 'mutex' AS class",
    'arc_rule': "i AS id, 'r' AS name, 'mutex' AS class, 'lock' AS from_operation, 'end' AS from_point, "
                "'unlock' AS to_operation, 1 AS step, 'data' AS kind",
    'holding': "'mutex' AS class, 'lock' AS from_operation, 'unlock' AS to_operation",
    'timeline': "i AS id, 't' || i AS name, NULL AS model, NULL AS parameters, 0 AS own",
    'problem': "i AS id, 'k' AS kind, 'note' AS severity, 1 AS count, NULL AS file, NULL AS line, NULL AS byte, "
               'NULL AS process, NULL AS ordinal, NULL AS operation, NULL AS object, NULL AS sequence, NULL AS detail',
    'operation_total': '0 AS timeline, i AS process, 0 AS operation, 1 AS events, 1 AS time, 1 AS waited, 1 AS longest',
    'meta': "'k' || i AS key, i AS value",
    'block': 'i AS id, zeroblob (10) AS data',
    'block_index': '0 AS timeline, i AS process, zeroblob (10) AS data',
    'summary': 'i AS id, zeroblob (10) AS data',
    'summary_index': '0 AS timeline, i AS process, zeroblob (10) AS data',
    'posting': 'i AS id, zeroblob (10) AS data',
    'posting_index': 'i AS id, zeroblob (10) AS data',
    'longest_arcs': 'i AS id, zeroblob (10) AS data',
    'phase_rule': "i AS id, 'p' AS name, 'mutex' AS class, 'lock' AS operation, NULL AS object, 'count' AS number, "
                  "'begin' AS point",
    'phase': "i AS id, 'p' AS name, 0 AS begin, 1 AS \"end\", 1 AS events, 1 AS first_layer, 1 AS last_layer",
}


def endless_view(table, columns):
    return (f'DROP TABLE {table}', f'CREATE VIEW {table} AS {ENDLESS} SELECT {columns} FROM n')


SCHEMAS = {f'an endless {table}': endless_view(table, columns) for table, columns in COLUMNS.items()}
SCHEMAS |= {
    'a trigger that adds for ever': (
        f'CREATE TRIGGER evil AFTER INSERT ON timeline BEGIN INSERT INTO operation_total {ENDLESS} '
        'SELECT i, i, i, i, i, i, i FROM n; END',),
    'a trigger that takes names away': (
        'CREATE TRIGGER evil AFTER INSERT ON timeline BEGIN DELETE FROM process; DELETE FROM object; END',),
    'a further table': ('CREATE TABLE evil (a)',),
    'a further index': ('CREATE INDEX evil ON object (name)',),
    'an index of an expression': ("CREATE INDEX evil ON process (hex (zeroblob (id)))",),
    'statistics': ('ANALYZE',),
    'a table of text files': ('CREATE VIRTUAL TABLE evil USING fts4 (a)',),
    'a column that is computed': (
        'DROP TABLE operation', 'CREATE TABLE operation (id INTEGER PRIMARY KEY, name TEXT NOT NULL '
        'GENERATED ALWAYS AS (hex (zeroblob (400000000))), class TEXT)',
        'INSERT INTO operation (id) VALUES (0)'),
    'a table without a name': ('DROP TABLE meta',),
}


def schemas_that_are_not_ours_are_not_asked(what, statements):
    make_evil()
    change(*statements)
    run_all(what)
    change(*())
    contains(good_answer('stats', 'evil.trace', 'objects'), 'queue')


assert len(SCHEMAS) >= 20
test_each(schemas_that_are_not_ours_are_not_asked, SCHEMAS)


def a_schema_that_only_looks_like_ours_is_not_asked(what, statement):
    make_evil()
    change(statement, writable_schema=True)
    run_all(what)
    contains(good_answer('stats', 'evil.trace', 'objects'), 'queue')


test_each(a_schema_that_only_looks_like_ours_is_not_asked, {
    'another space': "UPDATE sqlite_schema SET sql = replace (sql, 'lost INTEGER', 'lost  INTEGER') "
                     "WHERE name = 'process'",
    'the table of another': "UPDATE sqlite_schema SET tbl_name = 'object' WHERE name = 'process'",
    'no index': "DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_block_index_1'",
    'a view more': "INSERT INTO sqlite_schema VALUES ('view', 'evil', 'evil', 0, 'CREATE VIEW evil AS SELECT 1')",
})


# --- Rows -----------------------------------------------------------------------------------------------------------

ROWS = {
    'an object of a large number': ("UPDATE object SET id = 1 << 40 WHERE id = 2",),
    'an object of a number that fits': ("UPDATE object SET id = 4000000000 WHERE id = 2",),
    'an object below 0': ("UPDATE object SET id = -5 WHERE id = 2",),
    'an object without a number in between': ("DELETE FROM object WHERE id = 2",),
    'no objects': ('DELETE FROM object',),
    'an object of no process': ("UPDATE object SET process = 77",),
    'an object of minus one process': ("UPDATE object SET process = -1, instance = -1",),
    'names that are bytes': ("UPDATE object SET name = x'ff00fe', class = x'c3'", "UPDATE process SET name = x'ff61'"),
    'names with an end in the middle': ("UPDATE object SET name = 'a' || char (0) || 'b'",),
    'names of a megabyte': ("UPDATE object SET name = hex (zeroblob (1000000))",
                            "UPDATE process SET host = hex (zeroblob (1000000))"),
    'a parent that is not there': ('UPDATE process SET parent = 1000 WHERE id = 1',),
    'a parent of its own': ('UPDATE process SET parent = id',),
    'more events than there are': ('UPDATE process SET events = 1 << 40',),
    'events for ever': ('UPDATE process SET events = 9223372036854775807',),
    'events below 0': ('UPDATE process SET events = -1',),
    'events that are text': ("UPDATE process SET events = 'many', \"end\" = 'late', lost = 1e300",),
    'an end before the begin': ('UPDATE process SET begin = 1 << 61, "end" = 1',),
    'times for ever': ('UPDATE process SET begin = 9223372036854775807, "end" = 9223372036854775807',),
    'layers for ever': ('UPDATE process SET layers = 9223372036854775807',),
    'a rank of its own': ('UPDATE process SET rank = 4000000000, instance = 4000000000, pid = -1, thread = 1 << 50',),
    'something begun on nothing': ("UPDATE process SET pending_operation = 'lock', pending_object = 4000000000, "
                                   'pending_begin = -7, pending_sequence = 9223372036854775807',),
    'operations of large numbers': ('UPDATE operation SET id = id + 60000',),
    'no operations': ('DELETE FROM operation',),
    'a rule of nothing': ("UPDATE arc_rule SET from_operation = 'x', step = 9223372036854775807",),
    'holding the wrong way round': ("UPDATE holding SET from_operation = to_operation",),
    'a timeline of a large number': ("INSERT INTO timeline (id, name, own) VALUES (1 << 40, 'evil', 1)",),
    'a timeline below 0': ("INSERT INTO timeline (id, name, own) VALUES (-1, 'event', 0)",),
    'no timeline': ('DELETE FROM timeline',),
    'a problem of nobody': ("INSERT INTO problem (kind, severity, count, process, ordinal, object) VALUES "
                            "('unmatched', 'fault', -1, 4000000000, -1, 1 << 40)",),
    'totals for ever': ('UPDATE operation_total SET events = 9223372036854775807, time = 9223372036854775807, '
                        'waited = -9223372036854775808',),
    'objects that waited for ever': ('UPDATE object SET events = 9223372036854775807, waited = 9223372036854775807, '
                                     'held = 9223372036854775807',),
    'an index for ever': ('UPDATE block_index SET data = zeroblob (1000000)',),
    'blocks of another': ('UPDATE block_index SET data = (SELECT data FROM block_index WHERE process = 2)',),
    'no blocks': ('DELETE FROM block',),
    'blocks that are text': ("UPDATE block SET data = 'evil'",),
    'no postings': ('DELETE FROM posting', "UPDATE posting_index SET data = 'x'"),
    'no summaries': ('DELETE FROM summary', 'DELETE FROM summary_index'),
    'summaries that are text': ("UPDATE summary SET data = 'x'", "UPDATE summary_index SET data = 'x'"),
    'phases for ever': ("INSERT INTO phase SELECT id, 'p', 9223372036854775807, -1, 9223372036854775807, -1, 5 FROM "
                        'process', "REPLACE INTO meta VALUES ('phases', 'x'), ('phases_behind', -1)"),
    'a rule of phases that is no rule': ("INSERT INTO phase_rule VALUES (0, 'x', 'none', x'ff', NULL, 'count', 'x')",),
    'meta that is not': ("UPDATE meta SET value = x'ff' WHERE key NOT IN ('rules', 'fingerprint')",),
}


def rows_that_cannot_be_are_damage(what, statements):
    make_evil()
    change(*statements)
    run_all(what)
    for query in ('SELECT * FROM event', 'SELECT * FROM arc', 'SELECT * FROM span', 'SELECT * FROM object'):
        run('sql', 'evil.trace', query, text=False)


test_each(rows_that_cannot_be_are_damage, ROWS)


# --- Times ----------------------------------------------------------------------------------------------------------


@test
def times_and_numbers_at_the_limit_can_be_added():
    late, last = (1 << 61) - 1000, (1 << 63) - 1
    os.mkdir('late.trace')
    for name, lines in {
        'a': ['0 10 lock m 1', f'20 {late} unlock m 1', f'{late + 10} {late + 20} lock m 3',
              f'{late + 30} {late + 40} unlock m 3', f'{late + 50} {late + 60} send c 1 bytes=4',
              f'{late + 70} {late + 90} barrier b 0 value=2', f'{late + 95} {late + 99} tag value={last}'],
        'b': [f'5 {late + 2} lock m 2', f'{late + 3} {late + 6} unlock m 2', f'{late + 8} {late + 65} recv c 1 bytes=4',
              f'{late + 75} {late + 90} barrier b 0 value=2', f'{late + 91} {late + 92} lock m {last}',
              f'{late + 93} {late + 94} unlock m {last}'],
    }.items():
        with open(f'late.trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + '\n'.join(lines) + '\n')
    for command in (('check',), ('stats', 'objects'), ('critical-path',), ('approximate', '--model', 'liberal'),
                    ('approximate', '--set', 'overhead.*=1000000000000000;1000000000000000;1000000000000000'),
                    ('what-if', '--scale', 'm=1e18'), ('what-if', '--scale', 'lock=1e300', '--approximate'),
                    ('what-if', '--scale', 'communication=1e300')):
        result = run(command[0], 'late.trace', *command[1:])
        assert 'runtime error' not in result.stderr, f'{command}: {result.stderr}'
        equal(result.returncode in (0, 1), True, f'{command}: {result.stderr}')
    wrong = run('sql', 'late.trace', '--csv', "SELECT count(*) FROM event WHERE timeline LIKE '%' AND "
                '("end" < begin OR begin < 0 OR "end" > 4611686018427387904)').stdout
    equal(wrong.split(), ['count(*)', '0'])


# --- Files ----------------------------------------------------------------------------------------------------------


@test
def a_link_is_not_followed():
    make_evil()
    shutil.move(HISTORY, 'elsewhere')
    with open('elsewhere', 'rb') as file:
        before = file.read()
    os.symlink('../elsewhere', HISTORY)
    for command in COMMANDS:
        run(command[0], 'evil.trace', *command[1:])
    equal(os.path.islink(HISTORY), False)
    with open('elsewhere', 'rb') as file:
        equal(file.read() == before, True, 'what it named is as it was')


@test
def what_is_no_file_is_not_waited_for():
    make_evil()
    os.remove(HISTORY)
    os.mkfifo(HISTORY)
    contains(good_answer('stats', 'evil.trace', 'objects'), 'queue')


@test
def what_others_may_write_is_made_again():
    make_evil()
    change("UPDATE object SET name = 'forged' WHERE id = 2")
    os.chmod(HISTORY, 0o664)
    assert 'forged' not in good_answer('stats', 'evil.trace', 'objects')
    equal(os.stat(HISTORY).st_mode & 0o777, 0o644)


@test
def the_mask_makes_no_history_that_is_not_trusted():
    make_evil()
    before = os.umask(0o002)
    try:
        equal(lightcone('merge', '--again', 'evil.trace').returncode, 0)
    finally:
        os.umask(before)
    equal(os.stat(HISTORY).st_mode & 0o777, 0o644)
    contains(lightcone('merge', 'evil.trace').stdout, 'up to date')


@test
def what_belongs_to_somebody_else_is_made_again():
    if os.geteuid() != 0:
        raise Skip('only root can give files away')
    make_evil()
    change("UPDATE object SET name = 'forged' WHERE id = 2")
    os.chown(HISTORY, 12345, 12345)
    assert 'forged' not in good_answer('stats', 'evil.trace', 'objects')
    equal(os.stat(HISTORY).st_uid, 0)
    # Whoever owns the folder could have written any trace there, so that his history is as good as that.
    change("UPDATE object SET name = 'forged' WHERE id = 2")
    os.chown(HISTORY, 12345, 12345)
    os.chown('evil.trace', 12345, 12345)
    contains(good_answer('stats', 'evil.trace', 'objects'), 'forged')


@test
def a_history_that_is_cut_while_it_is_read_is_no_signal():
    make_evil()
    process = subprocess.Popen([LIGHTCONE, 'sql', 'evil.trace', '--csv'], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write('SELECT count(*) FROM event;\n')
    process.stdin.flush()
    equal(process.stdout.readline(), 'count(*)\n')
    os.truncate(HISTORY, 8192)
    _, errors = process.communicate('SELECT sum(length (data)) FROM summary;\nSELECT sum(waited) FROM event;\n',
                                    timeout=SOON)
    equal(process.returncode, 2, errors)
    contains(errors, 'damaged')


# --- Adding while it is made again ----------------------------------------------------------------------------------


@test
def approximating_while_it_is_merged_again():
    make_evil()
    merging = subprocess.Popen(['sh', '-c', 'while :; do "$0" merge -q --again evil.trace || exit; done', LIGHTCONE],
                               stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        until = time.monotonic() + 5
        while time.monotonic() < until:
            result = run('approximate', 'evil.trace')
            equal((result.returncode, result.stderr), (0, ''))
    finally:
        os.killpg(merging.pid, signal.SIGKILL)
        merging.wait()


# --- SQL ------------------------------------------------------------------------------------------------------------


@test
def sql_only_asks():
    make_evil()
    for statement in ("ATTACH '/etc/passwd' AS e", "SELECT load_extension ('libm.so.6')", 'PRAGMA writable_schema = 1',
                      "VACUUM INTO 'copy'", 'CREATE TEMP TABLE t (a)', "PRAGMA temp_store_directory = '/'",
                      'DELETE FROM process', 'PRAGMA query_only = 0', 'DETACH main', 'ANALYZE',
                      "SELECT writefile ('copy', 'x')", "CREATE VIRTUAL TABLE temp.t USING csv (filename = 'x')"):
        result = run('sql', 'evil.trace', statement)
        equal((result.returncode, result.stdout), (2, ''), statement)
    equal(os.path.exists('copy'), False)


main()
