#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plots below the diagram, and playing, in a real window. plots.py [TEST...] runs those tests only. Speaks TAP."""
import itertools
import re
import time

from browse import described, gauss, holds, open_trace, relay
from choosing import choose, show
from export import command_of
from inspector import write
from window import run, wait_for

# Those in which a place stands for an event of a process, in gauss.
LEADING = ('waiting', 'waiting-history', 'objects', 'communication', 'phase-map', 'slack')

# Four processes that run all the time. Of one that was recorded it is chance where it has a processor, and how long.
RUNNING = {f'p{i}': ''.join(f'{turn * 1000 + 37 * i} {turn * 1000 + 37 * i + 900} tag value={turn} cpu={i % 2}\n'
                            for turn in range(40)) for i in range(4)}


def clicks_lead_to_events(display, start, folder):
    """a click into a plot selects an event of the process that is there"""
    click_plots(display, open_trace(display, start, gauss(folder)), LEADING)


def clicks_lead_to_runs(display, start, folder):
    """a click into the plot of processors selects an event of the process that runs there"""
    click_plots(display, open_trace(display, start, write(folder, RUNNING)), ('processors',))


def click_plots(display, browser, names):
    for name in names:
        browser.press('Escape')
        x, y, width, height = browser.box(show(browser, name))
        before = described(browser)
        # What is there may be what was selected: then elsewhere, which some plots have another process for.
        # On a busy machine all may happen near the end.
        for across, share in itertools.product((0.52, 0.4, 0.7, 0.85, 0.93, 0.97), (0.5, 0.6, 0.7, 0.45, 0.8, 0.55)):
            browser.click((x + width * across, y + height * share))
            if described(browser) not in ('', before):
                break
        holds(described(browser) not in ('', before), f'nothing in {name} leads to an event')
        display.save(f'plot-{name}')


def amounts_are_chosen(display, start, folder):
    """what a plot is an amount of is chosen beside it, kept for it, and that of the picture that is exported"""
    browser = open_trace(display, start, gauss(folder))
    area = show(browser, 'matrix')
    first = area.get_description()
    browser.press('Tab', 'space')  # from the list of plots to that beside it
    choose(browser, 3)
    wait_for(lambda: 'aited' in area.get_description(), 'another matrix')
    holds(area.get_description() != first, first)
    display.save('plot-waited')
    show(browser, 'parallelism')
    holds(not browser.look_for('Amount', 'combo box'), 'parallelism has one amount')
    wait_for(lambda: 'aited' in show(browser, 'matrix').get_description(), 'the matrix as it was')
    browser.do(browser.find('Export this plot', 'push button'))
    command = command_of(browser)
    holds('--view matrix --measure waited' in command, command)
    browser.press('Escape')


def at(browser):
    """Which time is played, as it is told; None: nothing is."""
    label = browser.look_for(re.compile('^At .*running', re.DOTALL), 'label')
    return label.get_name() if label else None


def plays(display, start, folder):
    """Control-space plays and pauses, Control-brackets step on and back, Control-Shift-space stops"""
    browser = open_trace(display, start, gauss(folder))
    browser.press('ctrl+space')
    wait_for(lambda: at(browser), 'it is playing')
    display.save('playing')
    browser.press('ctrl+space')
    time.sleep(0.4)
    paused = at(browser)
    time.sleep(0.6)
    holds(at(browser) == paused, f'it goes on: {paused}, {at(browser)}')
    # Some steps are shorter than what is told of the time.
    steps = next((n for n in range(1, 40) if browser.press('ctrl+bracketright') or at(browser) != paused), None)
    holds(steps, f'no step on from {paused}')
    browser.press(*['ctrl+bracketleft'] * steps)
    wait_for(lambda: at(browser) == paused, f'{steps} steps back to {paused}')
    browser.press('ctrl+shift+space')
    wait_for(lambda: browser.look_for(re.compile('^All that is in view'), 'label'), 'it has stopped')


def columns_of(row, x, width, color):
    """Where a row of pixels has a colour, from the left of a widget."""
    wanted = color.to_bytes(3, 'little')
    return [at for at in range(width) if row[4 * (x + at):4 * (x + at) + 3] == wanted]


def lines_up(display, browser, ruler, plot):
    """Whether some row of pixels below the plot has a tick where, and only where, the axis of the diagram has one."""
    axis = 0x7d8590
    pixels = display.pixels()
    x, y, width, height = browser.box(ruler)
    ticks = columns_of(pixels[y + height - 2], x, width, axis)
    left, top, wide, high = browser.box(plot)
    return len(ticks) > 2 and any([at + left - x for at in columns_of(row, left, wide, axis)] == ticks
                                  for row in pixels[top + high // 2:top + high])


def lines_up_down(display, browser, ruler, plot):
    """The same of a plot at the side of the diagram: some column of pixels left in it has the ticks of the diagram."""
    axis = (0x7d8590).to_bytes(3, 'little')
    pixels = display.pixels()
    x, y, width, height = browser.box(ruler)
    left, top, wide, high = browser.box(plot)

    def rows_of(column, first, n):
        return [at for at in range(first, first + n) if pixels[at][4 * column:4 * column + 3] == axis]

    ticks = rows_of(x + width - 3, y, height)
    return len(ticks) > 2 and left > x + width and any(rows_of(column, top, high) == ticks
                                                       for column in range(left, left + wide // 2))


def times_line_up(display, start, folder):
    """the axes of the diagram and of plots over time line up to the pixel, of a part, of the whole run, and resized"""
    browser = open_trace(display, start, relay(folder))
    browser.press('ctrl+r')
    ruler = browser.find('The axis of time')
    plot = show(browser, 'parallelism')
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'the whole run lines up')
    browser.click(browser.place_of_nothing())
    for keys in (['plus', 'plus'], ['Right'], ['plus', 'plus', 'Left'], ['minus']):
        browser.press(*keys)
        wait_for(lambda: lines_up(display, browser, ruler, plot), f'lines up after {keys}')
    browser.wheel(browser.place(browser.diagram), -2, keys=['Control_L'])
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'lines up after the wheel')
    plot = show(browser, 'waiting-history')
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'lines up with names beside it')
    display.save('lines-up')
    browser.press('F9')
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'lines up without the left side')
    browser.click(browser.find('Whole run', 'push button'))
    browser.click(browser.place_of_nothing())
    browser.press('0')
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'all of the run lines up')


def times_line_up_downwards(display, start, folder):
    """where time goes down, plots are at the side and line up, drags zoom, clicks select, tables are below"""
    browser = open_trace(display, start, relay(folder))
    ruler = browser.find('The axis of time')
    plot = show(browser, 'parallelism')
    wait_for(lambda: lines_up_down(display, browser, ruler, plot), 'the whole run lines up')
    display.save('lines-up-down')
    browser.click(browser.place_of_nothing())
    browser.move(*browser.place(browser.find('Inspector', 'page tab')))  # the mark of the pointer covers ticks
    for keys in (['plus', 'plus'], ['Down'], ['plus', 'plus', 'Up'], ['minus']):
        browser.press(*keys)
        wait_for(lambda: lines_up_down(display, browser, ruler, plot), f'lines up after {keys}')
    plot = show(browser, 'waiting-history')
    wait_for(lambda: lines_up_down(display, browser, ruler, plot), 'lines up with names below it')
    x, y, width, height = browser.box(plot)
    told = browser.find(re.compile('^Space-time diagram of')).get_name()
    browser.drag((x + width // 2, y + height // 3), (x + width // 2, y + height // 2))
    wait_for(lambda: browser.find(re.compile('^Space-time diagram of')).get_name() != told, 'a drag zooms')
    wait_for(lambda: lines_up_down(display, browser, ruler, plot), 'lines up after the drag')
    browser.click((x + width // 2, y + height // 2))
    wait_for(lambda: browser.look_for('Event', 'label') or 'event' in browser.diagram.get_description(),
             'a click selects an event')
    browser.move(*browser.place(browser.find('Inspector', 'page tab')))
    browser.press('ctrl+shift+e')
    wait_for(lambda: browser.box(browser.find('Events', 'tree table'))[1] > browser.box(browser.diagram)[1] + 100,
             'the table of events is below the diagram')
    browser.press('ctrl+shift+e')
    wait_for(lambda: lines_up_down(display, browser, ruler, plot), 'lines up when the plots are back')
    browser.press('ctrl+r')
    wait_for(lambda: lines_up(display, browser, ruler, plot), 'lines up below')


def size_is_kept(display, start, folder):
    """plots that were made higher are as high when they come back from the side of the diagram"""
    browser = open_trace(display, start, relay(folder))
    browser.press('ctrl+r')
    plot = show(browser, 'parallelism')
    x, y, width, _ = browser.box(browser.find('Plots', 'page tab'))
    browser.drag((x + 3 * width, y - 4), (x + 3 * width, y - 124))
    high = wait_for(lambda: browser.box(plot)[3] > 200 and browser.box(plot)[3], 'higher plots')
    browser.press('ctrl+r')
    wait_for(lambda: browser.box(plot)[3] > 2 * high, 'plots at the side')
    browser.press('ctrl+r')
    wait_for(lambda: abs(browser.box(plot)[3] - high) <= 1, f'plots of {high} pixels')


def state_is_not_cut(display, start, folder):
    """beside plots, where there is less room for it, the state of the diagram is said in as many lines as it needs"""
    browser = open_trace(display, start, relay(folder))
    browser.resize(1280, 720)
    browser.press('ctrl+r')
    texts = [browser.find(name, 'label') for name in ('physical time', re.compile('^[0-9]+ processes$'))]
    wide = [browser.box(text)[2] for text in texts]
    plot = show(browser, 'parallelism')
    high = browser.box(plot)[3]
    browser.press('ctrl+r')
    wait_for(lambda: browser.box(plot)[3] > high, 'plots at the side')
    browser.click(browser.find('Event', 'push button', 'Leave it out of the diagram, or show it again'))
    filtered = browser.find(re.compile('^filtered: '), 'label')
    wait_for(lambda: [browser.box(text)[2] for text in texts] == wide, f'texts of {wide} pixels')
    boxes = [browser.box(text) for text in [*texts, filtered]]
    legend = browser.box(browser.find('Legend', 'push button'))
    lines = {y for _, y, _, _ in boxes}
    holds(len(lines) > 1, f'texts at {boxes}')
    holds(all(x + width <= legend[0] for x, _, width, _ in boxes), f'texts at {boxes}, a button at {legend}')
    browser.press('ctrl+r')
    wait_for(lambda: browser.box(plot)[3] <= high, 'plots below')


TESTS = [times_line_up, times_line_up_downwards, size_is_kept, state_is_not_cut, clicks_lead_to_events,
         clicks_lead_to_runs, amounts_are_chosen, plays]

if __name__ == '__main__':
    run(TESTS)
