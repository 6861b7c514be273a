#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that scripts define say what files of rules say, are kept, and are read by every merge."""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position

EVENTS = {'a': '0 10 print-ticket T 1\n20 30 print-ticket T 2\n',
          'b': '0 15 serve T 1\n16 40 serve T 2\n'}
RULES = '''(define-rules tickets
  "Tickets, which are served in their order."
  (class ticket #:summary "A machine that prints tickets" #:sequence "the number of the ticket")
  (operation print-ticket #:class ticket #:summary "Prints a ticket")
  (operation serve #:class ticket #:summary "Waits for a ticket" #:waits #t)
  (arc print-to-serve #:class ticket #:from print-ticket #:to serve #:uses one))
'''
FILE = '''[class ticket]
summary=A machine that prints tickets
sequence=the number of the ticket
[operation print-ticket]
class=ticket
summary=Prints a ticket
[operation serve]
class=ticket
summary=Waits for a ticket
waits=true
[arc print-to-serve]
class=ticket
from=print-ticket
to=serve
uses=one
'''
ARCS = 'SELECT from_process, from_ordinal, to_process, to_ordinal, rule FROM arc ORDER BY from_ordinal'
FOUND = [{'from_process': 0, 'from_ordinal': n, 'to_process': 1, 'to_ordinal': n, 'rule': 'print-to-serve'}
         for n in range(2)]
WAITED = [0, 0, 10, 14]


def write(path, text):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def write_trace(folder='trace'):
    for name, text in EVENTS.items():
        write(f'{folder}/{name}.events', '%lightcone-events 1\n' + text)


def run(*arguments):
    return lightcone(*arguments, env={**os.environ, 'XDG_DATA_HOME': os.path.abspath('home')})


def good(*arguments):
    result = run(*arguments)
    equal((result.returncode, result.stderr), (0, ''), arguments)
    return result.stdout


def arcs(folder='trace', *options):
    return json.loads(good('sql', '--json', *options, folder, ARCS) or '[]')


@test
def a_script_says_what_a_file_says():
    write_trace()
    equal(arcs(), [], 'the arcs of operations that nobody knows')
    write('tickets.rules', FILE)
    told = arcs('trace', '--rules', 'tickets.rules')
    equal(told, FOUND, 'the arcs by a file of rules')
    write('try.scm', RULES + '(write (list (history-arc-count) (map event-waited (events)) (rules-names)))')
    equal(good('script', 'trace', 'try.scm'), f'(2 ({" ".join(map(str, WAITED))}) (tickets))', 'what the script sees')
    equal(arcs(), told, 'the arcs that a command without Scheme finds then')
    contains(good('check', 'trace'), '2 arcs')


@test
def the_history_changes_under_a_script():
    """Also while a fold goes over it, and for each history that is open."""
    write_trace()
    write_trace('other')
    write('rules.scm', RULES)
    write('try.scm', '''(define other (open-history "other"))
      (define (define-and-count e n)
        (primitive-load "rules.scm")
        (+ n 1 (history-arc-count)))
      (write (list (history-arc-count) (fold-events define-and-count 0)
                   (event-waited '(1 . 1)) (history-arc-count other) (with-history other (event-waited '(1 . 0)))))
      (forget-rules! 'tickets)
      (write (list (history-arc-count) (event-waited '(1 . 1)) (rules-names) (history-arc-count other)))''')
    equal(good('script', 'trace', 'try.scm'), '(0 12 14 0 0)(0 0 () 0)', 'what is seen before and after')


@test
def rules_of_the_users_scripts_are_those_of_every_trace():
    write_trace()
    write_trace('other')
    write('home/lightcone/scripts/tickets.scm', RULES)
    contains(good('script', 'trace', '--list'), 'rules\ttickets\t\t\tTickets, which are served in their order.\n')
    equal(os.path.exists('trace/rules'), False, 'whether the trace has rules of its own')
    for folder in ('trace', 'other'):
        equal(arcs(folder), FOUND, folder)
    before = os.stat('home/lightcone/rules/tickets.rules'), os.stat('trace/history.lightcone')
    good('script', 'trace', '-e', '1')
    after = os.stat('home/lightcone/rules/tickets.rules'), os.stat('trace/history.lightcone')
    equal([(one.st_ino, one.st_mtime_ns) for one in after], [(one.st_ino, one.st_mtime_ns) for one in before],
          'what rules that stay as they are have written')
    write('home/lightcone/scripts/tickets.scm', RULES.replace('#:uses one', '#:from-point begin'))
    good('script', 'trace', '-e', '1')
    contains(good('sql', '--json', 'trace', 'SELECT DISTINCT from_point FROM arc'), '"begin"')
    os.remove('home/lightcone/scripts/tickets.scm')
    equal(good('script', 'trace', '-e', "(begin (forget-rules! 'tickets) (history-arc-count))"), '0\n', 'without them')
    equal(arcs('other'), [], 'the other trace without them')


@test
def scripts_of_a_trace_define_rules_when_they_are_trusted():
    write_trace()
    write('trace/scripts/tickets.scm', RULES)
    good('script', 'trace', '-e', '1')
    equal(os.path.exists('trace/rules'), False, 'whether a script that is not trusted has written rules')
    equal(good('script', '--trust-scripts', 'trace', '-e', '(history-arc-count)'), '2\n', 'arcs of the trusted one')
    equal(os.listdir('trace/rules'), ['tickets.rules'], 'the rules of the trace')
    equal(os.path.exists('home/lightcone/rules'), False, 'whether the user has rules then')


@test
def what_is_wrong_is_told_as_of_a_file():
    """In the words of the reader of files, and nothing is written."""
    write_trace()
    for form, key in (('(klass x #:summary "x")', '[klass x]: a group is [class NAME], [operation NAME], [arc NAME]'),
                      ('(class x)', '[class x] summary: it is missing'),
                      ('(class x #:summary "x" #:colour red)', '[class x] colour: there is no such key; there are'),
                      ('(class x #:summary "x" #:holding (lock))', '[class x] holding: it needs pairs of operations'),
                      ('(class x #:summary "x" #:first "a")', '[class x] first: it is not a whole number'),
                      ('(operation x #:class y #:summary "x")', "[operation x] class: there is no class 'y'"),
                      ('(operation x #:class mutex #:summary "x" #:waits maybe)',
                       "[operation x] waits: it is 'maybe', and can be one of: false, true"),
                      ('(operation x #:class mutex #:summary "x" #:timing together)',
                       '[operation x] timing: it is for operations with members=value'),
                      ('(arc x #:class mutex #:from lok #:to lock)', "[arc x] from: there is no operation 'lok'"),
                      ('(arc x #:class mutex #:from lock #:to wait)',
                       "[arc x] to: operation 'wait' is of class 'semaphore', not 'mutex'"),
                      ('(phase x #:class mutex)', '[phase x] summary: it is missing'),
                      ('(work x #:class mutex #:operation lock)', '[work x] object: it is missing')):
        write('try.scm', f'\n\n(define-rules wrong {form})')
        result = run('script', 'trace', 'try.scm')
        equal((result.returncode, result.stdout), (2, ''), form)
        contains(result.stderr, f'try.scm:3: trace/rules/wrong.rules: {key}')
        equal(os.path.exists('trace/rules'), False, form)


@test
def what_is_no_rule_is_told_with_its_place():
    write_trace()
    for form, told in (('wrong', 'wrong: there are no rules'), ('wrong "only a text"', 'wrong: there are no rules'),
                       ('wrong (class x #:summary)', 'what follows #:summary in (class x #:summary) is no #:KEY'),
                       ('wrong (class x "x")', 'is no #:KEY with a value'), ('wrong class', 'wrong: class is no rule'),
                       ('wrong (class)', 'wrong: (class) is no rule'),
                       ('wrong (class x #:summary 1.5)', 'wrong: #:summary is a text of one line'),
                       ('wrong (class x #:summary "a\\n[arc y]")', 'wrong: #:summary is a text of one line'),
                       ('wrong (class x #:summary "x" #:holding ("a;b" c))', 'wrong: #:holding is a text of one line'),
                       ('wrong (class "x]" #:summary "x")', 'wrong: "x]" is no name for rules'),
                       ('../wrong (class x #:summary "x")', '../wrong: rules have a name of letters'),
                       ('.wrong (class x #:summary "x")', '.wrong: rules have a name of letters'),
                       ('"wrong" (class x #:summary "x")', 'define-rules: it is written as (define-rules NAME [')):
        write('try.scm', f'\n(define-rules {form})')
        result = run('script', 'trace', 'try.scm')
        equal((result.returncode, result.stdout), (2, ''), form)
        contains(result.stderr, 'try.scm:2: ')
        contains(result.stderr, told)
        equal(os.path.exists('trace/rules'), False, form)


@test
def files_of_others_stay():
    write_trace()
    write('trace/rules/tickets.rules', FILE.replace('uses=one\n', ''))
    write('try.scm', RULES)
    for arguments in (('try.scm',), ('-e', "(forget-rules! 'tickets)")):
        result = run('script', 'trace', *arguments)
        equal(result.returncode, 2, arguments)
        contains(result.stderr, 'trace/rules/tickets.rules: define-rules has not written this file')
    with open('trace/rules/tickets.rules', encoding='utf-8') as file:
        equal(file.read(), FILE.replace('uses=one\n', ''), 'the file')
    os.remove('trace/rules/tickets.rules')
    os.symlink('/etc/passwd', 'trace/rules/tickets.rules')
    result = run('script', 'trace', 'try.scm')
    equal(result.returncode, 2, 'a link in the place of the file')
    contains(result.stderr, 'trace/rules/tickets.rules: a symbolic link, which is not followed')


@test
def rules_that_others_need_cannot_be_forgotten():
    write_trace()
    write('try.scm', RULES + '''(define-rules more (arc serve-to-print #:class ticket #:from serve #:to print-ticket
        #:sequence next #:kind order))
      (guard (e ((lightcone-error? e) (display (lightcone-error-message e)))) (forget-rules! 'tickets))
      (write (history-arc-count)) (forget-rules! 'more) (forget-rules! 'tickets) (write (history-arc-count))''')
    equal(good('script', 'trace', 'try.scm'),
          "trace/rules/more.rules: [arc serve-to-print] class: there is no class 'ticket'30", 'what is told')
    result = run('script', 'trace', '-e', "(forget-rules! 'tickets)")
    equal(result.returncode, 2, 'to forget what is not there')
    contains(result.stderr, '-e:1: tickets: define-rules has not defined such rules')


@test
def a_folder_of_rules_that_cannot_be_read_is_told():
    write_trace()
    write('home/lightcone/rules', 'no folder')
    good('merge', 'trace')  # as if there were none
    os.remove('home/lightcone/rules')
    write('home/lightcone/rules/wrong.rules', '[class x]\n')
    result = run('merge', 'trace')
    equal(result.returncode, 2, 'with rules that are wrong')
    contains(result.stderr, 'home/lightcone/rules/wrong.rules: [class x] summary: it is missing')
    if os.geteuid() != 0:
        os.chmod('home/lightcone/rules', 0)
        result = run('merge', 'trace')
        os.chmod('home/lightcone/rules', 0o700)
        equal(result.returncode, 2, 'with rules that may not be read')
        contains(result.stderr, 'home/lightcone/rules')


main()
