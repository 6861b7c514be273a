# SPDX-License-Identifier: Apache-2.0
"""What is validated with the virtual multiprocessor: functions that run cases, and return or yield rows (truth.Row)."""
import os
from functools import partial

import papers
import programs
from truth import approximate, ask_what_if, place, run_both, run_changed

# Programs whose events are the same, in the same order, bare and measured: (how, with how many rounds it is long).
DETERMINED = {
    'independent': (programs.independent, 400),
    'doacross': (programs.doacross, 400),
    'locks in turn': (programs.locks_in_turn, 60),
    'crew': (programs.crew, 40),
    'semaphores': (programs.semaphores, 150),
    'conditions': (programs.conditions, 15),
    'linear barriers': (partial(programs.barriers, leave='linear'), 80),
    'simultaneous barriers': (partial(programs.barriers, leave='simultaneous'), 80),
    'logarithmic barriers': (partial(programs.barriers, leave='logarithmic'), 80),
    'sequential barriers': (partial(programs.barriers, leave='sequential'), 80),
    'threads': (programs.threads, 200),
    'messages, no topology': (partial(programs.messages, topology='none'), 80),
    'messages, full': (partial(programs.messages, topology='full'), 80),
    'messages, ring': (partial(programs.messages, topology='ring'), 80),
    'messages, mesh': (partial(programs.messages, topology='mesh'), 80),
    'messages, torus': (partial(programs.messages, topology='torus'), 80),
    'messages, hypercube': (partial(programs.messages, topology='hypercube'), 80),
    'rendezvous': (programs.rendezvous, 80),
    'messages in the background': (programs.background, 60),
    'busy-wait for messages': (partial(programs.background, polls=True), 60),
    'collectives': (programs.collectives, 12),
}
# Programs in which who comes first is decided by time.
DECIDED = {
    'locks by chance': (programs.locks_by_chance, 100),
    'crew by chance': (programs.crew_by_chance, 100),
    'tokens by chance': (programs.tokens_by_chance, 100),
    'self-scheduled loop': (programs.self_scheduled, 400),
}
# How many times the instrumentation of the 1991 paper makes each loop take 50 times as long.
FIFTY = {3: 12, 4: 18, 17: 4}
PROCESSORS = (2, 4, 8)
SEEDS = (1, 2, 3)


class Study:
    """Puts each trace into a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.traces = 0

    def place(self, pair, given=True):
        self.traces += 1
        return place(pair, os.path.join(self.folder, f'{self.traces}.trace'), given)

    def row(self, case, program, model='event', options=(), given=True, **run):
        """Runs a program both ways, and approximates the one from the other."""
        pair = run_both(program, **run)
        return approximate(pair, self.place(pair, given), case, model, options)[0]

    # --- Classes of operations

    def exact(self, name, processors, seed, **how):
        """The overheads are what trace.ini says they are."""
        make, _ = {**DETERMINED, **DECIDED}[name]
        return self.row(f'{name}, seed {seed}', make(processors, seed), **how)

    def varied(self, name, processors, seed, **how):
        """Each overhead is up to 30 % more or less."""
        make, rounds = {**DETERMINED, **DECIDED}[name]
        return self.row(f'{name}, seed {seed}', make(processors, seed, rounds), seed=seed, varies=0.3, **how)

    def unmeasured(self, name, processors, seed):
        """There was no measurement, and nothing is known of costs: nothing may move."""
        make, _ = {**DETERMINED, **DECIDED}[name]
        program = make(processors, seed)
        program.overhead = program.overhead.scaled(0)
        return self.row(f'{name}, seed {seed}', program, given=False, ideal_polls=False)

    def what_if(self, name, processors, seed, factor, models=('auto',)):
        """Every other process computes for another time; a row for each model."""
        make, _ = {**DETERMINED, **DECIDED}[name]
        pair = run_changed(make(processors, seed), factor)
        folder = self.place(pair)
        return [ask_what_if(pair, folder, f'{name}, what if {factor}', factor, model) for model in models]

    # --- The papers

    def livermore(self, number, models=('event', 'time'), scale=1.0, **run):
        """Tables 1 and 2 of the 1991 paper; a row for each model."""
        pair = run_both(papers.livermore(number, scale=scale), **run)
        folder = self.place(pair)
        return [approximate(pair, folder, f'loop {number}', model)[0] for model in models]

    def barrier_loop(self, processors, alpha, leave='linear', **run):
        """Figure 5 of the 1993 paper."""
        return self.row(f'barrier loop, alpha {alpha}', papers.barrier_loop(processors, alpha, leave), **run)

    def ocean(self, processors, decreasing, models=('event', 'optimistic', 'pessimistic'), **run):
        """Figure 6: a row for each model, and the events that each found."""
        def events(process, transpose):
            return max(1, 512 // processors) if decreasing else 60
        pair = run_both(papers.ocean(processors, events), **run)
        folder = self.place(pair)
        case = f'transposes, {"decreasing" if decreasing else "constant"} events'
        return pair, [approximate(pair, folder, case, model) for model in models]

    def blind_ocean(self, processors, **run):
        """Figure 7: a row for each policy. Some processes record much more than others."""
        def events(process, transpose):
            return 4 + 12 * ((process * 5 + transpose * 3) % 7)
        pair = run_both(papers.ocean(processors, events, blind=True), **run)
        folder = self.place(pair)
        rows = {policy: approximate(pair, folder, f'blind transposes, {policy}', options=['--blind', policy])[0]
                for policy in ('preserve', 'lifo', 'fifo')}
        return pair, rows

    def pi(self, processors, **run):
        return self.row('pi', papers.pi(processors), **run)
