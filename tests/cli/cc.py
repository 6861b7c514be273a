#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that lightcone cc has compiled: they do the same, and each block is recorded where it is."""
import json
import os
import shutil
import subprocess
import sys

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, test

SOURCES = os.path.abspath(sys.argv.pop(1))
SOURCE = os.path.join(SOURCES, 'blocks.c')
PRINTED = '150 150\n'  # 100 and 200 calls, half of them odd


def find(compiler):
    if shutil.which(compiler) is None:
        raise Skip(f'there is no {compiler}')
    return compiler


def cc(*words, status=0):
    result = lightcone('cc', *words)
    equal((result.returncode, result.stderr if status == 0 else ''), (status, ''), f'what cc {words} says')
    return result


def record(name):
    """Its tags: how often each line of its source is in the trace."""
    result = lightcone('record', '-q', '--no-calibrate', '--replace', '-o', 'out.trace', '--', f'./{name}')
    equal((result.returncode, result.stdout), (0, PRINTED), 'the recorded run')
    query = '''SELECT file, line, count(*) AS n FROM event JOIN site ON site.id = event.site WHERE operation = 'tag'
               AND value = 0 GROUP BY 1, 2'''
    rows = json.loads(lightcone('sql', '--json', 'out.trace', query).stdout)
    return {row['line']: row['n'] for row in rows if row['file'] and row['file'].endswith('blocks.c')}


def line_of(text):
    with open(SOURCE, encoding='utf-8') as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def run_bare(name):
    return subprocess.run([f'./{name}'], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


def blocks_of(compiler, *options):
    cc(find(compiler), '-O0', *options, '-pthread', '-o', 'blocks', SOURCE)
    equal(run_bare('blocks'), PRINTED, 'the bare run')
    tags = record('blocks')
    equal((tags.get(line_of('/* odd */')), tags.get(line_of('/* even */'))), (150, 150), f'tags of {tags}')


@test
def each_block_is_recorded_by_gcc():
    blocks_of('gcc')


@test
def each_block_is_recorded_by_clang():
    blocks_of('clang')


@test
def each_block_is_recorded_in_cplusplus():
    blocks_of('g++', '-x', 'c++')


@test
def functions_are_recorded():
    for compiler in ('gcc', 'clang'):
        cc('--functions', find(compiler), '-O0', '-pthread', '-o', 'functions', SOURCE)
        equal(record('functions'), {}, 'tags')
        query = "SELECT o.name, e.operation, count(*) AS n FROM event e JOIN object o ON o.id = e.object GROUP BY 1, 2"
        rows = json.loads(lightcone('sql', '--json', 'out.trace', query).stdout)
        equal({row['operation']: row['n'] for row in rows if row['name'] == 'count'}, {'enter': 300, 'leave': 300},
              f'calls of {compiler}')


@test
def parts_are_compiled_and_linked():
    cc(find('gcc'), '-O2', '-c', '-o', 'blocks.o', SOURCE)
    cc('gcc', '-pthread', 'blocks.o', '-o', 'linked')
    assert sum(record('linked').values()) >= 300
    subprocess.run(['gcc', '-O2', '-pthread', '-o', 'plain', SOURCE], check=True)
    equal(record('plain'), {}, 'tags of a program that is compiled without')


@test
def fortran_is_compiled():
    with open('loop.f90', 'w', encoding='utf-8') as file:
        file.write('program loop\n  integer :: i, n\n  n = 0\n  do i = 1, 50\n    n = n + i\n  end do\n  print *, n\n'
                   'end program\n')
    cc(find('gfortran'), '-O0', '-o', 'loop', 'loop.f90')
    lightcone('record', '-q', '--no-calibrate', '-o', 'loop.trace', '--', './loop')
    query = '''SELECT count(*) FROM event JOIN site ON site.id = event.site WHERE line = 5 AND operation = 'tag' '''
    equal(lightcone('sql', '--csv', 'loop.trace', query).stdout.split()[-1], '50', 'tags of the loop')


@test
def a_compiler_that_is_asked_about_itself_answers():
    for question in ('--version', '-v', '-dumpmachine', '-print-search-dirs'):
        own = subprocess.run([find('gcc'), question], capture_output=True, text=True, check=True)
        result = lightcone('cc', 'gcc', question)
        equal((result.returncode, result.stdout), (0, own.stdout), question)
    contains(cc('gcc', '-E', SOURCE).stdout, 'pthread_create')


@test
def what_goes_wrong_is_told():
    equal(cc('gcc', 'nothing.c', status=1).returncode, 1, 'the status of a compiler that fails')
    result = cc('no-such-compiler', 'nothing.c', status=127)
    contains(result.stderr, 'no-such-compiler: there is no such program')
    equal(cc(status=2).returncode, 2, 'without a compiler')
    shutil.copy(LIGHTCONE, 'elsewhere')
    result = subprocess.run(['./elsewhere', 'cc', 'gcc', SOURCE], capture_output=True, text=True, check=False)
    contains(result.stderr, 'liblightcone-blocks.a: this library of Lightcone is not there')
    equal(result.returncode, 2, 'the status without its library')


@test
def marks_are_compared_with_a_program_without():
    cc('gcc', '-O1', '-pthread', '-o', 'blocks', SOURCE)
    subprocess.run(['gcc', '-O1', '-pthread', '-o', 'plain', SOURCE], check=True)
    result = lightcone('validate', '--runs', '1', '--json', '--bare', './plain', '--', './blocks',
                       timeout=3 * PATIENCE)
    equal((result.returncode, result.stderr), (0, ''), 'status and errors')
    found = json.loads(result.stdout)
    assert found['events'] > 300, found['events']  # of the recorded run, which is of the other program
    result = lightcone('validate', '--bare', './nothing', '--', './blocks')
    equal(result.returncode, 127, 'without that program')


if __name__ == '__main__':
    main()
