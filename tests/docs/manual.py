#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the manual pages with what `lightcone COMMAND --help` says. Speaks TAP.

manual.py LIGHTCONE FOLDER [BROWSER]
"""
import re
import subprocess
import sys
from pathlib import Path

BROWSER = 'lightcone-browser'
OF_EVERY_BROWSER = {'--help-all', '--help-gapplication'}  # GTK's own
OPTION = re.compile(r'(?<![\w/-])(--[a-z][\w-]*|-[A-Za-z])(?![\w-])')
MARKED = re.compile(r'\*(--[a-z][\w-]*|-[A-Za-z])(?=\*)')


def help_of(program, *command):
    return subprocess.run([program, *command, '--help'], check=True, stdout=subprocess.PIPE, text=True).stdout


def compare(told, written):
    for option in sorted(told - written):
        yield f'{option} is in --help only'
    for option in sorted(written - told):
        yield f'{option} is in the manual page only'


def main(lightcone, folder, browser=None):
    pages = {page.name.removesuffix('.1.scd'): page.read_text(encoding='utf-8')
             for page in sorted(Path(folder).glob('*.1.scd'))}
    status = 0
    print(f'1..{len(pages) + 1}')
    names = {name.removeprefix('lightcone-') for name in pages if name not in ('lightcone', BROWSER)}
    commands = set(re.findall(r'^ {2}([a-z][a-z-]*)\b', help_of(lightcone), re.MULTILINE)) - {'help'}
    checks = [('every command has a page', compare(commands, names))]
    for name, text in pages.items():
        command = [name.removeprefix('lightcone-')] if name not in ('lightcone', BROWSER) else []
        if name == BROWSER and browser is None:
            checks.append((f'{name} # SKIP it is not built', []))
            continue
        told = set(OPTION.findall(help_of(browser if name == BROWSER else lightcone, *command))) - OF_EVERY_BROWSER
        checks.append((f'{name}: options', compare(told, set(MARKED.findall(text)))))
    for number, (name, problems) in enumerate(checks, 1):
        problems = list(problems)
        print(f'{"not " if problems else ""}ok {number} - {name}')
        for problem in problems:
            print('#', problem)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
