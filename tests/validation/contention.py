# SPDX-License-Identifier: Apache-2.0
"""Programs whose order only time decides, bare and recorded by turns: what is measured and approximated over bare.

Usage: contention.py [TURNS] [SHAPE...], with LIGHTCONE and LIGHTCONE_EXAMPLES as for validate.py. Each number is the
least of all turns over the least of the bare ones, which busy machines disturb less than a median.
"""
import os
import shutil
import sys
import tempfile

import real
from real import FROM_CREATE_TO_JOIN, Case, Runner
from truth import lightcone

MODELS = ('event', 'liberal')


def contention(shape, *options):
    return Case(' '.join(map(str, (shape, *options))), shape, ['contention', '--shape', shape, *options],
                FROM_CREATE_TO_JOIN, [], [])


CASES = [
    contention('random'),
    contention('random', '--locks', 2000),
    contention('queue'),
    contention('queue', '--work', 200),
    contention('tree'),
    contention('tree', '--work', 100),
    contention('pool', '--rounds', 20000, '--threads', 3),
    contention('crew'),
]


def take_turn(case, runner, least):
    """One bare run, one recorded one, and what the models make of it."""
    def add(name, ns):
        least[name] = min(least.get(name, ns), ns)

    add('bare', runner.bare(case).ns['bare'])
    shutil.rmtree(runner.trace, ignore_errors=True)
    real.run(os.environ['LIGHTCONE'], 'record', '--quiet', '-o', runner.trace, '--', *runner.program(case))
    for model in MODELS:
        lightcone('approximate', runner.trace, '--model', model)
        add(model, runner.span(case, model))
    add('measured', runner.span(case, 'measured'))


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    shapes = sys.argv[2:] or [case.group for case in CASES]
    print(f'{"":34} {"bare, ms":>9} {"measured":>9} {"event":>9} {"liberal":>9}')
    with tempfile.TemporaryDirectory(prefix='contention-') as folder:
        for case in CASES:
            if case.group not in shapes:
                continue
            runner, least = Runner(folder), {}
            for _ in range(turns):
                take_turn(case, runner, least)
            ratios = [least[name] / least['bare'] for name in ('measured', *MODELS)]
            print(f'{case.name:34} {least["bare"] / 1e6:9.2f} ' + ' '.join(f'{ratio:9.2f}' for ratio in ratios),
                  flush=True)


if __name__ == '__main__':
    main()
