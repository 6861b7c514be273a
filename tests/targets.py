#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what ninja has to make, one a line: targets.py BUILD SUITE... for the tests of these suites, --installed for
what is installed.
"""
import json
import subprocess
import sys
from pathlib import Path


def introspect(build, what):
    return json.loads(subprocess.run(['meson', 'introspect', what, build], check=True, stdout=subprocess.PIPE).stdout)


def main(build, *wanted):
    build = Path(build).resolve()
    needed = {target for test in introspect(build, '--tests')
              if {suite.split(':')[-1] for suite in test['suite']} & set(wanted) for target in test['depends']}
    for target in introspect(build, '--targets'):
        if target['id'] in needed or '--installed' in wanted and target['installed']:
            for file in target['filename']:
                print(Path(file).relative_to(build))


if __name__ == '__main__':
    main(*sys.argv[1:])
