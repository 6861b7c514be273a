#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How lightcone explains itself."""
import os
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
            contains(result.stderr, f'lightcone: {wrong}: no such command (did you mean {right}')
    for wrong, right in (('sites', 'stats DIR sites'), ('space-time', 'export DIR --view space-time')):
        contains(lightcone(wrong, 'out.trace').stderr, f'{wrong}: no such command, but a ')
        contains(lightcone(wrong, 'out.trace').stderr, f': lightcone {right}')
    equal(lightcone('xyzzy').stderr, 'lightcone: xyzzy: no such command: lightcone --help lists all\n')


@test
def a_table_that_is_named_before_its_trace_is_told():
    os.mkdir('some.trace')
    result = lightcone('stats', 'waiting', 'some.trace')
    equal((result.returncode, result.stderr),
          (2, 'lightcone: stats: the trace comes first: lightcone stats some.trace waiting\n'))


@test
def nothing_is_no_command():
    result = lightcone()
    equal((result.returncode, result.stdout), (2, ''))
    contains(result.stderr, 'lightcone --help')


@test
def extra_arguments_of_help_are_refused():
    equal(lightcone('help', 'info', 'record').returncode, 2, 'the status')


@test
def numbers_out_of_range_are_refused():
    """Of every option that takes a number, whatever the command does with it."""
    numbers = {
        'check': {'schedule': 0}, 'compare': {'limit': -1}, 'critical-path': {'limit': -1}, 'explain': {'steps': -1},
        'export': {'intervals': 0, 'actual': 0, 'frames': 0, 'rate': 0, 'scale': 0, 'time-limit': -1,
                   'memory-limit': -1},
        'predict': {'limit': -1}, 'profile': {'overhead': -1, 'limit': -1},
        'races': {'limit': -1, 'schedule': 0, 'flip': 0},
        'record': {'depth': -1, 'overhead-test': -1, 'most-dumps': -1, 'search': -1, 'search-seed': -1},
        'replay': {'times': 0}, 'script': {'time-limit': -1, 'memory-limit': -1},
        'stats': {'limit': -1, 'intervals': 0, 'actual': 0}, 'validate': {'runs': 0, 'within': -1, 'limit': -1},
        'what-if': {'limit': -1}}
    for command, options in numbers.items():
        explained = lightcone('help', command).stdout
        for option, least_bad in options.items():
            contains(explained, f'--{option}=')
            for wrong in (str(least_bad), '-3', 'nan', '', '1x', '99999999999999999999999'):
                if (option, wrong) in (('within', '99999999999999999999999'),):
                    continue  # it has no upper limit
                result = lightcone(command, f'--{option}', wrong, 'no.trace', 'true')
                equal((result.returncode, result.stdout), (2, ''), f'{command} --{option} {wrong}')
                contains(result.stderr, f'{command}: --{option} can be ')
                contains(result.stderr, f', not “{wrong}” (see lightcone help {command})\n')


@test
def every_number_is_checked_in_one_place():
    for command in commands():
        for line in lightcone('help', command).stdout.splitlines():
            option = re.match(r'  (?:-., )?--([a-z-]+)=(?:NUMBER|N|NS|SECONDS|MIB|PERCENT)  ', line)
            if option:
                result = lightcone(command, f'--{option[1]}', 'x', 'no.trace', 'true')
                equal(result.returncode, 2, f'{command} --{option[1]}')
                contains(result.stderr, ', not “x”')


main()
