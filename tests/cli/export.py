#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lightcone export writes: valid files that say what they show, and nothing over anything else in them."""
import json
import os
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

from cli import Skip, contains, equal, lightcone, main, test
from tables import WAIT, WAIT_SETTINGS, refuse, run, write

DOCS = os.environ['LIGHTCONE_DOCS']
SVG = '{http://www.w3.org/2000/svg}'
# Two waits by many stacks: names for a flame graph.
CALLED = {'a': ''.join(f'{number * 100} {number * 100 + 10 + number % 7 * 9} await Y {number} '
                       f'at=inner{number % 5}@src/a.c:{number};a_rather_long_name_of_a_function@a.c:1;main@a.c:2\n'
                       for number in range(30)),
          'b': ''.join(f'{number * 100 + 9 + number % 7 * 9} {number * 100 + 9 + number % 7 * 9} advance Y {number} '
                       f'at=give{number % 3}@b.c:{number}\n' for number in range(30))}
GAUSS = {
    'a': '0 10 tag value=1\n100 110 barrier rounds 0\n150 310 barrier rounds 1\n350 360 tag value=3\n',
    'b': '0 10 tag value=1\n40 110 barrier rounds 0\n300 310 barrier rounds 1\n350 360 tag value=3\n',
    'c': '20 30 tag value=1\n60 110 barrier rounds 0\n200 310 barrier rounds 1\n320 330 tag value=3\n',
}
LOCKS = {
    'a': '0 10 lock m 1 cpu=0\n100 110 unlock m 1 cpu=1\n200 210 lock n 1 cpu=1\n220 230 unlock n 1 cpu=1\n',
    'b': '20 130 lock m 2 cpu=2\n150 150 unlock m 2 cpu=2\n160 170 lock m 3 cpu=3\n180 190 unlock m 3 cpu=3\n',
}
MESSAGES = {
    'a': '0 5 tag value=1\n100 120 send 0>1:0 1 bytes=8000000\n500 510 send 0>1:0 2 bytes=8000000\n',
    'b': '0 150 recv 0>1:0 1 bytes=8000000\n200 205 tag value=1\n210 520 recv 0>1:0 2 bytes=8000000\n',
}
NAME = 'a process with a name that is so long that no picture has room for all of it, ' * 3
ODD = {
    'a': f'%process {NAME}\n0 10 tag value=1\n20 30 lock m 1\n40 50 unlock m 1\n',
    'b': '%process שלום עולם\n0 5 tag value=1\n25 60 lock m 2\n61 62 unlock m 2\n',
    'c': '%process 日本語の名前\n0 20 tag value=1\n25 80 lock m 3\n85 90 unlock m 3\n',
    'd': '%process <b> & "c"\n0 20 tag value=1\n',
}


def views():
    return json.loads(run('export', '--list-views', '--json'))['view']


def names():
    return [view['name'] for view in views()]


def export(trace, name, *options):
    equal(run('export', trace, '-o', name, *options), '', 'the output')
    with open(name, 'rb') as file:
        return file.read()


def try_export(trace, name, *options):
    """None if there is nothing that the view could show: then it says what to do, and writes nothing."""
    result = lightcone('export', trace, '-o', name, *options)
    equal(result.stdout, '', 'the output')
    if result.returncode == 0:
        equal(result.stderr, '', 'errors')
        with open(name, 'rb') as file:
            return file.read()
    equal(result.returncode, 2, result.stderr)
    equal(bool(re.fullmatch(r'lightcone: [^\n]{20,}\n', result.stderr)), True, result.stderr)
    equal(os.path.exists(name), False, 'whether there is a file')
    return None


# --- What is in a file ----------------------------------------------------------------------------------------------


def size_of_png(data):
    equal(data[:8], b'\x89PNG\r\n\x1a\n', 'the signature')
    equal(data[12:16], b'IHDR', 'the first chunk')
    equal(data[-8:-4], b'IEND', 'the last chunk')
    return struct.unpack('>II', data[16:24])


def check_file(data, kind, title):
    """Of 600 x 400."""
    if kind == 'png':
        equal(size_of_png(data), (600, 400), 'the size')
    elif kind == 'pdf':
        equal((data[:5], data.rstrip()[-5:]), (b'%PDF-', b'%%EOF'), 'begin and end')
        contains(data.decode('latin-1'), '/MediaBox [ 0 0 450 300 ]')
        equal(title.encode() in data or title.encode('utf-16-be').hex() in data.decode('latin-1').lower(), True, title)
    else:
        root = ElementTree.fromstring(data)
        equal((root.tag, root.get('width'), root.get('height')), (SVG + 'svg', '600', '400'))
        equal(root.find(SVG + 'title').text, title)


def texts(data):
    return [''.join(text.itertext()) for text in ElementTree.fromstring(data).iter(SVG + 'text')]


def in_group(data, name):
    """The texts in a group of an SVG, one after the other."""
    groups = [group for group in ElementTree.fromstring(data).iter(SVG + 'g') if group.get('id') == name]
    equal(len(groups), 1, f'groups {name}')
    return ' '.join(''.join(text.itertext()) for text in groups[0].iter(SVG + 'text'))


def shown(data):
    return in_group(data, 'shown')


def width(letter):
    """About what a letter of a wide font (DejaVu Sans) takes up, of its size; rather more."""
    if ord(letter) >= 0x3000:
        return 1
    if letter.isdigit():
        return 0.64
    if letter in 'mwMW%@':
        return 0.99
    if letter in "iljI.,:;|!'· ":
        return 0.34
    if letter in 'ftr()-/':
        return 0.42
    if letter in 'sczJ':
        return 0.57
    return 0.74 if letter.isupper() else 0.64


def box(text):
    """What can be seen of a text: left, top, right, bottom."""
    size = float(text.get('font-size', 11))
    x, y = float(text.get('x')), float(text.get('y'))
    content = ''.join(text.itertext())
    length = float(text.get('textLength', sum(width(letter) for letter in content) * size))
    backwards, anchor = text.get('direction') == 'rtl', text.get('text-anchor')
    left = x - (length / 2 if anchor == 'middle' else length if (anchor == 'end') != backwards else 0)
    found = (left, y - 0.74 * size, left + length, y + 0.2 * size)
    turned = re.fullmatch(r'rotate\(-90 (\S+) (\S+)\)', text.get('transform', ''))
    if turned:
        x, y = float(turned[1]), float(turned[2])
        found = (x + found[1] - y, y - found[2] + x, x + found[3] - y, y - found[0] + x)
    else:
        equal(text.get('transform'), None, 'the transform of a text')
    return found


def touch(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def overlaps(data):
    """Pairs of texts over each other, and texts that are not all in the picture."""
    root = ElementTree.fromstring(data)
    right, bottom = float(root.get('width')), float(root.get('height'))
    found = [(''.join(text.itertext()), box(text)) for text in root.iter(SVG + 'text')]
    for number, (text, where) in enumerate(found):
        if where[0] < -10 or where[1] < -2 or where[2] > right + 10 or where[3] > bottom + 2:
            yield f'{text} is outside'
        for other, there in found[:number]:
            if touch(where, there):
                yield f'{text} is over {other}'


# --- Every picture --------------------------------------------------------------------------------------------------


# With a sanitizer each picture takes a quarter of a second: every kind and every theme then, but not all of both.
QUICK = bool(os.environ.get('LIGHTCONE_QUICK'))
CONTRASTS = [('high-contrast', 'png'), ('high-contrast-dark', 'svg')]
APPEARANCES = CONTRASTS + ([('light', 'png'), ('dark', 'svg'), ('print', 'pdf')] if QUICK else
                           [(theme, kind) for theme in ('light', 'dark', 'print') for kind in ('png', 'svg', 'pdf')])
KINDS = ('svg',) if QUICK else ('png', 'svg', 'pdf')
SIZES = ['400x300', '3000x400'] if QUICK else ['1200x800', '400x300', '300x200', '300x1500', '3000x400']


@test
def every_view_can_be_asked_for():
    listed = run('export', '--list-views')
    for view in views():
        contains(listed, view['name'])
        contains(listed, view['summary'])
        equal(bool(view['title']) and view['summary'].endswith('.'), True, view)
        equal(bool(re.fullmatch(r'[a-z-]+', view['name'])), True, view['name'])
    equal(len(listed.splitlines()), len(views()), 'lines')


@test
def the_manual_has_every_view():
    with open(os.path.join(DOCS, 'pictures.md'), encoding='utf-8') as file:
        rows = re.findall(r'^\| `([a-z][a-z-]*)` \| (.*?) \| (.*?) ?\|$', file.read(), re.MULTILINE)
    expected = [(view['name'], view['summary'], set(view['options']) - {'processes'}) for view in views()]
    found = [(name, summary, set(re.findall(r'`--([a-z-]+)`', options)) - {'timeline'})
             for name, summary, options in rows]
    equal(found, expected, 'the table of views')


@test
def the_first_view_is_the_default():
    write('gauss', GAUSS)
    equal(export('gauss', 'one.svg'), export('gauss', 'two.svg', '--view', names()[0]))


@test
def a_maintainer_is_told_what_happens():
    write('gauss', GAUSS)
    export = ('export', 'gauss', '-o', 'one.svg')
    told = lightcone(*export, env={**os.environ, 'G_MESSAGES_DEBUG': 'all'}).stderr
    for line in (r'lightcone-history-DEBUG.*gauss: merged into .*history.lightcone in [0-9.]+ ms',
                 r'lightcone-history-DEBUG.*query: SELECT',
                 r'lightcone-draw-DEBUG.*scene from 0 to 360: [1-9][0-9]* marks',
                 r'lightcone-draw-DEBUG.*view space-time gathered in [0-9.]+ ms'):
        equal(bool(re.search(line, told)), True, f'{line} in {told}')
    told = lightcone(*export, env={**os.environ, 'G_MESSAGES_DEBUG': 'lightcone-draw'}).stderr
    contains(told, 'lightcone-draw-DEBUG')
    equal('lightcone-history' in told, False, told)
    run(*export)


@test
def operations_are_labelled_with_what_they_are_about():
    write('held', {'a': '0 100 lock queue_a.m 1\n3000 3100 unlock queue_a.m 1\n',
                   'b': '100 5000 lock queue_a.m 2\n6000 6100 unlock queue_a.m 2\n'
                        '7000 9800 condition-wait deep/Pool::ready 1\n',
                   'c': '8800 8900 signal deep/Pool::ready 1\n'})
    wide = export('held', 'wide.svg', '--size', '900x400').decode()
    contains(wide, '>lock queue_a.m<')
    contains(wide, '>condition-wait ready<')
    narrow = export('held', 'narrow.svg', '--size', '300x600').decode()
    contains(narrow, '>lock<')
    equal('>lock queue_a.m<' in narrow, False, 'a name that does not fit')


@test
def every_picture_is_a_valid_file_in_every_theme():
    write('gauss', GAUSS)
    write('locks', LOCKS)
    write('messages', MESSAGES)
    titles = {view['name']: view['title'] for view in views()}
    never = set(titles)
    write('called', CALLED)
    for trace in ('gauss', 'locks', 'messages', 'called'):
        for view, title in titles.items():
            themes = set()
            for theme, kind in APPEARANCES:
                data = try_export(trace, f'{trace}-{view}-{theme}.{kind}', '--view', view, '--theme', theme,
                                  '--size', '600x400')
                if data is not None:
                    check_file(data, kind, f'{title}: {trace}')
                    themes.add(data)
            if themes:
                never.discard(view)
                equal(len(themes), len(APPEARANCES), f'different files of {view}')
    # No trace of text keeps matrices.
    equal(never - {'snapshots'}, set(), 'views that had nothing to show of any trace')


@test
def every_picture_says_what_it_shows():
    write('gauss', GAUSS)
    write('messages', MESSAGES)
    write('called', CALLED)
    for view in names():
        for trace in ('gauss', 'messages', 'called'):
            data = try_export(trace, f'{trace}-{view}.svg', '--view', view)
            if data is None:
                continue
            line = shown(data)
            contains(line, 'Timeline measured')
            contains(line, 'whole run: 0–')
            contains(line, 'process')
            contains(in_group(data, 'title'), trace)
            axes = in_group(data, 'x-axis') + in_group(data, 'y-axis') or in_group(data, view)
            equal(axes != '', True, f'axes of {view}')
            if 'Time' in axes:
                equal(bool(re.search(r'Time \((ns|µs|ms|s|min|h|min:s|h:min|h:min:s)\)', axes)), True, axes)
            contains(ElementTree.fromstring(data).find(SVG + 'desc').text, line)


@test
def pictures_have_a_legend():
    write('gauss', GAUSS)
    contains(in_group(export('gauss', 'waiting.svg', '--view', 'waiting'), 'legend'),
             'Running Woken, not yet going on Waiting')
    contains(in_group(export('gauss', 'ratio.svg', '--view', 'ratio'), 'legend'), 'Measured')


@test
def no_text_is_over_another_one():
    write('gauss', GAUSS)
    write('messages', MESSAGES)
    write('odd', ODD)
    write('called', CALLED)
    write('crowd', {f'worker {number}': f'{number} {number + 50} tag value={number % 3}\n100 {120 + number} lock m '
                                        f'{number}\n{130 + number} {131 + number} unlock m {number}\n'
                    for number in range(60)})
    for view in names():
        for trace in ('gauss', 'messages', 'odd', 'crowd', 'called'):
            for size in SIZES:
                data = try_export(trace, f'{view}-{trace}-{size}.svg', '--view', view, '--size', size)
                if data is not None:
                    equal(list(overlaps(data)), [], f'{view} of {trace} in {size}')


@test
def the_same_picture_has_the_same_bytes():
    write('gauss', GAUSS)
    for kind in KINDS:
        for view in names():
            one, other = (try_export('gauss', f'{view}-{number}.{kind}', '--view', view, '--size', '600x400')
                          for number in '12')
            equal(one, other, f'{view} as {kind}')


@test
def traces_with_next_to_nothing_have_pictures_or_say_why_not():
    write('empty', {'a': ''})
    write('one', {'a': '5 5 tag value=1\n'})
    write('alone', {'a': '5 15 tag value=1\n20 30 tag value=2\n'})
    drawn = set()
    for view, title in {view['name']: view['title'] for view in views()}.items():
        for trace in ('empty', 'one', 'alone'):
            for kind in KINDS:
                data = try_export(trace, f'{trace}-{view}.{kind}', '--view', view, '--size', '600x400')
                if data is not None:
                    check_file(data, kind, f'{title}: {trace}')
                    drawn.add((trace, view))
                if data is not None and kind == 'svg':
                    equal(list(overlaps(data)), [], f'{view} of {trace}')
                    equal(re.search(rb'[^a-z](nan|inf)[^a-z]', data), None, f'{view} of {trace}')
    equal({('empty', 'waiting'), ('one', 'waiting'), ('alone', 'waiting'), ('alone', 'ratio')} - drawn, set())


@test
def thousands_of_processes_have_readable_pictures():
    write('many', {f'worker-{number}': f'{number} {number + 10} tag value=1\n{100 + number} {3000 + number % 500} '
                                       'barrier b 0\n' for number in range(2000)})
    for view in names():
        data = try_export('many', f'{view}.svg', '--view', view)
        if data is not None:
            contains(shown(data), '2,000')
            equal(list(overlaps(data)), [], view)
            equal(len(data) < 2_000_000, True, f'{len(data)} bytes of {view}')
            equal(len(texts(data)) < 400, True, f'{len(texts(data))} texts of {view}')
    data = export('many', 'waiting.svg', '--view', 'waiting')
    contains(in_group(data, 'notes'), 'average of 10 processes')
    contains(in_group(export('many', 'space-time.svg'), 'notes'), 'less than 1 event on average')


# --- Options --------------------------------------------------------------------------------------------------------


@test
def size_and_scale_are_of_the_picture():
    write('gauss', GAUSS)
    for size, scale, expected in (('640x480', '1', (640, 480)), ('640x480', '2.5', (1600, 1200)),
                                  ('301x201', '1', (301, 201))):
        data = export('gauss', 'out.png', '--view', 'waiting', '--size', size, '--scale', scale)
        equal(size_of_png(data), expected)
    root = ElementTree.fromstring(export('gauss', 'out.svg', '--view', 'waiting', '--size', '640x480'))
    equal((root.get('width'), root.get('height'), root.get('viewBox')), ('640', '480', '0 0 640 480'))
    contains(export('gauss', 'out.pdf', '--view', 'waiting', '--size', '640x480').decode('latin-1'),
             '/MediaBox [ 0 0 480 360 ]')


@test
def the_title_is_what_is_asked_for():
    write('gauss', GAUSS, '[trace]\ntitle=elimination of 200 rows\n')
    data = export('gauss', 'out.svg', '--view', 'waiting')
    equal(in_group(data, 'title'), 'Running and waiting: elimination of 200 rows')
    data = export('gauss', 'out.svg', '--view', 'waiting', '--title', 'Figure 3 <a> & b')
    equal(in_group(data, 'title'), 'Figure 3 <a> & b')
    equal(ElementTree.fromstring(data).find(SVG + 'title').text, 'Figure 3 <a> & b')


@test
def processes_are_chosen_by_name_number_range_and_pattern():
    write('crowd', {f'worker {number}': f'0 {number + 10} tag value=1\n' for number in range(12)})

    def names_of(choice):
        data = export('crowd', 'out.svg', '--view', 'waiting', '--processes', choice)
        return in_group(data, 'y-axis').split('worker ')[1:], shown(data)

    for choice, expected in (('3', '3'), ('worker 3', '3'), ('2-4', '2 3 4'), ('worker 1*', '1 10 11'),
                             ('worker ?', '0 1 2 3 4 5 6 7 8 9'), ('7,0-1,worker 11', '7 0 1 11'),
                             ('1,1,0-2', '1 0 2'), (' 3 , 5 ', '3 5')):
        found, line = names_of(choice)
        equal([name.strip() for name in found], expected.split(), choice)
        contains(line, f'{len(expected.split())} of 12 processes')


def filtering_view():
    for view in views():
        if {'operations', 'from', 'time', 'highlight', 'orientation'} <= set(view['options']):
            return view['name']
    raise Skip('no view has all of these options')


@test
def a_part_of_the_run_is_given_by_times_and_shares():
    view = filtering_view()
    write('gauss', GAUSS)
    expected = export('gauss', 'expected.svg', '--view', view, '--from', '90', '--to', '180')
    contains(shown(expected), 'part of the run: 90–180 ns of 0–360 ns')
    for first, last in (('90ns', '180 ns'), ('0.09us', '0.18µs'), ('0.00009ms', '0.00018ms'),
                        ('0.00000009s', '0.00000018s'), ('25%', '50%')):
        equal(export('gauss', 'out.svg', '--view', view, '--from', first, '--to', last), expected, f'{first} to {last}')
    contains(shown(export('gauss', 'out.svg', '--view', view, '--to', '120')), '0–120 ns of 0–360 ns')
    contains(shown(export('gauss', 'out.svg', '--view', view, '--from', '120')), '120–360 ns of 0–360 ns')
    contains(shown(export('gauss', 'out.svg', '--view', view, '--to', '1h')), 'whole run: 0–360 ns')


@test
def layers_and_phases_are_given_by_number():
    view = filtering_view()
    write('gauss', GAUSS)
    # Four events of each process, the barriers in one layer each: four layers.
    data = export('gauss', 'out.svg', '--view', view, '--time', 'logical')
    contains(shown(data), 'logical time · whole run: layers 1–4')
    data = export('gauss', 'out.svg', '--view', view, '--time', 'logical', '--from', '2', '--to', '3')
    contains(shown(data), 'part of the run: layers 2–3 of layers 1–4')
    data = export('gauss', 'out.svg', '--view', view, '--time', 'phase', '--phases', 'tag')
    contains(shown(data), 'phase time · whole run: phases 1–3')
    contains(shown(data), 'phases by tag')
    data = export('gauss', 'out.svg', '--view', view, '--time', 'phase', '--phases', 'tag', '--from', '1', '--to', '1')
    contains(shown(data), 'part of the run: phases 1–1 of phases 1–3')
    contains(refuse('export', 'gauss', '-o', 'out.svg', '--view', view, '--time', 'phase', '--from', '7'),
             'the number of a phase, from before to 3')


@test
def operations_and_objects_are_chosen_by_name_pattern_and_class():
    view = filtering_view()
    write('locks', LOCKS)
    for choice, expected in (('lock', 'only lock'), ('lock,unlock', 'only lock, unlock'), ('un*', 'only unlock')):
        contains(shown(export('locks', 'out.svg', '--view', view, '--operations', choice)), expected)
    contains(shown(export('locks', 'out.svg', '--view', view, '--operations', 'mutex')), 'lock, ')
    contains(shown(export('locks', 'out.svg', '--view', view, '--objects', 'm')), 'only on m')
    contains(shown(export('locks', 'out.svg', '--view', view, '--objects', '?')), 'only on m, n')


@test
def highlights_are_told():
    view = filtering_view()
    write('gauss', GAUSS)
    for choice, expected in (('critical-path', 'critical path highlighted'), ('past:1:2', 'past of b:2'),
                             ('future:c:1', 'future of c:1'), ('cone:0:1', 'past and future of a:1')):
        contains(shown(export('gauss', 'out.svg', '--view', view, '--highlight', choice)), expected)


@test
def time_goes_down_or_to_the_right():
    view = filtering_view()
    write('gauss', GAUSS)
    contains(in_group(export('gauss', 'out.svg', '--view', view), 'y-axis'), 'Time (ns)')
    contains(in_group(export('gauss', 'out.svg', '--view', view, '--orientation', 'down'), 'y-axis'), 'Time (ns)')
    contains(in_group(export('gauss', 'out.svg', '--view', view, '--orientation', 'right'), 'x-axis'), 'Time (ns)')


@test
def timelines_are_never_mistaken():
    write('wait', WAIT, WAIT_SETTINGS)
    for model in ('event', 'optimistic', 'pessimistic'):
        run('approximate', 'wait', '--model', model)
    run('approximate', 'wait', '--name', 'mine, too')
    run('what-if', 'wait', '--scale', 'A=0')
    contains(shown(export('wait', 'out.svg', '--view', 'waiting')), 'Timeline measured ·')
    for name, told in (('event', 'Timeline approximated: event model ·'),
                       ('mine, too', 'Timeline mine, too (approximated: event model) ·'),
                       ('what-if', 'Timeline what if: A × 0, event model ·')):
        contains(shown(export('wait', 'out.svg', '--view', 'waiting', '--timeline', name)), told)
    data = export('wait', 'out.svg', '--view', 'ratio')
    contains(shown(data), 'Timelines measured; approximated: event model; approximated: optimistic model')
    data = export('wait', 'out.svg', '--view', 'ratio', '--timeline', 'measured,event', '--actual', '980')
    contains(shown(data), 'Timelines measured; approximated: event model ·')
    contains(shown(data), 'actually: 980 ns')
    equal({'1.031 (1.01 µs)', '0.998 (978 ns)'} <= set(texts(data)), True, texts(data))
    view = filtering_view()
    data = export('wait', 'out.svg', '--view', view, '--timeline', 'event,measured', '--bounds',
                  'optimistic,pessimistic')
    contains(shown(data), 'Timelines approximated: event model; measured ·')
    contains(shown(data), 'bounds: approximated: optimistic model to approximated: pessimistic model')


@test
def ratios_are_those_of_the_table():
    write('gauss', GAUSS)
    data = export('gauss', 'out.svg', '--view', 'ratio', '--actual', '240')
    contains(texts(data), '1.500 (360 ns)')
    contains(texts(data), 'Total / actual')


@test
def shares_of_waiting_are_those_of_the_table():
    write('gauss', GAUSS)
    data = export('gauss', 'out.svg', '--view', 'waiting')
    table = json.loads(run('stats', 'gauss', 'waiting', '--json'))['process']
    for row in table:
        contains(texts(data), f'{row["percent"]:.1f} %')


@test
def an_option_that_a_view_does_not_look_at_is_refused():
    values = {'processes': '0', 'time': 'logical', 'bounds': 'measured,measured', 'from': '1', 'to': '9',
              'operations': 'tag', 'objects': 'rounds', 'longer-than': '1us', 'slack': '1us', 'collapse': 'all',
              'no-arcs': None, 'no-holding': None, 'highlight': 'critical-path', 'marks': '*',
              'within': 'solve', 'called-in': 'main',
              'tag': '1', 'orientation': 'right', 'phases': 'tag', 'intervals': '3', 'measure': 'waiting',
              'actual': '9', 'by': 'waiter', 'frame': 'main()', 'colour': 'site', 'style': 'moviola',
              'hide': 'waiting', 'layout': 'grid', 'frames': '2', 'rate': '5'}
    known = views()
    equal({option for view in known for option in view['options']} - set(values), set(), 'options without a value here')
    write('gauss', GAUSS)
    for view in known:
        for option, value in values.items():
            words = [f'--{option}'] if value is None else [f'--{option}', value]
            result = lightcone('export', 'gauss', '-o', 'out.svg', '--view', view['name'], *words)
            refused = f'--{option} does not go with '
            if option in view['options']:
                equal(refused in result.stderr, False, f'{view["name"]} --{option}: {result.stderr}')
                continue
            equal((result.returncode, result.stdout), (2, ''), f'{view["name"]} --{option}')
            contains(result.stderr, refused)
            for other in known:
                if option in other['options']:
                    contains(result.stderr, other['name'])


# --- Rows of several processes, and less than all --------------------------------------------------------------------


TEAM = {
    'a': '%process main\n0 10 tag value=1\n40 110 barrier rounds 0\n305 310 barrier rounds 1\n',
    'b': '%process worker-1\n100 110 barrier rounds 0\n160 310 barrier rounds 1\n'
         '350 360 lock m 1\n361 365 unlock m 1\n',
    'c': '%process worker-2\n100 110 barrier rounds 0\n170 310 barrier rounds 1\n'
         '350 370 lock m 2\n372 375 unlock m 2\n',
}


@test
def processes_can_share_a_row():
    write('team', TEAM)
    data = export('team', 'prefix.svg', '--collapse', 'prefix')
    equal(in_group(data, 'names'), 'main worker (2)')
    contains(shown(data), 'all 3 processes in 2 rows')
    contains(data.decode(), 'worker (2): 8 events')
    contains(in_group(data, 'legend'), 'Event')
    data = export('team', 'all.svg', '--collapse', 'all')
    equal(in_group(data, 'names'), '3 processes')
    equal('Event' in in_group(data, 'legend'), False, 'whether there are boxes')
    equal('Together' in in_group(data, 'legend'), False, 'whether there are arcs')
    contains(data.decode(), '3 processes: 11 events')
    data = export('team', 'some.svg', '--collapse', 'prefix', '--processes', 'worker-2,main')
    equal(in_group(data, 'names'), 'worker-2 main')


@test
def names_of_rows_that_are_lower_than_a_line_are_not_cut_and_do_not_touch():
    for number in 260, 1001, 1501:
        write('many', {f'{i:04}': f'%process p{i}\n0 10 tag value=1\n' for i in range(number)})
        data = export('many', 'many.svg', '--orientation', 'right', '--size', '600x300', '--no-arcs')
        top, height = map(float, re.search(rb'<clipPath[^>]*><path d="M[0-9.]+ ([0-9.]+)h[0-9.]+v([0-9.]+)h',
                                           data).groups())
        group, = (group for group in ElementTree.fromstring(data).iter(SVG + 'g') if group.get('id') == 'names')
        names = [(float(text.get('y')), float(text.get('font-size'))) for text in group.iter(SVG + 'text')]
        apart = min(after[0] - before[0] for before, after in zip(names, names[1:]))
        assert apart > names[0][1], f'{number} rows, whose names are {apart} from each other'
        assert number == 260 or names[0][0] - names[0][1] > top - 1, f'{number} rows, the first at {names[0]}'
        assert names[-1][0] < top + height, f'{number} rows, the last at {names[-1]}'
        shutil.rmtree('many')


@test
def processes_of_a_host_can_share_a_row():
    write('team', TEAM)
    equal(in_group(export('team', 'host.svg', '--collapse', 'host'), 'names'), '3 processes')


@test
def only_long_waits_can_be_shown():
    write('team', TEAM)
    data = export('team', 'long.svg', '--longer-than', '100')
    contains(shown(data), 'only what waited 100 ns or longer')
    equal(in_group(data, 'operations'), 'barrier rounds barrier rounds')
    data = export('team', 'longest.svg', '--longer-than', '0.14us')
    equal(in_group(data, 'operations'), 'barrier rounds')


MARKED = {
    'a': '0 5 enter solve\n10 20 lock m 1\n21 26 unlock m 1\n30 35 leave solve\n40 45 tag value=7\n50 60 lock n 1\n'
         '65 70 unlock n 1\n71 76 tag value=8\n80 90 advance A 1\n',
    'b': '0 5 enter -print\n6 40 lock m 2\n45 50 unlock m 2\n51 56 leave -print\n60 65 tag value=-7\n'
         '70 95 await A 1\n',
}


def operations_of(data):
    group = next(group for group in ElementTree.fromstring(data).iter(SVG + 'g') if group.get('id') == 'operations')
    return sorted(''.join(text.itertext()).split()[0] for text in group.iter(SVG + 'text'))


@test
def only_what_is_inside_a_region_or_after_a_tag_can_be_shown():
    write('marked', MARKED)
    solve, seven = ['enter', 'leave', 'lock', 'unlock'], ['lock', 'tag', 'unlock']
    for options, said, operations in (
            (['--within', 'solve'], 'only inside solve', solve),
            (['--tag', '7'], 'only inside tag 7', seven),
            (['--tag', '-7'], 'only inside tag -7', ['await', 'tag']),
            (['--within', 'solve', '--tag', '7'], 'only inside solve, tag 7', sorted(solve + seven)),
            (['--within', 'solve', '--within', '-print'], 'only inside solve, -print', sorted(solve + solve)),
            (['--within', 'solve', '--operations', 'lock'], 'only inside solve', ['lock']),
            (['--tag', '99'], 'only inside tag 99', [])):
        data = export('marked', 'out.svg', *options, '--size', '2000x2000')
        contains(shown(data), said)
        equal(operations_of(data), operations, f'the events of {options}')


@test
def only_what_is_called_in_a_place_can_be_shown():
    write('placed', {'a': '0 10 lock m 1 at=put@q.c:7;feed@q.c:20\n20 25 unlock m 1 at=put@q.c:9;feed@q.c:20\n'
                          '30 40 advance A 1 at=feed@q.c:21\n50 60 tag value=1\n'})
    for place, operations in (('put', ['lock', 'unlock']), ('q.c:7', ['lock']), ('feed', ['advance', 'lock', 'unlock']),
                              ('Q.C', ['advance', 'lock', 'unlock'])):
        data = export('placed', 'out.svg', '--called-in', place, '--size', '2000x2000')
        contains(shown(data), f'only called in {place}')
        equal(operations_of(data), operations, f'the events called in {place}')


@test
def only_what_has_little_slack_can_be_shown():
    write('marked', MARKED)
    rows = json.loads(lightcone('sql', '--json', 'marked', 'select e.operation, s.slack from slack s join event e '
                                'using (process, ordinal) where s.from_process is null').stdout)
    equal(sorted({row['slack'] for row in rows})[0], 0, 'the least slack')
    for words, most, said in (('0', 0, 'only what has no slack'), ('5', 5, 'only what has slack up to 5 ns'),
                              ('0.02us', 20, 'only what has slack up to 20 ns')):
        data = export('marked', 'out.svg', '--slack', words, '--size', '2000x2000')
        contains(shown(data), said)
        expected = sorted(row['operation'] for row in rows if row['slack'] <= most)
        equal(operations_of(data), expected, f'the events with {words} of slack')
    refused = lightcone('export', 'marked', '-o', 'out.svg', '--slack', 'much')
    equal(refused.returncode, 2, 'the status')
    contains(refused.stderr, '--slack much: it has to be a time')


@test
def physical_time_is_cut_at_layers_and_phases():
    write('marked', MARKED)

    def span(query):
        row = json.loads(lightcone('sql', '--json', 'marked', query).stdout)[0]
        return f"{row['first']}–{row['last']} ns"

    for view in ('parallelism', 'matrix', 'objects', 'waiting-history', 'slack', 'space-time'):
        data = export('marked', 'out.svg', '--view', view, '--from', 'layer 2', '--to', 'layer 4')
        contains(shown(data), span('select min(begin) filter (where layer = 2) as first, '
                                   'max(end) filter (where layer = 4) as last from event'))
    tags = {7: (40, 70), 8: (70, 95), -7: (60, 65)}
    for value, (first, last) in tags.items():
        data = export('marked', 'out.svg', '--view', 'parallelism', '--phases', 'tag', '--from', f'phase {value}',
                      '--to', f'phase {value}')
        contains(shown(data), f'{first}–{last} ns')
    for place, said in (('layer 99', 'the number of a layer, from 0 to'), ('phase x', 'the number of a phase'),
                        ('layer', 'a place in the order')):
        refused = lightcone('export', 'marked', '-o', 'out.svg', '--from', place)
        equal(refused.returncode, 2, 'the status')
        contains(refused.stderr, said)


def colours_in_legend(data):
    """The colour of each text, as the sample before it has it."""
    colours, colour = {}, None
    for element in next(group for group in ElementTree.fromstring(data).iter(SVG + 'g') if group.get('id') == 'legend'):
        if element.tag == SVG + 'text':
            colours[''.join(element.itertext())] = colour
        elif element.get('fill') != 'none':
            colour = element.get('fill')
    return colours


def boxes_of(data):
    """How many boxes of events there are of each colour."""
    group = next(group for group in ElementTree.fromstring(data).iter(SVG + 'g') if group.get('id') == 'events')
    return {path.get('fill'): path.get('d').lower().count('m') for path in group.iter(SVG + 'path')}


@test
def events_have_the_colour_of_their_function():
    lines = [f'{10 * i} {10 * i + 9 - i} tag value=1 at=f{i}@q.c:{i + 1}\n' for i in range(9)]
    write('coloured', {'a': ''.join(lines) + '100 101 tag value=1\n110 112 unlock m 1 at=f0@q.c:30\n',
                       'b': '0 121 lock m 2 at=f8@q.c:40\n'})
    data = export('coloured', 'out.svg', '--colour', 'site', '--size', '2000x2000')
    contains(shown(data), 'coloured by function')
    # f8 takes longest, for it waited; then f0 to f6. f7 is one of the others.
    colours, boxes = colours_in_legend(data), boxes_of(data)
    equal([name for name in colours if name[0] == 'f'], ['f8', *(f'f{i}' for i in range(7))], 'functions by time')
    own = [colour for name, colour in colours.items() if name[0] == 'f' or name.startswith('Called')]
    equal((len(own), len(set(own))), (10, 10), 'different colours')
    # After its waiting, the lock of f8 is woken to its end.
    for name, n in (('f8', 1), ('f0', 2), ('f1', 1), ('f6', 1), ('Called in other functions', 1),
                    ('Called in no known function', 1)):
        equal(boxes[colours[name]], n, f'boxes of {name}')
    # The same colours in a part of the run, and only those that are seen.
    part = export('coloured', 'part.svg', '--colour', 'site', '--from', '20', '--to', '29', '--processes', 'a')
    equal([(name, colour) for name, colour in colours_in_legend(part).items() if name[0] == 'f'],
          [('f2', colours['f2'])], 'of a part')
    equal(colours_in_legend(export('coloured', 'plain.svg')).get('f8'), None, 'without the option')
    logical = export('coloured', 'logical.svg', '--colour', 'site', '--time', 'logical')
    equal(colours_in_legend(logical)['f3'], colours['f3'], 'in logical time')


@test
def functions_have_no_colour_where_events_are_summed_up():
    write('crowd', {'a': ''.join(f'{10 * i} {10 * i + 5} advance A {i} at=f@q.c:1\n' for i in range(1, 40001))})
    note = 'Functions have colours only where single events are'
    contains(export('crowd', 'all.svg', '--colour', 'site').decode(), note)
    equal(note in export('crowd', 'few.svg', '--colour', 'site', '--from', '10', '--to', '1us').decode(), False)


@test
def what_is_summed_up_is_inside_too():
    lines = ['0 0 enter solve\n'] + [f'{10 * i} {10 * i + 5} advance A {i}\n' for i in range(1, 40001)]
    write('long', {'a': ''.join(lines[:20001]) + '200010 200010 leave solve\n' + ''.join(lines[20001:])})
    contains(export('long', 'all.svg').decode(), '40,002 events')
    data = export('long', 'inside.svg', '--within', 'solve').decode()
    contains(data, '20,002 events')
    equal('40,002' in data, False, 'whether the others are counted')


@test
def arcs_and_what_is_held_can_be_left_out():
    write('locks', LOCKS)
    legend = in_group(export('locks', 'all.svg'), 'legend')
    contains(legend, 'Data arc')
    contains(legend, 'Holding an object')
    less = in_group(export('locks', 'less.svg', '--no-arcs', '--no-holding'), 'legend')
    equal(legend.replace(' Holding an object', '').replace(' Data arc', ''), less)


@test
def what_the_legend_has_can_be_left_out():
    write('locks', LOCKS)
    data = export('locks', 'all.svg').decode()
    for word, text in (('waiting', 'Waiting'), ('data-arcs', 'Data arc'), ('holding', 'Holding an object'),
                       ('running', 'Running')):
        less = export('locks', 'less.svg', '--hide', word)
        equal((text in in_group(data.encode(), 'legend'), text in in_group(less, 'legend')), (True, False), word)
        contains(less.decode(), f'Left out: {text}.')
        equal('Left out' in data, False, 'of a whole picture')
    both = export('locks', 'less.svg', '--hide', 'waiting,order-arcs').decode()
    contains(both, 'Left out: Waiting, Order arc.')
    for word in ('everything', '', 'waiting,', 'functions'):
        result = lightcone('export', 'locks', '-o', 'less.svg', '--hide', word)
        equal((result.returncode, result.stdout), (2, ''), word)
        contains(result.stderr, 'export: --hide can be running,events,waiting,')


# --- What is wrong --------------------------------------------------------------------------------------------------


@test
def wrong_options_are_refused():
    write('gauss', GAUSS)
    good = ['gauss', '-o', 'out.svg', '--view', 'waiting']
    for arguments, part in (([], 'DIR|PROFILE is missing'), (['gauss'], '-o FILE says where'),
                            (['gauss', 'more', '-o', 'out.svg'], 'one argument too many'),
                            (['--list-views', 'gauss', 'x'], 'one argument too many'),
                            ([*good, '--json'], '--json goes with --list-views'),
                            (['gauss', '-o', 'out.gif'], '.png, .svg, .pdf, .folded, .speedscope.json'),
                            (['gauss', '-o', '-'], '--format'),
                            (['gauss', '-o', 'out', '--format', 'gif'], 'folded, speedscope, sheet, not “gif”'),
                            (['gauss', '-o', 'out.svg', '--view', 'everything'], 'no view “everything”, only: '),
                            ([*good, '--size', '10x10'], '--size can be from 300x200'),
                            ([*good, '--size', '1000'], '--size can be'),
                            ([*good, '--size', '100000x1000'], '--size can be'),
                            (['gauss', '-o', 'out.png', '--scale', '0.5'], '--scale can be from 1'),
                            (['gauss', '-o', 'out.png', '--scale', 'nan'], '--scale can be from 1'),
                            ([*good, '--scale', '2'], '--scale is of a PNG'),
                            ([*good, '--theme', 'red'], 'print, high-contrast, high-contrast-dark, not “red”'),
                            ([*good, '--processes', 'd'], 'no process “d”, only 0 to 2: a, b, c'),
                            ([*good, '--processes', '1-5'], 'no process “1-5”'),
                            ([*good, '--processes', 'x*'], 'no process “x*”'),
                            ([*good, '--processes', 'a,,b'], 'nothing has no name'),
                            ([*good, '--processes', ''], 'an empty list'),
                            ([*good, '--timeline', 'none'], 'only: measured'),
                            ([*good, '--timeline', 'measured,measured'], 'names measured twice'),
                            (['gauss', '-o', 'out.svg', '--view', 'ratio', '--actual', '0'], '1 or more'),
                            (['missing', '-o', 'out.svg'], 'missing')):
        contains(refuse('export', *arguments), part)
        equal(os.path.exists('out.svg'), False, f'whether {arguments} write a file')


@test
def what_is_not_there_is_refused_with_what_is():
    view = filtering_view()
    write('gauss', GAUSS)
    good = ['gauss', '-o', 'out.svg', '--view', view]
    for arguments, part in (([*good, '--time', 'lunar'], 'physical, logical, phase, not “lunar”'),
                            ([*good, '--orientation', 'up'], 'down, right, not “up”'),
                            ([*good, '--style', 'vampir'], 'states, moviola, not “vampir”'),
                            ([*good, '--from', '12xs'], '--from 12xs: it has to be a time'),
                            ([*good, '--to', '-3'], '--to -3: it has to be a time'),
                            ([*good, '--to', '120%'], '--to 120%: it has to be a time'),
                            ([*good, '--from', '5', '--to', '5'], '--to 5 is not after --from 5'),
                            ([*good, '--from', '1s'], '--from 1s is not before the end of the run'),
                            ([*good, '--to', '0'], '--to 0 is not after the begin of the run'),
                            ([*good, '--from', '1s', '--to', '2s'], 'the run is at 0–360 ns'),
                            ([*good, '--time', 'logical', '--from', '1.5'], 'the number of a layer'),
                            ([*good, '--operations', 'lunch'], 'no operation, nor a class of them, “lunch”, only: '),
                            ([*good, '--operations', 'lunch'], 'barrier'),
                            ([*good, '--objects', 'lunch'], 'no object “lunch”, only: rounds'),
                            ([*good, '--within', 'lunch'], 'there is no region “lunch”'),
                            ([*good, '--called-in', 'lunch'], 'does not say where in the program'),
                            ([*good, '--colour', 'site'], 'does not say where in the program'),
                            ([*good, '--colour', 'lunch'], 'it has to be site'),
                            ([*good, '--tag', 'lunch'], 'it has to be a whole number'),
                            ([*good, '--highlight', 'lunch'], 'critical-path, or past:'),
                            ([*good, '--highlight', 'past:0'], 'PROCESS:ORDINAL'),
                            ([*good, '--highlight', 'past:d:0'], 'no process “d”'),
                            ([*good, '--highlight', 'past:0:9'], 'has events from 0 to 3, not 9'),
                            ([*good, '--bounds', 'measured'], 'it has to be two timelines'),
                            ([*good, '--phases', 'lunch'], 'does not define phases')):
        contains(refuse('export', *arguments), part)
        equal(os.path.exists('out.svg'), False, f'whether {arguments} write a file')


@test
def a_png_that_is_too_large_is_refused():
    write('gauss', GAUSS)
    for size, scale in (('30000x30000', '1'), ('20000x1000', '2')):
        contains(refuse('export', 'gauss', '-o', 'out.png', '--view', 'waiting', '--size', size, '--scale', scale),
                 'out.png: a PNG of ')
    contains(refuse('export', 'gauss', '-o', 'out.pdf', '--view', 'waiting', '--size', '30000x1000'),
             'out.pdf: a PDF cannot be larger')
    export('gauss', 'out.svg', '--view', 'waiting', '--size', '30000x1000')


# --- Files ----------------------------------------------------------------------------------------------------------


@test
def pictures_go_to_the_standard_output_too():
    write('gauss', GAUSS)
    for kind in ('png', 'svg', 'pdf'):
        result = lightcone('export', 'gauss', '-o', '-', '--format', kind, '--view', 'waiting', text=False)
        equal((result.returncode, result.stderr), (0, b''))
        equal(result.stdout, export('gauss', f'out.{kind}', '--view', 'waiting'), kind)
    equal(export('gauss', 'out.txt', '--format', 'svg', '--view', 'waiting')[:4], b'<svg')
    equal(export('gauss', 'OUT.SVG', '--view', 'waiting')[:4], b'<svg')


@test
def there_is_the_whole_file_or_none():
    write('gauss', GAUSS)
    os.makedirs('pictures')
    contains(refuse('export', 'gauss', '-o', 'nowhere/out.svg', '--view', 'waiting'), 'nowhere/out.svg: ')
    contains(refuse('export', 'gauss', '-o', 'pictures', '--format', 'svg', '--view', 'waiting'), 'pictures: ')
    with open('pictures/old.svg', 'w', encoding='utf-8') as file:
        file.write('old')
    refuse('export', 'gauss', '-o', 'pictures/old.svg', '--view', 'waiting', '--processes', 'none')
    with open('pictures/old.svg', encoding='utf-8') as file:
        equal(file.read(), 'old', 'what was there')
    os.chmod('pictures/old.svg', 0o640)
    os.symlink('old.svg', 'pictures/link.svg')
    export('gauss', 'pictures/link.svg', '--view', 'waiting')
    equal(os.readlink('pictures/link.svg'), 'old.svg', 'the link')
    equal(os.stat('pictures/old.svg').st_mode & 0o777, 0o640, 'the rights')
    equal(sorted(os.listdir('pictures')), ['link.svg', 'old.svg'], 'what is in the folder')


@test
def a_full_disk_is_told():
    write('gauss', GAUSS)
    contains(refuse('export', 'gauss', '-o', '/dev/full', '--format', 'png', '--view', 'waiting'), '/dev/full: ')
    equal(run('export', 'gauss', '-o', '/dev/null', '--format', 'png', '--view', 'waiting'), '')
    with open('/dev/full', 'w', encoding='utf-8') as full:
        result = lightcone('export', 'gauss', '-o', '-', '--format', 'svg', '--view', 'waiting', capture_output=False,
                           stdout=full, stderr=subprocess.PIPE)
    equal(result.returncode, 2, 'the status')
    contains(result.stderr, 'standard output')


main()
