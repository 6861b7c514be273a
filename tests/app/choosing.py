# SPDX-License-Identifier: Apache-2.0
"""Choosing a plot from the list of them."""
import json

from window import lightcone, wait_for


def views():
    """All but the diagram, in the order of the list."""
    return json.loads(lightcone('export', '--list-views', '--json'))['view'][1:]


def choose(browser, place):
    """From the list that is open."""
    browser.press('Home', *['Down'] * place, 'Return')


def show(browser, name):
    """The plot, painted."""
    place, view = next((place, view) for place, view in enumerate(views()) if view['name'] == name)
    browser.click(browser.find('Plot', 'combo box'))
    choose(browser, place)
    area = browser.find(view['title'], 'image')
    wait_for(lambda: area.get_description(), f'the plot {name}')
    return area
