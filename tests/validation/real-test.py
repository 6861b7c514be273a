#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real truth in short: what is approximated is far nearer to the bare time than what was measured. Speaks TAP."""
import os
import shutil
import sys
import tempfile
import traceback
from dataclasses import replace

import real

TRIES = 40  # other programs may be at work; a run is over before the system has given them their turn
ALONE = [
    real.livermore(17, 'short', 1, 5000, 100, 1, 32, 1),
    real.livermore(3, 'short', 1, 10000, 100, 4, 256, 1),
]
TOGETHER = real.livermore(17, 'short', 2, 5000, 200, 1, 64, 2)
ROUNDS = 12


class Skip(Exception):
    """It cannot be found out now."""


def in_short(case):
    """Only the model that is asked for here, and no runs of which nothing is asked."""
    return replace(case, models=('event',), marked=False)


def is_far_nearer(case, ns):
    measured, event = ns['measured'] / ns['bare'], ns['event'] / ns['bare']
    print(f'# {case.name}: measured/actual {measured:.2f}, approximated/actual {event:.3f}', flush=True)
    return measured > 10 and abs(event - 1) < (measured - 1) / 4


def alone(runner, case):
    """Whatever disturbs makes a run of one process longer: the shortest ones are compared."""
    least = {}
    for number in range(TRIES):
        for run in (runner.bare(case), runner.recorded(case)):
            for name, value in run.ns.items():
                least[name] = min(value, least.get(name, value))
        if number >= 4 and is_far_nearer(case, least):
            return
    raise AssertionError('approximated is not far nearer to actual than measured is')


def together(runner, case):
    """Two processes that hand something to each other are slow while one of them has no processor."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skip('there is one processor only')
    undisturbed = 0
    for number in range(ROUNDS):
        result = real.measure(case, os.path.dirname(runner.trace), 3, patience=1, is_first=number == 0)
        if is_far_nearer(case, {'bare': 1, 'measured': result.spread('measured')[0],
                                'event': result.spread('event')[0]}):
            return
        undisturbed += result.undisturbed() == len(result.disturbed)
        assert undisturbed < 3, 'approximated is not far nearer to actual than measured is, with nothing else going on'
    raise Skip('other programs are at work')


def ranks(runner, mpi):
    """The same of two ranks: the middle one of some runs, by turns, for one that had to make room says nothing."""
    if len(os.sched_getaffinity(0)) < 2:
        raise Skip('there is one processor only')
    if mpi not in real.implementations():
        raise Skip('this MPI is not here')
    if not real.alone():
        raise Skip('ranks may not have their processors to themselves')
    real.calibrate(mpi)
    touched = set()
    for case in map(in_short, real.jobs(mpi, 20000)):
        disturbed = False
        for _ in range(4):
            result = real.measure(case, os.path.dirname(runner.trace), 3, patience=1,
                                  is_first=case.command[0] not in touched)
            touched.add(case.command[0])
            measured, event = result.spread('measured')[0], result.spread('event')[0]
            print(f'# {case.name}: measured/actual {measured:.2f}, approximated/actual {event:.3f}', flush=True)
            if measured > 1.2 and abs(event - 1) < (measured - 1) / 2:
                break
            disturbed = disturbed or result.undisturbed() == 0
        else:
            if disturbed:
                raise Skip('other programs are at work')
            raise AssertionError(f'{case.name}: approximated is not far nearer to actual than measured is')


def check(function, *arguments):
    try:
        function(*arguments)
        return '', ''
    except Skip as reason:
        return '', f' # SKIP {reason}'
    except Exception:
        print('\n'.join('# ' + text for text in traceback.format_exc().splitlines()), flush=True)
        return 'not ', ''


def main():
    top = tempfile.mkdtemp(prefix='lightcone-validation-')
    os.environ.update(LC_ALL='C.UTF-8', XDG_CACHE_HOME=os.path.join(top, 'cache'))
    runner = real.Runner(top)
    tests = [(case.name, alone, runner, in_short(case)) for case in ALONE]
    tests += [(TOGETHER.name, together, runner, in_short(TOGETHER))]
    tests += [(f'two ranks with {name}', ranks, runner, mpi) for mpi, name in real.MPIS.items()]
    failed = False
    print(f'1..{len(tests)}', flush=True)
    for number, (name, *test) in enumerate(tests, 1):
        begin, end = check(*test)
        print(f'{begin}ok {number} - {name}{end}', flush=True)
        failed = failed or begin != ''
    shutil.rmtree(top, ignore_errors=True)
    return failed


if __name__ == '__main__':
    sys.exit(main())
