"""What the worker survives, and what it leaves behind."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import warnings
from unittest import mock

import numpy as np

import pairrank
from pairrank import _events, _process
from pairrank._worker import worker

from .common import ROOT, problem


def alive(pid):
    """Report whether a process runs, and is no corpse that waits for its parent."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    except OSError:
        return False


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def script(text, **kwargs):
    """Start Python with a script that has a problem and a fitted model."""
    head = """
    import os, signal, sys, threading, time
    import numpy as np
    import pairrank
    from pairrank._worker import worker
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    X = np.random.default_rng(1).normal(size=(20, 2))
    y = np.arange(20) * 7 % 5
    slow = pairrank.RankBoost(rounds=100000000)
    model = pairrank.RankRLS(lambdas=1.0).fit(X, y)
    print(worker.pid, flush=True)
    """
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONWARNINGS": "ignore"}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(text)],
        stdout=subprocess.PIPE, text=True, env=environ, **kwargs,
    )


class Leftovers(unittest.TestCase):
    def test_many_fits_leave_nothing(self):
        X, y, _ = problem(20, 2)
        model = pairrank.RankRLS(lambdas=1.0)
        model.fit(X, y).predict(X)
        pid, files = worker.pid, len(os.listdir("/proc/self/fd"))
        theirs, temporary = len(os.listdir(f"/proc/{pid}/fd")), set(os.listdir(tempfile.gettempdir()))
        threads = len(os.listdir(f"/proc/{pid}/task"))
        for _ in range(1000):
            model.fit(X, y)
        self.assertEqual(worker.pid, pid)
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)
        self.assertEqual(len(os.listdir(f"/proc/{pid}/fd")), theirs)
        self.assertLess(len(os.listdir(f"/proc/{pid}/task")), threads + 8)
        new = set(os.listdir(tempfile.gettempdir())) - temporary
        self.assertFalse([name for name in new if "pairrank" in name])

    def test_large_fits_take_the_memory_of_one(self):
        X, y, queries = problem(150_000, 20)
        worker.end()  # the peak is that of a new process
        peaks = []
        for _ in range(3):
            pairrank.RankRLS(lambdas=1.0).fit(X, y, groups=queries)
            with open(f"/proc/{worker.pid}/status") as f:
                peaks.append(next(int(line.split()[1]) for line in f if line.startswith("VmHWM")))
        self.assertLess(peaks[-1], peaks[0] + X.nbytes / 1024 / 2)

    def test_no_process_before_it_is_needed(self):
        code = "import pairrank; from pairrank._worker import worker; assert worker.pid is None"
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})


class Memory(unittest.TestCase):
    """Large arrays lie in memory that the program maps, where there is such memory; elsewhere they go by the pipe."""

    def both(self, work):
        """Return what work gives with such memory, and without."""
        given = []
        for memory in (_process._memory, lambda: None):
            worker.end()
            with mock.patch.object(_process, "_memory", memory):
                given.append(work())
        worker.end()
        return given

    def test_arrays_are_those_of_the_pipe(self):
        X, y, queries = problem(3000, 20)
        forms = [X, np.asfortranarray(X), X.astype("f4"), np.round(9 * X).astype("i8"), X[::2].repeat(2, axis=0)[::-1]]
        try:
            from scipy import sparse

            forms.append(sparse.csr_matrix(np.where(np.abs(X) > 1, X, 0)))
        except ImportError:
            pass

        def work():
            told = []
            for form in forms:
                model = pairrank.RankRLS(lambdas=1.0).fit(form, y, groups=queries)
                told += [model.model_, model.predict(form).tobytes(), model.predict(form[:3]).tobytes()]
            return told

        mapped, piped = self.both(work)
        self.assertEqual(mapped, piped)

    def test_errors_are_those_of_the_pipe(self):
        X, y, _ = problem(3000, 20)
        model = pairrank.RankRLS(lambdas=1.0).fit(X, y)
        X[7, 3], texts = np.inf, []

        def work():
            for form in (X, np.asfortranarray(X), X[:, :19]):
                with self.assertRaises(ValueError) as caught:
                    model.predict(form)
                texts.append(str(caught.exception))
            return texts[-3:]

        mapped, piped = self.both(work)
        self.assertEqual(mapped, piped)

    def test_standard_input_is_closed(self):
        text = """
        worker.end()
        os.close(0)
        print(len(model.predict(np.zeros((20000, 2)))))
        """
        with script(text) as p:
            self.assertEqual(p.stdout.read().split()[1:], ["20000"])

    @unittest.skipUnless(hasattr(os, "memfd_create"), "there is no such memory")
    def test_memory_is_given_back(self):
        model = pairrank.RankRLS(lambdas=1.0).fit(*problem(300, 20)[:2])
        sizes = []
        for rows in (10_000, 500_000, 100):
            self.assertEqual(len(model.predict(np.zeros((rows, 20)))), rows)
            sizes.append(os.fstat(worker._process.memory.file).st_size)
        self.assertGreaterEqual(sizes[0], 10_000 * 20 * 8)
        self.assertEqual(sizes[1], sizes[2])
        self.assertLess(sizes[2], 500_000 * 20 * 8)


class Kills(unittest.TestCase):
    def setUp(self):
        self.X, self.y, _ = problem(30, 3)
        self.model = pairrank.RankRLS(kernel="gaussian:gamma=0.1", lambdas=1.0).fit(self.X, self.y)  # not by NumPy

    def test_killed_between_calls(self):
        want = self.model.predict(self.X)
        before = worker.pid
        os.kill(before, signal.SIGKILL)
        worker._process.popen.wait(20)  # all its threads have ended
        np.testing.assert_array_equal(self.model.predict(self.X), want)  # the model is sent again
        self.assertNotEqual(worker.pid, before)

    def test_dying_when_it_is_asked(self):
        want, wide = self.model.predict(self.X), np.zeros((200000, 3))  # of wide the pipe holds a part
        for k in range(30):
            os.kill(worker.pid, signal.SIGKILL)
            if k % 3 == 2:
                self.assertEqual(len(self.model.predict(wide)), len(wide))
            else:
                np.testing.assert_array_equal(self.model.predict(self.X), want)

    def test_killed_at_work(self):
        def kill(_):
            os.kill(worker.pid, signal.SIGKILL)

        with self.assertRaisesRegex(pairrank.WorkerError, "lack of memory"):
            pairrank.RankBoost(rounds=100000000).fit(self.X, self.y, progress=kill)
        self.model.predict(self.X)

    def test_end_of_python(self):
        with script("") as p:
            pid = int(p.stdout.readline())
            p.wait(20)
            self.assertTrue(wait_until(lambda: not alive(pid)))

    def test_kill_of_python_at_work(self):
        with script("slow.fit(X, y)") as p:
            pid = int(p.stdout.readline())
            time.sleep(0.5)
            p.kill()
            p.wait(20)
            self.assertTrue(wait_until(lambda: not alive(pid)))

    def test_kill_of_python_whose_child_lives(self):
        text = """
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
        print(child, flush=True)
        slow.fit(X, y)
        """
        with script(text) as p:
            pid, child = int(p.stdout.readline()), int(p.stdout.readline())
            time.sleep(0.5)
            p.kill()
            p.wait(20)
            self.assertTrue(wait_until(lambda: not alive(pid)))
            os.kill(child, signal.SIGKILL)


class Interrupts(unittest.TestCase):
    def test_ctrl_c_stops_the_work(self):
        text = """
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            slow.fit(X, y)
            print("went on")
        except KeyboardInterrupt:
            print("interrupted")
        print(hasattr(slow, "model_"), len(model.predict(X)), signal.getsignal(signal.SIGINT).__name__)
        """
        with script(text) as p:
            pid = int(p.stdout.readline())
            said = p.stdout.read().split("\n")
            self.assertEqual(said[0], "interrupted")
            self.assertEqual(said[1], "False 20 default_int_handler")
            self.assertFalse(alive(pid))  # the process that worked has ended, another one took its place

    def test_exception_of_a_handler(self):
        text = """
        def late(*_):
            raise TimeoutError
        signal.signal(signal.SIGALRM, late)
        signal.alarm(1)
        try:
            slow.fit(X, y)
        except TimeoutError:
            print("late", len(model.predict(X)))
        """
        with script(text) as p:
            pid = int(p.stdout.readline())
            self.assertEqual(p.stdout.read().strip(), "late 20")
            self.assertFalse(alive(pid))


class Sharing(unittest.TestCase):
    def test_threads(self):
        X, y, _ = problem(200, 4)
        want = {s: pairrank.RankRLS(lambdas=float(s)).fit(X, y).predict(X) for s in range(1, 9)}
        got = {}

        def work(s):
            got[s] = pairrank.RankRLS(lambdas=float(s)).fit(X, y).predict(X)

        threads = [threading.Thread(target=work, args=(s,)) for s in want]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for s in want:
            np.testing.assert_array_equal(got[s], want[s])

    def test_fork_in_the_middle(self):
        X, y, _ = problem(30, 3)
        model = pairrank.RankRLS(lambdas=1.0).fit(X, y)
        want = model.predict(X)
        busy = threading.Thread(target=lambda: pairrank.RankBoost(rounds=20000).fit(X, y))
        busy.start()
        time.sleep(0.2)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if np.array_equal(model.predict(X), want) else 2
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        self.assertEqual(status, 0)
        busy.join()
        np.testing.assert_array_equal(model.predict(X), want)

    def test_processes_of_joblib(self):
        try:
            from joblib import Parallel, delayed
        except ImportError as err:
            raise unittest.SkipTest("joblib is not here") from err
        X, y, _ = problem(60, 3)
        model = pairrank.RankRLS(lambdas=1.0).fit(X, y)
        want = model.predict(X)
        for backend in ("loky", "multiprocessing", "threading"):
            for got in Parallel(n_jobs=2, backend=backend)(delayed(model.predict)(X) for _ in range(4)):
                np.testing.assert_array_equal(got, want)


class Progress(unittest.TestCase):
    def test_events(self):
        X, y, _ = problem(200, 4)
        heard = []
        pairrank.RankBoost(rounds=200).fit(X, y, progress=heard.append)
        self.assertTrue({"progress", "end"} & {event["event"] for event in heard})

    def test_call_within_a_call(self):
        X, y, _ = problem(200, 4)
        model = pairrank.RankRLS(kernel="gaussian:gamma=0.1", lambdas=1.0).fit(X, y)
        with self.assertRaisesRegex(pairrank.WorkerError, "within a call"):
            pairrank.RankBoost(rounds=200).fit(X, y, progress=lambda _: model.predict(X))
        model.predict(X)


    def draw(self, tqdm):
        events = [{"event": "progress", "task": "rounds", "done": 2, "total": 9},
                  {"event": "end", "task": "rounds", "done": 9, "total": 9}]
        modules = {"tqdm": tqdm, "tqdm.auto": tqdm}
        with mock.patch.dict(sys.modules, modules), contextlib.redirect_stdout(io.StringIO()) as out:
            with _events.Bar(True) as bar:
                for event in events:
                    bar.hear(event)
        return out.getvalue()

    def test_bar_of_tqdm(self):
        bar = mock.Mock(n=0)
        bar.update.side_effect = lambda more: setattr(bar, "n", bar.n + more)
        tqdm = mock.Mock()
        tqdm.tqdm.return_value = bar
        self.assertEqual(self.draw(tqdm), "")
        tqdm.tqdm.assert_called_once_with(desc="rounds", total=9)
        self.assertEqual(bar.n, 9)
        bar.close.assert_called_once_with()

    def test_plain_bar(self):
        self.assertEqual(self.draw(None), "\rrounds 2/9\rrounds 9/9\n")


class Errors(unittest.TestCase):
    def test_kinds(self):
        X, y, _ = problem(30, 3)
        with self.assertRaisesRegex(ValueError, "did you mean gaussian"):
            pairrank.RankRLS(kernel="gausian").fit(X, y)
        with self.assertRaisesRegex(ValueError, "unknown option: methd\ndid you mean method"):
            pairrank.estimate(X, y, methd="loo")
        with self.assertRaises(FileNotFoundError):
            pairrank.estimate(X, y, preferences="absent.txt")
        with self.assertRaises(MemoryError):
            pairrank.RankRLS(kernel="gaussian:gamma=1", solver="dual").fit(np.zeros((400000, 1)), np.arange(400000))
        with self.assertRaisesRegex(ValueError, "row 3, column 1"):
            pairrank.RankRLS().fit(np.where(np.arange(90).reshape(30, 3) == 10, np.nan, X), y)

    def test_warnings_and_notes(self):
        X = np.column_stack([np.arange(40), problem(40, 1)[1]])
        with self.assertWarnsRegex(pairrank.PairrankWarning, "whole-numbered and ascend"):
            pairrank.RankRLS().fit(X, X[:, 1])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", pairrank.PairrankWarning)
            warnings.simplefilter("ignore", pairrank.PairrankNote)
            model = pairrank.RankRLS().fit(X, X[:, 1])
        self.assertTrue(any("columns: label" in note for note in model.notes_))
        self.assertTrue(model.warnings_)

    def test_program_that_is_not_there(self):
        code = "import pairrank; pairrank.RankRLS().fit([[1.0], [2.0]], [1, 2])"
        environ = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PAIRRANK_PROGRAM": "/nowhere/pairrank"}
        p = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True)
        self.assertIn("FileNotFoundError: $PAIRRANK_PROGRAM is /nowhere/pairrank", p.stderr)

    def test_program_that_is_another_one(self):
        code = (
            "import pairrank; model = pairrank.RankRLS()\n"
            "try: model.fit([[1.0], [2.0]], [1, 2]).predict([[1.0]])\n"
            "except pairrank.WorkerError as e: print('told:', e)"
        )
        answers = {
            "text": "hello",
            "list": "[1]",
            "no exit": '{"id":1}',
            "files": '{"exit":0,"files":[{"name":"-","bytes":-1}]}',
            "nothing": '{"exit":0}',
            "line": '{"line":"{"}',
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, answer in answers.items():
                path = os.path.join(folder, "program")
                with open(path, "w") as f:
                    f.write(f"#!/bin/sh\nread line\ncat <<'END'\n{answer}\nEND\nsleep 1\n")
                os.chmod(path, 0o700)
                environ = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PAIRRANK_PROGRAM": path}
                p = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True)
                self.assertIn("told: ", p.stdout, name + p.stderr)
                self.assertIn("PAIRRANK_PROGRAM", p.stdout, name)


if __name__ == "__main__":
    unittest.main()
