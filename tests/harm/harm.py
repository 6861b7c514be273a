#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recording harms nobody: each program of a table does the same bare and recorded. harm.py FOLDER [--all] [NAME].

What it prints, its status, the files that it leaves, the descriptors and signals that it has, and what it is killed for
must be the same. --all (or LIGHTCONE_HARM=all) adds what takes long: servers, and more of the kills. Speaks TAP.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

LIGHTCONE = os.environ['LIGHTCONE']

# What whoever runs the tests has told sanitizers is not for the programs here.
for options in ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'TSAN_OPTIONS', 'UBSAN_OPTIONS'):
    os.environ.pop(options, None)

PATIENCE = 120
NOBODY = 65534
RECORD = ('record', '--no-calibrate', '--replace', '-q')
NOT_HERE = 77  # what a program says that cannot do here what it is for


class Skip(Exception):
    """This cannot be tested here."""


class Case:
    def __init__(self, name, command, environment=None, ignore=None, statuses=None):
        self.name = name
        self.command = command  # the first word is a program of ours, or one of the system
        self.environment = environment or {}
        self.ignore = ignore  # what differs each time, in output and files
        self.statuses = statuses  # those that a bare run may have, else 0


# --- The table ------------------------------------------------------------------------------------------------------

DESCRIPTORS = [Case(f'descriptors {mode}', ['descriptors', mode]) for mode in ('numbered', 'close', 'lowest', 'pipes')]

SANDBOXES = [Case(f'sandbox {mode}', ['sandbox', mode])
             for mode in ('strict', 'alone', 'threads', 'making', 'stamps', 'landlock', 'limits')]

STATE = [
    Case('state', ['state', 'an argument'], statuses=[3], ignore=rb'(?<=folder )\S+'),
    Case('state in a sparse environment', ['env', '-i', 'PATH=/bin:/usr/bin', 'A=b', 'PROGRAM:state'], statuses=[3],
         ignore=rb'(?<=folder )\S+|variable (PATH|A)=.*'),
    Case('state with signals blocked', ['python3', '-c', 'import os, signal, sys\n'
                                        'signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGHUP])\n'
                                        'signal.signal(signal.SIGINT, signal.SIG_IGN)\n'
                                        'os.nice(3); os.umask(0o27)\n'
                                        'os.execv(sys.argv[1], sys.argv[1:])', 'PROGRAM:state', 'x'],
         statuses=[3], ignore=rb'(?<=folder )\S+'),
]

# Addresses, numbers of processes and times differ each time, and so does which of two threads comes first: of a
# report, what it says in the end.
REPORT = rb'(?m)^(?!SUMMARY: |.*runtime error: ).*\n|(?<=SUMMARY: ).*(?=data race)'


def sanitized(name, kind, fault, status):
    return Case(f'{name} {kind} {fault or "without a fault"}', [f'sanitized-{name}-{kind}', fault], statuses=[status],
                ignore=REPORT if fault else None)


SANITIZERS = [sanitized(*arguments) for arguments in (
    ('gcc', 'address', '', 0), ('gcc', 'address', 'overflow', 1), ('gcc', 'thread', '', 0),
    ('gcc', 'thread', 'race', 66), ('gcc', 'undefined', '', 0), ('gcc', 'undefined', 'undefined', 0),
    ('clang', 'address', '', 0), ('clang', 'address', 'overflow', 1), ('clang', 'thread', '', 0),
    ('clang', 'thread', 'race', 66), ('clang', 'undefined', '', 0), ('clang', 'undefined', 'undefined', 0))]

ALLOCATORS = [Case('without an allocator', ['allocating'])] + [
    Case(f'with {library}', ['allocating'], environment={'LD_PRELOAD': library})
    for library in ('libjemalloc.so.2', 'libtcmalloc_minimal.so.4', 'libmimalloc.so.2')]

TABLE = DESCRIPTORS + SANDBOXES + STATE + SANITIZERS + ALLOCATORS


# --- Bare and recorded ----------------------------------------------------------------------------------------------

class Place:
    """A folder of its own for each test, and where the programs are."""

    def __init__(self, top, programs):
        self.top = Path(top)
        self.programs = Path(programs).resolve()
        self.number = 0

    def folder(self):
        self.number += 1
        folder = self.top / str(self.number)
        folder.mkdir()
        return folder

    def program(self, name):
        """The path of one of ours, or of the system's."""
        own = self.programs / name
        if own.exists():
            return str(own)
        found = shutil.which(name)
        if found is None:
            raise Skip(f'there is no {name}')
        return found

    def command(self, words):
        return [self.program(words[0]), *[self.program(word[8:]) if word.startswith('PROGRAM:') else word
                                          for word in words[1:]]]


def lightcone(*arguments, **options):
    return subprocess.run([LIGHTCONE, *[str(argument) for argument in arguments]],
                          **{'capture_output': True, 'text': True, 'timeout': PATIENCE, **options})


def info(trace):
    result = lightcone('info', '--json', '--no-merge', trace)
    assert result.returncode == 0, f'info: {result.stderr}'
    return json.loads(result.stdout)


def files_of(folder):
    return {str(path.relative_to(folder)): (stat.S_IMODE(path.lstat().st_mode), path.read_bytes())
            for path in sorted(folder.rglob('*')) if path.is_file()}


def own_lines(errors):
    """Without what the recording command says."""
    return b''.join(line for line in errors.splitlines(keepends=True) if not line.startswith(b'lightcone: '))


def run(case, place, recorded):
    folder = place.folder()
    work = folder / 'work'
    work.mkdir()
    command = place.command(case.command)
    if recorded:
        command = [LIGHTCONE, *RECORD, '-o', str(folder / 'out.trace'), '--', *command]
    environment = {**os.environ, 'LC_ALL': 'C.UTF-8', **case.environment}
    try:
        done = subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise AssertionError(f'{"recorded" if recorded else "bare"}: it does not end') from None
    status = done.returncode if done.returncode <= 128 else 128 - done.returncode  # as a shell tells a signal
    if not recorded and done.returncode == NOT_HERE:
        raise Skip('this system cannot do it')
    found = {'status': status, 'output': done.stdout, 'errors': own_lines(done.stderr), 'files': files_of(work)}
    if case.ignore:
        for key in ('output', 'errors'):
            # How many pieces there are depends on the threads that happen to be there.
            found[key] = re.sub(rb'(?:\.\.\.)+', b'...', re.sub(case.ignore, b'...', found[key]))
    return found, folder / 'out.trace'


def shown(value):
    return repr(value if not isinstance(value, bytes) else value[-1500:].decode(errors='replace'))


def compare(case, place):
    if 'LD_PRELOAD' in case.environment and not any(
            Path(folder, case.environment['LD_PRELOAD']).exists()
            for folder in ('/usr/lib', '/lib', *Path('/usr/lib').glob('*-linux-gnu*'))):
        raise Skip(f'there is no {case.environment["LD_PRELOAD"]}')
    bare, _ = run(case, place, False)
    assert bare['status'] in (case.statuses or [0]), f'bare: {bare}'
    recorded, trace = run(case, place, True)
    for key, value in bare.items():
        if key == 'files':
            sizes = [{name: (mode, len(data)) for name, (mode, data) in files.items()}
                     for files in (value, recorded[key])]
            assert value == recorded[key], f'files: {sizes[0]} bare, {sizes[1]} recorded'
        assert value == recorded[key], f'{key}: {shown(value)} bare, {shown(recorded[key])} recorded'
    info(trace)


# --- Another user ---------------------------------------------------------------------------------------------------

ATTACK = r'''
import os, stat, sys
trace = sys.argv[1]
done = []
def attempt(what, function):
    try:
        function()
        done.append(what)
    except OSError:
        pass
def visit(folder):
    attempt('list ' + folder, lambda: os.listdir(folder))
    attempt('make a file in ' + folder, lambda: os.close(os.open(folder + '/intruder', os.O_CREAT | os.O_WRONLY)))
    attempt('make a link in ' + folder, lambda: os.symlink('/etc/passwd', folder + '/trace.ini.new'))
for folder, folders, names in os.walk(trace) if os.access(trace, os.R_OK) else [(trace, [], [])]:
    visit(folder)
    for name in names:
        path = os.path.join(folder, name)
        attempt('read ' + path, lambda: os.close(os.open(path, os.O_RDONLY)))
        attempt('write ' + path, lambda: os.close(os.open(path, os.O_RDWR)))
        attempt('cut ' + path, lambda: os.truncate(path, 0))
        attempt('chmod ' + path, lambda: os.chmod(path, 0o777))
        attempt('remove ' + path, lambda: os.unlink(path))
for name in ('.control', 'trace.ini', 'heads-0', 'objects-0', 'ctf/metadata', 'ctf/process-0', 'buffers'):
    path = os.path.join(trace, name)
    attempt('open ' + path, lambda: os.close(os.open(path, os.O_RDWR)))
print('\n'.join(done))
'''


def need_root():
    if os.geteuid() != 0:
        raise Skip('only root can become another user')


def as_nobody(*command):
    def leave():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=leave, cwd='/')


def start_counting(place, seconds=20):
    """A recording of a program that runs, in a folder that others can look into."""
    folder = place.folder()
    for path in (place.top, folder):
        path.chmod(0o755)
    recording = subprocess.Popen([LIGHTCONE, *RECORD, '-o', str(folder / 'out.trace'), '--',
                                  place.program('counting'), str(folder / 'counts'), str(seconds)], cwd=folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert recording.stdout.readline() == b'ready\n', recording.communicate()
    return folder, recording


def another_user_can_do_nothing(place):
    need_root()
    os.umask(0)  # whatever the user's is
    try:
        folder, recording = start_counting(place)
        child = child_of(recording.pid)
        during = as_nobody('/usr/bin/python3', '-c', ATTACK, str(folder / 'out.trace'))
        alive = is_there(child)
        recording.terminate()
        recording.communicate(timeout=PATIENCE)
    finally:
        os.umask(0o022)
    assert alive, f'the program was killed by: {during.stdout[:600]}'
    assert (during.returncode, during.stdout.strip()) == (0, ''), \
        f'while it is recorded: {during.stdout[:600]}{during.stderr}'
    after = as_nobody('/usr/bin/python3', '-c', ATTACK, str(folder / 'out.trace'))
    assert (after.returncode, after.stdout.strip()) == (0, ''), f'afterwards: {after.stdout[:600]}{after.stderr}'
    for path in [folder / 'out.trace', *(folder / 'out.trace').rglob('*')]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode & 0o077 == 0, f'{path.name} has the mode {mode:o}'


def links_of_another_user_are_not_followed(place):
    """In a folder for all, somebody has made the links that a recording would write through."""
    need_root()
    folder = place.folder()
    place.top.chmod(0o755)
    folder.chmod(0o1777)
    victim = folder / 'victim'
    victim.mkdir(mode=0o700)
    (victim / 'data').write_text('precious')
    for name, target in {'a.trace': victim, 'b.trace': folder / 'nothing'}.items():
        os.symlink(target, folder / name)
        os.lchown(folder / name, NOBODY, NOBODY)
    for name in ('a.trace', 'b.trace'):
        lightcone(*RECORD, '-o', folder / name, '--', 'true')
        assert sorted(os.listdir(victim)) == ['data'], f'{name}: {os.listdir(victim)} in the folder of the victim'
        assert (victim / 'data').read_text() == 'precious'
        assert stat.S_IMODE(victim.stat().st_mode) == 0o700
        assert not (folder / 'nothing').exists(), f'{name}: something was made through a link'


# --- Kills ----------------------------------------------------------------------------------------------------------

def child_of(pid):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        children = Path(f'/proc/{pid}/task/{pid}/children').read_text(encoding='utf-8').split()
        for child in children:
            try:
                if os.path.basename(os.readlink(f'/proc/{child}/exe')) == 'counting':
                    return int(child)
            except OSError:
                continue  # a child of another kind that has ended
        time.sleep(0.01)
    raise AssertionError('the program has not begun')


def is_there(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as file:
            return file.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False


def wait_for_end(pid):
    end = time.monotonic() + PATIENCE
    while is_there(pid):
        assert time.monotonic() < end, f'{pid} goes on'
        time.sleep(0.002)


def kill_once(place, who, chance):
    folder, recording = start_counting(place)
    program = child_of(recording.pid)
    time.sleep(chance.random() ** 2 * 0.3)
    if who == 'record':
        recording.kill()
        # The program goes on, and ends as it would.
        time.sleep(0.05)
        assert is_there(program), 'the program ended with the recording'
        os.kill(program, signal.SIGKILL)
    elif who == 'program':
        os.kill(program, signal.SIGKILL)
    else:
        for pid in chance.sample([recording.pid, program], 2):
            os.kill(pid, signal.SIGKILL)
    wait_for_end(program)
    recording.communicate(timeout=PATIENCE)
    judge_counts(folder)
    shutil.rmtree(folder)


def counts_of(folder):
    """Pairs that began, and that were over, by thread."""
    data = (folder / 'counts').read_bytes()
    return [(int.from_bytes(data[at:at + 8], 'little'), int.from_bytes(data[at + 8:at + 16], 'little'))
            for at in range(0, len(data), 128)]


def judge_counts(folder):
    """All that was over is there or counted as lost; nothing is there that has not begun."""
    found = info(folder / 'out.trace')
    events = {operation['name']: operation['events'] for operation in found['operation']}
    locks, lost = events.get('lock', 0) + events.get('unlock', 0), found['lost']
    begun = sum(2 * pair[0] for pair in counts_of(folder))
    over = sum(2 * pair[1] for pair in counts_of(folder))
    assert over <= locks + lost <= begun + lost, \
        f'{locks} events and {lost} lost of {over} operations that were over, {begun} that began'
    # Loss is counted to the event: what else there is, four threads' begins and ends, is never lost here.
    assert lost == 0 or locks + lost <= begun + 16, f'{locks} events and {lost} lost of {begun}'
    result = lightcone('check', folder / 'out.trace')
    assert result.returncode in (0, 1), f'check: {result.returncode} {result.stderr}'
    result = lightcone('merge', folder / 'out.trace')
    assert result.returncode == 0, f'merge: {result.stderr}'


def kills(who):
    def test(place):
        chance = random.Random(place.start)
        for i in range((500 if place.all else 20) // 3 + 1):
            try:
                kill_once(place, who, chance)
            except AssertionError as problem:
                raise AssertionError(f'kill {i}: {problem}') from None
    test.__name__ = f'kills of {who}'
    return test


# --- All ------------------------------------------------------------------------------------------------------------

def tests_of(arguments):
    for case in TABLE:
        yield f'{case.name} does the same when it is recorded', lambda place, case=case: compare(case, place)
    for function in (another_user_can_do_nothing, links_of_another_user_are_not_followed):
        yield function.__name__.replace('_', ' '), function
    for who in ('record', 'program', 'both'):
        yield f'a kill of {who} loses nothing that is not counted', kills(who)
    if arguments.all:
        import servers  # only there when all is tested
        for name, function in servers.tests():
            yield f'{name} serves the same when it is recorded', function


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('programs', help='the folder with the programs of this test')
    parser.add_argument('name', nargs='?', default='')
    parser.add_argument('--all', action='store_true', default=os.environ.get('LIGHTCONE_HARM') == 'all')
    parser.add_argument('--start', type=int, default=int(time.time()))
    arguments = parser.parse_args()
    tests = [(name, function) for name, function in tests_of(arguments) if arguments.name in name]
    top = tempfile.mkdtemp(prefix='lightcone-harm-')
    place = Place(top, arguments.programs)
    place.all, place.start = arguments.all, arguments.start
    status = 0
    print(f'1..{len(tests)}\n# --start {arguments.start}', flush=True)
    for number, (name, function) in enumerate(tests, 1):
        try:
            function(place)
            print(f'ok {number} - {name}', flush=True)
        except Skip as reason:
            print(f'ok {number} - {name} # SKIP {reason}', flush=True)
        except Exception as problem:
            text = str(problem) if isinstance(problem, AssertionError) else traceback.format_exc()
            print(f'not ok {number} - {name}')
            print('\n'.join('# ' + line for line in text.splitlines()), flush=True)
            status = 1
    shutil.rmtree(top, ignore_errors=True)
    return status


if __name__ == '__main__':
    sys.exit(main())
