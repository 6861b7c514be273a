#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where in the source events were called, in a real window. where.py [TEST...] runs those tests only. Speaks TAP."""
import re
from pathlib import Path

from browse import described, equal, holds, open_trace, record
from export import command_of
from filters import filtered, is_said
from inspector import SMALL, deadlocked, rows, select, tab, text_of, write
from window import run, wait_for

SOURCES = Path(__file__).resolve().parent.parent / 'examples'
# What x.c:6 does ends the wait of b; the file lies beside the trace, the other is nowhere.
PLACES = {
    'a': '0 10 lock m 1 at=grab@src/x.c:3;main@y.c:9\n100 100 unlock m 1 at=give@src/x.c:6;main@y.c:10\n',
    'b': '5 110 lock m 2 at=grab@src/x.c:3;work@y.c:12\n150 150 unlock m 2 at=drop@y.c:9;work@y.c:14\n',
}
SOURCE = 'int n;\nstatic void grab (void)\n{\n\tlock (&m);\n\tn++;\n\tunlock (&m);\n}\n'


def places(folder):
    trace = write(folder, PLACES)
    (trace / 'x.c').write_text(SOURCE)
    return trace


def make_editor(folder):
    """Something that writes down what it is started with, and where it does."""
    editor, said = folder / 'edit', folder / 'edited'
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{said}.new"\nmv "{said}.new" "{said}"\n')
    editor.chmod(0o755)
    return editor, said


def prefer(browser, command):
    browser.press('ctrl+comma')
    browser.find('Preferences', 'frame')
    browser.press(*6 * ['Tab'])
    go_to(browser, 'Keep up with running programs', 'check box')
    browser.press('Tab')  # into the row for the command, of which AT-SPI does not say that it has the focus
    browser.press('ctrl+a')
    browser.type(command)
    browser.display.save('where-preferences')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for('Preferences', 'frame'), 'the preferences are closed')


def go_to(browser, name, role=None):
    """By keys only."""
    for _ in range(10):
        node = browser.look_for(name, role)
        if node is not None and node.has_state('FOCUSED'):
            return
        browser.press('Tab')
    holds(False, f'{name} cannot be reached by keys')


def lists_name_places(display, browser):
    """Also where the object was used first."""
    equal(rows(browser, '^unlock m #2, 40 ns, next on its process, at 150 ns, drop'),
          ['unlock m #2, 40 ns, next on its process, at 150 ns, drop() y.c:9'] * 2, 'what is next')
    names = [node.get_name() for node in browser.nodes(role='label')]
    equal(names[names.index('First used in') + 1], 'grab() x.c:3', 'where the object was used first')
    tab(browser, 'Longest waits')
    browser.find(re.compile(r'^lock m #2, 95 ns, .*, grab\(\) x\.c:3$'))
    display.save('where-waits')
    groups_waits(browser)


def choose_group(browser, place, told):
    """Once more from the beginning, if the list was not there yet when the keys were."""
    def chosen():
        browser.press('Escape')
        browser.click(browser.find('Group waits by', 'combo box'))
        browser.press('Home', *['Down'] * place, 'Return')
        return browser.look_for(re.compile(told))
    wait_for(chosen, f'the group {place}')


def groups_waits(browser):
    """The longest wait of a group is selected by a click; GTK drops the first one after a list that was popped up."""
    before = described(browser)
    select(browser, 'process:a lock')
    for place, told in enumerate((r'^m, 95 ns, 1 wait of 95 ns', r'^grab\(\) x\.c:3, 95 ns, 1 wait',
                                  r'^grab\(\) x\.c:3 < work\(\) y\.c:12, 95 ns, 1', r'^b, 95 ns, 1 wait'), 1):
        choose_group(browser, place, told)
        browser.display.save(f'where-waits-{place}')

    def leads_back():
        browser.click(browser.find(re.compile('^b, 95 ns, 1 wait')))
        return described(browser) == before
    wait_for(leads_back, 'the longest wait of the group')


def tells_the_line(display, start, folder):
    """the line of an event and of what it waited for, the stack below, the editor that opens there; lists"""
    trace = places(folder)
    editor, said = make_editor(folder)
    browser = open_trace(display, start, trace)
    prefer(browser, f'{editor} +%l %f')
    select(browser, 'process:b lock')
    holds('that was called in give() x.c:6' in described(browser), described(browser))
    browser.find('grab() x.c:3', 'label')
    browser.find('give() x.c:6', 'label')
    marked = [node.get_name() for node in browser.nodes(describe='the line of the call')]
    equal(marked, ['{', '    unlock (&m);'], 'lines 3 and 6')
    holds(rows(browser, r'^unlock m #1, its end, on a at 100 ns$'), 'the link, which leaves the place to what follows')
    display.save('where')
    browser.click(browser.find('Copy all of this as text', 'push button'))
    go_to(browser, 'Open in editor')
    browser.press('Return')
    equal(wait_for(lambda: said.exists() and said.read_text(), 'the editor').splitlines(), ['+3', str(trace / 'x.c')],
          'what the editor is told')
    browser.click(browser.find('Stack of 2 frames'))
    browser.click(browser.find('work, y.c:12'))
    browser.find('work() y.c:12', 'label')
    display.save('where-stack')
    equal(len(browser.nodes(name='Open in editor')), 1, 'files that are there')
    lists_name_places(display, browser)


def turn_colours(browser):
    browser.press('F10')
    browser.do(browser.find(re.compile('Colours by function$'), role='check menu item'))


def colours_by_function(display, start, folder):
    """the menu colours events by function, a line names them, the export has them too, and the choice is kept"""
    trace = places(folder)
    browser = open_trace(display, start, trace)
    said = re.compile('^Single events by function:')
    turn_colours(browser)
    told = browser.find(said, 'label').get_name()
    equal(re.findall(r'■\s([^■]*[^■\s])', told), ['grab', 'drop', 'give', 'others', 'not known'], told)
    display.save('where-colours')
    browser.press('ctrl+e')
    command = command_of(browser)
    holds('--colour site' in command, command)
    browser.press('Escape')
    wait_for(lambda: not browser.look_for(command, 'label'), 'the end of the dialog')
    browser.close()
    browser = start(trace)
    browser.find(said, 'label')
    turn_colours(browser)
    wait_for(lambda: not browser.look_for(said, 'label'), 'no colours')


def finds_and_filters(display, start, folder):
    """functions, lines and files are found, and filtered by"""
    browser = open_trace(display, start, places(folder))
    for query, first in (('in:work', 'lock'), ('x.c:6', 'unlock'), ('drop', 'unlock')):
        holds(select(browser, query).startswith(first), described(browser))
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Called in', 'text'))
    for typed in ('grab', 'y.c:14', 'WORK()'):
        browser.press('ctrl+a')
        browser.type(typed)
        browser.press('Return')
        filtered(browser, f'only called in {typed}')
    display.save('where-filter')
    browser.press('ctrl+a')
    browser.type('nowhere')
    browser.press('Return')
    is_said(browser, '^Nothing is called there')
    filtered(browser, 'only called in WORK()')
    browser.click(browser.find('Filters are active: clear all', 'push button'))
    filtered(browser, None)
    select(browser, 'x.c:6')
    browser.click(browser.find('Only what is called here', 'push button'))
    filtered(browser, 'only called in give')


def has_a_panel_of_places(display, start, folder):
    """places are listed by how long is waited there, or made wait, and lead to the longest wait or to what is done"""
    browser = open_trace(display, start, places(folder))
    tab(browser, 'Places in the source')
    browser.find(re.compile(r'^grab\(\) x\.c:3, 95 ns, 2 events$'))
    display.save('where-places')
    browser.click(browser.find(re.compile(r'^grab\(\) x\.c:3, 95 ns, 2 events$')))
    wait_for(lambda: described(browser).startswith('lock of mutex m, number 2'), 'the longest wait')
    browser.click(browser.find(re.compile(r'^give\(\) x\.c:6, 0 ns, 1 event, made others wait 95 ns$')))
    browser.press('Return')
    wait_for(lambda: described(browser).startswith('unlock of mutex m, number 1'), 'what made it wait')
    browser.press('Escape')
    browser.click(browser.find('Sort places by', 'combo box'))
    browser.press('Down', 'Return')
    wait_for(lambda: rows(browser, r', 1 event$|, 2 events') and
             rows(browser, r', 1 event$|, 2 events')[0] == 'give() x.c:6, 95 ns, 1 event', 'sorted')
    tab(browser, 'Critical path')
    browser.click(browser.find('Shares of', 'combo box'))
    browser.press('End', 'Return')
    # GTK 4.8 may drop the first click after a list of choices was closed.
    wait_for(lambda: described(browser).startswith('unlock of mutex m, number 2') or
             browser.click(browser.find(re.compile(r'^drop\(\) y\.c:9, '))), 'the event of it on the path')
    display.save('where-path')


def reads_a_program(display, start, folder):
    """the line of a recorded program is that of its source"""
    browser = open_trace(display, start, record(folder, 'bounded-buffer'))
    select(browser, 'in:wait_for_item condition-wait wait>1ns')
    line = int(browser.find(re.compile(r'^wait_for_item\(\) bounded-buffer\.c:\d+$'), 'label').get_name().split(':')[1])
    marked = [node.get_name().strip() for node in browser.nodes(describe='the line of the call')]
    equal(marked[0], SOURCES.joinpath('bounded-buffer.c').read_text().splitlines()[line - 1].strip(), f'line {line}')
    display.save('where-program')


def tells_what_never_ended(display, start, folder):
    """the last event of a process tells what that waits in for ever, with its line and stack, also as text"""
    browser = open_trace(display, start, deadlocked(folder))
    # There is more room on the axis, for what never ended, but the run is not longer for it.
    length = re.search(r'whole run: 0–(\S+ \S?s)', browser.find(re.compile('^Space-time diagram')).get_name()).group(1)
    browser.find(length, 'label')
    browser.click(browser.find(re.compile('Show'), 'push button'))
    browser.click(browser.find(re.compile('^Deadlock of 5 processes'), 'panel'))
    wait_for(lambda: described(browser), 'the last event of one of them')
    tab(browser, 'Inspector')
    browser.find('What never ended', 'label')
    browser.find(re.compile('^lock .* never ended$'), 'label')
    browser.find(re.compile('^begun at .*, and never ended$'), 'label')
    dinner = SOURCES.joinpath('philosophers.c').read_text().splitlines()
    line = 1 + dinner.index('  pthread_mutex_lock (&forks[right]);')
    browser.find(re.compile(rf'^[a-z_]+\(\) philosophers\.c:{line}$'), 'label')
    display.save('where-pending')
    browser.click(browser.find('Copy all of this as text', 'push button'))
    browser.press('ctrl+f', 'ctrl+a', 'ctrl+v')
    wait_for(lambda: any(re.search(rf'What never ended\W+lock .*begun at .*never ended.*philosophers\.c:{line}',
                                   text_of(node), re.S) for node in browser.nodes(role='entry')),
             'it in what was copied')
    select(browser, 'start')
    wait_for(lambda: not browser.look_for('What never ended', 'label'), 'an event before the last has nothing of it')


def is_as_before_without(display, start, folder):
    """a trace that does not say where has nothing of it"""
    browser = open_trace(display, start, write(folder, SMALL))
    select(browser, 'await X')
    browser.click(browser.find('Filters', 'page tab'))
    browser.find('Waits at least', 'text')
    holds(browser.look_for('Places in the source', 'page tab') is None, 'a panel of places')
    for name in ('Called in', 'Open in editor', 'Only what is called here', 'First used in', 'That was called in'):
        holds(browser.look_for(name) is None, f'{name} is there')


if __name__ == '__main__':
    run([tells_the_line, colours_by_function, finds_and_filters, has_a_panel_of_places, reads_a_program,
         tells_what_never_ended, is_as_before_without])
