#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures out of the browser are those of lightcone export, byte by byte. export.py [TEST...]. Speaks TAP."""
import os
import re
import shlex
import subprocess

from browse import about, equal, gauss, holds, open_trace
from window import LIGHTCONE, lightcone, run, wait_for

COMMAND = re.compile('^lightcone export ')


def read_clipboard(mime):
    return subprocess.run([os.environ['LIGHTCONE_READ_CLIPBOARD'], mime], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=30).stdout


def command_of(browser):
    """What the dialog says that the same is as a command, when it says it."""
    return browser.find(COMMAND, 'label').get_name()


def save_as(browser, path):
    """In the export dialog: under a name, whose ending says what kind of file it is."""
    windows = len(browser.windows)
    browser.do(browser.find(re.compile('Save…'), 'push button'))
    wait_for(lambda: len(browser.windows) > windows, 'the window that asks for a name')
    browser.settle()  # until it has the keyboard
    browser.press('ctrl+a')
    browser.type(path)
    browser.press('Return')


def saved(browser, path):
    """The bytes of a file that is being written."""
    wait_for(path.exists, f'{path.name} is written')
    said, buttons = browser.find(f'{path.name} was saved.', 'label'), []
    while not buttons:
        said = said.get_parent()
        buttons = browser.nodes(said, role='push button')
    browser.do(buttons[-1])  # closes it: what is said next waits until it has gone
    wait_for(lambda: not browser.look_for(f'{path.name} was saved.', 'label'), f'{path.name} is not said any more')
    return path.read_bytes()


def said_by_command(command, path):
    """The bytes of the file that a command writes, under another name."""
    words = shlex.split(command)
    equal((words[0], words[1], words[-2]), ('lightcone', 'export', '-o'), 'a command')
    subprocess.run([LIGHTCONE, *words[1:-1], str(path)], check=True)
    return path.read_bytes()


def compare(browser, folder, name, ask, endings=('png', 'svg')):
    """Both files of a picture, from the dialog that `ask` opens and from the command line."""
    for ending in endings:
        ask()
        command = command_of(browser)
        path = folder / f'{name}.{ending}'
        save_as(browser, path)
        picture = saved(browser, path)
        holds(picture == said_by_command(command, folder / f'{name}-command.{ending}'),
              f'{path.name} is not what this writes: {command}')
        wait_for(lambda: not browser.look_for(COMMAND, 'label'), 'the dialog is closed')
    return command


def exports_the_diagram(display, start, folder):
    """the diagram, as PNG and as SVG, is that of the command that the dialog shows"""
    browser = open_trace(display, start, gauss(folder))
    command = compare(browser, folder, 'all', lambda: browser.press('ctrl+e'))
    holds('--view space-time' in command, command)
    display.save('exported')


def exports_what_is_seen(display, start, folder):
    """so is one that is filtered, zoomed and highlighted"""
    browser = open_trace(display, start, gauss(folder))
    browser.click(browser.find('Show worker 2', 'check box'))
    browser.click(browser.find('Filters', 'page tab'))
    browser.click(browser.find('Show tag', 'check box'))
    wait_for(lambda: browser.look_for(re.compile('^filtered: ')), 'filtered')
    browser.click(browser.place_of_nothing())
    browser.press('n', 'n', 'plus', 'plus', 'c')
    wait_for(lambda: browser.look_for(re.compile('critical path')), 'the critical path')
    command = compare(browser, folder, 'seen', lambda: browser.press('ctrl+e'))
    for option in ['--processes', '--operations', '--from', '--to', '--highlight']:
        holds(option in command, f'{option} is not in {command}')


def exports_both_timelines(display, start, folder):
    """so is the approximated run beside the measured one"""
    trace = gauss(folder)
    lightcone('approximate', trace, '--model', 'event')
    browser = open_trace(display, start, trace)
    browser.press('ctrl+b')
    wait_for(lambda: 'measured' in about(browser) and 'event' in about(browser), f'both timelines: {about(browser)}')
    command = compare(browser, folder, 'both', lambda: browser.press('ctrl+e'), ['png'])
    holds('measured' in command and 'event' in command, command)


def exports_plots(display, start, folder):
    """so are two plots, of what is in view"""
    browser = open_trace(display, start, gauss(folder))
    browser.press('ctrl+r', 'plus')  # plots are below the diagram then, and have tabs
    for title, view in [('Parallelism', 'parallelism'), ('Waiting', 'waiting')]:
        browser.settle()  # the window takes no click until the dialog has gone
        # The legend has such a button, too.
        browser.click(browser.find(title, 'push button', re.compile('^(?!Leave it out)')))
        command = compare(browser, folder, view,
                          lambda: browser.do(browser.find('Export this plot', 'push button')))
        holds(f'--view {view} ' in command, command)


def exports_what_moves(display, start, folder):
    """so is the graph that moves; what does not move has no parts to choose"""
    browser = open_trace(display, start, gauss(folder))
    browser.click(browser.find('Graph', 'page tab'))
    browser.do(browser.find('Export as a picture that moves', 'push button'))
    holds('--view graph' in command_of(browser) and '--frames 100' in command_of(browser), command_of(browser))
    browser.press('alt+f', 'ctrl+a')
    browser.type('5')
    browser.press('Tab')
    command = wait_for(lambda: command_of(browser) if '--frames 5' in command_of(browser) else None, 'five parts')
    holds('--view graph' in command, command)
    display.save('moving')
    save_as(browser, folder / 'moves.png')
    picture = saved(browser, folder / 'moves.png')
    holds(picture == said_by_command(command, folder / 'moves-command.png'), command)
    holds(b'acTL' in picture, 'it moves')
    wait_for(lambda: not browser.look_for(COMMAND, 'label'), 'the dialog is closed')
    browser.press('ctrl+e')
    holds('--frames' not in command_of(browser), 'a diagram moves')
    holds(not browser.look_for('Parts that follow each other', 'spin button'), 'a diagram has parts')
    browser.press('Escape')


def asks_before_it_replaces(display, start, folder):
    """a file that is there is replaced only when that is said; what cannot be written is told"""
    browser = open_trace(display, start, gauss(folder))
    (folder / 'kept.svg').write_text('mine')
    browser.press('ctrl+e')
    command_of(browser)
    save_as(browser, folder / 'kept.svg')
    question = wait_for(lambda: browser.look_for(re.compile('Replace'), 'push button'), 'the question')
    equal((folder / 'kept.svg').read_text(), 'mine', 'what was there')
    display.save('replace')
    browser.do(question)
    wait_for(lambda: (folder / 'kept.svg').read_bytes().find(b'<svg') >= 0, 'replaced')
    wait_for(lambda: not browser.look_for(COMMAND, 'label'), 'the dialog is closed')
    browser.press('ctrl+e')
    command_of(browser)
    save_as(browser, '/proc/nothing.png')
    said = browser.find(re.compile('/proc/nothing.png: ')).get_name()
    holds('/proc/nothing.png' in said, said)
    display.save('unwritten')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for(COMMAND, 'label'), 'the dialog is closed')


def copies(display, start, folder):
    """the clipboard gets the picture as pixels, as SVG and as a sentence, and the command as text"""
    trace = gauss(folder)
    browser = open_trace(display, start, trace)
    browser.press('ctrl+shift+c')
    browser.find('The picture is on the clipboard.')
    png, svg = read_clipboard('image/png'), read_clipboard('image/svg+xml')
    holds(png.startswith(b'\x89PNG') and b'<svg' in svg, f'{png[:20]!r}, {svg[:60]!r}')
    browser.press('ctrl+e')
    command = command_of(browser)
    size = re.search(r'--size (\S+)', command).group(1)
    lightcone('export', trace, '--size', size, '-o', folder / 'same.svg')
    lightcone('export', trace, '--size', size, '-o', folder / 'same.png')
    holds(svg == (folder / 'same.svg').read_bytes(), 'the SVG is not that of lightcone export')
    holds(png == (folder / 'same.png').read_bytes(), 'the PNG is not that of lightcone export')
    browser.do(browser.find('Copy the command', 'push button'))
    wait_for(lambda: read_clipboard('text/plain;charset=utf-8').decode() == command, 'the command on the clipboard')
    browser.press('Escape')


TESTS = [exports_the_diagram, exports_what_is_seen, exports_both_timelines, exports_plots, exports_what_moves,
         asks_before_it_replaces, copies]

if __name__ == '__main__':
    run(TESTS)
