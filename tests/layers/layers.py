#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who knows whom: layers.py source ROOT, or layers.py library LIBRARY LIBC for the recorder, and layers.py mpi
LIBRARY LIBC for what stands before MPI. Speaks TAP."""
import re
import subprocess
import sys
from pathlib import Path

# Whose headers each folder of src may include, besides its own and those of the format.
MAY_USE = {
    'record': set(),
    'calibrate': {'record'},
    'mpi': {'record'},
    'trace': set(),
    'where': {'trace'},
    'replay': {'trace'},
    'history': {'trace', 'where'},
    'analysis': {'trace', 'history'},
    'report': {'trace', 'history', 'analysis'},
    'draw': {'trace', 'history', 'analysis'},
    'python': set(),
    'app': {'trace', 'history', 'analysis', 'report', 'draw', 'script'},
    'script': {'trace', 'history', 'analysis', 'report', 'draw'},
    'cli': {'calibrate', 'trace', 'where', 'replay', 'history', 'analysis', 'report', 'draw',
            'script'},
}

# Circles of includes for which docs/architecture.md has a reason.
DEFENDED = [
    {f'src/record/{name}' for name in ('dispatch', 'environment', 'hooks', 'mpi', 'places', 'real', 'recorder',
                                       'regions', 'sites', 'wake-ups', 'wrap-futex')},
    {f'src/history/{name}' for name in ('block', 'directory', 'holding', 'numbers', 'postings', 'pyramid', 'reader',
                                        'states', 'store')},
    {'src/app/session/session', 'src/app/session/state'},
]

# The folder that each header of include/lightcone belongs to. Everyone may know the format.
PUBLIC = {
    'approximate.h': 'analysis',
    'called.h': 'analysis',
    'canvas.h': 'draw',
    'causality.h': 'analysis',
    'clock-correction.h': 'history',
    'coloring.h': 'analysis',
    'compare.h': 'analysis',
    'compensation.h': 'format',
    'control.h': 'format',
    'costs.h': 'analysis',
    'critical-path.h': 'analysis',
    'deadlock.h': 'analysis',
    'diagram.h': 'draw',
    'early-reads.h': 'history',
    'environment-file.h': 'trace',
    'exchange.h': 'history',
    'explanation.h': 'analysis',
    'given.h': 'replay',
    'groups.h': 'draw',
    'growth.h': 'analysis',
    'history.h': 'history',
    'inputs-format.h': 'format',
    'inputs-plan.h': 'format',
    'filters.h': 'analysis',
    'inside.h': 'analysis',
    'laid-times.h': 'analysis',
    'lengths.h': 'analysis',
    'lock-cycles.h': 'analysis',
    'marks.h': 'history',
    'merge.h': 'history',
    'morph.h': 'draw',
    'palette.h': 'draw',
    'phases.h': 'analysis',
    'picture.h': 'draw',
    'predict.h': 'analysis',
    'process-graph.h': 'draw',
    'profile.h': 'analysis',
    'races.h': 'analysis',
    'record.h': 'record',
    'recording.h': 'trace',
    'replay-mpi-plan.h': 'format',
    'replay-mpi.h': 'replay',
    'replay-plan.h': 'format',
    'replay.h': 'replay',
    'rules.h': 'trace',
    'scene.h': 'draw',
    'schedule-plan.h': 'format',
    'schedule.h': 'analysis',
    'selection.h': 'draw',
    'sheet.h': 'draw',
    'sites.h': 'analysis',
    'sizes.h': 'analysis',
    'slack-statistics.h': 'analysis',
    'slack.h': 'history',
    'slacks.h': 'history',
    'snapshot.h': 'trace',
    'states.h': 'history',
    'statistics.h': 'analysis',
    'sweep.h': 'history',
    'timeline-trace.h': 'history',
    'timeline.h': 'history',
    'trace-format.h': 'format',
    'trace.h': 'trace',
    'unseen.h': 'trace',
    'what-if.h': 'analysis',
    'where.h': 'where',
}

# What the recorder may ask of the system: C11, POSIX threads, Linux.
RECORD_SYSTEM = re.compile(r'(assert|cpuid|dlfcn|elf|errno|fcntl|gnu/libc-version|limits|link|netdb|netinet/in|poll|'
                           r'pthread|sched|semaphore|setjmp|signal|spawn|std\w+|string|strings|termios|threads|time|'
                           r'ucontext|unistd|unwind|'
                           r'(sys|linux|asm)/[\w/]+)\.h')

# Libraries that only some folders may include.
LIBRARIES = {
    r'(gtk|gdk|gsk|adwaita)\b.*': {'app'},
    r'(cairo|pango)\b.*': {'draw', 'app'},
    r'(sqlite3).*': {'history'},
    r'(libguile).*': {'script'},
    r'mpi.*': {'mpi', 'calibrate'},
    r'(elfutils/|libelf|gelf|dwarf|libiberty/).*': {'where'},
    r'(glib|gio|gobject|gmodule)\b.*': {
        'trace', 'where', 'replay', 'history', 'analysis', 'report', 'draw', 'app', 'script', 'cli'},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SQLITE = re.compile(r'\bsqlite3_\w+')

# What runs work in threads; and who may, for a reason that docs/architecture.md has.
THREADS = re.compile(r'\b(GTask|g_task_new|GThreadPool|g_thread_new|g_thread_pool_new)\b')
OWN_THREADS = {
    'job.c': {'GTask', 'g_task_new'},
    'diagram/shot.c': {'GThreadPool', 'g_thread_pool_new'},
    'open/opening.c': {'g_thread_new'},
}

# What looks like JSON that is written, or looked through, by hand; and who may: the writer, the reader, and what writes
# the profile of an MPI rank, which has no GLib.
JSON_BY_HAND = re.compile(r'\{\\"|\\" ?:|"\\"\w+\\""|\bjson(->|\.)text,')
JSON_FILES = {'src/trace/json.c', 'src/analysis/json-value.c', 'src/mpi/profile-write.c'}

NEEDED = re.compile(r'\(NEEDED\).*\[(.*)\]')
LIBC_PARTS = re.compile(r'(libc|libpthread|libdl|librt|ld-linux[\w-]*)\.so\.\d+')
HARMFUL = re.compile(r'(malloc|calloc|realloc|reallocarray|free|posix_memalign|aligned_alloc|memalign|valloc|'
                     r'str(n)?dup|exit|quick_exit|abort|__assert\w*|\w*printf(_chk)?|f?put[cs]\w*|putchar|fopen\w*|'
                     r'fdopen|fwrite\w*|perror|syslog|v?(err|warn)x?)')
BUFFER_PRINTS = re.compile(r'(__)?v?snprintf(_chk)?')  # no file, and no memory for what MPI's names are made of
# In C, and as the Fortran compilers write them; and the persistent collective operations of Open MPI 4.1's extension.
OPENMP_EXPORTS = re.compile(r'GOMP_\w+|omp_\w+_lock_?|__kmpc_\w+|omp_fulfill_event|ompt_start_tool')
MPI_EXPORTS = re.compile(r'(?i:mpi_\w+)|MPIX_\w+_init')
OWN_EXPORTS = {'lc_record_hooks_1', 'lc_replay_hooks_1', 'lc_inputs_keeper_1', 'lc_inputs_giver_1',
               'lc_inputs_are_given', 'lc_inputs_start', '__cyg_profile_func_enter', '__cyg_profile_func_exit'}


def owner(path, root):
    """The folder that a file belongs to."""
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == 'src' else PUBLIC.get(parts[-1])


def resolve(name, file, root):
    """The file of the tree that an include means, or None."""
    for folder in (file.parent, root / 'src', root / 'include'):
        if (folder / name).is_file():
            return (folder / name).resolve()
    return None


def includes(root):
    """Each (file, folder, name, file that it means or None) of the tree."""
    for file in sorted([*root.glob('src/*/**/*.[ch]'), *root.glob('include/lightcone/*.h')]):
        for _, name in INCLUDE.findall(file.read_text(encoding='utf-8')):
            yield file, owner(file, root), name, resolve(name, file, root)


def unknown(root):
    """Folders and public headers that this check has not been told about."""
    for path in sorted(root.glob('src/*/')):
        if path.is_dir() and path.name not in MAY_USE:
            yield f'{path.name}: not in MAY_USE'
    for path in sorted(root.glob('include/lightcone/*.h')):
        if path.name not in PUBLIC:
            yield f'{path.name}: not in PUBLIC'


def upward(root):
    """Includes of a folder that the including one may not know."""
    for file, folder, name, target in includes(root):
        if target is None:
            continue
        other = owner(target, root)
        if other not in ({folder, 'format'} | MAY_USE.get(folder, set())):
            yield f'{file.relative_to(root)}: {folder} must not include {name} of {other}'


def part_of(module, other):
    """Whether one module is a part of the other, by its name: scene-events and scene-private are parts of scene."""
    return module.parent == other.parent and (module.name + '-').startswith(other.name + '-')


def circles(root):
    """Modules (a .c file and its header) that include each other, but for a module and its parts."""
    graph = {}
    for file, _, _, target in includes(root):
        one, other = file.with_suffix(''), target and target.with_suffix('')
        if target is not None and one != other and not part_of(one, other) and not part_of(other, one):
            graph.setdefault(one, set()).add(other)
    for one, others in sorted(graph.items()):
        for other in sorted(others):
            names = {str(module.relative_to(root)) for module in (one, other)}
            if not any(names <= known for known in DEFENDED) and reaches(graph, other, one):
                first, second = (module.relative_to(root) for module in (one, other))
                yield f'{first}: in a circle with {second}, which is not defended in docs/architecture.md'


def reaches(graph, one, other):
    """Whether there is a way from one node to the other."""
    seen, left = set(), [one]
    while left:
        node = left.pop()
        if node == other:
            return True
        if node not in seen:
            seen.add(node)
            left.extend(graph.get(node, ()))
    return False


def foreign(root):
    """Includes of a library that the including folder may not use."""
    for file, folder, name, target in includes(root):
        for pattern, folders in LIBRARIES.items():
            if target is None and re.fullmatch(pattern, name) and folder not in folders:
                yield f'{file.relative_to(root)}: {folder} must not include {name}'


def record_system(root):
    """What the recorder includes besides libc and pthreads, and what stands before MPI besides that and MPI."""
    for file, folder, name, target in includes(root):
        if folder not in ('record', 'format', 'mpi') or target is not None or RECORD_SYSTEM.fullmatch(name):
            continue
        if folder != 'mpi' or name not in ('mpi.h', 'mpi-ext.h'):
            yield f'{file.relative_to(root)}: the recorder must not include {name}'


def sqlite_files(root):
    """Files that speak SQLite, when they are not the database's of history."""
    for path in sorted(root.glob('src/*/**/*.[ch]')):
        if SQLITE.search(path.read_text(encoding='utf-8')) and not (
                owner(path, root) == 'history' and path.stem.split('-')[0] == 'database'):
            yield f"{path.relative_to(root)}: only history's database may use sqlite3_*"


def jobs(root):
    """Files of the browser that run work in threads of their own, when that is what jobs are for."""
    for path in sorted(root.glob('src/app/**/*.[ch]')):
        found = set(THREADS.findall(path.read_text(encoding='utf-8')))
        for name in sorted(found - OWN_THREADS.get(str(path.relative_to(root / 'src/app')), set())):
            yield f'{path.relative_to(root)}: {name}, where app/job.h has background work'


def json(root):
    """JSON that is written or read by hand, when trace/json.h and analysis/json-value.h do that."""
    for path in sorted(root.glob('src/*/**/*.[ch]')):
        name = str(path.relative_to(root))
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            if name not in JSON_FILES and JSON_BY_HAND.search(line):
                yield f'{name}:{number}: JSON by hand'


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library, *options):
    """(type, name without version) of the dynamic symbols."""
    for line in tool('nm', '-D', '--format=posix', *options, library).splitlines():
        name, kind = line.split()[:2]
        yield kind, name.split('@')[0]


def needed(library, libc):
    """Libraries other than libc that the recorder is linked with."""
    for name in NEEDED.findall(tool('readelf', '-dW', library)):
        if not LIBC_PARTS.fullmatch(name):
            yield f'linked with {name}'


def harmful(library, libc):
    """Functions that the recorder must not call in somebody else's program."""
    for kind, name in symbols(library, '--undefined-only'):
        if kind == 'U' and HARMFUL.fullmatch(name):
            yield f'calls {name}'


def exported(library, libc):
    """Names that the recorder puts before a program and that stand before nothing of libc or OpenMP."""
    known = {name for _, name in symbols(libc, '--defined-only')} | OWN_EXPORTS
    for _, name in symbols(library, '--defined-only'):
        if name not in known and not OPENMP_EXPORTS.fullmatch(name):
            yield f'exports {name}'


def harmful_mpi(library, libc):
    """The same for what stands before MPI, which no signal handler calls."""
    for kind, name in symbols(library, '--undefined-only'):
        if kind == 'U' and HARMFUL.fullmatch(name) and not BUFFER_PRINTS.fullmatch(name):
            yield f'calls {name}'


def harmful_inputs(library, libc):
    """The same for what makes streams of stdio, when the program does."""
    return [problem for problem in harmful(library, libc) if problem != 'calls fopencookie']


def exported_inputs(library, libc):
    """The same for what also stands before the time of MPI."""
    return [problem for problem in exported(library, libc)
            if problem not in ('exports MPI_Wtime', 'exports PMPI_Wtime')]


JUMPS = {'longjmp', '_longjmp', 'siglongjmp', '__longjmp_chk'}  # a profile sees which functions they leave


def exported_mpi(library, libc):
    """Names that what stands before MPI puts before a program, and that are none of MPI."""
    for _, name in symbols(library, '--defined-only'):
        if not MPI_EXPORTS.fullmatch(name) and name not in OWN_EXPORTS | JUMPS:
            yield f'exports {name}'


CHECKS = {
    'source': (unknown, upward, circles, foreign, record_system, sqlite_files, jobs, json),
    'library': (needed, harmful, exported),
    'inputs': (needed, harmful_inputs, exported_inputs),
    'mpi': (needed, harmful_mpi, exported_mpi),
}


def main(what, *arguments):
    if what == 'source':
        arguments = [Path(arguments[0]).resolve()]
    print(f'1..{len(CHECKS[what])}')
    status = 0
    for number, check in enumerate(CHECKS[what], 1):
        problems = list(check(*arguments))
        print(f'{"not " if problems else ""}ok {number} - {check.__name__}')
        for problem in problems:
            print('#', problem)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
