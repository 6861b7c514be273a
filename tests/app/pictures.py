# SPDX-License-Identifier: Apache-2.0
"""Small PNG files of what is on the screen: at most 256 colours, which is enough for a window."""
import struct
import zlib
from collections import Counter


def crop(rows, box):
    """Rows of (blue, green, red, nothing); a box is x, y, width and height."""
    if box is None:
        return rows
    x, y, width, height = box
    return [row[4 * x:4 * (x + width)] for row in rows[y:y + height]]


def choose_palette(counts, size=256):
    """Colours by how often they are; of those that look alike, the first."""
    chosen = []
    for distance in 24, 8, 0:
        for colour, _ in counts.most_common(6000):
            if len(chosen) == size:
                return chosen
            if all(sum(abs(a - b) for a, b in zip(colour, other)) > distance for other in chosen):
                chosen.append(colour)
        if len(chosen) < size // 2:
            continue
        break
    return chosen


def nearest(palette, colour):
    return min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], colour)))


def write_png(path, rows):
    """Each pixel gets the colour of the palette that is nearest to its own."""
    lines = [list(zip(row[2::4], row[1::4], row[0::4])) for row in rows]
    counts = Counter(colour for line in lines for colour in line)
    palette = choose_palette(counts)
    numbers = {colour: nearest(palette, colour) for colour in counts}
    data = b''.join(b'\0' + bytes(numbers[colour] for colour in line) for line in lines)

    def chunk(kind, content):
        return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))
    path.parent.mkdir(parents=True, exist_ok=True)
    header = struct.pack('>2I5B', len(lines[0]), len(lines), 8, 3, 0, 0, 0)
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'PLTE', bytes(sum(palette, ()))) +
                     chunk(b'IDAT', zlib.compress(data, 9)) + chunk(b'IEND', b''))
