# SPDX-License-Identifier: Apache-2.0
"""Measures things of some nanoseconds: bare, recorded in some ways, and the least that recording can take."""
import contextlib
import os
import re
import shutil
import signal
import time
from pathlib import Path

from place import Failed, Missing, need, run, say, size_of, spread

LTTNG_WRAPPER = 'liblttng-ust-pthread-wrapper.so'


class Contender:
    """One way to run a loop. It is a context: what it needs is there from its enter to its exit."""

    may_fail = False  # someone else's tracer, without which the rest still means something

    def __init__(self, place, name, *command, against=None):
        self.place, self.name, self.command, self.against = place, name, command, against
        self.bytes = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def loop(self):
        """ns each time round, by a clock and of the processor."""
        return self.times(run(*self.command, folder=self.place.folder))

    @staticmethod
    def times(result):
        wall, cpu = result.stdout.split()[:2]
        return float(wall), float(cpu)


class Lightcone(Contender):
    def __init__(self, place, name, *command, against=None, options=()):
        super().__init__(place, name, *command, against=against)
        self.options = options

    def loop(self):
        self.place.forget()
        times = self.times(run(*self.place.record(*self.command, options=self.options)))
        if self.bytes is None:
            self.check()
        self.place.forget()
        return times

    def check(self):
        self.place.info()
        self.bytes = size_of(self.place.trace / 'ctf')


class Uftrace(Contender):
    may_fail = True

    def __enter__(self):
        need('uftrace')
        return self

    def loop(self):
        self.place.forget()
        result = run('uftrace', 'record', '--no-event', '-d', self.place.trace, *self.command, folder=self.place.folder)
        self.bytes = size_of(self.place.trace)
        self.place.forget()
        if 'LOST' in result.stderr:
            raise Failed(f'uftrace lost events: {result.stderr}')
        return self.times(result)


class Lttng(Contender):
    """A program that LTTng-UST records, in a session that is there for as long as the contender is."""

    may_fail = True

    # Enough room that nothing is lost, and should it not be enough: wait rather than lose.
    CHANNEL = ('--blocking-timeout=inf', '--subbuf-size=4M', '--num-subbuf=8')

    def __init__(self, place, name, *command, against=None, events='', preload=None):
        super().__init__(place, name, *command, against=against)
        self.events = events
        self.home = place.folder / 'lttng'
        self.environment = dict(LTTNG_HOME=str(self.home), LTTNG_UST_ALLOW_BLOCKING='1',
                                LTTNG_UST_REGISTER_TIMEOUT='5000', **({'LD_PRELOAD': preload} if preload else {}))
        self.daemon = None
        self.session = f'lightcone-bench-{os.getpid()}'
        self.output = place.folder / 'lttng-trace'
        self.discards_by_default = 0

    def lttng(self, *words):
        return run('lttng', *words, environment=dict(LTTNG_HOME=str(self.home))).stdout

    def __enter__(self):
        need('lttng', 'lttng-tools')
        need('lttng-sessiond', 'lttng-tools')
        self.home.mkdir(exist_ok=True)
        try:
            self.lttng('--no-sessiond', 'list')
        except Failed:
            pidfile = self.home / 'pid'
            run('lttng-sessiond', '--daemonize', '--pidfile', pidfile, environment=dict(LTTNG_HOME=str(self.home)))
            self.daemon = int(pidfile.read_text())
        try:
            self.probe_default()
            self.open(*self.CHANNEL)
        except BaseException:
            self.__exit__()
            raise
        return self

    def open(self, *channel):
        self.lttng('create', self.session, '--output', self.output)
        self.lttng('enable-channel', '--userspace', '--session', self.session, *channel, 'channel')
        self.lttng('enable-event', '--userspace', '--session', self.session, '--channel', 'channel', self.events)

    def close(self):
        with contextlib.suppress(Failed):
            self.lttng('destroy', self.session)
        shutil.rmtree(self.output, ignore_errors=True)

    def discarded(self):
        """Some versions set the highest bit of the number."""
        numbers = re.findall(r'Discarded events: (\d+)', self.lttng('list', self.session))
        return sum(int(number) & ~(1 << 63) for number in numbers)

    def probe_default(self):
        """How many events a channel loses that nobody has tuned."""
        self.open()
        self.lttng('start', self.session)
        run(*self.command, environment=self.environment)
        self.lttng('stop', self.session)
        self.discards_by_default = self.discarded()
        self.close()

    def loop(self):
        self.lttng('start', self.session)
        try:
            times = self.times(run(*self.command, environment=self.environment))
        finally:
            self.lttng('stop', self.session)
        self.bytes = size_of(self.output)
        if self.bytes < 1 << 20:
            raise Failed('LTTng recorded nothing')
        if self.discarded():
            raise Failed('LTTng lost events in spite of a channel that waits')
        self.lttng('clear', self.session)
        return times

    def __exit__(self, *_):
        self.close()
        if self.daemon is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.daemon, signal.SIGTERM)
        for _ in range(100):
            if not Path(f'/proc/{self.daemon}').exists():
                break
            time.sleep(0.05)
        self.daemon = None


class Loops:
    """One thing that is done often: bare, recorded in some ways, and the limit."""

    def __init__(self, name, title, count, contenders):
        self.name, self.title, self.count, self.contenders = name, title, count, contenders
        self.rows, self.missing, self.notes = [], [], []

    def measure(self, rounds):
        with contextlib.ExitStack() as stack:
            there = []
            for contender in self.contenders:
                try:
                    there.append(stack.enter_context(contender))
                    contender.loop()
                except (Missing, Failed) as reason:
                    if not contender.may_fail:
                        raise
                    self.missing.append(f'{self.title}, {contender.name}: {reason}')
                    there = [other for other in there if other is not contender]
            times = {contender.name: [] for contender in there}
            for number in range(rounds):
                say(f'{self.title}: round {number + 1} of {rounds}')
                turn = number % len(there)
                for contender in there[turn:] + there[:turn]:
                    contender.place.warm(int(1.25 * (contender.bytes or 0)))
                    times[contender.name].append(contender.loop())
        self.add_rows(there, times)

    def add_rows(self, there, times):
        ours = None
        for contender in there:
            if contender.against is None:
                self.rows.append(dict(what=self.name, **{'with': contender.name}, bare=True,
                                      ns=spread([cpu for _, cpu in times[contender.name]])))
                continue
            added = [[mine - bare for mine, bare in zip(*pair)]
                     for pair in zip(times[contender.name], times[contender.against])]
            row = dict(what=self.name, **{'with': contender.name}, bare=False, ns=spread([cpu for _, cpu in added]),
                       wall_ns=spread([wall for wall, _ in added]))
            if contender.bytes is not None:
                row['bytes'] = contender.bytes / (self.count * 17 / 16)
            ours = ours or row['ns']['median']
            row['ratio'] = row['ns']['median'] / ours
            self.rows.append(row)
            lost = getattr(contender, 'discards_by_default', 0)
            if lost:
                self.notes.append(f'{self.title}: LTTng\'s default channel lost {lost} events in one run; measured '
                                  f'with a channel that waits instead, and loses none')

    def figure(self, name):
        return next((row for row in self.rows if row['with'] == name), None)


def lock_loops(place, count, threads):
    events = place.bench / 'record-events'
    title = f'lock + unlock, {threads} thread{"s" if threads > 1 else ""}'
    return Loops(f'lock-{threads}', title, count * threads, [
        Contender(place, 'bare', events, 'lock', count, threads),
        Lightcone(place, 'lightcone', events, 'lock', count, threads, against='bare'),
        Lightcone(place, 'without sites', events, 'lock', count, threads, against='bare', options=['--no-sites']),
        Lttng(place, 'LTTng-UST', events, 'lock', count, threads, against='bare', events='lttng_ust_pthread:*',
              preload=LTTNG_WRAPPER),
        Contender(place, 'the limit', events, 'lock-limit', count, threads, against='bare'),
    ])


def contended_loops(place, count):
    """Most of these wait, by spinning and by sleeping, and have a stack of a dozen frames at both ends."""
    events = place.bench / 'record-events'
    return Loops('contended', 'contended lock, 2 threads', 2 * count, [
        Contender(place, 'bare', events, 'contended', count, 2),
        Lightcone(place, 'lightcone', events, 'contended', count, 2, against='bare'),
        Lightcone(place, 'without stacks', events, 'contended', count, 2, against='bare', options=['--stacks', 'none']),
    ])


def object_loops(place, quick):
    """Many objects, some for a moment, and one that is tried in vain: (title, arguments of record-objects)."""
    many = 100000 if quick else 1000000
    rows = [(f'pair, any of {number:,} mutexes', ('lock', number, many)) for number in (1, 1000, 20000, 1000000)]
    rows += [('pair, 200 ns of work, 2,048 mutexes', ('cells', 2048, many)),
             ('mutex made, used, destroyed', ('make', 4 * many)),
             ('the same, all at a time', ('together', many)),
             ('trylock of a held mutex', ('try', many))]
    return [ObjectLoop(place, title, *arguments) for title, arguments in rows]


class ObjectLoop:
    """What a program does to many objects takes so much bare, and so much recorded, in the same rounds."""

    def __init__(self, place, title, *arguments):
        self.place, self.title = place, title
        self.command = [place.bench / 'record-objects', *arguments]
        self.result = None

    def once(self, recorded):
        self.place.forget()
        command = self.place.record(*self.command) if recorded else self.command
        ns = float(run(*command, folder=self.place.folder).stdout)
        self.place.forget()
        return ns

    def measure(self, rounds):
        bare, recorded = [], []
        for number in range(rounds):
            say(f'{self.title}: round {number + 1} of {rounds}')
            bare.append(self.once(False))
            recorded.append(self.once(True))
        bare, recorded = spread(bare), spread(recorded)
        self.result = dict(what=self.title, bare_ns=bare, recorded_ns=recorded,
                           ratio=recorded['median'] / bare['median'])


def tag_loops(place, count):
    events = place.bench / 'record-events'
    contenders = [
        Contender(place, 'bare', events, 'tag', count),
        Lightcone(place, 'lightcone', events, 'tag', count, against='bare'),
        Contender(place, 'the limit', events, 'tag-limit', count, against='bare'),
    ]
    loops = Loops('tag', 'tag', count, contenders)
    try:
        tracepoint = place.program('record-tracepoint')
        contenders[2:2] = [
            Contender(place, 'bare tracepoint', tracepoint, count),
            Lttng(place, 'LTTng-UST', tracepoint, count, against='bare tracepoint', events='lightcone_bench:*'),
        ]
    except Missing as reason:
        loops.missing.append(f'tag, LTTng-UST: {reason}')
    return loops


def function_loops(place, count):
    instrumented, pg = place.bench / 'record-function-instrumented', place.bench / 'record-function-pg'
    return Loops('function', 'call of a function', count, [
        Contender(place, 'bare', place.bench / 'record-function', count),
        Lightcone(place, 'lightcone', instrumented, count, against='bare'),
        Uftrace(place, 'uftrace', instrumented, count, against='bare'),
        Uftrace(place, 'uftrace, -pg', pg, count, against='bare'),
    ])
