#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Events that a program is run again for, from a real window. debug.py [TEST...] runs those tests only. Speaks TAP."""
import os

from browse import equal, holds, open_trace, record
from inspector import select, write
from window import run, wait_for


def make_terminal(folder):
    """Something that writes down what it is to run, as the desktop's terminal."""
    said = folder / 'said'
    terminal = folder / 'bin' / 'xdg-terminal-exec'
    terminal.parent.mkdir()
    terminal.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" > "{said}.new"\nmv "{said}.new" "{said}"\n')
    terminal.chmod(0o755)
    return {'PATH': f'{terminal.parent}:{os.environ["PATH"]}'}, said


def words_of(said):
    words = wait_for(lambda: said.exists() and said.read_text(), 'the terminal').split('\0')[:-1]
    said.unlink()
    equal((words[:2], words[3]), (['/bin/sh', '-c'], 'sh'), 'what runs the command')
    return words[4], words[7:]


def runs_in_a_terminal(display, start, folder):
    """g runs the program up to the selected event in gdb, x with its lock given the other way; both ask before"""
    environment, said = make_terminal(folder)
    trace = record(folder, 'contention', '--rounds', '20')
    browser = open_trace(display, start, trace, environment=environment)
    select(browser, 'lock')
    browser.press('g')
    question, words = words_of(said)
    holds('contention --rounds 20' in question, question)
    equal(words[:3], ['replay', str(trace), '--until'], 'the command')
    holds(words[3].split(':')[1].isdigit(), words[3])
    equal(words[4:], ['--gdb'], 'what it does there')
    browser.click(browser.find('Debug here: run the program again up to this event, in gdb', 'push button'))
    equal(words_of(said)[1], words, 'what the button runs')
    browser.press('x')
    question, words = words_of(said)
    equal((words[2], len(words)), ('--flip', 4), 'the command')


def tells_what_it_cannot(display, start, folder):
    """a trace that does not say what was run is not run"""
    environment, said = make_terminal(folder)
    browser = open_trace(display, start, write(folder, {'a': '0 10 lock m 1\n'}), environment=environment)
    select(browser, 'lock')
    browser.press('g')
    browser.find('This trace does not say what was run.')
    holds(not said.exists(), 'nothing was run')


if __name__ == '__main__':
    run([runs_in_a_terminal, tells_what_it_cannot])
