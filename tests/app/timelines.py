#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time, timelines and playing, in a real window. timelines.py [TEST...] runs those tests only. Speaks TAP."""
import json
import re
import shutil
import subprocess

from browse import about, described, equal, gauss, holds, label_beside, open_trace, record
from window import MAKE_TRACE, lightcone, run, wait_for


def timelines(trace):
    rows = json.loads(lightcone('sql', '--json', trace, 'select name from timeline order by id'))
    return [row['name'] for row in rows]


def approximate(browser):
    """By the dialog, as it is when it opens."""
    browser.press('ctrl+t')
    browser.do(browser.find('Approximate', 'push button'))
    browser.find('Measured / approximated', 'label')


def result(browser, name):
    """A number of the results."""
    return label_beside(browser, name)


# --- Approximating

def approximates_as_the_command_line(display, start, folder):
    """the dialog's numbers are those of lightcone approximate"""
    trace = gauss(folder)
    shutil.copytree(trace, folder / 'other')
    told = json.loads(lightcone('approximate', '--json', folder / 'other'))
    browser = open_trace(display, start, trace)
    approximate(browser)
    equal(result(browser, 'Moved'), f'{told["moved"]:,} of {told["events"]:,} events', 'moved')
    equal(result(browser, 'Measured / approximated'), f'{told["measured_total"] / told["approximated_total"]:.2f}',
          'ratio')
    equal(result(browser, 'Wait shorter'), f'{told["lost"]:,}', 'wait shorter')
    equal(result(browser, 'In another order'), f'{told["reordered"]:,}', 'in another order')
    display.save('approximated')
    browser.press('Escape')
    name = told['timeline']
    browser.find(re.compile(f'^Approximated: {name}, beside measured'))
    holds(f'approximated: {name}' in about(browser), about(browser))
    equal(timelines(trace), ['measured', name], 'timelines')
    display.save('beside')


def chooses_the_model_as_the_command_line(display, start, folder):
    """of a program whose threads race for a mutex that is another model, and nobody has to know"""
    trace = record(folder, 'contention', '--rounds', '2000')
    shutil.copytree(trace, folder / 'other')
    told = json.loads(lightcone('approximate', '--json', folder / 'other'))
    equal((told['chosen'], told['timeline']), (True, 'liberal'), 'what the command chooses')
    browser = open_trace(display, start, trace)
    approximate(browser)
    equal(timelines(trace), ['measured', 'liberal'], 'timelines')
    equal(result(browser, 'In another order'), f'{told["reordered"]:,}', 'in another order')


def tells_why_as_the_command_line(display, start, folder):
    """of an event that has moved the inspector has the parts of lightcone explain"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    approximate(browser)
    browser.press('Escape')
    browser.press('ctrl+f')
    browser.type('await')
    browser.press('Return')
    number = wait_for(lambda: label_beside(browser, 'Number on its process'), 'an event')
    process = re.search(', (worker [1-4]), event', described(browser)).group(1)
    wait_for(lambda: label_beside(browser, 'Together, exactly') is not None, 'why it moved')
    told = json.loads(lightcone('explain', '--json', trace, f'{process}:{number}'))
    for label, ns in (('Instrumentation removed', -told['removed']), ('Waiting gained or lost', told['gained']),
                      ('Together, exactly', told['moved'])):
        equal(label_beside(browser, label), f'{ns:+,} ns' if ns != 0 else '0 ns', label)
    display.save('why')


def says_what_is_wrong_with_a_cost(display, start, folder):
    """a cost that cannot be is told beside it, and nothing is begun with it"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+t')
    go = browser.find('Approximate', 'push button')
    entry = browser.find('What if', 'text')
    entry.set_text('nobody=0.5')
    wait_for(lambda: not go.has_state('SENSITIVE'), 'it cannot be begun')
    browser.find(re.compile('nobody'), 'label')
    display.save('cost')
    entry.set_text('await=0.5')
    wait_for(lambda: go.has_state('SENSITIVE'), 'it can be begun')
    browser.press('Escape')


def goes_back_to_measured(display, start, folder):
    """bounds, a timeline beside another, the way between them; Control-M shows what was measured, and nothing else"""
    trace = gauss(folder)
    for model in ('event', 'optimistic', 'pessimistic'):
        lightcone('approximate', trace, '--model', model)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+b', 'ctrl+shift+b')
    browser.find('bounds: optimistic to pessimistic', 'label')
    browser.press('alt+period', 'alt+period', 'alt+period')
    browser.find(re.compile('^20 % towards '), 'label')
    slider = browser.find('From one timeline to the other', 'slider')
    slider.set_value(50)
    browser.find(re.compile('^50 % towards '), 'label')
    browser.find(re.compile('^Between measured and '), 'push button')
    display.save('between')
    browser.press('ctrl+m')
    browser.find('Measured', 'push button')
    wait_for(lambda: 'approximated' not in about(browser), 'only what was measured')
    equal([node.get_name() for node in browser.nodes(name=re.compile('approximated|bounds|towards'), role='label')], [],
          'what still speaks of approximation')
    display.save('measured')


def cancels_an_approximation(display, start, folder):
    """a long one is cancelled: the window goes on at once, and nothing of it is left in the history"""
    trace = folder / 'long'
    subprocess.run([MAKE_TRACE, str(trace), '--processes', '16', '--events', '20000000'], check=True,
                   stdout=subprocess.DEVNULL)
    lightcone('merge', '--quiet', trace)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+t')
    browser.do(browser.find('Approximate', 'push button'))
    browser.do(browser.find('Cancel', 'push button'))
    display.save('cancelled')
    browser.find('What if', 'text')
    wait_for(lambda: browser.find('Approximate', 'push button').has_state('SENSITIVE'), 'the choices again')
    equal(timelines(trace), ['measured'], 'timelines')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for('What if', 'text'), 'the dialog is closed')
    holds('approximated' not in about(browser), about(browser))


# --- Phases

def a_definition_takes_effect(display, start, folder):
    """what begins a phase is typed: the diagram has other phases then; where nothing begins one it has its times"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+3')
    found = []
    for definition in ('tag', 'object:output of worker 1'):
        define(browser, definition)
        found.append(wait_for(lambda: 'phases' in about(browser) and about(browser) not in found and about(browser),
                              f'other phases than {found}'))
        display.save(f'phases-{definition[:3]}')
    define(browser, 'region:nowhere')
    wait_for(lambda: 'phases' not in about(browser), 'physical time')


def define(browser, definition):
    """What begins a phase."""
    browser.click(browser.find('What begins a phase', 'push button'))
    browser.press('ctrl+a')
    browser.type(definition)
    browser.press('Return', 'Escape')


TESTS = [approximates_as_the_command_line, chooses_the_model_as_the_command_line, tells_why_as_the_command_line,
         says_what_is_wrong_with_a_cost, goes_back_to_measured, cancels_an_approximation, a_definition_takes_effect]

if __name__ == '__main__':
    run(TESTS)
