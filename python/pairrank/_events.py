"""What a run of the program says: notes, warnings, errors as exceptions, progress."""

from __future__ import annotations

import json
import re
import shlex
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

Progress = Union[None, bool, Callable[[Dict[str, Any]], None]]

# Exit codes of the program.
_USAGE, _DATA, GATE, _NUMERICAL, UNDECIDED, _INTERRUPTED = 2, 3, 4, 5, 7, 130


class PairrankWarning(UserWarning):
    """A result that is computable but doubtful."""


class PairrankNote(UserWarning):
    """A decision that the program took. Notes are not shown unless a filter of `warnings` asks for them."""


warnings.simplefilter("ignore", PairrankNote, append=True)


class NumericalError(ValueError, ArithmeticError):
    """The computation broke down."""


class WorkerError(RuntimeError):
    """The process of the program ended, or cannot be reached."""


def foreign(program: str) -> WorkerError:
    """Return the error about a program that does not answer as this version of pairrank does."""
    return WorkerError(
        f"{program} does not answer as the program pairrank of this version does: PAIRRANK_PROGRAM is the path of it"
    )


class Files(Dict[str, bytearray]):
    """The files of an answer."""

    def __missing__(self, name: str) -> bytearray:
        raise foreign("the program")


@dataclass
class Answer:
    """What came of a request: the exit code, the files with standard output as "-", and the events of the run."""

    exit: int
    files: Dict[str, bytearray]
    notes: List[str] = field(default_factory=list)
    warnings: List[str] = field(default_factory=list)
    error: str = ""
    hints: List[str] = field(default_factory=list)
    arguments: Dict[str, str] = field(default_factory=dict)

    def json(self) -> Any:
        """Return the document of ``--json``, with the names of arguments in its notes."""
        try:
            document = json.loads(self.files["-"])
        except ValueError:
            raise foreign("the program") from None
        for note in document.get("notes") or ():
            note["text"] = by_arguments(note["text"], self.arguments)
        return document


def hear(answer: Answer, line: str, progress: Optional[Callable[[Dict[str, Any]], None]]) -> None:
    """Take a line of standard error."""
    if line.startswith("{"):
        try:
            event = json.loads(line)
        except ValueError:
            raise foreign("the program") from None
        kind = event.get("event")
        if kind == "note":
            answer.notes.append(event["message"])
        elif kind == "warning":
            answer.warnings.append(event["message"])
        elif kind == "error":
            answer.error, answer.hints = event["message"], event["hints"]
        elif progress is not None:
            progress(event)
        return
    for start, texts in (
        ("pairrank: note: ", answer.notes),
        ("pairrank: warning: ", answer.warnings),
        ("hint: ", answer.hints),
    ):
        if line.startswith(start):
            texts.append(line[len(start) :])
            return
    text = line[len("pairrank: ") :] if line.startswith("pairrank: ") else line
    answer.error = f"{answer.error}\n{text}" if answer.error else text


_ARRAYS = {"qid": "groups", "group": "together", "weight": "sample_weight", "time": "y", "event": "y"}
_CALLED = re.compile(rf'\b(query|group|weight|time|event|column) "({"|".join(_ARRAYS)})"')

# Arguments of Python that are options of the command; other options have their names, with underscores.
OF_DATA = {
    "label-column": "y", "time": "y", "event": "y", "censored": "y", "labels": "y", "qid-column": "groups",
    "group-column": "together", "fold-column": "fold", "weight-column": "sample_weight", "kernel-matrix": "X",
    "beside": "beside",
}
_OPTIONS = {"lambda": "lambdas", **OF_DATA, "m": "metrics", "o": "output", "q": "per_query"}

# Hints that say nothing in Python: they are about files and columns of tables.
_OF_FILES = re.compile(
    "|".join((
        r"^pairrank check \S+ lists everything", r"^check the labels: pairrank check", r"^check the name; - is standard",
        r"^leave the flag out where", r"^labels are the first number", r"^--label-column COLUMN names another",
        r"^make one with pairrank train", r"^name each by --scores", r"--kernel-matrix FILE$", r"^--left, --right,",
        r"^--system-column, ", r"^--repeat-column COLUMN", r"^--extra-features ignore", r"^--model FILE",
    ))
)

# What Python says in place of what the command says.
_SAID = [
    (re.compile(pattern), said)
    for pattern, said in (
        (r"^--time COLUMN and --event COLUMN .*say what they are", "y says them, as an array of two fields, the event and "
         "the time"),
        (r"--time (and|or) --(event|censored)", "y of censored times"),
        (r"--time(?= (and|is|needs|or)\b)", "y of censored times"),
        (r"--labels(?= is for)", "y with several columns"),
        (r"--id-column names the rows by it, ", ""),
        (r"--([a-z]+)(-column)? COLUMN names", r"the column \1 names"),
        (r"(?<=-column) COLUMN\b( of a table)?", ""),
        (r"\bis for --learner ", "is for the learner "),
        (r"\bDATA\b", "the data"),
        (r"unknown flag: ", "unknown option: "),
        (r"lists the flags", "lists the options"),
    )
]


def by_arguments(text: str, arguments: Dict[str, str]) -> str:
    """Return a text of the program as Python says it: arguments for files and options, rows from 0.

    >>> by_arguments("rows.csv:4:3: the value is missing; see --missing", {"rows.csv": "rows"})
    'rows: row 2: the value is missing; see missing'
    >>> by_arguments("X.npz: time of row 1: below 0; --weight-column", {"X.npz": "X"})
    'X: time of row 0: below 0; sample_weight'
    """
    return _by_arguments(text, tuple(arguments.items())) if text else text


@lru_cache(maxsize=256)  # many calls are answered alike
def _by_arguments(text: str, arguments: Tuple[Tuple[str, str], ...]) -> str:
    for pattern, said in _SAID:
        text = pattern.sub(said, text)
    text = re.sub(r"\brows (\d+) and (\d+)", lambda m: f"rows {int(m[1]) - 1} and {int(m[2]) - 1}", text)
    text = re.sub(r"\b(row|entry) (\d+)", lambda m: f"{m[1]} {int(m[2]) - 1}", text)
    for file, argument in arguments:
        name, headed = re.escape(file), 1 if file.endswith(".csv") else 0
        if headed:
            text = re.sub(r"\bline (\d+)", lambda m: f"row {int(m[1]) - 2}", text)
        if argument == "X":
            text = _CALLED.sub(lambda m: f'{m[1]} "{_ARRAYS[m[2]]}"', text)
        text = re.sub(rf"(?<![\w.]){name}:(\w+)\.npy",
                      lambda m, to=argument: _ARRAYS.get(m[1], m[1]) if to == "X" else to, text)
        text = re.sub(rf"(?<![\w.]){name}:1:\d+", argument, text) if headed else text
        text = re.sub(rf"(?<![\w.]){name}:(\d+):\d+",
                      lambda m, to=argument, first=1 + headed: f"{to}: row {int(m[1]) - first}", text)
        text = re.sub(rf"(?<![\w.]){name}(?!\w)", lambda _, to=argument: to, text)
    # a single value, which the command has an option of its own for
    options = {**_OPTIONS, "lambda": "lambda_"} if "--lambdas" in text else _OPTIONS
    text = re.sub(r"(?<![\w-])-(?=[moq] )", "--", text)
    return re.sub(r"(?<![\w-])--([a-z](?:[a-z0-9-]*[a-z0-9])?)(?![\w-])",
                  lambda m: options.get(m[1], m[1].replace("-", "_")), text)


def _as_options(text: str) -> str:
    """Return a command that the program suggests as options of Python.

    >>> _as_options("pairrank leaderboard c.csv --json --left 'first bot' --wide systems")
    "pass left='first bot', wide='systems'"
    """
    words = [word for word in shlex.split(text) if word not in ("--json", "--progress=json")]
    options = {}
    for word, value in zip(words, [*words[1:], "--"]):
        if word.startswith("--"):
            name = word[2:].replace("-", "_")
            options[_OPTIONS.get(name, name)] = True if value.startswith("--") else value
    return "pass " + ", ".join(f"{name}={value!r}" for name, value in options.items())


def rename(answer: Answer, arguments: Dict[str, str]) -> None:
    """Let the texts of an answer speak of arguments."""
    for at, text in enumerate(answer.hints[:-1]):
        if text.startswith("looks like"):
            answer.hints[at + 1] = _as_options(answer.hints[at + 1])
    answer.error, answer.arguments = by_arguments(answer.error, arguments), arguments
    for texts in (answer.notes, answer.warnings, answer.hints):
        texts[:] = [by_arguments(text, arguments) for text in texts if not _OF_FILES.search(text)]


def error_of(answer: Answer) -> BaseException:
    """Return the exception that the error of an answer is."""
    text = "\n".join([answer.error, *answer.hints])
    lowered = answer.error.lower()
    if answer.exit == _INTERRUPTED:
        return KeyboardInterrupt()
    if answer.exit == _NUMERICAL:
        return NumericalError(text)
    if answer.exit in (_USAGE, _DATA):
        return ValueError(text)
    if "no such file" in lowered or "does not exist" in lowered or "cannot find" in lowered:
        return FileNotFoundError(text)
    if "memory" in lowered:
        return MemoryError(text)
    return WorkerError(text)


class Bar:
    """Shows progress: with tqdm where it is installed, or a function of the caller's."""

    def __init__(self, progress: Progress) -> None:
        self.hear: Optional[Callable[[Dict[str, Any]], None]] = progress if callable(progress) else None
        self._bar: Any = None
        self._task = ""
        if progress and not callable(progress):
            self.hear = self._draw

    def _draw(self, event: Dict[str, Any]) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            print(f"\r{event['task']} {event['done']}/{event.get('total', '?')}", end="\n" * (event["event"] == "end"))
            return
        if event["task"] != self._task:
            self.close()
            self._task = event["task"]
            self._bar = tqdm(desc=self._task, total=event.get("total"))
        self._bar.total = event.get("total")
        self._bar.update(event["done"] - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
