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
        """Who reads too early differs from run to run: this wants one that sends a row too early, too."""
        for _ in range(ATTEMPTS):
            trace = self.record('wrong', '--size', '200', '--variant', 'faulty', '--uneven', '13:0.5')
            who = early_reads(trace)[0]
            if rows_before(trace, who) < worker_number(who) - 2:
                return trace
            shutil.rmtree(trace)
        raise Failure(f'nobody sent a row too early in {ATTEMPTS} runs')

    def record(self, name, *arguments, workers=16):
        trace = self.folder / f'{name}.trace'
        if not trace.exists():
            subprocess.run([os.environ['LIGHTCONE'], 'record', '--quiet', '-o', trace, '--', EXAMPLES / 'gauss',
                            '--workers', str(workers), *arguments], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)  # the wrong one ends with 1
        return trace


def sql(trace, query):
    return json.loads(lightcone('sql', '--json', trace, query))


def early_reads(trace):
    """Who read what nobody had written yet, and how often."""
    found = sql(trace, 'SELECT p.name AS name, count(*) AS n FROM event e JOIN process p ON p.id = e.process WHERE '
                       "e.operation = 'read-start' AND e.sequence = 0 GROUP BY 1")
    if len(found) != 1:
        raise Failure(f'early reads of one worker are expected: {found}')
    return found[0]['name'], found[0]['n']


def rows_before(trace, who):
    """How many workers sent their first row before this one."""
    found = sql(trace, 'SELECT p.name AS name FROM event e JOIN process p ON p.id = e.process WHERE '
                       "e.operation = 'write-start' AND e.sequence = 1 ORDER BY e.begin")
    return [row['name'] for row in found].index(who)


def worker_number(name):
    return int(name.split()[1])
