"""One process of the program for each process of Python: it runs the verbs of the command.

A request and its arrays go through a pipe, on Linux large arrays through memory that both processes see, and the answer
through another pipe: nothing is on the disk, and nothing is left after a crash. ``pairrank help worker`` has the form
of requests and answers.
"""

from __future__ import annotations

import _signal  # without the enumerations of signal, which take longer than the row of a prediction
import atexit
import hashlib
import json
import os
import signal
import threading
import time
import warnings
from functools import lru_cache
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _arrays, _events
from ._process import Ended, Foreign, Process

_SIGINT = int(signal.SIGINT)

# A process that ends without a word within so many seconds was as good as dead when it was asked.
_DYING = 1.0

# Arrays in memory begin at multiples of a line of the cache, the first one behind a line: 0 is no place.
_LINE = 64

# Where an array begins in memory, and its buffers.
_Placed = Tuple[int, List[Any]]


class Worker:
    """The process of this process, started when it is first needed.

    Calls of several threads take turns. A child of `os.fork` starts a process of its own.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: Optional[Process] = None
        self._number = 0
        self._busy = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        atexit.register(self.end)

    def _forked(self) -> None:
        self._lock = threading.RLock()  # the thread that held it is not in the child
        self._busy = False
        process, self._process = self._process, None
        if process is not None:
            process.forget()

    @property
    def pid(self) -> Optional[int]:
        """The number of the process, None while there is none."""
        return self._process.popen.pid if self._process else None

    def end(self) -> None:
        """End the process. The next call starts another one."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                process.end(within=2.0)

    def call(
        self,
        args: Sequence[str],
        files: Sequence[_arrays.File] = (),
        outputs: Sequence[str] = (),
        progress: Optional[Callable[[Dict[str, Any]], None]] = None,
    ) -> _events.Answer:
        """Run a verb of the program and return what came of it, whatever the exit code.

        Parameters
        ----------
        args
            The arguments of the command; names of `files` and `outputs` stand for files in memory.
        files
            The inputs.
        outputs
            The names of the files that the verb writes, if it does.
        progress
            It is called with each event of progress.

        Raises
        ------
        KeyboardInterrupt
            If Ctrl-C stopped the work.
        _events.WorkerError
            If the process ended.
        """
        with self._lock:
            if self._busy:
                raise _events.WorkerError("a function of progress, or a handler of a signal, calls within a call")
            interrupts, self._busy = _Interrupts(), True
            try:
                answer = self._ask(list(args), files, outputs, progress, interrupts)
            except Ended:
                status = self._discard()
                if not interrupts.count:
                    raise _fault(status) from None
                answer = None
            except Foreign:
                program = self._process.program if self._process else "the program"
                self._discard()
                raise _events.foreign(program) from None
            except BaseException:
                self._discard()  # the exchange stopped at an unknown place
                raise
            finally:
                self._busy = False
                interrupts.restore()
        interrupts.pass_on()
        if answer is None:
            raise KeyboardInterrupt
        return answer

    def _discard(self) -> Optional[int]:
        process, self._process = self._process, None
        return process.end(within=0.1) if process is not None else None

    def _ask(self, *request: Any) -> _events.Answer:
        """Exchange a request, which changes nothing; once more where the process of an earlier call was dying."""
        waited, interrupts, started = self._process, request[-1], time.monotonic()
        try:
            return self._exchange(*request)
        except Ended as ended:
            dying = not ended.sent or (not ended.heard and time.monotonic() - started < _DYING)
            if waited is None or self._process is not waited or not dying or interrupts.count:
                raise
        self._discard()
        return self._exchange(*request)

    def _exchange(
        self,
        args: List[str],
        files: Sequence[_arrays.File],
        outputs: Sequence[str],
        progress: Optional[Callable[[Dict[str, Any]], None]],
        interrupts: "_Interrupts",
    ) -> _events.Answer:
        if self._process is None:
            self._process = Process()
        process = self._process
        for _ in range(2):
            self._number += 1
            header, buffers, placed = _request(self._number, args, files, outputs, process)
            first = None
            try:
                if placed:
                    process.send([header])
                    first = self._fill(process, placed, buffers)
                else:
                    process.send([header, *buffers])
            except Ended as ended:
                ended.sent = False
                raise
            interrupts.watch(process, self._number)
            answer, missing, last = self._answer(process, progress, first)
            if placed and process.memory is not None and not last:  # stopped work may still read what it has
                process.memory.trim()
            if last:
                self._discard()
            if not missing:
                return answer
            process.remembered.clear()
        raise Ended()

    def _fill(self, process: Process, placed: List[_Placed], buffers: List[Any]) -> Optional[Dict[str, Any]]:
        """Write arrays into memory when the program is ready for them, or return what it says in place of that."""
        frame = process.line()
        if "ready" not in frame or process.memory is None:
            return frame
        for at, parts in placed:
            process.memory.write(at, parts)
        process.send([b'{"filled":%d}\n' % self._number, *buffers])
        return None

    def _answer(
        self,
        process: Process,
        progress: Optional[Callable[[Dict[str, Any]], None]],
        first: Optional[Dict[str, Any]],
    ) -> Tuple[_events.Answer, List[str], bool]:
        answer = _events.Answer(0, _events.Files())
        frame: Optional[Dict[str, Any]] = None
        while True:
            try:
                frame, first = first or process.line(), None
            except Ended as ended:
                ended.heard = frame is not None
                raise
            if isinstance(frame.get("line"), str):
                _events.hear(answer, frame["line"], progress)
                continue
            answer.exit, files = frame.get("exit"), frame.get("files", [])
            if not isinstance(answer.exit, int) or not isinstance(files, list):
                raise Foreign()
            for f in files:
                if not isinstance(f, dict) or not isinstance(f.get("bytes"), int) or f["bytes"] < 0:
                    raise Foreign()
                answer.files[str(f.get("name"))] = process.read(f["bytes"])
            return answer, frame.get("missing", []), frame.get("last", False)


def _request(
    number: int, args: List[str], files: Sequence[_arrays.File], outputs: Sequence[str], process: Process
) -> Tuple[bytes, List[Any], List[_Placed]]:
    described: List[_Described] = []
    buffers: List[Any] = []
    placed: List[_Placed] = []
    remembered, memory, end = process.remembered, process.memory, _LINE
    for f in files:
        members, size = [], 0
        if f.members is not None:
            for name, parts in f.members.items():
                bytes_ = sum(map(len, parts))
                if memory is None or bytes_ < memory.least:
                    members.append((name, bytes_, 0))
                    buffers.extend(parts)
                    continue
                members.append((name, bytes_, end))
                placed.append((end, parts))
                end += -(-bytes_ // _LINE) * _LINE
        else:
            assert f.text is not None
            if f.remember:
                f.sum = f.sum or hashlib.sha256(f.text).hexdigest()
            if f.sum not in remembered:
                size = len(f.text)
                buffers.append(f.text)
                if f.sum:
                    remembered.add(f.sum)
        described.append((f.name, f.sum, size, tuple(members)))
    path = ""
    if memory is not None and placed:
        memory.reserve(end)
        path = memory.path
    return b'{"id":%d,%b\n' % (number, _header(tuple(args), tuple(described), tuple(outputs), path)), buffers, placed


# A file of a request: its name, sum, bytes, and members with their bytes and place.
_Described = Tuple[str, Optional[str], int, Tuple[Tuple[str, int, int], ...]]


@lru_cache(maxsize=64)  # many requests are like an earlier one
def _header(
    args: Tuple[str, ...], described: Tuple[_Described, ...], outputs: Tuple[str, ...], memory: str
) -> bytes:
    """Return a request in JSON from the member after its number on."""
    files: List[Dict[str, Any]] = []
    for name, sha256, size, members in described:
        files.append({"name": name})
        if members:
            files[-1]["members"] = [{"name": of, "bytes": bytes_, "at": at} for of, bytes_, at in members]
        else:
            files[-1].update({"bytes": size}, **({"sum": sha256} if sha256 else {}))
    return json.dumps({"args": args, "files": files, "outputs": outputs, "memory": memory})[1:].encode()


class _Interrupts:
    """Ctrl-C while a request runs: the first one stops the work, the second one ends the process.

    The exchange itself is never torn. Only the main thread hears of signals.
    """

    def __init__(self) -> None:
        self.count = 0
        self._process: Optional[Process] = None
        self._number = 0
        self._before: Any = None
        self._mine = threading.current_thread() is threading.main_thread()
        if self._mine:
            self._before = _signal.getsignal(_SIGINT)
            self._mine = callable(self._before)
        if self._mine:
            _signal.signal(_SIGINT, self._heard)

    def _heard(self, *_: Any) -> None:
        self.count += 1
        if self._process is None:
            return
        if self.count > 1:
            self._process.popen.kill()
        else:
            self._stop()

    def watch(self, process: Process, number: int) -> None:
        self._process, self._number = process, number
        if self.count:
            self._stop()

    def _stop(self) -> None:
        assert self._process is not None
        try:
            os.write(self._process.to, json.dumps({"cancel": self._number}).encode() + b"\n")
        except OSError:
            pass  # it has ended

    def restore(self) -> None:
        if self._mine:
            _signal.signal(_SIGINT, self._before)

    def pass_on(self) -> None:
        """Let who heard of Ctrl-C before hear of it now."""
        if self.count:
            self._before(signal.SIGINT, None)


def _fault(status: Optional[int]) -> _events.WorkerError:
    text = f"the program ended in the middle of the work, with status {status}"
    if status == -signal.SIGTERM or status == -9:
        text += ": another process ended it, or the system did for lack of memory"
    return _events.WorkerError(text + "; the next call starts it again")


worker = Worker()


def call(
    args: Sequence[str],
    files: Sequence[_arrays.File] = (),
    outputs: Sequence[str] = (),
    progress: _events.Progress = None,
    stacklevel: int = 3,
) -> _events.Answer:
    """Run a verb, raise its error as an exception, and warn of what it warns and notes."""
    if progress:
        with _events.Bar(progress) as bar:
            answer = worker.call(args, files, outputs, bar.hear)
    else:
        answer = worker.call(args, files, outputs)
    if args[0] == "predict":
        answer.notes.clear()  # on columns, of each call
    _events.rename(answer, {f.name: f.argument for f in files})
    if answer.exit not in (0, _events.GATE, _events.UNDECIDED):
        raise _events.error_of(answer)
    for text in answer.warnings:
        warnings.warn(text, _events.PairrankWarning, stacklevel=stacklevel)
    for text in answer.notes:
        warnings.warn(text, _events.PairrankNote, stacklevel=stacklevel)
    return answer
