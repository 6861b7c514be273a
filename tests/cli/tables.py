# SPDX-License-Identifier: Apache-2.0
"""What the tests of commands that approximate share: tiny traces, and a timeline as a table."""
import json
import os

from cli import equal, lightcone


def write(name, processes, settings=''):
    """A text trace of processes with these lines, and its trace.ini."""
    os.makedirs(name)
    for process, text in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)
    if settings:
        with open(f'{name}/trace.ini', 'w', encoding='utf-8') as file:
            file.write(settings)


def run(*arguments):
    """What a command that ends well says."""
    result = lightcone(*arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of {arguments}')
    return result.stdout


def refuse(*arguments):
    """What a command complains of that says nothing else."""
    result = lightcone(*arguments)
    equal((result.returncode, result.stdout), (2, ''), f'status and output of {arguments} ({result.stderr})')
    return result.stderr


def approximate(trace, *options):
    return json.loads(run('approximate', trace, '--json', *options))


def timeline(trace, name):
    """Begin, end and waiting of each event, by process."""
    rows = json.loads(run('sql', '--json', trace, 'SELECT p.name AS name, e.begin, e."end", e.waited FROM event AS e '
                          f"JOIN process AS p ON p.id = e.process WHERE e.timeline = '{name}' "
                          'ORDER BY e.process, e.ordinal'))
    table = {}
    for row in rows:
        table.setdefault(row['name'], []).append((row['begin'], row['end'], row['waited']))
    return table


# b waits for a. Instrumentation: await 10 before, 12 inside and 20 after it, all others 35 after them.
WAIT = {
    'a': '500 540 advance A 1\n1000 1010 tag value=1\n',
    'b': '100 812 await A 1\n1000 1010 tag value=2\n',
}
WAIT_SETTINGS = '[overhead]\n*=0;0;35\nawait=10;12;20\n[cost]\nawait=90;260\n'
WAIT_EVENT = {
    'a': [(500, 540, 0), (965, 975, 0)],  # 1000 - 540 - 35 after the advance
    'b': [(90, 800, 450), (968, 978, 0)],  # 540 + 260; 1000 - 812 - 20 after the await
}
WAIT_TIME = {
    'a': [(500, 540, 0), (965, 975, 0)],
    'b': [(90, 790, 440), (958, 968, 0)],  # 812 - 100 - 12 from its begin; the wait is taken to be what it was
}
