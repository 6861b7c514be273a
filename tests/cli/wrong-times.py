#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times that cannot be right change no total, and everything that shows times says so; nothing else does."""
import json
import os
import struct

from cli import contains, equal, info, lightcone, main, record, test
from tables import run, write

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
PACKET = 272  # bytes of a packet's header
TOLD = '{} that cannot be right, and stand{}: lightcone check tells where'
ONE = TOLD.format('1 event has a time', 's at another')
TWO = TOLD.format('2 events have times', ' at others')


def flip(name, place, bit):
    with open(name, 'r+b') as file:
        file.seek(place)
        value, = struct.unpack('<Q', file.read(8))
        file.seek(place)
        file.write(struct.pack('<Q', value ^ 1 << bit))


def damage(bit):
    """The first event of a process that was recorded gets another time."""
    record(f'{EXAMPLES}/gauss', '--workers', '3', '--size', '60', output='whole.trace')
    os.system('cp -r whole.trace damaged.trace && rm -f damaged.trace/history*')
    flip('damaged.trace/ctf/process-1', PACKET, bit)


@test
def a_flipped_bit_changes_no_total():
    damage(62)
    whole, damaged = info('whole.trace'), info('damaged.trace')
    equal((damaged['span'], damaged['events'], damaged['wrong_times']), (whole['span'], whole['events'], 1))
    equal((whole['wrong_times'], whole['problems']), (0, 0))
    contains(run('info', 'damaged.trace'), f'Wrong times  {ONE}\n')
    equal('Wrong times' in run('info', 'whole.trace'), False)
    for bit in (40, 50, 63):  # from some minutes on
        flip('damaged.trace/ctf/process-1', PACKET, 62)
        flip('damaged.trace/ctf/process-1', PACKET, bit)
        equal(info('damaged.trace')['span'], whole['span'], f'with bit {bit}')
        flip('damaged.trace/ctf/process-1', PACKET, bit)
        flip('damaged.trace/ctf/process-1', PACKET, 62)


@test
def check_says_where_it_is():
    damage(62)
    result = lightcone('check', 'damaged.trace')
    equal((result.returncode, result.stderr), (1, ''))
    contains(result.stdout, 'ctf/process-1: a time after the end of the recording, or 73 years or more after its '
                            f'start (byte {PACKET})')
    equal(lightcone('check', 'whole.trace').returncode, 0)


@test
def whatever_shows_times_tells_it():
    damage(62)
    for arguments in (('stats', 'waiting'), ('stats', 'parallelism'), ('critical-path',), ('approximate',)):
        text = run(arguments[0], 'damaged.trace', *arguments[1:])
        contains(text, f'Note: {ONE}\n')
        equal('640,5' in text, False, f'a time of 73 years in {arguments}')
        for trace, wrong in (('damaged.trace', 1), ('whole.trace', None)):
            found = json.loads(run(arguments[0], trace, *arguments[1:], '--json'))
            equal(found.get('wrong_times'), wrong, f'{arguments} of {trace}')
    equal(lightcone('stats', 'damaged.trace', 'waiting', '--format', 'csv').stderr, f'lightcone: Note: {ONE}\n')
    contains(run('compare', 'whole.trace', 'damaged.trace'), f'Note: damaged.trace: {ONE}\n')


@test
def pictures_tell_it():
    damage(62)
    lightcone('export', 'damaged.trace', '-o', 'damaged.svg')
    lightcone('export', 'whole.trace', '-o', 'whole.svg')
    with open('damaged.svg', encoding='utf-8') as damaged, open('whole.svg', encoding='utf-8') as whole:
        contains(damaged.read(), ONE)
        equal('cannot be right' in whole.read(), False, 'a whole trace')


@test
def texts_have_them_too():
    huge = 1 << 61
    write('huge.trace', {'a': f'0 10 tag value=1\n{huge} {huge} tag value=2\n30 40 tag value=3\n',
                         'b': '5 10 tag value=1\n8 20 tag value=2\n'})
    found = info('huge.trace')
    equal((found['span'], found['wrong_times']), ({'begin': 0, 'end': 40}, 2))
    contains(run('stats', 'huge.trace', 'waiting'), f'Note: {TWO}\n')
    equal(json.loads(run('sql', '--json', 'huge.trace', 'SELECT "begin", "end" FROM event WHERE process = 0')),
          [{'begin': 0, 'end': 10}, {'begin': 10, 'end': 10}, {'begin': 30, 'end': 40}])


main()
