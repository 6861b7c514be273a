#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts define, in a real window: views among the plots, commands in the menu. scripts.py [TEST...] runs those
tests only. Speaks TAP."""
import json
import os
import re
import shutil
from pathlib import Path

from browse import described, holds, label_beside, open_trace
from window import lightcone, run, wait_for

WORKERS = Path(__file__).parent.parent / 'data' / 'workers.trace'

SCRIPT = '''
(define-view (boxes-of-mine history span)
  #:title "Boxes of mine"
  "One box for each process, which leads to its second event."
  (plot (map (lambda (p row) (rect 0 row 1 (1+ row) #:series "boxes" #:event (cons (process-id p) 1)))
             (shown-processes) (iota (length (shown-processes))))
        #:x (axis #:from 0 #:to 1) #:y (axis #:names (map process-name (shown-processes))) #:tell "Three boxes"))
(define-view (broken history span)
  (car 7))
(define-view (endless history span)
  #:title "Without end"
  (let loop () (catch #t (lambda () (let again () (again))) (lambda _ #f)) (loop)))
(define kept (list))
(define (keep-more)
  (set! kept (cons (make-vector 9999) kept))
  (keep-more))
(define-view (greedy history span)
  #:title "Without measure"
  (keep-more))
(define-command (mark-waits selection span)
  #:key "<Control><Shift>y"
  #:title "Mark what waited"
  (filter (lambda (e) (> (event-waited e) 0)) (events #:from (car span) #:to (cdr span))))
(define-command (spin selection span)
  #:title "Spin for ever"
  (let loop () (loop)))
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def opened(display, start, folder, mine=SCRIPT, theirs=None):
    """A browser on a trace, with a script of the user's, or one of the trace's."""
    trace = str(folder / 'trace')
    shutil.copytree(WORKERS, trace)
    path = os.path.join(os.environ['XDG_DATA_HOME'], 'lightcone', 'scripts', 'mine.scm')
    write(path, mine)
    if theirs:
        write(os.path.join(trace, 'scripts', 'theirs.scm'), theirs)
    return open_trace(display, start, trace), trace


def choose(browser, trace, name):
    """A plot of a script, which is listed as soon as the scripts have been read."""
    def chosen():
        views = json.loads(lightcone('export', trace, '--list-views', '--json'))['view'][1:]
        place, title = next((place, view['title']) for place, view in enumerate(views) if view['name'] == name)
        browser.click(browser.find('Plot', 'combo box'))
        browser.press('Home', *['Down'] * place, 'Return')
        return browser.look_for(title, 'image')
    return wait_for(chosen, f'the plot {name}', 60)


def a_click_in_a_view_of_a_script_selects(display, start, folder):
    """a view of a script is among the plots, says what it shows, and a click in it selects the event that it names"""
    browser, trace = opened(display, start, folder)
    area = choose(browser, trace, 'boxes-of-mine')
    wait_for(lambda: 'Three boxes' in (area.get_description() or ''), 'what the plot shows', 60)
    display.save('plot-of-a-script')
    x, y, width, height = browser.box(area)
    found = set()
    # The boxes are one above the other, below the legend.
    for share in range(35, 90, 6):
        browser.click((x + width * 0.6, y + height * share / 100))
        found |= {process for process in ('main', 'worker-1', 'worker-2') if process in described(browser)}
    holds(len(found) == 3, f'clicks have led to {found}')


def what_is_wrong_is_told_in_the_plot(display, start, folder):
    """an error of a view is told with its file and line, and the browser goes on"""
    browser, trace = opened(display, start, folder)
    area = choose(browser, trace, 'broken')
    wait_for(lambda: re.search(r'mine\.scm:\d+: In procedure car', area.get_description() or ''),
             'the error of the view', 60)
    display.save('plot-that-fails')
    area = choose(browser, trace, 'boxes-of-mine')
    wait_for(lambda: 'Three boxes' in (area.get_description() or ''), 'another plot', 60)


def children(browser):
    """The processes that it has started and not waited for."""
    threads = Path(f'/proc/{browser.process.pid}/task')
    return [number for thread in threads.iterdir() for number in (thread / 'children').read_text().split()]


def a_plot_without_end_is_stopped(display, start, folder):
    """the button ends a script that would go on for ever, and so does another plot; nothing of it is left"""
    browser, trace = opened(display, start, folder)
    area = choose(browser, trace, 'endless')
    stop = browser.find('Stop', 'push button')
    holds(children(browser), 'a process that makes the plot')
    display.save('plot-without-end')
    browser.click(stop)
    wait_for(lambda: 'the script had not come to an end' in (area.get_description() or ''), 'that it was stopped')
    wait_for(lambda: not children(browser), 'the end of the process')
    browser.settle()
    display.save('plot-that-was-stopped')
    for name in ('boxes-of-mine', 'endless', 'boxes-of-mine'):
        area = choose(browser, trace, name)
        if name == 'endless':
            wait_for(lambda: children(browser), 'that it runs again', 60)
        else:
            wait_for(lambda: 'Three boxes' in (area.get_description() or ''), 'another plot', 60)
    wait_for(lambda: not children(browser), 'the end of what was left')


def limits_are_preferences(display, start, folder):
    """what takes more memory than the preferences allow is stopped: a plot, and a line of the console"""
    browser, trace = opened(display, start, folder)
    browser.press('ctrl+comma')
    browser.find('Preferences', 'frame')
    for _ in range(40):
        if browser.find('Memory in MiB', 'spin button').has_state('FOCUSED'):
            break
        browser.press('Tab')
    browser.press('ctrl+a')
    browser.type('150')
    browser.press('Return')
    display.save('preferences-of-scripts')
    browser.press('Escape')
    wait_for(lambda: not browser.look_for('Preferences', 'frame'), 'the preferences are closed')
    area = choose(browser, trace, 'greedy')
    wait_for(lambda: 'more memory than' in (area.get_description() or ''), 'the end of the plot', 120)
    browser.settle()
    display.save('plot-without-measure')
    browser.press('ctrl+k')
    browser.find('Type Scheme here')
    browser.type('(keep-more)')
    browser.press('Return')
    wait_for(lambda: 'more memory than' in (browser.find('What came of it').get_text() or ''),
             'the end of the line', 120)


def commands_have_items_and_keys(display, start, folder):
    """a command of a script is in the menu, its key runs it on what is in view, and an endless one can be stopped"""
    browser, trace = opened(display, start, folder)

    def marks():
        return json.loads(lightcone('sql', '--json', trace, 'SELECT * FROM mark') or '[]')

    def marked():
        browser.press('ctrl+shift+y')
        return wait_for(lambda: True, 'a moment') and len(marks()) > 0
    wait_for(marked, 'what the command marks', 60)
    holds(all(mark['name'] == 'mark-waits' for mark in marks()), marks())
    wait_for(lambda: browser.look_for(re.compile('events are marked as mark-waits')), 'what the command says')
    display.save('command-of-a-script')

    def item(name):
        browser.press('F10')
        found = browser.look_for(re.compile(name + '$'), 'menu item')
        if not found:
            browser.press('Escape')
        return found
    spin = wait_for(lambda: item('Spin for ever'), 'the item of the command', 60)
    display.save('menu-with-commands')
    browser.do(spin)
    browser.do(wait_for(lambda: item('Stop the command'), 'the item that stops it', 60))
    wait_for(lambda: browser.look_for('The command was stopped.'), 'the command is stopped')


def scripts_of_a_trace_are_asked_about(display, start, folder):
    """scripts of a trace are loaded when the user says so, once"""
    theirs = '(define-view (theirs h s) #:title "Views of theirs" (plot (list (point 1 2))))'
    browser, trace = opened(display, start, folder, '', theirs)
    browser.click(browser.find('Scripts…', seconds=60))
    browser.do(browser.find(re.compile('Load$'), 'push button'))
    wait_for(lambda: not browser.look_for('Scripts…'), 'it is no longer asked', 60)
    choose(browser, trace, 'theirs')
    display.save('plot-of-a-trace')


def rules_of_scripts_make_arcs(display, start, folder):
    """the arcs by rules of a trace's scripts are there as soon as the user has said that these may be loaded"""
    trace = folder / 'trace'
    for name, text in (('a', '0 0 print-ticket desk 1\n'), ('b', '5 10 serve desk 1\n')):
        write(trace / f'{name}.events', '%lightcone-events 1\n' + text)
    write(trace / 'scripts' / 'tickets.scm', """(define-rules tickets
        (class ticket #:summary "A machine that prints tickets" #:sequence "the number of the ticket")
        (operation print-ticket #:class ticket #:summary "Prints a ticket")
        (operation serve #:class ticket #:summary "Waits for a ticket" #:waits #t)
        (arc print-to-serve #:class ticket #:from print-ticket #:to serve #:uses one))""")
    browser = open_trace(display, start, trace)
    wait_for(lambda: label_beside(browser, 'Arcs') == '0', 'no arcs without them')
    browser.click(browser.find('Scripts…', seconds=60))
    browser.do(browser.find(re.compile('Load$'), 'push button'))
    wait_for(lambda: label_beside(browser, 'Arcs') == '1', 'the arc of the rules', 60)


TESTS = [a_click_in_a_view_of_a_script_selects, what_is_wrong_is_told_in_the_plot, a_plot_without_end_is_stopped,
         limits_are_preferences, commands_have_items_and_keys, scripts_of_a_trace_are_asked_about,
         rules_of_scripts_make_arcs]

if __name__ == '__main__':
    run(TESTS)
