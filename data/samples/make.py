#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a recording as a text trace, which knows no machine, path or environment: make.py RECORDING TRACE TITLE.

LIGHTCONE is the lightcone to ask. Places in the source are kept with the names of files only.
"""
import configparser
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

KEPT = {'contended', 'interrupted', 'cancelled', 'timed-out', 'owner-died', 'unknown', 'again', 'fork', 'tried',
        'trapped', 'blind'}
SEQUENCED = {'thread': False, 'mark': False}  # all other classes count what is done to an object
HEAD, PACK, PREEMPTED = 64, struct.Struct('<IIIIQQQ'), 1 << 63


def ask(trace, query):
    return json.loads(subprocess.run([os.environ['LIGHTCONE'], 'sql', '--json', trace, query], check=True,
                                     stdout=subprocess.PIPE).stdout)


def escape(text):
    return re.sub('[ ;%@]', lambda found: f'%{ord(found[0]):02x}', text)


class Places:
    """Where operations were called, as the text trace says it."""

    def __init__(self, trace):
        self.stacks = {row['id']: row for row in ask(trace, 'SELECT id, parent, site FROM stack')}
        self.sites = {row['id']: row for row in ask(trace, 'SELECT id, function, file, line, library FROM site')}

    def frame(self, site):
        if site['library'] or not site.get('function') or not site.get('file'):
            return None  # nothing that a reader could look up
        return f'{escape(site["function"])}@{escape(os.path.basename(site["file"]))}:{site["line"]}'

    def key(self, stack):
        frames = []
        while stack is not None:
            frames.append(self.frame(self.sites[self.stacks[stack]['site']]))
            stack = self.stacks[stack].get('parent')
        frames = [frame for frame in frames if frame]
        return [f'at={";".join(frames)}'] if frames else []


def absences(trace):
    """When the threads were off their processors: thread -> [(begin, end, how)], in nanoseconds."""
    ini = configparser.ConfigParser(interpolation=None, strict=False)
    ini.read(trace / 'trace.ini')
    frequency, start = (float(ini['trace'][key]) for key in ('clock_frequency', 'clock_ticks'))
    data, found, at = (trace / 'switches-0').read_bytes(), {}, HEAD
    while at < len(data):
        _, count, _, thread, _, _, _ = PACK.unpack_from(data, at)
        at += PACK.size
        for begin, length in struct.iter_unpack('<QQ', data[at:at + 16 * count]):
            begin = (begin - start) * 1e9 / frequency
            end = begin + (length & ~PREEMPTED) * 1e9 / frequency
            how = 'preempted' if length & PREEMPTED else 'blocked'
            found.setdefault(thread, []).append((int(begin), int(end), how))
        at += 16 * count
    return found


def describe(event, places, classes):
    """The words of an event after its times."""
    words = [event['operation']]
    if event.get('object') is not None:
        words.append(f'o{event["object"]}')
        if SEQUENCED.get(classes[event['object']], True):
            words.append(str(event['sequence']) if event.get('sequence') is not None else '-')
    words += [f'{key}={event[key]}' for key in ('value', 'bytes') if event.get(key) is not None]
    words += [f'{flag}=1' for flag in event.get('flags', '').split(',') if flag in KEPT]
    return ' '.join(words + places.key(event.get('stack')))


def process_lines(trace, process, places, objects, away):
    """(time, line) of all that is known of a process."""
    events = ask(trace, f'SELECT * FROM event WHERE process = {process["id"]} ORDER BY ordinal')
    if process.get('pending_operation'):
        last = events.pop()  # the exit that tells until when it waited
        pending = {key[8:]: value for key, value in process.items() if key.startswith('pending_')}
        yield last['begin'], f'%pending {last["begin"]} {last["end"]} {describe(pending, places, objects)}'
    for event in events:
        yield event['begin'], f'{event["begin"]} {event["end"]} {describe(event, places, objects)}'
    for begin, end, how in away:
        if begin <= process['end'] and end >= process['begin']:
            yield begin, f'%absent {begin} {min(end, process["end"])} {how}'


def write_trace(recording, trace, title):
    places, away = Places(recording), absences(recording)
    objects = {row['id']: row for row in ask(recording, 'SELECT id, name, class, value FROM object')}
    classes = {number: row['class'] for number, row in objects.items()}
    trace.mkdir()
    (trace / 'trace.ini').write_text(f'[trace]\ntitle={title}\n')
    for process in ask(recording, 'SELECT * FROM process ORDER BY id'):
        lines = ['%lightcone-events 1', f'%process {process["name"]}']
        if process['id'] == 0:
            lines += [f'%object o{number} ' + (f'value={row["value"]} ' if row.get('value') else '') + row['name']
                      for number, row in objects.items()]
        lines += [f'%begin {process["begin"]}'] * bool(process.get('followed')) + ['%switches']
        lines += [line for _, line in sorted(process_lines(recording, process, places, classes,
                                                           away.get(process['thread'], [])), key=lambda pair: pair[0])]
        (trace / f'process-{process["id"]}.events').write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    write_trace(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
