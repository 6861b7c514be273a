# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: they run lightcone in a folder of their own, and speak TAP."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import starting

os.environ['LC_ALL'] = 'C.UTF-8'
LIGHTCONE = os.environ['LIGHTCONE']
PROGRAMS = os.environ['LIGHTCONE_TEST_PROGRAMS']  # the folder of what is recorded here
# How long what does not hang may take, in seconds. A machine that has other things to do may be many times slower.
PATIENCE = 60 * int(os.environ.get('LIGHTCONE_TEST_PATIENCE', '1'))

_tests = []


class Skip(Exception):
    """This cannot be tested here."""


class TooLong(Exception):
    """A test goes on for ever. Not a TimeoutError, which whoever expects an OSError would catch."""


def test(function):
    """Registers a test; its name is the claim it checks."""
    _tests.append(function)
    return function


def equal(found, expected, what=''):
    assert found == expected, f'{what} is {found!r}, not {expected!r}'


def contains(text, part):
    assert part in text, f'{part!r} is not in {text!r}'


def program(name):
    return os.path.join(PROGRAMS, name)


def lightcone(*arguments, **options):
    """Runs lightcone to its end; text in and out."""
    options = {'capture_output': True, 'text': True, 'timeout': PATIENCE, **options}
    return starting.run(arguments, **options)


# Whether a call that leaves the program is an event depends on how long it took: the subtests that count events have
# none of them. tests/cli/leaves.py is about those.
COUNTED = ('--no-calibrate', '--no-io')


def record(*command, options=(), output='out.trace', **more):
    return lightcone('record', *COUNTED, '--replace', '-o', output, *options, '--', *command, **more)


def start(*command, options=(), output='out.trace', **more):
    """Starts a recording whose program talks to us by a pipe."""
    return subprocess.Popen([LIGHTCONE, 'record', *COUNTED, '-o', output, *options, '--', *command],
                            **{'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE,
                               'text': True, **more})


def info(trace='out.trace'):
    result = lightcone('info', '--json', trace)
    equal(result.returncode, 0, f'the status of info ({result.stderr})')
    return json.loads(result.stdout)


def operations(trace='out.trace'):
    """How many events of each operation."""
    return {operation['name']: operation['events'] for operation in info(trace)['operation']}


def eventually(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f'{what}: did not happen'
        time.sleep(0.01)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f'/proc/{pid}/stat', encoding='utf-8') as stat:
        return stat.read().rsplit(')', 1)[1].split()[0] != 'Z'


def child_of(pid):
    """The first child that a process has."""
    found = []

    def look():
        with open(f'/proc/{pid}/task/{pid}/children', encoding='utf-8') as children:
            found[:] = [int(number) for number in children.read().split()]
        return found
    eventually(look, f'a child of {pid}')
    return found[0]


def _run(function, folder):
    def give_up(number, frame):
        raise TooLong

    os.makedirs(folder)
    os.chdir(folder)
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(2 * PATIENCE)
    try:
        function()
    finally:
        signal.alarm(0)


def _try(function, folder, label):
    """Runs a test and says what has become of it; returns whether that is good."""
    try:
        _run(function, folder)
        print(f'ok {label}', flush=True)
    except Skip as reason:
        print(f'ok {label} # SKIP {reason}', flush=True)
    except Exception:
        print(f'not ok {label}')
        print('\n'.join('# ' + text for text in traceback.format_exc().splitlines()), flush=True)
        return False
    return True


def _try_beside(function, folder, label):
    """The same in a process of its own, which leaves what it says beside the folder."""
    sys.stdout.flush()
    pid = os.fork()
    if pid != 0:
        return pid
    status = 1
    try:
        os.dup2(os.open(folder + '.said', os.O_WRONLY | os.O_CREAT, 0o600), sys.stdout.fileno())
        status = 0 if _try(function, folder, label) else 1
    finally:
        os._exit(status)


def _try_all(jobs, at_once):
    """So many tests at once; what they say is printed in their order."""
    running, ended, status = {}, set(), 0
    left = list(enumerate(jobs))
    told = 0
    while left or running:
        while left and len(running) < at_once:
            number, job = left.pop(0)
            running[_try_beside(*job)] = number
        pid, result = os.wait()
        status |= result != 0
        ended.add(running.pop(pid))
        while told in ended:
            with open(jobs[told][1] + '.said', encoding='utf-8') as said:
                print(said.read(), end='', flush=True)
            told += 1
    return status


def main(at_once=1):
    """Runs all tests, or those whose names hold the first argument. More than one at once: they mostly wait."""
    tests = [test for test in _tests if ' '.join(sys.argv[1:]) in test.__name__.replace('_', ' ')]
    top = tempfile.mkdtemp(prefix='lightcone-test-')
    os.environ['XDG_CACHE_HOME'] = os.path.join(top, 'cache')
    print(f'1..{len(tests)}', flush=True)
    jobs = [(function, os.path.join(top, str(number)), f'{number} - ' + function.__name__.replace('_', ' '))
            for number, function in enumerate(tests, 1)]
    status = not all([_try(*job) for job in jobs]) if at_once == 1 else _try_all(jobs, at_once)
    os.chdir('/')
    shutil.rmtree(top, ignore_errors=True)
    sys.exit(int(status))
