#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the reader that docs/format.md shows over a recorded trace: reader.py PAGE LIGHTCONE PROGRAM ARGS..."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(page, lightcone, *program):
    reader = re.search(r'```python\n(.*?)```', Path(page).read_text(encoding='utf-8'), re.DOTALL)[1]
    with tempfile.TemporaryDirectory() as folder:
        trace = str(Path(folder, 'trace'))
        output(lightcone, 'record', '-o', trace, '--', *program)
        # Main's exit is no event of a stream.
        expected = json.loads(output(lightcone, 'info', '--json', trace))['events'] - 1
        found = int(output(sys.executable, '-c', reader, trace))
    print(f'{found} events found, {expected} expected')
    return 0 if found == expected > 0 else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
