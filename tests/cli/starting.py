# SPDX-License-Identifier: Apache-2.0
"""Starts lightcone by a copy of it that was linked once, for that takes longer than most of what is tested."""
import array
import atexit
import os
import selectors
import socket
import struct
import subprocess
import time

LIGHTCONE = os.environ['LIGHTCONE']
STARTER = os.environ.get('LIGHTCONE_TEST_STARTER', '')  # the library, if there is one
# What these run may look at all that it is handed on: they are started as a shell does it.
OTHERS = {'record', 'replay', 'profile', 'validate', 'calibrate', 'control', 'cc', 'open'}
OPTIONS = {'capture_output', 'text', 'timeout', 'stdin'}

_channel = _copy = _owner = None


def _start():
    global _channel, _copy, _owner  # one for all tests of this process
    _channel, others = socket.socketpair()
    _owner = os.getpid()
    variables = {
        **os.environ,
        'LIGHTCONE_TEST_CHANNEL': str(others.fileno()),
        'LD_PRELOAD': os.pathsep.join(filter(None, (STARTER, os.environ.get('LD_PRELOAD')))),
        'LD_BIND_NOW': '1',  # once, not in each
        'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0',
    }
    with others:
        _copy = subprocess.Popen([LIGHTCONE], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, cwd='/', pass_fds=[others.fileno()], env=variables)


def _stop():
    """What it has started ends with it."""
    global _channel
    _channel.close()
    _channel = None
    _copy.kill()
    _copy.wait()


@atexit.register
def _end():
    if _channel is not None and _owner == os.getpid():
        _stop()


def _ask(arguments, files):
    mask = os.umask(0)
    os.umask(mask)
    words = [str(mask), str(len(arguments) + 1), LIGHTCONE, *arguments]
    variables = [name + b'=' + value for name, value in os.environb.items()]
    request = b''.join(part + b'\0' for part in [*map(os.fsencode, words), *variables])
    _channel.sendmsg([struct.pack('=I', len(request))],
                     [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', files))])
    _channel.sendall(request)


def _status():
    data = _channel.recv(4, socket.MSG_WAITALL)
    assert len(data) == 4, 'lightcone cannot be started'
    return struct.unpack('=i', data)[0]


def _read_all(pipes, until):
    """What comes of each until its end; None if that is later than a time."""
    found = {pipe: [] for pipe in pipes}
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            left = until - time.monotonic()
            if left <= 0:
                return None
            for key, _ in selector.select(left):
                data = os.read(key.fd, 1 << 16)
                found[key.fd].append(data)
                if not data:
                    selector.unregister(key.fd)
    return [b''.join(parts) for parts in found.values()]


def _collect(arguments, folder, nothing, timeout):
    """What it writes, and its status."""
    output, errors = os.pipe(), os.pipe()
    try:
        _ask(arguments, [folder, nothing, output[1], errors[1]])
        os.close(output[1])
        os.close(errors[1])
        found = _read_all((output[0], errors[0]), time.monotonic() + timeout)
        if found is None:
            raise subprocess.TimeoutExpired([LIGHTCONE, *arguments], timeout)
        return found, _status()
    except BaseException:  # so that nothing is left to be answered
        _stop()
        raise
    finally:
        os.close(output[0])
        os.close(errors[0])


def _run_by_copy(arguments, timeout, text):
    if _channel is None or _owner != os.getpid():
        _start()
    folder, nothing = os.open('.', os.O_PATH | os.O_DIRECTORY), os.open(os.devnull, os.O_RDONLY)
    try:
        found, status = _collect(arguments, folder, nothing, timeout)
    finally:
        os.close(folder)
        os.close(nothing)
    if text:
        found = [part.decode().replace('\r\n', '\n').replace('\r', '\n') for part in found]
    return subprocess.CompletedProcess([LIGHTCONE, *arguments], os.waitstatus_to_exitcode(status), *found)


def run(arguments, **options):
    """As subprocess.run does, of what lightcone is given."""
    words = {os.fsdecode(argument) for argument in arguments}
    simple = STARTER and not words & {*OTHERS, '--'} and set(options) <= OPTIONS
    if simple and options.get('capture_output') and options.get('stdin') in (None, subprocess.DEVNULL):
        return _run_by_copy(arguments, options['timeout'], options.get('text'))
    return subprocess.run([LIGHTCONE, *arguments], **options)
