# SPDX-License-Identifier: Apache-2.0
"""Merges a made-up trace in turns with OTF2's reader of the same events, and asks the history."""
import os
import shutil
import statistics
import subprocess
import time

from place import Failed, Missing, processor_seconds, run, say

OTF2_PACKAGE = 'libopen-trace-format2-dev'
OTF2_LARGEST = 20_000_000  # events of an archive: it is on the disk together with the trace
BYTES_OF_EVENT = 80  # trace, history, and what is made aside


def percentile(values, percent):
    """The smallest value that so many are not above."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def watch(*command):
    """Seconds by the clock, of the processor, and the largest memory (bytes) of a program; how busy others were."""
    begin, (all_before, own_before) = time.monotonic(), processor_seconds()
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    seconds = time.monotonic() - begin
    all_after, own_after = processor_seconds()
    if process.returncode != 0:
        raise Failed(f'{" ".join(map(str, command))}: status {process.returncode}\n{errors}')
    others = (all_after - all_before) - (own_after - own_before)
    return dict(seconds=seconds, cpu_seconds=usage.ru_utime + usage.ru_stime, peak_bytes=usage.ru_maxrss * 1024,
                others=max(0.0, others / (os.cpu_count() * seconds)))


class Case:
    """A trace of so many events."""

    def __init__(self, place, processes, events, rounds, queries):
        self.place, self.processes, self.events, self.rounds, self.queries = place, processes, events, rounds, queries
        self.name = f'{processes}x{events // 1000000}M' if events % 1000000 == 0 else f'{processes}x{events}'
        self.archive = place.folder / 'archive'
        self.history = place.trace / 'history.lightcone'
        self.merges, self.otf2, self.bytes, self.missing = [], [], 0, []
        self.answers = {}
        self.path = []

    def measure(self):
        try:
            self.make()
            self.merge()
            self.ask()
            self.walk()
        finally:
            self.place.forget()
            shutil.rmtree(self.archive, ignore_errors=True)

    def make(self):
        if shutil.disk_usage(self.place.folder).free < self.events * BYTES_OF_EVENT:
            raise Missing(f'{self.name}: {self.events * BYTES_OF_EVENT / 1e9:.0f} GB of the disk would be needed')
        say(f'{self.name}: making the trace')
        run(self.place.bench / 'make-trace', self.place.trace, '--processes', self.processes, '--events', self.events)
        try:
            if self.events > OTF2_LARGEST:
                raise Missing(f'{self.name} was not read with OTF2: it is too large to have twice')
            self.place.program('read-otf2', OTF2_PACKAGE)
            run(self.place.bench / 'write-otf2', self.place.trace, self.archive)
        except Missing as missing:
            self.missing.append(str(missing))
        self.place.warm(self.events * 30)

    def merge(self):
        for number in range(self.rounds):
            say(f'{self.name}: merge {number + 1} of {self.rounds}')
            self.history.unlink(missing_ok=True)
            self.merges.append(watch(self.place.lightcone, 'merge', self.place.trace))
            if self.archive.exists():
                self.read_otf2()
        self.bytes = self.history.stat().st_size

    def read_otf2(self):
        count, seconds = run(self.place.bench / 'read-otf2', self.archive / 'archive.otf2').stdout.split()
        if int(count) != self.events:
            raise Failed(f'OTF2 reads {count} events of {self.events}')
        self.otf2.append(float(seconds))

    def ask(self):
        say(f'{self.name}: queries')
        for arguments in [('first',)] * 7 + [('windows', self.queries, 1), ('points', self.queries, 1)]:
            for line in run(self.place.bench / 'query-history', self.history, *arguments).stdout.splitlines():
                kind, number = line.split()
                if kind != 'events':
                    self.answers.setdefault(kind, []).append(int(number))
                elif int(number) != self.events:
                    raise Failed(f'the history has {number} events of {self.events}')

    def walk(self):
        """The critical path."""
        for _ in range(self.rounds):
            say(f'{self.name}: critical path')
            try:
                self.path.append(watch(self.place.lightcone, 'critical-path', '--json', self.place.trace))
            except Failed as failure:
                self.missing.append(f'{self.name}: {" ".join(str(failure).splitlines()[-1:])}')
                return

    # What came of it.

    def rate(self, merges=None):
        """Events a second of the median merge."""
        return self.events / statistics.median(merge['seconds'] for merge in merges or self.merges)

    def windows(self):
        kinds = [kind for kind in self.answers if kind.startswith(('time', 'layer'))]
        return [value for kind in kinds for value in self.answers[kind]]

    def result(self):
        result = dict(name=self.name, processes=self.processes, events=self.events, merges=self.merges,
                      events_per_second=self.rate(), best_events_per_second=max(self.rate([m]) for m in self.merges),
                      peak_bytes=max(merge['peak_bytes'] for merge in self.merges),
                      others=max(merge['others'] for merge in self.merges), bytes_per_event=self.bytes / self.events)
        if self.otf2:
            otf2 = self.events / statistics.median(self.otf2)
            result.update(otf2_events_per_second=otf2, otf2_ratio=result['events_per_second'] / otf2)
        result['open_ms'] = statistics.median(self.answers['open']) / 1e6
        result['first_ms'] = statistics.median(self.answers['first']) / 1e6
        for kind, values in [('window', self.windows()), *self.answers.items()]:
            result[kind] = dict(count=len(values), p50_ms=percentile(values, 50) / 1e6,
                                p99_ms=percentile(values, 99) / 1e6, max_ms=max(values) / 1e6)
        if self.path:
            result['critical_path_seconds'] = statistics.median(path['seconds'] for path in self.path)
            result['critical_path_peak_bytes'] = max(path['peak_bytes'] for path in self.path)
        return result
