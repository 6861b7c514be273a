#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of events in a real window. events.py [TEST...] runs only those."""
import csv
import io
import re
import subprocess

from browse import described, equal, holds, open_trace
from choosing import choose
from export import read_clipboard
from inspector import ask, select, write
from window import MAKE_TRACE, run, wait_for

ORDER = re.compile('^What the events are sorted by')
BY_BEGIN = ['a tag', 'c tag', 'b await X', 'a advance X', 'b tag', 'b advance Y', 'c await Y', 'c tag', 'a tag']


def open_table(display, start, trace):
    browser = open_trace(display, start, trace)
    browser.press('ctrl+shift+e')
    browser.find('Events', 'tree table')
    return browser


def state(browser):
    """How many events there are, as it is said beside the controls."""
    found = browser.look_for(re.compile('^([0-9,]+ events?|the first .* events)$'), 'label')
    return found.get_name() if found else None


def listed(browser):
    """The rows as they are read to somebody: process, operation and object of each."""
    rows = [node.get_name().split(', ') for node in browser.nodes(role='table row')]
    return [' '.join([row[0], *(part for part in row[2:4] if re.match('[a-z]+$|[XY]$', part))])
            for row in rows if len(row) > 4]


def wait_for_rows(browser, expected):
    wait_for(lambda: listed(browser)[:len(expected)] == expected, f'the rows {expected}, not {listed(browser)}')


def click_row(browser, pattern, **options):
    """At its begin: it may be wider than there is room for."""
    row = browser.find(re.compile(pattern), 'table row')
    wait_for(lambda: browser.stands_still(row), 'the row at its place')
    left, top, _, height = browser.box(row)
    browser.click((left + 20, top + height // 2), **options)


def follows_both_ways(display, start, folder):
    """a row selects its event in the diagram, by pointer and keys; the event that is selected there is its row"""
    browser = open_table(display, start, write(folder))
    wait_for_rows(browser, BY_BEGIN[:5])
    equal(state(browser), '9 events', 'how many there are')
    click_row(browser, '^b, 0, await')
    wait_for(lambda: 'await of advance X' in described(browser), 'the event of the row')
    browser.press('Down')
    wait_for(lambda: 'advance X' in described(browser) and 'await' not in described(browser), 'that of the next row')
    select(browser, 'tag 5')
    wait_for(lambda: browser.find(re.compile('^c, 2, tag'), 'table row').has_state('SELECTED'), 'the row of the event')
    display.save('events')
    browser.press('ctrl+shift+e')
    browser.find('Plot', 'combo box')


def lists_what_is_in_view(display, start, folder):
    """what is in view is listed, or the whole run; processes that are hidden are not"""
    browser = open_table(display, start, write(folder))
    wait_for(lambda: state(browser) == '9 events', 'all events')
    browser.click(browser.place_of_nothing())
    browser.press(*['plus'] * 6)
    wait_for(lambda: state(browser) not in (None, '9 events'), 'less in view')
    wait_for(lambda: listed(browser) == ['a tag', 'c tag'], 'the events that are in view')
    click_row(browser, '^a, 0, tag')
    wait_for(lambda: described(browser).startswith('tag'), 'the event of the row')
    browser.press('ctrl+h')
    wait_for(lambda: 'c tag' in listed(browser) and 'a tag' not in listed(browser), 'none of the hidden process')
    browser.click(browser.find('In view', 'push button', 'Only events of the time in view'))
    wait_for(lambda: state(browser) == '6 events', 'those of two processes')


def filters_and_sorts(display, start, folder):
    """typing in the table filters; the order is chosen, and turned round"""
    browser = open_table(display, start, write(folder))
    wait_for_rows(browser, BY_BEGIN[:5])
    click_row(browser, '^a, 0, tag')
    browser.type('tag')
    wait_for(lambda: state(browser) == '5 events', 'the tags')
    equal(browser.find('Filter the events').get_text(), 'tag', 'what was typed')
    wait_for_rows(browser, ['a tag', 'c tag', 'b tag'])
    browser.press('Escape')
    wait_for(lambda: state(browser) == '9 events', 'all of them')
    browser.click(browser.find(ORDER, 'combo box'))
    choose(browser, 3)
    wait_for(lambda: listed(browser)[:2] == ['b await X', 'c await Y'], 'the longest wait first')
    browser.click(browser.find('The last or longest ones first', 'push button'))
    wait_for(lambda: 'await' not in ' '.join(listed(browser)[:4]), 'the longest wait last')
    browser.click(browser.find(ORDER, 'combo box'))
    choose(browser, 0)
    wait_for_rows(browser, ['a tag', 'a advance X', 'a tag', 'b await X'])
    browser.click(browser.find('Filter the events'))
    browser.type('nothing-like-it')
    browser.find(re.compile('nothing-like-it'), 'label')
    display.save('events-none')


def goes_to_a_time(display, start, folder):
    """a time that is typed leads to the first event that begins then or later"""
    browser = open_table(display, start, write(folder))
    wait_for_rows(browser, BY_BEGIN[:5])
    browser.click(browser.find('Go to a time'))
    browser.type('51 ns')
    browser.press('Return')
    wait_for(lambda: 'advance Y' in described(browser), 'the event after 51 ns')
    holds(browser.find(re.compile('^b, 2, advance'), 'table row').has_state('SELECTED'), 'its row')


def copies_rows(display, start, folder):
    """selected rows are copied as CSV with the values that SQL has; the columns are those that are shown"""
    trace = write(folder)
    browser = open_table(display, start, trace)
    wait_for_rows(browser, BY_BEGIN[:5])
    click_row(browser, '^c, 0, tag')
    click_row(browser, '^a, 1, advance', keys=['shift'])
    browser.press('ctrl+c')
    browser.find('3 rows copied', 'label')
    rows = list(csv.DictReader(io.StringIO(read_clipboard('text/plain;charset=utf-8').decode())))
    expected = ask(trace, 'SELECT p.name AS process_name, e.ordinal, e.operation, o.name AS object_name, e.begin, '
                          'e.waited FROM event e JOIN process p ON p.id = e.process '
                          'LEFT JOIN object o ON o.id = e.object WHERE e.begin BETWEEN 1 AND 20 ORDER BY e.begin')
    equal([{name: row[name] for name in expected[0]} for row in rows],
          [{name: '' if value is None else str(value) for name, value in row.items()} for row in expected], 'the rows')
    holds('end' not in rows[0], 'the ends are not shown')
    browser.click(browser.find('Which columns are shown', 'push button'))
    browser.find('End', 'check box')
    browser.press(*['Tab'] * 6, 'space', 'Escape')
    wait_for(lambda: any(node.get_name() == 'End' for node in browser.nodes(browser.find('Events', 'tree table'))),
             'the title of the column')
    click_row(browser, '^c, 0, tag')
    browser.press('ctrl+c')
    browser.find('1 row copied', 'label')
    rows = list(csv.DictReader(io.StringIO(read_clipboard('text/plain;charset=utf-8').decode())))
    equal([row['end'] for row in rows], ['9'], 'the end')


def opens_at_once_with_many(display, start, folder):
    """of a million events no more are read than are seen: the first and the last come at once"""
    trace = folder / 'many'
    subprocess.run([MAKE_TRACE, trace, '--processes', '8', '--events', '1000000'], check=True)
    n, = ask(trace, 'SELECT sum (events) AS n FROM process')
    last, = ask(trace, 'SELECT p.name AS name, ordinal, operation FROM event JOIN process p ON p.id = process '
                       f'ORDER BY event.begin DESC, process DESC LIMIT 1')
    browser = open_table(display, start, trace)
    wait_for(lambda: state(browser) == f'{n["n"]:,} events', 'how many there are')
    wait_for(lambda: listed(browser), 'the first rows')
    browser.click(browser.find(re.compile('^main, 0, '), 'table row'))
    browser.press('End')
    wait_for(lambda: described(browser).startswith(last['operation']) and f'event {last["ordinal"]:,},' in
             described(browser), f'the last event, {last}')
    display.save('events-many')


if __name__ == '__main__':
    run([follows_both_ways, lists_what_is_in_view, filters_and_sorts, goes_to_a_time, copies_rows,
         opens_at_once_with_many])
