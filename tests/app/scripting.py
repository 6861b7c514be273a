#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the ten steps of docs/scripting.md in a real window: what is typed there into the console prints what the page
says. With --pictures FOLDER it takes the pictures of the page. Speaks TAP."""
import os
import re
import shutil
import sys
from pathlib import Path

from browse import DIAGRAM, holds
from console import shown
from pictures import write_png
from scripts import WORKERS, choose, write
from window import Browser, Display, lightcone, run, wait_for

PAGE = Path(__file__).resolve().parent.parent.parent / 'docs' / 'scripting.md'
SIZE = (1120, 780)
STEPS = 10


def read_steps():
    """Of each step its title, and pairs of what is typed and what that prints."""
    page = PAGE.read_text(encoding='utf-8')
    steps = []
    for title, text in re.findall(r'^### (\d+\. .*)\n((?:(?!^##).*\n)*)', page, re.MULTILINE):
        blocks = re.findall(r'^```(\w+)\n(.*?)^```\n', text, re.MULTILINE | re.DOTALL)
        pairs = [[content, ''] for kind, content in blocks if kind == 'scheme']
        for (kind, _), (after, content) in zip(blocks, blocks[1:]):
            if (kind, after) == ('scheme', 'text'):
                pairs[[pair[0] for pair in pairs].index(_)][1] = content
        steps.append((title, pairs))
    holds([int(title.split('.')[0]) for title, _ in steps] == list(range(1, STEPS + 1)), steps)
    return steps


def evaluate(browser, code, printed):
    """Types a block as one line, and waits until what it prints is there and nothing runs any more."""
    line = ' '.join(code.split('\n')).strip()
    browser.press('ctrl+l')
    wait_for(lambda: shown(browser) == '', 'nothing shown')
    browser.type(line)
    browser.press('Return')

    def answer():
        before, prompt, after = shown(browser).partition(f'> {line}\n')
        return after.replace('\n\n', '\n').strip('\n') == printed.strip('\n') and bool(prompt) and \
            not browser.find('Stop', 'push button').has_state('SENSITIVE')
    try:
        wait_for(answer, f'{printed!r}', 60)
    except Exception as error:
        raise AssertionError(f'{error}: {shown(browser)!r}') from None


def open_console(start, folder):
    trace = str(folder / 'workers.trace')
    shutil.copytree(WORKERS, trace)
    browser = start(trace)
    browser.resize(*SIZE)
    browser.diagram = browser.find(DIAGRAM, 'image')
    browser.press('ctrl+k')
    browser.find('Type Scheme here')
    return browser, trace


def raise_plots(browser, height):
    """Pulls the edge between the diagram and the plots up."""
    x, y, width, _ = browser.box(browser.find('LcPlotsPanel'))
    browser.drag((x + width // 4, y - 3), (x + width // 4, SIZE[1] - height))


def save_definitions(steps):
    """What step 10 says is to be saved: the definitions of steps 7 and 9."""
    texts = [re.search(pattern, steps[number][1][0][0], re.MULTILINE | re.DOTALL)[0]
             for number, pattern in ((6, r'^\(define .*?(?=^\()'), (8, r'^\(define-view .*?(?=^\()'))]
    write(os.path.join(os.environ['XDG_DATA_HOME'], 'lightcone', 'scripts', 'late.scm'), ''.join(texts))


def do_steps(start, folder, picture):
    steps = read_steps()
    browser, trace = open_console(start, folder)
    for title, pairs in steps:
        for code, printed in pairs:
            evaluate(browser, code, printed)
        if title.startswith('8.'):
            browser.click(browser.find('Marks', 'page tab'))
            browser.find('Show long-waits in the diagram', 'check box')
            picture(browser, 'marks')
    save_definitions(steps)
    browser.press('ctrl+k', 'F5')
    raise_plots(browser, 330)
    area = choose(browser, trace, 'late')
    told = 'Most of it was for worker-2.'
    wait_for(lambda: told in (area.get_description() or ''), 'what the view of the page shows', 60)
    picture(browser, 'view')
    lightcone('export', trace, '--view', 'late', '-o', folder / 'late.svg')
    exported = (folder / 'late.svg').read_text(encoding='utf-8')
    holds('Who comes late' in exported and 'worker-2' in exported, 'the exported view')


def the_steps_can_be_done(display, start, folder):
    """each of the ten steps does what the page says"""
    do_steps(start, folder, lambda browser, name: display.save(f'scripting-{name}'))


def take_pictures(folder, environment):
    """`environment` may ask for a dark window."""
    display = Display(*SIZE)
    place = Path(display.folder) / 'trace'
    place.mkdir()
    browsers = []

    def start(trace):
        browsers.append(Browser(trace, environment=environment))
        return browsers[-1]

    def picture(browser, name):
        browser.move(SIZE[0] // 3, 8)
        browser.settle()
        write_png(folder / f'{name}.png', display.pixels())
    try:
        do_steps(start, place, picture)
    finally:
        for browser in browsers:
            browser.kill()
        display.close()


if __name__ == '__main__':
    if sys.argv[1:2] == ['--pictures']:
        take_pictures(Path(sys.argv[2]), dict(word.split('=', 1) for word in sys.argv[3:]))
    else:
        run([the_steps_can_be_done], SIZE)
