#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that nobody here wrote do the same when they are recorded, and what is recorded fits together."""
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../record'))

from cli import LIGHTCONE, Skip, equal, eventually, lightcone, main, program, test  # noqa: E402
from verify import Trace  # noqa: E402

PATIENCE = 300


def data(name='data', size=6 << 20):
    """Something to compress: neither noise nor all the same, and the same in each run."""
    if not os.path.exists(name):
        state, words = 12345, []
        for _ in range(4096):
            state = (state * 1103515245 + 12345) % (1 << 31)
            words.append(b'%d-%x ' % (state % 9973, state))
        with open(name, 'wb') as file:
            written = 0
            while written < size:
                state = (state * 1103515245 + 12345) % (1 << 31)
                block = b''.join(words[(state + i * i) % 4096] for i in range(1000)) + b'\n'
                file.write(block)
                written += len(block)
    return name


def fits(trace):
    """The trace is whole, by our own reading, by check's and by babeltrace2's, and merges."""
    equal(Trace(trace).verify(), [], 'what does not fit')
    result = lightcone('check', trace, timeout=PATIENCE)
    equal((result.returncode, result.stderr), (0, ''), result.stdout)
    found = json.loads(lightcone('info', '--json', trace).stdout)
    equal(found['lost'], 0, 'lost')
    merged = lightcone('merge', '--json', trace, timeout=PATIENCE)
    equal((merged.returncode, merged.stderr), (0, ''), merged.stdout)
    merged = json.loads(merged.stdout)
    equal((merged['events'], merged['problems']), (found['events'], 0), 'merged')
    if shutil.which('babeltrace2') and found['events'] < 200000:
        read = subprocess.run(['babeltrace2', trace], capture_output=True, text=True, timeout=PATIENCE)
        # An exit may be told by the account of the process, which only we read.
        lines = [line for line in read.stdout.splitlines() if ' exit: ' not in line]
        exits = sum(operation['events'] for operation in found['operation'] if operation['name'] == 'exit')
        equal((read.stderr, len(lines)), ('', found['events'] - exits), 'what babeltrace2 reads')
    return found


def same(*command, threads=2, status=0):
    """Runs it with and without being recorded."""
    if not shutil.which(command[0]):
        raise Skip(f'there is no {command[0]}')
    bare = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    recorded = subprocess.run([LIGHTCONE, 'record', '--no-calibrate', '--replace', '-q', '-o', 'out.trace', '--',
                               *command], capture_output=True, timeout=PATIENCE)
    equal(bare.returncode, status, f'the bare status ({bare.stderr})')
    equal(recorded.returncode, bare.returncode, f'the status ({recorded.stderr})')
    assert recorded.stdout == bare.stdout, 'the output is not the same'
    found = fits('out.trace')
    assert found['processes'] >= threads, f"only {found['processes']} processes"
    return found


@test
def pigz():
    same('pigz', '-n', '-c', '-p', '4', data(), threads=5)


@test
def pbzip2():
    same('pbzip2', '-c', '-k', '-p4', data(), threads=5)


@test
def lbzip2():
    same('lbzip2', '-c', '-k', '-n', '4', data(), threads=5)


@test
def zstd():
    same('zstd', '-q', '-c', '-T4', data(), threads=4)


@test
def xz():
    same('xz', '-c', '-1', '-T4', '--block-size=1MiB', data(), threads=5)


@test
def sort():
    # It takes threads for many lines only.
    with open('lines', 'w') as file:
        file.writelines('%d\n' % (i * 7919 % 1000003) for i in range(400000))
    same('sort', '--parallel=4', '-S', '50M', 'lines')


@test
def x264():
    width, height = 176, 144
    with open('in.y4m', 'wb') as file:
        file.write(b'YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n' % (width, height))
        for frame in range(20):
            file.write(b'FRAME\n' + bytes((x + y * frame) % 251 for y in range(height) for x in range(width)) +
                       b'\x80' * (width * height // 2))
    same('x264', '--quiet', '--threads', '4', '--no-progress', '-o', '-', '--demuxer', 'y4m', '--muxer', 'raw',
         'in.y4m', threads=4)


@test
def python_threads():
    same('python3', '-c', 'import threading, queue\n'
         'q = queue.Queue(); r = []\n'
         'ts = [threading.Thread(target=lambda: r.append(sum(iter(q.get, None)))) for _ in range(4)]\n'
         '[t.start() for t in ts]; [q.put(i) for i in range(1000)]; [q.put(None) for _ in ts]; [t.join() for t in ts]\n'
         'print(sum(r))', threads=5)


@test
def openmp():
    if not os.path.exists(program('openmp')):
        raise Skip('it was not built')
    same(program('openmp'), threads=4)


@test
def standard_threads_of_cplusplus():
    if not os.path.exists(program('standard-threads')):
        raise Skip('it was not built')
    found = same(program('standard-threads'), threads=5)
    counts = {operation['name']: operation['events'] for operation in found['operation']}
    assert counts['write-start'] == 500 and counts['condition-wait'] > 0, counts


@test
def two_thousand_threads():
    found = same(program('many'), threads=2001)
    counts = {operation['name']: operation['events'] for operation in found['operation']}
    equal((counts['barrier'], counts['lock'], counts['join']), (2000, 2000, 2000))


def talk(port, client):
    with socket.create_connection(('127.0.0.1', port), timeout=30) as connection:
        file = connection.makefile('rwb')
        for i in range(200):
            value = b'%d-%d' % (client, i)
            file.write(b'set key-%d-%d 0 0 %d\r\n%s\r\n' % (client, i, len(value), value))
            file.flush()
            equal(file.readline(), b'STORED\r\n')
            file.write(b'get key-%d-%d\r\n' % (client, i))
            file.flush()
            equal([file.readline() for _ in range(3)][1], value + b'\r\n')


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def answers(port):
    try:
        socket.create_connection(('127.0.0.1', port), timeout=1).close()
        return True
    except OSError:
        return False


@test
def memcached_under_load():
    if not shutil.which('memcached'):
        raise Skip('there is no memcached')
    for folder in '.', '..':
        os.chmod(folder, 0o755)  # the user that it goes on as must be able to get here
    port = free_port()
    user = ['-u', 'nobody'] if os.geteuid() == 0 else []
    server = subprocess.Popen([LIGHTCONE, 'record', '--no-calibrate', '-q', '-o', 'served.trace', '--', 'memcached',
                               *user, '-l', '127.0.0.1', '-p', str(port), '-U', '0', '-t', '4'])
    failures = []

    def client(number):
        try:
            talk(port, number)
        except Exception as failure:  # told below, in the test's own thread
            failures.append(failure)

    try:
        eventually(lambda: answers(port), 'memcached')
        clients = [threading.Thread(target=client, args=(number,)) for number in range(6)]
        for each in clients:
            each.start()
        for each in clients:
            each.join()
        equal(failures, [])
    finally:
        server.terminate()
        status = server.wait(timeout=60)
    assert status in (0, -15), f'the status is {status}'
    found = fits('served.trace')
    assert found['processes'] >= 5 and found['events'] > 1000, found['events']


@test
def a_program_that_is_killed():
    if not shutil.which('pbzip2'):
        raise Skip('there is no pbzip2')
    for wait in (0.15, 0.3, 0.45):
        running = subprocess.Popen([LIGHTCONE, 'record', '--no-calibrate', '--replace', '-q', '-o', 'killed.trace',
                                    '--', 'pbzip2', '-c', '-k', '-p4', data('more', 40 << 20)],
                                   stdout=subprocess.DEVNULL)
        time.sleep(wait)
        children = subprocess.run(['pgrep', '-P', str(running.pid), 'pbzip2'], capture_output=True, text=True)
        for child in children.stdout.split():
            os.kill(int(child), 9)
        equal(running.wait(timeout=60) in (-9, 0), True, 'the status')
        equal(Trace('killed.trace').verify(), [], 'what does not fit')


main()
