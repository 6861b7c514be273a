#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates losses of power: power.py LIBRARY [--all] [--case NAME] [--seconds S] [--start N]. Speaks TAP.

What a command does to files is logged. After each moment of the log a disk is made as it may be then: of what no fsync
has made safe, any write may be there, be missing or be there in part, in any order; names are what they were after any
of the last changes that are not safe yet. Whoever opens that must get the right answer, never a wrong one.
"""
import argparse
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults  # noqa: E402

ENTRY = struct.Struct('=IIIIQQQ')
SECTOR = 512
REPEATED = 3  # disks for each moment


class Operation:
    def __init__(self, letter, inode, path, other, known, offset, length, data):
        self.letter = letter
        self.inode = inode
        self.path = path
        self.other = other
        self.known = known
        self.offset = offset
        self.length = length
        self.data = data


def read_log(path, root):
    """The operations, with names relative to the folder."""
    data = Path(path).read_bytes()
    at = 0
    while at < len(data):
        letter, length, other_length, known, inode, offset, size = ENTRY.unpack_from(data, at)
        at += ENTRY.size
        name, other = data[at:at + length].decode(), data[at + length:at + length + other_length].decode()
        at += length + other_length
        payload = b''
        if chr(letter) == 'w':
            payload = data[at:at + size]
            at += size
        yield Operation(chr(letter), inode, os.path.relpath(name, root), os.path.relpath(other, root) if other else '',
                        bool(known), offset, size, payload)


class Disk:
    """What is safe, and what may be lost."""

    def __init__(self, folder):
        self.names = {}  # those that are safe: path -> file
        self.now = {}  # as the running system sees them
        self.renamed = []  # what changed names since: copies of `now`
        self.safe = {}  # file -> bytes
        self.pending = {}  # file -> writes and changes of size
        self.of_inode = {}  # inode -> file; numbers are used again
        self.n_files = 0
        for path in sorted(folder.rglob('*')):
            if path.is_file() and not path.is_symlink():
                file = self.new_file(path.stat().st_ino, path.read_bytes())
                self.names[str(path.relative_to(folder))] = file
        self.now = dict(self.names)

    def new_file(self, inode, data=b''):
        self.n_files += 1
        self.of_inode[inode] = self.n_files
        self.safe[self.n_files] = data
        self.pending[self.n_files] = []
        return self.n_files

    def rename(self, change):
        self.now = dict(self.now)
        change(self.now)
        self.renamed.append(self.now)

    def do(self, operation):
        if operation.letter == 'c' and not operation.known:
            file = self.new_file(operation.inode)
            self.rename(lambda names: names.__setitem__(operation.path, file))
        elif operation.letter in 'wt' and operation.inode in self.of_inode:
            self.pending[self.of_inode[operation.inode]].append(operation)
        elif operation.letter == 's' and operation.inode in self.of_inode:
            file = self.of_inode[operation.inode]
            self.safe[file] = apply(self.safe[file], self.pending[file])
            self.pending[file] = []
        elif operation.letter == 'a':
            for file, changes in self.pending.items():
                self.safe[file] = apply(self.safe[file], changes)
                self.pending[file] = []
            self.names, self.renamed = self.now, []
        elif operation.letter == 'd':
            self.names, self.renamed = self.now, []
        elif operation.letter == 'r':
            self.rename(lambda names: names.__setitem__(operation.other, names.pop(operation.path)))
        elif operation.letter == 'u':
            self.rename(lambda names: names.pop(operation.path))

    def fail(self, chance):
        """What is there after the loss: path -> bytes."""
        names = chance.choice([self.names, *self.renamed])
        return {path: apply(self.safe[file], lose(self.pending[file], chance)) for path, file in names.items()}


def apply(data, operations):
    data = bytearray(data)
    for operation in operations:
        if operation.letter == 't':
            data = data[:operation.length].ljust(operation.length, b'\0')
        else:
            end = operation.offset + len(operation.data)
            data = data.ljust(end, b'\0') if len(data) < operation.offset else data
            data[operation.offset:end] = operation.data
    return bytes(data)


def lose(operations, chance):
    """Some of them are lost, some come before others, some are there in part."""
    how = chance.randrange(4)
    kept = [] if how == 0 else list(operations) if how == 1 else [o for o in operations if chance.random() < 0.5]
    if how == 3:
        chance.shuffle(kept)
        kept = [torn(operation, chance) for operation in kept]
    return kept


def torn(operation, chance):
    if operation.letter != 'w' or len(operation.data) <= SECTOR or chance.random() < 0.5:
        return operation
    length = chance.randrange(0, len(operation.data), SECTOR)
    return Operation('w', operation.inode, operation.path, '', True, operation.offset, length, operation.data[:length])


# --- Commands -------------------------------------------------------------------------------------------------------

class Loss:
    """A command, what was there before, and what is right afterwards: one of several answers to each question."""

    def __init__(self, runner, of):
        self.runner = runner
        self.of = of
        folder = runner.prepare(of)
        self.before = folder.with_name(folder.name + '-before')
        shutil.copytree(folder, self.before)
        # The numbers of the files are those of the folder in which the command runs.
        self.disk = Disk(folder)
        runner.run(folder, of.command, LC_FAULT_LOG=str(runner.top / 'log'), LC_FAULT_ROOT=str(folder.resolve()))
        self.operations = list(read_log(runner.top / 'log', folder.resolve()))
        self.answers = runner.answers(of, folder)
        shutil.rmtree(folder)

    def states(self, chance, step):
        """Disks after this many operations."""
        for done, operation in enumerate(self.operations, 1):
            self.disk.do(operation)
            if done % step == 0 or operation.letter in 'sruda':
                for _ in range(REPEATED):
                    yield done, self.disk.fail(chance)

    def judge(self, files):
        with self.runner.lock:
            self.runner.number += 1
            folder = self.runner.top / f'run-{self.runner.number}'
        shutil.copytree(self.before, folder)
        try:
            for path in folder.rglob('*'):
                if path.is_file() and not path.is_symlink() and str(path.relative_to(folder)) not in files:
                    path.unlink()
            for path, data in files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                if not (folder / path).exists() or (folder / path).read_bytes() != data:
                    (folder / path).write_bytes(data)
            found = self.runner.answers(self.of, folder)
            assert len(found) == len(self.answers)
            for question, answer, right in zip(self.of.ask, found, self.answers):
                assert answer == right, f'{question}: {answer!r}, not {right!r}'
        finally:
            shutil.rmtree(folder)


LOSSES = (
    faults.Case('merge', 'whole', ('merge', 'DIR'), (faults.STATS,)),
    faults.Case('merge again', 'whole', ('merge', '--again', 'DIR'), (faults.STATS,), before=(('merge', 'DIR'),)),
    faults.Case('approximate', 'whole', ('approximate', 'DIR'),
                (faults.STATS, ('approximate', '--json', 'DIR'), faults.TIMELINE), before=(('merge', 'DIR'),)),
    faults.Case('recover', 'abandoned', ('info', '--no-merge', '--json', 'DIR'), (faults.EVENTS,)),
)


def try_all(runner, of, arguments, chance):
    loss = Loss(runner, of)
    states = list(loss.states(chance, 1 if arguments.all else 5))
    if not arguments.all:
        chance.shuffle(states)
    waiting, problems, tried = iter(states), [], [0]
    end = time.monotonic() + (arguments.seconds if not arguments.all else 1e9)
    lock = threading.Lock()

    def work():
        while time.monotonic() < end:
            with lock:
                done, files = next(waiting, (None, None))
                if files is None:
                    return
                tried[0] += 1
            try:
                loss.judge(files)
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                problems.append(f'after {done} operations: {str(problem)[:1500]}')
            except Exception:
                problems.append(f'after {done} operations: {traceback.format_exc()}')

    workers = [threading.Thread(target=work) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert loss.operations, 'nothing was logged'
    return len(loss.operations), tried[0], problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('library')
    parser.add_argument('--all', action='store_true', default=os.environ.get('LIGHTCONE_FAULTS') == 'all')
    parser.add_argument('--case')
    parser.add_argument('--seconds', type=float, default=1.0)
    parser.add_argument('--start', type=int, default=int(time.time()))
    arguments = parser.parse_args()
    losses = [of for of in LOSSES if arguments.case == of.name or
              (arguments.case is None and (arguments.all or not of.rare))]
    chance = random.Random(arguments.start)
    top = tempfile.mkdtemp(prefix='lightcone-power-', dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None)
    status = 0
    print(f'1..{len(losses)}\n# --start {arguments.start}', flush=True)
    try:
        runner = faults.Runner(arguments.library, top)
        for number, of in enumerate(losses, 1):
            operations, tried, problems = try_all(runner, of, arguments, chance)
            print(f'{"not " if problems else ""}ok {number} - {of.name} survives losses of power')
            print(f'# {tried} disks after {operations} operations')
            for problem in problems:
                print('\n'.join('# ' + line for line in problem.splitlines()))
                status = 1
            sys.stdout.flush()
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return status


if __name__ == '__main__':
    sys.exit(main())
