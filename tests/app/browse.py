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


def relay(folder):
    """Four processes hand something round, in times that are the same on every machine."""
    trace = folder / 'relay'
    trace.mkdir()
    for process in range(4):
        lines, last = ['%lightcone-events 1', f'%process runner {process}', '0 40 tag value=1'], 40
        for turn in range(process, 40, 4):
            at = 1000 * turn
            if turn > 0:
                lines.append(f'{last} {at + 50} await A {turn}')
            lines.append(f'{at + 800} {at + 950} advance A {turn + 1}')
            last = at + 950
        lines.append(f'{last} {last + 3000} tag value=2')
        (trace / f'{process}.events').write_text('\n'.join(lines) + '\n', encoding='utf-8')
    return trace


def open_trace(display, start, trace, **options):
    """A window as large as the display, with the diagram in it."""
    browser = start(trace, **options)
    browser.resize(*display.size)
    browser.diagram = browser.find(DIAGRAM)
    browser.columns()
    return browser


def about(browser):
    """What a screen reader says of the diagram."""
    return browser.again(DIAGRAM).get_name()


def described(browser):
    """What a screen reader says of the selection; '': there is none."""
    text = browser.again(DIAGRAM).get_description()
    return '' if text.startswith('No event') else text


def label_beside(browser, name):
    """The value in a table of names and values."""
    names = [node.get_name().strip() for node in browser.nodes(role='label')]
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


def pixels_of(display, browser, node, color):
    """How many pixels of a widget have a colour."""
    x, y, width, height = browser.box(node)
    wanted = color.to_bytes(3, 'little')
    return sum(row[4 * at:4 * at + 3] == wanted
               for row in display.pixels()[y:y + height] for at in range(x, x + width))


def highlights_are_seen_everywhere(display, start, folder):
    """hits, the critical path and the light cone are in the diagram and the overview, at every zoom"""
    browser = open_trace(display, start, relay(folder))
    overview = browser.find(re.compile('^The whole run, and the part'))
    selection, critical, past, future = 0x2070ee, 0xbb3d70, 0x0069cd, 0xdd9800

    def count(node, color):
        browser.settle()
        return pixels_of(display, browser, node, color)

    before = {node: count(node, selection) for node in (overview, browser.diagram)}
    browser.press('ctrl+f')
    browser.type('await')
    for node in before:
        wait_for(lambda: count(node, selection) > before[node] + 10, f'hits in {node.get_name()}')
    display.save('hits')
    browser.press('Return')
    for _ in range(4):
        browser.press('ctrl+plus')
        wait_for(lambda: count(browser.diagram, selection) > 10, 'hits near by')
    browser.press('Escape')
    wait_for(lambda: described(browser), 'a selection')
    wait_for(lambda: count(overview, selection) <= before[overview] + 10, 'no hits when the search is closed')
    browser.click(browser.place_of_nothing())
    browser.press('0')
    browser.press('c')
    for node in before:
        wait_for(lambda: count(node, critical) > 50, f'the path in {node.get_name()}')
    display.save('path-overview')
    browser.press('n', 'n', 'n', 'n', 'n', 'n')
    browser.press('b')
    wait_for(lambda: count(overview, past) > 10 and count(overview, future) > 10, 'the cone in the overview')
    wait_for(lambda: count(browser.diagram, past) > 10 and count(browser.diagram, future) > 10, 'the cone')
    display.save('cone-overview')


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


def steps(browser, key):
    """What is told of the events that a key leads to, from the selected one to the last."""
    told = [described(browser)]
    while True:
        browser.press(key)
        now = described(browser)
        if now == told[-1]:
            return told
        told.append(now)


def every_event_is_told(display, start, folder):
    """keys lead to each event of a process and from a wait to its partner, and each is told with all that matters"""
    browser = open_trace(display, start, relay(folder))
    browser.click(browser.place_of_nothing())
    browser.press('n')
    steps(browser, 'comma')
    told = steps(browser, 'period')
    process = re.search(r'runner (\d)', told[0]).group(0)
    holds(all(f'{process}, event {number},' in text for number, text in enumerate(told)), f'all, in order: {told}')
    waits = [text for text in told if text.startswith('await of advance A')]
    holds(len(waits) >= 9 and len(told) in (21, 22), f'all events: {told}')
    partner = re.compile(r'waited [\d.]+ µs for the end of (advance A, number \d+) \((runner \d), event (\d+)\)')
    holds(all(partner.search(text) for text in waits), f'how long, and for whom: {waits}')
    while not described(browser).startswith('await'):
        browser.press('comma')
    name, whom, number = partner.search(described(browser)).groups()
    browser.press('h')
    wait_for(lambda: described(browser).startswith(name) and f'{whom}, event {number},' in described(browser),
             f'its partner, {name} of {whom}, not {described(browser)}')


TESTS = [opens_a_folder, every_button_has_a_name, a_broken_trace_is_told, a_damaged_line_is_told, zooms_by_keys,
         zooms_by_wheel_and_band, filters_processes, follows_arcs, every_event_is_told, shows_the_critical_path,
         switches_time, finds_events, highlights_are_seen_everywhere, keeps_what_was_seen]

if __name__ == '__main__':
    run(TESTS)
