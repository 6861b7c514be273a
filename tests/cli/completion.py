#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion knows every command and option that there is, and bash's does what it should."""
import os
import re
import subprocess
import sys

from cli import equal, lightcone, main, test

FOLDER = os.path.abspath(sys.argv.pop(1))
FILES = ('lightcone.bash', '_lightcone', 'lightcone.fish')


def read(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return file.read()


def commands():
    listed = re.search(r'Commands:\n(.*?)\n\n', lightcone('--help').stdout, re.DOTALL)[1]
    return re.findall(r'^  (\S+)  +\S', listed, re.MULTILINE)


def options(command):
    return set(re.findall(r'--([\w-]+)', re.sub(r'Usage:.*\n.*', '', lightcone('help', command).stdout))) - {'help-all'}


def missing(name):
    text = read(name)
    dashes = '-l ' if name.endswith('.fish') else '--'
    for command in commands():
        if not re.search(rf'\b{command}\b', text):
            yield command
        for option in options(command):
            if not re.search(rf'{dashes}{option}\b', text):
                yield f'{command} --{option}'


def complete(*words):
    """What bash proposes for the last of these words."""
    script = f'''
      source "$0/lightcone.bash"
      COMP_WORDS=(lightcone "$@"); COMP_CWORD={len(words)}
      _lightcone
      printf '%s\\n' "${{COMPREPLY[@]}}"
    '''
    result = subprocess.run(['bash', '-c', script, FOLDER, *words], capture_output=True, text=True, check=True)
    equal(result.stderr, '', 'stderr')
    return set(result.stdout.split())


@test
def every_command_and_option_is_known():
    for name in FILES:
        equal(list(missing(name)), [], f'what {name} lacks')


@test
def bash_completes_commands():
    equal(complete('rec'), {'record'})
    equal(complete('help', 'i'), {'info'})
    equal(complete(''), {*commands(), 'help', '--help', '--version'})


@test
def bash_completes_options():
    for command in commands():
        equal(complete(command, '--'), {f'--{option}' for option in options(command)}, command)


@test
def bash_completes_values():
    equal(complete('record', '--clock', 'm'), {'monotonic'})
    equal(complete('record', '--events', 'mut'), {'mutex'})
    equal(complete('record', '--events', 'mutex,-ba'), {'mutex,-barrier'})
    equal(complete('export', '--theme', ''), {'light', 'dark', 'print', 'high-contrast', 'high-contrast-dark'})
    equal(complete('export', '--format', 'p'), {'png', 'pdf'})
    equal(complete('stats', '--format', ''), {'text', 'csv', 'json'})


@test
def bash_completes_folders_and_programs():
    os.mkdir('some.trace')
    equal(complete('info', 'some'), {'some.trace'})
    equal('true' in complete('record', '--', 'tru'), True, 'true')


main()
