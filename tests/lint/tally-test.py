#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts made-up results of `meson test`: nothing that failed may be counted as good, or go untold."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TALLY = sys.argv.pop()


def result(name, outcome, stdout='', stderr=''):
    return json.dumps({'name': f'lightcone:suite / {name}', 'result': outcome, 'stdout': stdout, 'stderr': stderr})


GOOD = result('good', 'OK', 'ok 1\nok 2 # skip why\n')
BAD = result('bad', 'FAIL', 'ok 1\nnot ok 2 second\n', 'it broke')


class Tally(unittest.TestCase):
    def tally(self, lines, status, again=None):
        """What is printed, and what is reported."""
        with tempfile.TemporaryDirectory() as folder:
            report, log, second = (Path(folder, name) for name in ('report', 'log', 'again'))
            if lines is not None:
                log.write_text('\n'.join(lines), encoding='utf-8')
            if again is not None:
                second.write_text('\n'.join(again), encoding='utf-8')
            printed = subprocess.run([sys.executable, TALLY, log, str(status), report, second], check=True,
                                     capture_output=True, text=True).stdout
            return printed.strip(), report.read_text(encoding='utf-8')

    def test_good(self):
        self.assertEqual(('1 0 1', ''), self.tally([GOOD], 0))

    def test_bad(self):
        printed, report = self.tally([GOOD, BAD], 1)
        self.assertEqual('2 1 1', printed)
        self.assertIn('suite / bad: FAIL\nnot ok 2 second\nit broke', report)

    def test_crash(self):
        self.assertEqual('1 1 0', self.tally([result('crash', 'ERROR', 'ok 1\n')], 1)[0])
        self.assertEqual('0 1 0', self.tally([result('slow', 'TIMEOUT')], 1)[0])

    def test_unstable(self):
        printed, report = self.tally([BAD], 1, [result('bad', 'OK', 'ok 1\nok 2\n')])
        self.assertEqual('2 0 0', printed)
        self.assertIn('unstable', report)

    def test_fails_again(self):
        printed, report = self.tally([BAD], 1, [BAD])
        self.assertEqual('1 1 0', printed)
        self.assertNotIn('unstable', report)

    def test_no_log(self):
        self.assertEqual('0 1 0', self.tally(None, 1)[0])

    def test_status(self):
        self.assertEqual('1 1 1', self.tally([GOOD], 1)[0])

    def test_names(self):
        with tempfile.NamedTemporaryFile('w', encoding='utf-8') as log:
            log.write(f'{GOOD}\n{BAD}\n')
            log.flush()
            names = subprocess.run([sys.executable, TALLY, '--failed', log.name], check=True, capture_output=True,
                                   text=True).stdout
        self.assertEqual('bad\n', names)


if __name__ == '__main__':
    unittest.main()
