# SPDX-License-Identifier: Apache-2.0
"""Recordings and pictures for the page of figures: each program is recorded once, and commands are kept to be shown."""
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'validation'))

from cases import Study  # noqa: E402
from truth import place, run_both  # noqa: E402

LIGHTCONE = os.environ.get('LIGHTCONE', 'lightcone')


class Session:
    def __init__(self, folder, temporary, quick):
        self.folder, self.temporary, self.quick = folder, temporary, quick
        self.study = Study(temporary)
        self.recordings = {}  # what was run -> the name of its trace
        self.begin()

    def begin(self):
        """The next figure."""
        self.pictures, self.commands = [], []

    def run(self, *words, show=True, status=0):
        words = [str(word) for word in words]
        if show:
            self.show(words)
        result = subprocess.run([LIGHTCONE, *words], cwd=self.temporary, capture_output=True, text=True)
        if result.returncode != status:
            raise subprocess.CalledProcessError(result.returncode, [LIGHTCONE, *words], result.stdout, result.stderr)
        return result.stdout

    def show(self, words):
        self.commands.append(' '.join(['lightcone', *map(shlex.quote, words)]))

    # --- Traces

    def record(self, program, *arguments, status=0):
        """`status`: what the program ends with."""
        what = [program, *arguments]
        name = self.recordings.get(tuple(what))
        again = name is None
        if again:
            name = f'{program}-{len(self.recordings) + 1}.trace'
            self.recordings[tuple(what)] = name
        words = ['record', '-o', name, '--']
        self.show([*words, *what])
        if again:
            path = os.path.join(os.environ['LIGHTCONE_EXAMPLES'], program)
            self.run('record', '--quiet', '-o', name, '--', path, *arguments, show=False,
                     status=status)
        return name

    def simulate(self, name, program):
        """A run of the virtual multiprocessor, as it was measured there."""
        if name not in self.recordings:
            place(run_both(program), os.path.join(self.temporary, name))
            self.recordings[name] = name
        return name

    # --- What is in them

    def sql(self, trace, query):
        return json.loads(self.run('sql', '--json', trace, query, show=False))

    def json(self, *words):
        return json.loads(self.run(*words, '--json', show=False))

    @staticmethod
    def average(parallelism):
        return f'{parallelism["average"]:.1f}'

    @staticmethod
    def parallel_average(parallelism):
        return f'{parallelism["parallel_average"]:.2f}'

    # --- Pictures

    def export(self, name, trace, *options, size='1200x800'):
        self.pictures.append(f'{name}.svg')
        self.run('export', trace, '-o', f'{name}.svg', *options, '--size', size)
        target = self.folder / f'{name}.svg'
        target.write_bytes((Path(self.temporary) / f'{name}.svg').read_bytes())

    def chart(self, name, figure):
        self.pictures.append(f'{name}.svg')
        figure.write(self.folder / f'{name}.svg')
