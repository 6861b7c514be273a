#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looking at a trace in a real window, as a user would. browse.py [TEST...] runs those tests only. Speaks TAP."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from window import LIGHTCONE, Failure, lightcone, run, wait_for

EXAMPLES = Path(os.environ['LIGHTCONE_EXAMPLES'])
DIAGRAM = re.compile('^Space-time diagram')


def equal(actual, expected, what):
    if actual != expected:
        raise Failure(f'{what}: {actual!r}, not {expected!r}')


def holds(condition, what):
    if not condition:
        raise Failure(what)


def record(folder, *program, name='trace'):
    trace = folder / name
    lightcone('record', '--quiet', '-o', trace, '--', EXAMPLES / program[0], *program[1:])
    return trace


def gauss(folder):
    return record(folder, 'gauss', '--workers', '4', '--size', '24')


def open_trace(display, start, trace, **options):
    """A window as large as the display, with the diagram in it."""
    browser = start(trace, **options)
    browser.resize(*display.size)
    browser.diagram = browser.find(DIAGRAM)
    return browser


def about(browser):
    """What a screen reader says of the diagram."""
    return browser.find(DIAGRAM).get_name()


def described(browser):
    """What a screen reader says of the selection; '': there is none."""
    text = browser.find(DIAGRAM).get_description()
    return '' if text.startswith('No event') else text


def label_beside(browser, name):
    """The value in a table of names and values."""
    labels = [node for node in browser.nodes() if node.get_role_name() == 'label']
    names = [node.get_name().strip() for node in labels]
    if name not in names:
        return None
    return names[len(names) - names[::-1].index(name)]


# --- Opening

def opens_a_folder(display, start, folder):
    """a folder is opened, and said to be what lightcone info says it is"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    info = json.loads(lightcone('info', '--json', trace))
    equal(label_beside(browser, 'Processes'), str(info['processes']), 'processes')
    equal(label_beside(browser, 'Events'), f'{info["events"]:,}', 'events')
    holds(f'{info["processes"]} processes' in about(browser), about(browser))
    display.save('open')


def every_button_has_a_name(display, start, folder):
    """a screen reader has a name for every button and every field"""
    browser = open_trace(display, start, gauss(folder))
    nameless = [f'{node.get_role_name()} {node.get_name()!r} {node.get_description()!r}' for node in browser.nodes()
                if node.get_role_name() in ('push button', 'check box', 'toggle button', 'entry', 'combo box', 'slider')
                and node.has_state('FOCUSABLE') and re.match(r'^(Gtk|Adw|Lc)|^$', node.get_name())]
    equal(nameless, [], 'without a name')


def a_broken_trace_is_told(display, start, folder):
    """what cannot be opened is told, with where it is and what to do"""
    (folder / 'empty').mkdir()
    browser = start(folder / 'empty')
    browser.find('This is not a trace')
    said = browser.find(re.compile('/empty'))
    holds('no ctf/metadata' in said.get_name(), said.get_name())
    browser.find(re.compile('Try again'))
    display.save('broken')


def a_damaged_line_is_told(display, start, folder):
    """a text trace that cannot be read: which file, which line"""
    (folder / 'bad').mkdir()
    (folder / 'bad' / 'a.events').write_text('%lightcone-events 1\n10 20 lock m 1\nnonsense\n')
    browser = start(folder / 'bad')
    browser.find('1 problem in this trace')
    browser.click(browser.find(re.compile('Show'), 'push button'))
    said = browser.find(re.compile('a.events.*line 3'))
    holds('nonsense' in said.get_name(), said.get_name())


# --- Looking

def zooms_by_keys(display, start, folder):
    """keys zoom and move, 0 shows the whole run, Escape goes back"""
    browser = open_trace(display, start, gauss(folder))
    holds('whole run' in about(browser), about(browser))
    browser.press('plus', 'plus')
    zoomed = wait_for(lambda: 'whole run' not in about(browser) and about(browser), 'zoomed in')
    browser.press('Down')
    wait_for(lambda: about(browser) != zoomed, 'moved')
    browser.press('0')
    wait_for(lambda: 'whole run' in about(browser), 'the whole run')
    browser.press('Escape')
    wait_for(lambda: 'whole run' not in about(browser), 'the step before')


def zooms_by_wheel_and_band(display, start, folder):
    """the wheel with Control zooms where the pointer is, a rubber band zooms to what is in it"""
    browser = open_trace(display, start, gauss(folder))
    x, y, width, height = browser.box(browser.diagram)
    browser.wheel((x + width // 2, y + height // 2), -3, keys=['ctrl'])
    zoomed = wait_for(lambda: 'whole run' not in about(browser) and about(browser), 'zoomed in')
    browser.drag((x + width * .3, y + height * .3), (x + width * .6, y + height * .5), keys=['shift'])
    wait_for(lambda: about(browser) != zoomed, 'zoomed to the band')
    browser.press('Escape')
    wait_for(lambda: about(browser) == zoomed, 'back to what was in view before the band')
    display.save('band')


def filters_processes(display, start, folder):
    """processes are found by typing, hidden by a tick, and come back with Escape"""
    browser = open_trace(display, start, gauss(folder))
    browser.click(browser.find('Show worker 2', 'check box'))
    wait_for(lambda: '4 of 5 processes' in about(browser) or '4 processes' in about(browser), 'one process less')
    entry = browser.find('Find processes', 'entry')
    browser.click(entry)
    browser.type('worker 3')
    wait_for(lambda: browser.look_for('Show worker 3') and not browser.look_for('Show worker 1'), 'one in the list')
    display.save('filter')
    browser.press('ctrl+u')
    wait_for(lambda: '5 processes' in about(browser), 'all of them again')


def follows_arcs(display, start, folder):
    """an event is selected by keys, what released it is a link, and Alt-Left goes back"""
    browser = open_trace(display, start, gauss(folder))
    browser.press('n', 'n', 'n')
    first = wait_for(lambda: described(browser), 'a described selection')
    browser.press('comma')
    second = wait_for(lambda: described(browser) not in (first, '') and described(browser), 'another event')
    browser.press('alt+Left')
    wait_for(lambda: described(browser) == first, f'back to {first}, from {second}')
    link = browser.find(re.compile(' before it on its process'))
    browser.click(link)
    wait_for(lambda: described(browser) not in (first, ''), 'the event that the link leads to')
    display.save('selected')


def shows_the_critical_path(display, start, folder):
    """c shows the critical path, whose shares are those of lightcone critical-path"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('c')
    wait_for(lambda: browser.look_for(re.compile('critical path')), 'said to be shown')
    path = json.loads(lightcone('critical-path', '--json', trace))
    browser.click(browser.find('Critical path', 'page tab'))
    wait_for(lambda: label_beside(browser, 'Hops') == f'{path["hops"]:,}' or
             label_beside(browser, 'Changes of process') == f'{path["hops"]:,}', f'{path["hops"]} hops')
    display.save('critical-path')


def switches_time(display, start, folder):
    """physical, logical and phase time, and both orientations"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    layers = json.loads(lightcone('sql', '--json', trace, 'select max (layer) as n from event'))[0]['n']
    browser.press('ctrl+2')
    wait_for(lambda: f'{layers:,}' in about(browser), f'{layers} layers: {about(browser)}')
    display.save('logical')
    browser.press('ctrl+r')
    browser.settle()
    display.save('logical-right')
    browser.press('ctrl+1')
    wait_for(lambda: 'whole run' in about(browser) and 'layer' not in about(browser), 'physical time')


# --- Finding

def finds_events(display, start, folder):
    """Control-F finds events by operation and sequence, and goes from one to the next"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+f')
    browser.type('await')
    browser.press('Return')
    first = wait_for(lambda: 'await' in described(browser) and described(browser), 'an await')
    browser.press('ctrl+g')
    wait_for(lambda: 'await' in described(browser) and described(browser) != first, 'another one')
    browser.press('ctrl+shift+g')
    wait_for(lambda: described(browser) == first, 'the first one again')
    display.save('search')


def keeps_what_was_seen(display, start, folder):
    """what was in view, hidden and noted is there when the trace is opened again"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.click(browser.find('Show worker 2', 'check box'))
    browser.click(browser.place_of_nothing())
    browser.press('ctrl+2', 'plus', 'plus')
    browser.settle()
    before = about(browser)
    browser.close()
    again = start(trace)
    again.resize(*display.size)
    wait_for(lambda: about(again) == before, f'{before} again, not {about(again)}')


TESTS = [opens_a_folder, every_button_has_a_name, a_broken_trace_is_told, a_damaged_line_is_told, zooms_by_keys,
         zooms_by_wheel_and_band, filters_processes, follows_arcs, shows_the_critical_path, switches_time,
         finds_events, keeps_what_was_seen]

if __name__ == '__main__':
    run(TESTS)
