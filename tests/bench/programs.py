# SPDX-License-Identifier: Apache-2.0
"""Measures whole programs, bare and recorded by turns."""
import random
import time
from pathlib import Path

from place import Missing, Undisturbed, need, run, say, spread


def write_text(path, megabytes):
    """Text that can be compressed about as well as prose, and is the same each time."""
    chance = random.Random(1990)
    words = [''.join(chance.choices('etaoinshrdlucmfwypvbgkjqxz', k=chance.randint(2, 9))) for _ in range(4000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    with open(path, 'w', encoding='ascii') as file:
        for _ in range(megabytes):
            text = ' '.join(chance.choices(words, weights, k=190000))
            file.write(text[:1 << 20])


class Application:
    """A program, run bare and recorded by turns."""

    def __init__(self, place, name, title, command):
        self.place, self.name, self.title, self.command = place, name, title, command
        self.result = self.missing = None

    def once(self, recorded):
        """Seconds that passed, seconds of the processor, and seconds until `lightcone record` was done too."""
        result = self.place.folder / 'result'
        command = [self.place.bench / 'record-run', result, *self.command]
        self.place.warm(64 << 20)
        self.place.forget()
        begin = time.monotonic()
        run(*(self.place.record(*command) if recorded else command))
        whole = time.monotonic() - begin
        wall, cpu = map(float, result.read_text().split())
        return wall, cpu, whole

    def measure(self, pairs):
        try:
            need(self.command[0])
        except Missing as reason:
            self.missing = f'{self.title}: {reason}'
            return
        self.once(False)
        self.once(True)
        self.result = dict(what=self.name, command=' '.join(Path(str(word)).name for word in self.command),
                           **self.trace(), pairs=pairs)
        undisturbed = Undisturbed()
        bare, recorded = [], []
        for number in range(pairs):
            say(f'{self.title}: pair {number + 1} of {pairs}')
            for turn in (False, True) if number % 2 == 0 else (True, False):
                (recorded if turn else bare).append(undisturbed(lambda recorded=turn: self.once(recorded)))
        both = list(zip(bare, recorded))
        self.result |= dict(
            seconds=spread([wall for wall, _, _ in bare]),
            added_percent=spread([100 * (with_[0] / without[0] - 1) for without, with_ in both]),
            cpu_added_percent=spread([100 * (with_[1] / without[1] - 1) for without, with_ in both]),
            disturbed=undisturbed.disturbed,
            around_seconds=spread([whole - wall for wall, _, whole in recorded]))

    def trace(self):
        info = self.place.info()
        self.place.forget()
        return dict(events=info['events'], lost=info['lost'])


def applications(place, quick, wanted):
    text = place.folder / 'text'
    if not {'pigz', 'zstd'}.isdisjoint(wanted):
        write_text(text, 8 if quick else 64)
    return [
        Application(place, 'pigz', 'pigz -p 2', ['pigz', '-p', '2', '-k', '-f', text]),
        Application(place, 'zstd', 'zstd -T2', ['zstd', '-q', '-7', '-T2', '-f', text, '-o', place.folder / 'zst']),
        Application(place, 'gauss', 'gauss', [place.examples / 'gauss', '--size', '600' if quick else '1500',
                                              '--workers', '2']),
    ]
