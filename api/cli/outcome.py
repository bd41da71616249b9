"""Exit codes, how a refusal of the application becomes one, and counts in words."""

from enum import IntEnum
from typing import Any

import httpx

_UNAVAILABLE = 503
_SERVER_FAULT = 500


class Exit(IntEnum):
    """What a command says to the shell."""

    PASSED = 0
    FAILED = 1
    USAGE = 2
    INCONCLUSIVE = 3
    INTERNAL = 4


class CommandError(Exception):
    """A command cannot go on; the message is one line for a person."""

    def __init__(self, message: str, code: Exit, problem: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.problem = problem


def body_of(response: httpx.Response) -> Any:
    """The JSON of a success; raises `CommandError` for a problem, with the code that fits it."""
    if response.is_success:
        return response.json()
    problem: dict[str, Any] = {}
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        problem = response.json()
    detail = problem.get("detail", f"status {response.status_code}")
    hint = f" (hint: {problem['hint']})" if problem.get("hint") else ""
    code = exit_of(response.status_code, str(problem.get("code", "")))
    raise CommandError(f"{detail}{hint}", code, problem)


def exit_of(status: int, code: str) -> Exit:
    """The exit code of an answer that is no success; a limit that was reached decides nothing."""
    if status == _UNAVAILABLE or code == "limit_reached":
        return Exit.INCONCLUSIVE
    return Exit.INTERNAL if status >= _SERVER_FAULT else Exit.USAGE


def counted(count: int, thing: str) -> str:
    """So many things in words, such as `1 rule` and `2 rules`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
