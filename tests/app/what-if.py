#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What-ifs, in a real window. what-if.py [TEST...] runs those tests only. Speaks TAP."""
import json
import re
import shutil

from browse import about, equal, holds, open_trace, relay
from timelines import timelines
from window import lightcone, run, wait_for


def told(trace, *scales):
    """What the command says of a copy of the trace, in words as the dialog has them."""
    other = trace.parent / 'other'
    if not other.exists():
        shutil.copytree(trace, other)
    options = [part for scale in scales for part in ('--scale', scale)]
    return json.loads(lightcone('what-if', '--json', other, *options))['approximated_total']


def micro(nanoseconds):
    return f'{nanoseconds / 1000:.1f} µs'


def ask(browser, what):
    browser.press('ctrl+shift+t')
    browser.find('Its name', 'text').set_text(what)


def answer(browser, nanoseconds):
    browser.find(f'New length: {micro(nanoseconds)}', 'label')


def in_dialog(display, browser, node):
    """Where a widget of the dialog is on the screen, in the middle of which the dialog is."""
    frame = next(window for window in browser.windows if window.get_name() == 'What if').get_extents()
    box = node.get_extents()
    return display.size[0] // 2 - frame.width // 2 + box.x, display.size[1] // 2 - frame.height // 2 + box.y, box.width


def choose(browser, name):
    """An item of an open menu, by keys."""
    item = browser.find(name, 'menu item')
    for _ in range(30):
        if item.has_state('FOCUSED'):
            break
        browser.press('Down')
    browser.press('Return')


# --- The dialog

def finds_the_length_while_the_factor_changes(display, start, folder):
    """the length beside the slider is that of lightcone what-if, for each factor, by keys and by the pointer"""
    trace = relay(folder)
    browser = open_trace(display, start, trace)
    ask(browser, 'A')
    answer(browser, told(trace, 'A=0.5'))
    slider = browser.find('Factor', 'slider')
    browser.press('Tab', 'Home')
    answer(browser, told(trace, 'A=0'))
    browser.press('Right')
    answer(browser, told(trace, 'A=0.05'))
    left, top, width = in_dialog(display, browser, slider)
    browser.drag((left + 9, top + 2), (left + width + 30, top + 2))
    answer(browser, told(trace, 'A=2'))
    display.save('what-if')
    browser.press('Escape')
    equal(timelines(trace), ['measured'], 'timelines')


def keeps_it_as_a_timeline(display, start, folder):
    """what is kept is a timeline with a name, labelled as a what-if wherever it is shown"""
    trace = relay(folder)
    browser = open_trace(display, start, trace)
    ask(browser, 'process:runner 1')
    answer(browser, told(trace, 'process:runner 1=0.5'))
    browser.do(browser.find('Keep as a timeline', 'push button'))
    menu = browser.find(re.compile('^What if: process:runner 1 × 0.5, beside measured'))
    equal(timelines(trace), ['measured', 'process:runner 1 x 0.5'], 'timelines')
    holds('what if: process:runner 1 × 0.5, event model' in about(browser), about(browser))
    holds('approximated' not in about(browser).lower(), about(browser))
    display.save('kept')
    browser.click(menu)
    browser.find('What if: process:runner 1 × 0.5', 'menu item')
    display.save('menu')
    browser.press('Escape')


def takes_no_name_of_an_approximation(display, start, folder):
    """a what-if cannot be called as an approximation is, and replaces only what-ifs"""
    trace = relay(folder)
    lightcone('approximate', trace, '--name', 'mine')
    lightcone('what-if', trace, '--scale', 'A=0', '--name', 'other')
    browser = open_trace(display, start, trace)
    ask(browser, 'A')
    keep = browser.find('Keep as a timeline', 'push button')
    wait_for(lambda: keep.has_state('SENSITIVE'), 'an answer')
    name = browser.find('Name of the timeline', 'text')
    for taken in ('mine', 'event', 'measured'):
        name.set_text(taken)
        browser.find('An approximation has this name: a what-if needs another one.', 'label')
        wait_for(lambda: not keep.has_state('SENSITIVE'), f'{taken} is refused')
    display.save('refused')
    name.set_text('other')
    browser.find('Replaces the what-if of this name.', 'label')
    wait_for(lambda: keep.has_state('SENSITIVE'), 'another what-if is replaced')
    browser.do(keep)
    browser.find(re.compile('^other .what if: A × 0.5., beside measured'))
    equal(timelines(trace), ['measured', 'mine', 'other'], 'timelines')


def says_what_is_no_name(display, start, folder):
    """what has no such name is told in the dialog, and the next thing typed is asked of"""
    trace = relay(folder)
    browser = open_trace(display, start, trace)
    ask(browser, 'nobody')
    browser.find(re.compile('^nobody: '), 'label')
    equal(browser.find('Keep as a timeline', 'push button').has_state('SENSITIVE'), False, 'it cannot be kept')
    browser.find('Its name', 'text').set_text('await')
    answer(browser, told(trace, 'await=0.5'))
    browser.press('Escape')


# --- Where it is asked from

def is_asked_of_an_event(display, start, folder):
    """of an event are asked its operation, its object and its process, from its menu"""
    trace = relay(folder)
    browser = open_trace(display, start, trace)
    left, top, width, height = browser.box(browser.diagram)
    browser.click((left + width // 8, top + height // 2))
    browser.press('Menu')
    choose(browser, 'What if it took another time…')
    answer(browser, told(trace, 'await=0.5'))
    for part in ('A', 'process:runner 0'):
        left, top, _ = in_dialog(display, browser, browser.find('What takes another time', 'combo box'))
        browser.click((left + 40, top + 16))
        browser.press('Down', 'Return')
        answer(browser, told(trace, f'{part}=0.5'))
    display.save('event')
    browser.press('Escape')


def is_asked_of_rows(display, start, folder):
    """the rows of operations and processes have a menu for it"""
    trace = relay(folder)
    browser = open_trace(display, start, trace)
    browser.click(browser.find('runner 1', 'label'), button=3)
    choose(browser, 'What if it took another time…')
    answer(browser, told(trace, 'process:runner 1=0.5'))
    browser.press('Escape')
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('await', 'label'), button=3)
    choose(browser, 'What if await took another time…')
    answer(browser, told(trace, 'await=0.5'))
    browser.press('Escape')


def quits_from_dialogs(display, start, folder):
    """Control-Q ends the browser, also while a dialog is open: what if, approximate, export"""
    trace = relay(folder)
    for keys, title in [('ctrl+shift+t', 'What if'), ('ctrl+t', re.compile('Approximate')),
                        ('ctrl+e', re.compile('Export'))]:
        browser = open_trace(display, start, trace)
        browser.press(keys)
        browser.find(title, 'frame')
        browser.settle()
        browser.close()


TESTS = [finds_the_length_while_the_factor_changes, keeps_it_as_a_timeline, takes_no_name_of_an_approximation,
         says_what_is_no_name, is_asked_of_an_event, is_asked_of_rows, quits_from_dialogs]

if __name__ == '__main__':
    run(TESTS)
