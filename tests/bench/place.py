# SPDX-License-Identifier: Apache-2.0
"""Where the programs are that a benchmark runs, and how it runs them."""
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path


class Missing(Exception):
    """Something that a comparison needs is not there."""


class Failed(Exception):
    """A program did not do what it was run for."""


def say(text):
    """To someone who waits."""
    if sys.stderr.isatty():
        print(f'\r\033[K{text}', end='', file=sys.stderr, flush=True)


def run(*command, environment=None, folder=None):
    """What a program prints. Its errors are shown only if it fails."""
    result = subprocess.run([str(part) for part in command], env={**os.environ, **(environment or {})}, cwd=folder,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        raise Failed(f'{" ".join(map(str, command))}: status {result.returncode}\n{result.stderr or result.stdout}')
    return result


def need(program, package=None):
    path = shutil.which(program)
    if not path:
        raise Missing(f'{program} is not installed (package {package or program})')
    return path


def machine(folder):
    model = re.search(r'^model name\s*:\s*(.*)$', Path('/proc/cpuinfo').read_text(encoding='utf-8'), re.MULTILINE)
    mounts = [line.split()[1:3] for line in Path('/proc/mounts').read_text(encoding='utf-8').splitlines()]
    file_system = max((mount for mount in mounts if folder.is_relative_to(mount[0])), key=lambda mount: len(mount[0]))
    return dict(cpu=model[1] if model else platform.machine(), cpus=len(os.sched_getaffinity(0)),
                kernel=f'{platform.system()} {platform.release()}', file_system=file_system[1],
                load=os.getloadavg()[0])


def describe(about):
    return f'{about["cpu"]}, {about["cpus"]} CPUs, {about["kernel"]}; traces on {about["file_system"]}; ' \
        f'load at the start {about["load"]:.2f}'


def processor_seconds():
    """What all processors have worked, and what of it our own programs have that have ended."""
    fields = Path('/proc/stat').read_text(encoding='ascii').split('\n', 1)[0].split()[1:9]
    user, nice, system, _, _, hard, soft, steal = (int(field) / os.sysconf('SC_CLK_TCK') for field in fields)
    own = os.times()
    return user + nice + system + hard + soft + steal, own.children_user + own.children_system + own.user + own.system


class Undisturbed:
    """Repeats what other programs disturbed, but not for ever."""

    MOST = 0.02  # of what the processors could have worked meanwhile
    TRIES = 12

    def __init__(self):
        self.disturbed = 0

    def __call__(self, action):
        for tries in range(self.TRIES):
            begin, (all_before, own_before) = time.monotonic(), processor_seconds()
            result = action()
            all_after, own_after = processor_seconds()
            others = (all_after - all_before) - (own_after - own_before)
            if others <= self.MOST * os.cpu_count() * (time.monotonic() - begin):
                return result
            if tries < self.TRIES - 1:
                time.sleep(0.5)
        self.disturbed += 1
        return result


def size_of(folder):
    return sum(file.stat().st_size for file in Path(folder).rglob('*') if file.is_file())


def spread(values):
    """The median and the quartiles."""
    if len(values) == 1:
        return dict(median=values[0], low=values[0], high=values[0])
    low, median, high = statistics.quantiles(values, n=4, method='inclusive')
    return dict(median=median, low=low, high=high)


class Place:
    """Where the programs are, and where what they write goes."""

    def __init__(self, build, folder):
        self.lightcone = build / 'src/cli/lightcone'
        self.bench = build / 'tests/bench'
        self.examples = build / 'tests/examples'
        self.folder = folder
        self.trace = folder / 'trace'
        for program in (self.lightcone, self.bench / 'record-events'):
            if not program.exists():
                raise Failed(f'{program} is not there: build first, or say where (tests/bench/NAME BUILDDIR)')

    def program(self, name, package='liblttng-ust-dev'):
        if not (self.bench / name).exists():
            raise Missing(f'{name} was not built: the package {package} was not there')
        return self.bench / name

    def record(self, *command, options=()):
        """The command that records another one."""
        return [self.lightcone, 'record', '--quiet', '--no-calibrate', *options, '-o', self.trace, '--', *command]

    def info(self):
        """What was recorded: something, and all of it."""
        info = json.loads(run(self.lightcone, 'info', '--json', self.trace).stdout)
        if info['lost'] or not info['events']:
            raise Failed(f'{info["events"]} events recorded, {info["lost"]} lost')
        return info

    def warm(self, bytes_):
        """
        Has the system use and free as much memory as a trace will take. What a virtual machine has not used for some
        seconds its host may have to find again, which would cost more than all that is measured here.
        """
        path = self.folder / 'warm'
        chunk = bytes(1 << 17)
        with open(path, 'wb', buffering=0) as file:
            for _ in range(bytes_ // len(chunk) + 1):
                file.write(chunk)
        path.unlink()

    def forget(self):
        shutil.rmtree(self.trace, ignore_errors=True)
