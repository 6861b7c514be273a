#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The flame graph of waiting, in a real window. flame.py [TEST...] runs those tests only. Speaks TAP."""
import re
from xml.etree import ElementTree

from browse import described, equal, holds, open_trace
from choosing import choose, show
from export import command_of
from filters import filtered
from inspector import write
from window import lightcone, run, wait_for

SVG = '{http://www.w3.org/2000/svg}'
EDGE = 5  # px from the edge that the panel is dragged by to the row of tabs in it

# a waits for b, from 10 to 160, which waits for c from 20 to 100.
CHAIN = {
    'a': '10 170 await Y 1 at=consume@src/a.c:4;main@src/a.c:40\n',
    'b': '20 110 await X 1 at=pass@src/b.c:2;main@src/b.c:50\n'
         '150 160 advance Y 1 at=pass@src/b.c:3;main@src/b.c:50\n',
    'c': '90 100 advance X 1 at=produce@c.c:1\n',
}


def selected(browser, start):
    """Waits until the bar tells of the frame that is selected."""
    return wait_for(lambda: browser.look_for(re.compile('^' + re.escape(start)), 'label'), start).get_name()


def can_press(browser, name):
    return browser.find(name, 'push button').has_state('SENSITIVE')


def zoomed_to(browser):
    """The path in the command of the export dialog, which makes the same picture."""
    browser.do(browser.find('Export this plot', 'push button'))
    command = command_of(browser)
    browser.press('Escape')
    holds('--view flame' in command, command)
    found = re.search("--frame '([^']*)'", command)
    return found.group(1) if found else None


def click_on(browser, trace, area, start, *options):
    """Clicks the middle of a frame: where that is, the command line tells, which draws the same picture."""
    x, y, width, height = browser.box(area)
    picture = ElementTree.fromstring(lightcone('export', trace, '-o', '-', '--format', 'svg', '--view', 'flame',
                                               '--title', '', '--size', f'{width}x{max(height, 200)}', *options))
    holds(height >= 200, f'{height} pixels are too few for a picture of the same size')
    for group in picture.iter(SVG + 'g'):
        title = group.find(SVG + 'title')
        if re.fullmatch('frame(:[0-9]+)?', group.get('id', '')) and title.text.replace('\n', ' ').startswith(start):
            left, top, across, down = (float(number) for number in re.match(
                r'M([-0-9.]+)[ ,]([-0-9.]+)h([-0-9.]+)v([-0-9.]+)', group.find(SVG + 'path').get('d')).groups())
            browser.click((x + left + across / 2, y + top + down / 2))
            selected(browser, start)
            return
    holds(False, f'there is no {start}')


def show_larger(browser):
    """The graph, in a panel that is made higher: the command line makes no picture as low as it is at first."""
    browser.press('ctrl+r')  # plots are below the diagram then
    area = show(browser, 'flame')
    x = browser.box(browser.find('Plot', 'combo box'))[0]
    y = browser.box(browser.find('Plots', 'page tab'))[1]
    browser.drag((x - 40, y - EDGE), (x - 40, y - 200))
    wait_for(lambda: browser.box(area)[3] >= 200, 'a higher panel')
    return area


def clicks_zoom(display, start, folder):
    """a click into a flame graph zooms to the frame that is there, Escape and 0 back, a button too"""
    trace = write(folder, CHAIN)
    browser = open_trace(display, start, trace)
    area = show_larger(browser)
    told = area.get_description()
    holds('Waiting: 230 ns in all; 150 ns of it (65.2 %) in main() a.c:40.' in told, told)
    browser.find('Click a frame to zoom to it', 'label')
    display.save('flame')
    buttons = ('Only these waits', 'Find them', 'All waiting')
    equal([can_press(browser, name) for name in buttons], [False] * 3, 'buttons')
    click_on(browser, trace, area, 'consume() a.c:4 150 ns waited')
    equal(zoomed_to(browser), 'main() a.c:40;consume() a.c:4', 'the frame')
    wait_for(lambda: can_press(browser, 'All waiting'), 'the way back')
    display.save('flame-zoomed')
    browser.click(area_place(browser, area))  # what is at its top is nothing, and has no frame
    browser.press('Escape')
    equal(zoomed_to(browser), None, 'back by Escape')
    click_on(browser, trace, area, 'pass() b.c:2 80 ns waited')
    equal(zoomed_to(browser), 'main() b.c:50;pass() b.c:2', 'the other frame')
    browser.click(browser.find('All waiting', 'push button'))
    equal(zoomed_to(browser), None, 'back by the button')


def area_place(browser, area):
    x, y, width, _ = browser.box(area)
    return x + width / 2, y + 3


def keys_walk(display, start, folder):
    """arrow keys select frames, Return zooms, 0 goes back, and what is selected is told to a screen reader"""
    trace = write(folder, CHAIN)
    browser = open_trace(display, start, trace)
    area = show_larger(browser)
    browser.click(area_place(browser, area))
    for key, name in (('Up', 'All waiting 230 ns waited'), ('Up', 'main() a.c:40 150 ns waited'),
                      ('Right', 'main() b.c:50 80 ns waited'), ('Left', 'main() a.c:40'), ('Up', 'consume() a.c:4'),
                      ('Up', 'waits for Y'), ('Up', 'produce() c.c:1 made others wait 80 ns'),
                      ('Right', 'pass() b.c:3 made others wait 70 ns, 30.4 %'),
                      ('Up', 'main() b.c:50 made others wait'),
                      ('Down', 'pass() b.c:3')):
        browser.press(key)
        told = selected(browser, name)
        wait_for(lambda text=told: area.get_description() == text, f'{told}, for a screen reader')
    browser.press('Return')
    path = 'main() a.c:40;consume() a.c:4;waits for Y;pass() b.c:3'
    equal(zoomed_to(browser), path, 'by Return')
    display.save('flame-keys')
    browser.click(area_place(browser, area))
    browser.press('0')
    equal(zoomed_to(browser), None, 'by 0')


def leads_to_the_waits(display, start, folder):
    """the waits of a frame become the filter, who made others wait is found, the graph follows the filter"""
    trace = write(folder, CHAIN)
    browser = open_trace(display, start, trace)
    area = show_larger(browser)
    click_on(browser, trace, area, 'pass() b.c:3 made others wait')
    holds(not can_press(browser, 'Only these waits'), 'waits that were not made there')
    browser.click(browser.find('Find them', 'push button'))
    wait_for(lambda: 'pass() b.c:3' in described(browser), 'the event that released')
    click_on(browser, trace, area, 'consume() a.c:4', '--frame',
             'main() a.c:40;consume() a.c:4;waits for Y;pass() b.c:3')
    browser.click(browser.find('Only these waits', 'push button'))
    filtered(browser, 'only called in consume() a.c:4')
    wait_for(lambda: browser.look_for(re.compile(r'^consume\(\) a\.c:4 150 ns waited, 100\.0 %')), 'all that is left')
    browser.press('ctrl+shift+u')
    filtered(browser, None)
    wait_for(lambda: browser.look_for(re.compile(r'^consume\(\) a\.c:4 150 ns waited, 65\.2 %')), 'all of it again')
    browser.click(browser.find('Amount', 'combo box'))
    choose(browser, 2)
    wait_for(lambda: 'made by produce() c.c:1' in area.get_description(), 'who is to blame')
    display.save('flame-blamed')


def says_what_is_missing(display, start, folder):
    """a trace without sites has no flame graph, which the panel says"""
    bare = {name: re.sub(' at=.*', '', text) for name, text in CHAIN.items()}
    browser = open_trace(display, start, write(folder, bare))
    show(browser, 'flame')
    browser.find(re.compile('^The trace does not say where in the program its events are'), 'label')
    display.save('flame-empty')


if __name__ == '__main__':
    run((clicks_zoom, keys_walk, leads_to_the_waits, says_what_is_missing))
