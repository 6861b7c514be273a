#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How lightcone explains itself."""
import re

from cli import contains, equal, lightcone, main, test


def commands():
    listed = re.search(r'Commands:\n(.*?)\n\n', lightcone('--help').stdout, re.DOTALL)[1]
    return re.findall(r'^  (\S+)  +\S', listed, re.MULTILINE)


@test
def help_lists_the_commands():
    equal(set(commands()) >= {'record', 'info', 'calibrate'}, True, commands())
    for arguments in (['help'], ['-h']):
        equal(lightcone(*arguments).stdout, lightcone('--help').stdout)


@test
def help_explains_each_command():
    for command in commands():
        explained = lightcone('help', command)
        equal((explained.returncode, explained.stderr), (0, ''))
        contains(explained.stdout, f'lightcone {command} ')
        equal(lightcone(command, '--help').stdout, explained.stdout)


@test
def the_version_is_told():
    result = lightcone('--version')
    equal(bool(re.fullmatch(r'lightcone \d+\.\d+\.\d+\n', result.stdout)), True, result.stdout)


@test
def an_unknown_command_is_refused_with_the_nearest():
    for wrong, right in (('recrod', 'record'), ('inf', 'info'), ('calibration', 'calibrate')):
        for arguments in ([wrong], ['help', wrong]):
            result = lightcone(*arguments)
            equal((result.returncode, result.stdout), (2, ''))
            contains(result.stderr, f'lightcone: {wrong}: no such command; the nearest is {right} ')


@test
def nothing_is_no_command():
    result = lightcone()
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, 'lightcone --help')


@test
def extra_arguments_of_help_are_refused():
    equal(lightcone('help', 'info', 'record').returncode, 2, 'the status')


main()
