"""`athanor room|spirit|project|grant|token|vocabulary` over a House that is served."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_lines import Shell, one_line, packet

GROUPS = ("room", "spirit", "project", "grant", "token")
END = "2099-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with Shell(tmp_path_factory.mktemp("served")).serving() as (shell, _):
        yield shell


def said(shell: Shell, *arguments: str) -> str:
    """What a command that passes prints."""
    ran = shell.ask(*arguments)
    assert (ran.code, ran.err) == (0, ""), ran
    return ran.out.rstrip("\n")


def test_an_adapter_is_admitted_with_six_commands_and_closed_with_three(
    shell: Shell, tmp_path: Path
) -> None:
    file = str(tmp_path / "smith.token")
    carried = ("--scope", "room:smithy", "--scope", "shared")
    assert said(shell, "room", "create", "smithy", "--reason", "for metal") == "room smithy"
    assert said(shell, "project", "create", "anvil", "--scope", "room:smithy")
    assert said(shell, "spirit", "create", "smith", "--kind", "adapter") == "adapter smith"
    reading = said(shell, "grant", "create", "smith", "read", *carried, "--until", END)
    starting = shell.ask("grant", "create", "smith", "start_task", *carried, "--json").json
    operations = ("--operation", "read", "--operation", "start_task")
    made = shell.ask(
        "token", "create", "smith", *operations, *carried, "--expires", END, "--out", file, "--json"
    ).json
    smith = Shell(shell.home, {**shell.env, "ATHANOR_TOKEN_FILE": file})
    asked = [*packet(project="anvil")]
    assert smith.ask(*asked).json["room"] == "smithy"
    assert said(smith, "room", "list").startswith("smithy  governed by nobody")
    assert [g["grant_id"] for g in smith.ask("grant", "list", "--json").json] == sorted(
        [reading.split(":")[0], starting["grant_id"]]
    )
    for ended in (
        ("grant", "revoke", starting["grant_id"]),
        ("token", "revoke", made["token_id"]),
        ("spirit", "revoke", "smith"),
        ("project", "revoke", "anvil", "--scope", "room:smithy"),
    ):
        assert shell.ask(*ended, "--json").json["unchanged"] is False
        assert said(shell, *ended).endswith(", as before")
    assert smith.ask(*asked).code == 2
    lists = {group: said(shell, group, "list") for group in GROUPS}
    assert "anvil  room:smithy  retired" in lists["project"]
    assert "smith  adapter  revoked" in lists["spirit"]
    assert f"{made['token_id']}  smith: read, start_task" in lists["token"]
    assert f"until {END}  revoked" in lists["token"]
    assert lists["grant"].count("revoked") == 1


def test_a_spirit_governs_after_another_and_has_a_delegate(shell: Shell, tmp_path: Path) -> None:
    said(shell, "room", "create", "tower")
    for name in ("ada", "bea"):
        assert said(shell, "spirit", "create", name) == f"spirit {name}"
        assert said(shell, "spirit", "appoint", "tower", name) == f"tower is governed by {name}"
    last = shell.ask("room", "list", "--json").json[-1]
    assert (last["room"], last["governor"]) == ("tower", "bea")
    stale = shell.ask("spirit", "appoint", "tower", "ada", "--follows", "appointment-0")
    assert stale.code == 2
    assert last["appointment"] in stale.err
    for operation in ("administer", "read"):
        said(shell, "grant", "create", "bea", operation, "--scope", "room:tower")
    file = str(tmp_path / "bea.token")
    scope = ("--scope", "room:tower")
    said(shell, "token", "create", "bea", "--operation", "administer", *scope, "--out", file)
    bea = Shell(shell.home, {**shell.env, "ATHANOR_TOKEN_FILE": file})
    said(bea, "grant", "create", "ada", "promote", *scope, "--delegated")
    assert "ada may promote" in said(shell, "grant", "list")
    assert "for bea" in said(shell, "grant", "list")
    refused = shell.ask("grant", "create", "ada", "promote", *scope, "--delegated")
    assert (refused.code, "you do not govern `room:tower`" in refused.err) == (2, True)
    assert said(shell, "spirit", "appoint", "tower", "--nobody") == "tower is governed by nobody"


def test_a_call_that_is_made_again_under_its_key_is_one_call(shell: Shell) -> None:
    call = ("room", "create", "once", "--idempotency-key", "key-1", "--json")
    assert shell.ask(*call).json == shell.ask(*call).json
    assert shell.ask(*call).json["unchanged"] is False
    other = shell.ask("room", "create", "twice", "--idempotency-key", "key-1")
    assert (other.code, "belongs to another call" in other.err) == (2, True)


def test_a_token_file_is_for_its_owner_alone_and_new(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.token"
    call = ["token", "create", "operator", "--operation", "read", "--scope", "shared"]
    call += ["--out", str(file)]
    told = said(shell, *call)
    secret = file.read_text().strip()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (secret.startswith("ath_"), secret not in told) == (True, True)
    again = shell.ask(*call)
    assert (again.code, again.err) == (2, f"athanor: `{file}` cannot be written: file exists\n")
    assert file.read_text().strip() == secret


@pytest.mark.parametrize(
    "change",
    [
        {"principal": "nobody"},
        {"scope": "room:nowhere"},
        {"expires": "yesterday"},
        {"expires": "1999-01-01T00:00:00Z"},
        {"url": "http://127.0.0.1:1"},
    ],
)
def test_a_token_that_is_refused_leaves_no_file(
    shell: Shell, tmp_path: Path, change: dict[str, str]
) -> None:
    file = tmp_path / "gone.token"
    ran = shell.ask(
        *("token", "create", change.get("principal", "operator"), "--operation", "read"),
        *("--scope", change.get("scope", "shared"), "--expires", change.get("expires", END)),
        *("--out", str(file)),
        ATHANOR_URL=change.get("url", shell.env["ATHANOR_URL"]),
    )
    assert ran.code == (3 if "url" in change else 2)
    assert one_line(ran.err)[0] == "athanor:"
    assert not file.exists()


def test_a_list_goes_on_to_its_end(shell: Shell) -> None:
    words = [f"event-{number:03}" for number in range(450)]
    assert said(shell, "vocabulary", "register", "event_type", *words) == "450 values of event_type"
    shown = shell.ask("vocabulary", "list", "--json").json
    assert [word["value"] for word in shown] == words
    assert len(said(shell, "vocabulary", "list").splitlines()) == 450


def test_what_is_listed_cannot_speak_to_the_terminal(shell: Shell) -> None:
    said(shell, "vocabulary", "register", "task_kind", "red\u202e\u009b31m")
    assert "red\\u202e\\x9b31m" in said(shell, "vocabulary", "list")


WRONG = {
    "no group": ("room",),
    "no argument": ("room", "create"),
    "an unknown operation": ("grant", "create", "ada", "own", "--scope", "shared"),
    "no scope": ("grant", "create", "ada", "read"),
    "an unknown kind": ("vocabulary", "register", "mood", "calm"),
    "a room that is no key": ("room", "create", "the room"),
    "neither a principal nor nobody": ("spirit", "appoint", "default"),
    "both a principal and nobody": ("spirit", "appoint", "default", "ada", "--nobody"),
    "a key that is none": ("room", "create", "attic", "--idempotency-key", "a b"),
    "a key of other signs": ("room", "create", "attic", "--idempotency-key", "\u00e9"),
    "who is not there": ("spirit", "revoke", "no/../one"),
    "a grant that is not there": ("grant", "revoke", "grant-0"),
    "a token that is not there": ("token", "revoke", "%00"),
    "a time that is none": (
        "grant",
        "create",
        "operator",
        "read",
        "--scope",
        "shared",
        "--from",
        "x",
    ),
    "the last operator": ("spirit", "revoke", "operator"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_a_usage_error_and_changes_nothing(shell: Shell, name: str) -> None:
    before = [said(shell, group, "list", "--json") for group in GROUPS]
    assert shell.ask(*WRONG[name]).code == 2
    assert [said(shell, group, "list", "--json") for group in GROUPS] == before


def test_a_name_that_is_no_text_is_a_usage_error(shell: Shell) -> None:
    for call in (("room", "create", b"\xff"), ("grant", "revoke", b"\xff")):
        ran = shell.run(*call)
        assert (ran.code, one_line(ran.err)[0]) == (2, "athanor:")


def test_in_process_a_named_token_is_used_and_else_the_operators(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    file = str(tmp_path / "ci.token")
    assert said(shell, "spirit", "create", "gatekeeper", "--kind", "ci")
    call = ("token", "create", "gatekeeper", "--operation", "read", "--scope", "shared")
    assert said(shell, *call, "--out", file)
    shown = shell.ask("spirit", "list", "--json", ATHANOR_TOKEN_FILE=file).json
    assert [p["principal"] for p in shown] == ["gatekeeper"]
    assert json.loads(said(shell, "spirit", "list", "--json"))[-1]["principal"] == "operator"
    missing = shell.ask("spirit", "list", ATHANOR_TOKEN_FILE=str(tmp_path / "none"))
    assert (missing.code, missing.err) == (2, "athanor: the token file cannot be read\n")
