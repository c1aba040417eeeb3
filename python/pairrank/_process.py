"""A process of the program, the pipes to it, and the memory that both see."""

from __future__ import annotations

import errno
import json
import mmap
import os
import subprocess
import sys
from functools import lru_cache
from typing import Any, Dict, Optional, Sequence, Set

from . import _program


class Ended(Exception):
    """The process ended in the middle of an exchange: after the request was sent, after the answer began."""

    sent, heard = True, True


class Foreign(Exception):
    """What came is no answer of the program."""


class Memory:
    """A file in memory, which the program maps, too: large arrays are copied there once. It ends with its processes."""

    least = 1 << 16  # bytes of an array; smaller ones go through the pipe, with the request
    _kept = 1 << 26  # bytes that stay between requests: fresh memory costs more than the copy
    _step = 1 << 24  # bytes that are copied at once: other threads of Python wait meanwhile

    def __init__(self) -> None:
        import fcntl  # which Windows lacks

        made = os.memfd_create("pairrank")
        try:  # not as a standard stream, where one is closed: the program has streams there
            self.file = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, 3)
        finally:
            os.close(made)
        self.path = f"/proc/self/fd/{self.file}"  # of the process that gets the file from this one
        self._map: Optional[mmap.mmap] = None

    def reserve(self, size: int) -> None:
        """Make the file as long as a request needs; it takes memory where it is written."""
        if self._map is None or size > len(self._map):
            self._resize(size)

    def _resize(self, size: int) -> None:
        self._unmap()
        os.ftruncate(self.file, size)
        self._map = mmap.mmap(self.file, size)

    def write(self, at: int, buffers: Sequence[Any]) -> None:
        """Write buffers of bytes one after the other, from a byte on."""
        assert self._map is not None
        for buffer in buffers:
            for k in range(0, len(buffer), self._step):
                part = buffer[k : k + self._step]
                self._map[at : at + len(part)] = part
                at += len(part)

    def trim(self) -> None:
        """Give back what a large request took."""
        if self._map is not None and len(self._map) > self._kept:
            self._resize(self._kept)

    def _unmap(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None

    def close(self) -> None:
        """Let go of the file."""
        self._unmap()
        os.close(self.file)


def _memory() -> Optional[Memory]:
    """Return a file in memory, None where the system has none or no name for it: only Linux has, with /proc."""
    if sys.platform != "linux" or not hasattr(os, "memfd_create"):
        return None
    try:
        memory = Memory()
    except OSError:
        return None
    if os.path.exists(memory.path):
        return memory
    memory.close()
    return None


class Process:
    """A process of the program, and the files that it remembers."""

    def __init__(self) -> None:
        self.program = _program.find()
        own_group: Dict[str, Any] = {"start_new_session": True}  # Ctrl-C on a terminal is for Python alone
        if os.name == "nt":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
        self.memory = _memory()
        if self.memory is not None:
            own_group["pass_fds"] = [self.memory.file]
        try:
            self.popen = subprocess.Popen(
                [self.program, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **own_group
            )
        except BaseException:
            self._close_memory()
            raise
        assert self.popen.stdin is not None and self.popen.stdout is not None
        # Files of Python that have no lock: another thread may hold it when this process forks.
        self.to, self.from_ = self.popen.stdin.fileno(), self.popen.stdout.fileno()
        self._ahead = bytearray()  # what was read and not taken
        _widen(self.to)
        _widen(self.from_)
        self.remembered: Set[str] = set()

    def send(self, buffers: Sequence[Any]) -> None:
        """Write buffers of bytes one after the other, without copying large ones."""
        small = bytearray()
        for buffer in buffers:
            if len(buffer) <= 1 << 16:
                small += buffer
                continue
            self._write(memoryview(small))
            small = bytearray()
            self._write(memoryview(buffer))
        self._write(memoryview(small))

    def _write(self, view: memoryview) -> None:
        while len(view):
            try:
                view = view[os.write(self.to, view[: 1 << 30]) :]
            except OSError as err:
                if err.errno not in (errno.EPIPE, errno.EINVAL):  # Windows has the second one
                    raise
                raise Ended() from err

    def line(self) -> Dict[str, Any]:
        at = self._ahead.find(b"\n")
        while at < 0:
            before = len(self._ahead)
            self._ahead += self._more(1 << 16)
            at = self._ahead.find(b"\n", before)
        try:
            frame = _frame(self._ahead[:at].decode())
        except ValueError as err:  # of JSON and of UTF-8
            raise Foreign() from err
        del self._ahead[: at + 1]
        if not isinstance(frame, dict):
            raise Foreign()
        return frame

    def read(self, size: int) -> bytearray:
        got = self._ahead[:size]
        del self._ahead[:size]
        done = len(got)
        if done < size:
            got.extend(bytes(size - done))
            with memoryview(got) as view:
                while done < size:
                    more = self.popen.stdout.readinto(view[done:])  # type: ignore[union-attr]
                    if not more:
                        raise Ended()
                    done += more
        return got

    def _more(self, most: int) -> bytes:
        text = os.read(self.from_, most)
        if not text:
            raise Ended()
        return text

    def _close_memory(self) -> None:
        memory, self.memory = self.memory, None
        if memory is not None:
            memory.close()

    def forget(self) -> None:
        """Close the pipes in a child of fork, which has no part in the process."""
        for stream in (self.popen.stdin, self.popen.stdout):
            if stream is not None:
                stream.close()
        self._close_memory()
        self.popen.returncode = 0  # no child of ours: nobody waits for it

    def end(self, within: float = 0.0) -> Optional[int]:
        """End the process, and return its exit status."""
        for stream in (self.popen.stdin, self.popen.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
        self._close_memory()
        try:
            return self.popen.wait(within)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            return self.popen.wait()


_frame = lru_cache(maxsize=64)(json.loads)  # many calls are answered alike


def _widen(descriptor: int) -> None:
    """Make a pipe as wide as the system lets anybody make it."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, getattr(fcntl, "F_SETPIPE_SZ", 1031), 1 << 20)
    except (ImportError, OSError):
        pass
