#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the program inherits, and what reaches its standard streams."""
import os
import re
import signal
import subprocess

from cli import LIGHTCONE, equal, lightcone, main, record, test

# What a program can see of how it was started, but for what differs from one start to the next.
LOOK = """
grep -E '^(Sig|Shd|Groups|Uid|Gid|Umask|NoNewPrivs|Seccomp|Cpus_allowed_list|CoreDumping)' /proc/self/status |
  grep -v '^SigQ'
ulimit -a; nice; umask; pwd; cat /proc/$$/oom_score_adj /proc/$$/timerslack_ns
"""


def run(recorded, *command, **options):
    """What a program prints, run by lightcone or directly."""
    if recorded:
        command = [LIGHTCONE, 'record', '--no-calibrate', '-o', 'seen.trace', '--replace', '--', *command]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=True, **options).stdout


def descriptors(recorded, **options):
    listing = run(recorded, 'ls', '-l', '/proc/self/fd', **options)
    listing = re.sub(r'/proc/\d+/fd', 'this folder', listing)
    return re.findall(r'\d+ -> [^:\n]+', listing)


def same(**options):
    direct, recorded = (run(way, 'sh', '-c', LOOK, **options).splitlines() for way in (False, True))
    for line in zip(direct, recorded):
        equal(line[1], line[0])
    equal(len(recorded), len(direct), 'the number of lines')
    equal(descriptors(True, **options), descriptors(False, **options), 'the descriptors')


@test
def streams_are_bit_identical():
    data = os.urandom(1 << 20)
    result = record('cat', input=data, text=False)
    equal(result.stdout == data, True, 'the same bytes')
    result = record('sh', '-c', 'cat >&2', input=b'to\0stderr\n', text=False)
    equal(result.stderr.startswith(b'to\0stderr\nlightcone: out.trace: '), True, result.stderr)


@test
def a_program_inherits_what_lightcone_did():
    same()


@test
def blocked_and_ignored_signals_are_inherited():
    def prepare():
        signal.pthread_sigmask(signal.SIG_SETMASK, [signal.SIGUSR1, signal.SIGRTMIN])
        for number in (signal.SIGHUP, signal.SIGCHLD, signal.SIGTSTP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
    same(preexec_fn=prepare)


@test
def niceness_and_mode_mask_are_inherited():
    def prepare():
        os.nice(3)
        os.umask(0o27)
    same(preexec_fn=prepare)


@test
def closed_streams_stay_closed():
    same(preexec_fn=lambda: os.close(0))
    result = record('sh', '-c', 'test ! -e /proc/$$/fd/0 && test ! -e /proc/$$/fd/2', stdin=None,
                    capture_output=False, preexec_fn=lambda: (os.close(0), os.close(2)))
    equal(result.returncode, 0, 'the status')


@test
def other_descriptors_are_inherited():
    read, write = os.pipe()
    result = record('sh', '-c', f'echo hello >&{write}', pass_fds=[write])
    os.close(write)
    equal((result.returncode, os.read(read, 100)), (0, b'hello\n'))
    os.close(read)


@test
def nobody_holds_a_pipe_that_the_program_has_closed():
    read, write = os.pipe()
    go_read, go_write = os.pipe()
    # It would wait for ever if lightcone kept the pipes open.
    command = f'exec >&- {write}>&-; read line <&{go_read}'
    process = subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '-o', 'out.trace', '--',
                                'bash', '-c', command], stdout=subprocess.PIPE, pass_fds=[write, go_read])
    os.close(write)
    equal(os.read(read, 1), b'', 'the end of the other pipe')
    equal(process.stdout.read(), b'', 'the end of stdout')
    os.write(go_write, b'\n')
    equal(process.wait(), 0, 'the status')


@test
def the_environment_is_inherited_with_three_additions():
    def environment(text):
        return dict(entry.split('=', 1) for entry in text.split('\0') if entry)

    result = record('cat', '/proc/self/environ', output='folder.trace')
    seen = environment(result.stdout)
    library = seen.pop('LIGHTCONE_PRELOAD')
    equal(os.path.isabs(library) and os.path.isfile(library), True, library)
    equal(seen.pop('LIGHTCONE_TRACE'), os.path.realpath('folder.trace'))
    before = dict(os.environ)
    others = before.pop('LD_PRELOAD', '')
    equal(seen.pop('LD_PRELOAD'), library + (':' + others if others else ''))
    equal(seen, before, 'the environment')


@test
def what_was_preloaded_before_is_still():
    # ASan wants to be the first library, of lightcone too.
    options = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0'
    result = record('sh', '-c', 'echo $LD_PRELOAD',
                    env={**os.environ, 'LD_PRELOAD': 'libm.so.6', 'ASAN_OPTIONS': options})
    equal(result.stdout.rstrip().endswith('liblightcone-record.so:libm.so.6'), True, result.stdout)


@test
def a_recorder_that_is_missing_is_named():
    result = record('true', env={**os.environ, 'LIGHTCONE_RECORD_LIBRARY': '/nowhere/recorder.so'})
    equal((result.returncode, os.listdir('.')), (2, []))
    equal(result.stderr.startswith('lightcone: /nowhere/recorder.so: the recorder is not there'), True, result.stderr)
    result = lightcone('record', '--', 'true', env={**os.environ, 'LIGHTCONE_RECORD_LIBRARY': LIGHTCONE + ' $x'})
    equal(result.returncode, 2, 'the status')


main()
