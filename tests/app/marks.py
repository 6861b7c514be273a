#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Marks and notes in a real window. marks.py [TEST...] runs only those."""
import re

from browse import described, equal, holds, open_trace
from inspector import ask, select, tab, write
from window import lightcone, run, wait_for


def marks(trace):
    rows = ask(trace, 'SELECT name, process, ordinal, begin FROM mark ORDER BY 1, 2, 3')
    return [tuple(row.values()) for row in rows]


def names(trace):
    return [mark[0] for mark in marks(trace)]


def notes(trace):
    return [row['text'] for row in ask(trace, 'SELECT text FROM annotation')]


def wait_for_window(browser):
    """Until the dialog is gone, and its window has the keyboard again."""
    wait_for(lambda: browser.find_window() == browser.window, 'the keyboard back')


def mark_selected(browser, name):
    """The selected event, by the button of the inspector."""
    browser.click(browser.find('Mark…', 'push button'))
    browser.find('The name of the mark')
    browser.type(name)
    browser.press('Return')
    wait_for_window(browser)


def colors(display, box):
    """How often each colour is in a part of the screen."""
    x, y, width, height = box
    found = {}
    for row in display.pixels()[y:y + height]:
        for at in range(x, x + width):
            color = bytes(row[4 * at:4 * at + 3])
            found[color] = found.get(color, 0) + 1
    return found


# --- Marks

def marks_an_event(display, start, folder):
    """an event is marked from the inspector: it is drawn, listed, said, searched for, and kept beside the history"""
    trace = write(folder)
    browser = open_trace(display, start, trace)
    first = select(browser, 'await X')
    before = colors(display, browser.box(browser.diagram))
    mark_selected(browser, 'odd')
    wait_for(lambda: names(trace) == ['odd'], 'the mark beside the history')
    browser.find('Remove the mark odd from this event', 'push button')
    wait_for(lambda: len(colors(display, browser.box(browser.diagram)).keys() - before.keys()) > 0, 'it drawn')
    tab(browser, 'Marks')
    browser.find('Show odd in the diagram', 'check box')
    holds(browser.look_for('1 event', 'label'), 'how many there are')
    display.save('marks')
    select(browser, 'tag 3')
    equal(select(browser, 'marked:odd'), first, 'what a search for marks finds')


def marks_what_is_in_view(display, start, folder):
    """the time in view is marked, with the key M"""
    trace = write(folder)
    browser = open_trace(display, start, trace)
    browser.click(browser.place_of_nothing())
    browser.press('m')
    browser.find('The name of the mark')
    browser.type('all')
    browser.press('Tab', 'Down')
    wait_for(lambda: browser.find('The time in view, on the processes in view').has_state('CHECKED'), 'the choice')
    browser.press('shift+Tab', 'Return')
    wait_for_window(browser)
    wait_for(lambda: names(trace) == ['all'] * 3, 'a span of each process')
    tab(browser, 'Marks')
    browser.find('3 spans', 'label')


def hides_removes_and_undoes(display, start, folder):
    """a set is hidden, gone through, removed, and brought back"""
    trace = write(folder)
    lightcone('script', trace, '-e', "(begin (mark! (cons 0 1) 'odd) (mark! (cons 1 0) 'odd) (mark! (cons 2 1) 'even))")
    browser = open_trace(display, start, trace)
    tab(browser, 'Marks')
    check = browser.find('Show odd in the diagram', 'check box')
    browser.settle()
    shown = colors(display, browser.box(browser.diagram)).keys()
    browser.click(check)
    hidden = wait_for(lambda: shown - colors(display, browser.box(browser.diagram)).keys(), 'the picture without them')
    browser.click(browser.find('Show odd in the diagram', 'check box'))
    wait_for(lambda: hidden & colors(display, browser.box(browser.diagram)).keys(), 'the picture with them')
    browser.find('2 events', 'label')
    following = browser.nodes(name='The next mark')
    browser.click(following[1])
    first = wait_for(lambda: described(browser), 'the first of them')
    browser.click(following[1])
    wait_for(lambda: described(browser) not in ('', first), 'the next of them')
    before = marks(trace)
    rows_of_odd = browser.nodes(name='Remove all marks of this name')
    equal(len(rows_of_odd), 2, 'the buttons that remove sets')
    browser.click(rows_of_odd[1])
    wait_for(lambda: names(trace) == ['even'], 'the set removed')
    browser.do(browser.find(re.compile('Undo'), 'push button'))
    wait_for(lambda: marks(trace) == before, 'the set brought back')
    browser.find('Show odd in the diagram', 'check box')


def sees_what_others_mark(display, start, folder):
    """what another program marks appears, and goes, by itself"""
    trace = write(folder)
    browser = open_trace(display, start, trace)
    tab(browser, 'Marks')
    browser.find('No marks')
    lightcone('script', trace, '-e', "(begin (mark! (cons 0 1) 'theirs) (annotate! (cons 1 1) \"look here\"))")
    browser.find('Show theirs in the diagram', 'check box')
    browser.find(re.compile('look here'))
    lightcone('script', trace, '-e', "(begin (unmark! 'theirs) (annotate! (cons 1 1) #f))")
    browser.find('No marks')


# --- Notes

def writes_a_note(display, start, folder):
    """a note is written on an event, shown with it and in the list, and taken back"""
    trace = write(folder)
    browser = open_trace(display, start, trace)
    select(browser, 'await X')
    browser.click(browser.find('Note…', 'push button'))
    browser.find('The note on the event')
    browser.type('why so late')
    browser.do(browser.find(re.compile('Save'), 'push button'))
    wait_for_window(browser)
    wait_for(lambda: notes(trace) == ['why so late'], 'the note beside the history')
    browser.find('why so late', 'label')
    browser.click(browser.find('Edit note…', 'push button'))
    browser.find('The note on the event')
    browser.press('ctrl+a', 'Delete')
    browser.do(browser.find(re.compile('Save'), 'push button'))
    wait_for_window(browser)
    wait_for(lambda: notes(trace) == [], 'the note taken back')
    browser.find('Note…', 'push button')
    browser.click(browser.place_of_nothing())


if __name__ == '__main__':
    run([marks_an_event, marks_what_is_in_view, hides_removes_and_undoes, sees_what_others_mark, writes_a_note])
