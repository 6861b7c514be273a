# SPDX-License-Identifier: Apache-2.0
"""A run that is shown while it goes on, of a program that does its next step when it is told to."""
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from window import LIGHTCONE, Failure, lightcone, run, wait_for

PROGRAM = os.environ['LIGHTCONE_SLOW_PROGRAM']
BAR = re.compile(r'^Recording for [\d.]+ s; events shown: ([\d,]+)')


def equal(found, expected, what):
    if found != expected:
        raise Failure(f'{what}: {found!r}, not {expected!r}')


def true(found, what):
    if not found:
        raise Failure(what)


class Steps:
    """The file that the program reads its steps from."""

    def __init__(self, folder):
        self.path = folder / 'steps'
        os.mkfifo(self.path)
        self.file = os.open(self.path, os.O_RDWR)  # neither side waits for the other to open it

    def do(self, steps):
        os.write(self.file, steps.encode())


def diagram(browser):
    return browser.find(re.compile('^Space-time diagram'))


def count_processes(browser):
    return int(re.search(r'(\d+) process', diagram(browser).get_name()).group(1))


def in_view(browser):
    """The part of the run, as it is told."""
    return re.search(r'processes, (.*?) of ', diagram(browser).get_name()).group(1)


def count_events(browser):
    """As the bar says."""
    return int(BAR.match(browser.find(BAR).get_name()).group(1).replace(',', ''))


def button(browser, label):
    return browser.find(re.compile(re.escape(label) + '$'), role='push button')


def is_following(browser):
    return button(browser, 'Follow').has_state('PRESSED')


def start_recording(folder, trace):
    steps = Steps(folder)
    program = subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '-o', str(trace), '--', PROGRAM,
                                str(steps.path)], stdout=subprocess.DEVNULL)
    return steps, program


def check_history(folder, trace):
    """The history that is left is the one that merging makes of the trace."""
    copy = folder / 'copy' / trace.name
    shutil.copytree(trace, copy)
    (copy / 'history.lightcone').unlink()
    lightcone('merge', copy)
    equal(lightcone('sql', '--csv', trace, "SELECT count(*) AS n FROM meta WHERE key = 'until'").split(), ['n', '0'],
          'a run that has ended lasts until its last event')
    equal(lightcone('sql', '--csv', trace, 'SELECT * FROM event ORDER BY process, ordinal'),
          lightcone('sql', '--csv', copy, 'SELECT * FROM event ORDER BY process, ordinal'), 'the events of the history')


def grow(display, browser, steps):
    browser.find(BAR)
    equal(count_processes(browser), 1, 'processes at first')
    steps.do('w')
    wait_for(lambda: count_processes(browser) == 2, 'a worker, while it runs')
    steps.do('w')
    wait_for(lambda: count_processes(browser) == 3, 'another one')
    display.save('live')


def run_ends(browser):
    """The whole run is in view. When it ends, in seconds."""
    end, unit = re.search(r'whole run: 0–([\d.]+) (\w+)', diagram(browser).get_name()).groups()
    return float(end) * {'ms': 1e-3, 's': 1}[unit]


def last_until_now(display, browser):
    """Nothing happens, and the run gets longer: all that wait, wait until this moment."""
    begin, before, events = time.monotonic(), run_ends(browser), count_events(browser)
    wait_for(lambda: run_ends(browser) >= before + 2, 'two seconds more')
    passed = time.monotonic() - begin
    true(run_ends(browser) < before + passed + 1, f'{run_ends(browser)} s, {passed} s after {before} s')
    equal(count_events(browser), events, 'events, of which there is none meanwhile')
    display.save('live-waiting')


def keep_selection(browser, steps):
    browser.press('period')
    selected = wait_for(lambda: diagram(browser).get_description(), 'a selected event')
    before = count_events(browser)
    steps.do('l')
    wait_for(lambda: count_events(browser) >= before + 200, 'the events of a step')
    equal(diagram(browser).get_description(), selected, 'what is selected when more is shown')


def scroll_away(display, browser, steps):
    true(is_following(browser), 'the end is not followed at first')
    browser.press('plus', 'Home')
    wait_for(lambda: not is_following(browser), 'scrolled away from the end')
    where, before = in_view(browser), count_events(browser)
    steps.do('l')
    wait_for(lambda: count_events(browser) >= before + 200, 'the events of another step')
    equal(in_view(browser), where, 'what is in view')
    display.save('live-zoomed')
    browser.press('ctrl+End')
    wait_for(lambda: is_following(browser), 'the end')
    true(in_view(browser) != where, 'the view has not gone to the end')


def follows_a_recording(display, start, folder):
    """A recording is waited for and shown as it goes on: processes and events come, the selection and the view stay"""
    trace = folder / 'slow.trace'
    browser = start('--follow', trace)
    steps, program = start_recording(folder, trace)
    try:
        grow(display, browser, steps)
        last_until_now(display, browser)
        keep_selection(browser, steps)
        scroll_away(display, browser, steps)
        equal([path.name for path in trace.glob('history*')], [], 'what is written into the trace')
        true(program.poll() is None, 'the program has ended by itself')
        steps.do('q')
        equal(program.wait(60), 0, 'the status of the recording')
    finally:
        program.kill()
        program.wait()
    wait_for((trace / 'history.lightcone').exists, 'the history of the whole run')
    wait_for(lambda: browser.look_for(BAR) is None, 'the end of the bar')
    equal(count_processes(browser), json.loads(lightcone('info', '--json', trace))['processes'], 'processes at the end')
    check_history(folder, trace)
    equal(list(Path(os.environ['XDG_RUNTIME_DIR']).glob('lightcone-*/*')), [], 'what is left of the histories before')


def record(browser, arguments):
    browser.do(button(browser, 'Record a program…'))
    browser.find('Program', role='text')
    browser.press('ctrl+a')
    browser.type(PROGRAM)
    browser.press('Tab', 'Tab')
    browser.type(arguments)
    browser.press('Return')


def shows_what_it_records(display, start, folder):
    """What is recorded from the window is seen meanwhile, as is what it prints; Stop ends it"""
    steps = Steps(folder)
    browser = start(folder=folder)
    record(browser, str(steps.path))
    steps.do('w')
    browser.find(BAR)
    wait_for(lambda: count_processes(browser) == 2, 'the run, while it goes on')
    display.save('live-record')
    browser.do(button(browser, 'Output'))
    output = browser.find('What the program prints')
    wait_for(lambda: 'done: w' in output.get_text(), 'what it prints')
    display.save('live-output')
    browser.do(button(browser, 'Show the run'))
    steps.do('w')
    wait_for(lambda: count_processes(browser) == 3, 'the run again', 60)
    browser.do(button(browser, 'Stop'))
    wait_for(lambda: browser.look_for(BAR) is None, 'the end of the bar', 30)
    trace = folder / 'slow-program.trace'
    wait_for((trace / 'history.lightcone').exists, 'the history of the whole run')
    equal(count_processes(browser), 3, 'processes')


run([follows_a_recording, shows_what_it_records])
