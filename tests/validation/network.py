# SPDX-License-Identifier: Apache-2.0
"""What the virtual multiprocessor's operations, messages and measurement cost, and how trace.ini says so."""
from dataclasses import dataclass, field


@dataclass
class Network:
    """Messages: startup + bytes * per byte + hops * per hop, ns; short ones have costs of their own."""
    topology: str = 'none'
    long: tuple = (2000, 2, 100)
    limit: int = 0
    short: tuple = (0, 0, 0)

    def hops(self, a, b, processes):
        kind, _, size = self.topology.partition(':')
        if kind == 'full':
            return int(a != b)
        if kind == 'ring':
            return min((a - b) % processes, (b - a) % processes)
        if kind == 'hypercube':
            return bin(a ^ b).count('1')
        if kind in ('mesh', 'torus'):
            lengths = [int(length) for length in size.split('x')]
            steps = [abs(a % lengths[0] - b % lengths[0]), abs(a // lengths[0] - b // lengths[0])]
            if kind == 'torus':
                steps = [min(step, length - step) for step, length in zip(steps, lengths)]
            return sum(steps)
        return 0

    def takes(self, size, hops):
        startup, per_byte, per_hop = self.short if size < self.limit else self.long
        return round(startup + size * per_byte + hops * per_hop)

    def settings(self):
        lines = ['[communication]', 'model=linear', f'topology={self.topology}', f'long={_list(self.long)}']
        return lines + ([f'short={self.limit};{_list(self.short)}'] if self.limit else [])


# Figure 6 of the 1993 paper: the iPSC/860.
IPSC860 = Network('hypercube', long=(136000, 400, 33000), limit=100, short=(76000, 400, 11000))


@dataclass
class Costs:
    """The machine itself, without any measurement."""
    waiting: dict = field(default_factory=dict)  # operation: (not having to wait, after the wait is over)
    local: dict = field(default_factory=dict)    # operation: ns
    copy: int = 300
    exit: str = 'linear'                         # of barriers
    beta: int = 40
    spawn: int = 500                             # from the begin of a create to the process's first instruction
    network: Network = field(default_factory=Network)

    def nowait_and_wait(self, operation):
        return self.waiting.get(operation, (90, 260))

    def takes(self, operation):
        return self.local.get(operation, 15)

    def lag(self, index):
        """How long after the last has come the index-th process leaves, where that does not depend on the order."""
        if self.exit == 'logarithmic':
            return self.beta * (1 + index.bit_length())
        return self.beta if self.exit == 'simultaneous' else self.beta * (index + 1)

    def settings(self, operations):
        """As [cost], [barrier] and [communication] have it."""
        lines = ['[cost]', f'copy={self.copy}']
        lines += [f'{name}={_list(self.nowait_and_wait(name))}' for name in operations]
        lines += ['[barrier]', f'exit={self.exit}'] + ([f'beta={self.beta}'] if self.exit == 'linear' else [])
        return lines + self.network.settings()


@dataclass
class Overhead:
    """What the measurement costs: (before, inside, after), ns, of each event."""
    all: tuple = (0, 0, 0)
    operations: dict = field(default_factory=dict)
    varies: float = 0.0  # each by up to this part of it

    def of(self, operation):
        return self.operations.get(operation, self.all)

    def draw(self, random, operation):
        costs = self.of(operation)
        if not self.varies:
            return costs
        return tuple(round(cost * random.uniform(1 - self.varies, 1 + self.varies)) for cost in costs)

    def scaled(self, factor):
        def scale(costs):
            return tuple(round(cost * factor) for cost in costs)
        return Overhead(scale(self.all), {name: scale(costs) for name, costs in self.operations.items()}, self.varies)

    def settings(self):
        return ['[overhead]', f'*={_list(self.all)}',
                *[f'{name}={_list(costs)}' for name, costs in self.operations.items()]]


def _list(numbers):
    return ';'.join(str(number) for number in numbers)
