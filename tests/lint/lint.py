#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks how the files of the tree are written: lint.py ROOT. Speaks TAP."""
import collections
import fnmatch
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

IGNORED = ('.git', '__pycache__', 'build', 'build-*')
ANY_BYTES = ('data/samples/*.trace/*', 'tests/data/*', 'tests/fuzz/corpus/*', 'tests/*/data/*')

CODE = ('.c', '.h')
SOURCES = CODE + ('.cpp', '.py', '.sh', '.scm', '.build', '.rules', '.sql', '.ui', '.css')

FILE_LINES = 900
FUNCTION_LINES = 100
COLUMNS = 120
CLANG_FORMAT = 14  # others lay out some things differently

SPDX = re.compile(r'SPDX-License-Identifier: Apache-2\.0\b')
UNFINISHED = re.compile(r'(/\*|//|#|;)\s*(TODO|FIXME|XXX)\b')
# A text between tags of the templates.
TEXT = re.compile(r'(<(?:property|attribute|item)\b[^>]*>)[^<]+(</)')
# Folders of the one machine that a file was written on.
MACHINE = re.compile(r'(?<![\w.$}~*])/(home|root|work|farm|Users|mnt|srv|scratch)/\w|/tmp/[b]uild')


class Skip(Exception):
    """This check cannot be made here."""


class File:
    def __init__(self, path, name):
        self.path = path
        self.name = name
        self.bytes = path.read_bytes()
        self.text = self.bytes.decode('utf-8', errors='replace')
        self.lines = self.text.split('\n')

    def is_text(self):
        return b'\0' not in self.bytes and not any(fnmatch.fnmatch(self.name, pattern) for pattern in ANY_BYTES)

    def is_script(self):
        return self.text.startswith('#!')

    def is_source(self):
        return self.name.endswith(SOURCES) or self.is_script()

    def search(self, pattern, message):
        for number, line in enumerate(self.lines, 1):
            if re.search(pattern, line):
                yield f'{self.name}:{number}: {message}'


def tree(root):
    """The text files of the tree."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not any(fnmatch.fnmatch(name, pattern) for pattern in IGNORED)]
        for path in (Path(folder, name) for name in names):
            if path.is_file():
                file = File(path, str(path.relative_to(root)))
                if file.is_text():
                    yield file


def each(check):
    """Makes a check of all files from one of a single file."""
    def check_all(files):
        return [problem for file in files for problem in check(file)]
    check_all.__name__ = check.__name__
    return check_all


@each
def licence(file):
    if file.is_source() and not any(SPDX.search(line) for line in file.lines[:2 + file.is_script()]):
        yield f'{file.name}: no SPDX line at the top'


@each
def purpose(file):
    if file.name.endswith(CODE) and not (len(file.lines) > 1 and re.match(r'/\* \S', file.lines[1])):
        yield f'{file.name}: the second line does not say what the file is for'


@each
def white_space(file):
    yield from file.search(r'[ \t\r]$', 'white space at the end of the line')
    if not file.name.endswith('.po'):
        yield from file.search(r'\t', 'a tab') if file.name.endswith(CODE + ('.py', '.build')) else ()
    if file.bytes and (not file.text.endswith('\n') or file.text.endswith('\n\n')):
        yield f'{file.name}: must end with one newline'


@each
def width(file):
    if not file.is_source():
        return
    for number, line in enumerate(file.lines, 1):
        # A text that is shown cannot be broken where it is: what is around it is to fit.
        fitted = TEXT.sub(r'\1\2', line) if file.name.endswith('.ui') else line
        if len(fitted) > COLUMNS:
            yield f'{file.name}:{number}: more than {COLUMNS} columns'


@each
def file_length(file):
    if file.is_source() and len(file.lines) > FILE_LINES:
        yield f'{file.name}: {len(file.lines)} lines'


@each
def unfinished(file):
    if file.is_source():
        yield from file.search(UNFINISHED, 'unfinished')


@each
def this_machine(file):
    if file.name not in ('LICENSE', '.git'):
        yield from file.search(MACHINE, 'a folder of one machine')


# Names that others chose come out through one place each, which shows what would steer a terminal or turn a line.
WAYS_OUT = (
    (('src/cli/', 'src/report/'), ('src/report/output.c',),
     re.compile(r'(?<![\w"])(?:v?f?printf|f?puts|f?putc|putchar|fwrite|perror|psignal|vdprintf|dprintf) \('),
     'prints past output.h'),
    (('src/app/',), ('src/app/shown-text.c', 'src/app/help/markdown.c'),
     re.compile(r'gtk_label_set_text|gtk_label_new \((?!NULL\))|gtk_widget_set_tooltip_text|g_markup_escape_text|'
                r'gtk_window_set_title|adw_window_title_set_'),
     'shows a text past shown-text.h'),
)


@each
def ways_out(file):
    for folder, exceptions, pattern, message in WAYS_OUT:
        if file.name.startswith(folder) and file.name.endswith(CODE) and file.name not in exceptions:
            yield from file.search(pattern, message)


def run(files, *command):
    """The lines that a tool prints about these files; it may exit with any status."""
    if not shutil.which(command[0]):
        raise Skip(f'no {command[0]}')
    if not files:
        return []
    result = subprocess.run([*command, *[str(file.path) for file in files]], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    lines = result.stdout.splitlines()
    return lines or ([f'{command[0]} ends with status {result.returncode}'] if result.returncode else [])


def function_length(files):
    tags = run([file for file in files if file.name.endswith(CODE)],
               'ctags', '--languages=C', '--kinds-C=f', '--fields=+ne', '-o', '-')
    for tag in tags:
        begin, end = re.search(r'\tline:(\d+)', tag), re.search(r'\tend:(\d+)', tag)
        if begin and end and int(end[1]) - int(begin[1]) >= FUNCTION_LINES:
            yield f'{tag.split()[1]}:{begin[1]}: {tag.split()[0]} has {int(end[1]) - int(begin[1]) + 1} lines'


def static_names(files):
    """A name in gdb, perf or grep tells where it is from: static functions carry a noun, and no two files share one."""
    tags = run([file for file in files if file.name.startswith('src/') and file.name.endswith('.c')],
               'ctags', '--languages=C', '--kinds-C=f', '--fields=+n', '-o', '-')
    places = {}
    for tag in tags:
        name, path, *rest = tag.split('\t')
        if 'file:' in rest and not name.isupper() and not name.startswith(('G_DEFINE', 'ElfW')):
            places.setdefault(name, {})[path] = re.search(r'\tline:(\d+)', tag)[1]
    for name, found in sorted(places.items()):
        for path, line in found.items():
            if '_' not in name:
                yield f'{path}:{line}: {name} does not say of what: a static function carries its noun'
            elif len(found) > 1:
                yield f'{path}:{line}: {name} is a static function of {len(found)} files'


# The first words of comments that can only be understood with the line before, or have to be resolved like puzzles.
RIDDLES = ('What', 'Which', 'Who', 'Whose', 'Whoever', 'Those', 'That', 'These', 'This', 'It', 'They', 'Its', 'Their',
           'Of', 'Where', 'As', 'How', 'One', 'Such')
RIDDLES_AT_MOST = 0.05


def comment_openings(files):
    """Comments begin with their subject; a few may begin otherwise."""
    count, riddles = 0, []
    for file in files:
        if file.name.startswith(('src/', 'include/')) and file.name.endswith(CODE):
            for match in re.finditer(r'(?m)^\s*/\*+\s*(?!SPDX|---)(\S+)', file.text):
                count += 1
                if match[1].strip(',.:') in RIDDLES:
                    number = file.text.count('\n', 0, match.start(1)) + 1
                    riddles.append(f'{file.name}:{number}: a comment that opens with "{match[1]}"')
    return riddles if len(riddles) > RIDDLES_AT_MOST * count else []


# What other programs call, and what shows tests something that nobody else has to see.
CALLED_FROM_OUTSIDE = ('include/lightcone/record.h', 'src/record/hooks.h')
FOR_TESTS = ('lc_approximator_get_event', 'lc_compensation_receive_early', 'lc_compensation_receive_group',
             'lc_diagram_area_is_sharp', 'lc_process_graph_get_n', 'lc_process_graph_get_place',
             'lc_statistics_visit_communication', 'lc_trace_add_reader', 'lc_trace_cursor_tell')
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)


def unused_functions(files):
    """A function that a header offers is called by somebody."""
    code = [(file, COMMENT.sub('', file.text)) for file in files
            if file.name.startswith(('src/', 'include/')) and file.name.endswith(CODE)]
    times = collections.Counter(word for _, text in code for word in re.findall(r'\blc_\w+', text))
    for file, text in code:
        if file.name.endswith('.h') and file.name not in CALLED_FROM_OUTSIDE:
            for name in re.findall(r'(?m)^(?!#)\w[^;={]*?\b(lc_[a-z0-9_]+) \(', text):
                inline = re.search(rf'\b{name} \([^;{{]*\)\s*\{{', text)
                by_macros = name.endswith(('_get_type', '_error_quark'))
                if times[name] <= (1 if inline else 2) and not by_macros and name not in FOR_TESTS:
                    yield f'{file.name}: nobody calls {name}'


HANDLER = re.compile(r'handler="(\w+)"')


def handlers(files):
    """A template names the functions that it calls: each must be one that is bound."""
    code = '\n'.join(file.text for file in files if file.name.startswith('src/app/'))
    bound = set(re.findall(r'bind_template_callback \(\w+,\s*(\w+)\)', code))
    for file in files:
        if file.name.startswith('ui/') and file.name.endswith('.ui'):
            for number, line in enumerate(file.lines, 1):
                for name in HANDLER.findall(line):
                    if name not in bound:
                        yield f'{file.name}:{number}: nothing in src/app binds {name}'


def format_of_code(files):
    version = re.search(r'version (\d+)', '\n'.join(run(files[:1], 'clang-format', '--version')))
    if not version or int(version[1]) != CLANG_FORMAT:
        raise Skip(f'not clang-format {CLANG_FORMAT}')
    lines = run([file for file in files if file.name.endswith(CODE)], 'clang-format', '--dry-run', '-Werror')
    places = [re.match(r'(.*):(\d+):\d+: error', line) for line in lines]
    for name in sorted({place[1] for place in places if place}):
        numbers = {place[2] for place in places if place and place[1] == name}
        yield f'{name}: ./dev format would change {len(numbers)} lines'


def spelling(files):
    words = Path(__file__).with_name('words.txt')
    return run([file for file in files if not file.name.endswith(('.po', '.svg')) and file.path != words],
               'codespell', '--ignore-words', str(words))


def shell(files):
    return run([file for file in files if re.match(r'#!.*\b(ba)?sh\b', file.lines[0])],
               'shellcheck', '--severity=warning', '--format=gcc')


CHECKS = (licence, purpose, white_space, width, file_length, unfinished, this_machine, ways_out, function_length,
          static_names, comment_openings, unused_functions, handlers, format_of_code, spelling, shell)


def main(root):
    files = sorted(tree(root), key=lambda file: file.name)
    status = 0
    print(f'1..{len(CHECKS)}')
    for number, check in enumerate(CHECKS, 1):
        try:
            problems = list(check(files))
        except Skip as reason:
            print(f'ok {number} - {check.__name__} # SKIP {reason}')
            continue
        print(f'{"not " if problems else ""}ok {number} - {check.__name__}')
        for problem in problems:
            print('#', problem)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
