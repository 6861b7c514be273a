#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual in its window: it opens with F1, its pages and headings are linked, Escape closes it. Speaks TAP."""
import re

from window import Failure, run, wait_for


def windows(browser):
    return len(browser.windows)


def help_of(browser):
    browser.press('F1')
    wait_for(lambda: windows(browser) == 2, 'the window of the manual')
    browser.settle()


def opens_and_closes(display, start, folder):
    """F1 shows the manual, once; Escape closes it"""
    browser = start()
    help_of(browser)
    browser.find('The browser', 'label')
    display.save('help')
    browser.press('Escape')
    wait_for(lambda: windows(browser) == 1, 'the window closed')
    browser.press('F1', 'F1')
    wait_for(lambda: windows(browser) == 2, 'the window again')
    browser.settle()
    if windows(browser) != 2:
        raise Failure(f'{windows(browser)} windows')
    browser.press('Escape')
    wait_for(lambda: windows(browser) == 1, 'the window closed')


def has_all_pages(display, start, folder):
    """each page of the list is shown, with its pictures"""
    browser = start()
    help_of(browser)
    for row, heading in [('Tutorial', 'Find the broken broadcast'), ('Approximation', 'Approximation'),
                         ('The browser', 'Three kinds of time')]:
        browser.click(browser.find(row, 'label'))
        browser.find(heading, 'label')
        browser.settle()
        display.save(f'help-{row.split()[-1].lower()}')
    pictures = [node.get_name() for node in browser.nodes(role='image')]
    if 'The browser, with a run of the triangulation' not in pictures:
        raise Failure(f'pictures: {pictures}')
    browser.press('Escape')


def has_every_key(display, start, folder):
    """the keys are those of the shortcuts window"""
    browser = start()
    help_of(browser)
    browser.find('Find events', 'label')
    browser.find(re.compile(r'^Ctrl\+F$'), 'label')
    browser.press('Escape')


if __name__ == '__main__':
    run([opens_and_closes, has_all_pages, has_every_key])
