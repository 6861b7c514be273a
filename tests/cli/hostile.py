#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever names are made of, no command lets through what would steer a terminal or turn a line around."""
import json
import os
import re
import subprocess

from cli import LIGHTCONE, Skip, contains, equal, lightcone, main, program, test
from tables import WAIT_SETTINGS, write

# Sequences for terminals (ESC, C1 CSI), BEL, BS, CR, VT, DEL, directions, separators, what is invisible, no UTF-8.
EVIL = '\x1b[31m\x9b2J\x07\x08\r\x0b\x7f\u202e\u2066\u200f\u061c\u2028\u2029\ufeff\U000e0001\udcff'
# An option's value has to be UTF-8.
WORD = EVIL.replace('\udcff', '')
# What has to be of one line: a second one would look like ours.
FORGED = 'FORGED: nothing is wrong'
TWO_LINES = f'{EVIL}\n{FORGED}'
FORBIDDEN = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff'
                       '\U000e0000-\U000e007f]')
PICTURES = (b'\x89PNG', b'%PDF')

# Two of each class that arcs are made of; what an operation of ours is called cannot be told from what it does.
EVENTS = {
    'a': '''0 10 tag value=1
100 110 lock E 1
200 210 unlock E 1 at=E@E:3;E@E:9
220 230 NOTHING E 1
300 310 enter E
320 330 leave E
400 410 barrier E 0
500 510 send 0>1:E 0 bytes=8 to=1
600 640 advance E 1 at=E@E:5
700 710 tag value=2
''',
    'b': '''0 10 tag value=1
100 215 lock E 2 at=E@E:4
230 240 unlock E 2
390 410 barrier E 0
420 530 recv 0>1:E 0 bytes=8 from=0
540 660 await E 1 at=E
700 710 tag value=2
''',
}
WRONG = 'nonsense E\n720 10 tag\n800 810 recv 5>1:E 9 from=77 at=E@E:6\n'
RULES = 'class E E E\n[class E]\nsummary=E\n[operation E]\nclass=nothing E\n[arc E]\nfrom=E\nto=E\nclass=E\nE=E\n'
PROFILE = {'format': 'lightcone-profile', 'version': 1, 'title': EVIL, 'command': [EVIL], 'processes': []}


def encode(text):
    return os.fsencode(text) if '\udcff' in text else text.encode()


def write_hostile(name, more=''):
    """A text trace whose every name is hostile: processes, objects, operations, channels, settings, files."""
    os.makedirs(name)
    for process, text in EVENTS.items():
        path = os.path.join(name, f'{process}{EVIL}.events')
        with open(path, 'wb') as file:
            # A line of the format ends at a newline, a word at a space.
            word = EVIL.replace('\x0b', '').replace('\r', '')
            file.write(encode(f'%lightcone-events 1\n%process {process}{EVIL}\n{text}{more}'
                              .replace('E', word).replace('NOTHING', f'nothing{word}')))
    setting = WORD.replace('\r', '\\r')
    with open(os.path.join(name, 'trace.ini'), 'w', encoding='utf-8') as file:
        file.write(f'[trace]\ntitle={setting}\\n{FORGED}\ncommand={setting}\\n{FORGED}\nprogram={setting}\n'
                   f'host={setting}\n'
                   f'started={setting}\nstatus={setting}\nmpi={setting}\nclock={setting}\n'
                   f'[communication]\ntopology={setting}\n{WAIT_SETTINGS}{setting}=1;2;3\n')


def check_output(what, output, lines=True):
    if output.startswith(PICTURES):
        return
    text = output.decode('utf-8')  # what is none does not come out either
    found = FORBIDDEN.search(text)
    assert not found, f'{what!r} lets {found[0]!r} through: {text[max(0, found.start() - 60):found.end() + 20]!r}'
    forged = [line for line in text.split('\n') if lines and line.startswith('FORGED')]
    assert not forged, f'{what!r} takes a name for a line of its own: {text!r}'


def try_command(*arguments, codes=(0, 1, 2), **options):
    """Runs a command that may well fail, and looks at what it says."""
    arguments = [encode(argument) for argument in arguments]
    result = lightcone(*arguments, text=False, stdin=subprocess.DEVNULL, **options)
    assert result.returncode in codes, f'{arguments} ends with {result.returncode}: {result.stderr!r}'
    check_output(arguments, result.stdout, lines=not {b'csv', b'--csv'} & set(arguments))
    check_output(arguments, result.stderr)
    return result


def commands():
    listed = re.search(r'Commands:\n(.*?)\n\n', lightcone('--help').stdout, re.DOTALL)[1]
    return re.findall(r'^  (\S+)  +\S', listed, re.MULTILINE)


STATISTICS = ('waiting', 'waiting-history', 'parallelism', 'parallelism-history', 'objects', 'object-uses',
              'operations', 'matrix', 'communication', 'processors', 'phases', 'ratio', 'sites', 'blame')
FORMATS = (('--format', 'text'), ('--format', 'csv'), ('--format', 'json'))
FLAGS = ((), ('--csv',), ('--json',))
ROWS = 'SELECT p.name, o.name, o.class FROM process AS p, object AS o UNION ALL SELECT key, value, 1 FROM meta'
KNOWN = 'known'

# Of these only the errors are looked at.
ALWAYS_FAIL = ('replay', 'open', 'calibrate', 'control', 'cc')

# How each command is used. One that is not here is used as `lightcone COMMAND DIR`.
USES = {
    'record': lambda trace: [('-o', f'{EVIL}.recorded', '--title', f'{WORD}\n{FORGED}', '--no-calibrate', '--',
                              program(KNOWN)),
                             ('-o', trace, '--', program(KNOWN)), ('-o', 'x.trace', '--', f'./{TWO_LINES}'),
                             ('--events', WORD, '--', program(KNOWN))],
    'profile': lambda trace: [(trace,), (trace, '--json'), (f'{EVIL}.profile',), (f'{EVIL}.profile', '--json'),
                              ('--', f'./{TWO_LINES}')],
    'open': lambda trace: [(f'{trace}-not-there',)],
    'info': lambda trace: [(trace,), (trace, '--json'), (trace, '--no-merge')],
    'merge': lambda trace: [(trace,), (trace, '--again'), (trace, '--again', '--json')],
    'check': lambda trace: [(trace,), (trace, '--json'), (trace, '--rules', TWO_LINES), (trace, '--predict'),
                            (trace, '--predict', '--json')],
    'races': lambda trace: [(trace, *form) for form in FORMATS] +
                           [(trace, '--object', WORD), (trace, '--judge', TWO_LINES)],
    'sql': lambda trace: [(trace, *form, query) for form in FLAGS for query in
                          (ROWS, f"SELECT '{WORD}'", f'SELECT "{TWO_LINES}"', 'SELECT * FROM problem', '.tables',
                           '.schema', WORD)],
    'stats': lambda trace: [(trace, what, *form) for what in STATISTICS for form in FORMATS] +
                           [(trace, 'phases', '--phases', f'region:{WORD}'), (trace, 'phases', '--per-process')],
    'critical-path': lambda trace: [(trace, *form, *more) for form in FLAGS
                                    for more in ((), ('--events',), ('--by', 'site'))],
    'compare': lambda trace: [(trace, f'{EVIL}-other.trace'), (trace, f'{EVIL}-other.trace', '--json'),
                              (trace, f'{trace}{FORGED}')],
    'approximate': lambda trace: [(trace,), (trace, '--json'), (trace, '--name', WORD), (trace, '--set', f'{WORD}=1')],
    'explain': lambda trace: [(trace, 'b*:2'), (trace, f'b{EVIL}:2'), (trace, f'b{EVIL}:2', '--json'), (trace, '1:2')],
    'export': lambda trace: [(trace, '-o', f'{EVIL}.svg'), (trace, '-o', '-', '--format', 'svg'),
                             (trace, '-o', '-', '--format', 'folded'),
                             (trace, '-o', '-', '--format', 'speedscope'),
                             (trace, '-o', '-', '--format', 'png'), (trace, '--view', WORD),
                             (trace, '-o', 'x.svg', '--view', 'objects'), (trace, '-o', 'x.svg', '--object', WORD)],
    'what-if': lambda trace: [(trace, '--scale', 'all=0.5'), (trace, '--scale', 'lock=0.5', '--json'),
                              (trace, '--scale', f'{WORD}=0.5')],
    'validate': lambda trace: [('--runs', '1', '--', 'true'), ('--part', WORD, '--', 'true'), ('--', trace)],
    'predict': lambda trace: [(trace,), (trace, '--json'), ('--sizes', '1,2,4', '--for', '8', trace, trace, trace),
                              ('--sizes', '1,2,4', '--for', '8', '--json', trace, trace, trace),
                              ('--sizes', WORD, trace), (trace, TWO_LINES)],
    'replay': lambda trace: [(trace, '--', 'true'), (trace, '--until', f'{WORD}:1', '--', 'true'),
                             (trace, '--', trace)],
    'control': lambda trace: [(trace, action) for action in ('status', 'stop', 'start', WORD)] +
                             [('-o', f'{EVIL}.dump', trace, 'dump')],
    'calibrate': lambda trace: [('-o', f'./{EVIL}-not-there/x', '--quick'), ('--topology', WORD)],
}


def write_all():
    """A hostile trace, of one host and of two, and a hostile profile."""
    names = [f'{EVIL}.trace', f'{TWO_LINES}.trace', f'{EVIL}-other.trace']
    for name in names:
        write_hostile(name, WRONG if name == f'{EVIL}.trace' else '')
    for host in 'ab':
        write_hostile(os.path.join(f'{EVIL}-parts.trace', f'host-{host}{EVIL}'))
    lightcone('profile', names[0], '-o', f'{EVIL}.profile', '-q', text=False)
    return [*names, f'{EVIL}-parts.trace']


@test
def what_is_forbidden_is_found():
    equal([character for character in EVIL if not FORBIDDEN.search(character)], [*'[31m', *'2J', '\udcff'], 'the rest')


@test
def every_command_shows_hostile_names():
    traces = write_all()
    for command in commands():
        succeeded = 0
        for trace in traces:
            for arguments in USES.get(command, lambda trace: [(trace,)])(trace):
                succeeded += try_command(command, *arguments, codes=range(0, 128)).returncode in (0, 1)
        equal(succeeded > 0 or command in ALWAYS_FAIL, True, f'{command} shows something')


@test
def every_command_refuses_hostile_words():
    for command in commands():
        for arguments in ((f'--{WORD}',), (f'--{TWO_LINES}',), (f'{TWO_LINES}-not-there',), ('a', 'b', 'c', TWO_LINES),
                          (f'-{TWO_LINES}', 'a'), ('--limit', TWO_LINES, 'a'), ('--format', TWO_LINES, 'a', 'waiting'),
                          ('--timeline', TWO_LINES, 'a'), ('--rules', TWO_LINES, 'a')):
            try_command(command, *arguments, codes=range(1, 128))
    for arguments in ((TWO_LINES,), ('help', TWO_LINES), ('help', 'info', TWO_LINES)):
        try_command(*arguments, codes=(2,))


@test
def rules_that_cannot_be_read_are_told():
    write('a.trace', {'a': '0 10 tag value=1\n'})
    setting = WORD.replace('\r', '')
    for number, text in enumerate((RULES, RULES.split('\n', 1)[1], '[operation E]\nclass=mutex\nE=E\n',
                                   '[class E]\n[arc E]\nclass=E\n', 'E')):
        name = f'{number}{TWO_LINES}.rules'
        with open(encode(name), 'w', encoding='utf-8') as file:
            file.write(text.replace('E', setting))
        for command in ('check', 'merge', 'stats'):
            more = ('waiting',) if command == 'stats' else ()
            try_command(command, 'a.trace', *more, '--rules', name)
        os.makedirs('a.trace/rules', exist_ok=True)
        os.replace(encode(name), os.path.join(b'a.trace/rules', encode(name)))
        for command in ('check', 'info', 'merge'):
            try_command(command, 'a.trace')
        os.remove(os.path.join(b'a.trace/rules', encode(name)))


@test
def programs_are_named_in_the_last_line():
    os.symlink(program(KNOWN), encode(f'./{TWO_LINES}'))
    result = try_command('record', '--no-calibrate', '-o', f'{TWO_LINES}.out', '--', f'./{TWO_LINES}',
                         codes=range(0, 128))
    contains(result.stderr, b'\\x1b[31m\\x9b2J')
    try_command('info', f'{TWO_LINES}.out')


@test
def json_has_the_names_as_they_are():
    word = WORD.replace('\r', '').replace('\x0b', '')
    write('a.trace', {'a': f'%process {word}\n0 10 lock {word} 1\n20 30 unlock {word} 1\n'})
    for arguments in (('info', '--json', 'a.trace'), ('sql', '--json', 'a.trace', 'SELECT name FROM process')):
        result = try_command(*arguments, codes=(0,))
        found = json.loads(result.stdout)
        names = [process['name'] for process in (found['process'] if isinstance(found, dict) else found)]
        equal(names, [word], arguments[0])


@test
def csv_is_written_as_for_people():
    write('a.trace', {'a': '%process a\x1b\u202eb\n0 10 tag value=1\n'})
    for arguments in (('sql', '--csv', 'a.trace', 'SELECT name FROM process'),
                      ('stats', '--format', 'csv', 'a.trace', 'waiting')):
        contains(try_command(*arguments, codes=(0,)).stdout, b'a\\x1b\\u202eb')


@test
def other_encodings_have_no_second_meaning():
    """In a locale of one byte a character, C1 codes are bytes of their own."""
    locales = subprocess.run(['locale', '-a'], capture_output=True, text=True).stdout.split()
    one = next((name for name in locales if name.lower().endswith(('iso88591', 'iso885915'))), None)
    if one is None:
        raise Skip('no locale of ISO 8859')
    write('a.trace', {'a': '%process é\x9b2J\n0 10 tag value=1\n'})
    result = subprocess.run([LIGHTCONE, 'info', 'a.trace'], capture_output=True, env={**os.environ, 'LC_ALL': one})
    equal(bool(re.search(rb'[\x80-\x9f]', result.stdout)), False, result.stdout)


main()
