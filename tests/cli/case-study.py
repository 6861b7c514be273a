#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The case study of the 1990 paper in logical time: rounds of broadcasts, and what its fault does to them."""
import json
import os

from cli import equal, lightcone, main, record, test

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
WORKERS = 4

# Each time that somebody has filled a buffer, and each time that somebody has taken what is in it.
FILLED = '''SELECT object.name AS buffer, sequence, layer FROM event JOIN object ON object.id = object
            WHERE operation = 'advance' AND sequence > 0 ORDER BY layer'''
TAKEN = '''SELECT object.name AS buffer, sequence, event.process, ordinal, layer, operation,
           (SELECT count(*) FROM arc WHERE to_process = event.process AND to_ordinal = event.ordinal) AS arcs
           FROM event JOIN object ON object.id = object WHERE operation IN ('await', 'read-start')
           ORDER BY event.process, ordinal'''


def gauss(variant):
    record(f'{EXAMPLES}/gauss', '--workers', str(WORKERS), '--size', '40', '--variant', variant)


def ask(query):
    result = lightcone('sql', '--json', 'out.trace', query)
    equal((result.returncode, result.stderr), (0, ''))
    return json.loads(result.stdout)


@test
def rounds_are_seen_in_layers():
    gauss('correct')
    filled, taken = ask(FILLED), ask(TAKEN)
    equal(len(filled), 39, 'rounds')
    for number, broadcast in enumerate(filled):
        of_it = [event for event in taken
                 if (event['buffer'], event['sequence']) == (broadcast['buffer'], broadcast['sequence'])]
        awaits = [event for event in of_it if event['operation'] == 'await']
        reads = [event for event in of_it if event['operation'] == 'read-start']
        # In the last rounds, those who have no rows below need none.
        receivers = min(WORKERS - 1, 39 - number)
        equal((len(awaits), len(reads)), (receivers, receivers), broadcast)
        equal({event['layer'] for event in awaits}, {broadcast['layer'] + 1}, 'all receive it in one layer')
        equal({event['layer'] for event in reads}, {broadcast['layer'] + 2}, 'all copy it in one layer')
        equal({event['arcs'] for event in of_it}, {1}, 'arcs')
        if number > 0:
            assert broadcast['layer'] > filled[number - 1]['layer'] + 2, 'a round begins before the last one ended'


@test
def the_fault_is_one_that_reads_before_the_fill_and_then_twice():
    gauss('faulty')
    taken = [event for event in ask(TAKEN) if event['operation'] == 'read-start']
    early = [event for event in taken if event['sequence'] == 0]
    assert early, 'nobody reads too early'
    equal({event['arcs'] for event in early}, {0}, 'arcs to what nobody has filled')
    equal({event['arcs'] for event in taken if event['sequence'] > 0}, {1}, 'arcs to what somebody has')
    for event in early:
        later = [other['sequence'] for other in taken if other['sequence'] > 0 and
                 (other['process'], other['buffer']) == (event['process'], event['buffer'])]
        assert len(later) > len(set(later)), f'{event} takes no row twice'


main()
