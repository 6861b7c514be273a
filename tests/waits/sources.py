# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian's, made from their source packages with debugging information.

A package of programs comes without; to see what their authors would see, they are compiled again, with the options that
Debian compiles with and -g.
"""
import os
import subprocess
from pathlib import Path

from waits import harm

PATIENCE = 1800
FLAGS = '-O2 -g'
# Of a program: its source package, what is run in the folder of that, and what it leaves there.
PROGRAMS = {
    'pbzip2': ('pbzip2', [['make', f'CXXFLAGS={FLAGS} -D_LARGEFILE64_SOURCE=1 -D_FILE_OFFSET_BITS=64', 'pbzip2']],
               'pbzip2'),
    'zstd': ('libzstd', [['make', '-C', 'programs', 'zstd', f'MOREFLAGS={FLAGS}', 'HAVE_ZLIB=0', 'HAVE_LZMA=0',
                          'HAVE_LZ4=0']], 'programs/zstd'),
    'x264': ('x264', [['./configure', '--disable-asm', '--disable-avs', '--disable-swscale', '--disable-lavf',
                       '--disable-ffms', '--disable-gpac', '--disable-lsmash', '--extra-cflags=-g'], ['make', 'x264']],
             'x264'),
    'memcached': ('memcached', [['./configure', '--disable-docs', f'CFLAGS={FLAGS}'], ['make', 'memcached']],
                  'memcached'),
    'Redis': ('redis', [['make', 'MALLOC=libc', 'OPTIMIZATION=-O2', 'redis-server']], 'src/redis-server'),
}


class Sources:
    """apt, with lists of its own that have the source packages of where the machine gets its programs."""

    def __init__(self, folder):
        self.folder = Path(folder)
        (self.folder / 'lists/partial').mkdir(parents=True)
        (self.folder / 'parts').mkdir()
        (self.folder / 'bin').mkdir()
        for path in Path('/etc/apt').glob('sources.list.d/*.sources'):
            text = path.read_text().replace('Types: deb\n', 'Types: deb-src\n')
            (self.folder / 'parts' / path.name).write_text(text)
        lines = ''.join(path.read_text() + '\n' for path in [Path('/etc/apt/sources.list'),
                                                             *Path('/etc/apt').glob('sources.list.d/*.list')]
                        if path.exists())
        (self.folder / 'parts/all.list').write_text(lines.replace('deb ', 'deb-src '))
        (self.folder / 'apt.conf').write_text(
            f'Dir::Etc::sourceparts "{self.folder}/parts";\nDir::Etc::sourcelist "/dev/null";\n'
            f'Dir::State::lists "{self.folder}/lists";\n')
        self.run(['apt-get', '-q', 'update'])

    def run(self, command, folder=None):
        result = subprocess.run(command, cwd=folder or self.folder, capture_output=True, timeout=PATIENCE, text=True,
                                env={**os.environ, 'APT_CONFIG': str(self.folder / 'apt.conf')})
        if result.returncode != 0:
            raise harm.Skip(f'{command[0]} failed: {result.stderr[-500:]}')

    def build(self, name):
        """Leaves the program in the folder `bin`."""
        package, commands, program = PROGRAMS[name]
        top = self.folder / package
        top.mkdir()
        self.run(['apt-get', '-q', 'source', package], top)
        folder = next(path for path in top.iterdir() if path.is_dir())
        for command in commands:
            self.run(command, folder)
        (self.folder / 'bin' / Path(program).name).symlink_to(folder / program)

    def build_all(self, names):
        """Has programs found there first. Returns the names of those that could be made."""
        built = []
        for name in names:
            try:
                self.build(name)
                built.append(name)
            except harm.Skip as problem:
                print(f'{name}: {problem}', flush=True)
        os.environ['PATH'] = f'{self.folder}/bin:{os.environ["PATH"]}'
        return built
