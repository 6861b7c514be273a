#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what ninja has to make for the tests of some suites, one a line: targets.py BUILD SUITE..."""
import json
import subprocess
import sys
from pathlib import Path


def introspect(build, what):
    return json.loads(subprocess.run(['meson', 'introspect', what, build], check=True, stdout=subprocess.PIPE).stdout)


def main(build, *suites):
    build = Path(build).resolve()
    files = {target['id']: target['filename'] for target in introspect(build, '--targets')}
    tests = [test for test in introspect(build, '--tests') if {suite.split(':')[-1] for suite in test['suite']} &
             set(suites)]
    for needed in sorted({needed for test in tests for needed in test['depends']}):
        for file in files[needed]:
            print(Path(file).relative_to(build))


if __name__ == '__main__':
    main(*sys.argv[1:])
