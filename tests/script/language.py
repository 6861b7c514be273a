#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Scheme sees of a history is what SQL and the other commands say of it."""
import json
import os
import random
import re
import shutil
import sys
import tarfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position

DATA = os.environ['LIGHTCONE_TEST_DATA']
DOCS = os.environ['LIGHTCONE_DOCS']

# Prints lists as JSON, which Python can read.
PRELUDE = r'''
(define (json x)
  (cond ((eq? x #t) "true") ((eq? x #f) "null") ((symbol? x) (format #f "~s" (symbol->string x)))
        ((string? x) (format #f "~s" x)) ((number? x) (format #f "~a" x))
        ((and (pair? x) (not (list? x))) (json (list (car x) (cdr x))))
        ((vector? x) (json (vector->list x)))
        (else (string-append "[" (string-join (map json x) ", ") "]"))))
(define (tell x) (display (json x)) (newline))
'''


def copy_workers():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')


def write_long(rounds=3000, seed=3):
    """More events of a process than there are in a batch of a fold, and some of them take no time."""
    chance = random.Random(seed)
    os.mkdir('trace')
    now, lines = [0, 0], [[], []]
    for number in range(1, rounds + 1):
        now[0] += chance.randint(0, 90)
        length = chance.choice([0, 0, 10])
        lines[0].append(f'{now[0]} {now[0] + length} advance A {number}')
        now[0] += length
        if chance.random() < 0.6:
            lines[0].append(f'{now[0]} {now[0]} tag value={number}')
        begin = now[1] + chance.randint(0, 60)
        end = max(begin, now[0]) + 5
        lines[1].append(f'{begin} {end} await A {number}')
        now[1] = end
    for name, of_it in (('a', lines[0]), ('b', lines[1])):
        with open(f'trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + '\n'.join(of_it) + '\n')


def scheme(text, *options):
    """What each (tell ...) of a script gives."""
    with open('try.scm', 'w', encoding='utf-8') as file:
        file.write(PRELUDE + text)
    result = lightcone('script', *options, 'trace', 'try.scm')
    equal((result.returncode, result.stderr), (0, ''), text)
    return [json.loads(line) for line in result.stdout.splitlines()]


def sql(query):
    result = lightcone('sql', '--json', 'trace', query)
    equal((result.returncode, result.stderr), (0, ''), query)
    return [list(row.values()) for row in json.loads(result.stdout or '[]')]


def command(*arguments):
    result = lightcone(*arguments)
    equal((result.returncode, result.stderr), (0, ''), f'status and errors of {arguments}')
    return json.loads(result.stdout)


@test
def events_are_what_sql_says():
    for make in (copy_workers, write_long):
        make()
        found, = scheme('''(tell (map (lambda (e) (list (event-process e) (event-ordinal e) (event-operation e)
            (event-object e) (event-sequence e) (event-begin e) (event-end e) (event-waited e) (event-woken e)
            (event-preempted e) (event-layer e) (event-cpu e) (event-value e) (event-bytes e) (event-peer e)
            (and=> (time-basis e) car) (and=> (time-basis e) cdr))) (events)))''')
        equal(found, sql('SELECT process, ordinal, operation, object, sequence, begin, "end", waited, woken, '
                         'preempted, layer, cpu, value, bytes, peer, basis_process, basis_ordinal FROM event '
                         'ORDER BY process, ordinal'), 'events')
        shutil.rmtree('trace')


@test
def arcs_are_what_sql_says():
    for make in (copy_workers, write_long):
        make()
        wanted = sql('SELECT from_process, from_ordinal, to_process, to_ordinal, from_point, kind, object, rule, '
                     'from_time, to_time FROM arc ORDER BY to_process, to_ordinal, from_process, from_ordinal')
        show = '''(define (show a) (list (car (arc-from a)) (cdr (arc-from a)) (car (arc-to a)) (cdr (arc-to a))
            (arc-from-point a) (arc-kind a) (arc-object a) (arc-rule a) (arc-from-time a) (arc-to-time a)))'''
        folded, into, out = scheme(show + '''
            (tell (reverse (fold-arcs (lambda (a all) (cons (show a) all)) '())))
            (tell (append-map (lambda (e) (map show (arcs-in e))) (events)))
            (tell (append-map (lambda (e) (map show (arcs-out e))) (events)))''')
        for found in (folded, into, out):
            equal(sorted(map(str, found)), sorted(map(str, wanted)), 'arcs')
        equal([arc[2:4] for arc in folded], [arc[2:4] for arc in wanted], 'the order of arcs')
        shutil.rmtree('trace')


@test
def folds_see_what_their_filters_let_through():
    write_long()
    middle, end = sql('SELECT avg("end"), max("end") FROM event')[0]
    middle, end = int(middle), int(end)
    touched = sql(f'SELECT count(*) FROM event WHERE process = 0 AND begin < {end} AND "end" >= {middle}')[0][0]
    of_operation = sql("SELECT count(*) FROM event WHERE operation IN ('tag', 'await')")[0][0]
    at_once = sql('SELECT count(*) FROM event AS e WHERE EXISTS (SELECT 1 FROM event AS f WHERE f.process = e.process '
                  'AND f.ordinal = e.ordinal - 1 AND f."end" = e.begin AND e.begin = e."end")')[0][0]
    assert at_once > 10, 'no events that take no time follow each other'
    found = scheme(f'''
      (define (count . keys) (apply fold-events (lambda (e n) (1+ n)) 0 keys))
      (tell (count))
      (tell (count #:process 0 #:from {middle} #:to {end}))
      (tell (count #:operation '(tag await)))
      (tell (count #:object "A"))
      (tell (count #:process "b" #:operation 'await #:object "A" #:to {middle}))
      (tell (length (filter (lambda (e) (and (< (event-begin e) {middle + 3}) (>= (event-end e) {middle}))) (events))))
      (tell (count #:from {middle} #:to {middle + 3}))
      (tell (fold-arcs (lambda (a n) (1+ n)) 0 #:process 1 #:from {middle}))''')
    awaits = sql(f"SELECT count(*) FROM event WHERE operation = 'await' AND begin < {middle}")[0][0]
    equal(found[:5], [sql('SELECT count(*) FROM event')[0][0], touched, of_operation, 6000, awaits], 'counts')
    equal(found[6], found[5], 'the events of a moment')
    equal(found[7], sql(f'SELECT count(*) FROM arc WHERE to_process = 1 AND to_time >= {middle}')[0][0], 'arcs')


@test
def columns_are_what_sql_says():
    write_long()
    found, = scheme('''(tell (map s64vector->list (event-columns "a" '(ordinal begin duration waited layer
                                                                       sequence value peer object) #:from 500)))''')
    rows = sql('SELECT ordinal, begin, "end" - begin, waited, layer, sequence, value, peer, object FROM event '
               'WHERE process = 0 AND "end" >= 500')
    equal(found, [[-1 if row[i] is None else row[i] for row in rows] for i in range(9)], 'columns')
    empty, = scheme("(tell (map s64vector->list (event-columns 0 '(begin) #:operation 'await)))")
    equal(empty, [[]], 'a column of nothing')


def ancestors(events, arcs):
    """The past of each event as a set, by hand; for arcs from ends."""
    before, past = {}, {}
    for process, ordinal, *_ in events:
        before[process, ordinal] = {(process, ordinal - 1)} if ordinal > 0 else set()
    for from_process, from_ordinal, to_process, to_ordinal, point in arcs:
        equal(point, 'end', 'where an arc comes from')
        before[to_process, to_ordinal].add((from_process, from_ordinal))
    for event in before:
        todo, seen = [event], {event}
        while todo:
            for other in before[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        past[event] = seen
    return past


@test
def causality_follows_arcs():
    os.mkdir('trace')
    texts = {'a': '0 1 tag\n10 11 advance A 1\n20 21 tag\n30 90 await B 1\n95 96 tag\n',
             'b': '0 1 tag\n5 15 await A 1\n30 31 tag\n80 81 advance B 1\n85 86 tag\n', 'c': '0 1 tag\n50 60 tag\n'}
    for name, text in texts.items():
        with open(f'trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + text)
    past = ancestors(sql('SELECT process, ordinal FROM event'),
                     sql('SELECT from_process, from_ordinal, to_process, to_ordinal, from_point FROM arc'))
    found = scheme('''
      (define all (events))
      (define (related test) (append-map (lambda (e) (filter-map (lambda (f) (and (test e f) (list e f))) all)) all))
      (tell (related (lambda (e f) (in-past? (past e) f))))
      (tell (related (lambda (e f) (in-future? (future f) e))))
      (tell (related happened-before?))
      (tell (related concurrent?))
      (tell (append-map (lambda (e) (map (lambda (f) (list e f)) (predecessors e))) all))
      (tell (append-map (lambda (e) (map (lambda (f) (list f e)) (successors e))) all))
      (tell (events #:past-of '(1 . 2)))
      (tell (events #:future-of '(1 . 2)))''')
    pairs = [{(tuple(one), tuple(other)) for one, other in relation} for relation in found[:6]]
    equal(pairs[0], {(event, other) for event in past for other in past[event]}, 'the past')
    equal(pairs[1], pairs[0], 'the future, seen from the other side')
    equal(pairs[2], {(other, event) for event, other in pairs[0] if other != event}, 'happened before')
    equal(pairs[3], {(e, f) for e in past for f in past if e not in past[f] and f not in past[e]}, 'concurrent')
    assert pairs[3], 'nothing is concurrent'
    equal(pairs[4], pairs[5], 'predecessors and successors')
    equal(len(pairs[4]), 12 - 3 + 2, 'steps of processes, and arcs')
    equal({tuple(event) for event in found[6]}, past[1, 2], 'a fold over the past')
    equal({tuple(event) for event in found[7]}, {e for e in past if (1, 2) in past[e]}, 'a fold over the future')


@test
def analyses_give_what_the_commands_print():
    copy_workers()
    for name, key in (('waiting', 'process'), ('objects', 'object'), ('operations', 'operation'), ('matrix', 'matrix'),
                      ('object-uses', None), ('processors', None), ('waits', None), ('slack', None)):
        told = command('stats', 'trace', name, '--json')
        wanted = next(value for value in told.values() if isinstance(value, list) and value)
        found, = scheme(f"(tell (map (lambda (row) (map (lambda (f) (list (car f) (cdr f))) row)) (stats '{name})))")
        assert len(found) == len(wanted) > 0, (name, found)
        for one, other in zip(found, wanted):
            same = {word: value for word, value in one if word in other and word not in ('operation',)}
            assert len(same) >= 3, (name, one, other)
            equal(same, {word: other[word] for word in same}, name)
    found, = scheme("(tell (map (lambda (name) (field (stats 'parallelism) name)) '(average running lowest highest)))")
    told = command('stats', 'trace', 'parallelism', '--json')
    equal(found[1:], [told['running_total'], told['lowest'], told['highest']], 'parallelism')
    assert abs(found[0] - told['average']) < 1e-6, 'the average parallelism'


@test
def the_critical_path_is_that_of_the_command():
    copy_workers()
    told = command('critical-path', 'trace', '--json', '--events')
    found = scheme('''(define path (critical-path))
      (tell (map (lambda (name) (field path name)) '(begin end computing inside passing hops)))
      (tell (critical-path-events path))''')
    text = json.dumps(told)
    for name, value in zip(('computing', 'inside', 'passing', 'hops'), found[0][2:]):
        contains(text, f'"{name}": {value}')
    ordinals = {(segment['process'], segment['ordinal']) for segment in told['event']
                if segment['ordinal'] is not None}
    equal({tuple(event) for event in found[1]}, ordinals, 'events on the path')


@test
def approximations_add_timelines():
    copy_workers()
    with open('trace/trace.ini', 'w', encoding='utf-8') as file:
        file.write('[overhead]\n*=0;0;35\n')
    found = scheme('''
      (define made (approximate #:name "less"))
      (tell (map (lambda (name) (field made name)) '(measured_total approximated_total moved model)))
      (define scaled (what-if '(("queue" . 0.5))))
      (tell (field scaled 'approximated_total))
      (tell (map timeline-name (history-timelines)))
      (tell (map event-end (events #:process 1)))
      (tell (with-timeline 'less (map event-end (events #:process 1))))
      (tell (with-timeline "what-if" (history-total)))
      (tell (map event-end (events #:process 1)))''')
    times = sql("SELECT \"end\" FROM event WHERE process = 1 AND timeline = 'less' ORDER BY ordinal")
    told = command('approximate', 'trace', '--json')
    equal(found[0], [told[name] for name in ('measured_total', 'approximated_total', 'moved', 'model')], 'totals')
    equal(found[1], command('what-if', 'trace', '--scale', 'queue=0.5', '--json')['approximated_total'], 'what if')
    equal(found[2], ['measured', 'less', 'what-if'], 'timelines')
    equal(found[4], [time for time, in times], 'times on the new timeline')
    assert found[3] != found[4], 'nothing has moved'
    equal(found[5], found[1], 'the total within with-timeline')
    equal(found[6], found[3], 'the measured times are back')


@test
def reports_are_rows():
    """What has no values of its own is what the command prints, by the names that programs read."""
    with tarfile.open(os.path.join(DATA, '..', 'draw', 'recorded', 'gauss.tar.xz')) as archive:
        archive.extractall()
    os.rename('gauss', 'trace')
    for name, by in (('blame', None), ('blame', 'module'), ('ratio', None), ('waiting-history', None), ('marks', None),
                     ('slack', 'event'), ('slack', 'site'), ('waits', 'event')):
        told = command('stats', 'trace', name, *(('--by', by) if by else ()), '--limit', '1000000', '--json',
                       *(('--intervals', '100') if name == 'waiting-history' else ()))
        wanted = next((value for value in told.values() if isinstance(value, list) and value), [])
        found, = scheme(f"(tell (map (lambda (row) (map (lambda (f) (list (car f) (cdr f))) row)) "
                        f"(stats '{name} #:by {by and chr(39) + by or '#f'} #:parts 100)))")
        equal(len(found), len(wanted), f'rows of {name} by {by}')
        for one, other in zip(found, wanted):
            values = {word: value for word, value in one if isinstance(value, (int, str)) and word in other}
            assert len(values) >= 2, (name, one, other)
            equal(values, {word: other[word] for word in values}, f'{name} by {by}')


@test
def races_and_comparisons_are_rows():
    copy_workers()
    races = command('races', 'trace', '--json')['race']
    found, = scheme("""(tell (map (lambda (row) (map (lambda (name) (field row name))
                                                 '(kind object pairs met ordered slack apart))) (races)))""")
    equal([[row[key] for key in ('kind', 'object', 'pairs', 'met', 'ordered', 'slack', 'apart')] for row in races],
          found, 'races')
    told = command('compare', 'trace', 'trace', '--json')
    found, = scheme("""(let ((row (compare (open-history "trace"))))
                         (tell (map (lambda (name) (field row name)) '(pairs alone differing order times))))""")
    equal(found[1:], [[0, 0], 0, [], []], 'a run and itself')
    assert found[0] > 0, told


@test
def explanations_and_predictions_are_those_of_the_commands():
    copy_workers()
    command('what-if', 'trace', '--scale', 'lock=3', '--name', 'slow', '--json')
    told = command('explain', 'trace', '0:24', '--timeline', 'slow', '--json')
    names = ['measured_begin', 'measured_end', 'measured_waited', 'begin', 'end', 'waited', 'begin_moved', 'moved',
             'removed', 'gained', 'inherited', 'cost', 'rest', 'to_start', 'reordered']
    found, own, chain = scheme(f"""(define row (with-timeline "slow" (explain '(0 . 24))))
                                   (tell (map (lambda (name) (field row name)) '({' '.join(names)})))
                                   (tell (field (field row 'own) 'cost))
                                   (tell (map (lambda (link) (list (field link 'link) (field link 'moved)
                                                                   (field link 'first)))
                                              (field row 'chain)))""")
    equal(found, [told[name] or (None if isinstance(told[name], bool) else 0) for name in names], 'the event')
    equal(own, told['own']['cost'], 'the event itself')
    equal(chain, [[link['link'], link['moved'], [link['process'], link['first']]] for link in told['chain']],
          'the chain')
    assert len(chain) > 2 and told['moved'] > 0, told
    told = command('predict', 'trace', '--timeline', 'slow', '-p', '1,2,3', '--json')
    found, = scheme("""(define row (with-timeline "slow" (predict '(1 2 3))))
                       (tell (append (map (lambda (name) (field row name)) '(total work span processes most))
                                     (map (lambda (one) (map cdr one)) (field row 'predicted))))""")
    expected = [told[name] for name in ('total', 'work', 'span', 'processes', 'most')]
    expected += [[one[name] for name in ('processors', 'time', 'low', 'high')] for one in told['predicted']]
    equal(found, expected, 'the prediction')


@test
def findings_are_those_of_check():
    os.mkdir('trace')
    for name, line in (('a', '0 10 await A 7'), ('b', '0 5 advance A 6')):
        with open(f'trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write(f'%lightcone-events 1\n{line}\n')
    found, = scheme("""(tell (map (lambda (row) (map (lambda (name) (field row name)) '(severity count title detail)))
                                  (findings)))""")
    equal(found, [['fault', 1, 'await A #7', 'a, event 0: waits for advance #7, which is nowhere']], 'findings')


@test
def waits_that_never_ended_say_by_which_event_another_one_has_it():
    shutil.copytree(os.path.join(DOCS, '..', 'data', 'samples', 'deadlock.trace'), 'trace')
    found, = scheme("""(tell (filter string? (map (lambda (row) (field row 'detail)) (findings))))""")
    for number in range(1, 6):
        holder = rf'philosopher {number % 5 + 1} \(its event 1 in take_forks\(\) '
        pattern = rf'philosopher {number} waits since .* for {holder}'
        equal(len([detail for detail in found if re.match(pattern, detail)]), 1, f'{pattern} in {found}')


@test
def errors_are_conditions_with_the_words_of_the_commands():
    copy_workers()
    told = lightcone('sql', 'trace', 'SELECT * FROM nothing').stderr
    found = scheme('''
      (define-syntax-rule (attempt form)
        (guard (e ((lightcone-error? e) (tell (lightcone-error-message e)))) form (tell "good")))
      (attempt (sql "SELECT * FROM nothing"))
      (attempt (event 0 100000))
      (attempt (open-history "nowhere"))
      (attempt (what-if '(("unknown" . 2))))
      (attempt (with-timeline "unknown" 1))
      (attempt (stats 'unknown))
      (attempt (history-phases "nonsense"))''')
    contains(found[0], told.split(':')[-1].strip())
    contains(found[1], 'has no event 100000')
    equal('lightcone: ' + found[2] + '\n', lightcone('info', 'nowhere').stderr, 'what is said of no trace')
    contains(found[3], 'unknown')
    contains(lightcone('what-if', 'trace', '--scale', 'unknown=2').stderr, found[3].split('(')[0])
    contains(found[4], 'there is no timeline "unknown"')
    contains(found[5], 'none of waiting')
    contains(lightcone('stats', 'trace', 'phases', '--phases', 'nonsense').stderr, found[6])


@test
def rows_and_windows_are_found():
    copy_workers()
    found = scheme('''
      (tell (sql "SELECT name, events, NULL, 1.5, ?1, ?2 FROM process WHERE id < ?2" "x'y" 2))
      (tell (sql-columns "SELECT 1 AS one, 2 AS two"))
      (tell (fold-sql (lambda (row n) (+ n (car row))) 0 "SELECT ordinal FROM event"))
      (tell (window 9000 12000 #:process '(0 2)))
      (tell (map (lambda (b) (list (bucket-process b) (bucket-running b) (bucket-waiting b)))
                 (window 0 40000 #:summary? #t #:limit 3)))
      (tell (map (lambda (time) (event-at 1 time)) '(0 1980 2500 1000000)))
      (tell (process-name (process 1)))
      (tell (map object-name (history-objects)))
      (tell (history-span))
      (tell (map (lambda (p) (list (phase-name p) (phase-begin p) (phase-event-count p))) (history-phases)))''')
    names = sql('SELECT name, events FROM process')
    equal(found[0], [[*row, None, 1.5, "x'y", 2] for row in names[:2]], 'rows')
    equal(found[1], ['one', 'two'], 'names of columns')
    equal(found[2], sql('SELECT sum(ordinal) FROM event')[0][0], 'a fold over rows')
    equal(found[3], sql('SELECT process, ordinal FROM event WHERE process IN (0, 2) AND begin < 12000 '
                        'AND "end" >= 9000'), 'a window')
    waiting = {row['process']: (row['running'], row['waiting'])
               for row in command('stats', 'trace', 'waiting', '--json')['process']}
    for process, (running, waits) in waiting.items():
        of_it = [bucket for bucket in found[4] if bucket[0] == process]
        equal((sum(bucket[1] for bucket in of_it), sum(bucket[2] for bucket in of_it)), (running, waits), 'buckets')
    equal(found[5], [[1, 0], [1, 1], [1, 1], [1, 19]], 'events at times')
    equal(found[6], 'worker-1', 'a name')
    equal(found[7], [name for name, in sql('SELECT name FROM object ORDER BY id')], 'objects')
    equal(found[8], sql('SELECT min(begin), max("end") FROM event')[0], 'the span')
    phases = command('stats', 'trace', 'phases', '--json')['phase']
    equal(found[9], [[phase['name'], phase['begin'], phase['events']] for phase in phases], 'phases')


@test
def regions_are_records_and_filters():
    """Also of a process that never leaves one, and across batches of a fold."""
    os.mkdir('trace')
    lines = {'a': ['0 0 enter outer', '10 20 enter inner', '25 25 tag value=1', '30 40 leave inner',
                   '50 50 leave outer', '60 61 tag value=2'],
             'b': ['5 6 tag value=3', '7 7 enter inner', *(f'{at} {at} tag value=4' for at in range(8, 6008))]}
    for name, of_it in lines.items():
        with open(f'trace/{name}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + '\n'.join(of_it) + '\n')
    found = scheme("""
      (tell (map (lambda (r) (list (region-name r) (object-name (object (region-id r))) (region-event-count r)))
                 (history-regions)))
      (tell (events #:inside "inner" #:process "a"))
      (tell (map (lambda (r) (length (events #:inside r))) (history-regions)))
      (tell (length (events #:inside (history-regions) #:operation 'tag)))
      (tell (map s64vector->list (event-columns "a" '(ordinal) #:inside "outer")))
      (tell (guard (e ((lightcone-error? e) (lightcone-error-message e))) (events #:inside "nothing")))""")
    equal(found, [[['outer', 'outer', 2], ['inner', 'inner', 3]], [[0, 1], [0, 2], [0, 3]], [5, 6004], 6001,
                  [[0, 1, 2, 3, 4]], 'trace/history.lightcone: there is no region "nothing"'], 'regions')


@test
def another_history_can_be_asked():
    copy_workers()
    shutil.move('trace', 'other')
    write_long(10)
    found = scheme('''(define other (open-history "other"))
      (tell (list (history-event-count) (history-event-count other) (with-history other (length (events)))
                  (length (events)) (history-directory other)))''')
    equal(found[0][1:3], [65, 65], 'the events of the other one')
    equal(found[0][0], found[0][3], 'the events of the first one, before and after')
    equal(found[0][4], 'other', 'where it is')


@test
def a_script_loads_others_beside_itself():
    copy_workers()
    os.makedirs('folder/inner')
    for path, text in (('folder/one.scm', '(load "inner/two.scm")\n(define (one) (+ 1 (two)))\n'),
                       ('folder/inner/two.scm', '(load "three.scm")\n(define (two) (* 2 three))\n'),
                       ('folder/inner/three.scm', '(define three 3)\n'), ('folder/bad.scm', '\n\n(car 7)\n'),
                       ('top.scm', '(load "folder/one.scm")\n(write (one))\n(load "folder/bad.scm")\n')):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    result = lightcone('script', 'trace', 'top.scm')
    equal((result.returncode, result.stdout), (2, '7'), 'what is printed until the error')
    contains(result.stderr, 'folder/bad.scm:3: ')
    result = lightcone('script', 'trace', '-e', f'(load "{os.path.abspath("folder/one.scm")}")', '-e', '(one)')
    equal((result.stdout, result.stderr), ('7\n', ''), 'an absolute name')
    result = lightcone('script', 'trace', '-e', '(load "nothing.scm")')
    equal(result.returncode, 2, 'a file that is not there')
    contains(result.stderr, '-e:1: ')
    contains(result.stderr, 'nothing.scm')


# Calls each procedure with what it cannot take, and gives those that say so in other words than Lightcone's.
WRONG = r"""
(define values-of-all-sorts
  (list 5 -1 (expt 10 30) 1.5 "nonsense" 'nonsense '() #f #t car '(0 . 99999) '(99 . 0) '(a . b) (vector 1)
        (make-u64vector 1 0) (list 1 2) (process 0)))
(define (other-words procedure arguments)
  (catch #t
    (lambda () (apply procedure arguments) #f)
    (lambda (key . rest)
      (and (not (memq key '(lightcone-error wrong-number-of-args keyword-argument-error))) key))))
(module-for-each
 (lambda (name variable)
   (let ((procedure (variable-ref variable)))
     (when (and (procedure? procedure) (not (memq name '(approximate what-if))))
       (let ((try (lambda arguments
                    (let ((key (other-words procedure arguments)))
                      (when key (tell (format #f "~s: ~a" (cons name arguments) key)))))))
         (try)
         (for-each (lambda (one)
                     (try one)
                     (for-each (lambda (other) (try one other) (try one other '(0 . 0)) (try one other 0 1))
                               values-of-all-sorts))
                   values-of-all-sorts)))))
 (resolve-interface '(lightcone)))
(for-each (lambda (arguments)
            (for-each (lambda (procedure)
                        (let ((key (other-words procedure arguments))) (when key (tell (format #f "~s" arguments)))))
                      (list approximate what-if)))
          '((5) (((a . b))) (#:model 5) (#:set 5) (#:set (5)) (#:name 5) (#:blind 5) (() #:set (5)) (() #:name 5)))
"""


@test
def what_is_wrong_is_told_in_own_words():
    """Nothing of it ends the program, either."""
    copy_workers()
    equal(scheme(WRONG), [], 'procedures that do not look at what they are given')
    for text, wanted in (
            ('(annotate! 5 "x")', 'annotate!: 5 is no event, which is (PROCESS . ORDINAL)'),
            ("(annotate! '(0 . 1) 5)", 'annotate!: 5 is no text'),
            ("(event-waited '(0 . 25))", 'trace/history.lightcone: process 0 has no event 25'),
            ("(event-waited 'x)", 'event-waited: x is no event, which is (PROCESS . ORDINAL)'),
            ('(event-at 0 -1)', 'event-at: -1 is no time, which is a whole number of ns from 0 on'),
            ('(process-name 0)', 'process-name: 0 is no record of a process, which (process WHAT) gives'),
            ('(site 7)', 'trace/history.lightcone: there is no site 7, of 0'),
            ('(bytes-text -1)', '-1 is no whole number from 0 to 18446744073709551615'),
            ("(fold-events cons '() #:object 99)", 'trace/history.lightcone: there is no object 99'),
            ('(event-waited)', 'event-waited: wrong number of arguments; it is written as (event-waited EVENT)'),
            ("(1+ (events #:where 0))", 'fold-events: there is no key #:where; it is written as (fold-events F INIT'),
            ('(define-analysis waits 1)', 'define-analysis: it is written as (define-analysis (NAME)')):
        result = lightcone('script', 'trace', '-e', text)
        equal(result.returncode, 2, text)
        contains(result.stderr, '-e:1: ' + wanted)


@test
def tables_have_what_they_are_given():
    copy_workers()
    result = lightcone('script', 'trace', '-e', "(print-table (list (list '(0 . 2) 510)) '(event waited))",
                       '-e', '(sql "SELECT ?1 * 2" 0.75)', '-e', "(begin (plot-table '()) 1)")
    equal(result.stdout.splitlines()[:3], ['event    waited', '(0 . 2)     510', '((1.5))'], 'what is printed')
    equal(result.returncode, 0, result.stderr)
    result = lightcone('script', 'trace', '-e', "(print-table '((1 2)) '(one))")
    contains(result.stderr, 'print-table: (1 2) has 2 columns, and there are 1 names')


@test
def another_thread_is_refused():
    copy_workers()
    found, = scheme('''(use-modules (ice-9 threads))
      (tell (join-thread (call-with-new-thread
                          (lambda ()
                            (catch 'lightcone-error (lambda () (event-begin '(0 . 0))) (lambda e "refused"))))))''')
    equal(found, 'refused', 'what the thread was told')


@test
def the_page_says_what_is_true():
    """Blocks of Scheme in docs/scripting.md are run in order; a block of text after one is what it prints."""
    copy_workers()
    with open(os.path.join(DOCS, 'scripting.md'), encoding='utf-8') as file:
        page = file.read()
    blocks = re.findall(r'^```(\w*)\n(.*?)^```\n', page, re.MULTILINE | re.DOTALL)
    text, wanted = '', []
    for kind, content in blocks:
        if kind == 'scheme':
            text += f'(display "----\\n")\n{content}\n'
            wanted.append(None)
        elif kind == 'text':
            wanted[-1] = content
    assert len(wanted) >= 15, 'hardly any examples'
    result = lightcone('script', 'trace', input=text)
    equal((result.returncode, result.stderr), (0, ''), 'status and errors of the page')
    found = result.stdout.split('----\n')[1:]
    equal(len(found), len(wanted), 'number of examples')
    for one, other in zip(found, wanted):
        equal(one, other if other is not None else one, 'what an example prints')


@test
def the_recipes_print_what_the_page_says():
    """What Python prints of the same recipes is tried by tests/python."""
    copy_workers()
    with open(os.path.join(DOCS, 'recipes.md'), encoding='utf-8') as file:
        recipes = re.findall(r'^```scheme\n(.*?)^```\n.*?^```text\n(.*?)^```\n', file.read(), re.MULTILINE | re.DOTALL)
    assert len(recipes) >= 20, 'hardly any recipes'
    result = lightcone('script', 'trace',
                       input=''.join(f'(display "----\\n")\n{scheme_text}' for scheme_text, _ in recipes))
    equal((result.returncode, result.stderr), (0, ''), 'status and errors of the recipes')
    found = result.stdout.split('----\n')[1:]
    equal(len(found), len(recipes), 'number of recipes')
    for one, (_, wanted) in zip(found, recipes):
        equal(one.replace('trace/', 'workers.trace/'), wanted, 'what a recipe prints')


@test
def a_script_sees_one_state():
    """What others add meanwhile, the next evaluation sees; what the script adds, it sees itself."""
    copy_workers()
    other = f"exec {os.environ['LIGHTCONE']} approximate trace --json --name other >/dev/null"
    found = scheme(f'''
      (define (names) (map timeline-name (history-timelines)))
      (tell (names))
      (tell (system {json.dumps(other)}))
      (tell (names))
      (approximate #:name "own")
      (tell (names))''')
    equal(found, [['measured'], 0, ['measured'], ['measured', 'other', 'own']], 'timelines')


@test
def the_page_names_what_there_is():
    copy_workers()
    with open(os.path.join(DOCS, 'scripting.md'), encoding='utf-8') as file:
        page = file.read()
    names, = scheme('''(tell (map symbol->string
                                 (module-map (lambda (name variable) name) (resolve-interface '(lightcone)))))''')
    missing = [name for name in names if not re.search(r'(?<![\w-])' + re.escape(name) + r'(?![\w?!-])', page)]
    equal(missing, [], 'what is exported and not on the page')


main()
