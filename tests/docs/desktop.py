#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the desktop file says that the browser opens: desktop.py FILE. Speaks TAP."""
import configparser
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

# Whatever says so of itself is offered for every folder or file there is.
EVERYTHING = {'inode/directory', 'inode/blockdevice', 'application/octet-stream', 'application/x-zerosize',
              'text/plain'}


def read_types(file):
    """What a file manager would offer the application for."""
    entries = configparser.ConfigParser(interpolation=None)
    entries.optionxform = str
    entries.read(file, encoding='utf-8')
    return {part for part in entries['Desktop Entry'].get('MimeType', '').split(';') if part}


def find_unwanted(types):
    return {name for name in types if name in EVERYTHING or name.endswith('/*') or name.startswith('all/')}


def check_planted():
    """The check has to find what it is there for."""
    with TemporaryDirectory() as folder:
        planted = Path(folder) / 'planted.desktop'
        planted.write_text('[Desktop Entry]\nType=Application\nMimeType=inode/directory;image/png;\n', encoding='utf-8')
        return find_unwanted(read_types(planted)) == {'inode/directory'}


def main():
    unwanted = find_unwanted(read_types(sys.argv[1]))
    text = Path(sys.argv[1]).read_text(encoding='utf-8')
    results = [(check_planted(), 'what is planted is found'),
               (not unwanted, 'the browser is not offered for every folder or file'),
               ('\nExec=lightcone-browser %F\n' in text, 'traces can be given to it all the same')]
    for name in sorted(unwanted):
        print(f'# {name}')
    print(f'1..{len(results)}')
    for number, (good, name) in enumerate(results, 1):
        print(f'{"ok" if good else "not ok"} {number} - {name}')
    return 0 if all(good for good, _ in results) else 1


if __name__ == '__main__':
    sys.exit(main())
