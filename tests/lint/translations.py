#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sees that every text for users is translated into each language: translations.py ROOT. Speaks TAP."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MARKED = re.compile(r'\b(?:(?:_|N_|C_|ngettext) \(|g_dngettext \()')
TEMPLATE = re.compile(r'translatable="(?:yes|true|1)"')
BROKEN = re.compile(r'\b(_|N_) \((?:"[^"]*"\s*)+G_G')  # what a translator sees ends at the macro
KEYWORDS = ('_', 'N_', 'C_:1c,2', 'ngettext:1,2', 'g_dngettext:2,3')


def words(path):
    return [line for line in path.read_text(encoding='utf-8').splitlines() if line and not line.startswith('#')]


def check_files(root):
    """Sources with texts that po/POTFILES does not name, and the other way round."""
    listed = set(words(root / 'po' / 'POTFILES'))
    marked = {str(path.relative_to(root)) for kind, has_texts in (('src/**/*.[ch]', MARKED), ('ui/*.ui', TEMPLATE))
              for path in root.glob(kind) if has_texts.search(path.read_text(encoding='utf-8'))}
    told = {name for name in listed if not name.startswith('data/')}  # of those, all have texts
    return [f'{name} is not in po/POTFILES' for name in sorted(marked - told)] + \
           [f'{name} of po/POTFILES has no texts' for name in sorted(told - marked)]


def check_texts(root):
    """Texts that a translator cannot see as a whole."""
    return [f'{path.relative_to(root)}: a macro inside a text' for path in sorted(root.glob('src/**/*.[ch]'))
            if BROKEN.search(path.read_text(encoding='utf-8'))]


def errors_of(*command):
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return result.stderr.splitlines() if result.returncode else []


def check_language(root, language, template):
    """Texts that are missing, doubtful or wrong in form."""
    path = str(root / 'po' / f'{language}.po')
    return errors_of('msgfmt', '--check', '-o', '/dev/null', path) + errors_of('msgcmp', path, template)


def make_template(root, template):
    subprocess.run(['xgettext', '--from-code=UTF-8', *(f'--keyword={word}' for word in KEYWORDS),
                    '--directory', str(root), '--files-from', str(root / 'po' / 'POTFILES'), '-o', template],
                   check=True, stderr=subprocess.DEVNULL)


def main(root):
    root = Path(root)
    languages = ' '.join(words(root / 'po' / 'LINGUAS')).split()
    checks = [('files', check_files(root)), ('texts', check_texts(root))]
    with tempfile.TemporaryDirectory() as folder:
        template = str(Path(folder, 'lightcone.pot'))
        make_template(root, template)
        checks += [(language, check_language(root, language, template)) for language in languages]
    status = 0
    print(f'1..{len(checks)}')
    for number, (name, problems) in enumerate(checks, 1):
        print(f'{"not " if problems else ""}ok {number} - {name}')
        for problem in problems:
            print('#', problem)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
