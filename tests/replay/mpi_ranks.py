# SPDX-License-Identifier: Apache-2.0
"""MPI programs that are recorded and run again."""
import os
import shutil

from cli import PATIENCE, equal, lightcone, program, record

EXAMPLES = os.environ['LIGHTCONE_EXAMPLES']
RANKS = 4

# A launcher that may be root's, and leaves the processor to others while it waits: there are fewer than ranks.
os.environ.update({
    'OMPI_ALLOW_RUN_AS_ROOT': '1',
    'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
    'OMPI_MCA_mpi_yield_when_idle': '1',
    'OMPI_MCA_rmaps_base_oversubscribe': '1',
    # Would ask whichever display there is for its graphics cards.
    'HWLOC_COMPONENTS': '-gl',
})
MPIS = [mpi for mpi in os.environ['LIGHTCONE_TEST_MPI'].split() if shutil.which('mpirun.' + mpi)]


def command(mpi, *arguments):
    return ['mpirun.' + mpi, '-n', str(RANKS), *arguments]


def ranks(mpi, kind):
    return command(mpi, program('replay-ranks-' + mpi), kind)


def record_ranks(mpi, kind, status=0):
    """The recording may not last for ever, as a program would whose ranks wait for each other."""
    recorded = record(*ranks(mpi, kind), timeout=2 * PATIENCE)
    if status is not None:
        equal(recorded.returncode, status, f'recording {kind} with {mpi}, which says {recorded.stderr}')
    return recorded


def replay(*arguments, differ='', **options):
    return lightcone('replay', '--no-environment', *arguments, 'out.trace', env={**os.environ, 'DIFFER': differ},
                     timeout=2 * PATIENCE, **options)


def record_pi(mpi, *options):
    recorded = record(*command(mpi, os.path.join(EXAMPLES, 'pi-' + mpi), '--packets', '30', '--points', '50'),
                      options=options)
    equal(recorded.returncode, 0, f'recording, which says {recorded.stderr}')
    return recorded


def ask(query, trace='out.trace'):
    """Rows of the trace's history, without the line of names."""
    result = lightcone('sql', '--csv', trace, query)
    equal(result.returncode, 0, query)
    return [row.split(',') for row in result.stdout.splitlines()[1:]]
