#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates approximations, simulated and real, and writes what came out: validate.py [--quick] PAGE.

With --openmp instead of a page, only loops of OpenMP are measured, and their table is printed.

LIGHTCONE is the program, LIGHTCONE_EXAMPLES the folder of the example programs. Figures go beside the page.
"""
import datetime
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import packages
import real
import simulations
from report import Figure, number, ratio, table, with_quartiles

PAIRS, QUICK_PAIRS = 11, 3
ROUNDS, QUICK_ROUNDS = 9, 3
GOAL = 0.03

WORDS = Path(__file__).with_name('words.md').read_text(encoding='utf-8')


def words(name):
    """A section of words.md."""
    found = re.search(rf'^<!-- {name} -->\n(.*?)(?=^<!-- |\Z)', WORDS, re.MULTILINE | re.DOTALL)
    return found[1].strip()


# --- The machine

def machine():
    model = re.search(r'^model name\s*:\s*(.*)$', Path('/proc/cpuinfo').read_text(encoding='utf-8'), re.MULTILINE)
    name = model[1] if model else platform.machine()
    load = os.getloadavg()[0]
    release = platform.release().split('-')[0]
    return (f'{len(os.sched_getaffinity(0))} processors ({name}), {platform.system()} {release}, '
            f'{datetime.date.today().isoformat()}, load {load:.1f} at the start')


def calibrate():
    """Now, and not when the first program is recorded: the page shows what was found."""
    text = subprocess.run([os.environ['LIGHTCONE'], 'calibrate'], check=True, capture_output=True, text=True).stdout
    rows = [line for line in text.splitlines() if re.match(r'Operation|(await|advance|barrier|tag) +', line)]
    return '```\n' + '\n'.join(rows) + '\n```'


# --- Real truth: tables

def of_others(result):
    """How many pairs count, of how many."""
    return f'{sum(result.counts())} of {len(result.disturbed)}'


def loops_table(results):
    head = ['', 'bare, ms', 'events', 'measured/actual', 'approximated/actual', 'all pairs', 'time model',
            'marks/actual', 'pairs']
    return table(head, [[
        result.case.name, number(result.actual / 1e6), f'{result.events:,}', number(result.spread('measured')[0]),
        with_quartiles(result.spread('event')), ratio(result.spread('event', all_pairs=True)[0]),
        ratio(result.spread('time')[0]), ratio(result.spread('marked')[0]) if result.ratios['marked'] else '',
        of_others(result)] for result in results])


def others_table(results):
    head = ['', '--overhead-test', 'bare, ms', 'measured/actual', 'approximated/actual', 'all pairs', 'time model',
            'pairs']
    return table(head, [[
        result.case.name, result.case.lose, number(result.actual / 1e6), ratio(result.spread('measured')[0]),
        with_quartiles(result.spread('event')), ratio(result.spread('event', all_pairs=True)[0]),
        ratio(result.spread('time')[0]), of_others(result)] for result in results])


def openmp_table(results):
    head = ['', '--overhead-test', 'bare, ms', 'events', 'measured/actual', 'event', 'liberal', 'time model', 'pairs']
    return table(head, [[
        result.case.name, result.case.lose, number(result.actual / 1e6), f'{result.events:,}',
        ratio(result.spread('measured')[0]), with_quartiles(result.spread('event')),
        with_quartiles(result.spread('liberal')), ratio(result.spread('time')[0]), of_others(result)]
        for result in results])


def missed(results):
    """What is further off than the goal, said in words."""
    lines = []
    for result in results:
        median = result.spread('event')[0]
        if abs(median - 1) > GOAL:
            lines.append(f'- {result.case.name} ({result.case.group}): {100 * (median - 1):+.1f} %, '
                         f'measured/actual {number(result.spread("measured")[0])}.')
        elif sum(result.counts()) == len(result.disturbed) and any(result.disturbed):
            lines.append(f'- {result.case.name} ({result.case.group}): within the goal, but hardly any of its pairs '
                         'was undisturbed.')
    return '\n'.join(lines) or 'In this run nothing was further off than 3 % at the median.'


def real_figure(results, path):
    """Every case: how much slower it was, and how near its approximation is."""
    most = 2 * max(result.spread('measured')[0] for result in results)
    ratios = [result.spread(name)[0] for result in results for name in ('event', 'time')]
    low, high = min(0.5, *ratios) / 1.2, max(2, *ratios) * 1.2
    figure = Figure('Approximated and actual', (0.8, most, True), (low, high, True), 'measured/actual',
                    'approximated/actual')
    figure.ticks([(x, str(x)) for x in (1, 2, 5, 10, 20, 50, 100, 200) if x <= most],
                 [(y, str(y)) for y in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if low <= y <= high])
    for colour, (name, model) in enumerate((('event model', 'event'), ('time model', 'time'))):
        points = [(result.spread('measured')[0], result.spread(model)) for result in results]
        figure.series(name, [(x, spread[0]) for x, spread in points], colour, joined=False,
                      hollow=model == 'time')
        for x, (_, quartile, other) in points:
            figure.bar(x, quartile, other, colour)
    figure.write(path)


def real_section(results, folder):
    groups = {group: [result for result in results if result.case.group == group]
              for group in (real.COARSE, real.FINE, real.BARRIERS, real.OTHERS, real.OPENMP, real.RANKS)}
    real_figure(results, folder / 'validation-real.svg')
    return '\n\n'.join([
        '## Real truth', words('real'), '![Approximated/actual over measured/actual](validation-real.svg)',
        '### Loops, statements of a microsecond', words('coarse'), loops_table(groups[real.COARSE]),
        '### The same loops, statements of some nanoseconds', words('fine'), loops_table(groups[real.FINE]),
        '### Barriers', words('barriers'), others_table(groups[real.BARRIERS]),
        '### Others', words('others'), others_table(groups[real.OTHERS]),
        '### Loops of OpenMP', words('openmp'),
        openmp_table(groups[real.OPENMP]) if groups[real.OPENMP] else 'The compiler has no OpenMP.',
        '### MPI', words('ranks'), others_table(groups[real.RANKS]) if groups[real.RANKS] else 'No MPI was here.'])


# --- The page

def only_openmp(quick):
    """Prints the section on OpenMP."""
    about = machine()
    with tempfile.TemporaryDirectory(prefix='lightcone-validation-') as folder:
        calibrate()
        results = list(real.measure_all(folder, QUICK_PAIRS if quick else PAIRS, quick, groups=[real.OPENMP]))
    print(f'{about}\n\n{openmp_table(results)}')
    return 0


def main(arguments):
    quick = '--quick' in arguments
    os.environ['LC_ALL'] = 'C.UTF-8'
    if '--openmp' in arguments:
        return only_openmp(quick)
    page = Path([argument for argument in arguments if argument != '--quick'][0])
    begin, about = time.monotonic(), machine()
    with tempfile.TemporaryDirectory(prefix='lightcone-validation-') as folder:
        costs = calibrate()
        results = list(real.measure_all(folder, QUICK_PAIRS if quick else PAIRS, quick))
        others = packages.section(folder, QUICK_ROUNDS if quick else ROUNDS)
        sections = ['\n\n'.join(['## Programs that nobody here wrote', words('packages'), others]),
                    real_section(results, page.parent), simulations.section(folder, page.parent, quick)]
    minutes = (time.monotonic() - begin) / 60
    page.write_text('\n\n'.join([
        words('head'), f'This page: {about}. It took {minutes:.1f} minutes'
        f'{", in the short form" if quick else ""}.', *reversed(sections),
        '### What recording cost', words('costs'), costs,
        '## What does not work', '### In this run', words('missed'), missed(results), words('limits')]) + '\n',
        encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
