#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants what the lint checks are there to find, and sees that each does."""
import tempfile
import unittest
from pathlib import Path

import lint

TOP = '/* SPDX-License-Identifier: Apache-2.0 */\n/* Planted. */\n'
LONG = 'int\nlong_one (int x)\n{\n' + '  x++;\n' * lint.FUNCTION_LINES + '  return x;\n}\n'


class Lint(unittest.TestCase):
    def problems(self, name, text, others=()):
        """The checks that complain of a tree with this file, and perhaps with others."""
        with tempfile.TemporaryDirectory() as root:
            for path, content in {name: text, **dict(others)}.items():
                Path(root, path).parent.mkdir(parents=True, exist_ok=True)
                Path(root, path).write_text(content, encoding='utf-8')
            files = sorted(lint.tree(root), key=lambda file: file.name)
            self.assertEqual(1 + len(others), len(files))
            found = []
            for check in lint.CHECKS:
                try:
                    found += [check.__name__] * bool(list(check(files)))
                except lint.Skip:
                    found += [f'skipped {check.__name__}']
            return found

    def expect(self, check, name, text, others=()):
        found = self.problems(name, text, others)
        if f'skipped {check}' in found:
            self.skipTest(f'{check} needs its tool')
        also = {'format_of_code'} - {check}
        self.assertEqual([check], [which for which in found if not which.startswith('skipped') and which not in also])

    def test_clean(self):
        self.assertEqual([], [which for which in self.problems('a.c', TOP + 'int x;\n') if 'skipped' not in which])

    def test_licence(self):
        self.expect('licence', 'a.py', 'x = 1\n')

    def test_purpose(self):
        self.expect('purpose', 'a.c', TOP.split('\n')[0] + '\nint x;\n')

    def test_trailing_space(self):
        self.expect('white_space', 'a.md', 'text \n')

    def test_no_newline(self):
        self.expect('white_space', 'a.md', 'text')

    def test_width(self):
        self.expect('width', 'a.c', TOP + '/* ' + 'x' * 120 + ' */\n')

    def test_width_of_templates(self):
        top = '<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
        self.expect('width', 'a.ui', top + '<object class="' + 'x' * 120 + '"/>\n')
        self.expect('width', 'a.ui', top + '<!-- ' + 'x' * 120 + ' -->\n')
        text = top + '<property name="label">' + 'x' * 120 + '</property>\n'
        self.assertNotIn('width', self.problems('a.ui', text))

    def test_file_length(self):
        self.expect('file_length', 'a.c', TOP + 'int x;\n' * lint.FILE_LINES)

    def test_unfinished(self):
        self.expect('unfinished', 'a.c', TOP + '/* TO' + 'DO: more */\n')

    def test_this_machine(self):
        self.expect('this_machine', 'a.md', 'see /ho' + 'me/me/x\n')

    def test_ways_out(self):
        for call in ('printf ("a")', 'fputs (text, stdout)', 'fwrite (a, 1, n, stdout)'):
            self.expect('ways_out', 'src/cli/a.c', TOP + f'void\nb (void)\n{{\n  {call};\n}}\n')
        self.expect('ways_out', 'src/app/a.c', TOP + 'void\nb (void)\n{\n  gtk_label_set_text (label, name);\n}\n')
        self.assertNotIn('ways_out', self.problems('src/cli/a.c', TOP + 'void\nb (void)\n{\n  g_print ("a");\n}\n'))

    def test_function_length(self):
        self.expect('function_length', 'a.c', TOP + LONG)

    def test_static_names(self):
        one = TOP + 'static void\nnotice_tell (void)\n{\n}\n'
        self.expect('static_names', 'src/a.c', one.replace('notice_', ''))
        self.expect('static_names', 'src/a.c', one, {'src/b.c': one})
        self.assertNotIn('static_names', self.problems('src/a.c', one))

    def test_comment_openings(self):
        self.expect('comment_openings', 'src/a.c', TOP + '/* What is left. */\nint x;\n')
        self.assertNotIn('comment_openings', self.problems('src/a.c', TOP + '/* Bytes that are left. */\nint x;\n'))

    def test_unused_functions(self):
        header = TOP + 'void lc_notice_tell (void);\n'
        code = TOP + 'void\nlc_notice_tell (void)\n{\n}\n'
        self.expect('unused_functions', 'src/a.h', header, {'src/a.c': code})
        caller = {'src/b.c': TOP + 'void\nnotice_all (void)\n{\n  lc_notice_tell ();\n}\n'}
        self.assertNotIn('unused_functions', self.problems('src/a.h', header, {'src/a.c': code, **caller}))

    def test_handlers(self):
        text = '<!-- SPDX-License-Identifier: Apache-2.0 -->\n<signal name="clicked" handler="row_on_clicked"/>\n'
        bind = 'gtk_widget_class_bind_template_callback (widget, row_on_clicked);'
        code = {'src/app/a.c': TOP + f'void\nb (void)\n{{\n  {bind}\n}}\n'}
        self.expect('handlers', 'ui/a.ui', text)
        self.assertNotIn('handlers', self.problems('ui/a.ui', text, code))

    def test_format_of_code(self):
        self.expect('format_of_code', 'a.c', TOP + 'int  x ;\n')

    def test_spelling(self):
        self.expect('spelling', 'a.md', 'te' + 'h word\n')

    def test_shell(self):
        self.expect('shell', 'a', '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\ncd somewhere\n')


if __name__ == '__main__':
    unittest.main()
