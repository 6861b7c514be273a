#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Views and commands that scripts define: pictures like those of Lightcone's own, and what goes
wrong."""
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from xml.dom import minidom

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from cli import LIGHTCONE, contains, equal, lightcone, main, test  # noqa: E402 pylint: disable=wrong-import-position

DATA = os.environ['LIGHTCONE_TEST_DATA']
SCRIPTS = 'data/lightcone/scripts'


def given(text):
    """A trace, and a script of the user's."""
    shutil.copytree(os.path.join(DATA, 'workers.trace'), 'trace')
    os.environ['XDG_DATA_HOME'] = os.path.abspath('data')
    os.makedirs(SCRIPTS)
    with open(f'{SCRIPTS}/mine.scm', 'w', encoding='utf-8') as file:
        file.write(text)


def export(view, *options, name='p.svg'):
    result = lightcone('export', 'trace', '--view', view, '-o', name, *options)
    equal((result.returncode, result.stderr), (0, ''), (view, *options))
    with open(name, 'rb') as file:
        return file.read()


def texts(svg):
    return [''.join(node.data for node in text.childNodes if node.nodeType == node.TEXT_NODE)
            for text in minidom.parseString(svg).getElementsByTagName('text')]


def refuses(view, *messages, options=()):
    result = lightcone('export', 'trace', '--view', view, '-o', 'p.svg', *options)
    equal((result.returncode, result.stdout), (2, ''), view)
    for message in messages:
        contains(result.stderr, message)
    assert not os.path.exists('p.svg'), f'{view} has left a file'


def unfilter(how, line, before, size):
    """A row of a PNG, of which each byte is told as what it differs by from those to the left, above, and both."""
    if how == 2:
        line[:] = bytes((value + up) & 255 for value, up in zip(line, before))
    elif how:
        for x in range(len(line)):
            left, up = line[x - size] if x >= size else 0, before[x]
            if how == 4:
                corner = before[x - size] if x >= size else 0
                guess = left + up - corner
                left = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            elif how == 3:
                left = (left + up) // 2
            line[x] = (line[x] + left) & 255


def pixels(png):
    """Rows of pixels, as tuples of bytes."""
    width, height, depth, kind = struct.unpack('>IIBB', png[16:26])
    equal((depth, kind in (2, 6)), (8, True), 'the kind of PNG')
    size, at, data = 3 if kind == 2 else 4, 8, b''
    while at < len(png):
        length, name = struct.unpack('>I4s', png[at:at + 8])
        if name == b'IDAT':
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    raw, rows, before = zlib.decompress(data), [], bytes(width * size)
    for y in range(height):
        line = bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
        how = raw[y * (width * size + 1)]
        unfilter(how, line, before, size)
        rows.append([tuple(line[x:x + 3]) for x in range(0, width * size, size)])
        before = bytes(line)
    return rows


SHAPES = '''
(define-view (shapes history span)
  #:title "Some shapes"
  "What shapes look like."
  (plot (list (rect 0 0 10 5 #:series "boxes")
              (line '((0 . 0) (5 . 10) (10 . 0)) #:series "lines" #:text "up and down")
              (polygon '((2 . 6) (3 . 8) (4 . 6)) #:series "areas")
              (point 5 5 #:series "points" #:event '(1 . 2))
              (text 1 9 "some <words>"))
        #:x (axis #:title "Across" #:from 0 #:to 10) #:y (axis #:title "Up" #:kind 'count #:from 0 #:to 10)
        #:notes '("A note.") #:tell "Shapes of all kinds"))
'''


@test
def shapes_become_a_picture_with_axes_and_legend():
    given(SHAPES)
    svg = export('shapes')
    found = texts(svg)
    for text in ('Some shapes: trace', 'boxes', 'lines', 'areas', 'points', 'some <words>', 'Across', 'Up', 'A note.'):
        assert text in found, (text, found)
    contains(svg.decode(), 'Shapes of all kinds</desc>')
    equal(export('shapes', name='p.pdf')[:5], b'%PDF-', 'a PDF')
    for theme in ('light', 'dark'):
        for width, height in ((300, 200), (700, 400)):
            rows = pixels(export('shapes', '--size', f'{width}x{height}', '--theme', theme, name='p.png'))
            equal((len(rows), len(rows[0])), (height, width), 'the size')
            # The box covers the lower half of the plot, so that its colour is the second most frequent one at most.
            counts = {}
            for row in rows:
                for pixel in row:
                    counts[pixel] = counts.get(pixel, 0) + 1
            box = max((count, pixel) for pixel, count in counts.items() if max(pixel) - min(pixel) > 80)[0]
            assert 0.08 < box / (width * height) < 0.5, (theme, width, box / (width * height))
            assert (sum(rows[1][1]) < 200) == (theme == 'dark'), rows[1][1]


@test
def views_are_listed():
    given(SHAPES + '(define-view (plain h s) (plot (list (point 1 2))))')
    listed = lightcone('export', 'trace', '--list-views').stdout
    assert re.search(r'^shapes +What shapes look like\.$', listed, re.M), listed
    assert re.search(r'^plain +plain$', listed, re.M), listed
    assert re.search(r'^space-time ', listed, re.M), listed
    contains(lightcone('export', 'trace', '--list-views', '--json').stdout, '"Some shapes"')
    assert 'shapes' not in lightcone('export', '--list-views').stdout, 'views of a trace without one'
    refuses('unknown', 'there is no view “unknown”, only: space-time', 'shapes, plain')


FORMS = '''
(define waits
  (map (lambda (p) (list (process-name p) (fold-events (lambda (e n) (+ n (event-waited e))) 0 #:process p)))
       (history-processes)))
(define-view (bars history span) (plot-bars waits #:unit 'duration #:title "Waited"))
(define-view (table history span) (plot-table (stats 'waiting) #:event (lambda (row) (cons (field row 'process) 0))))
(define-view (matrix-of-mine history span)
  (plot-matrix '("a" "b") '("c" "d" "e") '((1 2 3) (0 (5 . (1 . 2)) 6)) #:title "Sum" #:row-title "From"))
(define-view (lines history span)
  (plot-series (list (cons "one" '((0 . 1) (10 . 2) (20 . 4))) (cons "two" '((0 3 (0 . 1)) (20 1 (0 . 2)))))
               #:x (axis #:kind 'time #:from (car span) #:to (cdr span)) #:y (axis #:title "Level")))
(define-view (graph-of-mine history span)
  (plot-graph '((1 "first") (2 "second") (3 "third")) '((1 2) (2 3 "back and forth" 4) (3 2) (1 3))))
(define-view (boxes history span)
  (plot-space-time
   (append (fold-events (lambda (e all) (cons (event-box e #:series (event-operation e)) all)) '()
                        #:from (car span) #:to (cdr span))
           (fold-arcs (lambda (arc all) (cons (arc-line arc #:series "arcs") all)) '()
                      #:from (car span) #:to (cdr span)))
   #:span span))
'''


@test
def data_becomes_what_it_is():
    given(FORMS)
    for view, expected in (('bars', ['main', 'worker-1', 'worker-2', 'Waited (µs)']),
                           ('table', ['process', 'waiting', '19040', '7840', '4370', '29640']),
                           ('matrix-of-mine', ['a', 'b', 'c', 'd', 'e', 'Sum', 'From', '1', '6']),
                           ('lines', ['one', 'two', 'Level']), ('graph-of-mine', ['first', 'second', 'third']),
                           ('boxes', ['main', 'worker-2', 'lock', 'barrier', 'arcs', 'Time (µs)'])):
        svg = export(view)
        found = texts(svg)
        for text in expected:
            assert text in found, (view, text, found)
    part = texts(export('boxes', '--processes', 'worker-1', '--from', '10us', '--to', '14us'))
    assert 'worker-1' in part and 'main' not in part and 'create' not in part, part
    contains(' '.join(part), '1 of 3 processes')
    first = export('boxes')
    lightcone('approximate', 'trace', '--model', 'time', '--set', 'overhead.*=0;0;200')
    assert export('boxes', '--timeline', 'time') != first, 'the view is of another timeline'


@test
def events_and_texts_come_with_marks():
    """What a click and a tooltip find, as the data of the sheet has it."""
    given(SHAPES)
    result = subprocess.run([LIGHTCONE, 'export', 'trace', '--view', 'shapes', '--format', 'sheet', '-o', '-'],
                            capture_output=True, check=False)
    equal((result.returncode, result.stderr), (0, b''), 'a sheet')
    for text in (b'up and down', b'Shapes of all kinds', b'some <words>'):
        assert text in result.stdout, text
    refuses('waiting', 'sheet', options=('--format', 'sheet'))


@test
def what_is_wrong_is_told_with_its_place():
    given('''(define-view (raises history span)
  (let ((x 1))
    (list (car x))))
(define-view (gives-nothing history span) 7)
(define-view (is-empty history span) (plot '()))
(define-view (is-endless history span) (plot (list (rect 0 0 (/ 1. 0) 2))))
(define-view (names-nothing history span) (plot (list (text 1 1 (list 1)))))
(define-view (leaves history span) (exit 3))
(define-view (many history span) (plot (make-list 300000 (point 1 1))))
(define-view (waiting history span) (plot (list (point 1 1))))
''')
    name = os.path.abspath(f'{SCRIPTS}/mine.scm')
    refuses('raises', f'{name}:3: In procedure car')
    refuses('gives-nothing', f'{name}:4: gives-nothing: a view gives what plot')
    refuses('is-empty', 'trace: the view is-empty shows nothing here')
    refuses('is-endless', f'{name}:6: rect: +inf.0 is no number')
    refuses('names-nothing', f'{name}:7: text: (1) is no text')
    refuses('leaves', 'view leaves: it has called (exit)')
    refuses('many', 'a plot has at most 200000 shapes, not 300000')
    refuses('raises', 'the view waiting has the name of one of Lightcone')
    assert export('waiting'), 'a view of Lightcone stays what it is'


@test
def endless_views_are_stopped():
    given('''(define-view (turns history span) (let loop () (loop)))
(define kept '())
(define-view (grows history span) (let loop () (set! kept (cons (make-vector 1000 0) kept)) (loop)))
(define-view (catches history span) (let again () (catch #t (lambda () (let loop () (loop))) (lambda _ #f)) (again)))
''')
    for view in ('turns', 'catches'):
        refuses(view, f'view {view}: it took longer than --time-limit allows', options=('--time-limit', '3'))
    refuses('grows', 'view grows: it took more memory than --memory-limit allows',
            options=('--memory-limit', '50', '--time-limit', '40'))


@test
def scripts_of_a_trace_are_trusted_once():
    given('(define mine 1)')
    os.makedirs('trace/scripts')
    path = 'trace/scripts/theirs.scm'

    def write(text):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    write('#!/usr/bin/env -S lightcone script\n!#\n(define-view (theirs history span) (plot (list (point 1 2))))')
    refuses('theirs', 'there is no view “theirs”', 'scripts: the scripts in it are not loaded, as a trace')
    assert export('theirs', '--trust-scripts')
    equal(os.stat('data/lightcone/trusted-scripts').st_mode & 0o777, 0o600, 'the file of trust')
    assert export('theirs'), 'what has been trusted'
    os.remove('p.svg')
    shutil.move('trace', 'copy')
    shutil.copytree('copy', 'trace')
    assert export('theirs'), 'the same scripts in another place'
    os.remove('p.svg')
    write('(define-view (theirs history span) (plot (list (point 1 3))))')
    refuses('theirs', 'are not loaded')
    os.remove('data/lightcone/trusted-scripts')
    os.mkdir('data/lightcone/trusted-scripts')
    refuses('theirs', 'trusted-scripts')


COMMANDS = '''
(define-command (mark-waits selection span)
  #:key "<Control><Shift>k" #:title "Mark what waited" "Marks what waited in view."
  (filter (lambda (e) (> (event-waited e) 0)) (events #:from (car span) #:to (cdr span))))
(define-command (tell-all selection span) (format #f "~s ~s ~s" selection span (timeline-name (current-timeline))))
(define-command (none selection span) '())
(define-command (fails selection span)
  (let ((x (car 1))) x))
(define-command (gives-what selection span) 'symbol)
(define-command (turns selection span) (let loop () (loop)))
(define-command (bad-key selection span) #:key "<Control>9" "A key." "done")
'''


def command(*arguments):
    result = lightcone('script', 'trace', '--command', *arguments)
    return result.returncode, result.stdout, result.stderr


@test
def commands_get_what_is_selected_and_in_view():
    given(COMMANDS)
    equal(command('tell-all'), (0, '#f (0 . 29640) "measured"\n', ''), 'without a selection')
    equal(command('tell-all', '--selection', 'worker-1:3', '--from', '1us', '--to', '50%'),
          (0, '(1 . 3) (1000 . 14820) "measured"\n', ''), 'with one')
    lightcone('approximate', 'trace', '--model', 'time', '--set', 'overhead.*=0;0;20')
    contains(command('tell-all', '--timeline', 'time')[1], '"time"')
    equal(command('none'), (0, 'nothing is found\n', ''), 'no events')
    equal(command('mark-waits', '--to', '5us'), (0, '5 events are marked as mark-waits\n', ''), 'events')
    found = lightcone('script', 'trace', '-e', "(every (lambda (e) (< 0 (event-waited e))) (marked 'mark-waits))", '-e',
                      "(length (marked 'mark-waits))").stdout
    equal(found, '#t\n5\n', 'what is marked')
    name = os.path.abspath(f'{SCRIPTS}/mine.scm')
    for wrong, message in (('fails', f'{name}:8: In procedure car'), ('gives-what', 'a command gives a text, events'),
                           ('unknown', 'no script defines a command “unknown” (--list')):
        status, output, complaint = command(wrong)
        equal((status, output), (2, ''), wrong)
        contains(complaint, message)
    contains(command('turns', '--time-limit', '1')[2], 'it took longer than --time-limit allows')
    contains(command('tell-all', '--selection', '9:1')[2], 'there is no process “9”')
    contains(lightcone('script', 'trace', '--selection', '1:1', '-e', '1').stderr, 'go with --command only')
    contains(lightcone('script', 'trace', '--list', '-e', '1').stderr, 'one too many')


@test
def what_scripts_define_is_listed():
    given(SHAPES + COMMANDS + "(define-analysis (mine) \"Mine.\" '(((a . 1))))")
    listed = [line.split('\t') for line in lightcone('script', 'trace', '--list').stdout.splitlines()]
    for wanted in (['view', 'shapes', '', 'Some shapes', 'What shapes look like.'],
                   ['analysis', 'mine', '', '', 'Mine.'],
                   ['command', 'mark-waits', '<Control><Shift>k', 'Mark what waited', 'Marks what waited in view.'],
                   ['command', 'tell-all', '', '', '']):
        assert wanted in listed, (wanted, listed)
    os.makedirs('trace/scripts')
    with open('trace/scripts/a.scm', 'w', encoding='utf-8') as file:
        file.write('(define-command (theirs selection span) "x")')
    contains(lightcone('script', 'trace', '--list').stdout, '\nuntrusted\t')
    contains(lightcone('script', 'trace', '--list', '--trust-scripts').stdout, '\ncommand\ttheirs\t')
    assert 'untrusted' not in lightcone('script', 'trace', '--list').stdout


main()
