#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Twelve scenes as they were when somebody looked at them, in three themes, both orientations and three zooms; and the
diagram agrees with the tables on how long processes ran and waited. Speaks TAP.

LIGHTCONE_DRAW_SCENE is the program that paints; LIGHTCONE_SCENES the folder with what it painted, as grids of mean
colours. With LIGHTCONE_SCENES_RENEW=1 they are written anew. Six of the traces are recordings of real programs, in
`recorded` beside this file: pigz and pbzip2 of Debian with four threads and 3 MB, memcached with four threads and
four clients that set and get twelve times, hpcc on four ranks for 0.12 s somewhere in its middle, gauss of the examples
with 40 rows, and four threads that take one mutex 1,500 times each. The others are made here.
"""
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'validation'), str(HERE.parent / 'cli')]

import programs  # noqa: E402
from cli import LIGHTCONE, Skip, equal, main, test  # noqa: E402
from tables import write  # noqa: E402
from truth import place, run_both  # noqa: E402

DRAW = os.environ['LIGHTCONE_DRAW_SCENE']
SCENES = Path(os.environ['LIGHTCONE_SCENES'])
MAKE_TRACE = os.environ.get('LIGHTCONE_MAKE_TRACE')
RENEW = os.environ.get('LIGHTCONE_SCENES_RENEW') == '1'
LEAST = 20     # of 255: a part whose mean colour differs by more is another one
MOST_OTHER = 0.02  # of all parts: another version of FreeType or Cairo moves letters and edges, nothing more
DIGITS = 6     # of a part: two for each of red, green and blue
PICTURES = 18  # three themes, two orientations, three zooms
AGREE = 0.001
SUMMED = ('gauss', 'hot-mutex', 'memcached', 'thousand', 'ten-million')  # with too many events for a small scene

DEADLOCK = {
    'main': '%process main\n0 100 create w1 1\n100 200 create w2 1\n%pending 300 9000 join w1 1\n',
    'one': '%process worker 1\n400 500 lock left 1\n1500 1600 unlock left 1\n2000 2100 lock left 3\n'
           '%pending 3000 9000 lock right 3\n',
    'two': '%process worker 2\n450 550 lock right 1\n900 1000 unlock right 1\n1000 1700 lock left 2\n'
           '1800 1850 unlock left 2\n2200 2300 lock right 2\n%pending 3300 9000 lock left 4\n',
}
HUNG = {
    'server': '%process server\n0 100 tag value=1\n200 1500 wait jobs 1\n1500 1600 lock table 1\n'
              '1900 2000 unlock table 1\n%pending 2500 12000 wait jobs 2\n',
    'client': '%process client\n1000 1100 post jobs 1\n1200 2100 lock table 2\n2600 2700 unlock table 2\n'
              '4000 4100 tag value=2\n%pending 5000 12000 wait answers 1\n',
}



def recorded(name):
    with tarfile.open(HERE / 'recorded' / f'{name}.tar.xz') as archive:
        archive.extractall()


def simulated(make):
    return lambda name: place(run_both(make()), name)


def made(files):
    return lambda name: write(name, files)


def ten_million(name):
    if not MAKE_TRACE:
        raise Skip('it takes too long with a sanitizer')
    subprocess.run([MAKE_TRACE, '--events', '10000000', name], check=True)


# name: what makes its trace, the models, and the timelines that are shown
ALL = {
    'gauss': (recorded, (), ()),
    'pigz': (recorded, (), ()),
    'pbzip2': (recorded, (), ()),
    'memcached': (recorded, (), ()),
    'hpcc': (recorded, (), ()),
    'hot-mutex': (recorded, (), ()),
    'thousand': (simulated(lambda: programs.barriers(1000, 1, rounds=3)), (), ()),
    'ten-million': (ten_million, (), ()),
    'two-ranks': (simulated(lambda: programs.messages(2, 1)), (), ()),
    'deadlock': (made(DEADLOCK), (), ()),
    'hung': (made(HUNG), (), ()),
    'three-timelines': (simulated(lambda: programs.locks_by_chance(3, 2)), ('event', 'optimistic', 'pessimistic'),
                        ('measured', 'event', 'optimistic', 'pessimistic')),
}


def lightcone(*words):
    result = subprocess.run([LIGHTCONE, *words], capture_output=True, text=True, timeout=120, check=False)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of {words}')
    return result.stdout


def draw(name):
    """The totals of the scene, and its pictures: name to lines."""
    make, models, timelines = ALL[name]
    make(name)
    for model in models:
        lightcone('approximate', name, '--model', model)
    result = subprocess.run([DRAW, name, *timelines], capture_output=True, text=True, timeout=120, check=False)
    equal((result.returncode, result.stderr), (0, ''), 'status and errors')
    totals, pictures = [], {}
    for line in result.stdout.splitlines():
        words = line.split(' ', 1)
        if words[0] == 'totals':
            totals.append(words[1].split())
        elif words[0] == 'picture':
            lines = pictures.setdefault(words[1], [])
        else:
            lines.append(line)
    return totals, pictures


def coarse(line):
    """One digit for each colour: all that is kept."""
    return ''.join(f'{round(int(line[i:i + 2], 16) / 17):x}' for i in range(0, len(line), 2))


def share_of_others(lines, kept):
    parts = others = 0
    for line, old in zip(lines, kept, strict=True):
        equal(len(line), 2 * len(old), 'length of a line')
        for i in range(0, len(line), DIGITS):
            parts += 1
            others += any(abs(int(line[i + k:i + k + 2], 16) - 17 * int(old[(i + k) // 2], 16)) > LEAST
                          for k in range(0, DIGITS, 2))
    return others / parts


def read_kept(file):
    kept = {}
    for line in file.read_text(encoding='utf-8').splitlines():
        if line.startswith('picture '):
            lines = kept.setdefault(line.split(' ', 1)[1], [])
        else:
            lines.append(line)
    return kept


def check_pictures(file, pictures):
    equal(len(pictures), PICTURES, 'pictures')
    if RENEW:
        SCENES.mkdir(parents=True, exist_ok=True)
        file.write_text(''.join(f'picture {name}\n' + ''.join(coarse(line) + '\n' for line in lines)
                                for name, lines in pictures.items()), encoding='utf-8')
    kept = read_kept(file)
    equal(sorted(pictures), sorted(kept), 'names of pictures')
    shares = {name: share_of_others(lines, kept[name]) for name, lines in pictures.items()}
    equal({name: f'{share:.1%}' for name, share in shares.items() if share > MOST_OTHER}, {},
          'parts that are not as they were')


def agree(one, other):
    return abs(one - other) <= AGREE * max(one, other)


def check_totals(name, totals):
    """Diagram and plots: what runs and waits is the same in a scene of events, one of summaries, and the tables."""
    waiting = json.loads(lightcone('stats', '--json', name, 'waiting'))
    parallelism = json.loads(lightcone('stats', '--json', name, 'parallelism'))
    equal([kind for kind, *_ in totals], ['events', 'summaries'], 'kinds of scenes')
    equal(totals[0][1], '1' if name == 'ten-million' else '0', 'a scene of events is one of summaries')
    if name in SUMMED:
        equal(totals[1][1], '1', 'a scene of summaries is one')
    for kind, _, ran, waited in totals:
        tables = waiting['running_total'], waiting['waiting_total'], parallelism['running_total']
        if not (agree(int(ran), tables[0]) and agree(int(waited), tables[1]) and agree(int(ran), tables[2])):
            raise AssertionError(f'{kind} ran {ran} and waited {waited} ns; '
                                 f'running, waiting, and running at once: {tables}')


def add(name):
    def scene():
        totals, pictures = draw(name)
        check_totals(name, totals)
        check_pictures(SCENES / f'{name}.txt', pictures)
    scene.__name__ = f'{name}_is_as_it_was'.replace('-', '_')
    test(scene)


for each in ALL:
    add(each)

if __name__ == '__main__':
    main()
