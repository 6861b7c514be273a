# SPDX-License-Identifier: Apache-2.0
"""Whether the call paths of a process of a profile, as its JSON has it, add up."""
from cli import equal


def check_paths(process, ways=('',)):
    """Each path is what it has called and what it does itself; each routine is the sum of its paths."""
    paths, sums = process['paths'], {}
    keys = [key + way for key in ('exclusive', 'waiting') for way in ways] + ['calls', 'skipped']
    inner = [0] * len(paths)
    for path in paths:
        row = sums.setdefault(path['name'], dict.fromkeys([*keys, 'inclusive'], 0))
        for key in keys:
            row[key] += path[key]
        caller = path['caller']
        if caller >= 0:
            inner[caller] += path['inclusive']
        while caller >= 0 and paths[caller]['name'] != path['name']:
            caller = paths[caller]['caller']
        row['inclusive'] += path['inclusive'] if caller < 0 else 0
    equal([path['inclusive'] - path['exclusive'] for path in paths], inner)
    told = {row['name']: {key: row[key] for key in [*keys, 'inclusive']} for row in process['routines']}
    equal({name: row for name, row in sums.items() if row['calls'] > 0}, told)
