# SPDX-License-Identifier: Apache-2.0
"""Runs a program bare and measured, has lightcone approximate the bare run from the other's trace, and compares."""
import csv
import io
import json
import os
import subprocess
from copy import copy
from dataclasses import dataclass, replace

from machine import Machine
from network import Costs, Overhead
from operations import Operation


class Failed(Exception):
    """lightcone said no."""


def lightcone(*arguments, status=0):
    result = subprocess.run([os.environ['LIGHTCONE'], *arguments], capture_output=True, text=True, timeout=120)
    if result.returncode != status:
        raise Failed(f'lightcone {" ".join(arguments)}: status {result.returncode}: {result.stderr.strip()}')
    return result.stdout


def write_trace(folder, processes, settings=(), rules=None):
    """A text trace: the events of each process, in order, and what is known about the measurement."""
    os.makedirs(folder)
    for number, events in enumerate(processes):
        with open(os.path.join(folder, f'p{number}.events'), 'w', encoding='utf-8') as file:
            file.write('\n'.join(['%lightcone-events 1', *[event.line() for event in events]]) + '\n')
    with open(os.path.join(folder, 'trace.ini'), 'w', encoding='utf-8') as file:
        file.write('\n'.join(settings) + '\n')
    if rules is not None:
        os.makedirs(os.path.join(folder, 'rules'))
        with open(os.path.join(folder, 'rules', 'own.rules'), 'w', encoding='utf-8') as file:
            file.write(rules)


def total(processes):
    return max((events[-1].end for events in processes if events), default=0)


@dataclass
class Program:
    """What to run, and where. `make` returns new generators for each run: a list, or a dictionary by number."""
    make: object
    costs: Costs
    overhead: Overhead
    at_most: int = None
    rules: str = None


@dataclass
class Pair:
    """The same program, bare and measured."""
    program: Program
    bare: list
    measured: list
    varies: float = 0.0

    def same_order(self):
        """Whether nothing but times differs: then a conservative model can be right about everything."""
        return [shape(events) for events in self.bare] == [shape(events) for events in self.measured]

    def settings(self, given=True):
        """What trace.ini says. Not `given`: the overheads only, so that costs have to be estimated.

        Overheads that vary are those of a recorder, which knows what they are on average; others are exact.
        """
        overhead = (['[trace]', 'clock_ticks=1'] if self.varies else []) + self.program.overhead.settings()
        if not given:
            return overhead
        waits = sorted({event.operation for events in self.measured for event in events} & WAITS)
        return overhead + self.program.costs.settings(waits)

    def slowdown(self):
        return total(self.measured) / total(self.bare)


WAITS = {'lock', 'await', 'wait', 'condition-wait', 'read-start', 'write-start', 'join', 'complete'}


def shape(events):
    return [(event.operation, event.object, event.sequence) for event in without_polls(events)]


def without_polls(events):
    """How often somebody asks in vain is no part of what a program does: the answer began when first asked for."""
    kept, asked = [], None
    for event in events:
        if event.operation == 'test-failed':
            asked = event.begin if asked is None else asked
        else:
            kept.append(event if asked is None else with_begin(event, asked))
            asked = None
    return kept


def with_begin(event, begin):
    event = copy(event)
    event.begin = begin
    return event


def run_both(program, seed=0, varies=0.0, ideal_polls=True):
    overhead = replace(program.overhead, varies=varies)
    bare = Machine(program.costs, ideal_polls=ideal_polls).run(program.make(), program.at_most)
    measured = Machine(program.costs, overhead, seed).run(program.make(), program.at_most)
    return Pair(program, bare, measured, varies)


def inside(process, factor):
    """The same process within the region `work`, where it computes for so many times as long."""
    yield Operation('enter', 'work', takes=0)
    result = None
    while True:
        try:
            step = process.send(result)
        except StopIteration:
            break
        is_operation = hasattr(step, 'name')
        result = yield step if is_operation else round(step * factor)
    yield Operation('leave', 'work', takes=0)


def run_changed(program, factor):
    """Runs a program bare, as it is and with every other process so many times as fast; both have the region."""
    def run(factor):
        made = program.make()
        made = made if isinstance(made, dict) else dict(enumerate(made))
        processes = {number: inside(process, factor) if number % 2 else process for number, process in made.items()}
        return Machine(program.costs).run(processes, program.at_most)
    return Pair(replace(program, overhead=program.overhead.scaled(0)), run(factor), run(1))


def ask_what_if(pair, folder, case, factor, model='auto'):
    """What lightcone says of the measured run with the region scaled; the row compares it with the changed run."""
    report = json.loads(lightcone('what-if', folder, '--scale', f'work={factor}', '--model', model, '--json'))
    return Row(case, len(pair.measured), report['model'], total(pair.bare), report['measured_total'],
               report['approximated_total'], None, None, report)


@dataclass
class Row:
    """One line of a table. Times in ns; the ratios are those of tables 1 and 2 of the 1991 paper."""
    case: str
    processors: int
    model: str
    actual: int
    measured: int
    approximated: int
    worst: int          # of all begins and ends, how far from those of the bare run; None: other events than there
    worst_waited: int   # and the same of the waiting
    report: dict        # what approximate --json says

    @property
    def slowdown(self):
        return self.measured / self.actual

    @property
    def ratio(self):
        return self.approximated / self.actual

    def __str__(self):
        worst = 'other events' if self.worst is None else f'worst event {self.worst} ns'
        return (f'{self.case}, {self.processors} processors, {self.model}: measured/actual {self.slowdown:.2f}, '
                f'approximated/actual {self.ratio:.4f}, {worst}')


@dataclass
class Found:
    """An event as a timeline has it."""
    operation: str
    object: str
    sequence: int
    begin: int
    end: int
    waited: int


QUERY = ('SELECT e.process, e.operation, o.name AS object, e.sequence, e."begin", e."end", e.waited FROM event AS e '
         'LEFT JOIN object AS o ON o.id = e.object WHERE e.timeline = \'{}\' ORDER BY e.process, e.ordinal')


def read_timeline(folder, name, processes):
    """The events of each process on a timeline of the history."""
    found = [[] for _ in range(processes)]
    for row in csv.DictReader(io.StringIO(lightcone('sql', folder, QUERY.format(name), '--csv'))):
        found[int(row['process'])].append(
            Found(row['operation'], row['object'] or None, int(row['sequence']) if row['sequence'] else None,
                  int(row['begin']), int(row['end']), int(row['waited'] or 0)))
    return found


def differences(bare, found):
    """The largest of the times and of the waiting, or None twice if the events are others."""
    bare = [without_polls(events) for events in bare]
    found = [without_polls(events) for events in found]
    named = [[(event.operation, event.object and event.object.replace(' ', '-'), event.sequence) for event in events]
             for events in bare]
    if named != [[(event.operation, event.object, event.sequence) for event in events] for events in found]:
        return None, None
    pairs = [pair for of_bare, of_found in zip(bare, found) for pair in zip(of_bare, of_found)]
    times = max((max(abs(a.begin - b.begin), abs(a.end - b.end)) for a, b in pairs), default=0)
    return times, max((abs(a.waited - b.waited) for a, b in pairs), default=0)


def approximate(pair, folder, case, model='event', options=()):
    """Approximates the trace in the folder; the row says how near the bare run it is."""
    report = json.loads(lightcone('approximate', folder, '--model', model, '--json', *options))
    found = read_timeline(folder, model, len(pair.measured))
    worst, waited = differences(pair.bare, found)
    row = Row(case, len(pair.measured), model, total(pair.bare), report['measured_total'],
              report['approximated_total'], worst, waited, report)
    return row, found


def place(pair, folder, given=True):
    """Writes the measured run there, and has it checked; returns the folder."""
    write_trace(folder, pair.measured, pair.settings(given), pair.program.rules)
    lightcone('check', folder)
    return folder
