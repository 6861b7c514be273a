#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures as they were when somebody looked at them, and as SVG. Speaks TAP.

LIGHTCONE_COMPARE_PICTURES is the program that compares two; LIGHTCONE_REFERENCES the folder of the pictures. What is
not as it was is kept with the difference in LIGHTCONE_KEEP. With LIGHTCONE_REFERENCES_RENEW=1 it becomes the reference.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'validation'), str(HERE.parent / 'cli')]

import papers  # noqa: E402
import programs  # noqa: E402
from cli import LIGHTCONE, Skip, main, test  # noqa: E402
from tables import write  # noqa: E402
from truth import place, run_both  # noqa: E402

COMPARE = os.environ['LIGHTCONE_COMPARE_PICTURES']
REFERENCES = Path(os.environ['LIGHTCONE_REFERENCES'])
KEEP = Path(os.environ.get('LIGHTCONE_KEEP', 'pictures')).resolve()
RENEW = os.environ.get('LIGHTCONE_REFERENCES_RENEW') == '1'
TOLERANCE = 0.004      # of all pixels: another version of Cairo or FreeType draws edges otherwise, nothing more
SVG_TOLERANCE = 0.01   # another program paints it, and moves letters and edges by parts of a pixel
SIZE = '720x480'

TRACES = {
    'locks': lambda: programs.locks_by_chance(4, 1),
    'crew': lambda: programs.crew(4, 1),
    'barriers': lambda: programs.barriers(8, 1),
    'messages': lambda: programs.messages(8, 1, topology='hypercube'),
    'threads': lambda: programs.threads(5, 1),
    'many': lambda: programs.barriers(400, 1, rounds=6),
    'long': lambda: papers.barrier_loop(16, 20, iterations=2500),
}

PLACES = ('feed@q.c:20;main@main.c:4', 'drain@q.c:40;work@q.c:60', 'drop@q.c:44;work@q.c:62')


def waits_at_places():
    """Three processes that hand a lock round, each from a place of its own; the fourth does not say where it is."""
    events = {str(process): '' for process in range(4)}
    for turn in range(40):
        process = turn % 4
        at = '' if process == 3 else f' at=take@q.c:{process + 1};{PLACES[process]}'
        take, give = at, at.replace('take', 'give')
        events[str(process)] += (f'{100 * max(0, turn - process)} {100 * turn + 10} lock m {turn + 1}{take}\n'
                                 f'{100 * turn + 90} {100 * turn + 90} unlock m {turn + 1}{give}\n')
    return events


WRITTEN = {'places': waits_at_places}

# name: (trace, models, options)
PICTURES = {
    'locks': ('locks', (), []),
    'locks-dark-right': ('locks', (), ['--theme', 'dark', '--orientation', 'right']),
    'locks-print-critical': ('locks', (), ['--theme', 'print', '--highlight', 'critical-path']),
    'locks-overlay': ('locks', ('event',), ['--timeline', 'measured,event']),
    'crew-part': ('crew', (), ['--from', '20%', '--to', '45%']),
    'crew-logical': ('crew', (), ['--time', 'logical']),
    'messages': ('messages', (), []),
    'messages-past-right': ('messages', (), ['--highlight', 'past:3:9', '--orientation', 'right']),
    'messages-future-dark': ('messages', (), ['--highlight', 'future:2:4', '--theme', 'dark']),
    'messages-filtered': ('messages', (), ['--processes', '0-3', '--operations', 'send,recv', '--time', 'logical',
                                           '--to', '23']),
    'barriers-phases': ('barriers', (), ['--time', 'phase', '--phases', 'barrier']),
    'barriers-approximated': ('barriers', ('event',), ['--timeline', 'event']),
    'threads': ('threads', (), []),
    'threads-collapsed': ('threads', (), ['--collapse', 'prefix', '--orientation', 'right']),
    'crew-waits': ('crew', (), ['--longer-than', '1us', '--no-arcs']),
    'many': ('many', (), []),
    'many-right-dark': ('many', (), ['--orientation', 'right', '--theme', 'dark']),
    'long': ('long', (), []),
    'long-print': ('long', (), ['--theme', 'print', '--orientation', 'right']),
}
VIEWS_OF = {'waiting': 'crew', 'communication': 'crew', 'matrix': 'messages', 'objects': 'locks', 'ratio': 'locks',
            'waiting-history': 'locks', 'parallelism': 'barriers', 'parallelism-histogram': 'barriers',
            'parallelism-average': 'long', 'slack': 'crew', 'states': 'crew', 'graph': 'messages'}
PICTURES |= {'view-flame': ('places', (), ['--view', 'flame']),
             'view-flame-blamed-dark': ('places', (), ['--view', 'flame', '--by', 'blamed', '--theme', 'dark']),
             'view-flame-waiter-print': ('places', (), ['--view', 'flame', '--by', 'waiter', '--theme', 'print'])}
PICTURES |= {f'view-{view}': (trace, ('event',), ['--view', view]) for view, trace in VIEWS_OF.items()}
PICTURES |= {f'view-{view}': ('barriers', (), ['--view', view, '--phases', 'barrier'])
             for view in ('phases', 'phase-map', 'phase-surface')}


def lightcone(*words):
    result = subprocess.run([LIGHTCONE, *words], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, f'lightcone {" ".join(words)}: {result.returncode}: {result.stderr}'


def trace_of(name, models):
    """Each test has a folder of its own; so each makes the trace that it needs."""
    if name in WRITTEN:
        write(name, WRITTEN[name]())
    else:
        place(run_both(TRACES[name]()), name)
    for model in models:
        lightcone('approximate', name, '--model', model)
    return name


def differ(actual, reference, difference, *blur):
    result = subprocess.run([COMPARE, actual, reference, difference, *blur], capture_output=True, text=True, check=True)
    return float(result.stdout)


def keep(name, *files):
    KEEP.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, KEEP / f'{name}-{Path(file).name}')
    return KEEP


def check_reference(name):
    trace, models, options = PICTURES[name]
    trace_of(trace, models)
    lightcone('export', trace, '-o', 'actual.png', '--size', SIZE, *options)
    reference = REFERENCES / f'{name}.png'
    if RENEW:
        REFERENCES.mkdir(parents=True, exist_ok=True)
        shutil.copy('actual.png', reference)
    shutil.copy(reference, 'reference.png')
    share = differ('actual.png', 'reference.png', 'difference.png')
    if share > TOLERANCE:
        folder = keep(name, 'actual.png', 'reference.png', 'difference.png')
        raise AssertionError(f'{share:.2%} of its pixels are not as they were: see {folder}')


def check_svg(name):
    """What others see in the SVG is what is in the PNG."""
    if not shutil.which('rsvg-convert'):
        raise Skip('no rsvg-convert')
    trace, models, options = PICTURES[name]
    trace_of(trace, models)
    for kind in ('png', 'svg'):
        lightcone('export', trace, '-o', f'actual.{kind}', '--size', SIZE, *options)
    subprocess.run(['rsvg-convert', 'actual.svg', '-o', 'rasterised.png'], check=True)
    share = differ('rasterised.png', 'actual.png', 'difference.png', '2')
    if share > SVG_TOLERANCE:
        folder = keep(name, 'actual.png', 'actual.svg', 'rasterised.png', 'difference.png')
        raise AssertionError(f'{share:.2%} of the pixels of the SVG are not those of the PNG: see {folder}')
    print(f'# {share:.3%} differ')


def register(check, what, name):
    def function():
        check(name)
    function.__name__ = f'{name}_{what}'
    test(function)


for picture in PICTURES:
    register(check_reference, 'is_as_it_was', picture)
    register(check_svg, 'is_the_same_as_SVG', picture)


if __name__ == '__main__':
    main()
