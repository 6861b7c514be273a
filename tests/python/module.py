#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The module for Python: its columns are what SQL says, and the rest what the commands say."""
import csv
import ctypes
import io
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading

# Not every Python can load extensions of SQLite; Debian's can.
if not hasattr(sqlite3.connect(':memory:'), 'enable_load_extension') and sys.executable != '/usr/bin/python3' and \
        shutil.which('/usr/bin/python3'):
    os.execv('/usr/bin/python3', ['/usr/bin/python3', *sys.argv])

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.append(os.environ['LIGHTCONE_MODULE'])
from cli import Skip, contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position
import lightcone as module  # noqa: E402 pylint: disable=wrong-import-position

DATA = os.environ['LIGHTCONE_TEST_DATA']


def copy_workers():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')
    return module.open('trace')


def write_long(rounds=500, seed=5):
    """More events than a word of bits has, some with values, bytes and sequences, and others without."""
    chance = random.Random(seed)
    os.mkdir('trace')
    for name in ('a', 'b'):
        now, lines = 0, []
        for number in range(rounds):
            now += chance.randint(1, 90)
            text = chance.choice([f'tag value={number}', f'send {name}:{number} {number} bytes={number * 8}',
                                  f'lock L{name} {number}'])
            lines.append(f'{now} {now + 5} {text}')
            now += 5
        with open(f'trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + '\n'.join(lines) + '\n')
    return module.open('trace')


def command(*arguments):
    result = lightcone(*arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of {arguments}')
    return json.loads(result.stdout or '[]')


def sql(query):
    return [tuple(row.values()) for row in command('sql', '--json', 'trace', query)]


def refused(call, words):
    try:
        call()
    except module.Error as error:
        contains(str(error), words)
        return error
    raise AssertionError(f'nothing was refused: {words}')


# --- Tables ---------------------------------------------------------------------------------------------------------


@test
def tables_are_what_sql_says():
    for make in (copy_workers, write_long):
        with make() as history:
            for name, call in (('event', history.events), ('arc', history.arcs), ('span', history.spans),
                               ('state', history.states), ('slack', history.slack), ('process', history.processes),
                               ('object', history.objects), ('operation', history.operations),
                               ('site', history.sites), ('timeline', history.timelines)):
                found = call()
                result = lightcone('sql', '--csv', 'trace', f'SELECT * FROM {name}')
                names, *rows = list(csv.reader(io.StringIO(result.stdout))) or [[]]
                equal(found.columns, names or found.columns, f'the columns of {name}')
                equal([['' if value is None else str(value) for value in row] for row in found.rows()], rows, name)
                equal(found.n_rows, len(rows), f'rows of {name}')
        shutil.rmtree('trace')


@test
def columns_have_types_and_nulls():
    with write_long() as history:
        table = history.sql('SELECT ordinal, operation, bytes, value / 4.0 AS quarter, NULL AS missing FROM event')
        rows = sql('SELECT ordinal, operation, bytes, value / 4.0, NULL FROM event')
        equal(list(table.rows()), rows, 'rows')
        equal([table[name].kind for name in table], ['integer', 'text', 'integer', 'real', 'integer'], 'kinds')
        for i, name in enumerate(table):
            equal(table[name].nulls, sum(row[i] is None for row in rows), f'nulls of {name}')
        assert 0 < table['bytes'].nulls < len(rows), 'nulls and others'
        column = table['bytes']
        equal((column[-1], column[3:9], column[len(rows) - 1]),
              (rows[-1][2], [row[2] for row in rows[3:9]], rows[-1][2]), 'indices')
        try:
            column[len(rows)]
            raise AssertionError('there is a row behind the last one')
        except IndexError:
            pass
        values = table['ordinal'].values
        equal((values.format, values.itemsize, values.tolist()), ('q', 8, [row[0] for row in rows]), 'the buffer')
        equal(list(history.sql('SELECT 1 AS one WHERE 0').rows()), [], 'no rows')
        mixed = history.sql('SELECT 1 AS x UNION ALL SELECT 2.5 UNION ALL SELECT NULL UNION ALL SELECT 4')
        equal(list(mixed['x']), [1.0, 2.5, None, 4.0], 'integers and reals')


@test
def rows_come_in_the_order_that_was_asked_for():
    with write_long() as history:
        found = history.sql('SELECT process, begin FROM event ORDER BY begin DESC, process -- the last one first')
        equal(list(found.rows()), sql('SELECT process, begin FROM event ORDER BY begin DESC, process'), 'order')
        equal(list(history.sql('SELECT 1 AS a, 2 AS a;').dicts()), [{'a': 1, 'a:1': 2}], 'names that are twice')


@test
def filters_let_through_what_they_say():
    with write_long() as history:
        for keys, where in (({'process': 'a'}, 'process = 0'), ({'process': [0, 'b']}, '1'),
                            ({'operation': ('lock', 'tag')}, "operation IN ('lock', 'tag')"),
                            ({'object': 'Lb'}, "process = 1 AND operation = 'lock'"),
                            ({'begin': 5000, 'end': 9000}, '"end" >= 5000 AND begin < 9000')):
            found = history.events(columns=['process', 'ordinal'], **keys)
            wanted = sql(f'SELECT process, ordinal FROM event WHERE {where}')
            assert wanted, where
            equal(list(found.rows()), wanted, where)
        found = history.events('begin > ? OR 0', ['begin'], [9000], process='b')
        equal(list(found.rows()), sql('SELECT begin FROM event WHERE process = 1 AND begin > 9000'), 'a parameter')
        refused(lambda: history.events(process='nobody'), 'there is no process "nobody"')
        refused(lambda: history.events(timeline='never'), 'there is no timeline "never"')


@test
def errors_have_the_words_of_the_commands():
    with copy_workers() as history:
        said = lightcone('sql', 'trace', 'SELECT * FROM never').stderr
        contains(said, 'no such table: never')
        refused(lambda: history.sql('SELECT * FROM never'), 'trace/history.lightcone: no such table: never')
        refused(lambda: history.sql('DELETE FROM process'), 'syntax error')
        refused(lambda: history.sql("SELECT 1 AS x UNION SELECT 'a'"), 'both texts and numbers')
        refused(lambda: history.sql("SELECT x'00' AS x"), 'bytes that are no text')
        refused(lambda: history.sql('SELECT ? AS x', [1 << 70]), 'too large')
        refused(lambda: history.sql("SELECT 'a' || char(0) AS x"), 'a byte that is 0')
        error = refused(lambda: history.stats('nothing'), lightcone('stats', 'trace', 'nothing').stderr[11:].strip())
        equal(error.status, 2)
    refused(history.events, 'closed')
    refused(lambda: module.open('nowhere'), 'nowhere: No such file or directory')


@test
def a_name_cannot_steer():
    os.mkdir('trace')
    with open('trace/a.events', 'w', encoding='utf-8') as file:
        file.write("%lightcone-events 1\n%process a'b\"c\n0 1 lock m'x 1\n2 3 lock \x1b[31m 1\n")
    with module.open('trace') as history:
        name, = history.processes()['name']
        contains(name, "'")
        equal(history.events(process=name).n_rows, 2, 'events of the process')
        equal(history.events(object="m'x").n_rows, 1, 'events of the object')
        equal(history.events(operation="'; DROP").n_rows, 0, 'events of no operation')
        assert '\x1b' not in str(history.objects(columns=['name'])), 'the terminal'


@test
def another_folder_has_its_own_names():
    os.mkdir('odd % #?dir')
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'odd % #?dir/trace')
    with module.open('odd % #?dir/trace') as history:
        equal(history.events().n_rows, 65, 'events')


# --- Analyses -------------------------------------------------------------------------------------------------------


@test
def analyses_are_those_of_the_commands():
    with copy_workers() as history:
        equal(history.info(), command('info', '--json', 'trace'), 'info')
        equal(history.check(), command('check', '--json', 'trace'), 'check')
        equal(history.stats('waits', by='process', limit=2),
              command('stats', '--json', '--by', 'process', '--limit', '2', 'trace', 'waits'), 'waits')
        equal(history.critical_path(events=True), command('critical-path', '--json', '--events', 'trace'), 'path')


@test
def timelines_are_there_when_they_were_made():
    with copy_workers() as history:
        before = list(history.events(columns=['end'])['end'])
        made = history.what_if({'queue': 0})
        equal(made['approximated_total'], 28590, 'the total')
        equal(list(history.timelines()['name']), ['measured', 'what-if'], 'timelines')
        after = list(history.events(columns=['end'], timeline='what-if')['end'])
        equal(max(after), 28590, 'the last end')
        equal(list(history.events(columns=['end'])['end']), before, 'what was measured')
        equal(history.approximate('time', name='less', set=['overhead.*=0;0;35'])['timeline'], 'less', 'the name')
        equal(history.critical_path(timeline='less')['timeline'], 'less', 'the timeline of the path')


# --- Marks ----------------------------------------------------------------------------------------------------------


@test
def marks_are_kept():
    with copy_workers() as history:
        locks = history.events(operation='lock', process='main')
        equal(history.mark(locks, 'queueing'), 6, 'events that were marked')
        equal(history.mark('waited > 2000', 'long'), 5, 'by a condition')
        equal(history.mark([('main', 2), (1, 0)], 'some'), 2, 'by pairs')
        equal(history.mark([], 'some'), 0, 'nothing')
        history.mark_span('worker-1', 0, 1980, 'startup')
        history.annotate(('main', 2), 'Why?')
        equal(list(history.marks('queueing')['ordinal']), list(locks['ordinal']), 'marks')
        equal(list(history.annotations().rows()), [(0, 2, 'Why?')], 'annotations')
    told = command('stats', '--json', 'trace', 'marks')
    contains(json.dumps(told), '"startup"')
    with module.open('trace') as history:
        equal(history.unmark('queueing', [(0, 2), (0, 3)]), 1, 'a mark that went')
        equal(history.unmark('queueing'), 5, 'the others')
        equal(history.unmark_span(1, 0, 1980), 1, 'the span')
        history.annotate((0, 2), None)
        equal(history.annotations().n_rows, 0, 'annotations')
        equal(sorted(set(history.marks()['name'])), ['long', 'some'], 'what is left')


@test
def marks_that_cannot_be_are_refused():
    with copy_workers() as history:
        for call, words in ((lambda: history.mark([(0, 25)], 'x'), 'main has no event 25: its last one is 24'),
                            (lambda: history.mark([(9, 0)], 'x'), 'there is no process 9'),
                            (lambda: history.mark([(-1, 0)], 'x'), 'numbers from 0 on'),
                            (lambda: history.mark([(0, 1)], ''), 'a text of 1 to 200 bytes'),
                            (lambda: history.mark([(0, 1)], None), 'a text of 1 to 200 bytes'),
                            (lambda: history.mark([(0, 1)], 7), 'has to be a text'),
                            (lambda: history.mark_span(0, 9, 1, 'x'), 'a span cannot be from 9 to 1'),
                            (lambda: history.annotate((0, 25), 'x'), 'main has no event 25'),
                            (lambda: history.sql("SELECT add_mark('x', x'00', 1) AS x"), 'packs of them'),
                            (lambda: history.sql("SELECT add_mark('x', pack(process), 1) AS x FROM event"),
                             'of the same length'),
                            (lambda: history.sql("SELECT add_mark('x', pack(process), pack(bytes)) AS x FROM event"),
                             'packs of them')):
            refused(call, words)
        equal(history.marks().n_rows, 0, 'marks')
    result = lightcone('sql', 'trace', "SELECT add_mark('x', 0, 1)")
    equal(result.returncode, 2)
    contains(result.stderr, 'add_mark')


@test
def packs_that_lie_are_refused():
    with copy_workers() as history:
        good = module._pack([0, 1])  # pylint: disable=protected-access
        chance = random.Random(2)
        for number in range(300):
            bad = bytearray(good)
            if number % 3 == 0:
                bad = bad[:chance.randint(0, len(bad) - 1)]
            else:
                bad[chance.randint(0, 31)] ^= 1 << chance.randint(0, 7)
            refused(lambda bad=bytes(bad): history.sql('SELECT add_mark(?1, ?2, ?2) AS x', ['x', bad]), 'packs')
        equal(history.marks().n_rows, 0, 'marks')


# --- Other libraries ------------------------------------------------------------------------------------------------


def read_arrow(capsule):
    """Reads a stream as the Arrow C data interface describes it, by hand."""
    own = module._arrow  # pylint: disable=protected-access
    stream_type, schema_type, array_type = (
        module._ArrowStream, module._ArrowSchema, module._ArrowArray)  # pylint: disable=protected-access
    given = stream_type.from_address(own._get_pointer(id(capsule), b'arrow_array_stream'))
    stream = stream_type()
    ctypes.memmove(ctypes.byref(stream), ctypes.byref(given), ctypes.sizeof(stream))
    given.release = type(given.release)()  # it is ours now
    schema, array, end = schema_type(), array_type(), array_type()
    equal(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)), 0)
    equal(stream.get_next(ctypes.byref(stream), ctypes.byref(array)), 0)
    equal(stream.get_next(ctypes.byref(stream), ctypes.byref(end)), 0)
    assert not end.release, 'a batch after the last one'
    stream.release(ctypes.byref(stream))
    found = {}
    for i in range(array.n_children):
        kind, column = schema.children[i].contents, array.children[i].contents
        values = ((ctypes.c_double if kind.format == b'g' else ctypes.c_int64) * column.length).from_address(
            column.buffers[1])
        valid = column.buffers[0] and (ctypes.c_ubyte * ((column.length + 7) // 8)).from_address(column.buffers[0])
        rows = [value if not valid or valid[j >> 3] >> (j & 7) & 1 else None for j, value in enumerate(values)]
        if kind.dictionary:
            equal(kind.dictionary.contents.format, b'U')
            texts = column.dictionary.contents
            places = (ctypes.c_int64 * (texts.length + 1)).from_address(texts.buffers[1])
            text = ctypes.string_at(texts.buffers[2], places[texts.length])
            rows = [row if row is None else text[places[row]:places[row + 1]].decode() for row in rows]
        found[kind.name.decode()] = rows
        equal(column.null_count, sum(row is None for row in rows), 'nulls')
    schema.release(ctypes.byref(schema))
    array.release(ctypes.byref(array))
    return found


@test
def arrow_gets_the_columns():
    kept = module._arrow._kept  # pylint: disable=protected-access
    with write_long() as history:
        table = history.sql('SELECT ordinal, operation, bytes, value / 4.0 AS quarter FROM event')
        found = read_arrow(table.__arrow_c_stream__())
        equal(found, {name: list(table[name]) for name in table}, 'columns')
        assert any(row is None for row in found['bytes']), 'nulls'
        equal(kept, {}, 'what is kept')
        table.__arrow_c_stream__()  # which nobody takes
        equal(kept, {}, 'what is kept of a stream that nobody has taken')


@test
def numpy_and_pandas_take_columns():
    try:
        import numpy  # pylint: disable=import-outside-toplevel
        import pandas  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Skip('numpy or pandas is not there') from None
    with write_long() as history:
        table = history.events(columns=['ordinal', 'operation', 'bytes'])
        ordinals = numpy.asarray(table['ordinal'])
        equal((str(ordinals.dtype), ordinals.tolist()), ('int64', list(table['ordinal'])))
        equal(numpy.asarray(table['operation']).tolist(), list(table['operation']))
        equal(int(numpy.isnan(numpy.asarray(table['bytes'])).sum()), table['bytes'].nulls)
        frame = table.to_pandas()
        equal(frame['bytes'].sum(), sum(value or 0 for value in table['bytes']), 'a sum')
        equal(list(frame['operation']), list(table['operation']))
        equal(len(pandas.DataFrame(dict(table))), table.n_rows)


@test
def pyarrow_takes_tables():
    try:
        import pyarrow  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        raise Skip('pyarrow is not there') from None
    with write_long() as history:
        table = history.events(columns=['ordinal', 'operation', 'bytes'])
        equal(table.to_arrow().to_pylist(), list(table.dicts()))


@test
def threads_have_histories_of_their_own():
    copy_workers().close()
    found = []

    def read():
        with module.open('trace') as history:
            found.append(sum(history.events()['waited']))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(found, [sql('SELECT sum(waited) FROM event')[0][0]] * 4, 'sums')


def run_page(name, first=''):
    """Runs the blocks of Python of a page one after the other; a block of text after one is what it prints."""
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'workers.trace')
    with open(os.path.join(os.environ['LIGHTCONE_DOCS'], name), encoding='utf-8') as file:
        blocks = re.findall(r'^```(python|text)\n(.*?)^```\n', file.read(), re.MULTILINE | re.DOTALL)
    program, wanted = [first], []
    for kind, content in blocks:
        if kind == 'python':
            program.append(f'print("----")\n{content}')
            wanted.append('')
        else:
            wanted[-1] = content
    result = subprocess.run([sys.executable, '-c', '\n'.join(program)], capture_output=True, text=True,
                            env={**os.environ, 'PYTHONPATH': os.environ['LIGHTCONE_MODULE']})
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of {name}')
    equal(result.stdout.split('----\n')[1:], wanted, f'what the blocks of {name} print')
    return len(blocks)


@test
def the_recipes_print_what_the_page_says():
    assert run_page('recipes.md') >= 40, 'hardly any recipes'


@test
def the_page_says_what_is_true():
    assert run_page('python.md') >= 8, 'hardly any examples'


@test
def the_module_needs_nothing_but_its_two_files():
    copy_workers().close()
    os.mkdir('elsewhere')
    shutil.copy(os.path.join(os.environ['LIGHTCONE_MODULE'], 'lightcone.py'), 'elsewhere')
    environment = {**os.environ, 'PYTHONPATH': 'elsewhere'}
    say = 'import lightcone; print(lightcone.open("trace").events().n_rows)'
    result = subprocess.run([sys.executable, '-c', say], env=environment, capture_output=True, text=True)
    equal((result.stdout, result.stderr), ('65\n', ''), 'told by the environment')
    for name in ('LIGHTCONE', 'LIGHTCONE_SQL_EXTENSION'):
        result = subprocess.run([sys.executable, '-c', say], env={**environment, name: '/nowhere/it'},
                                capture_output=True, text=True)
        assert result.returncode != 0, name
        contains(result.stderr, '/nowhere/it')
    with open('elsewhere/lightcone.py', encoding='utf-8') as file:
        assert '@' + 'LIBRARY_FOLDER@' not in file.read(), 'where it is installed is not known'


main()
