#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants what the layer check is there to find, and sees that it does: layers-test.py COMPILER..."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import layers

CLEAN = {
    'include/lightcone/trace-format.h': '#include <stdint.h>\n',
    'include/lightcone/record.h': '#include <stddef.h>\n',
    'src/record/clock.c': '#include "clock.h"\n#include "lightcone/trace-format.h"\n#include <pthread.h>\n',
    'src/record/clock.h': '#include <sys/mman.h>\n',
    'src/mpi/send.c': '#include <mpi.h>\n#include <pthread.h>\n#include "record/clock.h"\n',
    'src/trace/reader.h': '#include <glib.h>\n',
    'src/history/database.c': '#include "trace/reader.h"\n#include <sqlite3.h>\nint x = sqlite3_open (0, 0);\n',
    'src/draw/scene.h': '#include <cairo.h>\n',
    'src/app/window.c': '#include <gtk/gtk.h>\n#include "draw/scene.h"\n',
    'src/cli/main.c': '#include "trace/reader.h"\n',
}


class Source(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        for name, text in CLEAN.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')

    def problems(self):
        return [(check.__name__, problem) for check in layers.CHECKS['source'] for problem in check(self.root)]

    def expect(self, check, name, text):
        self.write(name, text)
        found = self.problems()
        self.assertEqual([check], [which for which, _ in found], found)
        self.assertIn('planted', found[0][1])

    def test_clean(self):
        self.assertEqual([], self.problems())

    def test_upward(self):
        self.expect('upward', 'src/trace/planted.c', '# include "draw/scene.h"\n')

    def test_upward_relative(self):
        self.expect('upward', 'src/trace/planted.c', '#include "../draw/scene.h"\n')

    def test_record_knows_nobody(self):
        self.expect('upward', 'src/record/planted.c', '#include "cli/../trace/reader.h"\n')

    def test_nobody_knows_record(self):
        self.expect('upward', 'src/trace/planted.c', '#include "lightcone/record.h"\n')

    def test_cli_knows_no_app(self):
        self.write('src/app/window.h', '')
        self.expect('upward', 'src/cli/planted.c', '#include "app/window.h"\n')

    def test_circle(self):
        self.write('src/trace/other.h', '#include "planted.h"\n')
        self.write('src/trace/planted.h', '#include "other.h"\n')
        self.assertEqual({'circles'}, {which for which, _ in self.problems()})

    def test_circle_of_parts(self):
        self.write('src/trace/reader.c', '#include "reader-part.h"\n')
        self.write('src/trace/reader-part.h', '#include "reader.h"\n')
        self.assertEqual([], self.problems())

    def test_gtk(self):
        self.expect('foreign', 'src/draw/planted.c', '#include <gtk/gtk.h>\n')

    def test_job(self):
        self.expect('jobs', 'src/app/planted.c', 'GTask *task;\n')
        self.write('src/app/planted.c', '')
        self.write('src/app/job.c', 'GTask *task;\n')
        self.write('src/analysis/work.c', 'GThread *thread = g_thread_new (0, 0, 0);\n')
        self.assertEqual([], self.problems())

    def test_json_by_hand(self):
        for line in (r'g_string_append_printf (text, "{\"name\": %s", name);', r'g_print (", \"events\":%u", n);',
                     r'found = strstr (text, "\"events\"");', r'g_string_append_c (json->text, 1);'):
            self.expect('json', 'src/report/planted.c', line + '\n')
        self.write('src/report/planted.c', r'lc_json_add_count (&json, "events", n); g_print ("in:\"%s\"", name);')
        self.assertEqual([], self.problems())

    def test_adwaita(self):
        self.expect('foreign', 'src/cli/planted.c', '#include <adwaita.h>\n')

    def test_record_glib(self):
        self.write('src/record/planted.c', '#include <glib.h>\n')
        self.assertEqual({'foreign', 'record_system'}, {which for which, _ in self.problems()})

    def test_record_other(self):
        self.expect('record_system', 'src/record/planted.c', '#include <zlib.h>\n')

    def test_mpi_elsewhere(self):
        self.expect('foreign', 'src/cli/planted.c', '#include <mpi.h>\n')

    def test_mpi_other(self):
        self.expect('record_system', 'src/mpi/planted.c', '#include <zlib.h>\n')

    def test_mpi_trace(self):
        self.expect('upward', 'src/mpi/planted.c', '#include "trace/reader.h"\n')

    def test_sqlite_elsewhere(self):
        self.expect('sqlite_files', 'src/analysis/planted.c', 'int x = sqlite3_step (0);\n')

    def test_sqlite_twice(self):
        self.expect('sqlite_files', 'src/history/planted.c', 'int x = sqlite3_step (0);\n')

    def test_new_folder(self):
        self.expect('unknown', 'src/planted/file.h', '')

    def test_new_header(self):
        self.expect('unknown', 'include/lightcone/planted.h', '')


class Library(unittest.TestCase):
    compiler = ['cc']

    def problems(self, text, *options, checks='library'):
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, 'planted.c'), Path(folder, 'planted.so')
            source.write_text(text, encoding='utf-8')
            subprocess.run([*self.compiler, '-shared', '-fPIC', '-fno-builtin', source, '-o', library,
                            '-Wl,--no-as-needed', *options], check=True)
            libc = subprocess.run([*self.compiler, '-print-file-name=libc.so.6'], check=True, capture_output=True,
                                  text=True).stdout.strip()
            return [problem for check in layers.CHECKS[checks] for problem in check(str(library), libc)]

    def test_clean(self):
        self.assertEqual([], self.problems('int getpid (void);\nint sem_post (void *s) { return getpid (); }\n'))

    def test_needed(self):
        self.assertEqual(['linked with libm.so.6'], self.problems('int lc_record_hooks_1;\n', '-lm'))

    def test_exported(self):
        self.assertEqual(['exports planted'], self.problems('int planted;\n'))

    def test_mpi_clean(self):
        self.assertEqual([], self.problems('int PMPI_Send (void);\nint MPI_Send (void) { return PMPI_Send (); }\n'
                                           'int mpi_send__ (void) { return MPI_Send (); }\n', checks='mpi'))

    def test_mpi_exported(self):
        self.assertEqual(['exports planted'], self.problems('int planted;\n', checks='mpi'))
        self.assertEqual(['exports MPIX_Planted'],
                         self.problems('int MPIX_Planted, MPIX_Barrier_init;\n', checks='mpi'))

    def test_mpi_calls(self):
        for name in ('malloc', 'free', 'exit', 'printf', 'sprintf', 'fprintf', 'vasprintf'):
            text = f'void {name} (void);\nint MPI_Send (void) {{ {name} (); return 0; }}\n'
            self.assertEqual([f'calls {name}'], self.problems(text, checks='mpi'), name)

    def test_mpi_may_write_to_buffers(self):
        self.assertEqual([], self.problems('void snprintf (void);\nint MPI_Send (void) { snprintf (); return 0; }\n',
                                           checks='mpi'))

    def test_calls(self):
        for name in ('malloc', 'free', 'exit', 'abort', 'printf', '__snprintf_chk', 'vfprintf', 'puts', 'strdup'):
            text = f'void {name} (void);\nint fork (void) {{ {name} (); return 0; }}\n'
            self.assertEqual([f'calls {name}'], self.problems(text), name)


if __name__ == '__main__':
    Library.compiler = sys.argv[1:] or ['cc']
    unittest.main(argv=sys.argv[:1])
