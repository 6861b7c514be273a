# SPDX-License-Identifier: Apache-2.0
"""A reader of the tutorial: does what it tells in a real window, and writes down the text and what was seen."""
import json
import re
import textwrap

from pictures import crop, write_png
from window import Browser, Failure, lightcone, wait_for

DIAGRAM = re.compile('^Space-time diagram')
WIDTH = 120  # of a line of the page
SIZE = (1160, 740)


class Reader:
    """Does what the tutorial tells, and keeps what it saw."""

    def __init__(self, display, folder):
        self.display, self.folder = display, folder
        self.browser = self.trace = None
        self.page = []

    # --- What is written

    def heading(self, text, level=2):
        self.page.append(f'{"#" * level} {text}')

    def text(self, *paragraphs):
        """Paragraphs; one that begins with a number is a step."""
        for paragraph in paragraphs:
            indent = re.match(r'(\d+\. )?', paragraph)[0]
            self.page.append(textwrap.fill(' '.join(paragraph.split()), WIDTH, subsequent_indent=' ' * len(indent),
                                           break_on_hyphens=False, break_long_words=False))

    def steps(self, *texts):
        first = len(self.page)
        self.text(*[f'{number}. {text}' for number, text in enumerate(texts, 1)])
        self.page[first:] = ['\n'.join(self.page[first:])]

    def code(self, text):
        self.page.append(f'```sh\n{text}\n```')

    def picture(self, name, alternative, box=None):
        """What is on the screen now, or in a box of it."""
        self.page.append(f'![{alternative}](tutorial/{name}.png)')
        if self.folder is None:
            return
        self.browser.move(SIZE[0] // 3, 8)  # no tooltip, nothing under the pointer
        self.browser.settle()
        pixels = crop(self.display.pixels(), box)
        write_png(self.folder / f'{name}.png', pixels)

    # --- What is done

    def open(self, trace):
        if self.browser is not None:
            self.browser.close()
        self.trace = trace
        self.browser = Browser(trace)
        self.browser.resize(*SIZE)
        self.browser.diagram = self.browser.find(DIAGRAM)
        self.browser.columns()
        self.browser.click(self.browser.place_of_nothing())

    def about(self):
        return self.browser.again(DIAGRAM).get_name()

    def described(self):
        return self.browser.again(DIAGRAM).get_description()

    def until(self, question, what):
        return wait_for(question, what)

    def expect(self, pattern):
        """What a screen reader says of the diagram."""
        return self.until(lambda: re.search(pattern, self.about()), f'{pattern}, not {self.about()}')

    def logical(self):
        self.browser.press('ctrl+2')
        self.expect('layers')

    def layers(self):
        """How many are in view."""
        found = re.search(r'layers ([\d,]+)–([\d,]+)', self.about())
        return int(found[2].replace(',', '')) - int(found[1].replace(',', ''))

    def zoom_to_layers(self, number):
        for _ in range(30):
            if self.layers() <= number:
                return
            self.browser.press('plus')
        raise Failure(f'never {number} layers: {self.about()}')

    def zoom_out_to_layers(self, number):
        x, y, width, height = self.browser.box(self.browser.diagram)
        for _ in range(30):
            if self.layers() >= number:
                return
            self.browser.wheel((x + width // 2, y + height // 3), 1, keys=['ctrl'])
        raise Failure(f'never {number} layers: {self.about()}')

    def panel(self, name):
        self.browser.click(self.browser.find(name, 'page tab'))

    def find_heading(self, name):
        """A class in the list of operations, of which only those in view are there."""
        x, y, width, height = self.browser.box(self.browser.find('Operations', 'page tab'))
        for _ in range(20):
            box = self.browser.look_for(f'Show all of {name}', 'check box')
            if box is not None:
                return box
            self.browser.wheel((x + width // 2, y + 4 * height), 1)
        raise Failure(f'there is no {name}')

    def untick(self, *operations):
        self.panel('Filters')
        for name in operations:
            self.browser.click(self.find_heading(name))
        self.panel('Processes')
        self.browser.click(self.browser.place_of_nothing())

    def search(self, text):
        """Returns how many were found."""
        self.browser.press('ctrl+f', 'ctrl+a')
        self.browser.type(text)
        self.browser.press('Return')
        found = self.until(lambda: self.browser.look_for(re.compile(r'^[\d,]+ of [\d,]+$'), 'label'), f'{text} found')
        return int(found.get_name().split(' of ')[1].replace(',', ''))

    def stop_search(self):
        self.browser.press('Escape')

    def plot(self, view):
        """Chooses one in the list above the plots, and returns what a screen reader says of it."""
        views = [each for each in json.loads(lightcone('export', '--list-views', '--json'))['view']
                 if each['name'] != 'space-time']
        number = [each['name'] for each in views].index(view)
        title = views[number]['title']
        self.browser.click(self.plots)
        self.browser.press('Home', *['Down'] * number, 'Return')
        # The picture before it is there until this one is drawn, and tells of itself.
        picture = self.browser.find(title, 'image', re.compile(f'^{re.escape(title)}.*Timeline measured'))
        self.browser.settle()
        return picture.get_description()

    @property
    def plots(self):
        return self.browser.find(role='combo box')

    def raise_plots(self, height):
        """Pulls the edge between the diagram and the plots up."""
        x, y, width, _ = self.box_of_plots()
        self.browser.drag((x + width // 4, y - 3), (x + width // 4, SIZE[1] - height))

    def box_of_plots(self):
        return self.browser.box(self.browser.find('LcPlotsPanel'))

    def part(self, words):
        """In view or Whole run."""
        self.browser.click(self.browser.find(words, 'push button', re.compile('^Of the')))
