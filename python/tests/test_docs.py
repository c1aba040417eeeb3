"""The examples of docstrings and of docs/python.md."""

import ast
import doctest
import unittest
import warnings

import pairrank
from pairrank import _arrays, _base, _boards, _relation, _rows, _verbs

from .common import ROOT


class Examples(unittest.TestCase):
    def test_syntax_of_python_39(self):
        files = sorted((ROOT / "python" / "pairrank").glob("*.py"))
        for path in files:
            ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))
        self.assertGreater(len(files), 10)

    def test_docstrings(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for module in (pairrank, _arrays, _base, _boards, _relation, _rows, _verbs):
                self.assertEqual(doctest.testmod(module).failed, 0, module.__name__)

    def test_page(self):
        try:
            import sklearn  # noqa: F401
        except ImportError as err:
            raise unittest.SkipTest("scikit-learn is not here") from err
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            failed = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False).failed
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
