#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Events that a program is run again for, from a real window. debug.py [TEST...] runs those tests only. Speaks TAP."""
import os
import re
import shutil
from pathlib import Path

from browse import described, equal, holds, open_trace, pixels_of, record
from inspector import ask, select, write
from window import Failure, lightcone, run, wait_for

DOT, STOP = 0xbb3d70, 0x008f69  # the inks of a breakpoint and of a stop
STOPPED = re.compile('^Stopped before ')
HAVE_TERMINAL = os.environ.get('LIGHTCONE_HAVE_TERMINAL') == '1'


# --- In a terminal outside

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
    """x runs the program with the lock of the selected event given the other way, and asks before"""
    environment, said = make_terminal(folder)
    trace = record(folder, 'contention', '--rounds', '20')
    browser = open_trace(display, start, trace, environment=environment)
    select(browser, 'lock')
    browser.press('x')
    question, words = words_of(said)
    holds('contention --rounds 20' in question, question)
    equal((words[:3], len(words)), (['replay', str(trace), '--flip'], 4), 'the command')
    holds(words[3].split(':')[1].isdigit(), words[3])


def debugs_in_a_terminal(display, start, folder):
    """where there is no terminal in the window, g runs gdb in one outside, which asks before"""
    environment, said = make_terminal(folder)
    trace = record(folder, 'contention', '--rounds', '20')
    browser = open_trace(display, start, trace, environment=environment)
    select(browser, 'lock')
    browser.press('g')
    question, words = words_of(said)
    holds('contention --rounds 20' in question, question)
    equal((words[:3], words[4:6]), (['replay', str(trace), '--until'], ['--gdb', '--control']), 'the command')
    holds(Path(words[6]).is_socket(), words[6])
    equal(Path(words[6]).parent.stat().st_mode & 0o777, 0o700, 'who can reach the socket')


# --- Breakpoints

def dots(display, browser):
    return pixels_of(display, browser, browser.diagram, DOT)


def breakpoints_are_seen_at_every_zoom(display, start, folder):
    """s, the menu, the inspector and the list set and remove a breakpoint, which is a dot on its event at any zoom"""
    browser = open_trace(display, start, record(folder, 'contention', '--rounds', '20'))
    select(browser, 'lock')
    equal(dots(display, browser), 0, 'dots before')
    browser.press('s')
    wait_for(lambda: described(browser).endswith(', with a breakpoint'), 'the breakpoint')
    for keys in ([], ['0'], ['ctrl+2'], ['ctrl+r'], ['ctrl+1']):
        browser.press(*keys)
        wait_for(lambda: dots(display, browser) > 20, f'a dot after {keys}')
    toggle = browser.find('Breakpoint before this event', 'push button')
    holds(toggle.has_state('PRESSED'), 'the inspector does not know')
    browser.click(toggle)
    wait_for(lambda: dots(display, browser) == 0, 'no dot')
    holds('with a breakpoint' not in described(browser), described(browser))
    browser.click(browser.place_of_nothing())
    select(browser, 'lock')
    browser.press('Menu')
    browser.do(browser.find(re.compile('Set a breakpoint$'), 'menu item'))
    wait_for(lambda: dots(display, browser) > 20, 'a dot by the menu')
    browser.press('ctrl+shift+k')
    browser.click(browser.find('Remove this breakpoint', 'push button'))
    wait_for(lambda: dots(display, browser) == 0, 'no dot after the list')
    browser.find('None. The key s sets one on the selected event.')


def breakpoints_are_kept(display, start, folder):
    """breakpoints and expressions are there when the trace is opened again"""
    trace = record(folder, 'contention', '--rounds', '20')
    browser = open_trace(display, start, trace)
    select(browser, 'lock')
    browser.press('s', 'ctrl+shift+k')
    add_expression(browser, 'rounds')
    browser.close()
    browser = open_trace(display, start, trace)
    wait_for(lambda: dots(display, browser) > 20, 'the dot')
    browser.press('ctrl+shift+k')
    browser.find('Remove this breakpoint', 'push button')
    browser.find('rounds', 'label')


# --- gdb in the window

def add_expression(browser, text):
    browser.click(browser.find('An expression of the program'))
    browser.type(text)
    browser.press('Return')
    browser.find('Remove this expression', 'push button')


def state(browser):
    """What the debugger says of the program."""
    return wait_for(lambda: next((node.get_name() for node in browser.nodes(name=STOPPED)), None), 'a stop')


def wait_for_stop(browser, event):
    """Until the program stands before this event, as `stop_before` says it."""
    wait_for(lambda: browser.look_for(event, 'label'), f'{event}, not {state(browser)}')


def stop_before(trace, process, ordinal):
    """What the debugger says of a stop before an event."""
    event = ask(trace, 'SELECT p.name AS who, operation, o.name AS object, sequence FROM event e '
                       'JOIN process p ON p.id = e.process JOIN object o ON o.id = e.object '
                       f'WHERE e.process = {process} AND e.ordinal = {ordinal}')[0]
    return f'Stopped before {event["who"]}: {event["operation"]} {event["object"]} #{event["sequence"]}'


def begin(browser):
    """Agrees to what is run, and waits for the first stop."""
    browser.press('g')
    browser.find('This runs the recorded program again:')
    browser.press('Return')
    return state(browser)


def children_of(browser):
    task = browser.process.pid
    return Path(f'/proc/{task}/task/{task}/children').read_text(encoding='ascii').split()


def click(browser, name):
    button = browser.find(name, 'push button')
    wait_for(lambda: button.has_state('SENSITIVE'), f'{name}: it can be clicked')
    browser.click(button)


def runs_nothing_without_consent(display, start, folder):
    """g shows what would be run, and nothing is run before the user agrees"""
    browser = open_trace(display, start, record(folder, 'contention', '--rounds', '20'))
    select(browser, 'lock')
    browser.click(browser.find('Debug here: run the program again up to this event, in gdb', 'push button'))
    browser.find(re.compile('contention --rounds 20$'), 'label')
    display.save('debug-ask')
    equal(children_of(browser), [], 'what runs before')
    browser.click(browser.find('Do not run it', 'push button'))
    browser.find('No program is being debugged')
    equal(children_of(browser), [], 'what runs after')
    browser.press('F6')
    browser.find(re.compile('^No program is being debugged: the key g'))


def record_in_order(folder):
    """A run in which the first thread has done three steps before the second one begins, which is so in most."""
    for number in range(200):
        trace = record(folder, 'contention', '--rounds', '20', name=f'trace-{number}')
        if ask(trace, 'SELECT count (*) AS n FROM event e JOIN event f WHERE e.process = 1 AND e.ordinal = 3 '
                      'AND f.process = 2 AND f.ordinal = 1 AND e."end" <= f.begin')[0]['n'] == 1:
            return trace
    raise Failure('the second thread is always the first')


def select_event(browser, trace, process, ordinal):
    """The search finds this one only: the first of all that it finds may be of either thread."""
    event, = ask(trace, 'SELECT p.name AS who, o.name AS object, sequence FROM event e '
                        'JOIN process p ON p.id = e.process JOIN object o ON o.id = e.object '
                        f'WHERE e.process = {process} AND e.ordinal = {ordinal}')
    select(browser, f'process:"{event["who"]}" object:"{event["object"]}" lock seq:{event["sequence"]}')


def steps_through_a_program(display, start, folder):
    """the program stops, goes on by events, to breakpoints and to its end; the diagram shows where it is"""
    trace = record_in_order(folder)
    browser = open_trace(display, start, trace)
    select_event(browser, trace, 1, 1)
    begin(browser)
    wait_for_stop(browser, stop_before(trace, 1, 1))
    wait_for(lambda: pixels_of(display, browser, browser.diagram, STOP) > 60, 'where it stands')
    add_expression(browser, 'rounds')
    browser.find('20', 'label')
    add_expression(browser, 'nothing_of_that_name')
    browser.find('No symbol "nothing_of_that_name" in current context.', 'label')
    add_expression(browser, '$_thread')
    browser.find('2', 'label')
    display.save('debug-stopped')
    browser.press('F6')
    wait_for_stop(browser, stop_before(trace, 1, 2))
    click(browser, 'Next event')
    wait_for_stop(browser, stop_before(trace, 1, 3))
    # A breakpoint that is set while the program has stopped: of the other process.
    browser.click(browser.place_of_nothing())
    select_event(browser, trace, 2, 1)
    browser.press('s', 'F8')
    wait_for_stop(browser, stop_before(trace, 2, 1))
    browser.find('3', 'label')  # the thread that values are of
    display.save('debug-breakpoint')
    click(browser, 'Finish')
    wait_for(lambda: not browser.find('Interrupt', 'push button').has_state('SENSITIVE'), 'the cut')
    click(browser, 'Go on')
    browser.find('The program has ended; gdb is still there')
    wait_for(lambda: pixels_of(display, browser, browser.diagram, STOP) == 0, 'nothing stands anywhere')
    click(browser, 'End')
    browser.find('Ended', 'label')
    wait_for(lambda: children_of(browser) == [], 'nothing that runs')
    browser.click(browser.place_of_nothing())


def ranks_of(folder, number=2):
    """A run of the example pi by whichever MPI is there; None: none is. The launcher may be root's."""
    os.environ.update({'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'HWLOC_COMPONENTS': '-gl',
                       'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_mpi_yield_when_idle': '1'})
    for mpi in 'openmpi', 'mpich':
        program, launcher = Path(os.environ['LIGHTCONE_EXAMPLES'], 'mpi', 'pi-' + mpi), shutil.which('mpirun.' + mpi)
        if program.exists() and launcher is not None:
            lightcone('record', '--quiet', '-o', folder / 'pi', '--', launcher, '-n', str(number), program,
                      '--packets', '8')
            return folder / 'pi'
    return None


def steps_through_ranks(display, start, folder):
    """ranks of MPI stop before their calls, and go on; gdb is at the rank of the event"""
    trace = ranks_of(folder)
    if trace is None:
        return
    browser = open_trace(display, start, trace)
    select(browser, 'process:"rank 1" recv seq:2')
    begin(browser)
    wait_for_stop(browser, 'Stopped before rank 1: recv 0>1:1 #2')
    wait_for(lambda: pixels_of(display, browser, browser.diagram, STOP) > 60, 'where they stand')
    browser.press('F6')
    wait_for_stop(browser, 'Stopped before rank 1: send 1>0:0 #3')
    browser.press('F6')
    wait_for_stop(browser, 'Stopped before rank 1: recv 0>1:1 #3')
    click(browser, 'Go on')
    browser.find('The program has ended; gdb is still there')
    click(browser, 'End')
    browser.find('Ended', 'label')
    wait_for(lambda: children_of(browser) == [], 'nothing that runs')
    browser.click(browser.place_of_nothing())


def interrupts(display, start, folder):
    """a program that runs is stopped where it is; the window takes all with it that it has started"""
    trace = record(folder, 'contention', '--shape', 'pool', '--work', '1000000', '--rounds', '100')
    browser = open_trace(display, start, trace)
    select(browser, 'wait')
    begin(browser)
    browser.press('F8')
    click(browser, 'Interrupt')
    wait_for(lambda: browser.find('Next event', 'push button').has_state('SENSITIVE'), 'a stop')
    children = children_of(browser)
    equal(len(children), 1, 'what runs')
    browser.click(browser.place_of_nothing())
    browser.close()
    wait_for(lambda: not Path('/proc', children[0]).exists(), 'the end of the replay')


def tells_why_there_is_no_stop(display, start, folder):
    """a program that is no longer there, and gdb that is not installed"""
    program = folder / 'contention'
    shutil.copy(Path(os.environ['LIGHTCONE_EXAMPLES'], 'contention'), program)
    trace = folder / 'trace'
    lightcone('record', '--quiet', '-o', trace, '--', program, '--rounds', '5')
    program.unlink()
    browser = open_trace(display, start, trace)
    select(browser, 'lock')
    browser.press('g', 'Return')
    browser.find(re.compile('^There was no stop: .*contention: cannot be run'), 'label')
    browser.click(browser.place_of_nothing())
    browser.close()
    browser = open_trace(display, start, trace, environment={'PATH': str(folder)})
    select(browser, 'lock')
    browser.press('g')
    browser.find('gdb, which looks into programs, is not installed.')


def tells_what_it_cannot(display, start, folder):
    """a trace that does not say what was run is not run"""
    browser = open_trace(display, start, write(folder, {'a': '0 10 lock m 1\n'}))
    select(browser, 'lock')
    browser.press('g')
    browser.find('This trace does not say what was run.')
    equal(children_of(browser), [], 'what was run')


def turns_a_lock_round(display, start, folder):
    """x runs the program so that the selected event comes first; that run is recorded, and compared with this one"""
    trace = record(folder, 'contention', '--rounds', '20')
    browser = open_trace(display, start, trace)
    event, = ask(trace, 'SELECT p.name AS who, o.name AS object, e.sequence AS number FROM event e '
                        'JOIN process p ON p.id = e.process JOIN object o ON o.id = e.object '
                        'JOIN event f ON f.object = e.object AND f.operation = "lock" AND f.sequence = e.sequence - 1 '
                        'WHERE e.operation = "lock" AND f.process <> e.process ORDER BY number LIMIT 1')
    select(browser, f'process:"{event["who"]}" object:"{event["object"]}" lock seq:{event["number"]}')
    browser.press('x')
    browser.find(re.compile('contention --rounds 20$'), 'label')
    equal(children_of(browser), [], 'what runs before')
    browser.press('Return')
    browser.find('Events in both')
    display.save('debug-turned')
    new, = trace.parent.glob('*-turned-round-1.trace')
    rows = ask(new, 'SELECT p.name AS who FROM event e JOIN process p ON p.id = e.process '
                    'JOIN object o ON o.id = e.object '
                    f'WHERE operation = "lock" AND o.name = "{event["object"]}" AND sequence = {event["number"] - 1}')
    equal(rows, [{'who': event['who']}], 'who had the lock first')


def turns_a_message_round(display, start, folder):
    """x lets a rank of MPI hear of the selected message first; that run is recorded, and compared with this one"""
    trace = ranks_of(folder, 3)
    if trace is None:
        return
    received = ask(trace, 'SELECT peer FROM event WHERE process = 0 AND operation = "recv" ORDER BY ordinal')
    number = next(i for i in range(1, len(received)) if received[i] not in received[:i])
    browser = open_trace(display, start, trace)
    select(browser, f'process:"rank 0" recv object:"{received[number]["peer"]}>0:0" seq:0')
    browser.press('x')
    browser.find(re.compile('pi-'), 'label')
    equal(children_of(browser), [], 'what runs before')
    browser.press('Return')
    browser.find('Events in both')
    new, = trace.parent.glob('*-turned-round-1.trace')
    rows = ask(new, 'SELECT peer FROM event WHERE process = 0 AND operation = "recv" ORDER BY ordinal')
    equal(rows[number - 1], received[number], 'whose message came earlier')


INSIDE = [runs_nothing_without_consent, steps_through_a_program, steps_through_ranks, interrupts,
          tells_why_there_is_no_stop, turns_a_lock_round, turns_a_message_round]

if __name__ == '__main__':
    run([tells_what_it_cannot, breakpoints_are_seen_at_every_zoom, breakpoints_are_kept,
         *(INSIDE if HAVE_TERMINAL and shutil.which('gdb') else []),
         *([] if HAVE_TERMINAL else [runs_in_a_terminal, debugs_in_a_terminal])])
