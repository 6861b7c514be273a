#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The case study of the 1990 paper, section 5, typed into the shell of Scheme; the commands and SQL say the same."""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import contains, equal, lightcone, main, record, test  # noqa: E402 pylint: disable=wrong-import-position

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
WORKERS, SIZE = 4, 40


def gauss(variant='correct'):
    result = record(f'{EXAMPLES}/gauss', '--workers', str(WORKERS), '--size', str(SIZE), '--variant', variant)
    contains(result.stderr + result.stdout, 'gauss')


def type_into_shell(*lines):
    """What the shell answers to each line, as lists and numbers."""
    result = lightcone('script', 'out.trace',
                       input='\n'.join(f'{line}\n(display "\\n----\\n")' for line in lines) + '\n')
    equal((result.returncode, result.stderr), (0, ''), lines)
    return [answer.strip() for answer in result.stdout.split('----\n')][:len(lines)]


def read_rows(answer):
    """A table that print-table has printed; no name in it has a space."""
    names, *rows = [line.split() for line in answer.splitlines()]
    return [dict(zip(names, [int(cell) if cell.lstrip('-').isdigit() else cell for cell in row])) for row in rows]


def show(expression, *columns):
    """Prints columns of rows, processes and objects by their numbers."""
    cells = ' '.join(f"(plain (field row '{name}))" for name in columns)
    names = ' '.join(columns)
    return (f"(print-table (map (lambda (row) (list {cells})) {expression}) '({names}))")


PLAIN = '''(define (plain value)
  (cond ((process? value) (process-id value)) ((object? value) (object-id value)) ((string? value) (string-map
    (lambda (c) (if (char=? c #\\space) #\\_ c)) value)) ((not value) "none") (else value)))'''


def command(*arguments):
    result = lightcone(*arguments)
    equal((result.returncode in (0, 1), result.stderr), (True, ''), arguments)
    return json.loads(result.stdout or '[]')


def sql(query):
    return [tuple(row.values()) for row in command('sql', '--json', 'out.trace', query)]


@test
def rounds_are_seen_in_logical_time():
    """Figure 2: one layer after a row is complete all others take it, in one layer again they copy it."""
    gauss()
    _, answer = type_into_shell(PLAIN, show('(logical-rounds)', 'layer', 'process', 'object', 'sequence', 'takers',
                                            'first_layer', 'last_layer'))
    rounds = read_rows(answer)
    filled = [tuple(r[key] for key in ('layer', 'process', 'object', 'sequence')) for r in rounds]
    equal(sorted(filled), sorted(sql(
        "SELECT layer, process, object, sequence FROM event WHERE operation = 'advance' AND sequence > 0 "
        "UNION SELECT e.layer, e.process, e.object, e.sequence FROM event AS e JOIN arc ON from_process = e.process "
        "AND from_ordinal = e.ordinal WHERE e.operation = 'write-end' AND rule = 'write-end to read-start'")),
        'who supplied what, when')
    advanced = sql("SELECT layer FROM event WHERE operation = 'advance' AND sequence > 0 ORDER BY layer")
    equal(len(advanced), SIZE - 1, 'rounds')
    by_layer = {r['layer']: r for r in rounds}
    for number, (layer,) in enumerate(advanced):
        awaits = by_layer[layer]
        equal((awaits['takers'], awaits['first_layer'], awaits['last_layer']),
              (min(WORKERS - 1, SIZE - 1 - number), layer + 1, layer + 1), f'round {number}')


@test
def the_fault_is_found():
    """Figures 3 and 4: who reads before the buffer is filled is found, marked, and looked at."""
    gauss('faulty')
    found, marked, versions = type_into_shell(
        '(for-each (lambda (e) (format #t "~a ~a " (car e) (cdr e))) (early-takes))', '(display (mark-early-takes!))',
        "(for-each (lambda (e) (format #t \"~a \" (event-sequence e))) (marked 'early))")
    numbers = list(map(int, found.split()))
    early = set(zip(numbers[::2], numbers[1::2]))
    assert early, 'nobody reads too early'
    wanted = sql("SELECT process, ordinal FROM event AS e WHERE operation = 'read-start' AND sequence = 0 "
                 'AND NOT EXISTS (SELECT 1 FROM arc WHERE to_process = e.process AND to_ordinal = e.ordinal)')
    equal(early, set(wanted), 'events')
    told = command('check', '--json', 'out.trace')['early_read']
    assert {(one['process'], one['ordinal']) for one in told} <= early, 'what check tells'
    equal(int(marked), len(early), 'marks')
    equal(set(versions.split()), {'0'}, 'the versions that they took')
    equal(set(sql("SELECT process, ordinal FROM mark WHERE name = 'early'")), early, 'marks in SQL')
    result = lightcone('export', 'out.trace', '-o', 'early.svg', '--marks', 'early')
    equal((result.returncode, os.path.exists('early.svg')), (0, True), 'the picture')


@test
def nothing_is_early_in_the_correct_program():
    gauss()
    equal(type_into_shell('(write (early-takes))'), ['()'])


@test
def parallelism_is_that_of_the_command():
    """Figures 5, 6 and 7: its distribution, each change of it, and its average in 40 parts of the time."""
    gauss()
    _, distribution, trace, average = type_into_shell(
        PLAIN, show('(parallelism-histogram)', 'running', 'time'), show('(parallelism-trace)', 'time', 'running'),
        show('(parallelism-average)', 'begin', 'end', 'running'))
    told = command('stats', '--json', '--intervals', '40', 'out.trace', 'parallelism-history')['interval']
    equal([tuple(row.values()) for row in read_rows(average)],
          [(row['begin'], row['end'], row['running']) for row in told], 'averages')
    changes = [tuple(row.values()) for row in read_rows(trace)]
    times = {}
    for (begin, running), (end, _) in zip(changes, changes[1:]):
        times[running] = times.get(running, 0) + end - begin
    equal({row['running']: row['time'] for row in read_rows(distribution)},
          {running: time for running, time in times.items() if time}, 'the distribution of what is traced')
    parallelism = command('stats', '--json', 'out.trace', 'parallelism')
    equal(sum(row['running'] * row['time'] for row in read_rows(distribution)), parallelism['running_total'], 'in all')
    equal(max(running for _, running in changes), parallelism['highest'], 'at most')


@test
def the_startup_is_serial():
    """Figure 8: the master makes one worker after the other, and each waits to be let go."""
    gauss()
    _, answer = type_into_shell(PLAIN, show('(startup)', 'process', 'maker', 'made', 'started', 'waited', 'released'))
    master, *workers = read_rows(answer)
    equal((master['process'], master['maker'], len(workers)), (0, 'none', WORKERS), 'the master')
    made = [row['made'] for row in workers]
    assert made == sorted(set(made)), made
    for row in workers:
        equal(row['maker'], 0, 'who made it')
        (create,), = sql('SELECT e.begin FROM arc JOIN event AS e ON e.process = from_process AND e.ordinal = '
                         f"from_ordinal WHERE to_process = {row['process']} AND to_ordinal = 0")
        equal(row['made'], create, 'when it was made')
        first = sql(f"SELECT begin, waited, \"end\" FROM event WHERE process = {row['process']} AND waited > 0 "
                    'ORDER BY ordinal LIMIT 1')
        equal((row['waited'], row['released']), (first[0][1:] if first else ('none', 'none')), 'its first wait')
        assert row['started'] >= row['made'], row


@test
def communication_is_that_of_the_command():
    """Figures 9 to 12: how long who communicated, in all and by round; the transfer as a map, and its contours."""
    gauss()
    _, shares, rows, table, bands = type_into_shell(
        PLAIN, show('(communication-share)', 'process', 'computing', 'communication', 'transfer'),
        show('(communication-by-phase "tag")', 'phase', 'process', 'time', 'communication', 'waiting', 'transfer'),
        '(print-table (map (lambda (row) (map cdr (cdr row))) (transfer-by-phase "tag"))'
        f" '({' '.join(f'p{i}' for i in range(WORKERS + 1))}))",
        show("(contours (map (lambda (row) (field row 'transfer)) (communication-by-phase \"tag\")))", 'from', 'to',
             'cells'))
    told = command('stats', '--json', 'out.trace', 'waiting')['process']
    equal(len(read_rows(shares)), len(told), 'processes')
    told = command('stats', '--json', '--phases', 'tag', '--per-process', 'out.trace', 'phases')['phase']
    keys = ('time', 'communication', 'waiting', 'transfer')
    wanted = {(cell['name'], cell['process']): tuple(cell[key] for key in keys) for cell in told}
    cells = read_rows(rows)
    assert len(wanted) > SIZE, 'hardly any cells'
    # The command leaves out who has no event in a phase.
    equal([tuple(cell[key] for key in keys) for cell in cells],
          [wanted.pop((str(cell['phase']), cell['process']), (0,) * 4) for cell in cells],
          'each process in each phase')
    equal(wanted, {}, 'what is not there')
    equal([value for row in read_rows(table) for value in row.values()], [cell['transfer'] for cell in cells],
          'the map')
    for row in read_rows(shares):
        equal(row['transfer'], sum(cell['transfer'] for cell in cells if cell['process'] == row['process']),
              'transfer in all phases')
    limits = read_rows(bands)
    transfers = [cell['transfer'] for cell in cells]
    equal((limits[0]['from'], limits[-1]['to']), (min(transfers), max(transfers)), 'the range of the contours')
    for band, next_band in zip(limits, limits[1:]):
        equal(band['to'], next_band['from'], 'contours')
        equal(band['cells'], sum(band['from'] <= value < band['to'] for value in transfers), 'cells of a band')
    equal(sum(band['cells'] for band in limits), len(cells), 'cells')


main()
