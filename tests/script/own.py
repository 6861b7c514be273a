#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts that are a part of Lightcone say what its analyses in C say, and can be copied and changed."""
import json
import os
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position

DATA = os.environ['LIGHTCONE_TEST_DATA']
SCRIPTS = os.environ['LIGHTCONE_SCRIPTS']
LOCKS = {
    'a': '0 10 lock m 1\n100 110 unlock m 1\n200 210 lock n 1\n220 230 unlock n 1\n',
    'b': '20 130 lock m 2\n150 150 unlock m 2\n160 170 lock m 3\n180 190 unlock m 3\n',
}
NESTED = {
    'a': '0 10 lock m 1\n20 30 lock n 1\n40 50 unlock m 1\n60 70 unlock n 1\n100 100 tag value=1\n',
    'b': '5 6 tag value=2\n90 400 await X 1\n400 400 tag value=1\n',
    'c': '0 0 tag value=1\n390 395 advance X 1\n',
    'd': '7 7 tag value=1\n',
}
MESSAGE = {
    'a': '0 5 tag value=1\n100 120 send 0>1:0 1 bytes=8\n',
    'b': '0 150 recv 0>1:0 1 bytes=8\n200 205 tag value=1\n',
}


def write(processes):
    os.makedirs('trace')
    for process, text in processes.items():
        with open(f'trace/{process}.events', 'w', encoding='utf-8') as events:
            events.write('%lightcone-events 1\n' + text)


def command(*arguments):
    result = lightcone(*arguments)
    equal((result.returncode, result.stderr), (0, ''), arguments)
    return json.loads(result.stdout)


def script(*expressions):
    result = lightcone('script', 'trace', *(word for text in expressions for word in ('-e', text)))
    equal((result.returncode, result.stderr), (0, ''), expressions)
    return result.stdout


def on_all_traces(check):
    """Of each trace also on a timeline that is not measured."""
    for make in (lambda: shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace'), lambda: write(LOCKS),
                 lambda: write(NESTED), lambda: write(MESSAGE)):
        make()
        command('approximate', 'trace', '--model', 'time', '--json')
        for timeline in ('measured', 'time'):
            check(timeline)
        shutil.rmtree('trace')


@test
def parallelism_is_that_of_the_analysis():
    def check(timeline):
        told = command('stats', 'trace', 'parallelism', '--timeline', timeline, '--json')
        found, = command('stats', 'trace', 'average-parallelism', '--timeline', timeline, '--json')['rows']
        equal([found[name] for name in ('running_total', 'lowest', 'highest')],
              [told[name] for name in ('running_total', 'lowest', 'highest')], timeline)
        assert abs(found['average'] - told['average']) < 1e-3, (found, told['average'])
        levels = command('stats', 'trace', 'parallelism-histogram', '--timeline', timeline, '--json')['rows']
        equal([(row['running'], row['time']) for row in levels],
              [(row['running'], row['time']) for row in told['level'] if row['time'] > 0], timeline)
    on_all_traces(check)


@test
def communication_is_that_of_the_analysis():
    def check(timeline):
        names = ('span', 'computing', 'communication', 'waiting', 'transfer', 'preempted', 'outside')
        found = command('stats', 'trace', 'communication-share', '--timeline', timeline, '--json')['rows']
        told = json.loads(script(f'''(define (row-text row)
              (format #f "[~{{~a~^,~}}]" (map (lambda (name) (field row name)) '({" ".join(names)}))))
            (display (format #f "[~a]" (string-join (with-timeline "{timeline}" (map row-text (stats 'communication)))
                                                    ",")))'''))
        equal([[row[name] for name in names] for row in found], told, timeline)
    on_all_traces(check)


@test
def phases_add_up_to_those_of_the_analysis():
    def check(timeline):
        found = command('stats', 'trace', 'phase-waits', '--timeline', timeline, '--json')['rows']
        told = command('stats', 'trace', 'phases', '--timeline', timeline, '--json')['phase']
        equal([(row['begin'], row['end'], row['events'], row['waiting']) for row in found],
              [(row['begin'], row['end'], row['events'], row['waiting']) for row in told], timeline)
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')
    check('measured')


@test
def parts_of_a_history_are_marked():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')
    equal(script("(mark-descendants! '(1 . 10))", '(mark-critical-path!)',
                 "(equal? (marked 'descendants) (delete '(1 . 10) (events #:future-of '(1 . 10))))",
                 "(lset= equal? (marked 'critical-path) (critical-path-events))"), '32\n35\n#t\n#t\n', 'what is marked')
    path = command('critical-path', 'trace', '--json', '--events')['event']
    told = {(event['process'], event['ordinal']) for event in path if event['ordinal'] is not None}
    found = command('sql', '--json', 'trace', "SELECT process, ordinal FROM mark WHERE name = 'critical-path'")
    equal({(row['process'], row['ordinal']) for row in found}, told, 'the critical path')


@test
def a_copy_can_be_changed():
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')
    os.makedirs('home/lightcone/scripts')
    with open(os.path.join(SCRIPTS, 'parallelism.scm'), encoding='utf-8') as file:
        text = file.read()
    with open('home/lightcone/scripts/mine.scm', 'w', encoding='utf-8') as file:
        file.write(text.replace("state = 'running'", "state = 'waiting'"))
    result = lightcone('stats', 'trace', 'average-parallelism', '--json',
                       env={**os.environ, 'XDG_DATA_HOME': os.path.abspath('home')})
    waited = command('sql', '--json', 'trace', 'SELECT sum(waited) AS waited FROM event')[0]['waited']
    equal(json.loads(result.stdout)['rows'][0]['running_total'], waited, 'the time that processes waited')
    contains(lightcone('stats', 'trace', 'nothing').stderr,
             'average-parallelism, parallelism-histogram, parallelism-trace')


@test
def every_script_is_a_part_of_the_program():
    with open(os.path.join(SCRIPTS, '../../src/script/lightcone-script.gresource.xml'), encoding='utf-8') as file:
        listed = file.read()
    with open(os.path.join(SCRIPTS, '../../src/script/meson.build'), encoding='utf-8') as file:
        compiled = file.read()
    with open(os.path.join(SCRIPTS, 'meson.build'), encoding='utf-8') as file:
        installed = file.read()
    for name in os.listdir(SCRIPTS):
        if name.endswith('.scm'):
            contains(listed, f'<file>{name[:-4]}.go</file>')
            contains(compiled, f"'{name[:-4]}'")
            contains(installed, f"'{name}'")
            with open(os.path.join(SCRIPTS, name), encoding='utf-8') as file:
                assert len(file.readlines()) <= 60, f'{name} has more than a page'


main()
