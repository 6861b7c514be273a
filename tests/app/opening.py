# SPDX-License-Identifier: Apache-2.0
"""Everything up to the first picture: what is opened, how it is cancelled, what cannot be opened, what still runs."""
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from window import BROWSER, DATA, LIGHTCONE, Failure, lightcone, run, wait_for

PROGRAMS = Path(os.environ['LIGHTCONE_EXAMPLES'])
MAKE_TRACE = os.environ['LIGHTCONE_MAKE_TRACE']
EVENTS = 6_000_000  # of a long trace


def equal(found, expected, what):
    if found != expected:
        raise Failure(f'{what}: {found!r}, not {expected!r}')


def true(found, what):
    if not found:
        raise Failure(what)


def short_trace(folder, name='short.trace', extra=''):
    trace = folder / name
    trace.mkdir()
    (trace / 'a.events').write_text('%lightcone-events 1\n0 10 tag value=1\n20 30 advance A 1\n' + extra)
    (trace / 'b.events').write_text('%lightcone-events 1\n5 40 await A 1\n50 60 tag value=2\n')
    return trace


def long_trace(folder):
    """One whose merge takes some seconds."""
    trace = folder / 'long.trace'
    subprocess.run([MAKE_TRACE, str(trace), '--processes', '16', '--events', str(EVENTS)], check=True)
    return trace


def title(browser):
    return browser.find(role='frame').get_name()


def button(browser, label):
    """GTK 4.8 says a name twice where there is one beside the text."""
    return browser.find(re.compile(re.escape(label) + '$'), role='push button')


def opens_and_raises(display, start, folder):
    """A trace is opened in a window; opened again it is not opened twice"""
    trace = short_trace(folder)
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    second = subprocess.run([LIGHTCONE, str(trace)], timeout=20, check=False)
    equal(second.returncode, 0, 'the status of the second')
    time.sleep(0.5)
    equal(browser.application.get_child_count(), 1, 'windows')
    other = short_trace(folder, 'other.trace')
    equal(subprocess.run([BROWSER, str(other)], timeout=20, check=False).returncode, 0, 'the status of the third')
    wait_for(lambda: browser.application.get_child_count() == 2, 'a second window')


def shows_the_beginning(display, start, folder):
    """The beginning of a long run is there while the rest is merged, and then all of it"""
    trace = long_trace(folder)
    browser = start(trace)
    browser.find(re.compile(r'^The first [\d.]+ % of the run: the rest is being merged'), seconds=10)
    display.save('beginning')
    true(not (trace / 'history.lightcone').exists(), 'the whole was there before its beginning')
    wait_for((trace / 'history.lightcone').exists, 'the whole history', 60)
    wait_for(lambda: browser.look_for(re.compile('^The first .* of the run')) is None, 'the end of the bar')
    equal(list(Path(os.environ['XDG_RUNTIME_DIR']).glob('lightcone-*/*')), [], 'what is left of the beginning')


def cancels(display, start, folder):
    """Cancelling leaves no history, and what was seen; the rest can be merged later"""
    trace = long_trace(folder)
    browser = start(trace)
    browser.find(re.compile('^The first .* of the run'), seconds=10)
    browser.do(button(browser, 'Cancel'))
    browser.find(re.compile('^Only the first .* of the run'))
    time.sleep(0.7)
    equal([path.name for path in trace.glob('history*')], [], 'what is left of the merge')
    browser.do(button(browser, 'Merge the rest'))
    wait_for((trace / 'history.lightcone').exists, 'the whole history', 60)


def says_what_is_wrong(display, start, folder):
    """What cannot be opened is told with what to do, and is tried again"""
    (folder / 'file').write_text('no folder')
    (folder / 'empty').mkdir()
    damaged = folder / 'damaged' / 'ctf'
    damaged.mkdir(parents=True)
    (damaged / 'metadata').write_text('/* CTF 1.8 */ nonsense {')
    for name, heading in [('nowhere', 'There is no such folder'), ('file', 'This is not a trace'),
                          ('empty', 'This is not a trace'), ('damaged', 'This is not a trace')]:
        browser = start(folder / name, '--new-instance')
        browser.find(heading)
        browser.find(re.compile(re.escape(str(folder / name))))
        display.save(f'wrong-{name}')
        browser.close()
    browser = start(folder / 'nowhere')
    browser.find('There is no such folder')
    short_trace(folder, 'nowhere')
    browser.do(button(browser, 'Try again'))
    wait_for(lambda: title(browser) == 'nowhere', 'the trace that is there now')


def remakes_a_damaged_history(display, start, folder):
    """A history that is damaged is made again"""
    trace = short_trace(folder)
    (trace / 'history.lightcone').write_bytes(b'SQLite format 3\0' + bytes(5000))
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    equal(lightcone('sql', '--csv', trace, 'SELECT count(*) FROM event').split()[-1], '4', 'events')
    true(browser.look_for('This trace cannot be opened') is None, 'it was not opened')


def follows_a_program(display, start, folder):
    """A program that still runs is shown as far as it has come, and again when it has ended"""
    trace = folder / 'live.trace'
    script = folder / 'go'
    script.write_text(f'#!/bin/sh\nsleep 4\nexec {PROGRAMS}/pi\n')
    script.chmod(0o755)
    program = subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '-o', str(trace), '--', str(script)],
                               stdout=subprocess.DEVNULL)
    wait_for((trace / 'ctf' / 'metadata').exists, 'the trace')
    time.sleep(0.5)
    browser = start(trace)
    browser.find(re.compile('^This program is still running'))
    display.save('growing')
    browser.do(button(browser, 'Refresh'))
    equal(program.wait(30), 0, 'the status of the recording')
    wait_for(lambda: browser.look_for(re.compile('^This program is still running')) is None, 'the end of the bar')
    events = lightcone('sql', '--csv', trace, 'SELECT count(*) > 10 FROM event').split()[-1]
    equal(events, '1', 'that all is there after the end')
    problems = lightcone('sql', '--csv', trace, "SELECT count(*) FROM problem WHERE severity <> 'note'").split()[-1]
    equal(problems, '0', 'problems')


def records(display, start, folder):
    """A program is recorded from the form, with its arguments, and its trace is opened"""
    browser = start()
    browser.do(button(browser, 'Record a program…'))
    time.sleep(1)
    browser.type(f'{PROGRAMS}/pi')
    display.save('record-form')
    browser.press('Return')
    wait_for(lambda: re.match(r'pi(-\d+)?\.trace', title(browser)), 'the trace of what was recorded', 40)
    display.save('recorded')
    for left in Path.cwd().glob('pi*.trace'):
        shutil.rmtree(left)


def tells_what_the_program_said(display, start, folder):
    """A program that is not there, or fails, is told with what was printed"""
    browser = start()
    browser.do(button(browser, 'Record a program…'))
    time.sleep(1)
    browser.type('/no/such/program')
    browser.press('Return')
    browser.find(re.compile('^Ended with status'))
    display.save('record-failed')
    text = browser.find('What the program prints')
    said = text.get_text_iface().get_text(0, -1) if hasattr(text, 'get_text_iface') else ''
    true('/no/such/program' in said, f'what was printed: {said!r}')


def keeps_how_it_was_looked_at(display, start, folder):
    """How a trace was looked at is kept; a damaged note of it is ignored"""
    trace = short_trace(folder)
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    browser.press('ctrl+2')
    states = Path(os.environ['XDG_STATE_HOME'], 'lightcone', 'traces')
    kept = wait_for(lambda: list(states.glob('*.state')), 'the state')[0]
    browser.close()
    true('time=logical' in kept.read_text(), 'logical time is not kept')
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    browser.press('ctrl+q')
    browser.process.wait(10)
    true('time=logical' in kept.read_text(), 'logical time is lost')
    kept.write_bytes(b'\xff\0nonsense')
    browser = start(trace)
    browser.find(re.compile('^What was kept for this trace cannot be read'))
    equal(title(browser), 'short.trace', 'the title')


def needs_a_display(display, start, folder):
    """Without a display it says so at once"""
    trace = short_trace(folder)
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    for command in [BROWSER], [LIGHTCONE], [LIGHTCONE, 'open']:
        result = subprocess.run([*command, str(trace)], env=environment, timeout=10, capture_output=True, text=True,
                                check=False)
        equal(result.returncode, 2, f'the status of {command}')
        true('lightcone export' in result.stderr and 'display' in result.stderr, f'{command} says {result.stderr!r}')
    for option in '--version', '--help':
        equal(subprocess.run([BROWSER, option], env=environment, timeout=10, stdout=subprocess.DEVNULL,
                             check=False).returncode, 0, f'the status of {option}')


def shows_all_keys(display, start, folder):
    """The shortcuts window, the menu and what Lightcone is"""
    browser = start()
    button(browser, 'Open a trace…')
    display.save('welcome')
    browser.press('ctrl+question')
    wait_for(lambda: browser.application.get_child_count() == 2, 'the window of the shortcuts')
    display.save('shortcuts')
    browser.press('Escape')


true(DATA.is_dir(), 'no data')
run([opens_and_raises, shows_the_beginning, cancels, says_what_is_wrong, remakes_a_damaged_history, follows_a_program,
     records, tells_what_the_program_said, keeps_how_it_was_looked_at, needs_a_display, shows_all_keys])
