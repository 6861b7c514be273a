#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets the n-th call of the C library fail in a command, for all n or some of them: a message, and nothing harmed.

faults.py LIBRARY [--all] [--case NAME] [--kind KIND] [--number N] [--seconds S]. Speaks TAP, one test for each command.
"""
import argparse
import difflib
import errno
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
import cli  # noqa: E402

# What the system says when it refuses such a call.
ERRORS = {'malloc': (errno.ENOMEM,), 'write': (errno.ENOSPC, errno.EIO), 'fsync': (errno.EIO,), 'rename': (errno.EIO,),
          'mmap': (errno.ENOMEM,), 'open': (errno.EMFILE, errno.EACCES, errno.ENOMEM),
          'ftruncate': (errno.ENOSPC,), 'read': (errno.EIO,)}
PATIENCE = 60
UNREAD = 'not all files could be read'
HISTORY = 'history.lightcone'

_cases = []


def case(function):
    """Registers a command: what it begins with, and what is asked afterwards."""
    _cases.append(function())
    return function


class Case:
    def __init__(self, name, trace, command, ask, before=(), statuses=(0, 2), made=(), same=None, rare=False,
                 scheme=False):
        self.name = name
        self.trace = trace  # which of the traces it begins with
        self.command = command  # "DIR" stands for the trace
        self.ask = ask  # commands whose answers must be as ever, afterwards
        self.before = before  # what is done first, without faults
        self.statuses = statuses
        self.made = made  # files that a command with status 0 has made
        self.same = same  # tells whether another output is as good
        self.rare = rare  # tried only when all is
        self.scheme = scheme  # whether Guile runs in it


def equal_or_unnamed(found, expected):
    """An object whose name cannot be read has none, and what the program's file has not told has a number."""
    found, expected = found.splitlines(), expected.splitlines()
    return len(found) == len(expected) and all(
        line == other or
        re.fullmatch(r' *"\w*name": ("(known|mutex|barrier|thread)( \d+| at known\+0x[0-9a-f]+)"|null),?', line)
        for line, other in zip(found, expected))


def equal_or_told(found, expected):
    """A trace of which something cannot be read is told about all the same, and that too. Without a history, or a
    program's file, the processes have the names that the trace itself gives them."""
    found, expected = json.loads(found), json.loads(expected)
    untold = any(module['problem'] for module in found['module'] or ())
    if untold:
        del found['module']
    if found['waiting_total'] is None or untold:
        for answer in found, expected:
            for process in answer['process']:
                del process['name']
    return found['problems'] > expected['problems'] or \
        all(value is None or expected[key] == value for key, value in found.items())


def difference(found, expected):
    """The lines that are other ones, as much as somebody reads of them."""
    lines = difflib.unified_diff(expected.splitlines(), found.splitlines(), 'expected', 'found', n=0, lineterm='')
    return ' | '.join(line for line in lines if not line.startswith('@@'))[:2000]


STATS = ('stats', 'DIR', 'waiting', '--json')
EVENTS = ('sql', 'DIR', 'SELECT process, ordinal, operation, object, sequence FROM event;'
          "SELECT value FROM meta WHERE key IN ('title', 'command')")
TIMELINE = ('stats', 'DIR', 'waiting', '--json', '--timeline', 'event')


@case
def merge():
    return Case('merge', 'whole', ('merge', 'DIR'), (STATS,))


@case
def merge_again():
    return Case('merge again', 'whole', ('merge', '--again', 'DIR'), (STATS,), before=(('merge', 'DIR'),))


@case
def approximate():
    return Case('approximate', 'whole', ('approximate', 'DIR'), (STATS, ('approximate', 'DIR'), TIMELINE),
                before=(('merge', 'DIR'),))


@case
def approximate_as_a_trace():
    """What is left of it is no trace, and may be replaced."""
    return Case('approximate as a trace', 'whole', ('approximate', 'DIR', '-o', 'DIR/../out'),
                (STATS, ('approximate', 'DIR', '-o', 'DIR/../out', '--replace'),
                 ('stats', 'DIR/../out', 'operations', '--json')),
                before=(('merge', 'DIR'),), made=('out/trace.ini', 'out/process-0.events'))


@case
def slack():
    return Case('slack', 'whole', ('stats', 'DIR', 'slack', '--by', 'event', '--json'), (STATS,),
                before=(('merge', 'DIR'),), same=equal_or_unnamed)


@case
def stats():
    return Case('stats', 'whole', STATS, (STATS,), before=(('merge', 'DIR'),), same=equal_or_unnamed)


@case
def stats_of_a_trace():
    """It merges before."""
    return Case('stats of a trace', 'whole', STATS, (STATS,), same=equal_or_unnamed)


@case
def export():
    return Case('export', 'whole', ('export', 'DIR', '-o', 'DIR/../run.svg'), (STATS,), before=(('merge', 'DIR'),),
                made=('run.svg',))


@case
def info():
    return Case('info', 'whole', ('info', '--json', 'DIR'), (STATS,), same=equal_or_told)


@case
def recover():
    return Case('recover', 'abandoned', ('info', '--no-merge', '--json', 'DIR'), (EVENTS,), rare=True)


@case
def check():
    return Case('check', 'whole', ('check', 'DIR'), (STATS,), statuses=(0, 1))


MARKS = ('stats', 'DIR', 'marks', '--json')
MARK = ('script', 'DIR', '-e', "(mark! '((0 . 1) (0 . 2)) 'kept)")

if os.environ.get('LIGHTCONE_SCRIPT'):
    @case
    def marks():
        """What somebody has marked is work of somebody: it is never taken for nothing."""
        return Case('marks', 'whole', MARKS, (MARKS,), before=(('merge', 'DIR'), MARK), same=equal_or_unnamed)

    @case
    def mark():
        """Marked once more, it is marked as before, whatever fails."""
        return Case('mark', 'whole', MARK, (MARKS,), before=(('merge', 'DIR'), MARK), scheme=True)


@case
def record():
    return Case('record', None, ('record', '--no-calibrate', '-o', 'DIR', '--', 'PROGRAM'), ())


# --- The traces -----------------------------------------------------------------------------------------------------

def make_whole(folder):
    result = cli.record(cli.program('known'), output=str(folder))
    cli.equal(result.returncode, 0, result.stderr)


def make_abandoned(folder):
    """Both killed, after the program has done something."""
    recording = cli.start(cli.program('listen'), output=str(folder))
    cli.equal(recording.stdout.readline(), 'ready\n', 'what the program says')
    program = cli.child_of(recording.pid)
    os.kill(program, signal.SIGUSR1)
    cli.equal(recording.stdout.readline(), f'{signal.SIGUSR1.value} 0\n', 'what the program says')
    os.kill(recording.pid, signal.SIGKILL)
    os.kill(program, signal.SIGKILL)
    recording.communicate()
    cli.eventually(lambda: not os.path.exists(f'/proc/{program}') or not cli.is_alive(program), 'its end')


def leftovers(folder):
    return [str(path.name) for path in (folder / 'a.trace').glob(HISTORY + '.*')]


# --- One run --------------------------------------------------------------------------------------------------------

class Runner:
    def __init__(self, library, top):
        self.library = os.path.abspath(library)
        self.top = Path(top)
        self.traces = {'whole': self.top / 'whole.trace', 'abandoned': self.top / 'abandoned.trace'}
        make_whole(self.traces['whole'])
        make_abandoned(self.traces['abandoned'])
        self.lock = threading.Lock()
        self.number = 0

    def place(self, of):
        """A folder with a copy of what the case begins with; always of the same name, for it is printed."""
        with self.lock:
            self.number += 1
            folder = self.top / f'run-{self.number}'
        folder.mkdir()
        if of.trace:
            shutil.copytree(self.traces[of.trace], folder / 'a.trace', symlinks=True)
        return folder

    def run(self, folder, command, **variables):
        """In a folder of its own, where the trace has always the same name."""
        words = [{'DIR': 'a.trace', 'PROGRAM': cli.program('known')}.get(word, word.replace('DIR/../', ''))
                 for word in command]
        if variables:
            variables['LD_PRELOAD'] = self.library
        environment = {**os.environ, 'XDG_CACHE_HOME': str(folder / 'cache'), 'G_SLICE': 'always-malloc', **variables}
        return subprocess.run([cli.LIGHTCONE, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors='replace', timeout=PATIENCE)

    def prepare(self, of):
        folder = self.place(of)
        for command in of.before:
            cli.equal(self.run(folder, command).returncode, 0, f'the status of {command}')
        return folder

    def answers(self, of, folder):
        return [(result.returncode, result.stdout) for result in (self.run(folder, command) for command in of.ask)]

    def count(self, of):
        """How many calls of each kind there are, and what is right."""
        folder = self.prepare(of)
        result = self.run(folder, of.command, LC_FAULT_COUNT=str(folder / 'counts'))
        assert result.returncode in of.statuses, f'{of.name} ends with {result.returncode}: {result.stderr}'
        text = (folder / 'counts').read_text(encoding='utf-8')
        counts = {name: int(number) for name, number in (line.split() for line in text.splitlines())}
        expected = (result.returncode, result.stdout, self.answers(of, folder))
        shutil.rmtree(folder)
        return counts, expected

    def fail(self, of, expected, fault, keep=False):
        """Raises AssertionError with what went wrong."""
        folder = self.prepare(of)
        old = (folder / 'a.trace' / HISTORY).read_bytes() if of.before else None
        try:
            result = self.run(folder, of.command, LC_FAULT=fault)
            self.judge(of, folder, expected, fault, result, old)
        finally:
            if not keep:
                shutil.rmtree(folder)

    def judge(self, of, folder, expected, fault, result, old):
        status, output, answers = expected
        end = f'status {result.returncode}, {result.stderr.strip()[-300:]!r}'
        if result.returncode < 0:
            # GLib ends a program that it cannot give memory, or a thread, and says so. Guile and its collector end one
            # for whom they cannot open or map their own files, the first two of all, and often say nothing.
            assert fault.startswith('malloc') and result.returncode in (-signal.SIGABRT, -signal.SIGTRAP) and \
                re.search(r'GLib.*(ERROR|failed to allocate)', result.stderr) or \
                of.scheme and re.match('open|mmap:[12]:', fault) and result.returncode == -signal.SIGABRT, \
                f'killed: {end}'
        else:
            assert result.returncode in (*of.statuses, 2), end
        if result.returncode == 2 != status:
            assert 'lightcone: ' in result.stderr, f'no message: {end}'
        if result.returncode == status == 0:
            if of.same is not None and UNREAD not in result.stderr:
                assert of.same(result.stdout, output), \
                    f'status 0, but another answer: {difference(result.stdout, output)}, {end}'
            for name in of.made:
                assert (folder / name).stat().st_size > 0, f'status 0, but no {name}'
        left = leftovers(folder)
        assert not left or result.returncode < 0, f'left over: {left}, {end}'
        if old is not None:
            assert (folder / 'a.trace' / HISTORY).exists(), f'the history is gone, {end}'
        found = self.answers(of, folder)
        good = len(found) == len(answers) and all(
            one[0] == other[0] and equal_or_unnamed(one[1], other[1]) for one, other in zip(found, answers))
        wrong = ' | '.join(f'status {one[0]}, {difference(one[1], other[1])}' for one, other in zip(found, answers))
        assert good, f'afterwards {wrong}, {end}'
        assert not of.ask or not leftovers(folder), f'still there after the next command: {leftovers(folder)}'


# --- All of them ----------------------------------------------------------------------------------------------------

def faults_of(counts, arguments, chance):
    """The faults to try, in the order in which they are tried."""
    all_of = [(kind, number) for kind, n in counts.items() for number in range(1, n + 1)
              if arguments.kind in (None, kind) and arguments.number in (None, number)]
    chance.shuffle(all_of)
    # The first call, with which a library begins, is one of many, but is another one than all of them.
    all_of.sort(key=lambda entry: entry[1] != 1)
    # A kind with few calls is tried as often as one with many.
    if not arguments.all:
        seen = {}
        for position, (kind, number) in enumerate(all_of):
            seen[kind] = seen.get(kind, 0) + 1
            all_of[position] = (seen[kind], kind, number)
        all_of = [(kind, number) for _, kind, number in sorted(all_of, key=lambda entry: entry[0])]
    for kind, number in all_of:
        for how in ('once', 'on') if arguments.all else (chance.choice(('once', 'on')),):
            for code in ERRORS[kind] if arguments.all else (chance.choice(ERRORS[kind]),):
                yield f'{kind}:{number}:{code}:{how}'


def try_all(runner, of, arguments, chance):
    counts, expected = runner.count(of)
    # Twice, for what it does not do always cannot be compared.
    if of.same is not None:
        cli.equal(runner.count(of)[1], expected, f'{of.name}, without a fault')
    waiting = queue.Queue()
    for fault in faults_of(counts, arguments, chance):
        waiting.put(fault)
    end = time.monotonic() + (arguments.seconds if not arguments.all else 1e9)
    problems, tried = [], [0]

    def work():
        while time.monotonic() < end:
            try:
                fault = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                tried[0] += 1
                runner.fail(of, expected, fault, arguments.keep)
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                problems.append(f'{fault}: {problem}')
            except Exception:
                problems.append(f'{fault}: {traceback.format_exc()}')

    workers = [threading.Thread(target=work) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return counts, tried[0], sorted(problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('library')
    parser.add_argument('--all', action='store_true', default=os.environ.get('LIGHTCONE_FAULTS') == 'all')
    parser.add_argument('--case')
    parser.add_argument('--kind')
    parser.add_argument('--number', type=int)
    parser.add_argument('--seconds', type=float, default=1.0)
    parser.add_argument('--start', type=int, default=int(time.time()))
    parser.add_argument('--keep', action='store_true', help='leave the folders there, and say where')
    arguments = parser.parse_args()
    cases = [of for of in _cases if arguments.case == of.name or
             (arguments.case is None and (arguments.all or not of.rare))]
    chance = random.Random(arguments.start)
    folder = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    top = tempfile.mkdtemp(prefix='lightcone-faults-', dir=folder)
    status = 0
    print(f'1..{len(cases)}\n# --start {arguments.start}', flush=True)
    try:
        runner = Runner(arguments.library, top)
        for number, of in enumerate(cases, 1):
            counts, tried, problems = try_all(runner, of, arguments, chance)
            print(f'{"not " if problems else ""}ok {number} - {of.name} survives failing calls')
            print(f'# {tried} faults of {sum(counts.values())} calls: '
                  + ', '.join(f'{n} {kind}' for kind, n in counts.items()))
            for problem in problems:
                print('\n'.join('# ' + line for line in problem.splitlines()))
                status = 1
            sys.stdout.flush()
    finally:
        if arguments.keep:
            print(f'# {top}')
        else:
            shutil.rmtree(top, ignore_errors=True)
    return status


if __name__ == '__main__':
    sys.exit(main())
