# SPDX-License-Identifier: Apache-2.0
"""The runs that the tutorial looks at, and what is asked of their histories."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from window import Failure, lightcone

TESTS = Path(__file__).resolve().parent.parent
EXAMPLES = Path(os.environ['LIGHTCONE_EXAMPLES'])
ATTEMPTS = 60


def simulate_triangulation(trace, quick):
    """36 workers on the virtual multiprocessor, of which each has a processor of its own."""
    sys.path.insert(0, str(TESTS / 'figures'))
    from session import Session  # makes the modules of the validation known
    import papers
    with tempfile.TemporaryDirectory() as temporary:
        session = Session(None, temporary, quick)
        name = session.simulate('gauss', papers.gauss(36, 72 if quick else 360))
        shutil.move(str(Path(temporary, name)), trace)


class Traces:
    """The runs that the tutorial looks at."""

    def __init__(self, folder, quick=False):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.right = self.record('right', '--size', '200')
        self.wrong = self.record_wrong()
        self.slow = self.record('slow', '--size', '400')
        self.small = self.record('small', '--size', '200', workers=4)
        self.crowded = folder / 'crowded.trace'
        if not self.crowded.exists():
            simulate_triangulation(self.crowded, quick)

    def record_wrong(self):
        """Who reads too early differs from run to run: this wants one, alone, that sends a row too early, too."""
        for _ in range(ATTEMPTS):
            trace = self.record('wrong', '--size', '200', '--variant', 'faulty', '--uneven', '13:0.5')
            readers = find_early_readers(trace)
            if len(readers) == 1 and rows_before(trace, readers[0][0]) < worker_number(readers[0][0]) - 2:
                return trace
            shutil.rmtree(trace)
        raise Failure(f'in none of {ATTEMPTS} runs one worker alone read and sent a row too early')

    def record(self, name, *arguments, workers=16):
        trace = self.folder / f'{name}.trace'
        if not trace.exists():
            subprocess.run([os.environ['LIGHTCONE'], 'record', '--quiet', '-o', trace, '--', EXAMPLES / 'gauss',
                            '--workers', str(workers), *arguments], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)  # the wrong one ends with 1
        return trace


def sql(trace, query):
    return json.loads(lightcone('sql', '--json', trace, query))


def find_early_readers(trace):
    """Who read what nobody had written yet, and how often."""
    found = sql(trace, 'SELECT p.name AS name, count(*) AS n FROM event e JOIN process p ON p.id = e.process WHERE '
                       "e.operation = 'read-start' AND e.sequence = 0 GROUP BY 1")
    return [(row['name'], row['n']) for row in found]


def early_reads(trace):
    """Of the one that does so in a run which was chosen for that."""
    return find_early_readers(trace)[0]


def rows_before(trace, who):
    """How many workers sent their first row before this one."""
    found = sql(trace, 'SELECT p.name AS name FROM event e JOIN process p ON p.id = e.process WHERE '
                       "e.operation = 'write-start' AND e.sequence = 1 ORDER BY e.begin")
    return [row['name'] for row in found].index(who)


def worker_number(name):
    return int(name.split()[1])
