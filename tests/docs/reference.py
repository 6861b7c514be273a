#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference of the toolkit, made from docstrings: reference.py LIGHTCONE TRACE MODULE PAGE sees that the page is
what is made of them, and that nothing is without one. With --write it writes the page. Speaks TAP."""
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HEAD = '''# Reference of the toolkit

All that [Scheme](scripting.md) and [Python](python.md) have for asking a history, made from what the sources say of it
(`tests/docs/reference.py --write`). In Scheme `(describe NAME)` prints the same, in Python `help(lightcone)`. All times
are nanoseconds from the begin of the run. The words are those of [format.md](format.md).

## Scheme

Where a process is asked for, its number, its name or its record can be given; the same with objects. `[X]` may be left
out, `[#:key]` too: `(events #:process 1)`. What an event does not have is `#f`.
'''

PYTHON_HEAD = '''## Python

What begins with `where`, `columns` and `parameters` takes a condition in SQL, the names of the columns that are wanted,
and values for the condition's `?`.
'''

SHOW = r'''
(define (text x) (format #f "\"~a\"" (string-concatenate (map (lambda (c) (case c ((#\") "\\\"") ((#\\) "\\\\")
  ((#\newline) " ") (else (string c)))) (string->list x)))))
(define (list-text items) (string-append "[" (string-join items ", ") "]"))
(display (list-text (map (lambda (section)
  (list-text (list (text (car section))
    (list-text (map (lambda (entry) (list-text (list (text (symbol->string (first entry))) (text (or (second entry) ""))
                                                     (text (or (third entry) ""))))) (cdr section))))))
  (documentation-sections))))
(newline)
(display (list-text (map (lambda (name) (text (symbol->string name)))
  (sort (module-map (lambda (name variable) name) (resolve-interface '(lightcone)))
        (lambda (a b) (string<? (symbol->string a) (symbol->string b)))))))
'''


def ask_scheme(lightcone, trace):
    """Sections of names, signatures and texts, and the names that there are."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(trace, os.path.join(folder, 'trace'))
        with open(os.path.join(folder, 'show.scm'), 'w', encoding='utf-8') as file:
            file.write(SHOW)
        result = subprocess.run([os.path.abspath(lightcone), 'script', 'trace', 'show.scm'], cwd=folder,
                                capture_output=True, text=True, check=True, timeout=120)
    return tuple(json.loads(line) for line in result.stdout.splitlines())


def write_scheme(sections):
    for title, entries in sections:
        yield f'### {title}\n'
        for _, signature, text in entries:
            yield f'- `{signature}`: {escape(text)}'
        yield ''


def escape(text):
    """A docstring as Markdown: the name of an argument is code."""
    words = {'SQL', 'JSON', 'MPI_COMM_WORLD'}
    return re.sub(r'(?<![`\w"])([A-Z][A-Z_]{2,}\??)(?![`\w])',
                  lambda match: match[0] if match[0] in words else f'`{match[0]}`', ' '.join(text.split()))


def load_module(path):
    specification = importlib.util.spec_from_file_location('lightcone', path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def get_members(owner):
    """Functions and properties that the class itself defines, in the order of the source."""
    for name, member in vars(owner).items():
        if not name.startswith('_') and (inspect.isfunction(member) or isinstance(member, property)):
            yield name, member


def write_signature(name, function):
    parameters = list(inspect.signature(function).parameters.values())
    if parameters and parameters[0].name == 'self':
        parameters = parameters[1:]
    return f'{name}{inspect.Signature(parameters)}'


def write_python(module, undocumented):
    def tell(signature, thing):
        text = inspect.getdoc(thing)
        if not text:
            undocumented.append(signature)
        return f'- `{signature}`: {" ".join((text or "").split())}'

    yield tell(write_signature('lightcone.open', module.open), module.open)
    yield tell('lightcone.Error', module.Error)
    for owner in (module.History, module.Table, module.Column):
        yield f'\n### {owner.__name__}\n\n{" ".join(inspect.getdoc(owner).split())}\n'
        for name, member in get_members(owner):
            property_text = isinstance(member, property)
            yield tell(f'.{name}' if property_text else '.' + write_signature(name, member),
                       member.fget if property_text else member)


def wrap(text):
    """Lines of no more than 120 columns, as the other pages have them."""
    for line in text.split('\n'):
        words, at, indent = line.split(' '), '', '  ' if line.startswith('- ') else ''
        for word in words:
            if at and len(at) + 1 + len(word) > 120 and at.count('`') % 2 == 0:
                yield at
                at = indent + word
            else:
                at = f'{at} {word}' if at else word
        yield at


def main(lightcone, trace, module_path, page, *options):
    sections, names = ask_scheme(lightcone, trace)
    undocumented = [name for _, entries in sections for name, signature, text in entries if not (signature and text)]
    listed = [entry[0] for _, entries in sections for entry in entries]
    made = [HEAD, *write_scheme(sections), PYTHON_HEAD, *write_python(load_module(module_path), undocumented)]
    made = '\n'.join(wrap('\n'.join(made))) + '\n'
    if '--write' in options:
        with open(page, 'w', encoding='utf-8') as file:
            file.write(made)
    with open(page, encoding='utf-8') as file:
        written = file.read()
    print('1..3')
    failed = 0
    for number, (what, found, wanted) in enumerate((
            ('each name is in one section', sorted(listed), names),
            ('nothing is without a text', undocumented, []),
            ('the page is what the sources say', written.splitlines(), made.splitlines())), 1):
        print(f'{"ok" if found == wanted else "not ok"} {number} - {what}')
        if found != wanted:
            failed += 1
            for line in sorted(set(found) ^ set(wanted)):
                print(f'# {"too much" if line in found else "missing"}: {line}')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
