#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a window shows of names that would turn it around, and of events that were lost. hostile.py [TEST...]. TAP."""
import re
import subprocess

from browse import equal, holds, label_beside, open_trace
from inspector import select, tab
from window import BROWSER, run, wait_for

EVIL = '\x1b[31m\x9b2J\x08\x7f\u202e\u2066\u200f\u061c\u2028\ufeff'
FORBIDDEN = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]')
SHOWN = '\\x1b[31m\\x9b2J\\x08\\x7f\\u202e\\u2066\\u200f\\u061c\\u2028\\ufeff'
# b waits for the lock that a holds, and for a message that nobody sends.
EVENTS = {
    'a': '0 10 lock E 1\n20 30 enter E\n100 110 unlock E 1\n120 130 leave E\n200 210 tag value=1\n',
    'b': '5 115 lock E 2\n130 140 unlock E 2\n150 160 recv 0>1:E 1 bytes=8 from=0\n200 210 tag value=2\n',
}
LOST = '[trace]\nlost=1007\n[lost]\nfile=1000\ndisk=7\n'


def write(folder, name, word='E', settings=''):
    trace = folder / name
    trace.mkdir()
    for process, text in EVENTS.items():
        events = f'%lightcone-events 1\n%process {process}{word}\n{text.replace("E", word)}'
        (trace / f'{process}.events').write_text(events, encoding='utf-8')
    if settings:
        (trace / 'trace.ini').write_text(settings, encoding='utf-8')
    return trace


def texts(browser):
    """All that a screen reader is told, and what is written."""
    for node in browser.nodes():
        try:
            yield node.get_name() or ''
            yield node.get_description() or ''
            yield node.get_text() or ''
        except Exception:  # it has gone meanwhile
            continue


def check_texts(browser, where):
    found = list(texts(browser))
    equal([text for text in found if FORBIDDEN.search(text)], [], f'texts of {where}')
    return found


def names_do_nothing(display, start, folder):
    """characters that would turn a text around, or hide in it, are shown as what they are wherever a name stands"""
    trace = write(folder, f'x{EVIL}.trace', EVIL, f'[trace]\ntitle={EVIL}\nprogram={EVIL}\ncommand={EVIL}\n')
    browser = open_trace(display, start, trace)
    found = check_texts(browser, 'the window')
    holds(any(SHOWN in text for text in found), 'the names are there')
    select(browser, 'lock')
    browser.settle()
    holds(any(SHOWN in text for text in check_texts(browser, 'the inspector')), 'the names are in the inspector')
    for name in ('Critical path', 'Longest waits', 'Problems', 'Filters'):
        tab(browser, name)
        browser.settle()
        check_texts(browser, name)
    browser.press('ctrl+e')
    browser.find(re.compile('Export'), 'frame')
    browser.settle()
    check_texts(browser, 'the export')
    display.save('hostile')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for(re.compile('Export'), 'frame'), 'the export is closed')


def what_cannot_be_opened_is_told_safely(display, start, folder):
    """an error has the name of the folder in it, and shows it as what it is"""
    (folder / f'x{EVIL}').mkdir()
    browser = start(folder / f'x{EVIL}')
    browser.find('This is not a trace')
    holds(any(SHOWN in text for text in check_texts(browser, 'the error')), 'the folder is named')


def loss_is_told(display, start, folder):
    """events that were lost are a problem of the trace, and a fact of its history"""
    browser = open_trace(display, start, write(folder, 'holes.trace', 'm', LOST))
    equal(label_beside(browser, 'Lost'), '1,007', 'events that were lost')
    tab(browser, 'Problems')
    browser.find(re.compile('^1,007 events were lost'))
    browser.close()
    whole = open_trace(display, start, write(folder, 'whole.trace', 'm'))
    wait_for(lambda: label_beside(whole, 'Events') is not None, 'the facts')
    equal(label_beside(whole, 'Lost'), None, 'of a whole trace')


def words_are_refused_safely(display, start, folder):
    """what the browser says on standard error of an option that it does not know"""
    result = subprocess.run([BROWSER, f'--{EVIL}'], capture_output=True, timeout=60, check=False)
    equal(result.returncode != 0, True, 'it is refused')
    said = (result.stdout + result.stderr).decode()
    equal(FORBIDDEN.search(said), None, said)
    holds(SHOWN in said, said)


TESTS = [words_are_refused_safely, names_do_nothing, what_cannot_be_opened_is_told_safely, loss_is_told]

if __name__ == '__main__':
    run(TESTS)
