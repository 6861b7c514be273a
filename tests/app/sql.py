#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pane for SQL in a real window. sql.py [TEST...] runs only those."""
import csv
import re

from browse import described, equal, holds, open_trace
from events import click_row
from export import read_clipboard
from filters import choose
from inspector import write
from window import lightcone, run, wait_for

COUNTING = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT '
N_EXAMPLES = 7


def open_pane(display, start, trace):
    browser = open_trace(display, start, trace)
    browser.press('ctrl+shift+s')
    browser.find('Type SQL here')
    return browser


def ask(browser, sql):
    browser.click(browser.find('Type SQL here'))
    browser.press('ctrl+a')
    browser.type(sql)
    browser.press('ctrl+Return')


def wait_for_state(browser, pattern):
    return browser.find(re.compile(pattern), 'label')


def listed(browser):
    return [node.get_name() for node in browser.nodes(name=re.compile(','), role='table row')]


def click_cell(browser, row, title, **options):
    """The cell of a row below a title, where its text is: at its end, for it is a number."""
    node = browser.find(re.compile(row), 'table row')
    cell = next(cell for cell in browser.nodes(node) if cell.get_description() == title)
    left, top, width, height = browser.box(browser.nodes(cell)[-1])
    browser.click((left + width - 6, top + height // 2), **options)


def click_letter(browser, row, title):
    """The first letter of a name, at its left edge: in the first column it is beside the handle of the pane."""
    node = browser.find(re.compile(row), 'table row')
    cell = next(cell for cell in browser.nodes(node) if cell.get_description() == title)
    left, top, _, height = browser.box(browser.nodes(cell)[-1])
    browser.click((left + 1, top + height // 2))


def leads_into_the_diagram(display, start, folder):
    """an event, a process, an object and a time of the result are links into the diagram; so is a row"""
    browser = open_pane(display, start, write(folder))
    ask(browser, 'SELECT process, ordinal, operation, object, begin FROM event ORDER BY begin')
    wait_for_state(browser, '^9 rows, in ')
    equal(listed(browser)[:2], ['0, 0, tag, 0', '2, 0, tag, 5'], 'the rows')
    click_cell(browser, '^1, 0, await', 'ordinal')
    wait_for(lambda: 'await of advance X' in described(browser), 'the event')
    click_cell(browser, '^0, 0, tag', 'process')
    wait_for(lambda: described(browser).startswith('tag') and 'a, event 0' in described(browser), 'that of the process')
    click_cell(browser, '^1, 0, await', 'object')
    wait_for(lambda: 'advance X' in described(browser), 'the first event of the object')
    click_cell(browser, '^2, 0, tag', 'begin')
    wait_for(lambda: 'c, event 0' in described(browser), 'the event of the process at this time')
    display.save('sql')
    click_cell(browser, '^1, 1, tag', 'operation', times=2)
    wait_for(lambda: 'b, event 1' in described(browser), 'the event of the row')
    browser.press('Down', 'Tab', 'Return')
    wait_for(lambda: 'b, event 2' in described(browser), 'the event of the second link of the next row')


def tells_what_is_wrong(display, start, folder):
    """an error is told with its place; nothing can be written, attached or loaded"""
    browser = open_pane(display, start, write(folder))
    for sql, problem in [('SELECT nowhere FROM event', 'no such column: nowhere.*line 1, column 8'),
                         ('SELECT 1; SELECT FROM', 'syntax error'),
                         ('DELETE FROM process', 'A history can only be read'),
                         ("ATTACH 'x.db' AS x", 'A history can only be read'),
                         ('-- nothing', 'There is no statement')]:
        ask(browser, sql)
        wait_for_state(browser, problem)
    ask(browser, 'SELECT 1 AS one, 2 AS two')
    wait_for_state(browser, '^1 row, in ')


def stops_and_limits(display, start, folder):
    """a query without end is stopped, and a result without end is cut; the next query runs"""
    browser = open_pane(display, start, write(folder))
    ask(browser, COUNTING + 'count (*) FROM n')
    wait_for_state(browser, '^Running for')
    browser.press('Escape')
    wait_for_state(browser, '^Stopped')
    ask(browser, COUNTING + 'count (*) FROM n')
    wait_for_state(browser, '^Running for')
    browser.click(browser.find('Stop', 'push button', 'Stop the query (Escape)'))
    wait_for_state(browser, '^Stopped')
    ask(browser, COUNTING + 'i FROM n')
    wait_for_state(browser, '^the first 100,000 rows, in ')
    ask(browser, 'SELECT 1 AS one')
    wait_for_state(browser, '^1 row, in ')


def sorts_and_filters(display, start, folder):
    """a click on a title sorts, a second one turns it round; typing in the table leaves the rows with that text"""
    browser = open_pane(display, start, write(folder))
    ask(browser, 'SELECT operation, begin FROM event ORDER BY process, begin')
    wait_for_state(browser, '^9 rows, in ')
    table = browser.find('Result of the query', 'tree table')
    title = next(node for node in browser.nodes(table) if node.get_name() == 'begin').live()
    browser.click(title)
    wait_for(lambda: listed(browser)[:3] == ['tag, 0', 'tag, 5', 'await, 15'], 'the rows by begin')
    browser.click(title)
    wait_for(lambda: listed(browser)[:2] == ['tag, 100', 'tag, 95'], 'the last ones first')
    click_row(browser, '^tag, 100')
    browser.type('adv')
    wait_for_state(browser, '^2 of 9 rows, in ')
    equal(listed(browser), ['advance, 70', 'advance, 20'], 'the rows with that text')


def completes_and_remembers(display, start, folder):
    """the Tab key completes the names of tables and columns; Ctrl+Up brings back what was run before"""
    browser = open_pane(display, start, write(folder))
    entry = browser.find('Type SQL here')
    ask(browser, 'SELECT count (*) AS n, 1 AS m FROM event')
    wait_for_state(browser, '^1 row, in ')
    browser.press('ctrl+a')
    browser.type('SELECT waite')

    def completed():
        browser.press('Tab')
        return entry.get_text() == 'SELECT waited'
    wait_for(completed, 'the column')
    browser.press('ctrl+a')
    browser.type('SELECT process FROM opera')
    browser.press('Tab')
    wait_for_state(browser, '^operation +operation_total')
    equal(entry.get_text(), 'SELECT process FROM operation', 'what both have in common')
    browser.press('ctrl+Up')
    wait_for(lambda: entry.get_text() == 'SELECT count (*) AS n, 1 AS m FROM event', 'the query before')
    browser.press('ctrl+Down')
    wait_for(lambda: entry.get_text() == 'SELECT process FROM operation', 'what was being typed')


def runs_its_examples(display, start, folder):
    """each of the examples is a query that runs"""
    browser = open_pane(display, start, write(folder))
    entry, seen = browser.find('Type SQL here'), ['']
    for number in range(N_EXAMPLES):
        browser.click(browser.find('Examples', 'push button'))
        browser.press(*['Down'] * number, 'Return')
        wait_for(lambda: entry.get_text() not in seen, f'example {number}')
        seen.append(entry.get_text())
        wait_for_state(browser, '^[0-9,]+ rows?, in ')
        lightcone('sql', folder / 'small', entry.get_text())


def copies_as_csv(display, start, folder):
    """what is copied is what lightcone sql --csv prints"""
    trace = write(folder)
    browser = open_pane(display, start, trace)
    sql = "SELECT operation, object, 'a \"b\"' AS text, waited / 2.0 AS half, '' AS empty FROM event ORDER BY begin"
    ask(browser, sql)
    wait_for_state(browser, '^9 rows, in ')
    browser.click(browser.find(re.compile('^Copy the selected rows'), 'push button'))
    browser.find('9 rows copied', 'label')
    equal(read_clipboard('text/plain;charset=utf-8').decode(), lightcone('sql', '--csv', trace, sql), 'the rows')
    holds('a ""b""' in lightcone('sql', '--csv', trace, sql), 'quotes are quoted')


def has_the_tables_of_stats(display, start, folder):
    """each table of lightcone stats is there without a query, is copied as the command prints it, and has links"""
    trace = write(folder)
    browser = open_pane(display, start, trace)
    told = lightcone('stats', '--help').split('WHAT is one of:')[1]
    tables = re.findall(r'^  (\S+) +(\S.*)$', told, re.MULTILINE)
    holds(len(tables) > 10, 'the tables')
    for name, title in tables:
        choose(browser, 'Tables', re.compile(re.escape(title) + '$'))
        state = wait_for_state(browser, '^' + re.escape(title) + '.*: [0-9,]+ rows?, in ')
        rows = len(list(csv.reader(lightcone('stats', trace, name, '--format', 'csv').splitlines()))) - 1
        shown = int(re.search(r': ([0-9,]+) row', state.get_name())[1].replace(',', ''))
        # Levels at which nothing happened are for programs only.
        holds(shown == rows or (name == 'parallelism' and 0 < shown < rows), f'{shown} rows of {name}, not {rows}')
    choose(browser, 'Tables', re.compile('^Objects, those'))
    wait_for_state(browser, '^Objects, those most waited for first, timeline measured: ')
    display.save('tables')
    choose(browser, 'Tables', re.compile('^Waiting of each'))
    wait_for_state(browser, '^Waiting of each process, timeline measured: 3 rows')
    browser.click(browser.find(re.compile('^Copy the selected rows'), 'push button'))
    browser.find('3 rows copied', 'label')
    copied = list(csv.DictReader(read_clipboard('text/plain;charset=utf-8').decode().splitlines()))
    printed = list(csv.DictReader(lightcone('stats', trace, 'waiting', '--format', 'csv').splitlines()))
    equal(copied, [{key: row[key] for key in copied[0]} for row in printed], 'the rows, as programs read them')
    choose(browser, 'Tables', re.compile('^When processes waited'))
    wait_for_state(browser, '^When processes waited, timeline measured: 2 rows')
    click_cell(browser, '^1, b, ', 'Event')
    wait_for(lambda: 'await of advance X' in described(browser), 'the event that waited')
    click_letter(browser, '^2, c, ', 'Process')
    wait_for(lambda: 'c, event 0' in described(browser), 'the first event of a process with a short name')


if __name__ == '__main__':
    run([has_the_tables_of_stats, leads_into_the_diagram, tells_what_is_wrong, stops_and_limits, sorts_and_filters,
         completes_and_remembers, runs_its_examples, copies_as_csv])
