#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone races says of small traces."""
import csv
import io
import json
import os

from cli import contains, equal, lightcone, main, record, test
from tables import refuse, run, write

# b takes L after a has, and could have been first; of K, the message keeps the order.
TRACE = {
    'a': '10 20 lock L 1 at=put@q.c:7\n100 110 unlock L 1 at=put@q.c:9\n120 130 lock K 1 at=get@q.c:20\n'
         '140 150 unlock K 1\n160 170 post S 1\n',
    'b': '30 120 lock L 2 at=get@q.c:17\n300 310 unlock L 2\n320 330 wait S 1\n340 350 lock K 2 at=get@q.c:20\n'
         '360 370 unlock K 2\n',
}
EXAMPLE = {'race': 1, 'kind': 'lock', 'object_name': 'L', 'pairs': 1, 'met': 0, 'ordered': 0, 'apart': 10,
           'first_process': 0, 'first_process_name': 'a', 'first_ordinal': 0, 'first_operation': 'lock',
           'first_site': 'put() q.c:7', 'first_function': 'put', 'first_file': 'q.c', 'first_line': 7,
           'second_process_name': 'b', 'second_ordinal': 0, 'second_site': 'get() q.c:17', 'second_from_process': None}


@test
def orders_by_chance_are_told_from_the_others():
    write('t', TRACE)
    found = json.loads(run('races', 't', '--json'))
    equal((found['pairs'], found['ordered'], found['events_lost']), (1, 1, 0))
    equal(len(found['race']), 1)
    equal({key: found['race'][0][key] for key in EXAMPLE}, EXAMPLE)
    text = run('races', 't')
    contains(text, '1 pair of neighbours is free; of 1, something else keeps the order')
    contains(text, 'put() q.c:7')
    rows = list(csv.DictReader(io.StringIO(run('races', 't', '--csv'))))
    equal([(row['kind'], row['second_line']) for row in rows], [('lock', '17')])


@test
def only_what_is_asked_for():
    write('t', TRACE)
    for options, races in ((('--object', 'L'), 1), (('--object', 'l*', '--object', '?'), 1), (('--object', 'K'), 0),
                           (('--kind', 'crew'), 0), (('--kind', 'lock'), 1), (('--from', '200ns'), 0),
                           (('--to', '200ns'), 1), (('--limit', '0'), 0)):
        equal(len(json.loads(run('races', 't', '--json', *options))['race']), races, str(options))


@test
def wrong_usage_is_told():
    write('t', TRACE)
    contains(refuse('races', 't', '--kind', 'luck'), '“luck”')
    contains(refuse('races', 't', '--from', 'soon'), '“soon”')
    contains(refuse('races', 't', '--format', 'xml'), '“xml”')
    contains(refuse('races', 'nowhere'), 'nowhere')


@test
def a_schedule_turns_a_race_round():
    write('t', TRACE, '[trace]\nprogram=q\ncommand=q --items "1 2"\n')
    equal(run('races', 't', '--schedule', '1', 'turned'), '')
    with open('turned', encoding='utf-8') as file:
        text = file.read()
    equal(text, '%lightcone-schedule 1\ntitle race 1: lock of L\nprogram q\nargument q\nargument --items\n'
          'argument 1 2\nprocess 1 - b\nprocess 0 - a\nevent 1:0 lock\nnth 0\nobject L\nsite get() q.c:17\n'
          'event 0:0 lock\nnth 0\nobject L\nsite put() q.c:7\norder 1:0 before 0:0\n')
    contains(run('races', 't', '--judge', 'turned'), 'possible: event 0 of b (lock of L in get() q.c:17)')
    with open('kept', 'w', encoding='utf-8') as file:
        file.write(text.replace('event 1:0 lock', 'event 1:3 lock').replace('object L', 'object K', 1)
                   .replace('q.c:17', 'q.c:20').replace('get() q.c:17', 'get() q.c:20')
                   .replace('order 1:0', 'order 1:3'))
    result = lightcone('races', 't', '--judge', 'kept')
    equal((result.returncode, result.stderr), (1, ''))
    contains(result.stdout, 'impossible: event 3 of b (lock of K in get() q.c:20)')
    write('other', {'a': TRACE['a'].replace('put@', 'set@'), 'b': TRACE['b']})
    contains(refuse('races', 'other', '--judge', 'turned'), 'turned: event 0:0 is lock of L at set() q.c:7 in the run')
    with open('wrong', 'w', encoding='utf-8') as file:
        file.write(text + 'order 1:0 after 0:0\n')
    contains(refuse('races', 't', '--judge', 'wrong'), 'wrong: line 18: an order is')
    contains(refuse('races', 't', '--schedule', '2', 'turned'), 'there is no race 2')
    contains(refuse('races', 't', '--schedule', '1'), '--schedule RACE')


@test
def what_is_recorded_has_places():
    record(os.path.join(os.environ['LIGHTCONE_EXAMPLES'], 'contention'), '--rounds', '20000', output='t')
    found = json.loads(run('races', 't', '--json'))
    locks = json.loads(run('sql', '--json', 't',
                           "SELECT process, object, sequence FROM event WHERE operation = 'lock'"))
    takers = {(lock['object'], lock['sequence']): lock['process'] for lock in locks}
    changes = sum(process != takers.get((taken, sequence + 1), process)
                  for (taken, sequence), process in takers.items())
    equal(found['pairs'] + found['ordered'] >= changes > 0, True, f'{found["pairs"]}, {found["ordered"]}, {changes}')
    equal(all(race['first_file'] for race in found['race']), True)


main()
