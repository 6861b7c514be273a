#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how many lines and branches of each folder tests have reached: coverage.py SUMMARY, as gcovr writes it."""
import json
import sys
from pathlib import PurePath


def main(path):
    with open(path, encoding='utf-8') as file:
        summary = json.load(file)
    folders = {}
    for entry in summary['files']:
        parts = PurePath(entry['filename']).parts
        sums = folders.setdefault('/'.join(parts[:2]), [0, 0, 0, 0])
        for at, key in enumerate(('line_covered', 'line_total', 'branch_covered', 'branch_total')):
            sums[at] += entry[key]
    print(f'{"":16}{"lines":>8}{"branches":>10}')
    for folder, (lines, all_lines, branches, all_branches) in sorted(folders.items()):
        print(f'{folder:16}{100 * lines / max(all_lines, 1):7.1f}%{100 * branches / max(all_branches, 1):9.1f}%')


if __name__ == '__main__':
    main(*sys.argv[1:])
