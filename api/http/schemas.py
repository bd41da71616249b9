"""The published contracts as JSON Schemas."""

import hashlib
from typing import Any, Final

import rfc8785
from litestar import Controller, Request, Response, get
from litestar.params import FromPath

from api.http.problems import documented
from contracts import CONTRACTS, schema_digest, schema_id, schema_text, schema_version
from house import NotFoundError

_UNCHANGED: Final = 304


class Schemas(Controller):
    """`/v1/schemas`: a public contract, which needs no token and says nothing of any House."""

    path = "/v1/schemas"
    tags = ["contracts"]

    @get("/", sync_to_thread=False, responses=documented())
    def schemas(self, request: Request[Any, Any, Any]) -> Response[Any]:
        """List the contracts: name, version, `$id`, and the digest of the schema's bytes."""
        listed: list[dict[str, Any]] = [
            {
                "name": name,
                "version": schema_version(name),
                "$id": schema_id(name),
                "digest": schema_digest(name),
            }
            for name in CONTRACTS
        ]
        return _answer(request, rfc8785.dumps({"schemas": listed}), "application/json")

    @get("/{name:str}", sync_to_thread=False, responses=documented("not_found"))
    def contract_schema(
        self, name: FromPath[str], request: Request[Any, Any, Any]
    ) -> Response[Any]:
        """Read the JSON Schema (2020-12) of a contract, as RFC 8785 JSON."""
        if name not in CONTRACTS:
            raise NotFoundError("contract", name)
        return _answer(request, schema_text(name), "application/schema+json")


def _answer(request: Request[Any, Any, Any], body: bytes, media_type: str) -> Response[Any]:
    """The body with its digest as the entity tag, or nothing for a caller who has it."""
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(None, status_code=_UNCHANGED, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _has(sent: str, tag: str) -> bool:
    """Whether a caller's entity tags hold this one; they are compared weakly, as RFC 9110 asks."""
    tags = [part.strip().removeprefix("W/") for part in sent.split(",")]
    return tag in tags or tags == ["*"]
