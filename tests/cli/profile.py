#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lightcone profile of traces: the scenarios of the paper's figures, against runs without overhead made by hand."""
import json
import os
import xml.etree.ElementTree as ElementTree

from callpaths import check_paths
from cli import contains, equal, lightcone, main, test
from tables import refuse, run, write

SVG = '{http://www.w3.org/2000/svg}'
SETTINGS = '''[overhead]
*=0;0;0
tag=10;0;0
[cost]
send=0
recv=0;0
tag=0
[communication]
model=linear
short=100;0;0;0
long=0;0;0
'''


class Process:
    """The lines of a process that has overhead in pieces of 10, before tags."""

    def __init__(self):
        self.now, self.lines = 0, []

    def run(self, time, overhead):
        self.now += time
        for _ in range(overhead // 10):
            self.now += 10
            self.lines.append(f'{self.now} {self.now} tag value=1')
        return self

    def send(self, channel, number=0):
        self.lines.append(f'{self.now} {self.now} send {channel} {number} bytes=8')
        return self

    def receive(self, channel, there, number=0):
        end = max(self.now, there)
        self.lines.append(f'{self.now} {end} recv {channel} {number} bytes=8')
        self.now = end
        return self

    def text(self):
        return '\n'.join(self.lines) + '\n'


def profile(name, processes):
    write(name, {f'p{number}': process.text() for number, process in processes.items()}, SETTINGS)
    found = json.loads(run('profile', name, '--json'))
    return {row['name']: row for row in found['processes']}


def routine(process, name):
    return next(row for row in process['routines'] if row['name'] == name)


def check(processes, totals, waiting):
    """Total and waiting of each process without the measurement: on the fly, and on the timeline of the trace."""
    for name, total in totals.items():
        equal((processes[name]['total_parallel'], processes[name]['total_approximated']), (total, total), name)
    for name, waited in waiting.items():
        row = routine(processes[name], 'recv')
        equal((row['waiting_parallel'], row['waiting_approximated']), (waited, waited), name)


@test
def one_send_case_1_would_not_have_waited():
    sender = Process().run(100, 60).send('1>2')
    receiver = Process().run(120, 10).receive('1>2', sender.now)
    found = profile('one-send-1', {1: sender, 2: receiver})
    check(found, {'p1': 100, 'p2': 120}, {'p2': 0})
    equal((found['p2']['total'], found['p2']['total_local'], found['p2']['overhead'], found['p2']['delay']),
          (160, 150, 10, 40))


@test
def one_send_case_2_would_have_waited_longer():
    sender = Process().run(100, 20).send('1>2')
    receiver = Process().run(50, 30).receive('1>2', sender.now)
    check(profile('one-send-2', {1: sender, 2: receiver}), {'p1': 100, 'p2': 100}, {'p2': 50})


@test
def two_sends_have_delays_that_add_up():
    sender = Process().run(100, 60).send('1>2')
    first = sender.now
    sender.run(90, 10).send('1>2', 1)
    receiver = Process().run(120, 10).receive('1>2', first).run(30, 40).receive('1>2', sender.now, 1)
    check(profile('two-sends', {1: sender, 2: receiver}), {'p1': 190, 'p2': 190}, {'p2': 40})


@test
def handshake_ends_both_at_one_time():
    first = Process().run(100, 20).send('1>2')
    second = Process().run(50, 30).receive('1>2', first.now).run(90, 20).send('2>1')
    first.run(40, 10).receive('2>1', second.now)
    check(profile('handshake', {1: first, 2: second}), {'p1': 190, 'p2': 190}, {'p1': 50, 'p2': 50})


@test
def pipeline_passes_the_delay_on():
    first = Process().run(100, 60).send('1>2')
    second = Process().run(120, 10).receive('1>2', first.now).send('2>3')
    third = Process().run(130, 10).receive('2>3', second.now)
    found = profile('pipeline', {1: first, 2: second, 3: third})
    check(found, {'p1': 100, 'p2': 120, 'p3': 130}, {'p2': 0, 'p3': 0})
    equal(found['p3']['delay'], 30)


@test
def two_receives_keep_their_order():
    first, third = Process().run(100, 20).send('1>2'), Process().run(80, 90).send('3>2')
    second = Process().run(50, 30).receive('1>2', first.now).run(10, 10).receive('3>2', third.now)
    check(profile('two-receives', {1: first, 2: second, 3: third}), {'p1': 100, 'p2': 110, 'p3': 80}, {'p2': 50})


@test
def early_messages_are_known_to_be_early():
    sender = Process().run(10, 0).send('1>2')
    receiver = Process().run(100, 50).receive('1>2', sender.now)
    check(profile('early', {1: sender, 2: receiver}), {'p1': 10, 'p2': 100}, {'p2': 0})


@test
def waiting_ends_with_the_release_in_all_columns():
    """The message is sent at 100, and the receiver goes on at 180: it has waited for 50, and then been woken."""
    write('woken', {'a': '100 100 send 1>2 0 bytes=8\n', 'b': '10 20 tag value=1\n50 180 recv 1>2 0 bytes=8\n'},
          SETTINGS)
    row = routine(json.loads(run('profile', 'woken', '--json'))['processes'][1], 'recv')
    equal([row['waiting' + way] for way in ('', '_local', '_parallel', '_approximated')], [50, 50, 60, 60])
    equal(json.loads(run('stats', 'woken', 'waiting', '--json'))['process'][1]['waiting'], 50)
    write('nobody', {'a': '0 5 lock m 1\n10 90 lock-failed n\n100 110 unlock m 1\n', 'b': '0 200 tag value=1\n'},
          SETTINGS)
    row = routine(json.loads(run('profile', 'nobody', '--json'))['processes'][0], 'lock-failed')
    equal([row['waiting' + way] for way in ('', '_local', '_parallel', '_approximated')],
          [json.loads(run('stats', 'nobody', 'waiting', '--json'))['process'][0]['waiting']] * 4)


@test
def no_more_is_taken_off_than_there_is():
    """A tag comes 5 ns after the region's begin, and costs 10; one that lasts 5 ns costs 10 within."""
    write('short', {'a': '0 100 enter r\n105 105 tag value=1\n105 105 leave r\n'}, SETTINGS)
    outer = routine(json.loads(run('profile', 'short', '--json'))['processes'][0], 'r')
    equal([outer[key] for key in ('inclusive', 'inclusive_local', 'inclusive_parallel', 'inclusive_approximated')],
          [5, 0, 0, 0])
    write('inside', {'a': '0 100 enter r\n110 115 tag value=1\n120 120 leave r\n'},
          SETTINGS.replace('tag=10;0;0', 'tag=0;10;0'))
    tag = routine(json.loads(run('profile', 'inside', '--json'))['processes'][0], 'tag')
    equal([tag[key] for key in ('inclusive', 'inclusive_local', 'inclusive_parallel', 'inclusive_approximated')],
          [5, 0, 0, 0])


@test
def regions_have_inclusive_and_exclusive_time():
    lines = '10 10 enter outer\n30 30 tag value=1\n40 40 enter inner\n70 70 leave inner\n100 100 leave outer\n'
    write('regions', {'p1': lines}, SETTINGS)
    process = json.loads(run('profile', 'regions', '--json'))['processes'][0]
    outer, inner = routine(process, 'outer'), routine(process, 'inner')
    equal([outer[key] for key in ('calls', 'inclusive', 'inclusive_local', 'inclusive_parallel', 'exclusive')],
          [1, 90, 80, 80, 60])
    equal([inner[key] for key in ('calls', 'inclusive', 'inclusive_local', 'exclusive')], [1, 30, 30, 30])


def paths_of(process, *keys):
    """Each path with the names that lead to it, and some of its numbers."""
    names, found = [], []
    for path in process['paths']:
        names.append((names[path['caller']] if path['caller'] >= 0 else ()) + (path['name'],))
        found.append((' '.join(names[-1]), *(path[key] for key in keys)))
    return found


@test
def call_paths_tell_who_has_called():
    """`work` is called by `first` and `second`, and by itself, and a tag by all of them; 10 ns of overhead each."""
    lines = ('0 0 enter first\n0 0 enter work\n30 30 tag value=1\n40 40 leave work\n50 50 leave first\n'
             '50 50 enter second\n60 60 enter work\n60 60 enter work\n90 90 tag value=1\n100 100 leave work\n'
             '130 130 leave work\n140 140 enter work\n160 160 leave work\n200 200 leave second\n')
    write('paths', {'p1': lines}, SETTINGS)
    process = json.loads(run('profile', 'paths', '--json'))['processes'][0]
    equal(paths_of(process, 'calls', 'inclusive', 'exclusive', 'exclusive_local'), [
        ('second', 1, 150, 60, 60),
        ('second work', 2, 90, 50, 50),
        ('second work work', 1, 40, 40, 30),
        ('second work work tag', 1, 0, 0, 0),
        ('first', 1, 50, 10, 10),
        ('first work', 1, 40, 40, 30),
        ('first work tag', 1, 0, 0, 0),
    ])
    check_paths(process)
    equal(process['calls_without_path'], 0)
    shown = run('profile', 'paths', '--callpath', '--compensation', 'none')
    equal([line.split()[:2] for line in shown.replace(' ×', '×').split('CALL PATH')[1].splitlines()[1:]],
          [['second', '1'], ['work×2', '3'], ['tag', '1'], ['first', '1'], ['work', '1'], ['tag', '1']])
    contains(shown, '\n      tag ')
    few = run('profile', 'paths', '--callpath', '--limit', '2')
    equal([name in few for name in ('second', 'work ×2', 'first', 'tag')], [True, True, False, False])
    contains(few, '4 more')
    equal(run('profile', 'paths', '--callpath', '--limit', '0'), run('profile', 'paths').split('\np1\n')[0])


@test
def who_calls_itself_is_one_line():
    """Each of 30 levels calls two others: what they call is added up, and what takes longest comes first."""
    lines, now = ['0 0 enter main'], 0
    for level in range(30):
        lines.append(f'{now} {now} enter fib')
        for name, time in ('small', 1), ('large', 10):
            lines.append(f'{now} {now} enter {name}')
            now += time
            lines.append(f'{now} {now} leave {name}')
    lines += [f'{now} {now} leave fib'] * 30 + [f'{now} {now} leave main']
    write('deep', {'p1': '\n'.join(lines) + '\n'}, SETTINGS)
    shown = run('profile', 'deep', '--callpath', '--compensation', 'none', '--limit', '4')
    equal([line.split()[:4] for line in shown.replace(' ×', '×').split('CALL PATH')[1].splitlines()[1:]], [
        ['main', '1', '330', 'ns'], ['fib×30', '30', '330', 'ns'], ['large', '30', '300', 'ns'],
        ['small', '30', '30', 'ns']])
    equal(len(json.loads(run('profile', 'deep', '--json'))['processes'][0]['paths']), 1 + 30 * 3, 'paths for programs')


@test
def call_paths_are_kept_sorted_and_drawn():
    def path(caller, name, inclusive, exclusive):
        return {'caller': caller, 'name': name, 'kind': 'function', 'calls': 1, 'inclusive': inclusive,
                'exclusive': exclusive}
    process = {'rank': 0, 'total': 100, 'routines': [], 'calls_without_path': 7, 'paths': [
        path(-1, 'a', 10, 1), path(0, 'b', 9, 9), path(-1, 'c', 90, 0), path(2, 'd', 10, 10), path(2, 'e', 80, 20),
        path(4, 'f', 60, 30), path(5, '', 30, 30)]}
    with open('tree.profile', 'w', encoding='utf-8') as file:
        json.dump({'lightcone_profile': 1, 'title': 'tree', 'ways': 1, 'processes': [process]}, file)
    text = run('profile', 'tree.profile', '--json', '-o', 'again.profile')
    found = json.loads(text)['processes'][0]
    equal(paths_of(found, 'inclusive'), [('c', 90), ('c e', 80), ('c e f', 60), ('c e f ', 30), ('c d', 10), ('a', 10),
                                         ('a b', 9)])
    with open('again.profile', encoding='utf-8') as file:
        equal(file.read(), text)
    equal(run('profile', 'again.profile', '--json'), text)
    contains(run('profile', 'tree.profile', '--callpath'), '7 calls are not here')
    contains(run('profile', 'tree.profile', '--callpath'), '(other routines)')
    equal(run('export', 'tree.profile', '-o', 'tree.folded'), '')
    with open('tree.folded', encoding='utf-8') as file:
        equal(file.read(), 'rank 0;c;e 20\nrank 0;c;e;f 30\nrank 0;c;e;f;(other routines) 30\nrank 0;c;d 10\n'
                           'rank 0;a 1\nrank 0;a;b 9\n')
    scope = json.loads(run('export', 'tree.profile', '-o', '-', '--format', 'speedscope'))
    frames = [frame['name'] for frame in scope['shared']['frames']]
    drawn = scope['profiles'][0]
    equal([' '.join(frames[frame] for frame in sample) for sample in drawn['samples']][1], 'rank 0 c e f')
    equal((sum(drawn['weights']), drawn['endValue']), (100, 100))


@test
def call_paths_that_are_not_there_are_told():
    process = {'rank': 0, 'total': 100, 'routines': []}
    for name, paths in ('without', None), ('damaged', [{'caller': 0, 'name': 'a'}]):
        with open(f'{name}.profile', 'w', encoding='utf-8') as file:
            json.dump({'lightcone_profile': 1, 'ways': 1, 'processes': [process | ({'paths': paths} if paths else {})]},
                      file)
    contains(refuse('profile', 'without.profile', '--callpath'), '--callpath')
    contains(refuse('export', 'without.profile', '-o', 'without.folded'), 'no call paths')
    contains(refuse('export', 'without.profile', '-o', 'without.folded', '--by', 'waiter'), '--by')
    contains(refuse('profile', 'damaged.profile'), 'call path 0 has a caller that does not come before it')


@test
def too_many_call_paths_are_counted():
    """Two regions in each other to 16 levels are 131,070 paths, of which there is room for 65,534."""
    lines = []

    def call(level):
        for name in ('a', 'b') if level < 16 else ():
            lines.append(f'{len(lines)} {len(lines)} enter {name}')
            call(level + 1)
            lines.append(f'{len(lines)} {len(lines)} leave {name}')
    call(0)
    write('many', {'p1': '\n'.join(lines) + '\n'}, SETTINGS)
    process = json.loads(run('profile', 'many', '--json'))['processes'][0]
    equal((len(process['paths']), process['calls_without_path']), (65534, 131070 - 65534))
    equal(sum(row['calls'] for row in process['routines']), 131070)


@test
def profiles_are_kept_and_shown_again():
    sender = Process().run(100, 60).send('1>2')
    write('kept', {'p1': sender.text()}, SETTINGS)
    text = run('profile', 'kept', '--json')
    with open('kept.profile', 'w', encoding='utf-8') as file:
        file.write(text)
    equal(run('profile', 'kept.profile', '--json'), text)
    shown = run('profile', 'kept.profile')
    contains(shown, 'PARALLEL')
    contains(shown, 'send')
    contains(shown, 'FROM TRACE')
    local = json.loads(run('profile', 'kept.profile', '--json', '--compensation', 'local'))
    equal('total_parallel' in local['processes'][0], False)


@test
def a_busy_machine_is_told_again():
    for percent, is_told in (20, False), (21, True):
        with open('busy.profile', 'w', encoding='utf-8') as file:
            json.dump({'lightcone_profile': 1, 'title': 'busy', 'ways': 1, 'others_percent': percent,
                       'processes': [{'rank': 0, 'total': 100, 'routines': []}]}, file)
        equal(f'Other programs had {percent} % of the processors meanwhile' in run('profile', 'busy.profile'), is_told)
        equal(json.loads(run('profile', 'busy.profile', '--json'))['others_percent'], percent)
        equal(run('export', 'busy.profile', '-o', 'busy.svg'), '')
        equal(f'Other programs had {percent} % of the processors' in ' '.join(bars('busy.svg')[0]), is_told)


def bars(path):
    """The texts of an SVG, and what it tells of itself."""
    root = ElementTree.parse(path).getroot()
    return [''.join(text.itertext()) for text in root.iter(SVG + 'text')], root.find(SVG + 'desc').text


@test
def profiles_are_pictures():
    """100 ns of work and 60 of overhead; whoever waits for the message ends when it is there."""
    sender, receiver = Process().run(100, 60).send('1>2'), Process().run(20, 0).receive('1>2', there=260)
    write('drawn', {'p1': sender.text(), 'p2': receiver.text()}, SETTINGS)
    with open('drawn.profile', 'w', encoding='utf-8') as file:
        file.write(run('profile', 'drawn', '--json'))
    for options in (), ('--view', 'profile'):
        equal(run('export', 'drawn.profile', '-o', 'kept.svg', *options), '')
        texts, told = bars('kept.svg')
        for text in ('Profile: drawn.profile', 'all 2 processes', 'p1', 'p2', 'Measured', 'Compensated locally',
                     'Compensated in parallel', 'Approximated from the trace', 'Waiting'):
            equal(text in texts, True, f'{text} of {texts}')
        equal([text for text in texts if text.endswith(' ns')],
              ['160 ns', '100 ns', '100 ns', '100 ns', '260 ns', '260 ns', '200 ns', '200 ns'])
        contains(told, 'Measured 260 ns; Compensated locally 260 ns; Compensated in parallel 200 ns;')
    equal(run('export', 'drawn', '-o', 'traced.svg', '--view', 'profile'), '')
    equal([text for text in bars('traced.svg')[0] if text.endswith(' ns')],
          [text for text in bars('kept.svg')[0] if text.endswith(' ns')])
    local = json.loads(run('profile', 'drawn', '--json', '--compensation', 'local'))
    with open('local.profile', 'w', encoding='utf-8') as file:
        json.dump(local, file)
    run('export', 'local.profile', '-o', 'local.svg')
    equal('Compensated in parallel' in bars('local.svg')[0], False)
    contains(refuse('export', 'drawn.profile', '-o', 'out.svg', '--view', 'waiting'), '--view profile')
    contains(refuse('export', 'drawn.profile', '-o', 'out.svg', '--timeline', 'event'), '--timeline')
    with open('nothing.profile', 'w', encoding='utf-8') as file:
        file.write('{"lightcone_profile": 1, "title": "nothing", "ways": 7, "processes": []}')
    contains(refuse('export', 'nothing.profile', '-o', 'out.svg'), 'nothing.profile')


@test
def damaged_profiles_are_refused():
    for number, text in enumerate(['', '{"lightcone_profile": 1', '[]', '{"lightcone_profile": 2, "processes": []}',
                                   '{"lightcone_profile": 1, "processes": [{"rank": 0}]}', '[' * 100]):
        name = f'damaged-{number}.profile'
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        contains(refuse('profile', name), name)


@test
def wrong_usage_is_explained():
    contains(refuse('profile', '--compensation', 'some', '--', 'true'), 'none, local, parallel or all')
    contains(refuse('profile', '--overhead', '-1', '--', 'true'), '--overhead')
    equal(lightcone('profile', '--', './there-is-none').returncode, 127)
    for name in 'none.profile', './none.trace', 'no-such-program':
        contains(refuse('profile', name), f'{name}: there is no such profile or trace, and no such program')
    with open('is.profile', 'w', encoding='utf-8') as file:
        json.dump({'lightcone_profile': 1, 'ways': 1, 'processes': []}, file)
    for command in ('info',), ('stats', 'waiting'), ('merge',), ('critical-path',):
        contains(refuse(command[0], 'is.profile', *command[1:]), '“lightcone profile” shows it')
    contains(refuse('compare', 'is.profile', 'is.profile'), '“lightcone profile” shows it')
    found = lightcone('profile', '-o', 'none.profile', '--', 'sh', '-c', 'exit 3')
    equal(found.returncode, 3)
    contains(found.stderr, 'no process has called MPI_Init')
    equal(os.path.exists('none.profile'), False)


if __name__ == '__main__':
    main()
