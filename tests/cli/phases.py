# SPDX-License-Identifier: Apache-2.0
"""lightcone stats DIR phases: tiny traces and expected tables, and a recorded program whose rounds are known."""
import csv
import io
import json
import os
import sqlite3

from cli import equal, contains, lightcone, main, test
from tables import refuse, run, write

# Both tag their rounds. b's second round cannot begin before a has advanced in its own.
ROUNDS = {
    'a': '0 10 tag value=1\n20 30 advance A 0\n100 110 tag value=2\n130 140 advance A 1\n',
    'b': '0 10 tag value=1\n15 45 await A 0\n60 70 tag value=2\n80 150 await A 1\n160 165 tag value=1\n',
}


def table(trace, *options):
    """The rows of CSV; numbers are numbers."""
    rows = list(csv.reader(io.StringIO(run('stats', trace, 'phases', '--format', 'csv', *options))))
    return [[int(cell) if cell.isdigit() else cell for cell in row] for row in rows[1:]]


def phases(trace, definition):
    return json.loads(run('stats', trace, 'phases', '--json', '--phases', definition))


@test
def tags_are_phases():
    write('rounds', ROUNDS)
    equal(table('rounds'), [
        # phase, name, begin, end, events, time, computing, communication, waiting, transfer, slowest (its name and
        # time), preempted, outside
        [1, 1, 0, 45, 4, 75, 35, 40, 15, 25, 1, 'b', 45, 0, 0],
        [2, 2, 60, 165, 5, 230, 150, 80, 60, 20, 1, 'b', 120, 0, 0],
    ])
    found = phases('rounds', 'tag')
    equal((found['what'], found['timeline'], found['phases'], found['behind']), ('phases', 'measured', 'tag', 1))
    equal(set(found['phase'][0]), {'phase', 'name', 'begin', 'end', 'events', 'time', 'computing', 'communication',
                                   'waiting', 'transfer', 'slowest', 'slowest_name', 'slowest_time', 'preempted',
                                   'outside'})


@test
def each_process_has_its_share():
    write('rounds', ROUNDS)
    equal(table('rounds', '--per-process'), [
        [1, 1, 0, 'a', 2, 30, 20, 10, 0, 10, 0, 0],
        [1, 1, 1, 'b', 2, 45, 15, 30, 15, 15, 0, 0],
        [2, 2, 0, 'a', 2, 110, 100, 10, 0, 10, 0, 0],
        [2, 2, 1, 'b', 3, 120, 50, 70, 60, 10, 0, 0],
    ])


@test
def people_get_a_tidy_table():
    write('rounds', ROUNDS)
    equal(run('stats', 'rounds', 'phases'), '''\
What was done in each phase, timeline measured
  phases by tag
  1 event would have begun a phase before the one that its process was in, and stays there

  Phase  Begin     End  Events    Time  Computing  Waiting  Transfer  Slowest  Its time  Preempted  Outside
  1       0 ns   45 ns       4   75 ns      35 ns    15 ns     25 ns  b           45 ns       0 ns     0 ns
  2      60 ns  165 ns       5  230 ns     150 ns    60 ns     20 ns  b          120 ns       0 ns     0 ns
''')
    contains(run('stats', 'rounds', 'phases', '--limit', '1'), '... and 1 more (see --limit)')


@test
def a_barrier_ends_its_generation():
    write('meet', {'a': '0 10 tag value=1\n20 40 barrier B 0\n50 60 barrier B 1\n70 71 tag value=2\n',
                   'b': '30 40 barrier B 0\n45 60 barrier B 1\n'})
    equal([row[:6] for row in table('meet', '--phases', 'barrier')],
          [[0, 'generation 0', 0, 40, 3, 50], [1, 'generation 1', 45, 60, 2, 40], [2, 'generation 2', 70, 71, 1, 11]])


def definition(trace):
    return json.loads(run('stats', trace, 'phases', '--json'))['phases']


@test
def what_all_do_together_begins_a_phase_if_nothing_is_said():
    """A barrier comes before collective operations, these before parallel regions; of each the object used most."""
    team = '300 301 fork T 0\n302 303 team-start T 0\n310 311 team-end T 0\n312 320 team-join T 0 value=1\n'
    write('team', {'a': '0 5 fork S 0\n6 9 team-start S 0\n10 11 team-end S 0\n12 20 team-join S 0 value=1\n' + team +
                   team.replace('T 0', 'T 1').replace('3', '4')})
    equal((definition('team'), [row[1] for row in table('team')]), ('object:T', ['before', 'T #0', 'T #1']))
    rounds = ''.join(f'{time} {time + 40} all-reduce world {number} value=2\n'
                     for number, time in enumerate((20, 100, 200)))
    write('together', {'a': '0 5 lock m 1\n' + rounds + team, 'b': '0 10 all-reduce other 0 value=1\n' + rounds})
    equal(definition('together'), 'collective:world')
    equal([row[:6] for row in table('together')][:3],
          [[0, 'all-reduce world #0', 0, 60, 4, 60 + 60], [1, 'all-reduce world #1', 100, 140, 2, 80 + 80],
           [2, 'all-reduce world #2', 200, 240, 2, 100 + 100]])
    write('barrier', {'a': '0 9 barrier B 0\n' + rounds, 'b': '0 9 barrier B 0\n' + rounds})
    equal(definition('barrier'), 'barrier:B')


@test
def an_approximated_timeline_has_its_own_times():
    write('rounds', ROUNDS, '[overhead]\n*=0;0;5\n')
    run('approximate', 'rounds', '--json')
    measured, approximated = table('rounds'), table('rounds', '--timeline', 'event')
    equal([row[4] for row in measured], [row[4] for row in approximated], 'events')
    assert approximated[1][3] < measured[1][3], (measured, approximated)


@test
def rules_define_phases():
    write('rounds', ROUNDS)
    with open('own.rules', 'w', encoding='utf-8') as rules:
        rules.write('[phase step]\nclass=advance\nsummary=A step\noperation=advance\nobject=A*\n')
    found = json.loads(run('stats', 'rounds', 'phases', '--rules', 'own.rules', '--json'))
    equal((found['phases'], [(row['name'], row['events']) for row in found['phase']]),
          ('rule:step', [('before', 2), ('0', 4), ('1', 3)]))
    equal(json.loads(run('sql', 'rounds', '--rules', 'own.rules', '--json',
                         'SELECT name, class, operation, object, number, point FROM phase_rule')),
          [{'name': 'step', 'class': 'advance', 'operation': 'advance', 'object': 'A*', 'number': 'sequence',
            'point': 'begin'}])


@test
def the_history_keeps_them():
    write('rounds', ROUNDS)
    query = ('sql', 'rounds', '--json')
    run('merge', 'rounds')
    equal(json.loads(run(*query, 'SELECT * FROM phase')), [])
    run('stats', 'rounds', 'phases', '--phases', 'tag')
    equal(json.loads(run(*query, 'SELECT id, name, begin, "end", events FROM phase')), [
        {'id': 0, 'name': 'before', 'begin': None, 'end': None, 'events': 0},
        {'id': 1, 'name': '1', 'begin': 0, 'end': 45, 'events': 4},
        {'id': 2, 'name': '2', 'begin': 60, 'end': 165, 'events': 5}])
    run('stats', 'rounds', 'phases', '--phases', 'object:A')
    equal(json.loads(run(*query, "SELECT value FROM meta WHERE key = 'phases'")), [{'value': 'object:A'}])
    equal(run('stats', 'rounds', 'phases', '--phases', 'tag'), run('stats', 'rounds', 'phases', '--phases', 'tag'))


@test
def kept_phases_that_are_damaged_are_found_again():
    write('rounds', ROUNDS)
    whole = table('rounds')
    for damage in ("UPDATE phase_index SET data = x'70010203040506070809'", 'DELETE FROM phase_index WHERE process = 1',
                   'UPDATE phase SET events = events + 1 WHERE id = 1', 'DELETE FROM phase WHERE id = 1'):
        history = sqlite3.connect('rounds/history.lightcone')
        history.execute(damage)
        history.commit()
        history.close()
        equal(table('rounds'), whole, damage)
        equal(json.loads(run('sql', 'rounds', '--json', 'SELECT sum(events) AS events FROM phase')), [{'events': 9}])


@test
def what_cannot_be_written_is_found_all_the_same():
    write('rounds', ROUNDS)
    run('merge', 'rounds')
    os.chmod('rounds/history.lightcone', 0o444)
    before = os.stat('rounds/history.lightcone').st_mtime_ns
    equal(len(table('rounds')), 2)
    equal(os.stat('rounds/history.lightcone').st_mtime_ns, before)


@test
def rounds_of_a_recorded_program():
    gauss = os.path.join(os.environ['LIGHTCONE_EXAMPLES'], 'gauss')
    result = lightcone('record', '--no-calibrate', '-o', 'gauss.trace', '--', gauss, '--size', '60', '--workers', '4')
    equal(result.returncode, 0, f'the status of record ({result.stderr})')
    rows = range(59)
    # All workers but those that have run out of rows tag, and enter the region, once a row.
    equal([row['name'] for row in phases('gauss.trace', 'tag')['phase'] if row['phase'] > 0],
          [str(row) for row in rows])
    equal([row['name'] for row in phases('gauss.trace', 'region:eliminate')['phase'] if row['phase'] > 0],
          [str(row + 1) for row in rows])
    # Worker I broadcasts rows I - 1, I + 3 ... as versions 1, 2 ...; for `filled`, 0 stands for the empty buffer.
    for worker in range(4):
        found = phases('gauss.trace', f'object:output of worker {worker + 1}')['phase']
        equal([row['name'] for row in found if row['phase'] > 0],
              [f'output of worker {worker + 1} #{version}' for version in range(len(rows[worker::4]) + 1)])
    sums = [sum(row[key] for row in phases('gauss.trace', 'tag')['phase'])
            for key in ('events', 'time', 'waiting')]
    waiting = json.loads(run('stats', 'gauss.trace', 'waiting', '--json'))
    equal(sums[0], json.loads(run('info', 'gauss.trace', '--json'))['events'])
    equal(sums[1:], [waiting['span_total'], waiting['waiting_total']])


@test
def wrong_definitions_are_refused():
    write('rounds', ROUNDS)
    write('plain', {'a': '0 10 lock m 1\n'})
    contains(refuse('stats', 'rounds', 'phases', '--phases', 'rounds'), 'does not define phases; this does: tag')
    contains(refuse('stats', 'rounds', 'phases', '--phases', 'barrier'), 'no event begins a phase')
    contains(refuse('stats', 'rounds', 'phases', '--phases', 'rule:x'), '[phase x]')
    contains(refuse('stats', 'plain', 'phases'), 'say what begins a phase')
    contains(refuse('stats', 'rounds', 'waiting', '--phases', 'tag'), '--phases')
    contains(refuse('stats', 'rounds', 'waiting', '--per-process'), '--per-process')


main()
