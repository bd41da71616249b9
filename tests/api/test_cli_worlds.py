"""A certificate that chooses its own facts: true of them, and yet nothing that the House said."""

from collections.abc import Iterator

import pytest
from command_lines import Shell, packet, written
from houses import Json, lesson, pack

from engine.certificates import certificate_digest

PACK = pack(
    [
        lesson("Rinse the brass", "Rinse the brass valve before the tide."),
        lesson("Polish", "Polish the brass valve before the tide.", languages=["rust"]),
    ]
)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("worlds")
    with Shell(home).serving() as (shell, _):
        assert shell.run("import", written(home / "pack.json", PACK), "--json").code == 0
        yield shell


def test_a_derivation_that_the_house_never_gave_is_not_verified(shell: Shell) -> None:
    found: Json = shell.run(*packet()).json["lessons"][0]["derivation"]
    assert len(found["given_digests"]) == 2
    more = {**found, "given_digests": [*found["given_digests"], found["given_digests"][0]]}
    more["digest"] = certificate_digest(more)
    ran = shell.ask("derivation", "verify", written(shell.home / "c.json", more))
    assert (ran.code, ran.out.split(":")[0]) == (3, "unchecked")
    assert "the House shows no such derivation" in ran.out


def test_the_derivation_that_it_gave_is(shell: Shell) -> None:
    found: Json = shell.run(*packet()).json["lessons"][0]["derivation"]
    assert shell.ask("derivation", "verify", written(shell.home / "d.json", found)).code == 0
