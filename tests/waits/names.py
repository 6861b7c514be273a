#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How what programs wait for is named: names.py [--sources] [--into DOCUMENT] [NAME...].

Programs of others are recorded, and of each are printed the ten objects and the ten lines that were most waited for.
With --sources these are programs of Debian's that are compiled again, with debugging information. With DOCUMENT, a
table of them is written between its two marks. It fails where a trace has no wait at all.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sources
import waits
from waits import Program, harm, servers

MOST = 10
MPI = Path(__file__).resolve().parent.parent / 'examples' / 'mpi'


def make_mpi(folder):
    sources = [MPI / 'pi.c', MPI / 'job.c', MPI.parent / 'example.c']
    include = MPI.parent.parent.parent / 'include'
    waits.run(['mpicc', '-g', '-O2', '-D_GNU_SOURCE', f'-I{include}', f'-I{MPI.parent}', '-o', folder / 'program',
               *sources, '-lm'])


OWN = [
    Program('pbzip2', ['pbzip2', '-p3', '-kc', 'data'], waits.make_data),
    Program('zstd', ['zstd', '-q', '-T3', '-c', 'data'], waits.make_data),
    Program('x264', ['x264', '--quiet', '--threads', '3', '--input-res', '352x288', '-o', 'film.264', 'film.yuv'],
            waits.make_film),
    Program('MPI, pi', ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', '4', './program'], make_mpi),
]
BORROWED = ('pigz', 'OpenMP, gcc', 'C++20: future', 'Rust, std', 'Python')
SERVERS = ('memcached', 'Redis')

# A name that is a class and a number, or a place in a file without debugging information.
NAMELESS = re.compile(r'^[a-z-]+ \d+$|\+0x[0-9a-f]+')


class Seen:
    """What was most waited for in a trace."""

    def __init__(self, name, trace):
        self.name = name
        objects, sites = self.read(trace, 'objects', 'object'), self.read(trace, 'sites', 'site')
        self.objects = [(row['name'], row['waited']) for row in objects]
        self.sites = [(row['site'], row['waited']) for row in sites]
        # Objects of class thread have the names of the threads that they stand for.
        self.named = sum(row['class'] == 'thread' or not NAMELESS.search(row['name']) for row in objects)
        self.lines = sum(row['line'] is not None for row in sites)

    @staticmethod
    def read(trace, what, key):
        result = harm.lightcone('stats', '--json', trace, what)
        if result.returncode != 0:
            raise AssertionError(f'lightcone stats {trace} {what}: {result.stderr}')
        rows = [row for row in json.loads(result.stdout)[key] if row['waited'] > 0]
        return sorted(rows, key=lambda row: -row['waited'])[:MOST]

    def show(self):
        print(f'\n{self.name}')
        for title, rows in (('objects', self.objects), ('lines', self.sites)):
            print(f'  {title}')
            for name, waited in rows:
                print(f'  {waited / 1e6:10.2f} ms  {harm.shown(name) if not name.isprintable() else name}')

    def row(self):
        first = [rows[0][0].replace('|', '\\|') if rows else '' for rows in (self.objects, self.sites)]
        return (f'| {self.name} | `{first[0]}` | {self.named} of {len(self.objects)} | `{first[1]}` | '
                f'{self.lines} of {len(self.sites)} |')


HEAD = ('| program | most waited for | objects named | at | lines known |\n'
        '|---|---|--:|---|--:|\n')


def record_program(program, folder):
    if program.needs() and shutil.which(program.needs()) is None:
        raise harm.Skip(f'there is no {program.needs()}')
    try:
        if program.make:
            program.make(folder)
    except FileNotFoundError as problem:
        raise harm.Skip(f'there is no {problem.filename}') from None
    except subprocess.CalledProcessError as problem:
        raise harm.Skip('it cannot be made here: ' + problem.stderr.decode(errors='replace')[:300]) from None
    result = waits.timed([harm.LIGHTCONE, *harm.RECORD, '-o', folder / 'out.trace', '--', *program.command], folder)[1]
    if result.returncode != 0:
        errors = result.stderr.decode(errors='replace')[-500:]
        raise AssertionError(f'{program.name}: status {result.returncode}: {errors}')


def record_server(name, folder):
    folder.chmod(0o755)
    server = servers.Server(folder, True)
    try:
        waits.SERVERS[name](server)
    finally:
        if server.process is not None and server.process.poll() is None:
            server.process.terminate()
            server.process.wait(waits.PATIENCE)


def work(names):
    """What has to be recorded: a name, and a function of a folder."""
    for program in OWN + [one for one in waits.PROGRAMS if one.name in BORROWED]:
        if program.name in names:
            yield program.name, lambda folder, program=program: record_program(program, folder)
    for name in SERVERS:
        if name in names:
            yield name, lambda folder, name=name: record_server(name, folder)


def see(names):
    """What was seen of those that are here."""
    for name, record in work(names):
        with tempfile.TemporaryDirectory(prefix='lightcone-names-') as top:
            folder = Path(top) / 'run'
            folder.mkdir()
            Path(top).chmod(0o755)
            try:
                record(folder)
            except harm.Skip as reason:
                print(f'\n{name}: {reason}', flush=True)
                continue
            seen = Seen(name, folder / 'out.trace')
        seen.show()
        yield seen


def write_table(document, marks, table):
    text = document.read_text()
    begin, end = (text.index(mark) for mark in marks)
    document.write_text(text[:begin] + marks[0] + '\n' + table + '\n' + text[end:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sources', action='store_true')
    parser.add_argument('--into', type=Path, metavar='DOCUMENT')
    parser.add_argument('name', nargs='*')
    arguments = parser.parse_args()
    what = 'sources' if arguments.sources else 'names'
    names = arguments.name or (list(sources.PROGRAMS) if arguments.sources else
                               [program.name for program in OWN] + [*BORROWED, *SERVERS])
    with tempfile.TemporaryDirectory(prefix='lightcone-sources-') as top:
        Path(top).chmod(0o755)
        if arguments.sources:
            names = sources.Sources(top).build_all(names)
        found = list(see(names))
    table = HEAD + ''.join(seen.row() + '\n' for seen in found)
    print('\n' + table, end='')
    if arguments.into:
        write_table(arguments.into, (f'<!-- {what}: begin -->\n', f'<!-- {what}: end -->\n'), table)
    return 0 if all(seen.objects for seen in found) else 1


if __name__ == '__main__':
    sys.exit(main())
