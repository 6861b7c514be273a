#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the keys in docs/browser.md with those of the browser: keys.py PAGE SHORTCUTS.C. Speaks TAP."""
import re
import sys
from pathlib import Path

SHORTCUT = re.compile(r'\{\s*(?:NULL|"([^"]*)"),\s*"([^"]*)",\s*N_ \("([^"]*)"\),\s*N_ \("([^"]*)"\)\s*\}')
NAMES = {'Control': 'Ctrl', 'Page_Up': 'Page up', 'Page_Down': 'Page down', 'plus': '+', 'minus': '-', 'period': '.',
         'comma': ',', 'bracketleft': '[', 'bracketright': ']', 'question': '?', 'space': 'Space'}


def name_key(accelerator):
    """<Control><Shift>g is Ctrl+Shift+G; a letter alone is as it is typed."""
    *modifiers, key = re.findall(r'<(\w+)>|(\w+)$', accelerator)
    words = [NAMES.get(modifier, modifier) for modifier, _ in modifiers]
    key = NAMES.get(key[1], key[1])
    return '+'.join([*words, key.upper() if words and len(key) == 1 else key])


def rows_of(source):
    for _, keys, group, title in SHORTCUT.findall(source):
        names = [name_key(key) for key in keys.split()]
        yield group, f'| {" or ".join(names)} | {title} |'


def main(page, source):
    page, source = (Path(path).read_text(encoding='utf-8') for path in (page, source))
    shown = set(re.findall(r'^\| .* \|$', page[page.index('## All keys'):], re.MULTILINE))
    wanted = list(rows_of(source))
    counted = len(re.findall(r'N_ \("', source)) // 2
    problems = [f'not in the manual: {row}  ({group})' for group, row in wanted if row not in shown]
    problems += [f'no such key: {row}' for row in sorted(shown - {row for _, row in wanted})
                 if row not in ('| keys | do |',) and '---' not in row]
    if len(wanted) != counted or not wanted:
        problems.append(f'{len(wanted)} shortcuts understood, of {counted}')
    print('1..1')
    print(f'{"not " if problems else ""}ok 1 - every key of the browser is in the manual')
    for problem in problems:
        print('#', problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
