#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two traces side by side in a real window. compare.py [TEST...] runs those tests only. Speaks TAP."""
import os
import re
from pathlib import Path

from window import Failure, lightcone, run, wait_for

EXAMPLES = Path(os.environ['LIGHTCONE_EXAMPLES'])

# a and b take m in turn, twice; in the second run b is first, and what a computes takes longer. Only the first run has
# A 7, and the barrier of b takes 5 more in the second.
FIRST = {
    'a': '0 10 lock m 0\n20 30 unlock m 0\n100 110 barrier end 0\n200 210 advance A 7\n990 1000 tag value=1\n',
    'b': '5 35 lock m 1\n40 50 unlock m 1\n90 110 barrier end 0\n980 1000 tag value=1\n',
}
SECOND = {
    'a': '5 85 lock m 1\n90 95 unlock m 1\n300 310 barrier end 0\n1990 2000 tag value=1\n',
    'b': '0 10 lock m 0\n70 80 unlock m 0\n285 310 barrier end 0\n1980 2000 tag value=1\n',
}


def holds(condition, what):
    if not condition:
        raise Failure(what)


def write(folder, name, processes):
    trace = folder / name
    trace.mkdir()
    for process, text in processes.items():
        (trace / f'{process}.events').write_text('%lightcone-events 1\n' + text)
    return trace


def write_both(folder):
    return write(folder, 'first.trace', FIRST), write(folder, 'second.trace', SECOND)


def compare(display, start, one, other):
    browser = start('--compare', one, other)
    browser.resize(*display.size)
    browser.find('Events in both')
    return browser


def diagram(browser, name):
    return browser.find(re.compile(f'^Space-time diagram of {re.escape(name)}:'))


def about(browser, name):
    return diagram(browser, name).get_name()


def described(browser, name):
    return diagram(browser, name).get_description() or ''


def row(browser, pattern):
    """A row of the list, when it stays where it is."""
    node = browser.find(re.compile(pattern))
    wait_for(lambda: browser.stands_still(node), 'a list that does not move')
    return node


def value(browser, name):
    """What stands beside a name in the summary."""
    names = [node.get_name() for node in browser.nodes(role='label')]
    return names[names.index(name) + 1]


def focus(browser, name):
    x, y, _, _ = browser.box(diagram(browser, name))
    browser.click((x + 5, y + 5))


def says_how_they_differ(display, start, folder):
    """the summary and the lists say what lightcone compare says"""
    browser = compare(display, start, *write_both(folder))
    found = {name: value(browser, name) for name in ('A took', 'B took', 'B to A', 'Events in both',
                                                    'Events in one only', 'Objects in one only')}
    holds(found == {'A took': '1.00 µs', 'B took': '2.00 µs', 'B to A': '2', 'Events in both': '2',
                    'Events in one only': 'A: 4, B: 4', 'Objects in one only': 'A: 1, B: 0'}, str(found))
    row(browser, r'^mutex m #0, A: a lock at 0 ns\s+B: b lock at 0 ns')
    display.save('compare')


def a_row_leads_to_the_pair(display, start, folder):
    """a row where order differs selects the event of each side"""
    browser = compare(display, start, *write_both(folder))
    browser.click(row(browser, '^mutex m #0'))
    wait_for(lambda: re.match('lock.* a', described(browser, 'first.trace')), 'the event of A')
    wait_for(lambda: re.match('lock.* b', described(browser, 'second.trace')), 'the event of B')
    display.save('compare-order')
    browser.click(browser.find('Time', 'tab') if browser.look_for('Time', 'tab') else browser.find('Time'))
    browser.click(row(browser, r'^barrier end #0, \+5 ns, b, A: 20 ns, B: 25 ns'))
    for name in 'first.trace', 'second.trace':
        wait_for(lambda name=name: 'barrier' in described(browser, name), f'the barrier of {name}')
    display.save('compare-time')


def a_selected_event_has_its_partner(display, start, folder):
    """an event that is selected in one is selected in the other; what has none is told"""
    browser = compare(display, start, *write_both(folder))
    browser.click(row(browser, '^mutex m #0'))
    focus(browser, 'first.trace')
    browser.press('n', 'n')
    wait_for(lambda: 'advance' not in described(browser, 'first.trace') and
             'barrier' in described(browser, 'first.trace'), 'the barrier of A')
    wait_for(lambda: 'barrier' in described(browser, 'second.trace'), 'the barrier of B')
    browser.press('n')
    wait_for(lambda: 'advance' in described(browser, 'first.trace'), 'the advance of A')
    browser.find(re.compile('^advance A #7 is in A only'))
    wait_for(lambda: described(browser, 'second.trace') == '', 'nothing selected in B')
    display.save('compare-alone')
    browser.press('comma')
    wait_for(lambda: 'barrier' in described(browser, 'second.trace'), 'the barrier of B again')
    wait_for(lambda: browser.look_for(re.compile('is in A only')) is None, 'the end of the notice')


def both_zoom_together(display, start, folder):
    """zooming in one zooms the other, unless they are not linked"""
    browser = compare(display, start, *write_both(folder))
    for name in 'first.trace', 'second.trace':
        holds('whole run' in about(browser, name), about(browser, name))
    focus(browser, 'first.trace')
    browser.press('plus', 'plus')
    for name in 'first.trace', 'second.trace':
        wait_for(lambda name=name: 'whole run' not in about(browser, name), f'{name} is zoomed in')
    focus(browser, 'second.trace')
    browser.press('0')
    wait_for(lambda: 'whole run' in about(browser, 'second.trace'), 'all of B')
    wait_for(lambda: 'whole run' in about(browser, 'first.trace'), 'all of A')
    browser.click(browser.find('How the two diagrams move together'))
    browser.press('End', 'Return')
    focus(browser, 'first.trace')
    browser.press('plus', 'plus')
    wait_for(lambda: 'whole run' not in about(browser, 'first.trace'), 'A is zoomed in')
    holds('whole run' in about(browser, 'second.trace'), about(browser, 'second.trace'))


def in_view(browser, name):
    """How many nanoseconds of a run are in view."""
    text = about(browser, name)
    found = re.search(r'([\d.]+)–([\d.]+) (ns|µs)', text)
    holds(found, text)
    return (float(found[2]) - float(found[1])) * (1000 if found[3] == 'µs' else 1)


def linked_by_time_or_share(display, start, folder):
    """by time both show equally much time, by share the run that takes twice as long shows twice as much"""
    browser = compare(display, start, *write_both(folder))
    for way, ratio in (1, 1), (2, 2):
        browser.click(browser.find('How the two diagrams move together'))
        browser.press('Home', *['Down'] * way, 'Return')
        focus(browser, 'first.trace')
        browser.press('0', 'plus', 'plus', 'plus')

        def is_linked(ratio=ratio):
            one, other = in_view(browser, 'first.trace'), in_view(browser, 'second.trace')
            return one < 900 and abs(other - ratio * one) < 0.03 * other
        wait_for(is_linked, f'{ratio} times as much of B as of A: {about(browser, "first.trace")}, '
                            f'{about(browser, "second.trace")}')
        display.save(f'compare-linked-{way}')


def time_and_orientation_are_of_both(display, start, folder):
    """logical time and the way that time goes are those of both diagrams"""
    browser = compare(display, start, *write_both(folder))
    browser.press('ctrl+2')
    for name in 'first.trace', 'second.trace':
        wait_for(lambda name=name: 'layer' in about(browser, name), f'layers in {name}')

    def places():
        return browser.box(diagram(browser, 'first.trace')), browser.box(diagram(browser, 'second.trace'))
    first, second = places()
    holds(second[1] > first[1] + 100, 'one above the other')
    holds(abs(second[0] - first[0]) < 20, 'the same start of the axis')
    display.save('compare-right')
    browser.press('ctrl+r')
    wait_for(lambda: places()[1][0] > places()[0][0] + 100, 'one beside the other')
    holds(abs(places()[1][1] - places()[0][1]) < 20, 'the same start of the axis down')


def a_recorded_program_is_compared(display, start, folder):
    """two recordings of one program; with itself there is no difference"""
    for name, size in ('one.trace', 24), ('two.trace', 30):
        lightcone('record', '--quiet', '-o', folder / name, '--', EXAMPLES / 'gauss', '--workers', '4', '--size', size)
    browser = compare(display, start, folder / 'one.trace', folder / 'two.trace')
    browser.click(row(browser, r'^advance output of worker 1 #\d+'))
    wait_for(lambda: described(browser, 'one.trace') + described(browser, 'two.trace'), 'a selected event')
    display.save('compare-gauss')
    browser.close()
    browser = compare(display, start, folder / 'one.trace', folder / 'one.trace')
    browser.find('No difference in order')
    display.save('compare-same')


def what_cannot_be_opened_is_told(display, start, folder):
    """a second trace that is not there is told, and tried again"""
    one, _ = write_both(folder)
    browser = start('--compare', one, folder / 'missing.trace')
    browser.find('There is no such folder')
    write(folder, 'missing.trace', SECOND)
    browser.do(browser.find(re.compile('Try again$'), role='push button'))
    browser.find('Events in both')


run([says_how_they_differ, a_row_leads_to_the_pair, a_selected_event_has_its_partner, both_zoom_together,
     linked_by_time_or_share, time_and_orientation_are_of_both, a_recorded_program_is_compared,
     what_cannot_be_opened_is_told])
