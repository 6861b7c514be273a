#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the window looks and fits: sizes, sides, names of what is in dialogs, preferences. looks.py [TEST...]. TAP."""
import re
import subprocess

from browse import DIAGRAM, about, equal, gauss, holds, open_trace, pixels_of, relay
from window import BROWSER, Failure, run, wait_for

TOGGLES = {'left': 'Processes and filters', 'right': re.compile('^Inspector, and'), 'bottom': 'Plots'}
PANELS = {'left': ('Find processes', 'entry'), 'right': ('The whole run', None),
          'bottom': ('Export this plot', 'push button')}
NAMED = ('push button', 'check box', 'toggle button', 'entry', 'combo box', 'slider')


def shown(browser):
    return {side for side, (name, role) in PANELS.items() if browser.look_for(name, role)}


def expect_sides(browser, sides, what):
    wait_for(lambda: shown(browser) == sides, f'{what}: {sides}, not {shown(browser)}')


def resize(browser, width, height):
    """What it needs is no more than it is given."""
    browser.resize(width, height)
    equal(browser.size(), (width, height), 'size of the window')


def sides_give_way(display, start, folder):
    """in a narrow or low window sides go, in a larger one they come back, and who asks for one has it"""
    browser = open_trace(display, start, gauss(folder))
    expect_sides(browser, {'left', 'right', 'bottom'}, 'in a large window')
    resize(browser, 1000, 700)
    expect_sides(browser, {'left', 'right', 'bottom'}, '1000 x 700')
    resize(browser, 800, 600)
    expect_sides(browser, {'right', 'bottom'}, '800 x 600')
    browser.click(browser.find(TOGGLES['left']))
    expect_sides(browser, {'left', 'bottom'}, 'the other one')
    resize(browser, 720, 480)
    expect_sides(browser, {'left'}, '720 x 480')
    display.save('small')
    browser.press('F9')
    expect_sides(browser, set(), 'no more')
    resize(browser, 640, 480)
    holds(not browser.look_for('Plots', 'push button'), 'the header bar has room for all its buttons')
    display.save('smallest')
    resize(browser, *display.size)
    expect_sides(browser, {'right', 'bottom'}, 'large again, without what was hidden')


def names_are_said_once(browser, what):
    wrong = []
    for node in browser.nodes():
        name, role = node.get_name() or '', node.get_role_name()
        half = len(name) // 2
        # A menu button has another one in it, which is not what has the keyboard.
        twice = len(name) > 2 and name[:half] == name[half + 1:] and node.get_parent().get_name() != name[:half]
        if role in NAMED and node.has_state('FOCUSABLE') and \
                (re.match(r'^(Gtk|Adw|Lc)|^$|.*\b_|^_', name) or twice):
            wrong.append(f'{role} {name!r} {node.get_description()!r}')
    equal(wrong, [], f'names in {what}')


def dialogs_have_names(display, start, folder):
    """what is in dialogs has a name for a screen reader, which it says once and without a mnemonic's underscore"""
    browser = open_trace(display, start, gauss(folder))
    for keys, title in [('ctrl+comma', 'Preferences'), ('ctrl+e', re.compile('Export')),
                        ('ctrl+t', re.compile('Approximate'))]:
        browser.press(keys)
        browser.find(title, 'frame')
        browser.settle()
        names_are_said_once(browser, keys)
        display.save(f'dialog-{keys}')
        browser.press('Escape')
        wait_for(lambda: not browser.look_for(title, 'frame'), f'closed: {title}')


def pages_have_names(display, start, folder):
    """the pages without a history have names, and no controls of one"""
    browser = start()
    browser.resize(640, 480)
    browser.find(re.compile('^Open a trace…$'), 'push button')
    names_are_said_once(browser, 'the first page')
    holds(browser.look_for(TOGGLES['left']) is None, 'nothing to show or to hide')
    browser.press('ctrl+shift+r')
    browser.find('Record', 'push button')
    names_are_said_once(browser, 'the form')
    display.save('record')


def choose(browser, name, *keys):
    """In a list of choices that is in a row of its own."""
    for _ in range(30):
        if browser.find(name, 'combo box').has_state('FOCUSED'):
            break
        browser.press('Tab')
    else:
        raise Failure(f'no way to {name} by Tab')
    browser.press('space')
    browser.press(*keys, 'Return')


def brightness(display):
    row = display.pixels()[display.size[1] - 40]
    return sum(row) / len(row)


def preferences_work(display, start, folder):
    """the styles of window and diagram change at once, and a new trace is shown in the time that is preferred"""
    trace = relay(folder)
    browser = start()
    browser.resize(*display.size)
    browser.find(re.compile('^Open a trace…$'), 'push button')
    light = brightness(display)
    browser.press('ctrl+comma')
    browser.find('Preferences', 'frame')
    browser.settle()
    choose(browser, 'Style', 'End')
    wait_for(lambda: brightness(display) < light / 2, 'a dark window')
    display.save('preferences-dark')
    choose(browser, 'Kind of time', 'Down')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for('Preferences', 'frame'), 'the preferences are closed')
    subprocess.run([BROWSER, trace], check=True, stderr=subprocess.DEVNULL)
    browser.diagram = browser.find(DIAGRAM)
    wait_for(lambda: 'layer' in about(browser), 'logical time')
    boxes = 0x5c93fe  # in the dark theme
    browser.press('ctrl+1')
    wait_for(lambda: pixels_of(display, browser, browser.diagram, boxes) < 2000, 'physical time, with bodies')
    browser.press('ctrl+comma')
    browser.find('Preferences', 'frame')
    choose(browser, 'Diagram', 'Down')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for('Preferences', 'frame'), 'the preferences are closed')
    wait_for(lambda: pixels_of(display, browser, browser.diagram, boxes) > 5000, 'events as boxes')
    display.save('boxes')
    display.save('dark')


def high_contrast_is_followed(display, start, folder):
    """with high contrast on the desktop the diagram has its colours, patterns without a tone, and black edges"""
    trace = relay(folder)
    seen = []
    for wanted in ('0', '1'):
        browser = open_trace(display, start, trace, environment={'ADW_DEBUG_HIGH_CONTRAST': wanted})
        browser.settle()
        seen.append([pixels_of(display, browser, browser.diagram, color) for color in (0xf8f9fb, 0xffffff, 0x848e9d)])
        display.save(f'contrast-{wanted}')
        browser.close()
    usual, contrast = seen
    holds(usual[0] > 10000 and usual[2] == 0, f'a usual desktop has a tone behind the diagram, and pale bodies: {seen}')
    holds(contrast[0] == 0 and contrast[1] > 10000 and contrast[2] > 100, f'high contrast has neither: {seen}')


def place_without_a_tip(browser):
    """The pointer is not over the diagram there, and nothing pops up."""
    x, y, width, height = browser.box(browser.find(re.compile('processes shown$'), 'label'))
    return x + width // 2, y + height // 2


def inside_diagram(display, browser):
    """Its pixels without its edges, which show the keyboard's focus."""
    x, y, width, height = browser.box(browser.diagram)
    return [row[4 * (x + 10):4 * (x + width - 10)] for row in display.pixels()[y + 10:y + height - 10]]


def legend_leaves_out(display, start, folder):
    """the legend says what is in view; an entry leaves its kind out, or shows it; Control-Shift-L hides it"""
    browser = open_trace(display, start, gauss(folder))
    leave = re.compile('^Leave it out')
    waiting = browser.find('Waiting', 'push button', leave)
    browser.find('Data arc', 'push button', leave)
    browser.move(*place_without_a_tip(browser))
    before = inside_diagram(display, browser)
    display.save('legend')
    browser.click(waiting)
    browser.find('filtered: without Waiting', 'label')
    browser.move(*place_without_a_tip(browser))
    wait_for(lambda: inside_diagram(display, browser) != before, 'another picture')
    display.save('legend-without-waiting')
    browser.find('Waiting', 'push button', leave)
    browser.click(browser.find('Waiting', 'push button', leave))
    wait_for(lambda: not browser.look_for('filtered: without Waiting', 'label'), 'all is shown again')
    browser.click(browser.find('Holding an object', 'push button', leave))
    browser.find('filtered: without Holding an object', 'label')
    browser.press('ctrl+shift+u')
    wait_for(lambda: not browser.look_for(re.compile('^filtered'), 'label'), 'no filter')
    browser.move(*place_without_a_tip(browser))
    wait_for(lambda: inside_diagram(display, browser) == before, 'the picture as it was')
    browser.press('ctrl+shift+l')
    wait_for(lambda: not browser.look_for('Data arc', 'push button', leave), 'no legend')
    browser.click(browser.find('Legend', 'push button'))
    browser.find('Data arc', 'push button', leave)


def titles_of_one_letter(display, start, folder):
    """a trace whose folder has a name of one letter is no reason to complain, opened or recent"""
    trace = gauss(folder).rename(folder / 'a')
    open_trace(display, start, trace).close()
    browser = start()
    browser.find(re.compile('^a$|^a, '))
    display.save('one-letter')


def handles_leave_buttons_alone(display, start, folder):
    """the whole height of a button below the handle of the plots can be clicked"""
    browser = open_trace(display, start, gauss(folder))
    browser.press('ctrl+r')  # plots are below the diagram then
    x, y, width, height = browser.box(browser.find('Communication', 'push button'))
    holds(not browser.look_for('Amount', 'combo box'), 'another plot')
    browser.click((x + width // 2, y + 1))
    browser.find('Amount', 'combo box')


def ink_of(display, browser, node):
    """How many pixels of a widget are neither of the commonest colour nor pale: letters, mostly."""
    x, y, width, height = browser.box(node)
    return sum(max(row[4 * at:4 * at + 3]) < 0x90 for row in display.pixels()[y:y + height]
               for at in range(x, x + width))


def large_text_is_followed(display, start, folder):
    """names, axes and labels of diagram and plots have the desktop's size of text, and room for it"""
    trace = relay(folder)
    seen, plots = [], []
    try:
        for scale in (1, 1.5, 2):
            display.input.set_resources(f'Xft.dpi:\t{int(96 * scale)}\n')
            browser = open_trace(display, start, trace)
            browser.press('ctrl+r', 'F9', 'shift+F9')
            browser.settle()
            names, ruler = browser.find('Names of the processes'), browser.find('The axis of time')
            plot = browser.find('Parallelism over time', 'image', re.compile('measured'))
            browser.settle()
            box = browser.box(names)
            plots.append(browser.box(plot)[3])
            seen.append((box[2], browser.box(ruler)[3], ink_of(display, browser, names)))
            display.save(f'text-{scale}')
            browser.close()
    finally:
        display.input.set_resources('')
    (width, height, ink), *larger = seen
    for scale, (wide, high, letters) in zip((1.5, 2), larger):
        holds(wide > 1.2 * width and high > height + 4 * (scale - 1), f'there is room for it: {seen}')
        holds(letters > ink * scale, f'names are larger: {seen}')
    holds(plots[1] > 1.4 * plots[0] and plots[2] > 1.7 * plots[0], f'plots are higher: {plots}')


TESTS = [large_text_is_followed, high_contrast_is_followed, sides_give_way, dialogs_have_names, pages_have_names,
         preferences_work, legend_leaves_out, titles_of_one_letter, handles_leave_buttons_alone]

if __name__ == '__main__':
    run(TESTS)
