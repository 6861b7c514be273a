#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The console in a real window. console.py [TEST...] runs only those."""
import os
import re
from pathlib import Path

from browse import described, holds, label_beside, open_trace
from inspector import select, tab, write
from window import run, wait_for

RUNNING = re.compile('^Running for [1-9][0-9]* s$')  # which is seen late on a busy machine


def open_console(display, start, folder):
    browser = open_trace(display, start, write(folder))
    browser.press('ctrl+k')
    browser.find('Type Scheme here')
    return browser


def shown(browser):
    return browser.find('What came of it').get_text() or ''


def evaluate(browser, text, answer, seconds=60):
    """Types it, and waits until what came of it has this text behind it."""
    browser.type(text)
    browser.press('Return')
    prompt = f'> {text}\n'

    def answered():
        at = shown(browser).rfind(prompt)
        return at >= 0 and answer in shown(browser)[at + len(prompt):]
    def is_idle():
        return not browser.find('Stop', 'push button').has_state('SENSITIVE')
    try:
        wait_for(answered, f'{answer!r} after {text!r}', seconds)
        wait_for(is_idle, 'the end of it', seconds)
    except Exception as error:
        raise AssertionError(f'{error}: {shown(browser)!r}') from None


def evaluates(display, start, folder):
    """what is typed is evaluated, with the selection and the processes of the window; the next line knows it"""
    browser = open_console(display, start, folder)
    evaluate(browser, '(+ 1 2)', '3\n')
    evaluate(browser, '(define x 20)', '')
    evaluate(browser, '(* x 2)', '40\n')
    evaluate(browser, '(map process-name shown-processes)', '("a" "b" "c")\n')
    evaluate(browser, 'selection', '#f\n')
    select(browser, 'await X')
    browser.click(browser.find('Type Scheme here'))
    evaluate(browser, 'selection', '(1 . 0)\n')
    evaluate(browser, 'visible-span', '(0 . 110)\n')
    display.save('console')


def tells_errors(display, start, folder):
    """an error is told with its text, and the console goes on; so it does after (exit)"""
    browser = open_console(display, start, folder)
    evaluate(browser, '(car 1)', 'Wrong type argument')
    evaluate(browser, '(error "oh no" 5)', 'oh no 5')
    evaluate(browser, '(event-begin (cons 9 9))', '9')
    evaluate(browser, '(exit)', 'begins anew')
    evaluate(browser, '(+ 1 2)', '3\n')


def stops_what_does_not_end(display, start, folder):
    """Escape and the button stop loops without end"""
    browser = open_console(display, start, folder)
    evaluate(browser, '(+ 1 2)', '3\n')
    browser.type('(let loop () (loop))')
    browser.press('Return')
    browser.find(RUNNING, 'label')
    browser.press('Escape')
    wait_for(lambda: 'interrupted' in shown(browser), 'the end of the loop')
    browser.type('(let again () (catch #t (lambda () (let l () (l))) (lambda _ #f)) (again))')
    browser.press('Return')
    browser.find(RUNNING, 'label')
    browser.click(browser.find('Stop', 'push button'))
    wait_for(lambda: shown(browser).count('interrupted') == 2, 'the end of the second loop')
    evaluate(browser, '(+ 2 3)', '5\n')


def limits_memory(display, start, folder):
    """what takes memory without end is stopped, and what was defined is still there"""
    settings = Path(os.environ['XDG_CONFIG_HOME'], 'glib-2.0', 'settings', 'keyfile')
    settings.parent.mkdir(parents=True)
    settings.write_text('[org/lightcone/Browser]\nconsole-memory=200\nconsole-seconds=60\n')
    browser = open_console(display, lambda *arguments: start(*arguments, environment={'GSETTINGS_BACKEND': 'keyfile'}),
                           folder)
    evaluate(browser, '(define all (list))', '')
    evaluate(browser, '(let go () (set! all (cons (make-vector 9999) all)) (go))', 'more memory than', 120)
    evaluate(browser, '(begin (usleep 300000) (set! all (list)) (+ 2 3))', '5\n')


def marks_appear(display, start, folder):
    """what it marks appears at once, and links lead to events"""
    browser = open_console(display, start, folder)
    evaluate(browser, "(mark! (cons 1 0) 'slow)", '')
    tab(browser, 'Marks')
    browser.find('Show slow in the diagram', 'check box')
    browser.click(browser.find('Type Scheme here'))
    browser.press('ctrl+l')
    wait_for(lambda: shown(browser) == '', 'nothing shown')
    evaluate(browser, '(list (cons 1 0))', '((1 . 0))\n')
    left, top, _, _ = browser.box(browser.find('What came of it'))

    def clicked():
        for line in range(1, 4):
            browser.click((left + 40, top + line * 9 + 4))
            if described(browser):
                return True
        return False
    wait_for(clicked, 'the event that a click selects')
    holds('await of advance X' in described(browser), described(browser))


TICKETS = {'a': '0 0 print-ticket desk 1\n10 10 print-ticket desk 2\n', 'b': '0 10 serve desk 1\n11 24 serve desk 2\n'}
RULES = """(define-rules tickets
(class ticket #:summary "A machine that prints tickets" #:sequence "the number of the ticket")
(operation print-ticket #:class ticket #:summary "Prints a ticket")
(operation serve #:class ticket #:summary "Waits for a ticket" #:waits #t)
(arc print-to-serve #:class ticket #:from print-ticket #:to serve #:uses one))"""


def rules_appear(display, start, folder):
    """arcs of rules that are defined in it are there at once, what was defined before stays, and so do links"""
    browser = open_trace(display, start, write(folder, TICKETS))
    wait_for(lambda: label_beside(browser, 'Arcs') == '0', 'no arcs')
    browser.press('ctrl+k')
    browser.find('Type Scheme here')
    evaluate(browser, '(define kept 41)', '')
    browser.type(RULES.replace('\n', ' '))
    browser.press('Return')
    wait_for(lambda: label_beside(browser, 'Arcs') == '2', 'the arcs of the rules')
    evaluate(browser, '(list (+ kept 1) (history-arc-count))', '(42 2)\n')
    display.save('console-rules')
    evaluate(browser, "(forget-rules! 'tickets)", '')
    wait_for(lambda: label_beside(browser, 'Arcs') == '0', 'no arcs without them')
    holds('Another history' not in shown(browser), shown(browser))


def completes_and_remembers(display, start, folder):
    """the Tab key completes names, Up brings back what was typed, and a form may have several lines"""
    browser = open_console(display, start, folder)
    evaluate(browser, '(+ 1 2)', '3\n')
    entry = browser.find('Type Scheme here')
    browser.type('(history-tot')
    browser.press('Tab')
    wait_for(lambda: entry.get_text() == '(history-total', 'the name completed')
    browser.press('Escape')
    browser.type(')')
    browser.press('Return')
    wait_for(lambda: '110\n' in shown(browser), 'the whole run')
    browser.press('Up')
    wait_for(lambda: entry.get_text() == '(history-total)', 'the line before')
    browser.press('Up')
    wait_for(lambda: entry.get_text() == '(+ 1 2)', 'the line before that')
    browser.press('ctrl+a', 'Delete')
    browser.type('(+ 3')
    browser.press('Return')
    wait_for(lambda: entry.get_text() == '(+ 3\n', 'a line that is not complete')
    browser.type('4)')
    browser.press('Return')
    wait_for(lambda: '7\n' in shown(browser), 'the form of two lines evaluated')


if __name__ == '__main__':
    run([evaluates, tells_errors, stops_what_does_not_end, limits_memory, marks_appear, rules_appear,
         completes_and_remembers])
