"""Poker, Havannah and game theory by the program gamebots.

Every function starts the program, which comes with this package, and returns what it prints as Python objects.
Arguments by name are the program's flags, as `gamebots COMMAND --help` lists them: `iterations=1000` is
`--iterations 1000`, `no_response=True` is `--no-response`, and a list repeats its flag.

>>> import gamebots
>>> [hand["equity"] for hand in gamebots.equity("AsKs", "QhQd")]
[0.46214457245909607, 0.537855427540904]
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, Sequence

__all__ = ["Engine", "Error", "Policy", "call", "equity", "evaluate", "judge", "program", "solve", "stream", "train"]


class Error(RuntimeError):
    """The program refused what it was asked. The text is its own."""


def program() -> str:
    """Returns the path of the program: $GAMEBOTS, the one of this package, or the one in PATH."""
    own = Path(__file__).parent / "bin" / ("gamebots.exe" if os.name == "nt" else "gamebots")
    found = os.environ.get("GAMEBOTS") or (str(own) if own.exists() else shutil.which("gamebots"))
    if not found:
        raise Error("there is no program gamebots: set GAMEBOTS to its path")
    return found


def main() -> None:
    """Is the program itself, for the script `gamebots` that pip makes."""
    line = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(line[0], line)  # so that it gets signals, and ends as it wants
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the program gets, too
    sys.exit(subprocess.run(line).returncode)


def command(*args: object, **flags: object) -> list[str]:
    """Returns the command line of arguments and flags."""
    line = [program(), *map(str, args)]
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        line += [flag if one is True else f"{flag}={one}" for one in values if one is not None and one is not False]
    return line


def stream(*args: object, **flags: object) -> Iterator[Any]:
    """Runs a command and yields each line of JSON that it prints, as it comes.

    The program ends when the iterator is closed. Raises Error if the program fails.
    """
    line = command(*args, json=True, **flags)
    with tempfile.TemporaryFile("w+") as log, subprocess.Popen(line, stdout=subprocess.PIPE, stderr=log, text=True) as run:
        try:
            for text in run.stdout:
                yield json.loads(text)
            run.wait()
        finally:
            run.terminate()
        if run.returncode:
            log.seek(0)
            raise Error(_reason(log.read()))


def call(*args: object, **flags: object) -> Any:
    """Runs a command and returns the JSON that it prints; several lines are a list."""
    done = subprocess.run(command(*args, json=True, **flags), capture_output=True, text=True)
    if done.returncode:
        raise Error(_reason(done.stderr))
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return [json.loads(text) for text in done.stdout.splitlines()]


def _reason(log: str) -> str:
    """Returns the errors and hints of a log; other lines of it are JSON."""
    lines = [line for line in log.splitlines() if line and not line.startswith("{")]
    return "\n".join(lines) or "gamebots was closed, or ended without a reason"


def train(game: str, output: str | os.PathLike[str], **flags: object) -> dict[str, Any]:
    """Trains a strategy, writes it to a file and returns its values and its exploitability.

    Exploitability is in the unit that the result names, mostly chips a game.
    """
    return call("train", game, output=output, **flags)


def evaluate(strategy: str | os.PathLike[str], **flags: object) -> Any:
    """Returns the value and the exploitability of a strategy."""
    return call("evaluate", strategy, **flags)


def equity(*hands: str, **flags: object) -> list[dict[str, Any]]:
    """Returns an object for each hand or range, such as AsKs or QQ+,AK: `equity` is its part of the pot on average,
    with `interval95`, which is 0 if exact; `win` and `tie` are parts of the deals, and `range` is what was given."""
    return call("equity", *hands, **flags)


def solve(what: str, *args: object, **flags: object) -> Any:
    """Solves a spot of poker, Nim, a matrix game or another: `what` is a command of `gamebots solve`."""
    return call("solve", what, *args, **flags)


def judge(game: str, *agent: str, report: str | os.PathLike[str] = "report.html", **flags: object) -> Path:
    """Judges a poker bot, which is a command line, and returns the path of the page that says how good it is."""
    line = command("judge", game=game, output=report, **flags) + ["--", *agent]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise Error(_reason(done.stderr))
    return Path(report)


class _Process:
    """A program that answers lines by lines, until it is closed."""

    def __init__(self, line: Sequence[str]) -> None:
        self._log = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would fill up
        self._run = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True)

    def _ask(self, text: str) -> str:
        try:
            self._run.stdin.write(text + "\n")
            self._run.stdin.flush()
            answer = self._run.stdout.readline()
        except (BrokenPipeError, ValueError):  # it ended, or was closed here
            answer = ""
        if not answer:
            self._run.communicate()
            self._log.seek(0)
            raise Error(_reason(self._log.read()))
        return answer

    def close(self) -> None:
        """Ends the program."""
        self._run.terminate()
        self._run.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()


class Policy(_Process):
    """The probabilities of a strategy, which is a file or the name of a game that one comes with.

    A raise that the strategy does not know is translated as in play. Not for several threads at once.
    """

    def __init__(self, strategy: str | os.PathLike[str], **flags: object) -> None:
        super().__init__(command("policy", strategy, **flags))

    def ask(self, **question: object) -> dict[str, Any]:
        """Asks a question of docs/agents.md and returns its answer, with `actions` and `probabilities`."""
        answer = json.loads(self._ask(json.dumps({"id": 1, **question})))
        if "error" in answer:
            raise Error(answer["error"])
        return answer

    def probabilities(self, state: str) -> dict[str, float]:
        """Returns the probability of each action in a match state of the ACPC, by f, c, r and r with chips."""
        answer = self.ask(state=state)
        return dict(zip(answer["actions"], answer["probabilities"]))


class Engine(_Process):
    """A bot of Havannah or Nim, by the Go Text Protocol. Not for several threads at once."""

    def __init__(self, game: str = "havannah", **flags: object) -> None:
        super().__init__(command("gtp", game, **flags))

    def send(self, text: str) -> str:
        """Sends a command, such as `play white c3`, and returns its answer."""
        answer = self._ask(text)
        while (line := self._run.stdout.readline()) not in ("\n", ""):
            answer += line
        if not answer.startswith("="):
            raise Error(answer[1:].strip())
        return answer[1:].strip()
