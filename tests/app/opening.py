# SPDX-License-Identifier: Apache-2.0
"""Everything up to the first picture: what is opened, how it is cancelled, what cannot be opened, what still runs."""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from screen import window_name
from window import BROWSER, DATA, LIGHTCONE, MAKE_TRACE, Failure, lightcone, run, wait_for

PROGRAMS = Path(os.environ['LIGHTCONE_EXAMPLES'])


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


def long_trace(folder, events):
    """A million events take some fifth of a second to merge, where nothing else runs."""
    trace = folder / 'long.trace'
    subprocess.run([MAKE_TRACE, str(trace), '--processes', '16', '--events', str(events)], check=True)
    return trace


def button_beside(browser, pattern, label):
    """In the bar that says so: not looked for in the whole window, as what is on its way does not wait."""
    bar = browser.find(re.compile(pattern), seconds=30).get_parent()
    for child in bar.get_children():
        if child.get_role_name() == 'push button' and child.get_name().endswith(label):
            return child
    raise Failure(f'no button {label} beside {pattern}')


def write_program(folder, lines):
    program = folder / 'go'
    program.write_text('#!/bin/sh\n' + lines)
    program.chmod(0o755)
    return program


def about(browser):
    """What a screen reader says of the diagram."""
    return browser.find(re.compile('^Space-time diagram')).get_name()


def count_windows(browser):
    return len(browser.windows)


def active_title(browser):
    """Of the window that has the keyboard."""
    return window_name(browser.input.active_window())


def title(browser):
    return browser.find(role='frame').get_name()


def button(browser, label):
    """GTK 4.8 says a name twice where there is one beside the text."""
    return browser.find(re.compile(re.escape(label) + '$'), role='push button')


def opens_and_raises(display, start, folder):
    """A trace is opened in a window; opened again its window is raised, and another one has its own"""
    trace = short_trace(folder)
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    equal(subprocess.run([LIGHTCONE, str(trace)], timeout=30, check=False).returncode, 0, 'the status of the second')
    browser.settle()
    equal(count_windows(browser), 1, 'windows')
    other = short_trace(folder, 'other.trace')
    equal(subprocess.run([BROWSER, str(other)], timeout=30, check=False).returncode, 0, 'the status of the third')
    wait_for(lambda: count_windows(browser) == 2, 'a second window')
    wait_for(lambda: active_title(browser) == 'other.trace', 'the second window in front')
    subprocess.run([LIGHTCONE, str(trace)], timeout=30, check=True)
    wait_for(lambda: active_title(browser) == 'short.trace', 'the first window in front')
    equal(count_windows(browser), 2, 'windows')


def has_the_keyboard(display, start, folder):
    """Keys move the diagram as soon as it is there"""
    browser = start(short_trace(folder))
    wait_for(lambda: 'whole run' in about(browser), 'the diagram')
    browser.press('plus')
    wait_for(lambda: 'whole run' not in about(browser), 'zoomed in')
    browser.press('0', 'Escape')
    wait_for(lambda: 'whole run' not in about(browser), 'what was in view before the whole run')
    browser.press('Escape')
    wait_for(lambda: 'whole run' in about(browser), 'what was in view at first')


def shows_the_beginning(display, start, folder):
    """The beginning of a long run is there while the rest is merged, then all of it; the keyboard stays where it is"""
    trace = long_trace(folder, 16_000_000)
    browser = start(trace)
    browser.find(re.compile(r'^The first [\d.]+ % of the run: the rest is being merged'), seconds=30)
    true(not (trace / 'history.lightcone').exists(), 'the whole was there before its beginning')
    browser.press('ctrl+f')
    browser.type('bar')
    display.save('beginning')
    wait_for((trace / 'history.lightcone').exists, 'the whole history', 120)
    wait_for(lambda: browser.look_for(re.compile('^The first .* of the run')) is None, 'the end of the bar', 60)
    browser.type('rier')
    browser.press('Return')
    diagram = browser.find(re.compile('^Space-time diagram'))
    wait_for(lambda: 'barrier' in diagram.get_description(), 'what was searched')
    equal(list(Path(os.environ['XDG_RUNTIME_DIR']).glob('lightcone-*/*')), [], 'what is left of the beginning')


def cancels(display, start, folder):
    """Cancelling leaves no history, and what was seen; the rest can be merged later"""
    trace = long_trace(folder, 16_000_000)
    browser = start(trace)
    browser.do(button_beside(browser, '^The first .* of the run', 'Cancel'))
    browser.find(re.compile('^Only the first .* of the run'))
    time.sleep(0.7)
    equal([path.name for path in trace.glob('history*')], [], 'what is left of the merge')
    browser.do(button_beside(browser, '^Only the first .* of the run', 'Merge the rest'))
    browser.find(re.compile('^The first .* of the run'))
    wait_for((trace / 'history.lightcone').exists, 'the whole history', 120)


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


def routine(name, calls, times):
    return {'name': name, 'kind': 'mpi', 'calls': calls, 'inclusive': times[0], 'inclusive_local': times[1],
            'exclusive': times[0], 'exclusive_local': times[1], 'waiting': times[2], 'waiting_local': times[2]}


def shows_call_paths(display, start, path, processes):
    """Call paths are a tree below their processes, or that of one; its first rows are open"""
    main, work = routine('main', 1, (2900000, 2400000, 0)), routine('work', 7, (1000000, 600000, 0))
    send = routine('MPI_Send', 20, (1900000, 1800000, 0))
    for process in processes:
        process['paths'] = [main | {'caller': -1}, send | {'caller': 0}, work | {'caller': 0}, work | {'caller': 2}]
    path.write_text(json.dumps({'lightcone_profile': 1, 'title': 'mpirun -n 2 pi', 'ways': 3, 'processes': processes}))
    browser = start(path)
    browser.resize(1000, 840)
    browser.click(browser.find('What is listed', 'combo box'))
    browser.press('Down', 'Return')
    wait_for(lambda: len(browser.nodes(name='work', role='label')) == 4, 'the tree of both')
    for text in ('rank 0', 'rank 1', '2.50 ms', 'main', '2.40 ms', 'MPI_Send', '1.80 ms'):
        browser.find(text, 'label')
    display.save('profile-paths')
    browser.click(browser.find('Process', 'combo box'))
    browser.press('Home', 'Down', 'Return')
    wait_for(lambda: len(browser.nodes(name='work', role='label')) == 2, 'the tree of one')
    browser.close()
    path.write_text(json.dumps({'lightcone_profile': 1, 'title': 'local only', 'ways': 2, 'processes': processes}))
    browser = start(path)
    browser.find('Exclusive')
    equal(browser.look_for('Exclusive, measured'), None, 'a column of what was not measured')
    browser.close()


def opens_a_profile(display, start, folder):
    """A profile has a window of its own: its picture, and the routines of all processes or of one; others have not"""
    processes = [{'rank': rank, 'name': f'rank {rank}', 'host': 'here', 'total': 3000000, 'total_local': 2500000,
                  'overhead': 500000, 'delay': 500000, 'messages': 2,
                  'routines': [routine('MPI_Send', 20 + rank, (2000000, 1600000, 0)),
                               routine('MPI_Recv', 5, (900000, 800000, 700000))]} for rank in range(2)]
    path = folder / 'pi.profile'
    path.write_text(json.dumps({'lightcone_profile': 1, 'title': 'mpirun -n 2 pi', 'ways': 3, 'processes': processes}))
    browser = start(path)
    picture = browser.find('Profile', 'image')
    equal(browser.look_for('What is listed'), None, 'the choice of what is not there')
    wait_for(lambda: 'Compensated locally 2.50 ms' in picture.get_description(), 'the picture')
    for text in ('mpirun -n 2 pi', 'MPI_Send', '41', '4.00 ms', '3.20 ms', '1.40 ms'):
        browser.find(text, 'label')
    display.save('profile')
    browser.click(browser.find('Process', 'combo box'))
    browser.press('Home', 'Down', 'Down', 'Return')
    browser.find('21', 'label')
    equal(browser.look_for('41', 'label'), None, 'the calls of all')
    browser.close()
    shows_call_paths(display, start, path, processes)
    other = folder / 'other.profile'
    other.write_text('{}')
    browser = start(other)
    browser.find('This is not a trace')


def opens_files(display, start, folder):
    """A file of a trace leads to the trace: from a terminal, and chosen in the window"""
    trace = short_trace(folder)
    browser = start(trace / 'b.events')
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    lightcone('merge', trace)
    subprocess.run([BROWSER, str(trace / 'history.lightcone')], check=True, timeout=60)
    wait_for(lambda: count_windows(browser) == 1, 'the one window that shows it')
    browser.close()
    recorded = folder / 'recorded.trace'
    lightcone('record', '--quiet', '-o', recorded, '--', PROGRAMS / 'contention')
    browser = start(next((recorded / 'ctf').iterdir()))
    wait_for(lambda: title(browser) == 'recorded.trace', 'the title of what was recorded')
    browser.close()
    browser = start()
    display.save('welcome')
    windows = count_windows(browser)
    browser.press('ctrl+alt+o')
    wait_for(lambda: count_windows(browser) > windows, 'the window that asks for a file')
    browser.settle()
    browser.press('slash')
    browser.press('ctrl+a')
    browser.type(trace / 'a.events')
    browser.press('Return')
    wait_for(lambda: title(browser) == 'short.trace', 'the title of the trace')


def remakes_a_history(display, start, folder):
    """A history that is damaged, or of another version, is made again"""
    trace = short_trace(folder)
    (trace / 'history.lightcone').write_bytes(b'SQLite format 3\0' + bytes(5000))
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    equal(lightcone('sql', '--csv', trace, 'SELECT count(*) FROM event').split()[-1], '4', 'events')
    true(browser.look_for('This trace cannot be opened') is None, 'it was not opened')
    browser.close()
    with sqlite3.connect(trace / 'history.lightcone') as history:
        version = history.execute('PRAGMA user_version').fetchone()[0]
        history.execute('PRAGMA user_version = 1')
    history.close()
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    with sqlite3.connect(trace / 'history.lightcone') as history:
        equal(history.execute('PRAGMA user_version').fetchone()[0], version, 'the version of the history')
    history.close()


def count_processes(browser):
    return int(re.search(r'(\d+) process', about(browser)).group(1))


def follow(display, start, folder, trace, program):
    wait_for((trace / 'ctf' / 'metadata').exists, 'the trace')
    time.sleep(1)
    browser = start(trace)
    browser.find(re.compile('^Recording for'))
    first = count_processes(browser)
    time.sleep(2)
    browser.do(button(browser, 'Refresh'))
    second = wait_for(lambda: count_processes(browser) > first and count_processes(browser), 'more when asked for')
    browser.click(browser.find('Keep up', 'check box'))
    wait_for(lambda: count_processes(browser) > second, 'more by itself')
    display.save('growing')
    true(program.poll() is None, 'the program ended by itself')
    (folder / 'enough').touch()
    equal(program.wait(60), 0, 'the status of the recording')
    wait_for(lambda: browser.look_for(re.compile('^Recording for')) is None, 'the end of the bar')
    info = json.loads(lightcone('info', '--json', trace))
    wait_for(lambda: count_processes(browser) == info['processes'], f'all {info["processes"]} processes')
    problems = lightcone('sql', '--csv', trace, "SELECT count(*) FROM problem WHERE severity <> 'note'").split()[-1]
    equal(problems, '0', 'problems')


def follows_a_program(display, start, folder):
    """A program that still runs is shown as far as it has come: when asked to, by itself, and when it has ended"""
    trace = folder / 'live.trace'
    script = write_program(folder, f'while [ ! -e {folder}/enough ]; do {PROGRAMS}/pi; sleep 1.5; done\n')
    program = subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '-o', str(trace), '--', str(script)],
                               stdout=subprocess.DEVNULL)
    try:
        follow(display, start, folder, trace, program)
    finally:
        folder.mkdir(exist_ok=True)
        (folder / 'enough').touch()
        program.wait(60)


def open_form(browser):
    browser.do(button(browser, 'Record a program…'))
    browser.find('Program', role='text')


def fill_form(browser, program, arguments=''):
    """The first field has the keyboard; the next one is two steps away, behind a button."""
    browser.press('ctrl+a')
    browser.type(program)
    if arguments:
        browser.press('Tab', 'Tab')
        browser.type(arguments)


def show_output(browser):
    """The page of a recording again, instead of the run that is shown meanwhile."""
    browser.do(button_beside(browser, '^Recording for', 'Output'))


def read_output(browser):
    """What the program has printed, on the page of a recording."""
    text = browser.look_for('What the program prints')
    return text.get_text() if text is not None else ''


def records(display, start, folder):
    """A program is recorded from the form with its arguments, and its trace is opened"""
    browser = start(folder=folder)
    open_form(browser)
    fill_form(browser, f'{PROGRAMS}/gauss', '--workers 3 --size 12')
    display.save('record-form')
    browser.press('Return')
    wait_for(lambda: title(browser) == 'gauss.trace', 'the trace of what was recorded', 60)
    display.save('recorded')
    true('4 processes' in about(browser), about(browser))
    equal([path.name for path in folder.glob('*')], ['gauss.trace'], 'what was made')


def stops_a_recording(display, start, folder):
    """What a program prints is seen while it runs; it is stopped, and what was recorded is opened"""
    program = write_program(folder, f'echo begun\n{PROGRAMS}/pi\necho calculated\nexec sleep 600\n')
    browser = start(folder=folder)
    open_form(browser)
    fill_form(browser, str(program))
    browser.press('Return')
    show_output(browser)
    wait_for(lambda: 'begun' in read_output(browser) and 'calculated' in read_output(browser), 'what it prints')
    browser.find('Recording go')
    wait_for(lambda: browser.look_for(re.compile(r'^[\d.]+ s$'), role='label'), 'how long it has taken')
    display.save('recording')
    browser.do(button(browser, 'Stop'))
    wait_for(lambda: title(browser) == 'go.trace', 'the trace of what was recorded', 30)


def kills_a_recording(display, start, folder):
    """A program that does not stop when it is asked to can be killed, and how it ended is told"""
    program = write_program(folder, 'trap "" INT TERM\necho deaf\nwhile :; do sleep 0.2; done\n')
    browser = start(folder=folder)
    open_form(browser)
    fill_form(browser, str(program))
    browser.press('Return')
    show_output(browser)
    wait_for(lambda: 'deaf' in read_output(browser), 'what it prints')
    browser.do(button(browser, 'Stop'))
    kill = browser.find(re.compile('Kill it$'), role='push button')
    display.save('kill')
    browser.do(kill)
    wait_for(lambda: browser.look_for(re.compile('Kill it$'), role='push button') is None, 'its end')
    wait_for(lambda: subprocess.run(['pgrep', '-f', str(program)], stdout=subprocess.DEVNULL, check=False).returncode,
             'the end of all of it')


def tells_how_a_program_failed(display, start, folder):
    """A program that is not there, or fails, is told with what was printed; so is a recorder that is missing"""
    program = write_program(folder, 'echo this went wrong >&2\nexit 7\n')
    browser = start(folder=folder)
    open_form(browser)
    for name, status, said in [('/no/such/program', 'Ended with status', '/no/such/program'),
                               (str(program), 'Ended with status 7', 'this went wrong')]:
        fill_form(browser, name)
        browser.press('Return')
        browser.find(re.compile(f'^{status}'))
        display.save('record-failed')
        true(said in read_output(browser), f'what was printed: {read_output(browser)!r}')
        browser.press('Return')  # back, which has the keyboard
    browser.close()
    alone = folder / 'alone'
    alone.mkdir()
    shutil.copy2(BROWSER, alone / 'lightcone-browser')
    browser = start(program=alone / 'lightcone-browser', folder=folder, environment={'PATH': str(alone)})
    open_form(browser)
    fill_form(browser, '/bin/true')
    browser.press('Return')
    browser.find('The program lightcone, which records, is not installed.')


def keeps_how_it_was_looked_at(display, start, folder):
    """How a trace was looked at is kept; a damaged note of it is ignored"""
    trace = short_trace(folder)
    states = Path(os.environ['XDG_STATE_HOME'], 'lightcone', 'traces')
    others = set(states.glob('*.state'))
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    browser.press('ctrl+2')
    kept = wait_for(lambda: set(states.glob('*.state')) - others, 'the state').pop()
    browser.close()
    true('time=logical' in kept.read_text(), 'logical time is not kept')
    browser = start(trace)
    wait_for(lambda: title(browser) == 'short.trace', 'the title')
    browser.press('ctrl+q')
    browser.process.wait(10)
    browser.wait_until_forgotten()
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


def keeps_the_window(display, start, folder):
    """How large the window was and which sides it had is kept; the welcome page lists what was opened"""
    trace = short_trace(folder, 'kept.trace')
    settings = {'GSETTINGS_BACKEND': 'keyfile'}
    browser = start(trace, environment=settings)
    wait_for(lambda: title(browser) == 'kept.trace', 'the title')
    browser.find('Find processes')
    browser.press('F9')
    wait_for(lambda: browser.look_for('Find processes') is None, 'the left side hidden')
    browser.resize(1010, 710)
    before = browser.size()
    browser.close()
    browser = start(environment=settings)
    recent = browser.find('kept.trace')
    display.save('welcome')
    browser.click(recent)
    wait_for(lambda: title(browser) == 'kept.trace', 'the trace from the list')
    equal(browser.size(), before, 'the size of the window')
    true(browser.look_for('Find processes') is None, 'the left side is there again')


def shows_all_keys(display, start, folder):
    """The shortcuts window, the menu and what Lightcone is"""
    browser = start()
    button(browser, 'Open a trace…')
    browser.press('ctrl+question')
    wait_for(lambda: count_windows(browser) == 2, 'the window of the shortcuts')
    display.save('shortcuts')
    browser.press('Escape')
    wait_for(lambda: count_windows(browser) == 1, 'its end')
    browser.press('F10')
    browser.do(browser.find(re.compile('About Lightcone$'), role='menu item'))
    wait_for(lambda: count_windows(browser) == 2, 'what Lightcone is')
    display.save('about')
    browser.press('Escape')
    wait_for(lambda: count_windows(browser) == 1, 'its end')


def opens_samples(display, start, folder):
    """A sample trace on the welcome page is opened by a click and by keys; the tutorial is beside them"""
    (folder / 'lightcone').mkdir()
    shutil.copytree(DATA.parent.parent / 'data' / 'samples', folder / 'lightcone' / 'samples')
    data = os.environ.get('XDG_DATA_DIRS') or '/usr/local/share:/usr/share'
    # The traces that were opened before would push the samples out of the window.
    environment = {'XDG_DATA_DIRS': f'{folder}:{data}', 'XDG_DATA_HOME': str(folder / 'home'),
                   'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'}
    browser = start(environment=environment)
    row = browser.find('Deadlock')
    browser.settle()
    display.save('welcome-samples')
    browser.click(row)
    wait_for(lambda: title(browser) == 'deadlock.trace', 'the sample that was clicked')
    browser.find(re.compile('^Deadlock: philosopher'), 'label')
    browser.close()
    browser = start(environment={**environment, 'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    button(browser, 'Tutorial')
    browser.settle()
    display.save('welcome-samples-dark')
    windows = count_windows(browser)
    browser.click(button(browser, 'Tutorial'))
    wait_for(lambda: count_windows(browser) == windows + 1, 'the tutorial')

    def ended():
        """A window that has just come may not have the keyboard yet."""
        browser.press('Escape')
        return count_windows(browser) == windows
    wait_for(ended, 'its end')
    browser.press('Tab', 'Down', 'Down', 'Down', 'Return')
    wait_for(lambda: title(browser) == 'buffer.trace', 'the sample that was chosen by keys')


true(DATA.is_dir(), 'no data')
run([opens_and_raises, has_the_keyboard, shows_the_beginning, cancels, says_what_is_wrong, opens_a_profile, opens_files,
     remakes_a_history, follows_a_program, records, stops_a_recording, kills_a_recording, tells_how_a_program_failed,
     keeps_how_it_was_looked_at, keeps_the_window, needs_a_display, shows_all_keys,
     opens_samples])
