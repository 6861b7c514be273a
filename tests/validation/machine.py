# SPDX-License-Identifier: Apache-2.0
"""A virtual multiprocessor: a discrete-event simulation that runs a parallel program bare, or measured.

A program is a Python generator for each process. It yields numbers, to compute for so many ns, and operations
(operations.py). Each operation is an event: it begins, and its effect on others comes from its begin or its end, as
the rules have it. When measured, an event costs some time before its begin stamp, some between its stamps, after the
operation proper, and some after its end stamp; nothing else differs.
"""
import heapq
import random
from collections import defaultdict, deque

from messages import Collectives, Messages
from network import Costs, Overhead


class Deadlock(Exception):
    """Processes wait, and nothing will happen any more."""


class Event:
    """What was recorded, and how long the process was blocked on others meanwhile."""
    __slots__ = ('operation', 'object', 'sequence', 'begin', 'end', 'waited', 'fields')

    def __init__(self, operation, begin, end, waited):
        self.operation = operation.name
        self.object = operation.object
        self.sequence = operation.sequence
        self.begin = begin
        self.end = end
        self.waited = waited
        self.fields = [('value', operation.value), ('bytes', operation.bytes), ('to', operation.to),
                       ('from', operation.sender), ('blind', 1 if operation.blind else None)]

    def line(self):
        words = [str(self.begin), str(self.end), self.operation]
        if self.object is not None:
            words += [self.object.replace(' ', '-')] + ([str(self.sequence)] if self.sequence is not None else [])
        return ' '.join(words + [f'{key}={value}' for key, value in self.fields if value is not None])


class Process:
    def __init__(self, number, program, now):
        self.number = number
        self.program = program
        self.now = now
        self.over = False
        self.events = []
        self.pending = None
        self.began = False   # not so while the measurement still delays it
        self.begin = 0
        self.overhead = (0, 0, 0)
        self.calls = defaultdict(int)  # collective operations on each communicator


class Mutex:
    def __init__(self):
        self.taken = 0
        self.held = False
        self.freed = None  # (time, process)
        self.queue = deque()


class Crew:
    def __init__(self):
        self.version = 0
        self.readers = 0  # who are reading
        self.started = 0  # how many began to read this version
        self.writing = False
        self.written = None
        self.read = []    # the points where reading of this version ended
        self.queue = deque()


class Semaphore:
    def __init__(self):
        self.posted = 0
        self.waited = 0
        self.tokens = deque()  # the points where they were posted
        self.queue = deque()


class Condition:
    def __init__(self):
        self.wakes = 0
        self.sleepers = deque()
        self.woken = {}  # process: (number of the wake-up, its point)


class Machine(Messages, Collectives):
    """One execution. `ideal_polls`: a busy-wait notices at once, in place of when it looks next."""

    def __init__(self, costs=None, overhead=None, seed=0, ideal_polls=False):
        self.costs = costs or Costs()
        self.overhead = overhead or Overhead()
        self.random = random.Random(seed)
        self.ideal_polls = ideal_polls
        self.time = 0
        self.queue = []
        self.serial = 0
        self.processes = {}
        self.mutexes = defaultdict(Mutex)
        self.crews = defaultdict(Crew)
        self.semaphores = defaultdict(Semaphore)
        self.conditions = defaultdict(Condition)
        self.advanced = {}
        self.awaiting = defaultdict(list)
        self.barriers = defaultdict(list)
        self.generations = defaultdict(int)
        self.exited = {}
        self.joining = {}
        self.set_up_messages()
        self.set_up_collectives()

    # --- Running

    def run(self, programs, at_most=None):
        """Runs a list of generators, or a dictionary by process number. `at_most`: of all processes, created ones too.

        The result is a list of the events of each process.
        """
        if not isinstance(programs, dict):
            programs = dict(enumerate(programs))
        self.n_processes = at_most or len(programs)
        for number, program in programs.items():
            self.begin_process(number, program)
        while self.queue:
            self.time, _, _, action, arguments = heapq.heappop(self.queue)
            action(*arguments)
        stuck = [f'{process.number} in {process.pending.name} of {process.pending.object}'
                 for process in self.processes.values() if not process.over]
        if stuck:
            raise Deadlock(', '.join(stuck))
        return [self.processes[number].events for number in sorted(self.processes)]

    def at(self, time, process, action, *arguments):
        """Ties go to the lower process number, then to what was asked for first."""
        self.serial += 1
        heapq.heappush(self.queue, (time, process.number, self.serial, action, arguments))

    def begin_process(self, number, program):
        process = Process(number, program, self.time)
        self.processes[number] = process
        self.at(self.time, process, self.go_on, process, None)

    def go_on(self, process, result):
        process.now = self.time
        try:
            step = process.program.send(result)
            while not hasattr(step, 'name'):
                process.now += step
                step = next(process.program)
        except StopIteration:
            process.over = True
            return
        process.pending, process.began = step, False
        process.overhead = self.overhead.draw(self.random, 'complete' if step.name == 'test' else step.name)
        self.at(process.now + process.overhead[0], process, self.begin, process, step)

    def begin(self, process, operation):
        process.begin, process.began = self.time, True
        getattr(self, 'do_' + operation.name.replace('-', '_'), self.local)(process, operation)

    def local(self, process, operation):
        takes = operation.takes if operation.takes is not None else self.costs.takes(operation.name)
        self.finish(process, process.begin + takes)

    def finish(self, process, time, points=(), result=None):
        """The operation proper is over at `time`; `points` are those, as (time, process), that it had to come after."""
        end = time + process.overhead[1]
        foreign = [point[0] for point in points if point is not None and point[1] != process.number]
        waited = max(0, min(max(foreign), end) - process.begin) if foreign else 0
        self.at(end, process, self.end, process, waited, result)

    def end(self, process, waited, result):
        operation = process.pending
        effect = getattr(self, 'after_' + operation.name.replace('-', '_'), None)
        if effect is not None:
            effect(process, operation)
        process.events.append(Event(operation, process.begin, self.time, waited))
        self.at(self.time + process.overhead[2], process, self.go_on, process, result)

    def release(self, process, points, result=None):
        """Ends an operation that had to come after these points, some of which may be None: nothing."""
        nowait, wait = self.costs.nowait_and_wait(process.pending.name)
        last = max((point[0] for point in points if point is not None), default=0)
        time = last + wait if last > process.begin else process.begin + nowait
        self.finish(process, time, points, result)

    def here(self, process):
        return (self.time, process.number)

    # --- Mutexes: whoever came first is next

    def do_lock(self, process, operation):
        mutex = self.mutexes[operation.object]
        mutex.queue.append(process)
        self.grant_lock(mutex)

    def grant_lock(self, mutex):
        if mutex.queue and not mutex.held:
            process = mutex.queue.popleft()
            mutex.held = True
            mutex.taken += 1
            process.pending.sequence = mutex.taken
            self.release(process, [mutex.freed])

    def after_unlock(self, process, operation):
        mutex = self.mutexes[operation.object]
        operation.sequence = mutex.taken
        mutex.held = False
        mutex.freed = self.here(process)
        if operation.joins is not None:
            self.conditions[operation.joins].sleepers.append(process)
        self.grant_lock(mutex)

    # --- Crews: in the order in which they came, readers that come one after another together

    def do_read_start(self, process, operation):
        crew = self.crews[operation.object]
        crew.queue.append(process)
        self.admit(crew)

    do_write_start = do_read_start

    def admit(self, crew):
        while crew.queue and not crew.writing:
            process = crew.queue[0]
            operation = process.pending
            if operation.name == 'write-start' and crew.readers > 0:
                return
            crew.queue.popleft()
            if operation.name == 'read-start':
                crew.readers += 1
                crew.started += 1
                operation.sequence = crew.version
                self.release(process, [crew.written])
            else:
                crew.writing = True
                crew.version += 1
                operation.sequence = crew.version
                operation.value = crew.started
                self.release(process, [crew.written, *crew.read])
                crew.started, crew.read = 0, []

    def after_read_end(self, process, operation):
        crew = self.crews[operation.object]
        operation.sequence = crew.version
        crew.readers -= 1
        crew.read.append(self.here(process))
        self.admit(crew)

    def after_write_end(self, process, operation):
        crew = self.crews[operation.object]
        operation.sequence = crew.version
        crew.writing = False
        crew.written = self.here(process)
        self.admit(crew)

    # --- Indices that are advanced

    def do_await(self, process, operation):
        key = (operation.object, operation.sequence)
        if key in self.advanced:
            self.release(process, [self.advanced[key]])
        else:
            self.awaiting[key].append(process)

    def after_advance(self, process, operation):
        key = (operation.object, operation.sequence)
        self.advanced[key] = self.here(process)
        for waiting in self.awaiting.pop(key, ()):
            self.release(waiting, [self.advanced[key]])

    # --- Semaphores

    def do_wait(self, process, operation):
        semaphore = self.semaphores[operation.object]
        semaphore.queue.append(process)
        self.take_token(semaphore)

    def take_token(self, semaphore):
        if semaphore.queue and semaphore.tokens:
            process = semaphore.queue.popleft()
            semaphore.waited += 1
            process.pending.sequence = semaphore.waited
            self.release(process, [semaphore.tokens.popleft()])

    def after_post(self, process, operation):
        semaphore = self.semaphores[operation.object]
        semaphore.posted += 1
        operation.sequence = semaphore.posted
        semaphore.tokens.append(self.here(process))
        self.take_token(semaphore)

    # --- Conditions: asleep from the unlock on, and woken in that order

    def do_condition_wait(self, process, operation):
        condition = self.conditions[operation.object]
        if process in condition.woken:
            self.wake(condition, process)

    def wake(self, condition, process):
        operation = process.pending
        operation.sequence, point = condition.woken.pop(process)
        self.release(process, [point])

    def after_signal(self, process, operation):
        condition = self.conditions[operation.object]
        operation.value = len(condition.sleepers)
        condition.wakes += 1
        operation.sequence = condition.wakes
        for _ in range(operation.value if operation.name == 'broadcast' else min(1, operation.value)):
            sleeper = condition.sleepers.popleft()
            condition.woken[sleeper] = (condition.wakes, self.here(process))
            # Else it is still on its way to sleep, and will find that it need not.
            if sleeper.pending.name == 'condition-wait' and sleeper.began:
                self.wake(condition, sleeper)

    after_broadcast = after_signal

    # --- Barriers

    def do_barrier(self, process, operation):
        operation.sequence = self.generations[operation.object]
        here = self.barriers[operation.object]
        here.append(process)
        if len(here) == operation.value:
            del self.barriers[operation.object]
            self.generations[operation.object] += 1
            self.leave_together(here, linear=self.costs.exit == 'linear')

    def leave_together(self, members, linear):
        """The last to come of n leaves first when linear; else each has its place."""
        if linear:
            ranked = sorted(members, key=lambda process: (process.begin, process.number))
            lags = [self.costs.beta * (len(members) - rank) for rank in range(len(members))]
        else:
            ranked = sorted(members, key=lambda process: process.number)
            lags = [self.costs.lag(index) for index in range(len(members))]
        points = [(process.begin, process.number) for process in members]
        for process, lag in zip(ranked, lags):
            self.finish(process, max(points)[0] + lag, points)

    # --- Processes

    def do_create(self, process, operation):
        child = operation.program
        self.at(self.time + self.costs.spawn, process, self.begin_process, operation.to, child)
        operation.to = None
        self.local(process, operation)

    def do_join(self, process, operation):
        if operation.object in self.exited:
            self.release(process, [self.exited[operation.object]])
        else:
            self.joining[operation.object] = process

    def after_exit(self, process, operation):
        self.exited[operation.object] = self.here(process)
        if operation.object in self.joining:
            self.release(self.joining.pop(operation.object), [self.exited[operation.object]])
