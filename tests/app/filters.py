#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which processes and events are shown, and finding events, in a real window. filters.py [TEST...]. Speaks TAP."""
import json
import re

from browse import about, described, equal, gauss, holds, open_trace
from export import command_of
from window import lightcone, run, wait_for


def listed(browser):
    """The processes in the panel, or the headings of their groups, from the top."""
    return [node.get_name()[len('Show '):] for node in browser.nodes(name=re.compile('^Show '), role='check box')]


def row(browser, name):
    """Where a row of a list is: beside its tick."""
    x, y, width, height = browser.box(browser.find('Show ' + name, 'check box'))
    return x + width + 40, y + height // 2


def shows(browser, n, of=None):
    """That so many processes are in the diagram."""
    text = f'{n} of {of} processes' if of else f': {n} processes'
    wait_for(lambda: text in about(browser), f'{text}: {about(browser)}')


def is_said(browser, pattern):
    return browser.find(re.compile(pattern), 'label').get_name()


def filtered(browser, what):
    """What stands above the diagram of the filters; None: that there are none."""
    if what is None:
        wait_for(lambda: not browser.look_for(re.compile('^filtered: '), 'label'), 'no filter')
    else:
        wait_for(lambda: browser.look_for(f'filtered: {what}', 'label'), f'filtered: {what}')


def choose(browser, button, name):
    """An item of a menu, by keys. Some stay open for another choice: the next click closes them."""
    def open_menu():
        if not browser.look_for(name, 'menu item'):
            browser.click(browser.find(button, 'push button'))
        return browser.look_for(name, 'menu item')
    item = wait_for(open_menu, f'the menu with {name}')
    for _ in range(20):
        if item.has_state('FOCUSED'):
            break
        browser.press('Down')
    browser.press('Return')


# --- Processes

def keys_hide_and_move(display, start, folder):
    """in the list of processes Space and Delete hide, Alt with arrows moves, Escape steps back"""
    browser = open_trace(display, start, gauss(folder))
    equal(listed(browser), ['master', 'worker 1', 'worker 2', 'worker 3', 'worker 4'], 'processes')
    browser.click(row(browser, 'worker 2'))
    browser.press('space')
    shows(browser, 4, 5)
    browser.press('space')
    shows(browser, 5)
    browser.press('Delete')
    shows(browser, 4, 5)
    browser.press('Escape')
    shows(browser, 5)
    browser.press('alt+Up')
    wait_for(lambda: listed(browser) == ['master', 'worker 2', 'worker 1', 'worker 3', 'worker 4'], 'one place up')
    browser.press('alt+Down', 'alt+Down')
    wait_for(lambda: listed(browser) == ['master', 'worker 1', 'worker 3', 'worker 2', 'worker 4'], 'two places down')
    x, y = row(browser, 'worker 1')
    browser.drag(row(browser, 'worker 4'), (x, y - 8))
    wait_for(lambda: listed(browser) == ['master', 'worker 4', 'worker 1', 'worker 3', 'worker 2'], 'dragged')
    display.save('processes-moved')


def what_was_hidden_comes_back_in_its_place(display, start, folder):
    """show all puts a process where it was; solo shows one, and again all; hide all and invert"""
    browser = open_trace(display, start, gauss(folder))
    before = listed(browser)
    browser.press('n')
    wait_for(lambda: described(browser), 'a selected event')
    browser.press('ctrl+h')
    shows(browser, 4, 5)
    browser.press('ctrl+u')
    shows(browser, 5)
    equal(listed(browser), before, 'their order')
    browser.press('ctrl+shift+h')
    shows(browser, 1, 5)
    browser.press('ctrl+shift+h')
    shows(browser, 5)
    equal(listed(browser), before, 'their order')
    browser.click(row(browser, 'worker 1'))
    choose(browser, 'Show and hide', 'Hide all')
    is_said(browser, '^0 of 5 processes shown$')
    display.save('processes-none')
    choose(browser, 'Show and hide', 'Show the hidden and hide the shown')
    shows(browser, 5)


def sorts_and_groups(display, start, folder):
    """the list is sorted by what lightcone info says, and a collapsed group is one row"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    choose(browser, 'Order and groups', 'Number of events')
    counts = {row['name']: row['events']
              for row in json.loads(lightcone('sql', '--json', trace, 'select name, events from process'))}
    order = [counts[name] for name in listed(browser)]
    holds(order in (sorted(order), sorted(order, reverse=True)), f'sorted by their events: {order}')
    choose(browser, 'Order and groups', 'Number')
    wait_for(lambda: listed(browser)[0] == 'master', 'in their own order')
    choose(browser, 'Order and groups', 'Beginning of the name')
    wait_for(lambda: len(listed(browser)) > 5, 'headings of groups')
    choose(browser, 'Order and groups', 'Collapse all groups')
    wait_for(lambda: len(listed(browser)) == 2, 'only the headings')
    display.save('processes-grouped')


# --- Events

def ticks_operations(display, start, folder):
    """an operation that is not ticked is not shown, and the list stays where it is while one ticks"""
    browser = open_trace(display, start, gauss(folder))
    browser.click(browser.find('Filters', 'page tab'))
    tick = browser.find('Show await', 'check box')
    browser.settle()  # until it stands still
    place = browser.place(tick)
    before = display.pixels()
    browser.click(tick)
    wait_for(lambda: browser.look_for(re.compile('^filtered: only .*, .* and .* more$'), 'label'), 'filtered')
    holds(not browser.find('Show await', 'check box').has_state('CHECKED'), 'it is still ticked')
    moved = browser.place(browser.find('Show await', 'check box'))[1] - place[1]
    holds(abs(moved) < 10, f'the tick has moved by {moved} pixels, away from the pointer')
    left, top, width, height = browser.box(browser.find(re.compile('^Space-time diagram')))
    rows = slice(top + 20, top + height - 20)
    holds([line[4 * left:4 * (left + width)] for line in before[rows]] !=
          [line[4 * left:4 * (left + width)] for line in display.pixels()[rows]], 'the diagram is the same')
    display.save('operations')
    browser.click(browser.find(re.compile('clear all'), 'push button'))
    filtered(browser, None)
    holds(browser.find('Show await', 'check box').has_state('CHECKED'), 'it is not ticked again')
    browser.click(browser.find('Show all of advance', 'check box'))
    wait_for(lambda: not browser.find('Show await', 'check box').has_state('CHECKED'), 'all of its class')


def shows_long_waits(display, start, folder):
    """only what waits so long: durations as people type them, and what is none is told"""
    browser = open_trace(display, start, gauss(folder))
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Waits at least', 'text'))
    for typed, said in [('20 us', '20.0 µs'), ('1,5 ms', '1.50 ms'), ('0.5s', '500 ms')]:
        browser.press('ctrl+a')
        browser.type(typed)
        browser.press('Return')
        filtered(browser, f'only what waited {said} or longer')
    browser.press('ctrl+a')
    browser.type('long')
    browser.press('Return')
    is_said(browser, '^This is no duration')
    filtered(browser, 'only what waited 500 ms or longer')
    browser.press('ctrl+a', 'BackSpace', 'Return')
    filtered(browser, None)


def shows_only_an_object(display, start, folder):
    """only what touches the selected event's object: those processes that lightcone sql finds"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+f')
    browser.type('operation:await')
    browser.press('Return')
    wait_for(lambda: 'await' in described(browser), 'an await')
    browser.press('Escape', 'ctrl+j')
    name = re.search(r'await of (?:\w+ )?(.+?), number', described(browser))
    query = ('select count (distinct e.process) as n from event e join object o '
             f"on o.id = e.object where o.name = '{name.group(1)}' and o.class = 'advance'")
    n = json.loads(lightcone('sql', '--json', trace, query))[0]['n']
    filtered(browser, f'only on {name.group(1)}')
    wait_for(lambda: f'{n} of 5 processes' in about(browser) or f'{n} processes' in about(browser),
             f'{n} processes: {about(browser)}')
    display.save('only-object')
    browser.press('ctrl+shift+u', 'ctrl+u')
    filtered(browser, None)
    shows(browser, 5)


MARKED = {
    'a': '0 0 enter solve\n10 20 lock m 1\n25 25 unlock m 1\n30 30 leave solve\n40 40 tag value=7\n50 60 lock n 1\n'
         '65 65 unlock n 1\n70 70 tag value=8\n80 90 advance A 1\n',
    'b': '0 0 enter print\n5 40 lock m 2\n45 45 unlock m 2\n50 50 leave print\n60 60 tag value=7\n70 95 await A 1\n',
}


def shows_little_slack(display, start, folder):
    """only what has little slack: the same as SQL says, kept with the trace, and taken back by an empty field"""
    trace = folder / 'slack'
    trace.mkdir()
    for name, lines in MARKED.items():
        (trace / f'{name}.events').write_text(f'%lightcone-events 1\n{lines}')
    query = 'select process, ordinal from slack where from_process is null and slack <= 5 order by 1, 2'
    rows = json.loads(lightcone('sql', '--json', trace, query))
    browser = open_trace(display, start, trace)
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Slack at most', 'text'))
    browser.type('5 ns')
    browser.press('Return')
    filtered(browser, 'only what has slack up to 5 ns')
    browser.press('Escape', 'ctrl+shift+e')
    table = browser.find('Events', 'tree table')
    wait_for(lambda: browser.look_for(f'{len(rows)} events', 'label'), f'{len(rows)} events in the table')
    display.save('slack')
    browser.close()
    browser = open_trace(display, start, trace)
    filtered(browser, 'only what has slack up to 5 ns')
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Slack at most', 'text'))
    browser.press('ctrl+a')
    browser.type('0')
    browser.press('Return')
    filtered(browser, 'only what has no slack')
    browser.press('ctrl+a', 'BackSpace', 'Return')
    filtered(browser, None)


def shows_what_is_inside(display, start, folder):
    """only what is inside a region or after a tag: steps stay in it, it is kept, and the export is told the same"""
    trace = folder / 'marked'
    trace.mkdir()
    for name, lines in MARKED.items():
        (trace / f'{name}.events').write_text(f'%lightcone-events 1\n{lines}')
    browser = open_trace(display, start, trace)
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Marks', 'page tab'))
    browser.click(browser.find('Only inside solve', 'check box'))
    filtered(browser, 'only inside solve')
    browser.click(browser.find('Only inside 7', 'check box'))
    filtered(browser, 'only inside solve, tag 7')
    display.save('inside')
    browser.click(browser.place_of_nothing())
    browser.press('n', 'comma')
    wait_for(lambda: described(browser).startswith('tag'), 'the tag, which is the first of its process')
    browser.press('n')
    wait_for(lambda: described(browser).startswith('await'), 'the next event')
    browser.press('k')
    wait_for(lambda: described(browser).startswith('unlock'), 'the nearest one before, not the tag and the advance')
    browser.press('ctrl+e')
    command = command_of(browser)
    holds('--within solve --tag 7' in command, command)
    browser.press('Escape')
    browser.close()
    browser = open_trace(display, start, trace)
    filtered(browser, 'only inside solve, tag 7')
    browser.press('ctrl+shift+u')
    filtered(browser, None)


# --- Finding

def counts_and_wraps(display, start, folder):
    """the search says how many it finds, which one is selected, and when it goes on from the other end"""
    trace = gauss(folder)
    query = "select count (*) as n from event where operation = 'write-start'"
    n = json.loads(lightcone('sql', '--json', trace, query))[0]['n']
    browser = open_trace(display, start, trace)
    browser.press('ctrl+f')
    browser.type('write-start')
    is_said(browser, f'^{n} found$')
    browser.press('Return')
    is_said(browser, f'^1 of {n}$')
    browser.press('shift+Return')
    is_said(browser, f'^{n} of {n}$')
    is_said(browser, '^Went on from the end.$')
    browser.press('F3')
    is_said(browser, f'^1 of {n}$')
    is_said(browser, '^Went on from the beginning.$')
    browser.press('F3', 'shift+F3')
    is_said(browser, f'^1 of {n}$')
    browser.press('ctrl+a')
    browser.type('nowhere')
    is_said(browser, 'Nothing here is called “nowhere”.')


TESTS = [keys_hide_and_move, what_was_hidden_comes_back_in_its_place, sorts_and_groups, ticks_operations,
         shows_long_waits, shows_little_slack, shows_only_an_object, shows_what_is_inside, counts_and_wraps]

if __name__ == '__main__':
    run(TESTS)
