#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What leaves the program: how it is asked for, what is said of it, and pipes between programs."""
import json
import os
import signal
import subprocess

from cli import LIGHTCONE, PATIENCE, contains, equal, eventually, info, lightcone, main, operations, test

MS = 1000000


def holds(condition, what):
    equal(bool(condition), True, what)


def record(*command, options=(), output='out.trace'):
    result = lightcone('record', '-q', '--no-calibrate', '--replace', '-o', output, *options, '--', *command)
    equal((result.returncode, result.stderr), (0, ''), f'{command}')
    return result.stdout


def query(text, trace='out.trace'):
    result = lightcone('sql', trace, text, '--json')
    equal((result.returncode, result.stderr), (0, ''), text)
    return json.loads(result.stdout)


@test
def a_pipeline_is_one_history():
    lines = record('sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do sleep 0.03; echo $i; done | cat')
    equal(lines, ''.join(f'{i}\n' for i in range(1, 9)), 'the output')
    arcs = query("SELECT p.parent, a.from_process, a.to_process, o.name, e.waited FROM arc a JOIN object o ON o.id ="
                 " a.object JOIN event e ON e.process = a.to_process AND e.ordinal = a.to_ordinal JOIN process p ON"
                 " p.id = a.from_process WHERE a.rule = 'pipe-write to pipe-read'")
    equal(len({row['from_process'] for row in arcs}), 1, f'one writes: {arcs}')
    equal(len({row['to_process'] for row in arcs}), 1, f'one reads: {arcs}')
    equal({row['name'].split()[0] for row in arcs}, {'pipe'}, 'the object')
    # Of the first line cat may not have waited yet, and after each it may be late on a busy machine.
    holds(len(arcs) >= 7, f'every line was waited for: {arcs}')
    holds(sum(row['waited'] >= 25 * MS for row in arcs) >= 4, f'as long as the other slept: {arcs}')
    equal(lightcone('check', 'out.trace').returncode, 0, 'nothing is wrong')


def path(trace='out.trace'):
    """The shares of processes in the critical path, in percent."""
    found = json.loads(lightcone('critical-path', trace, '--json').stdout)
    return {row['name']: row['percent'] for row in found['process']}


@test
def a_child_is_waited_for_to_its_end():
    record('sh', '-c', 'sleep 0.2; true')
    (arc,) = query("SELECT p.name, a.to_process, e.waited FROM arc a JOIN process p ON p.id = a.from_process"
                   " JOIN event e ON e.process = a.to_process AND e.ordinal = a.to_ordinal"
                   " WHERE a.rule = 'exit to child-wait'")
    equal((arc['name'], arc['to_process']), ('sleep', 0), 'who has waited for whom')
    holds(arc['waited'] >= 180 * MS, f'it waits: {arc}')
    holds(path()['sleep'] >= 50, f'the path is in the child: {path()}')
    equal(lightcone('check', 'out.trace').returncode, 0, 'nothing is wrong')


CHILDREN = """
import os, sys, time
def start(*times):
    child = os.fork()
    if child == 0:
        for each in times: time.sleep(each)
        sys.exit(0)
    return child
child = start(0.1)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
os.waitpid(child, 0)
child = start(0.1)
os.wait()
child = start(30)
time.sleep(0.05)
os.kill(child, 19)
os.waitpid(child, os.WUNTRACED)
os.kill(child, 9)
os.waitpid(child, 0)
"""


@test
def every_way_to_wait_for_a_child_is():
    """What stops, or is killed while it sleeps, has no end that can be come after."""
    record('python3', '-c', CHILDREN, options=('--io-threshold', '0'))
    children = [row['pid'] for row in query('SELECT pid FROM process WHERE parent = 0 ORDER BY id')]
    waits = query("SELECT e.value, e.n, p.pid, e.waited FROM (SELECT process, ordinal, value, waited, object, (SELECT"
                  " count(*) FROM arc a WHERE a.to_process = process AND a.to_ordinal = ordinal) AS n FROM event WHERE"
                  " operation = 'child-wait' AND process = 0) e LEFT JOIN object o ON o.id = e.object"
                  " LEFT JOIN process p ON p.id = o.process ORDER BY e.ordinal")
    first, second, third = children
    equal([(row['value'], row['n'], row['pid']) for row in waits],
          [(first, 1, first), (first, 1, first), (second, 1, second), (third, 0, None), (third, 0, None)], 'waits')
    holds(waits[0]['waited'] >= 80 * MS and waits[2]['waited'] >= 80 * MS, f'as long as the child slept: {waits}')
    equal(lightcone('check', 'out.trace').returncode, 0, 'nothing is wrong')


@test
def a_childs_end_is_on_the_path_of_who_waits_for_it():
    """In text, the child's name stands for it; a child that was not recorded leaves the wait unseen."""
    trace_of('family', a='0 10 create b\n20 420 child-wait b value=7\n430 730 child-wait value=8\n800 800 exit a\n',
             b='15 16 start b\n400 400 exit b\n')
    (arc,) = query("SELECT rule, from_process, from_time, to_process, to_time FROM arc WHERE rule LIKE '%child%'",
                   'family')
    equal(list(arc.values()), ['exit to child-wait', 1, 400, 0, 420])
    found = json.loads(lightcone('critical-path', 'family', '--json').stdout)
    equal([(row['name'], row['time']) for row in found['process']], [('a', 400), ('b', 400)])
    equal(found['unseen'], 300, 'the child that was not recorded')
    equal(lightcone('check', 'family').returncode, 0, 'nothing is wrong')


@test
def who_sleeps_is_not_unseen():
    record('sleep', '0.2')
    (process,) = info()['process']
    holds(process['blocked'] >= 190 * MS, f'the kernel knows of it: {process}')
    holds(process['unseen'] <= process['blocked'] / 20, f'and so do we: {process}')
    (event,) = query("SELECT \"end\" - begin AS length, object FROM event WHERE operation = 'sleep'")
    holds(200 * MS <= event['length'] <= 5000 * MS, f'as long as it slept: {event}')
    equal(event['object'], None, 'a sleep waits for no object')


@test
def what_is_waited_for_has_a_name():
    program = ("import os, select, socket, tempfile\n"
               "one, two = socket.socketpair()\n"
               "select.select([one], [], [], 0.02)\n"
               "poll = select.poll()\n"
               "poll.register(one, select.POLLIN)\n"
               "poll.register(two, select.POLLIN)\n"
               "poll.poll(20)\n"
               "server = socket.create_server(('127.0.0.1', 0)); server.settimeout(0.02)\n"
               "try: server.accept()\n"
               "except TimeoutError: pass\n"
               "with open('synced', 'w') as file: file.write('x'); file.flush(); os.fsync(file.fileno())\n")
    record('python3', '-c', program, options=('--io-threshold', '0'))
    names = {(row['operation'], row['name']) for row in
             query('SELECT DISTINCT e.operation, o.name FROM event e JOIN object o ON o.id = e.object')}
    holds(('poll', '2 files') in names, f'{names}')
    holds(any(name.startswith('socket 127.0.0.1:') for operation, name in names if operation == 'poll'), f'{names}')
    holds(any(name.endswith('/synced') for operation, name in names if operation == 'file-sync'), f'{names}')


@test
def what_was_short_is_asked_for():
    command = ('dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', 'count=1000', 'status=none')
    record(*command, options=('--io-threshold', '0'))
    holds(operations()['read'] >= 1000 and operations()['write'] >= 1000, f'all: {operations()}')
    record(*command, options=('--io-threshold', '5ms'))
    holds(operations().get('read', 0) < 10, f'the long ones: {operations()}')
    for options in ('--no-io',), ('--events', '-io'), ('--events', 'mutex'):
        record('sleep', '0.05', options=options)
        equal(operations().get('sleep'), None, f'{options}')
    record('sleep', '0.05', options=('--events', 'io'))
    equal(operations().get('sleep'), 1, 'io alone')


@test
def a_pipe_is_known_while_the_recording_goes_on():
    """Its record is in a file only when the recording is over."""
    script = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
    with subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '--io-threshold', '0', '-o', 'live.trace', '--',
                           'sh', '-c', f'python3 -c "{script}" | cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as running:
        for line in ('one\n', 'two\n'):
            running.stdin.write(line)
            running.stdin.flush()
            equal(running.stdout.readline(), line, 'the pipeline goes on')
        problems = json.loads(lightcone('check', 'live.trace', '--json').stdout)['problem']
        names = query("SELECT DISTINCT o.name FROM event e JOIN object o ON o.id = e.object WHERE e.operation IN"
                      " ('pipe-write', 'pipe-read')", 'live.trace')
        running.stdin.close()
        equal(running.wait(timeout=PATIENCE), 0, 'the recording')
    equal([row for row in problems if 'object' in row['name']], [], 'no event uses an unknown object')
    holds(any(row['name'].startswith('pipe ') for row in names), f'the pipe has its name: {names}')


def trace_of(name, **processes):
    os.makedirs(name)
    for process, lines in processes.items():
        with open(f'{name}/{process}.events', 'w', encoding='utf-8') as file:
            file.write('%lightcone-events 1\n' + lines)


@test
def a_signal_comes_before_the_end_of_its_wait():
    """From the begin of the call that sends it, which may be over later; whose sender is not known waits for nobody."""
    trace_of('told', a='100 150 signal-send SIGUSR1 1 value=7\n400 400 signal-send SIGUSR1 2 value=7\n',
             b='5 120 signal-receive SIGUSR1 1 value=10\n130 420 signal-wait SIGUSR1 - value=10 unknown=1\n'
               '440 700 signal-wait\n')
    (arc,) = query('SELECT rule, from_process, from_ordinal, from_time, to_process, to_ordinal, to_time FROM arc',
                   'told')
    equal(list(arc.values()), ['signal-send to signal-receive', 0, 0, 100, 1, 0, 120])
    equal(lightcone('check', 'told').returncode, 0, 'nothing is wrong')
    waits = query("SELECT operation, waited FROM event WHERE process = 1", 'told')
    equal([row['waited'] for row in waits], [95, 0, 0])
    trace_of('nobody', a='0 10 signal-send SIGUSR1 1 value=7\n', b='5 120 signal-receive SIGUSR1 3 value=10\n')
    holds(lightcone('check', 'nobody').returncode != 0, 'its sender is missing')


SENDER = """
import os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
child = os.fork()
if child == 0:
    signal.sigwait([signal.SIGUSR1])
    os._exit(0)
until = time.monotonic() + 0.2
while time.monotonic() < until: pass
os.kill(child, signal.SIGUSR1)
os.waitpid(child, 0)
"""


@test
def who_waits_for_a_signal_waits_for_its_sender():
    record('python3', '-c', SENDER)
    arcs = query("SELECT o.name, a.from_process, p.parent, e.waited, e.value FROM arc a JOIN object o ON"
                 " o.id = a.object JOIN event e ON e.process = a.to_process AND e.ordinal = a.to_ordinal JOIN process p"
                 " ON p.id = a.to_process WHERE a.rule = 'signal-send to signal-receive'")
    equal([(row['name'], row['from_process'], row['value']) for row in arcs],
          [('SIGUSR1', row['parent'], int(signal.SIGUSR1)) for row in arcs[:1]], f'{arcs}')
    holds(arcs[0]['waited'] >= 100 * MS, f'as long as the other was busy: {arcs}')
    equal(lightcone('check', 'out.trace').returncode, 0, 'nothing is wrong')
    path = json.loads(lightcone('critical-path', 'out.trace', '--json').stdout)
    holds(path['unseen'] < path['length'] / 4, f'the path goes through the work of the sender: {path["unseen"]}')


@test
def wrong_times_are_refused():
    for value in '', '10', 'us', '1h', '-1us':
        result = lightcone('record', f'--io-threshold={value}', '-o', 'none.trace', '--', 'true')
        equal(result.returncode, 2, value)
        contains(result.stderr, '--io-threshold')
    result = lightcone('record', '--io-threshold', '1ms', '--no-io', '-o', 'none.trace', '--', 'true')
    equal(result.returncode, 2, 'both')
    contains(result.stderr, '--no-io')


@test
def who_is_killed_was_sleeping():
    running = subprocess.Popen([LIGHTCONE, 'record', '-q', '--no-calibrate', '-o', 'killed.trace', '--', 'sh', '-c',
                                'echo $$; exec sleep 60'], stdout=subprocess.PIPE, text=True)
    child = int(running.stdout.readline())

    def sleeps():
        with open(f'/proc/{child}/cmdline', encoding='utf-8') as file:
            if not file.read().startswith('sleep'):
                return False
        with open(f'/proc/{child}/wchan', encoding='utf-8') as file:
            return 'nanosleep' in file.read()
    eventually(sleeps, 'the child sleeps')
    subprocess.run(['kill', f'-{int(signal.SIGKILL)}', str(child)], check=True)
    running.wait(timeout=PATIENCE)
    pending = json.loads(lightcone('check', 'killed.trace', '--json').stdout)['pending']
    equal([row['operation'] for row in pending], ['sleep'], f'{pending}')
    # It was outside from then on to its end.
    (spans,) = json.loads(lightcone('sql', 'killed.trace', '--json', """
        SELECT sum(CASE WHEN s.state = 'outside' THEN s."end" - s.begin END) AS outside,
        min(p."end" - p.pending_begin) AS long FROM process p JOIN state s ON s.process = p.id
        WHERE p.pending_operation = 'sleep' AND s.begin >= p.pending_begin""").stdout)
    equal(spans['outside'], spans['long'])
    equal(spans['long'] > 0, True, spans)


main()
