#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The samples as they are installed: installed.py BUILD SANITIZER, which is that of the build. Speaks TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = {'right.trace': 17, 'wrong.trace': 17, 'crowded.trace': 36, 'buffer.trace': 5, 'deadlock.trace': 6}
MOST = 3 << 20  # bytes of all


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def bytes_of(folder):
    return sum(path.stat().st_size for path in folder.rglob('*') if path.is_file())


def look(root, sanitizer):
    lightcone = next(path for path in root.rglob('bin/lightcone'))
    folder = next(path for path in root.rglob('lightcone/samples'))
    assert {path.name for path in folder.iterdir()} == {*SAMPLES, 'gauss'}, sorted(folder.iterdir())
    assert bytes_of(folder) < MOST, bytes_of(folder)
    for path in folder.rglob('*.trace/*'):
        assert not re.search(r'(?<![\w.])/\w', path.read_text(encoding='utf-8')), f'a path in {path}'
    for name, processes in SAMPLES.items():
        info = json.loads(run(lightcone, 'info', '--json', folder / name))
        assert info['processes'] == processes, (name, info['processes'])
    notes = subprocess.run([lightcone, 'check', folder / 'wrong.trace'], stdout=subprocess.PIPE, text=True,
                           check=False).stdout
    assert notes.count('read-start') == 15, notes
    print('ok 1 the samples are installed, small, name no path, and the installed lightcone reads them', flush=True)
    record(root, lightcone, folder, sanitizer)


def record(root, lightcone, folder, sanitizer):
    """As the tutorial tells the reader to do."""
    library = next(root.rglob('liblightcone.a'), None) or next(root.rglob('liblightcone.so'))
    program, trace = root / 'gauss', root / 'new.trace'
    headers = next(root.rglob('lightcone/record.h')).parent.parent
    flags = [] if sanitizer == 'none' else [f'-fsanitize={sanitizer}']  # which the library needs then
    run('cc', '-g', '-O2', *flags, '-D_GNU_SOURCE', '-pthread', '-I', headers, '-o', program,
        folder / 'gauss' / 'gauss.c', folder / 'gauss' / 'example.c', library, '-lm', '-ldl')
    # The recorder is not where it was to be installed.
    os.environ['LIGHTCONE_RECORD_LIBRARY'] = str(next(root.rglob('liblightcone-record.so')))
    run(lightcone, 'record', '--quiet', '--no-calibrate', '-o', trace, '--', program, '--workers', '3', '--size', '12')
    assert json.loads(run(lightcone, 'info', '--json', trace))['processes'] == 4
    print('ok 2 the program of the tutorial is compiled from what is installed, and recorded', flush=True)


def main(build, sanitizer):
    print('1..2', flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ['XDG_CACHE_HOME'] = f'{temporary}/cache'
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', temporary + '/root',
            stderr=subprocess.DEVNULL)
        look(Path(temporary, 'root'), sanitizer)


main(*sys.argv[1:])
