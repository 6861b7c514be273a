#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are run again in the recorded order: what they print is the same, or it is said where they differ."""
import grp
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from cli import LIGHTCONE, PATIENCE, Skip, contains, equal, lightcone, main, program, record, test

KINDS = ['mutex', 'recursive', 'attempts', 'timed', 'rwlock', 'condition', 'timed-condition', 'semaphore', 'spin',
         'barrier', 'c11', 'makers', 'cancel']
LOCK = 1


def replay(*arguments, differ='', **options):
    """With `differ` the program does something else than it did when it was recorded."""
    here = ['--no-environment'] if differ else []
    return lightcone('replay', *here, *arguments, env={**os.environ, 'DIFFER': differ}, **options)


def record_differ():
    equal(record(program('replay-differ')).returncode, 0, 'recording')


def differs(what, *parts):
    record_differ()
    result = replay('out.trace', differ=what)
    equal(result.returncode, 1, f'the status of another {what}')
    for part in parts:
        contains(result.stderr, part)
    return result


@test
def each_kind_of_object_is_used_in_the_recorded_order():
    for kind in KINDS:
        recorded = record(program('replay-order'), kind)
        equal(recorded.returncode, 0, f'recording {kind}')
        result = replay('out.trace', '--times=2')
        equal((kind, result.returncode, result.stderr if result.returncode else ''), (kind, 0, ''), 'replay')
        equal((kind, result.stdout), (kind, recorded.stdout * 2), 'what it prints')


@test
def crews_of_the_program_are_used_in_the_recorded_order():
    recorded = record(program('replay-crew'))
    equal(recorded.returncode, 0, 'recording')
    result = replay('out.trace', '--times=5')
    equal((result.returncode, result.stdout), (0, recorded.stdout * 5), f'a replay, which says {result.stderr}')


@test
def other_objects_of_the_program_are_used_in_the_recorded_order():
    for kind in ('semaphores', 'barriers', 'channel'):
        recorded = record(program('replay-own'), kind)
        equal(recorded.returncode, 0, f'recording {kind}')
        result = replay('out.trace', '--times=3')
        equal((kind, result.returncode, result.stdout), (kind, 0, recorded.stdout * 3),
              f'a replay, which says {result.stderr}')
        equal('no turns' in result.stderr, False, 'whether something has no turns')


@test
def waits_that_look_at_the_clock_end_as_they_did():
    recorded = record(program('replay-clock'))
    equal(recorded.returncode, 0, 'recording')
    result = replay('out.trace', '--times=5')
    equal((result.returncode, result.stdout), (0, recorded.stdout * 5), f'a replay, which says {result.stderr}')


@test
def bare_runs_print_something_else():
    recorded = record(program('replay-order'), 'mutex').stdout
    printed = {recorded}
    deadline = time.monotonic() + PATIENCE
    while len(printed) == 1 and time.monotonic() < deadline:
        printed.add(subprocess.run([program('replay-order'), 'mutex'], capture_output=True, text=True,
                                   timeout=PATIENCE, check=True).stdout)
    assert len(printed) > 1, 'the order never matters'
    equal(replay('-q', 'out.trace').stdout, recorded, 'the replay')


@test
def the_end_is_told():
    record_differ()
    result = replay('out.trace')
    equal((result.returncode, result.stdout), (0, 'end\n'), 'a replay')
    contains(result.stderr, '2 processes came to the end of their histories: 10 events')
    equal(replay('-q', 'out.trace').stderr, '', 'a quiet one')
    result = replay('out.trace', '--times', '3')
    contains(result.stderr, '3 of 3 runs came to the end; 0 differed, 0 had no way on, 0 ended early')
    equal(result.stdout, 'end\n' * 3, 'three runs')


@test
def it_is_told_whether_the_program_ended_as_it_had():
    ends = {'': 'with exit status 0', 'status': 'with exit status 7', 'abort': 'by SIGABRT'}
    codes = {'': 0, 'status': 7, 'abort': -signal.SIGABRT}
    for then, how in ends.items():
        recorded = record(program('replay-differ'), env={**os.environ, 'DIFFER': then})
        equal((then, recorded.returncode), (then, codes[then]), 'recording')
        for options in [], ['-q'], ['--times=2'], ['-o', 'new.trace', '--record-option=--no-calibrate']:
            shutil.rmtree('new.trace', ignore_errors=True)
            result = replay('out.trace', *options)
            equal((then, result.returncode), (then, 0), f'again with {options}, which says {result.stderr}')
            equal(f'the program ended {how} again' in result.stderr, then != '' and options[:1] in ([], ['-o']),
                  f'what is told of {then} with {options}: {result.stderr}')
            equal(f'2 of 2 runs ended {how}, as the recorded run did' in result.stderr,
                  then != '' and options == ['--times=2'], f'what is told of two {then}: {result.stderr}')
        for now in set(ends) - {then}:
            result = lightcone('replay', '--no-environment', 'out.trace', '-q', env={**os.environ, 'DIFFER': now})
            equal((then, now, result.returncode), (then, now, 1), f'another end, with {result.stderr}')
            contains(result.stderr, f'the recorded run ended {how}, this one {ends[now]}\n')
            result = lightcone('replay', '--no-environment', 'out.trace', '--times=2',
                               env={**os.environ, 'DIFFER': now})
            equal((then, now, result.returncode), (then, now, 1), f'two other ends, with {result.stderr}')
            contains(result.stderr, f'0 of 2 runs ended {how}, as the recorded run did; the others: 2 {ends[now]}\n')
    settings = Path('out.trace/trace.ini')
    settings.write_text(settings.read_text(encoding='utf-8').replace('status=signal 6\n', ''), encoding='utf-8')
    result = replay('out.trace')
    equal(result.returncode, 0, f'without a recorded end, with {result.stderr}')
    contains(result.stderr, 'the program ended by SIGABRT; how the recorded run ended is not known')
    contains(replay('out.trace', '--times=2').stderr,
             'how the recorded run ended is not known; these ended: 2 by SIGABRT')


@test
def another_end_is_told_of_a_recorded_replay():
    record_differ()
    result = replay('out.trace', '-o', 'new.trace', '--record-option=--no-calibrate', differ='status')
    equal(result.returncode, 1, f'another end, recorded, with {result.stderr}')
    contains(result.stderr, 'new.trace: has the same 10 events, one by one')


@test
def a_program_that_others_become_is_steered():
    """They execute it in their own process, one after the other."""
    order = [program('replay-order'), 'mutex']
    for command in (['sh', '-c', 'exec ' + ' '.join(order)], ['env', 'X=1', *order], ['nice', 'env', 'X=1', *order]):
        recorded = record(*command)
        equal(recorded.returncode, 0, f'recording {command}')
        result = replay('out.trace', '--times=3')
        equal((result.returncode, result.stdout), (0, recorded.stdout * 3), f'{command}, which says {result.stderr}')
        equal('nothing was steered' in result.stderr, False, f'of {command}')
        shutil.rmtree('out.trace')


@test
def that_nothing_was_steered_is_told():
    """A script that starts the real program has no events of its own; nor has a program that does not synchronise."""
    with open('shim', 'w', encoding='utf-8') as shim:
        shim.write(f'#!/bin/sh\n{program("replay-order")} mutex\ntrue\n')
    os.chmod('shim', 0o755)
    for command, elsewhere in ((['./shim'], True), (['true'], False)):
        equal(record(*command).returncode, 0, f'recording {command}')
        for options in ([], ['-q'], ['--times', '2']):
            result = replay('out.trace', *options)
            equal(result.returncode, 0, f'status of {command} {options}')
            contains(result.stderr, 'nothing was steered: the program that was started has no event with a turn')
            equal('record that one by itself' in result.stderr, elsewhere, f'advice of {command} {options}')
            equal(' 0 events' in result.stderr, False, f'whether {command} {options} tells of an end of 0 events')
        shutil.rmtree('out.trace')
    record_differ()
    equal('nothing was steered' in replay('out.trace').stderr, False, 'of a program with turns')


@test
def another_operation_is_told():
    differs('operation', 'replay-differ #3: it came from another place in the code', 'recorded: lock first in use()',
            'came:     lock second in change()', 'before:   create work in main()')


@test
def another_object_is_told():
    differs('object', 'replay-differ #3: it came to another object', 'recorded: lock first in use() replay-differ.c:',
            'came:     lock second in use() replay-differ.c:')


@test
def another_place_is_told():
    differs('site', 'it came from another place in the code', 'recorded: lock first in use()',
            'came:     lock first in change()')


@test
def what_is_too_much_is_told():
    differs('more', 'replay-differ #5: another operation came', 'recorded: join work in main()',
            'came:     lock second in use()')
    differs('late', 'nothing more was recorded', 'recorded: nothing', 'came:     lock second in use()')


@test
def what_is_missing_is_told():
    result = differs('less', 'the program ended before the end of what was recorded',
                     'replay-differ #3 did not come: lock')
    assert 'end\n' not in result.stdout


@test
def a_program_that_goes_astray_harms_nobody():
    record_differ()
    for more in ((), ('--times=2',), ('--until', '0:4')):
        result = replay('out.trace', *more, differ='astray')
        equal(result.returncode, 1, f'the status with {more}, which says {result.stderr}')


@test
def after_a_difference_the_program_stops_or_goes_on():
    assert 'end' not in differs('more').stdout, 'it went on'
    record_differ()
    result = replay('--continue', 'out.trace', differ='more')
    equal((result.returncode, result.stdout), (1, 'end\n'), 'with --continue')
    result = replay('--kill', 'out.trace', differ='more')
    equal((result.returncode, result.stdout), (1, ''), 'with --kill')


@test
def who_has_no_way_on_is_told():
    """A lock is given a sequence number that never comes."""
    equal(record(program('replay-order'), 'mutex').returncode, 0, 'recording')
    path = Path('out.trace/ctf/process-2')
    stream = bytearray(path.read_bytes())
    found = [at for at in range(0, len(stream) - 40, 8)
             if struct.unpack_from('<Q', stream, at)[0] > 1 << 30
             and struct.unpack_from('<H', stream, at + 8)[0] == LOCK
             and 0 < struct.unpack_from('<Q', stream, at + 24)[0] < 2000]
    assert found, 'no lock'
    struct.pack_into('<Q', stream, found[-1] + 24, 5000)
    path.write_bytes(stream)
    result = replay('out.trace')
    equal(result.returncode, 1, 'the status')
    contains(result.stderr, 'the replay has no way on: all threads wait for a turn')
    contains(result.stderr, 'waits for its turn: lock mutex in use_mutex()')
    contains(result.stderr, 'would have had to come')


@test
def a_trace_that_was_cut_short_is_followed_to_its_end():
    equal(record(program('replay-stopped')).returncode, -signal.SIGALRM, 'recording')
    result = replay('out.trace')
    equal(result.returncode, 0, 'the status')
    contains(result.stderr, 'the recording was cut short there, and the program was ended; --continue lets it run on')
    contains(result.stderr, 'all threads wait again for what they waited for when the recorded run was ended '
                            'by SIGALRM\n')
    result = replay('out.trace', '--times=3')
    contains(result.stderr, '3 of 3 runs ended with all threads waiting, as the recorded run did')
    result = replay('out.trace', '--continue')
    equal(result.returncode, 0, 'with --continue')
    contains(result.stderr, 'the program ended by SIGALRM again')
    result = lightcone('replay', 'out.trace', '--no-environment', env={**os.environ, 'ELSEWHERE': 'yes'})
    equal(result.returncode, 1, f'the status of another wait, with {result.stderr}')
    contains(result.stderr, 'not all threads wait for what they waited for at the end of the recording')


@test
def a_crash_comes_again():
    equal(record(program('replay-order'), 'crash').returncode, -signal.SIGSEGV, 'recording')
    result = replay('out.trace')
    equal((result.returncode, result.stdout), (0, ''), f'a replay, which says {result.stderr}')
    contains(result.stderr, 'the program ended by SIGSEGV again')
    result = replay('out.trace', '--times=4')
    contains(result.stderr, '4 of 4 runs came to the end')
    contains(result.stderr, '4 of 4 runs ended by SIGSEGV, as the recorded run did')


@test
def another_program_is_told_before():
    equal(record(program('replay-differ')).returncode, 0, 'recording')
    copy = shutil.copy(program('replay-differ'), 'copy')
    equal(record('./copy', output='copy.trace').returncode, 0, 'recording')
    shutil.copy(program('replay-order'), copy)
    result = replay('copy.trace')
    contains(result.stderr, '/copy: is not the file that was recorded: the program may do something else')


@test
def the_recorded_folder_is_used():
    os.mkdir('folder')
    equal(record(program('replay-order'), 'spin', cwd='folder').returncode, 0, 'recording')
    shutil.copy(program('replay-order'), 'folder/local')
    equal(record('./local', 'spin', cwd='folder').returncode, 0, 'recording')
    equal(replay('-q', 'folder/out.trace').returncode, 0, 'from another folder')
    equal(replay('-q', 'folder/out.trace', '--', 'folder/local', 'spin').returncode, 0, 'another command')


def run_shell(*options, **replayed):
    """What a shell says of its variable COLOUR, when it was recorded with one and is replayed with another."""
    recorded = lightcone('record', '-q', '--replace', '-o', 'out.trace', *options, '--', 'sh', '-c', 'echo "$COLOUR"',
                         env={**os.environ, 'COLOUR': 'green\nblue'})
    equal((recorded.returncode, recorded.stdout), (0, 'green\nblue\n'), f'recording, which says {recorded.stderr}')
    return lightcone('replay', '-q', 'out.trace', *replayed.get('arguments', ()), env={**os.environ, 'COLOUR': 'red'})


@test
def the_recorded_environment_is_used():
    equal(run_shell().stdout, 'green\nblue\n', 'what it prints')
    path = Path('out.trace/environment')
    equal(path.stat().st_mode & 0o777, 0o600, 'who may read it')
    kept = path.read_bytes().split(b'\0')
    equal((kept.count(b'COLOUR=green\nblue'), kept[-1]), (1, b''), 'what is kept')
    assert not any(variable.startswith(b'LIGHTCONE_') for variable in kept), kept
    equal(run_shell(arguments=['--no-environment']).stdout, 'red\n', 'with --no-environment')
    equal(run_shell(arguments=['--', 'sh', '-c', 'echo "$COLOUR"']).stdout, 'red\n', 'of another command')


@test
def no_environment_is_kept_if_it_is_not_to_be():
    equal(run_shell('--no-environment').stdout, 'red\n', 'what it prints')
    equal(Path('out.trace/environment').exists(), False, 'whether there is a file')
    group = grp.getgrgid(os.getgid()).gr_name
    run_shell(f'--shared={group}')
    equal(Path('out.trace/environment').exists(), False, 'whether there is a file')


@test
def a_damaged_environment_is_refused():
    run_shell()
    for damaged in (b'COLOUR=green', b'COLOUR\0', b'=green\0', b'A=1\0\0', b'LIGHTCONE_RECORD_LIBRARY=/tmp/x\0'):
        Path('out.trace/environment').write_bytes(damaged)
        result = replay('out.trace')
        equal((damaged, result.returncode, result.stdout), (damaged, 2, ''), 'the status')
        contains(result.stderr, 'out.trace/environment: no variable of an environment (byte')
    os.remove('out.trace/environment')
    os.symlink('/proc/self/environ', 'out.trace/environment')
    equal(replay('out.trace').returncode, 0, 'with a link, which is not followed')


@test
def nothing_is_left_when_it_is_interrupted():
    record_differ()
    os.mkdir('scratch')
    with subprocess.Popen([LIGHTCONE, 'replay', '--no-environment', 'out.trace'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL,
                          env={**os.environ, 'DIFFER': 'hang', 'TMPDIR': os.path.abspath('scratch')}) as running:
        deadline = time.monotonic() + PATIENCE
        while not list(Path('scratch').glob('*/plan')) and time.monotonic() < deadline:
            time.sleep(0.01)
        children = f'/proc/{running.pid}/task/{running.pid}/children'
        while not Path(children).read_text(encoding='ascii').split() and time.monotonic() < deadline:
            time.sleep(0.01)
        child = int(Path(children).read_text(encoding='ascii').split()[0])
        running.send_signal(signal.SIGTERM)
        equal(running.wait(PATIENCE), -signal.SIGTERM, 'its status')
    assert not Path(f'/proc/{child}').exists(), 'the program goes on'
    equal(os.listdir('scratch'), [], 'what is left')


def ask(query):
    """Rows of the trace's history, without the line of names."""
    result = lightcone('sql', '--csv', 'out.trace', query)
    equal(result.returncode, 0, query)
    return [row.split(',') for row in result.stdout.splitlines()[1:]]


@test
def it_stops_before_an_event_with_its_past_and_no_more():
    """With one mutex, the past of an unlock are the acquisitions before."""
    equal(record(program('replay-order'), 'mutex').returncode, 0, 'recording')
    (ordinal, sequence), = ask("select ordinal, sequence from event where process = 2 and operation = 'unlock' "
                               'and ordinal > 100 order by ordinal limit 1')
    past = {name: int(last) for name, last in
            ask('select name, max(ordinal) from event, process on process.id = event.process where '
                f"operation = 'unlock' and sequence < {sequence} group by process.id")}
    result = replay('out.trace', '--until', f'2:{ordinal}')
    equal(result.returncode, 0, 'the status')
    told = re.findall(r'lightcone:   (.*) #(\d+) was the last: (\w+)', result.stderr)
    found = {name: int(last) for name, last, operation in told if operation == 'unlock'}
    equal(found, {name: last for name, last in past.items() if name in found}, 'the past')
    contains(result.stderr, f' #{int(ordinal) - 1} was the last: lock mutex in use_mutex()')
    contains(result.stderr, 'stopped there, and the program was ended')
    equal(result.stdout, '', 'what it prints')
    result = replay('out.trace', '--until', f'2:{ordinal}', '--continue')
    equal((result.returncode, len(result.stdout)), (0, 17), 'with --continue')


def stops(*arguments):
    """What the threads have done last in a replay that stops, by process."""
    result = replay('out.trace', *arguments)
    equal(result.returncode, 0, f'the status of {arguments}, which says {result.stderr}')
    contains(result.stderr, 'stopped there, and the program was ended')
    last = {name: int(ordinal) for name, ordinal in
            re.findall(r'lightcone:   (.*) #(\d+) was the last: ', result.stderr)}
    return last, result


@test
def it_stops_at_a_layer_and_at_a_time():
    """The threads of a barrier have all passed it, or none has."""
    equal(record(program('replay-order'), 'barrier').returncode, 0, 'recording')
    (layer,), = ask('select max(layer) / 2 from event')
    expected = dict(ask(f'select name, max(ordinal) from event, process on process.id = process where layer < {layer} '
                        'group by process.id'))
    equal(stops('--until-layer', layer)[0], {name: int(last) for name, last in expected.items()}, 'what is below it')
    (time_,), = ask("select begin from event where process = 3 and operation = 'unlock' limit 1 offset 99")
    last, result = stops('--until-time', time_ + 'ns')
    done = dict(ask('select name, max(ordinal) from event, process on process.id = process '
                    f'where event."end" <= {time_} group by process.id'))
    for name, before in done.items():
        if name in last:
            assert last[name] >= int(before), f'{name} stopped at {last[name]}, and {before} had ended: {result.stderr}'
    for until in (('--until-layer', '0'), ('--until-time', 'soon'), ('--until-time', '1000s'),
                  ('--until-layer', '5', '--until', '0:1')):
        equal(replay('out.trace', *until).returncode, 2, f'the status of {until}')


@test
def a_cut_is_exact_or_refused():
    """Each thread's k-th lock of the only mutex comes after all that were taken before it."""
    equal(record(program('replay-order'), 'mutex').returncode, 0, 'recording')
    rows = ask("select process, ordinal from event where operation = 'unlock' order by sequence")
    process, ordinal = rows[len(rows) // 2]
    before = {row[0]: row[1] for row in rows[:len(rows) // 2]}
    other = next(row for row in before if row != process)
    last, result = stops('--cut', f'{process}:{ordinal}')
    assert int(ordinal) - 1 in last.values(), result.stderr
    result = replay('out.trace', '--cut', f'{process}:{ordinal},{other}:{before[other]}')
    equal(result.returncode, 2, 'the status of no cut')
    contains(result.stderr, f'no cut is before {other}:{before[other]}')


@test
def a_debugger_is_served_at_a_stop():
    record_differ()
    os.mkdir('bin')
    Path('bin/gdbserver').write_text('#!/bin/sh\necho "served $*"\n', encoding='ascii')
    os.chmod('bin/gdbserver', 0o755)
    result = lightcone('replay', 'out.trace', '--until', '0:4', '--gdbserver', '3333',
                       env={**os.environ, 'DIFFER': '', 'PATH': os.path.abspath('bin') + ':' + os.environ['PATH']})
    equal(result.returncode, 0, f'the status, with {result.stderr}')
    assert re.search(r'served --once --attach localhost:3333 \d+\n', result.stdout), result.stdout
    equal(replay('out.trace', '--gdbserver', '3333').returncode, 2, '--gdbserver alone')
    equal(replay('out.trace', '--until', '0:4', '--gdb', '--gdbserver', '3333').returncode, 2, 'two debuggers')


@test
def a_program_may_take_its_time_to_print_the_last_that_it_has():
    """A second in which the command looks on while the output waits for whoever reads it."""
    record_differ()
    with subprocess.Popen([LIGHTCONE, 'replay', '--no-environment', 'out.trace'], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, 'DIFFER': 'much'}) as running:
        time.sleep(1)
        printed, said = running.communicate(timeout=PATIENCE)
    equal((len(printed), printed[-4:], running.returncode), (66004, 'end\n', 0), f'a replay, which says {said}')
    equal('was ended by' in said, False, 'whether it was ended')


@test
def advances_are_followed_and_not_passed():
    equal(record(program('replay-advance')).returncode, 0, 'recording')
    result = replay('out.trace')
    equal((result.returncode, result.stdout), (0, '45\n'), f'a replay, which says {result.stderr}')
    equal('no turns' in result.stderr, False, 'whether something has no turns')
    (ordinal,), = ask("select ordinal from event where process = 1 and operation = 'await' "
                      'order by ordinal limit 1 offset 4')
    result = replay('out.trace', '--until', f'1:{ordinal}')
    equal(result.returncode, 0, 'the status at a stop')
    contains(result.stderr, f' #{int(ordinal) - 1} was the last: await index in add()')
    equal('elsewhere' in result.stderr, False, 'whether a thread is elsewhere')


@test
def who_waits_for_another_index_for_ever_is_told():
    """Nobody advances it, so that the program would wait for ever."""
    equal(record(program('replay-advance')).returncode, 0, 'recording')
    result = replay('out.trace', differ='index')
    equal((result.returncode, result.stdout), (1, ''), f'a replay, which says {result.stderr}')
    for part in ('the replay has no way on: all threads wait for a turn',
                 'waits for index 10, and not for 4 as it did: await index in add()',
                 'waits for its turn: join'):
        contains(result.stderr, part)


@test
def a_thread_that_waits_for_what_has_no_turns_stops_nobody_else():
    equal(record(program('replay-elsewhere')).returncode, 0, 'recording')
    result = replay('out.trace', '--until', '2:6')
    equal(result.returncode, 0, 'the status')
    contains(result.stderr, 'wait_and_use waits elsewhere, for what has no turns')
    contains(result.stderr, ' #5 was the last: unlock second in use()')


@test
def threads_that_wait_for_each_other_for_ever_are_told():
    equal(record(program('replay-waits')).returncode, 0, 'recording')
    result = replay('out.trace', differ='word')
    equal(result.returncode, 1, f'the status, with {result.stderr}')
    contains(result.stderr, 'the replay has no way on: some threads wait for what has no turns')
    contains(result.stderr, 'wait_and_lock waits elsewhere, for what has no turns')
    contains(result.stderr, ' waits for its turn: join ')
    contains(result.stderr, ' would have had to come: exit')
    result = replay('--continue', 'out.trace', differ='word')
    equal(result.returncode, 1, f'the status with --continue, with {result.stderr}')


@test
def who_waits_for_what_comes_from_outside_is_waited_for():
    equal(record(program('replay-waits')).returncode, 0, 'recording')
    reading, writing = os.pipe()
    with subprocess.Popen([LIGHTCONE, 'replay', '-q', '--no-environment', 'out.trace'], stdin=reading,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, 'DIFFER': 'input'}) as running:
        os.close(reading)
        time.sleep(7)
        equal(running.poll(), None, 'whether it has ended')
        os.write(writing, b'x')
        os.close(writing)
        equal((running.communicate(timeout=PATIENCE)[1], running.returncode), ('', 0), 'the end')


@test
def gdb_sees_the_thread_and_what_it_has_not_done_yet():
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    equal(record(program('replay-differ')).returncode, 0, 'recording')
    result = replay('out.trace', '--until', '0:4', '--gdb-command', 'info threads', '--gdb-command', 'frame',
                    '--gdb-command', 'print first.__data.__lock', '--gdb-command', 'print second.__data.__lock')
    if 'ptrace' in result.stderr:
        raise Skip('gdb may not attach here')
    equal(result.returncode, 0, 'the status')
    contains(result.stdout, '"replay-differ"')
    contains(result.stdout, 'use (mutex=')
    contains(result.stdout, '$1 = 1\n$2 = 0')


def debug(*commands, until='0:4'):
    """What gdb prints when it carries out these commands where the program differs."""
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    record_differ()
    result = replay('out.trace', '--until', until, *[f'--gdb-command={command}' for command in commands])
    if 'ptrace' in result.stderr:
        raise Skip('gdb may not attach here')
    equal(result.returncode, 0, f'the status, which says {result.stderr}')
    assert 'Fatal signal' not in result.stderr, 'gdb has crashed'
    return result


def places(text):
    """The next events that are told, by process: the last of each."""
    return dict(re.findall(r'  (\S+) (#\d+) is next', text))


@test
def gdb_goes_on_event_by_event():
    """Of the trace: lock and unlock second, create, unlock and lock first in any order, with one turn for each."""
    result = debug('lightcone where', 'lightcone next', 'lightcone next', 'lightcone until 0:3', until='0:3')
    at = [places(text) for text in re.split(r'received signal SIGINT', result.stdout)]
    equal([place['replay-differ'] for place in at], ['#3', '#4', '#5'], 'after each step')
    contains(result.stdout, 'in main () at')
    contains(result.stderr, '0:3 has been done already')


@test
def gdb_goes_on_to_breakpoints_and_to_the_end():
    result = debug('lightcone break 1:1', 'lightcone go', 'lightcone delete 1:1', 'lightcone finish', 'lightcone go',
                   'lightcone where', 'lightcone next', until='0:3')
    stopped = re.split(r'received signal SIGINT', result.stdout)
    equal(places(stopped[1])['work'], '#1', 'at the breakpoint')
    contains(stopped[1], 'use (mutex=')
    contains(result.stdout, 'exited normally')
    contains(result.stdout, 'replay-differ has done all that was recorded')
    contains(result.stderr + result.stdout, 'The program has ended.')


def digits(text):
    return text.encode().hex()


class Window:
    """What shows a replay, and steers it."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind('control')
        self.socket.listen(1)
        self.lines = None

    def begin(self, *arguments):
        """gdb's user says nothing."""
        self.replay = subprocess.Popen([LIGHTCONE, 'replay', 'out.trace', '--gdb', '--control', 'control', *arguments],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.socket.settimeout(PATIENCE)
        self.socket, _ = self.socket.accept()
        self.socket.settimeout(PATIENCE)
        self.lines = self.socket.makefile('r')

    def expect(self, kind):
        """The words of the next line of this kind."""
        for line in self.lines:
            words = line.split()
            if words[0] == kind:
                return words[1:]
        raise AssertionError(f'no {kind}: {self.replay.communicate(timeout=PATIENCE)[0]}')

    def say(self, *words):
        self.socket.sendall((' '.join(words) + '\n').encode())


@test
def a_window_shows_and_steers_a_replay():
    if shutil.which('gdb') is None:
        raise Skip('no gdb')
    record_differ()
    window = Window()
    window.begin('--until', '0:3')
    selected, *places_ = window.expect('stopped')
    equal((selected, places_[0]), ('0', '0:3'), 'the stop')
    window.say('value', digits('first.__data.__lock'))
    equal(window.expect('value'), [digits('first.__data.__lock'), digits('0')], 'a value')
    window.say('next', digits('0'))
    equal(window.expect('stopped')[1], '0:4', 'an event later')
    window.say('value', digits('nothing_of_that_name'))
    contains(bytes.fromhex(window.expect('failed')[1]).decode(), 'nothing_of_that_name')
    window.say('shell', digits('touch harm'))  # is none of what a window may ask for
    window.say('next', digits('0\nshell touch harm'))
    window.say('break', digits('1:1'))
    window.say('go')
    selected, *places_ = window.expect('stopped')
    equal((selected, dict(place.split(':') for place in places_)['1']), ('1', '1'), 'at the breakpoint')
    window.say('value', digits('$_thread'))
    equal(window.expect('value')[1], digits('2'), "gdb's thread, of which values are")
    window.say('quit')
    window.expect('ended')
    equal(window.replay.wait(PATIENCE), 0, 'the status')
    equal(os.path.exists('harm'), False, 'harm')


@test
def a_window_that_is_not_there_is_told():
    record_differ()
    result = replay('out.trace', '--until', '0:3', '--gdb', '--control', 'nowhere')
    contains(result.stderr, 'nowhere: ')
    equal(replay('out.trace', '--until', '0:3', '--control', 'nowhere').returncode, 2, 'without --gdb')


@test
def gdb_tells_what_is_wrong_with_a_stop():
    for command, part in (('until 0:999', 'not 999'), ('until nobody:1', 'nobody'), ('time soon', 'soon is no time'),
                          ('layer 0', '0'), ('next nobody', 'no process nobody'), ('break 7', '7')):
        contains(debug(f'lightcone {command}', until='0:3').stderr, part)


@test
def an_event_that_is_not_there_is_told():
    record_differ()
    for until, part in (('0:999', 'not 999'), ('nobody:1', 'nobody'), ('0', '0')):
        result = replay('out.trace', '--until', until)
        equal(result.returncode, 2, f'the status of {until}')
        contains(result.stderr, part)
    equal(replay('out.trace', '--gdb').returncode, 2, '--gdb alone')


@test
def what_cannot_be_replayed_is_refused():
    for arguments, part in (
            (('nothing.trace',), 'nothing.trace'), (('out.trace', '--times', '0'), '--times can be from 1'),
            (('out.trace', '--kill', '--continue'), 'cannot both be'),
            (('out.trace', '-o', 'new.trace', '--times', '2'), '--output records one run'),
            (('out.trace', '-o', '.'), 'is there already'), (('out.trace', '--stacks=all'), 'need --output')):
        result = replay(*arguments)
        equal(result.returncode, 2, f'the status of {arguments}')
        contains(result.stderr, part)
    record_differ()
    result = replay('out.trace', '--', './nothing')
    equal(result.returncode, 2, 'no program')
    contains(result.stderr, './nothing: cannot be run')
    settings = Path('out.trace/trace.ini')
    text = settings.read_text(encoding='utf-8')
    settings.write_text(re.sub('command=.*\n', '', text), encoding='utf-8')
    result = replay('out.trace')
    contains(result.stderr, 'does not say what was run')
    os.mkdir('text.trace')
    Path('text.trace/a.events').write_text('%lightcone-events 1\n0 1 lock m 1\n', encoding='utf-8')
    contains(replay('text.trace', '--', 'true').stderr, 'no program was recorded here')


main(at_once=2)
