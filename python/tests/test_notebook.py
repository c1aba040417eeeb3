"""The notebook, and the page of the wheel, run and print what they show."""

import ast
import contextlib
import doctest
import io
import json
import os
import unittest
import warnings

from .common import ROOT

NOTEBOOK = ROOT / "examples" / "python" / "ranking.ipynb"


def run(source, names):
    """Run a cell as Jupyter does, with the value of its last expression rendered, and return what it prints."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            getattr(value, "_repr_html_", value.__repr__)()
    return out.getvalue()


class TestNotebook(unittest.TestCase):
    def test_cells(self):
        try:
            import pandas  # noqa: F401
            import sklearn  # noqa: F401
        except ImportError as err:
            self.skipTest(f"{err.name} is not here, which the notebook needs")
        cells = [c for c in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
        names = {}
        there = os.getcwd()
        os.chdir(NOTEBOOK.parent)
        try:
            for cell in cells:
                shown = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.assertEqual(run("".join(cell["source"]), names), shown)
        finally:
            os.chdir(there)
        self.assertGreater(len(cells), 5)

    def test_page_of_the_wheel(self):
        self.assertEqual(doctest.testfile(str(ROOT / "python" / "README.md"), module_relative=False).failed, 0)


if __name__ == "__main__":
    unittest.main()
