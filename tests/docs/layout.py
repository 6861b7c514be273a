#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the tables of docs/format.md with trace-format.h: layout.py ROOT COMPILER... Speaks TAP."""
import re
import subprocess
import sys
from pathlib import Path

HEADER = 'include/lightcone/trace-format.h'
STRUCTS = ('lc_packet', 'lc_piece', 'lc_event_sync', 'lc_event_collective', 'lc_event_mark', 'lc_event_tag',
           'lc_objects_header', 'lc_object_record', 'lc_site_record', 'lc_account_record',
           'lc_request_record', 'lc_inputs_header', 'lc_input_record', 'lc_snapshot_header',
           'lc_switches_header', 'lc_switch_pack', 'lc_absence_record')
PARTS_OF_WORDS = {'duration', 'flags', 'sequence', 'value'}  # of lc_event_sync: bits, which have no address


def tables(page):
    """The rows of each table that begins with a column of offsets, as lists of cells."""
    for table in re.findall(r'(^\| offset \|.*\n(?:\|.*\n)+)', page, re.MULTILINE):
        header, _, *rows = [[cell.strip() for cell in line.strip('|').split(' | ')] for line in table.splitlines()]
        yield header, rows


def size_in_bytes(text, unit):
    product = 1
    for factor in text.split(' x '):
        product *= int(factor)
    return product // 8 if unit == 'bits' else product


def assertions(struct, header, rows):
    for offset, size, field, *_ in rows:
        field = field.strip('`')
        if struct != 'lc_event_sync' or field not in PARTS_OF_WORDS:
            yield (f'_Static_assert (offsetof (struct {struct}, {field}) == {int(offset)}'
                   f' && sizeof (((struct {struct} *)0)->{field}) == {size_in_bytes(size, header[1])},'
                   f' "{struct}: {field}");')


def check_structs(page, root, compiler):
    found = list(tables(page))
    if len(found) != len(STRUCTS):
        return [f'{len(found)} tables of bytes where there should be {len(STRUCTS)}']
    lines = ['#include <stddef.h>', '#include "lightcone/trace-format.h"', '#include "lightcone/inputs-format.h"']
    for struct, (header, rows) in zip(STRUCTS, found):
        lines += assertions(struct, header, rows)
    result = subprocess.run([*compiler, '-fsyntax-only', '-I', str(root / 'include'), '-x', 'c', '-'],
                            input='\n'.join(lines), text=True, capture_output=True)
    return [line for line in result.stderr.splitlines() if 'error' in line]


def check_operations(page, root, _):
    text = (root / HEADER).read_text(encoding='utf-8')
    defined = {(int(number), name, cls.lower())
               for number, name, cls in re.findall(r'X \(\w+, (\d+), "([\w-]+)", (\w+), \w+\)', text)}
    table = re.search(r'^\| number \|.*\n(?:\|.*\n)+', page, re.MULTILINE)[0]
    told = {(int(number), name, cls) for number, name, cls in re.findall(r'\| (\d+) \| `([\w-]+)` \| (\w+)', table)}
    return [f'{which} is in {HEADER} only' for which in sorted(defined - told)] + \
           [f'{which} is in format.md only' for which in sorted(told - defined)]


def check_flags(page, root, _):
    text = (root / HEADER).read_text(encoding='utf-8')
    defined = {(1 << int(bit), name.lower().replace('_', ' '))
               for name, bit in re.findall(r'LC_EVENT_(\w+)\s*=\s*1 << (\d+)', text)}
    told = {(int(flag), name) for flag, name in re.findall(r'^\| (\d+) \| ([a-z ]+) \| ', page, re.MULTILINE)}
    return [f'{which} differ' for which in sorted(defined ^ told)]


def check_history(_, root, __):
    """The page of the history names its version, and each of its tables."""
    page = (root / 'docs' / 'schema.md').read_text(encoding='utf-8')
    version = re.search(r'#define LC_HISTORY_VERSION (\d+)', (root / 'src/history/store.h').read_text())[1]
    told = re.search(r'`user_version` \| .*: (\d+) \|', page)[1]
    made = re.findall(r'CREATE TABLE (\w+)', (root / 'src/history/schema.sql').read_text())
    return [f'schema.md is of version {told}, not {version}'] * (told != version) + \
           [f'the table {name} is not in schema.md' for name in made if f'`{name}`' not in page]


def main(root, *compiler):
    page = Path(root, 'docs', 'format.md').read_text(encoding='utf-8')
    checks = (check_structs, check_operations, check_flags, check_history)
    status = 0
    print(f'1..{len(checks)}')
    for number, check in enumerate(checks, 1):
        problems = check(page, Path(root), compiler)
        print(f'{"not " if problems else ""}ok {number} - {check.__name__}')
        for problem in problems:
            print('#', problem)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
