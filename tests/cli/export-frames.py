#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures that move, as lightcone export --frames writes them: each of their parts is the picture of that part."""
import os
import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib

from cli import contains, equal, main, test
from tables import refuse, run, write

SVG = '{http://www.w3.org/2000/svg}'
GAUSS = {
    'a': '0 10 tag value=1\n100 110 barrier rounds 0\n150 310 barrier rounds 1\n350 360 tag value=3\n',
    'b': '0 10 tag value=1\n40 110 barrier rounds 0\n300 310 barrier rounds 1\n350 360 tag value=3\n',
    'c': '20 30 tag value=1\n60 110 barrier rounds 0\n200 310 barrier rounds 1\n320 330 tag value=3\n',
}


def export(trace, name, *options):
    equal(run('export', trace, '-o', name, *options), '', 'the output')
    with open(name, 'rb') as file:
        return file.read()


def texts(element):
    return [''.join(text.itertext()) for text in element.iter(SVG + 'text')]


def chunks(data):
    """Of a PNG, with their checksums checked."""
    at, found = 8, []
    while at < len(data):
        length, = struct.unpack('>I', data[at:at + 4])
        kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        equal(struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0], zlib.crc32(kind + content), 'a checksum')
        found.append((kind.decode(), content))
        at += 12 + length
    return found


def content_of(png):
    """The compressed pixels of a PNG that does not move."""
    return b''.join(content for kind, content in chunks(png) if kind == 'IDAT')


def frames_of(png):
    """The compressed pixels of each picture of an APNG, and for how many seconds it is shown."""
    frames, delays, numbers = [], [], []
    for kind, content in chunks(png):
        if kind == 'acTL':
            count, plays = struct.unpack('>II', content)
            equal(plays, 0, 'it is repeated for ever')
        elif kind == 'fcTL':
            number, width, height, x, y, unit, units, *_ = struct.unpack('>IIIIIHHBB', content)
            equal((width, height, x, y), (400, 300, 0, 0), 'the size')
            numbers.append(number)
            delays.append(unit / units)
            frames.append(b'')
        elif kind == 'IDAT':
            frames[-1] += content
        elif kind == 'fdAT':
            numbers.append(struct.unpack('>I', content[:4])[0])
            frames[-1] += content[4:]
    equal((count, numbers), (len(frames), list(range(len(numbers)))), 'the numbers')
    return frames, delays


def parts_of_gauss(count):
    """The run is of 360 ns."""
    return [(360 * number // count, 360 * (number + 1) // count) for number in range(count)]


@test
def a_graph_moves_through_the_parts_of_the_run():
    """Each picture of it is the one of its part; so are those of layers and phases, which are not cut."""
    write('gauss', GAUSS)
    graph = ('--view', 'graph', '--size', '400x300')
    frames, delays = frames_of(export('gauss', 'moves.png', *graph, '--frames', '7', '--rate', '4'))
    equal(delays, [0.25] * 7, 'the times')
    parts = parts_of_gauss(7)
    for frame, (start, end) in zip(frames, parts, strict=True):
        part = export('gauss', 'part.png', *graph, '--from', f'{start}', '--to', f'{end}')
        equal(frame == content_of(part), True, f'the picture from {start} to {end}')
    equal(len(set(frames)), 7, 'different pictures')
    for time, some, places in (('logical', 3, [('1', '1'), ('2', '2'), ('3', '4')]),
                               ('logical', 100, [(str(layer),) * 2 for layer in range(1, 5)]),
                               ('phase', 100, [(f'{phase}',) * 2 for phase in (1, 3)])):
        axis = (*graph, '--time', time, '--phases', 'tag', '--layout', 'grid')
        frames, _ = frames_of(export('gauss', 'moves.png', *axis, '--frames', str(some)))
        equal(len(frames), len(places), f'pictures in {time} time')
        for frame, (first, last) in zip(frames, places, strict=True):
            part = export('gauss', 'part.png', *axis, '--from', first, '--to', last)
            equal(frame == content_of(part), True, f'the picture of {time} {first} to {last}')


@test
def svg_and_pdf_move_too():
    """The parts of an SVG are hidden but for one, each at its time; a PDF has a page for each."""
    write('gauss', GAUSS)
    graph = ('--view', 'graph', '--size', '400x300')
    moving = export('gauss', 'moves.svg', *graph, '--frames', '8')
    found = [group for group in ElementTree.fromstring(moving).iter(SVG + 'g') if 'frame' in group.get('class', '')]
    equal([group.get('class') for group in found], ['frame first'] + 7 * ['frame'], 'what is seen where nothing moves')
    equal([group.get('style') for group in found], [f'animation-delay:{number / 10:g}s' for number in range(8)])
    contains(moving.decode(), '.frame{visibility:hidden;animation:frame 0.8s step-end infinite}')
    contains(moving.decode(), '{0%{visibility:visible}12.5%,100%{visibility:hidden}}')
    for group, (start, end) in zip(found, parts_of_gauss(8), strict=True):
        part = ElementTree.fromstring(export('gauss', 'part.svg', *graph, '--from', f'{start}', '--to', f'{end}'))
        equal(texts(group), texts(part), f'texts of {start} to {end}')
    equal(export('gauss', 'one.svg', *graph, '--frames', '1'), export('gauss', 'same.svg', *graph), 'one part')
    pages = re.findall(rb'/Type /Page\b(?!s)', export('gauss', 'moves.pdf', *graph, '--frames', '8'))
    equal(len(pages), 8, 'pages')


@test
def what_cannot_move_is_refused():
    write('gauss', GAUSS)
    graph = ('export', 'gauss', '-o', 'out.png', '--view', 'graph')
    for arguments, part in ((('--frames', '0'), '--frames can be from 1 to 10000'),
                            (('--frames', '2', '--rate', '0'), '--rate can be from 0.1 to 60'),
                            (('--frames', '2', '--rate', 'nan'), '--rate can be from 0.1 to 60'),
                            (('--rate', '2'), '--rate goes with --frames only'),
                            (('--layout', 'star'), 'only: ring, grid, hypercube, force'),
                            (('--layout', 'ring', '--measure', 'ring'), 'one of them is enough')):
        contains(refuse(*graph, *arguments), part)
    contains(refuse('export', 'gauss', '-o', 'out.png', '--frames', '2'), 'does not go with the view space-time')
    contains(refuse('export', 'gauss', '-o', 'out.folded', '--frames', '2'), '--frames goes with pictures only')
    equal(os.path.exists('out.png'), False, 'whether there is a file')


main()
