#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What make-trace makes is what it was asked for, and has nothing wrong: generated.py MAKE-TRACE LIGHTCONE."""
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MAKE_TRACE, LIGHTCONE = sys.argv[1:3]


def make(folder, processes, events, *options):
    return subprocess.run([MAKE_TRACE, folder, f'--processes={processes}', f'--events={events}', *options],
                          stderr=subprocess.PIPE, text=True)


class Generated(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, *arguments):
        name = self.folder / str(len(os.listdir(self.folder)))
        result = make(name, *arguments)
        self.assertEqual((0, ''), (result.returncode, result.stderr))
        return name

    def ask(self, command, trace):
        return json.loads(subprocess.run([LIGHTCONE, command, '--json', trace], stdout=subprocess.PIPE).stdout)

    def test_clean(self):
        for processes, events in ((1, 16), (1, 5000), (2, 40), (3, 3001), (9, 60000), (64, 200000), (300, 20000)):
            with self.subTest(processes=processes, events=events):
                trace = self.made(processes, events)
                info, check = self.ask('info', trace), self.ask('check', trace)
                self.assertEqual((processes, events, 0), (info['processes'], info['events'], info['lost']))
                self.assertTrue(check['clean'], check)

    def test_same_seed(self):
        one, same, other = (self.made(5, 4000, f'--seed={seed}') for seed in (3, 3, 4))
        names = sorted(str(path.relative_to(one)) for path in one.rglob('*') if path.is_file())
        self.assertEqual((names, [], []), filecmp.cmpfiles(one, same, names, shallow=False))
        self.assertIn('ctf/process-3', filecmp.cmpfiles(one, other, names, shallow=False)[1])

    def test_too_few(self):
        result = make(self.folder / 'few', 64, 100)
        self.assertEqual(2, result.returncode)
        self.assertIn('64 processes have at least', result.stderr)
        self.assertFalse((self.folder / 'few').exists())

    def test_in_the_way(self):
        result = make(self.folder, 2, 100)
        self.assertEqual(2, result.returncode)
        self.assertIn('File exists', result.stderr)
        self.assertEqual([], os.listdir(self.folder))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
