#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone calibrate --mpi measures, and what becomes of it."""
import configparser
import functools
import json
import os
import shutil

from cli import Skip, contains, equal, lightcone, main, test

MPIS = os.environ['LIGHTCONE_TEST_MPI'].split()
EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
GROUPS = {'barrier', 'all-reduce', 'broadcast-root', 'reduce-root', 'scatter-root', 'gather-root', 'all-gather',
          'all-to-all', 'reduce-scatter', 'scan'}
MESSAGES = {'send', 'ssend', 'isend', 'recv', 'irecv', 'complete', 'test-failed', 'probe', 'probe-failed'}
OTHERS = {'ibarrier', 'finish-all'}
MUCH = 5000  # ns, for what takes some tens
TRIES = 4

# A launcher that may be root's, and asks no display for its graphics cards.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', HWLOC_COMPONENTS='-gl',
                  OMPI_MCA_mpi_yield_when_idle='1')


def launcher(mpi):
    path = shutil.which(f'mpirun.{mpi}')
    if not path:
        raise Skip(f'mpirun.{mpi} is not here')
    return path


def first():
    if not MPIS:
        raise Skip('there is no MPI here')
    launcher(MPIS[0])
    return MPIS[0]


@functools.lru_cache(maxsize=None)
def measured(mpi, *arguments):
    launcher(mpi)
    result = lightcone('calibrate', '--mpi', mpi, '--quick', '--json', '-o', os.path.abspath('kept.ini'), *arguments)
    equal((result.returncode, result.stderr), (0, ''), 'calibrate')
    found = json.loads(result.stdout)
    found['ini'] = read_ini('kept.ini')
    return found


def read_ini(path):
    ini = configparser.ConfigParser(delimiters=('=',), comment_prefixes=('#',), interpolation=None)
    ini.optionxform = str
    with open(path, encoding='utf-8') as file:
        ini.read_file(file)
    return {group: dict(ini[group]) for group in ini.sections()}


def numbers(text):
    return [float(number) for number in text.split(';')]


def each(check):
    """With each MPI that is here."""
    first()
    for mpi in MPIS:
        check(mpi)


def keep(mpi):
    """Measures again, for the user's cache; what was kept there before is gone."""
    path = os.path.join(os.environ['XDG_CACHE_HOME'], 'lightcone', f'calibration-{mpi}.ini')
    result = lightcone('calibrate', '--mpi', mpi, '--quick')
    equal((result.returncode, result.stderr), (0, ''), 'calibrate')
    contains(result.stdout, path)
    return path


def record(mpi):
    """What trace.ini says of a program of two ranks."""
    program = os.path.join(EXAMPLES, 'mpi', f'patterns-{mpi}')
    result = lightcone('record', '--replace', '--quiet', '-o', 'out.trace', '--', launcher(mpi), '-n', '2', program,
                       '--shape', 'ring', '--rounds', '10')
    equal(result.returncode, 0, f'the status of record ({result.stderr})')
    return read_ini('out.trace/trace.ini')


@test
def every_operation_has_plausible_numbers():
    def check(mpi):
        rows = {row['operation']: row for row in measured(mpi)['operations']}
        equal(set(rows), GROUPS | MESSAGES | OTHERS, f'the operations of {mpi}')
        for name, row in rows.items():
            equal(row['interface'], 'mpi', f'the interface of {name}')
            cost = sum(row[part]['median'] for part in ('before', 'inside', 'after'))
            assert 1 < cost < MUCH, f'{mpi}: recording {name} costs {cost} ns'
            assert 0 < row['nowait']['median'] < MUCH, f'{mpi}: {name} takes {row["nowait"]["median"]} ns'
    each(check)


@test
def the_model_says_what_messages_take():
    def count_near(found):
        model, near = found['communication'], []
        for messages in found['messages']:
            line = model['short' if messages['bytes'] < model['short_below'] else 'long']
            said = line['startup'] + messages['bytes'] * line['per_byte'] + 2 * found['copy']
            near.append(abs(said / messages['ns']['median'] - 1) < 0.3)
        return sum(near), len(near)

    def check(mpi):
        tried = []
        # On a busy machine a message may take long once or twice.
        for _ in range(TRIES):
            found = measured(mpi)
            near, n = count_near(found)
            tried.append(f'{near} of {n}')
            if near > 0.75 * n and found['communication']['error'] < 0.3:
                break
        assert n > 30 and near > 0.75 * n and found['communication']['error'] < 0.3, \
            f'{mpi}: {tried} are near, {found["communication"]}'
        large = [messages['ns']['median'] for messages in found['messages'] if messages['bytes'] >= 1 << 20]
        assert min(large) > found['messages'][0]['ns']['median'], 'long messages take no longer than empty ones'
    each(check)


@test
def what_is_kept_is_what_is_told():
    def check(mpi):
        found = measured(mpi)
        ini = found['ini']
        for row in found['operations']:
            for said, part in zip(numbers(ini['overhead'][row['operation']]), ('before', 'inside', 'after')):
                assert abs(said - row[part]['median']) < 0.2, f'{mpi}: {row["operation"]} {part}: {said}'
        equal(ini['overhead']['broadcast-recv'], ini['overhead']['broadcast-root'], 'those who are alike')
        assert not GROUPS & set(ini['cost']), 'what a group of one takes is nothing to others'
        assert MESSAGES <= set(ini['cost']), ini['cost']
        equal(ini['communication']['topology'], 'none', 'the topology')
        equal(numbers(ini['communication']['short'])[0], found['communication']['short_below'], 'the break')
        for said, key in zip(numbers(ini['communication']['long']), ('startup', 'per_byte', 'per_hop')):
            expected = found['communication']['long'][key]
            assert abs(said - expected) <= 0.001 * expected + 0.05, f'{mpi}: {key}: {said}, not {expected}'
    each(check)


@test
def a_recording_has_the_numbers_of_its_mpi():
    def check(mpi):
        kept, found = read_ini(keep(mpi)), record(mpi)
        equal(found['trace']['mpi'], mpi, 'whose calls were recorded')
        for group in ('overhead', 'cost', 'communication'):
            for key, value in kept[group].items():
                equal(found[group][key], value, f'[{group}] {key} with {mpi}')
        assert 'lock' in found['overhead'], 'what is known of other operations is gone'
    each(check)


@test
def numbers_of_another_machine_are_not_taken():
    mpi = first()
    path = keep(mpi)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace('kernel=', 'kernel=another than '))
    found = record(mpi)
    equal((found['trace']['mpi'], 'communication' in found), (mpi, False), 'what is known')
    contains(lightcone('approximate', 'out.trace').stdout, f'lightcone calibrate --mpi {mpi}')


@test
def hops_are_of_ranks():
    mpi = first()
    found = measured(mpi, '--topology', 'ring', '--', launcher(mpi),
                     *(['--oversubscribe'] if mpi == 'openmpi' else []), '-n', '3')
    equal(found['ini']['communication']['topology'], 'ring', 'the topology')
    equal({messages['hops'] for messages in found['messages']}, {1}, 'how far two others of a ring of three are')


@test
def what_cannot_be_done_is_said():
    mpi = first()
    other = lightcone('calibrate', '--mpi', 'lam')
    equal(other.returncode, 2, 'of an MPI that nobody knows')
    contains(other.stderr, 'there is no “lam”: openmpi or mpich')
    alone = lightcone('calibrate', '--mpi', mpi, '--', launcher(mpi), '-n', '1')
    equal(alone.returncode, 2, 'with one rank')
    contains(alone.stderr, 'it takes two ranks')
    contains(alone.stderr, 'lightcone: calibration: ')
    shape = lightcone('calibrate', '--mpi', mpi, '--quick', '--topology', 'star', '-o', 'star.ini')
    equal(shape.returncode, 2, 'with a topology that nobody knows')
    contains(shape.stderr, 'mesh:WxH')
    for arguments in (['--topology', 'ring'], ['--', 'mpirun', '-n', '2']):
        useless = lightcone('calibrate', *arguments)
        equal(useless.returncode, 2, f'of {arguments}')
        contains(useless.stderr, '--mpi')


main()
