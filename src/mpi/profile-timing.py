# SPDX-License-Identifier: Apache-2.0
"""Writes wrappers that measure the time of all MPI functions that mpi.h declares and no other source here defines."""
import re
import subprocess
import sys

# What cannot wait, has no function behind it, or is called before or after all else.
LEFT_OUT = re.compile('MPI_(' + '|'.join((
    'Wtime', 'Wtick', 'Pcontrol', 'Init', 'Init_thread', 'Initialized', 'Finalized', 'Finalize', 'Abort', 'T_.*',
    '.*_[cf]2[cf]', '.*_(c2f08|f082c|f2f08|f082f)', 'F_sync_reg', 'Aint_(add|diff)', '.*_FN', '.*_FN_NULL',
    'Get_(version|library_version|count|elements|elements_x|address)', 'Query_thread', 'Is_thread_main',
    'Keyval_.*', 'Attr_.*', 'Address', 'Type_(hindexed|hvector|struct|extent|lb|ub|size|size_x)',
    'Errhandler_(create|get|set)', 'Error_(class|string)', 'Comm_(rank|size)', 'Test_cancelled', 'Status_.*')) + ')')


def prototypes(header):
    """(name, parameters) of each function that returns an int."""
    text = re.sub(r'__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)', '', header)
    text = re.sub(r'^#.*$', '', text, flags=re.M)
    for match in re.finditer(r'\bint\s+(MPI_\w+)\s*\(([^;{]*?)\)\s*;', text, re.S):
        parameters = ' '.join(match.group(2).split())
        if '...' not in parameters and '(' not in parameters:
            yield match.group(1), parameters


def argument(parameter):
    return re.search(r'(\w+)\s*(?:\[[^\]]*\]\s*)*$', parameter).group(1)


def wrapper(name, parameters):
    arguments = '' if parameters in ('', 'void') else ', '.join(argument(p) for p in parameters.split(','))
    return f'''
int {name} ({parameters or 'void'});

LC_PROFILE_EXPORT int
{name} ({parameters or 'void'})
{{
  static struct lc_profile_routine lc_routine = {{.name = "{name}", .kind = LC_PROFILE_MPI}};
  struct lc_profile_call lc_call;
  int lc_result;

  if (!lc_profile_begin (&lc_call, &lc_routine))
    return P{name} ({arguments});
  lc_profile_go (&lc_call);
  lc_result = P{name} ({arguments});
  lc_profile_back (&lc_call);
  lc_profile_end (&lc_call);
  return lc_result;
}}
'''


def main():
    output, package, separator = sys.argv[1], sys.argv[2], sys.argv.index('--')
    compiler, sources = sys.argv[3:separator], sys.argv[separator + 1:]
    flags = subprocess.run(['pkg-config', '--cflags', package], check=True, capture_output=True, text=True).stdout
    header = subprocess.run([*compiler, *flags.split(), '-E', '-x', 'c', '-'], input='#include <mpi.h>\n', check=True,
                            capture_output=True, text=True).stdout
    defined = set()
    for source in sources:
        with open(source, encoding='utf-8') as file:
            text = file.read()
        defined.update(re.findall(r'^(MPI_\w+) \(', text, re.M))
        defined.update('MPI_' + name for name in re.findall(r'^(?:START_SEND|SEND|WRAPPER) \((\w+)', text, re.M))
        defined.update(f'MPI_{name}_c' for name in re.findall(r'^(?:NARROW|NARROW_BOTH) \((\w+)', text, re.M))
    found = dict(prototypes(header))
    with open(output, 'w', encoding='utf-8') as file:
        file.write('/* SPDX-License-Identifier: Apache-2.0 */\n'
                   '/* Made by profile-timing.py: MPI functions of which only the time is measured. */\n'
                   '#include "mpi/profile.h"\n')
        for name in sorted(found):
            if name not in defined and not LEFT_OUT.fullmatch(name) and 'P' + name in header:
                file.write(wrapper(name, found[name]))


if __name__ == '__main__':
    main()
