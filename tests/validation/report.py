# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown, and figures in SVG."""
import math
from html import escape


def table(head, rows, left=1):
    """The first `left` columns are text, the others numbers."""
    marks = ['---'] * left + ['--:'] * (len(head) - left)
    return '\n'.join(f'| {" | ".join(str(cell) for cell in row)} |' for row in [head, marks, *rows])


def number(value):
    """Three digits, or two after the point."""
    return f'{value:.0f}' if value >= 100 else f'{value:.1f}' if value >= 10 else f'{value:.2f}'


def ratio(value):
    return f'{value:.3f}' if value < 2 else number(value)


def with_quartiles(spread, show=ratio):
    median, low, high = spread
    return f'{show(median)} ({show(low)} - {show(high)})'


class Figure:
    """Points and lines over a logarithmic or linear plane. Colours show on a light and on a dark page."""

    WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 320, 64, 16, 44
    COLOURS = ('#3584e4', '#e66100', '#2ec27e', '#9141ac', '#c01c28', '#865e3c')

    def __init__(self, title, x, y, x_label, y_label, right=190):
        self.title, self.x, self.y, self.right = title, x, y, right
        self.parts, self.legend = [], []
        self.text(self.LEFT + self.width / 2, self.HEIGHT - 6, x_label, 'middle')
        self.text(14, self.TOP + self.height / 2, y_label, 'middle', turn=True)

    @property
    def width(self):
        return self.WIDTH - self.LEFT - self.right

    @property
    def height(self):
        return self.HEIGHT - self.TOP - self.BOTTOM

    @staticmethod
    def part(axis, value):
        first, last, logarithmic = axis
        if logarithmic:
            first, last, value = math.log(first), math.log(last), math.log(value)
        return (value - first) / (last - first)

    def place(self, x, y):
        return (self.LEFT + self.part(self.x, x) * self.width,
                self.TOP + (1 - self.part(self.y, y)) * self.height)

    def text(self, x, y, text, anchor='start', turn=False, colour='#808080'):
        turned = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ''
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{turned}>'
                          f'{escape(text)}</text>')

    def line(self, begin, end, colour='#808080', width=1.0, opacity=0.4):
        self.parts.append(f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
                          f'stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}"/>')

    def ticks(self, xs, ys):
        for value, label in xs:
            x, bottom = self.place(value, self.y[0])
            self.line((x, bottom), (x, self.TOP))
            self.text(x, bottom + 16, label, 'middle')
        for value, label in ys:
            left, y = self.place(self.x[0], value)
            self.line((left, y), (left + self.width, y))
            self.text(left - 6, y + 4, label, 'end')

    def series(self, name, points, colour, joined=True, hollow=False):
        colour = self.COLOURS[colour % len(self.COLOURS)]
        places = [self.place(x, y) for x, y in points]
        for begin, end in zip(places, places[1:]) if joined else ():
            self.line(begin, end, colour, 2, 1)
        look = f'fill="none" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
        radius = 5.5 if hollow else 3.5
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {look}/>' for x, y in places]
        y = self.TOP + 12 + 18 * len(self.legend)
        self.legend.append(name)
        self.parts.append(f'<circle cx="{self.WIDTH - self.right + 16}" cy="{y - 4}" r="4" {look}/>')
        self.text(self.WIDTH - self.right + 26, y, name)

    def bar(self, x, low, high, colour):
        """From the lower to the upper quartile."""
        self.line(self.place(x, low), self.place(x, high), self.COLOURS[colour], 2, 0.8)

    def write(self, path):
        lines = ['<!-- SPDX-License-Identifier: Apache-2.0 -->',
                 f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.WIDTH} {self.HEIGHT}" '
                 'font-family="sans-serif" font-size="12">', f'<title>{escape(self.title)}</title>',
                 *self.parts, '</svg>']
        path.write_text('\n'.join(lines) + '\n', encoding='utf-8')


class Bars(Figure):
    """Groups of bars side by side, from 0."""

    def __init__(self, title, names, y_label):
        super().__init__(title, (0, 1, False), (0, 1, False), '', y_label)
        self.names, self.groups = names, []

    def add(self, group, values):
        self.groups.append((group, values))

    def scale(self):
        """The axis, up to a round number above all bars."""
        top = max(value for _, values in self.groups for value in values)
        step = next(step for step in (0.25, 0.5, 1, 2, 5, 10, 20, 50) if top / step <= 6)
        steps = math.ceil(top / step)
        self.x, self.y = (0, len(self.groups), False), (0, steps * step, False)
        self.ticks([], [(n * step, f'{n * step:g}') for n in range(steps + 1)])

    def paint(self):
        self.scale()
        breadth = 0.7 / len(self.names)
        for place, (group, values) in enumerate(self.groups):
            x, bottom = self.place(place + 0.5, 0)
            self.text(x, bottom + 16, group, 'middle')
            for column, value in enumerate(values):
                left, top = self.place(place + 0.15 + column * breadth, value)
                right, _ = self.place(place + 0.15 + (column + 1) * breadth, value)
                self.rectangle(left, top, right - left - 2, bottom - top, column)
                self.text((left + right) / 2 - 1, top - 4, ratio(value), 'middle')
        for column, name in enumerate(self.names):
            y = self.TOP + 12 + 18 * column
            self.rectangle(self.WIDTH - self.right + 12, y - 9, 10, 10, column)
            self.text(self.WIDTH - self.right + 28, y, name)

    def rectangle(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
                          f'fill="{self.COLOURS[colour % len(self.COLOURS)]}"/>')

    def write(self, path):
        self.paint()
        super().write(path)
