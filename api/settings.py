"""Settings from the environment, read once by an entry point."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsError(Exception):
    """A setting is unknown or has a wrong value; the message names it, never its value."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"setting `{name}`: {problem}")


class Settings(BaseSettings):
    """What can be set from outside; `docs/operator.md` documents each name."""

    model_config = SettingsConfigDict(env_prefix="ATHANOR_", frozen=True, extra="forbid")

    home: Path = Field(default_factory=lambda: default_home(os.environ))
    database_url: SecretStr | None = Field(default=None, validation_alias="DATABASE_URL")
    app_database_url: SecretStr | None = None
    url: str | None = None
    token_file: Path | None = None
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8417


def default_home(environment: Mapping[str, str]) -> Path:
    """Where a user's state lives when `ATHANOR_HOME` is not set."""
    state = environment.get("XDG_STATE_HOME")
    base = Path(state) if state else Path.home() / ".local" / "state"
    return base / "athanor"


def read_settings() -> Settings:
    """The settings of this process; raises `SettingsError` for the first that is wrong."""
    known = {f"ATHANOR_{name.upper()}" for name in Settings.model_fields}
    for name in sorted(os.environ):
        if name.startswith("ATHANOR_") and name not in known - {"ATHANOR_DATABASE_URL"}:
            raise SettingsError(name, "there is no such setting")
    try:
        return Settings()
    except ValidationError as cause:
        error = cause.errors(include_input=False)[0]
        name = str(error["loc"][0]) if error["loc"] else "?"
        shown = name if name == "DATABASE_URL" else f"ATHANOR_{name.upper()}"
        raise SettingsError(shown, error["msg"].lower()) from cause
