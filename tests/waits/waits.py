#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of the time that programs are blocked is seen: waits.py [--quick] [--into DOCUMENT] [NAME...].

Each program of a table is recorded. What the kernel says that its threads were blocked for stands beside what
events explain and what is said to be unseen; and its output and status must be those of a bare run. With DOCUMENT
the table is written between its two marks, too. It fails where seen and unseen do not add up to the kernel's
figure, more is unseen than is promised, or output or status differ. --quick leaves out what is slow to build or
start, speaks TAP, and does not compare the sum with the kernel's figure: on a machine that does other things,
threads spin and are woken late.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'harm'))
import harm  # noqa: E402
import servers  # noqa: E402

PATIENCE = 300
MARKS = '<!-- waits: begin -->\n', '<!-- waits: end -->\n'
SUM_WITHIN = 0.03  # of what the kernel says
UNSEEN_PROMISED = 0.05
SLACK = 3e6  # ns: what no share can be asked of
RUNS = 3
QUICK_TRIES = 3  # of one run each: what is wrong each time is wrong


class Program:
    """A command, how it is made in a folder, and whether little of it may be unseen."""

    def __init__(self, name, command, make=None, promised=False, quick=False, output=True):
        self.name = name
        self.command = command
        self.make = make
        self.promised = promised
        self.quick = quick
        self.output = output  # whether it is the same each time

    def needs(self):
        return self.command[0] if self.command[0] != './program' else None


def run(command, **options):
    return subprocess.run([str(word) for word in command], timeout=PATIENCE, capture_output=True, check=True,
                          **options)


def compile_with(words, source, libraries=(), after=()):
    """Several programs may be the same one: it is compiled once."""
    made = []

    def make(folder):
        if made:
            (folder / 'program').write_bytes(made[0])
            (folder / 'program').chmod(0o755)
            return
        options = run(['pkg-config', '--cflags', '--libs', *libraries], text=True).stdout.split() if libraries else []
        run([*words, '-g', '-o', folder / 'program', HERE / source, *options, *after], cwd=folder)
        made.append((folder / 'program').read_bytes())
    return make


def make_parking_lot(folder):
    registry = Path('/usr/share/cargo/registry')
    if not list(registry.glob('parking_lot-*')):
        raise harm.Skip('there is no parking_lot')
    (folder / 'src').mkdir()
    shutil.copy(HERE / 'parking-lot.rs', folder / 'src/main.rs')
    (folder / 'Cargo.toml').write_text('[package]\nname = "program"\nversion = "1.0.0"\nedition = "2021"\n'
                                       '[dependencies]\nparking_lot = "*"\n')
    (folder / '.cargo').mkdir()
    (folder / '.cargo/config').write_text('[source.crates-io]\nreplace-with = "system"\n'
                                          f'[source.system]\ndirectory = "{registry}"\n')
    run(['cargo', 'build', '--release', '--offline'], cwd=folder, env={**os.environ, 'CARGO_HOME': str(folder)})
    shutil.copy(folder / 'target/release/program', folder / 'program')


def make_java(folder):
    run(['javac', '-d', folder, HERE / 'Threads.java'])


def make_data(folder):
    """Something to compress that is the same each time, and a film of noise that moves."""
    state, words = 12345, []
    for _ in range(4096):
        state = (state * 1103515245 + 12345) % (1 << 31)
        words.append(b'%d-%x ' % (state % 9973, state))
    with open(folder / 'data', 'wb') as file:
        for i in range(400):
            file.write(b''.join(words[(i * 7 + j * j) % 4096] for j in range(2000)))


def make_film(folder):
    frame = bytes((x * y >> 4) & 255 for y in range(288) for x in range(352))
    with open(folder / 'film.yuv', 'wb') as file:
        for i in range(40):
            file.write(frame[i * 352:] + frame[:i * 352] + bytes([128]) * (352 * 288 // 2))


def make_sources(folder):
    for i in range(12):
        (folder / f'unit{i}.c').write_text('#include <math.h>\n' + ''.join(
            f'double f{i}_{j} (double x) {{ return sin (x) * {j} + f{i}_{j - 1} (x); }}\n' if j else
            f'double f{i}_0 (double x) {{ return x; }}\n' for j in range(150)))
    (folder / 'Makefile').write_text('objects := $(patsubst %.c,%.o,$(wildcard unit*.c))\nall: $(objects)\n'
                                     '%.o: %.c\n\t@gcc -O2 -c -o $@ $<\n')


STANDARD = compile_with(['g++', '-O2', '-std=c++20'], 'standard.cpp', after=['-pthread'])
PROGRAMS = [
    *[Program(f'OpenMP, {one}', ['./program'], compile_with([one, '-O2', '-fopenmp'], 'openmp.c'), promised=True,
              quick=True) for one in ('gcc', 'clang')],
    *[Program(f'C++20: {what}', ['./program', what], STANDARD, promised=True, quick=True)
      for what in ('atomic', 'barrier', 'latch', 'semaphore', 'once', 'future')],
    Program('GLib', ['./program'], compile_with(['gcc', '-O2'], 'glib.c', ['glib-2.0']), promised=True, quick=True),
    Program('Qt', ['./program'], compile_with(['g++', '-O2', '-fPIC'], 'qt.cpp', ['Qt5Core'])),
    Program('TBB', ['./program'], compile_with(['g++', '-O2'], 'tbb.cpp', after=['-ltbb', '-pthread'])),
    Program('Rust, std', ['./program'], compile_with(['rustc', '-O'], 'standard.rs'), promised=True),
    Program('Rust, parking_lot', ['./program'], make_parking_lot, promised=True),
    Program('Python', ['python3', str(HERE / 'threads.py')], quick=True),
    Program('Java', ['java', '-Xmx256m', '-cp', '.', 'Threads'], make_java),
    Program('sysbench, threads', ['sysbench', 'threads', '--threads=4', '--time=2', 'run'], output=False),
    Program('sysbench, mutex', ['sysbench', 'mutex', '--threads=4', 'run'], output=False),
    Program('stockfish', ['/usr/games/stockfish', 'bench', '16', '2', '9'], output=False),
    Program('lbzip2', ['lbzip2', '-n', '3', '-c', 'data'], make_data),
    Program('pigz', ['pigz', '-p', '3', '-c', 'data'], make_data),
    Program('ffmpeg', ['ffmpeg', '-nostdin', '-v', 'error', '-f', 'rawvideo', '-s', '352x288', '-i', 'film.yuv',
                       '-threads', '3', '-c:v', 'libx264', '-f', 'md5', '-'], make_film),
    Program('x265', ['x265', '--input', 'film.yuv', '--input-res', '352x288', '--fps', '25', '--pools', '3',
                     '--log-level', 'none', '-o', '/dev/null'], make_film),
    Program('make -j3', ['make', '-j3'], make_sources),
]
SERVERS = {'Redis': servers.redis, 'memcached': servers.memcached, 'nginx': servers.nginx,
           'PostgreSQL': servers.postgres}


# --- Figures --------------------------------------------------------------------------------------------------------

class Figures:
    """Of one trace, in ns: only threads of which the kernel told all are counted, on both sides."""

    def __init__(self, trace):
        info = json.loads(harm.lightcone('info', '--json', trace).stdout)
        waiting = json.loads(harm.lightcone('stats', trace, 'waiting', '--format', 'json').stdout)
        known = {process['id'] for process in info['process'] if process['blocked'] is not None}
        self.threads, self.known, self.events = len(info['process']), len(known), info['events']
        self.blocked = sum(process['blocked'] for process in info['process'] if process['id'] in known)
        self.unseen = sum(process['unseen'] for process in info['process'] if process['id'] in known)
        rows = [row for row in waiting['process'] if row['process'] in known]
        self.seen = sum(row['waiting'] + row['outside'] - (row['unseen'] or 0) for row in rows)

    def problems(self, promised, sums=True):
        if sums and abs(self.seen + self.unseen - self.blocked) > SUM_WITHIN * self.blocked + SLACK:
            yield (f'{self.seen / 1e6:.1f} ms seen and {self.unseen / 1e6:.1f} unseen are not the '
                   f'{self.blocked / 1e6:.1f} ms of the kernel')
        # Four threads begin and end; how often a thread waits for an atomic depends on what runs beside it.
        if self.events < 8:
            yield f'only {self.events} events'
        if promised and self.unseen > UNSEEN_PROMISED * self.blocked + SLACK:
            yield f'{self.unseen / 1e6:.1f} of {self.blocked / 1e6:.1f} ms are unseen'


class Result:
    def __init__(self, name, figures, bare, recorded, problems):
        self.name = name
        self.figures = figures
        self.bare, self.recorded = bare, recorded
        self.problems = problems

    def row(self):
        of = self.figures
        share = 100 * of.unseen / of.blocked if of.blocked > 0 else 0
        cost = f'{100 * (self.recorded / self.bare - 1):+.1f} %' if self.bare else ''
        return (f'| {self.name} | {of.threads} | {of.events:,} | {of.blocked / 1e6:,.1f} | {of.seen / 1e6:,.1f} | '
                f'{of.unseen / 1e6:,.1f} | {share:.1f} % | {cost} |')


HEAD = ('| program | threads | events | blocked, kernel (ms) | seen (ms) | unseen (ms) | unseen | cost |\n'
        '|---|--:|--:|--:|--:|--:|--:|--:|\n')


def timed(command, folder):
    begin = time.monotonic()
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return time.monotonic() - begin, result


def clean(program, folder):
    if program.name.startswith('make'):
        for path in folder.glob('*.o'):
            path.unlink()


def try_program(program, folder, runs):
    if program.needs() and shutil.which(program.needs()) is None:
        raise harm.Skip(f'there is no {program.needs()}')
    try:
        if program.make:
            program.make(folder)
    except FileNotFoundError as problem:
        raise harm.Skip(f'there is no {problem.filename}') from None
    except subprocess.CalledProcessError as problem:
        raise harm.Skip('it cannot be made here: ' + problem.stderr.decode(errors='replace')[:300]) from None
    if runs > 1:
        return measure(program, folder, runs)
    for _ in range(QUICK_TRIES):
        result = measure(program, folder, runs)
        if not result.problems:
            break
    return result


def measure(program, folder, runs):
    record = [harm.LIGHTCONE, *harm.RECORD, '-o', folder / 'out.trace', '--']
    times, outputs = {'bare': [], 'recorded': []}, {'bare': set(), 'recorded': set()}
    for _ in range(runs):
        for kind, command in (('bare', program.command), ('recorded', [*record, *program.command])):
            clean(program, folder)
            taken, result = timed(command, folder)
            times[kind].append(taken)
            outputs[kind].add((result.returncode, result.stdout) if program.output else result.returncode)
    figures = Figures(folder / 'out.trace')
    problems = list(figures.problems(program.promised, sums=runs > 1))
    if outputs['bare'] != outputs['recorded']:
        problems.append(f'{str(outputs["bare"])[:200]} bare, {str(outputs["recorded"])[:200]} recorded')
    return Result(program.name, figures, statistics.median(times['bare']), statistics.median(times['recorded']),
                  problems)


def try_server(name, function, folder):
    user = None
    folder.chmod(0o755)
    if function is servers.postgres and os.geteuid() == 0:
        user = harm.NOBODY
        os.chown(folder, user, -1)
    server = servers.Server(folder, True, user)
    try:
        function(server)
    finally:
        if server.process is not None and server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(PATIENCE)
    figures = Figures(folder / 'out.trace')
    return Result(name, figures, None, None, list(figures.problems(False)))


def work(arguments):
    """What has to be tried: a name, and a function of a folder."""
    for program in PROGRAMS:
        if program.quick or not arguments.quick:
            yield program.name, lambda folder, program=program: try_program(program, folder,
                                                                           1 if arguments.quick else RUNS)
    for name, function in SERVERS.items():
        if not arguments.quick:
            yield name, lambda folder, name=name, function=function: try_server(name, function, folder)


def write_table(document, results):
    text = document.read_text()
    begin, end = (text.index(mark) for mark in MARKS)
    table = HEAD + ''.join(result.row() + '\n' for result in results)
    document.write_text(text[:begin] + MARKS[0] + '\n' + table + '\n' + text[end:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--into', type=Path, metavar='DOCUMENT')
    parser.add_argument('name', nargs='*')
    arguments = parser.parse_args()
    todo = [one for one in work(arguments) if not arguments.name or one[0] in arguments.name]
    results, failed = [], 0
    print(f'1..{len(todo)}' if arguments.quick else HEAD, end='\n' if arguments.quick else '', flush=True)
    for number, (name, function) in enumerate(todo, 1):
        with tempfile.TemporaryDirectory(prefix='lightcone-waits-') as top:
            folder = Path(top) / 'run'
            folder.mkdir()
            os.chmod(top, 0o755)
            try:
                result = function(folder)
            except harm.Skip as reason:
                print(f'ok {number} - {name} # SKIP {reason}' if arguments.quick else f'| {name} | {reason} |')
                continue
        results.append(result)
        failed += bool(result.problems)
        if arguments.quick:
            print(f'{"not " if result.problems else ""}ok {number} - {name}')
        print(('# ' if arguments.quick else '') + result.row(), flush=True)
        for problem in result.problems:
            print(f'# {name}: {problem}', flush=True)
    if arguments.into:
        write_table(arguments.into, results)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
