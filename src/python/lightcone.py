# SPDX-License-Identifier: Apache-2.0
"""Asks the history of a parallel program in Python: its events, arcs and objects as columns, and what Lightcone finds.

    import lightcone

    with lightcone.open('gauss.trace') as history:
        waits = history.events('waited > 1000', ['process', 'ordinal', 'operation', 'waited'])
        print(len(waits), sum(waits['waited']))
        history.mark(waits, 'long')

Columns are arrays: numpy, pandas and pyarrow take them as they are, and none of them is needed. docs/scripting.md
explains the rest, docs/sql.md the tables."""
import collections.abc
import ctypes
import itertools
import json
import os
import pathlib
import shutil
import sqlite3
import struct
import subprocess

__all__ = ['Column', 'Error', 'History', 'Table', 'open']

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARY_FOLDER = '@LIBRARY_FOLDER@'
_BIN_FOLDER = '@BIN_FOLDER@'
_MEASURED = 'measured'
_HEAD = struct.Struct('=4Q')


class Error(Exception):
    """What a command of Lightcone, or the history, says is wrong. `status` is the command's exit status, or None."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


# --- Where things are -----------------------------------------------------------------------------------------------


def _find(variable, built, installed, name):
    """The file that an environment variable names, or that is in the folder of the build, or installed."""
    given = os.environ.get(variable)
    if given:
        return given
    for path in (os.path.join(_HERE, *built), os.path.join(installed, name)):
        if os.path.isfile(path):
            return path
    return shutil.which(name)


def _find_program():
    program = _find('LIGHTCONE', ('..', 'cli', 'lightcone'), _BIN_FOLDER, 'lightcone')
    if program is None:
        raise Error('the program lightcone is not there: LIGHTCONE can say where it is')
    return program


def _find_extension():
    extension = _find('LIGHTCONE_SQL_EXTENSION', ('..', 'history', 'liblightcone-sql.so'), _LIBRARY_FOLDER,
                      'liblightcone-sql.so')
    if extension is None:
        raise Error('liblightcone-sql.so is not there: LIGHTCONE_SQL_EXTENSION can say where it is')
    return extension


def _run(*arguments, statuses=(0,)):
    """Runs lightcone, and gives what it prints in JSON."""
    result = subprocess.run([_find_program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if result.returncode not in statuses:
        said = result.stderr.decode('utf-8', 'replace').strip() or f'lightcone {arguments[0]} has failed'
        raise Error(said.removeprefix('lightcone: '), result.returncode)
    return json.loads(result.stdout.decode('utf-8', 'replace'))


# --- Columns --------------------------------------------------------------------------------------------------------


class Column(collections.abc.Sequence):
    """A column of a table. `kind` is 'integer', 'real' or 'text'; None stands for null.

    `values` is a memoryview of 8-byte integers or reals, with 0 for null; of texts, of their numbers in `texts`.
    `valid` is None if nothing is null, or else a memoryview of bytes with a bit for each row, the lowest first."""

    def __init__(self, packed):
        kind, rows, nulls, n_texts = _HEAD.unpack_from(packed)
        whole = memoryview(packed)
        begin, end = _HEAD.size, _HEAD.size + 8 * rows
        self.kind = {'q': 'integer', 'd': 'real', 't': 'text'}[chr(kind)]
        self.nulls = nulls
        self.values = whole[begin:end].cast('d' if self.kind == 'real' else 'q')
        self.valid = None
        if nulls:
            begin, end = end, end + (rows + 63) // 64 * 8
            self.valid = whole[begin:end]
        self._places = whole[end:end + 8 * (n_texts + 1)] if n_texts else memoryview(bytes(8))
        self._bytes = whole[end + len(self._places):] if n_texts else memoryview(b'')
        self.texts = self._read_texts() if self.kind == 'text' else None

    def _read_texts(self):
        places = self._places.cast('q')
        return [str(self._bytes[places[i]:places[i + 1]], 'utf-8', 'replace') for i in range(len(places) - 1)]

    def is_null(self, row):
        """Whether there is no value in a row."""
        return self.valid is not None and not self.valid[row >> 3] >> (row & 7) & 1

    def __len__(self):
        return len(self.values)

    def _get(self, row):
        if self.is_null(row):
            return None
        return self.values[row] if self.texts is None else self.texts[self.values[row]]

    def __getitem__(self, row):
        if isinstance(row, slice):
            return [self._get(i) for i in range(*row.indices(len(self)))]
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(f'there is no row {row} in a column of {len(self)}')
        return self._get(row)

    def __iter__(self):
        if self.texts is None and self.valid is None:
            return iter(self.values)
        return map(self._get, range(len(self)))

    def __repr__(self):
        return f'<lightcone.Column of {len(self)}: {self.kind}>'

    def tolist(self):
        """The values in a list."""
        return list(self)

    def __array__(self, dtype=None, copy=None):
        """For numpy: integers and reals without a copy; with nulls, real numbers with NaN; texts as objects."""
        import numpy  # pylint: disable=import-outside-toplevel,import-error
        if self.texts is not None:
            array = numpy.array(self.texts + [None], dtype=object)[self._mark_nulls(numpy, -1)]
        else:
            array = numpy.frombuffer(self.values, dtype=self.values.format)
            array = self._mark_nulls(numpy, numpy.nan) if self.nulls else array
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def _mark_nulls(self, numpy, null):
        array = numpy.frombuffer(self.values, dtype=self.values.format)
        if not self.nulls:
            return array
        valid = numpy.unpackbits(numpy.frombuffer(self.valid, dtype='u1'), bitorder='little')[:len(self)]
        return numpy.where(valid, array, null)


def _to_text(value):
    return '' if value is None else f'{value:.3f}' if isinstance(value, float) else str(value)


class Table(collections.abc.Mapping):
    """Columns of the same length, by name: a mapping, as pandas.DataFrame(dict(table)) wants it."""

    def __init__(self, columns):
        self._columns = columns

    @property
    def columns(self):
        """The names of the columns."""
        return list(self._columns)

    def __getitem__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f'there is no column {name!r}: there are {", ".join(self._columns)}') from None

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        """How many columns there are; `n_rows` says how many rows."""
        return len(self._columns)

    @property
    def n_rows(self):
        """How many rows there are."""
        return next((len(column) for column in self._columns.values()), 0)

    def rows(self):
        """Goes over the rows, as tuples."""
        return zip(*self._columns.values())

    def dicts(self):
        """Goes over the rows, as dictionaries."""
        return (dict(zip(self._columns, row)) for row in self.rows())

    def __repr__(self):
        return f'<lightcone.Table of {self.n_rows} rows: {", ".join(self._columns)}>'

    def __str__(self):
        """The rows in columns of text, as the commands print tables."""
        rows = [[_to_text(value) for value in row] for row in self.rows()]
        names = self.columns
        widths = [max([len(name)] + [len(row[i]) for row in rows]) for i, name in enumerate(names)]
        left = [column.kind == 'text' for column in self._columns.values()]
        lines = ['  '.join(value.ljust(width) if to_left else value.rjust(width)
                           for value, width, to_left in zip(row, widths, left)).rstrip() for row in [names] + rows]
        return '\n'.join(''.join(c if c.isprintable() else c.encode('unicode_escape').decode() for c in line)
                         for line in lines)

    def to_pandas(self):
        """A pandas.DataFrame; texts are categories."""
        import pandas  # pylint: disable=import-outside-toplevel,import-error
        frame = pandas.DataFrame({name: column.__array__() for name, column in self._columns.items()})
        for name, column in self._columns.items():
            if column.kind == 'text':
                frame[name] = frame[name].astype('category')
        return frame

    def to_arrow(self):
        """A pyarrow.Table, which shares the memory of the columns."""
        import pyarrow  # pylint: disable=import-outside-toplevel,import-error
        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def __arrow_c_stream__(self, requested_schema=None):
        """The table for whatever knows the Arrow C data interface; texts are encoded as a dictionary."""
        return _arrow.export(self._columns)


# --- The Arrow C data interface -------------------------------------------------------------------------------------


class _ArrowSchema(ctypes.Structure):
    pass


class _ArrowArray(ctypes.Structure):
    pass


class _ArrowStream(ctypes.Structure):
    pass


_RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ArrowSchema))
_RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ArrowArray))
_RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ArrowStream))
_GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_ArrowStream), ctypes.POINTER(_ArrowSchema))
_GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_ArrowStream), ctypes.POINTER(_ArrowArray))
_GET_LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_ArrowStream))
_DESTROY_CAPSULE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_ArrowSchema._fields_ = [
    ('format', ctypes.c_char_p), ('name', ctypes.c_char_p), ('metadata', ctypes.c_char_p), ('flags', ctypes.c_int64),
    ('n_children', ctypes.c_int64), ('children', ctypes.POINTER(ctypes.POINTER(_ArrowSchema))),
    ('dictionary', ctypes.POINTER(_ArrowSchema)), ('release', _RELEASE_SCHEMA), ('private_data', ctypes.c_void_p)]
_ArrowArray._fields_ = [
    ('length', ctypes.c_int64), ('null_count', ctypes.c_int64), ('offset', ctypes.c_int64),
    ('n_buffers', ctypes.c_int64), ('n_children', ctypes.c_int64), ('buffers', ctypes.POINTER(ctypes.c_void_p)),
    ('children', ctypes.POINTER(ctypes.POINTER(_ArrowArray))), ('dictionary', ctypes.POINTER(_ArrowArray)),
    ('release', _RELEASE_ARRAY), ('private_data', ctypes.c_void_p)]
_ArrowStream._fields_ = [
    ('get_schema', _GET_SCHEMA), ('get_next', _GET_NEXT), ('get_last_error', _GET_LAST_ERROR),
    ('release', _RELEASE_STREAM), ('private_data', ctypes.c_void_p)]

_NULLABLE = 2
_NO_SCHEMA, _NO_ARRAY, _NO_STREAM = _RELEASE_SCHEMA(), _RELEASE_ARRAY(), _RELEASE_STREAM()


class _Arrow:
    """Tables as streams of one batch. What a structure points to is kept until the structure is released."""

    def __init__(self):
        self._kept = {}
        self._numbers = itertools.count(1)
        self._release_schema = _RELEASE_SCHEMA(lambda schema: self._release(schema, _NO_SCHEMA))
        self._release_array = _RELEASE_ARRAY(lambda array: self._release(array, _NO_ARRAY))
        self._release_stream = _RELEASE_STREAM(lambda stream: self._release(stream, _NO_STREAM))
        self._get_schema = _GET_SCHEMA(self._write_schema)
        self._get_next = _GET_NEXT(self._write_next)
        self._get_last_error = _GET_LAST_ERROR(lambda stream: None)
        self._destroy = _DESTROY_CAPSULE(self._destroy_capsule)
        self._new_capsule = ctypes.pythonapi.PyCapsule_New
        self._new_capsule.restype = ctypes.py_object
        self._new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self._get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        self._get_pointer.restype = ctypes.c_void_p
        self._get_pointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]

    def _keep(self, things):
        number = next(self._numbers)
        self._kept[number] = things
        return number

    def _release(self, pointer, nothing):
        structure = pointer.contents
        for i in range(getattr(structure, 'n_children', 0)):
            child = structure.children[i].contents
            if child.release:  # one that was taken out of its parent is released by who took it
                child.release(structure.children[i])
        dictionary = getattr(structure, 'dictionary', None)
        if dictionary and dictionary.contents.release:
            dictionary.contents.release(dictionary)
        self._kept.pop(structure.private_data, None)
        structure.release = nothing

    def export(self, columns):
        """A capsule with a stream of these columns."""
        stream = _ArrowStream(self._get_schema, self._get_next, self._get_last_error, self._release_stream)
        stream.private_data = self._keep({'columns': columns, 'read': False})
        number = self._keep(stream)
        capsule = self._new_capsule(ctypes.addressof(stream), b'arrow_array_stream',
                                    ctypes.cast(self._destroy, ctypes.c_void_p))
        self._kept[ctypes.addressof(stream), 'capsule'] = number
        return capsule

    def _destroy_capsule(self, capsule):
        address = self._get_pointer(capsule, b'arrow_array_stream')
        stream = _ArrowStream.from_address(address)
        if stream.release:  # nobody has taken it
            stream.release(ctypes.pointer(stream))
        self._kept.pop(self._kept.pop((address, 'capsule')))

    def _write_schema(self, stream, schema):
        columns = self._kept[stream.contents.private_data]['columns']
        children = []
        for name, column in columns.items():
            child = self._new_schema({'real': b'g'}.get(column.kind, b'l'), name.encode())
            if column.kind == 'text':
                self._add_dictionary(child, self._new_schema(b'U', b''))
            children.append(child)
        self._fill(schema.contents, self._new_schema(b'+s', b'', children))
        return 0

    def _new_schema(self, kind, name, children=()):
        schema = _ArrowSchema(kind, name, None, _NULLABLE, len(children))
        schema.release = self._release_schema
        pointers = (ctypes.POINTER(_ArrowSchema) * max(len(children), 1))(*map(ctypes.pointer, children))
        schema.children = pointers
        schema.private_data = self._keep([kind, name, pointers, children])
        return schema

    def _add_dictionary(self, structure, dictionary):
        structure.dictionary = ctypes.pointer(dictionary)
        self._kept[structure.private_data].append(dictionary)

    @staticmethod
    def _fill(to, structure):
        """Moves a structure to where the consumer wants it."""
        ctypes.memmove(ctypes.byref(to), ctypes.byref(structure), ctypes.sizeof(structure))

    def _write_next(self, stream, array):
        state = self._kept[stream.contents.private_data]
        if state['read']:
            array.contents.release = _NO_ARRAY
            return 0
        state['read'] = True
        columns = state['columns'].values()
        rows = next((len(column) for column in columns), 0)
        self._fill(array.contents, self._new_array(rows, 0, [None], [self._new_column(column) for column in columns]))
        return 0

    def _new_column(self, column):
        array = self._new_array(len(column), column.nulls, [column.valid, column.values])
        if column.kind == 'text':
            self._add_dictionary(array, self._new_array(
                len(column.texts), 0, [None, column._places, column._bytes]))  # pylint: disable=protected-access
        return array

    def _new_array(self, length, nulls, buffers, children=()):
        array = _ArrowArray(length, nulls, 0, len(buffers), len(children))
        array.release = self._release_array
        places = (ctypes.c_void_p * len(buffers))(*map(_get_address, buffers))
        pointers = (ctypes.POINTER(_ArrowArray) * max(len(children), 1))(*map(ctypes.pointer, children))
        array.buffers = places
        array.children = pointers
        array.private_data = self._keep([buffers, places, pointers, children])
        return array


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ('buf', ctypes.c_void_p), ('obj', ctypes.py_object), ('len', ctypes.c_ssize_t),
        ('itemsize', ctypes.c_ssize_t), ('readonly', ctypes.c_int), ('ndim', ctypes.c_int),
        ('format', ctypes.c_char_p), ('shape', ctypes.c_void_p), ('strides', ctypes.c_void_p),
        ('suboffsets', ctypes.c_void_p), ('internal', ctypes.c_void_p)]


def _get_address(view):
    """Where the bytes of a memoryview are, which has to be kept."""
    if view is None:
        return None
    buffer = _PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), 0)
    address = buffer.buf
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address


_arrow = _Arrow()


# --- Histories ------------------------------------------------------------------------------------------------------


def open(directory, rules=()):  # pylint: disable=redefined-builtin
    """Opens the history of the trace in a folder; the trace is merged first if need be."""
    return History(directory, rules)


def _quote(name):
    return '"' + name.replace('"', '""') + '"'


def _pack(numbers):
    """Numbers as the functions of the extension take them."""
    numbers = list(numbers)
    return _HEAD.pack(ord('q'), len(numbers), 0, 0) + struct.pack(f'={len(numbers)}q', *numbers)


class History:
    """What a program did. Close it with close(), or use it in a with statement."""

    def __init__(self, directory, rules=()):
        self.directory = os.fspath(directory)
        self._rules = [f'--rules={os.fspath(file)}' for file in rules]
        self._database = None
        self._connect()

    def _connect(self):
        self.close()
        made = _run('merge', '--json', *self._rules, '--', self.directory)
        self.path = made['history']
        try:
            # As one that does not change: a new history takes the place of the old one.
            self._database = sqlite3.connect(pathlib.Path(self.path).absolute().as_uri() + '?immutable=1', uri=True)
            if not hasattr(self._database, 'enable_load_extension'):
                raise Error("the module sqlite3 of this Python cannot load extensions; that of Debian's python3 can")
            self._database.enable_load_extension(True)
            self._database.load_extension(_find_extension())
            self._database.enable_load_extension(False)
        except sqlite3.Error as error:
            self.close()
            raise Error(f'{self.path}: {error}') from None
        except Error:
            self.close()
            raise

    def close(self):
        """Closes the history; its tables stay good."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f'<lightcone.History {self.directory}>'

    # --- Tables

    def _execute(self, text, parameters=()):
        if self._database is None:
            raise Error(f'{self.directory}: the history is closed')
        try:
            return self._database.execute(text, parameters)
        except OverflowError:
            raise Error('a number is too large for SQL') from None
        except (sqlite3.Error, sqlite3.Warning) as error:
            message = str(error)
            if 'too big' in message:
                message = 'a column has more than SQLite can hold at once (125 million rows): ask for fewer'
            message = message.removeprefix(os.path.abspath(self.path) + ': ')
            raise Error(f'{self.path}: {message}') from None

    def sql(self, text, parameters=()):
        """What a query finds (docs/sql.md has the tables). Parameters are a sequence for ?, or a mapping for :name."""
        text = f'({text.strip().rstrip(";")}\n)'
        names = [column[0] for column in self._execute(f'SELECT * FROM {text} LIMIT 0', parameters).description]
        packed = self._execute(f'SELECT {", ".join(f"pack({_quote(name)})" for name in names)} FROM {text}',
                               parameters).fetchone()
        return Table({name: Column(column) for name, column in zip(names, packed)})

    def _select(self, table, columns, conditions, parameters):
        chosen = ', '.join(_quote(name) for name in columns) if columns is not None else '*'
        where = ' AND '.join(f'({condition}\n)' for condition in conditions if condition)
        return self.sql(f'SELECT {chosen} FROM {table}' + (f' WHERE {where}' if where else ''), parameters)

    def _find(self, table, what):
        """The number of a process or an object: what it is, or by its name."""
        if not isinstance(what, str):
            return int(what)
        found = self._execute(f'SELECT id FROM {table} WHERE name = ?', (what,)).fetchone()
        if found is None:
            raise Error(f'{self.path}: there is no {table} "{what}"')
        return found[0]

    def _limit(self, given):
        """Conditions for the filters that Scheme has as keys. Names are quoted: the user's own are the parameters."""
        numbers = {'process': self._find, 'object': self._find}
        for name, find in numbers.items():
            if given.get(name) is not None:
                many = given[name] if isinstance(given[name], (list, tuple, set)) else [given[name]]
                yield f'{name} IN ({", ".join(str(find(name, one)) for one in many)})'
        if given.get('operation') is not None:
            many = given['operation'] if isinstance(given['operation'], (list, tuple, set)) else [given['operation']]
            yield 'operation IN (' + ', '.join("'" + one.replace("'", "''") + "'" for one in many) + ')'
        if given.get('begin') is not None:
            yield f'"end" >= {int(given["begin"])}'
        if given.get('end') is not None:
            yield f'begin < {int(given["end"])}'
        if given.get('timeline') not in (None, _MEASURED):
            self._need_timeline(given['timeline'])
            yield "timeline = '" + given['timeline'].replace("'", "''") + "'"

    def _need_timeline(self, name):
        if self._execute('SELECT 1 FROM timeline WHERE name = ?', (name,)).fetchone() is None:
            raise Error(f'{self.path}: there is no timeline "{name}"')

    def events(self, where=None, columns=None, parameters=(), *, process=None, operation=None, object=None,
               begin=None, end=None, timeline=None):  # pylint: disable=redefined-builtin
        """Events: those of a condition in SQL, of processes, operations or objects, or that touch a time."""
        limits = self._limit({'process': process, 'operation': operation, 'object': object, 'begin': begin, 'end': end,
                              'timeline': timeline})
        return self._select('event', columns, [where, *limits], parameters)

    def arcs(self, where=None, columns=None, parameters=(), *, object=None, timeline=None):
        """Arcs: what could not be completed before what."""  # pylint: disable=redefined-builtin
        limits = self._limit({'object': object, 'timeline': timeline})
        return self._select('arc', columns, [where, *limits], parameters)

    def spans(self, where=None, columns=None, parameters=(), *, process=None, object=None, timeline=None):
        """When which process held which object."""  # pylint: disable=redefined-builtin
        limits = self._limit({'process': process, 'object': object, 'timeline': timeline})
        return self._select('span', columns, [where, *limits], parameters)

    def states(self, where=None, columns=None, parameters=(), *, process=None, timeline=None):
        """When a process was running, waiting, woken, preempted or outside."""
        return self._select('state', columns, [where, *self._limit({'process': process, 'timeline': timeline})],
                            parameters)

    def slack(self, where=None, columns=None, parameters=(), *, process=None, timeline=None):
        """How much later events could have ended without the run's end moving."""
        return self._select('slack', columns, [where, *self._limit({'process': process, 'timeline': timeline})],
                            parameters)

    def processes(self, where=None, columns=None, parameters=()):
        """Processes, by number."""
        return self._select('process', columns, [where], parameters)

    def objects(self, where=None, columns=None, parameters=()):
        """Objects, by number."""
        return self._select('object', columns, [where], parameters)

    def operations(self, where=None, columns=None, parameters=()):
        """Operations, by number."""
        return self._select('operation', columns, [where], parameters)

    def sites(self, where=None, columns=None, parameters=()):
        """Lines of code, by number: events have them in their column site."""
        return self._select('site', columns, [where], parameters)

    def timelines(self, where=None, columns=None, parameters=()):
        """Timelines: what was measured, and approximations."""
        return self._select('timeline', columns, [where], parameters)

    # --- Analyses

    def _command(self, command, *options, statuses=(0,)):
        return _run(command, '--json', *self._rules, *options, statuses=statuses)

    def info(self):
        """What `lightcone info --json` says."""
        return self._command('info', '--', self.directory)

    def check(self):
        """What `lightcone check --json` finds wrong; `clean` says whether that is nothing."""
        return self._command('check', '--', self.directory, statuses=(0, 1))

    def stats(self, what, timeline=None, **options):
        """A statistic, as `lightcone stats --json` gives it; options are those of the command (by='function')."""
        return self._command('stats', *_to_options({'timeline': timeline, **options}), '--', self.directory, what)

    def critical_path(self, timeline=None, events=False, **options):
        """The critical path, as `lightcone critical-path --json` gives it."""
        return self._command('critical-path', *_to_options({'timeline': timeline, 'events': events, **options}), '--',
                             self.directory)

    def what_if(self, scales, **options):
        """What would be if operations, objects, regions or lines took so many times as long: {'queue': 0}.

        Adds the timeline what-if (or name=...) to the history."""
        chosen = [f'--scale={name}={factor}' for name, factor in dict(scales).items()]
        return self._change('what-if', *chosen, *_to_options(options))

    def approximate(self, model='auto', **options):
        """Adds a timeline without what the measurement cost, and says how it differs."""
        return self._change('approximate', *_to_options({'model': model, **options}))

    def _change(self, command, *options):
        """Runs a command that makes a new history file, and opens that one."""
        result = self._command(command, *options, '--', self.directory)
        self._connect()
        return result

    # --- Marks

    def _call(self, function, *values):
        places = ', '.join('?' * len(values))
        return self._execute(f'SELECT {function}({places})', values).fetchone()[0]

    def _find_places(self, events):
        """Processes and ordinals of events: a condition in SQL, a table with these columns, or pairs."""
        if isinstance(events, str):
            events = self.events(events, ['process', 'ordinal'])
        if isinstance(events, Table) or hasattr(events, 'columns'):
            return _pack(map(int, events['process'])), _pack(map(int, events['ordinal']))
        events = [(self._find('process', process), int(ordinal)) for process, ordinal in events]
        return _pack(event[0] for event in events), _pack(event[1] for event in events)

    def mark(self, events, name):
        """Gives a name to events: a condition in SQL, a table with process and ordinal, or pairs of those."""
        return self._call('add_mark', name, *self._find_places(events))

    def mark_span(self, process, begin, end, name):
        """Gives a name to a time of a process."""
        return self._call('add_mark', name, self._find('process', process), int(begin), int(end))

    def unmark(self, name, events=None):
        """Takes a name away from events, or from all that has it; gives the number of marks that went."""
        return self._call('remove_mark', name, *(() if events is None else self._find_places(events)))

    def unmark_span(self, process, begin, end, name=None):
        """Takes one or all names away from a time of a process."""
        return self._call('remove_mark', name, self._find('process', process), int(begin), int(end))

    def marks(self, name=None):
        """Marks: of an event (ordinal), or of a time (begin and end)."""
        return self._select('mark', None, [None if name is None else 'name = :name'],
                            {} if name is None else {'name': name})

    def annotate(self, event, text):
        """Says something of an event (a pair), or with None nothing more."""
        process, ordinal = event
        self._call('annotate', self._find('process', process), int(ordinal), text)

    def annotations(self):
        """What is said of events."""
        return self._select('annotation', None, [], ())


def _to_options(options):
    """Options of a command: name=True is --name, name=['a', 'b'] is given twice."""
    for name, value in options.items():
        option = '--' + name.replace('_', '-')
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                yield option
            elif one is not None and one is not False:
                yield f'{option}={one}'
