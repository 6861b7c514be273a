# SPDX-License-Identifier: Apache-2.0
"""Real truth: programs are run here, bare and recorded by turns; what is approximated has to be what bare takes."""
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

from truth import Failed, lightcone

SECONDS = 120  # after which a program is stuck


# --- Programs

@dataclass
class Case:
    """A program, and what is told of it: the time from one event of its first process to another."""
    name: str
    group: str
    command: list
    span: str             # SQL of that time, on the timeline {0}
    bare: list            # arguments only when nobody records
    recorded: list        # arguments only when it is recorded
    lose: int = 0         # ns that each event takes longer on purpose
    marked: bool = False  # `recorded` adds marks: also run with them, and nobody recording
    alone: bool = False   # nothing less urgent may take the processors meanwhile
    models: tuple = ('event', 'time')
    mpi: str = ''         # the program is one of tests/examples/mpi, for this MPI, and runs as two ranks


BETWEEN_BARRIERS = ('SELECT max("end") - min("end") FROM event WHERE timeline = \'{0}\' AND process = 0 '
                    'AND operation = \'barrier\' AND object = (SELECT object FROM event WHERE process = 0 '
                    'AND operation = \'barrier\' ORDER BY ordinal LIMIT 1)')
FROM_BARRIER_TO_GATHER = ('SELECT max(ns) FROM (SELECT min(e."begin") - (SELECT min(b."end") FROM event AS b '
                          'WHERE b.timeline = \'{0}\' AND b.process = e.process AND b.operation = \'barrier\') AS ns '
                          'FROM event AS e WHERE e.timeline = \'{0}\' AND e.operation IN (\'gather\', \'gather-root\') '
                          'GROUP BY e.process)')
FROM_CREATE_TO_JOIN = ('SELECT max("end") - min("begin") FROM event WHERE timeline = \'{0}\' AND process = 0 '
                       'AND operation IN (\'create\', \'join\')')

FROM_FORK_TO_JOIN = ('SELECT max("end") - min("begin") FROM event WHERE timeline = \'{0}\' '
                     'AND operation IN (\'fork\', \'team-join\') AND object = (SELECT object FROM event '
                     'WHERE operation = \'fork\' ORDER BY ordinal DESC LIMIT 1)')


def livermore(loop, group, processes, lose, length, strip, grain, repeat, schedule='cyclic'):
    command = ['livermore', '--loop', loop, '--processes', processes, '--length', length, '--strip', strip,
               '--grain', grain, '--repeat', repeat, '--schedule', schedule, '--pin']
    how = '' if schedule == 'cyclic' else ', self-scheduled'
    name = f'loop {loop}{how}, {processes} {"process" if processes == 1 else "processes"}'
    return Case(name, group, command, BETWEEN_BARRIERS, ['--instrument', 'none'], ['--instrument', 'full'], lose,
                marked=True)


def barrier_loop(group, alpha, lose, rounds, skew=0, pthread=False):
    command = ['barrier-loop', '--processes', 2, '--alpha', alpha, '--skew', skew, '--rounds', rounds, '--pin',
               *(['--pthread'] if pthread else [])]
    kind = 'pthread_barrier_t' if pthread else 'lc_barrier'
    return Case(f'{kind}, {alpha} us{f" and {alpha + skew} us" if skew else ""} of work', group, command,
                BETWEEN_BARRIERS, [], [], lose)


def pi(group, lose, workers, batches, darts):
    command = ['pi', '--workers', workers, '--batches', batches, '--darts', darts]
    return Case(f'pi, a master and {workers} workers', group, command, FROM_CREATE_TO_JOIN, [], [], lose)


def openmp(loop, lose, rounds, work=4000, handed=500):
    command = ['openmp-loops', '--loop', loop, '--threads', 2, '--work', work, '--handed', handed,
               '--rounds', rounds, '--pin']
    return Case(loop, OPENMP, command, FROM_FORK_TO_JOIN, [], [], lose, alone=True,
                models=('event', 'liberal', 'time'))


def job(mpi, lose, *command):
    """Two ranks: from the first barrier to the gather at the end, of the rank for which that is longest."""
    name = f'{MPIS[mpi]}: {" ".join(map(str, command))}'
    return Case(name, RANKS, list(command), FROM_BARRIER_TO_GATHER, [], [], lose, mpi=mpi)


def jobs(mpi, lose):
    """All of them with little to do between their events, so that recording is a good part."""
    yield job(mpi, lose, 'patterns', '--shape', 'barrier-loop', '--rounds', 200, '--work', 10, '--skew', 50)
    yield job(mpi, lose, 'patterns', '--shape', 'ring', '--rounds', 200, '--work', 10)
    yield job(mpi, lose, 'patterns', '--shape', 'pipeline', '--rounds', 200, '--work', 10, '--skew', 50)
    yield job(mpi, lose, 'pi', '--packets', 100, '--points', 200, '--copies', 10)
    yield job(mpi, lose, 'pi', '--packets', 50, '--points', 2000, '--copies', 2)
    yield job(mpi, lose, 'transposes', '--size', 16, '--transposes', 200, '--work', 10)
    yield job(mpi, lose, 'transposes', '--size', 128, '--transposes', 40, '--work', 20)
    yield job(mpi, lose, 'transposes', '--size', 16, '--transposes', 200, '--work', 10, '--blind')


def implementations():
    """The MPIs whose example programs are built, and whose ranks can be started."""
    return [mpi for mpi in MPIS if shutil.which(f'mpirun.{mpi}') and os.path.exists(path_of('patterns', mpi))]


def path_of(program, mpi=''):
    folder = os.environ['LIGHTCONE_EXAMPLES']
    return os.path.join(folder, 'mpi', f'{program}-{mpi}') if mpi else os.path.join(folder, program)


MPIS = {'openmpi': 'Open MPI', 'mpich': 'MPICH'}
# Each rank has a processor, and keeps it. As root they can have it to themselves, for a run is short.
LAUNCHERS = {'openmpi': ['mpirun.openmpi', '--bind-to', 'core', '-n', '2'],
             'mpich': ['mpirun.mpich', '-bind-to', 'core', '-n', '2']}
JOB_ENVIRONMENT = {
    'OMPI_ALLOW_RUN_AS_ROOT': '1',
    'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
    # Would ask whichever display there is for its graphics cards.
    'HWLOC_COMPONENTS': '-gl',
}
COARSE, FINE, BARRIERS, OTHERS, OPENMP, RANKS = 'coarse', 'fine', 'barriers', 'others', 'openmp', 'ranks'


def cases(quick=False):
    """Coarse: a statement takes about as long as an event. Fine: some ns, as a statement does."""
    less = 4 if quick else 1
    for processes in (1, 2):
        yield livermore(3, COARSE, processes, 40000, 1000 // less, 4, 4096, 2)
        yield livermore(4, COARSE, processes, 40000, 2000 // less, 4, 4096, 2)
        yield livermore(17, COARSE, processes, 12000 if processes == 1 else 6500, 1600 // less, 1, 256, 2)
    for processes in (1, 2):
        yield livermore(3, FINE, processes, 1000, 10000 // less, 4, 16, 4)
        yield livermore(4, FINE, processes, 1000, 20000 // less, 4, 16, 4)
        yield livermore(17, FINE, processes, 0, 4000 // less, 4, 1, 10)
    for alpha in (6, 20, 36):
        yield barrier_loop(BARRIERS, alpha, 10000, 3000 // less)
    yield barrier_loop(BARRIERS, 20, 10000, 3000 // less, skew=10)
    yield barrier_loop(BARRIERS, 20, 0, 3000 // less)
    yield barrier_loop(BARRIERS, 100, 10000, 1000 // less, pthread=True)
    yield pi(OTHERS, 20000, 2, 600 // less, 10000)
    yield livermore(3, OTHERS, 2, 40000, 1000 // less, 4, 4096, 2, schedule='self')
    if os.path.exists(path_of('openmp-loops')):
        for loop in ('doacross', 'ordered', 'dynamic', 'critical', 'reduction'):
            for lose in (0, 5000):
                yield openmp(loop, lose, 40 // less)
    for mpi in implementations():
        yield from jobs(mpi, 20000)


# --- Running them

class Disturbance:
    """What else went on while something ran: how often it had to make room, and what the processors did for others."""

    SWITCHES_A_SECOND = 20  # the system's own needs
    OTHERS = 0.05           # of what the processors could have done

    def __enter__(self):
        self.before = self.look()
        return self

    def __exit__(self, *_):
        seconds, switches, others = (after - before for after, before in zip(self.look(), self.before))
        self.seconds = seconds
        self.is_disturbed = (switches > 3 + self.SWITCHES_A_SECOND * seconds
                             or others > 0.02 + self.OTHERS * seconds * os.cpu_count())

    @staticmethod
    def look():
        with open('/proc/stat', encoding='ascii') as file:
            fields = file.readline().split()[1:9]
        user, nice, system, _, _, hard, soft, steal = (int(text) / os.sysconf('SC_CLK_TCK') for text in fields)
        children, own = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
        ours = children.ru_utime + children.ru_stime + own.ru_utime + own.ru_stime
        return time.monotonic(), children.ru_nivcsw, user + nice + system + hard + soft + steal - ours


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS,
                            env={**os.environ, **JOB_ENVIRONMENT})
    if result.returncode != 0:
        raise Failed(f'{" ".join(map(str, command))}: status {result.returncode}: {result.stderr.strip()}')
    return result.stdout


def printed_time(text):
    return max(int(ns) for ns in re.findall(r'^(?:time_ns|rank \d+:) (\d+)(?: ns)?$', text, re.MULTILINE))


def alone():
    """What has a rank run before all that is not as urgent; nothing, if that is not allowed."""
    prefix = ['chrt', '-r', '1']
    if shutil.which('chrt') is None:
        return []
    tried = subprocess.run([*prefix, 'true'], capture_output=True, check=False)
    return prefix if tried.returncode == 0 else []


def calibrate(mpi):
    program, *arguments = LAUNCHERS[mpi]
    run(os.environ['LIGHTCONE'], 'calibrate', '--mpi', mpi, '--quick', '--', shutil.which(program), *arguments)


@dataclass
class Run:
    ns: dict            # by name: bare, marked, measured, event, time
    is_disturbed: bool
    events: int = 0
    clamped: int = 0


class Runner:
    """Carries out a case's runs; traces go to the folder."""

    def __init__(self, folder):
        self.trace = os.path.join(folder, 'trace')

    @staticmethod
    def program(case):
        launcher = [*(LAUNCHERS[case.mpi] if case.mpi else []), *(alone() if case.mpi or case.alone else [])]
        return *launcher, path_of(case.command[0], case.mpi), *case.command[1:], '--time'

    def bare(self, case, name='bare'):
        with Disturbance() as disturbance:
            text = run(*self.program(case), *(case.recorded if name == 'marked' else case.bare))
        return Run({name: printed_time(text)}, disturbance.is_disturbed)

    def recorded(self, case):
        lose = ['--overhead-test', str(case.lose)] if case.lose else []
        shutil.rmtree(self.trace, ignore_errors=True)
        with Disturbance() as disturbance:
            run(os.environ['LIGHTCONE'], 'record', '--quiet', '-o', self.trace, *lose, '--', *self.program(case),
                *case.recorded)
        reports = {model: json.loads(lightcone('approximate', self.trace, '--model', model, '--json'))
                   for model in case.models}
        ns = {timeline: self.span(case, timeline) for timeline in ('measured', *case.models)}
        return Run(ns, disturbance.is_disturbed, reports['event']['events'], reports['event']['clamped'])

    def span(self, case, timeline):
        return int(lightcone('sql', '--csv', self.trace, case.span.format(timeline)).split()[-1])


def spread(values):
    """The median and the quartiles."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, median, high = statistics.quantiles(values, n=4, method='inclusive')
    return median, low, high


@dataclass
class Result:
    """Of each pair the ratios to the mean of the bare runs before and after."""
    case: Case
    ratios: dict = field(default_factory=lambda: {name: [] for name in ('measured', 'event', 'liberal', 'time',
                                                                                  'marked')})
    disturbed: list = field(default_factory=list)  # of each pair, whether it was
    bare: list = field(default_factory=list)       # ns
    events: int = 0
    clamped: int = 0

    def add(self, before, recorded, after, marked):
        actual = (before.ns['bare'] + after.ns['bare']) / 2
        ns = {**recorded.ns, **(marked.ns if marked else {})}
        for name, value in ns.items():
            self.ratios[name].append(value / actual)
        self.bare.append(actual)
        self.disturbed.append(before.is_disturbed or recorded.is_disturbed or after.is_disturbed)
        self.events, self.clamped = recorded.events, recorded.clamped

    def undisturbed(self):
        return self.disturbed.count(False)

    def counts(self):
        """Which pairs count: those that nothing disturbed, if there are some; else all."""
        if self.undisturbed() < 3:
            return [True] * len(self.disturbed)
        return [not disturbed for disturbed in self.disturbed]

    def spread(self, name, all_pairs=False):
        values = [value for value, does in zip(self.ratios[name], self.counts()) if does or all_pairs]
        return spread(values)

    @property
    def actual(self):
        return statistics.median(self.bare)


def measure(case, folder, pairs, patience=2, is_first=True):
    """By turns, so that what drifts does so for both: bare, recorded, bare, recorded, ... bare. `is_first`: of this
    program, whose runs are then preceded by two that do not count."""
    runner, result = Runner(folder), Result(case)
    if is_first:
        runner.bare(case)
        runner.recorded(case)  # the calibration too, and the first touch of everything
    before = runner.bare(case)
    for _ in range(pairs * patience):
        marked = runner.bare(case, 'marked') if case.marked else None
        recorded = runner.recorded(case)
        after = runner.bare(case)
        result.add(before, recorded, after, marked)
        before = after
        if result.undisturbed() >= pairs:
            break
    return result


def measure_all(folder, pairs, quick=False, groups=None):
    calibrated = ['']
    for case in cases(quick):
        if groups is None or case.group in groups:
            if case.mpi not in calibrated:
                calibrate(case.mpi)
                calibrated.append(case.mpi)
            print(f'{case.name}, {case.group}', file=sys.stderr, flush=True)
            yield measure(case, folder, pairs)
