"""Refusals because of what the records say: what each is called, and what to do."""

from collections.abc import Mapping
from typing import Final

from api.http.kinds import Kind

CONFLICTS: Final[Mapping[str, Kind]] = {
    kind.code: kind
    for kind in (
        Kind(
            409,
            "epoch_not_reached",
            "epoch not reached",
            "ask again; your scopes have fewer changes than you demand",
            location="minimum_epoch",
            retry_after_seconds=1,
        ),
        Kind(
            409,
            "key_reused",
            "idempotency key reused",
            "use a new key for a new call",
            location="Idempotency-Key",
        ),
        Kind(
            409,
            "stale_title",
            "stale title",
            "read the lesson again, then decide again",
            location="expected_title",
        ),
        Kind(
            409,
            "stale_baseline",
            "stale baseline",
            "read the lesson again, then decide again",
            location="baseline_version",
        ),
        Kind(
            409,
            "stale_review",
            "stale review",
            "read the decisions again, then decide again",
            location="previous",
        ),
        Kind(
            409,
            "transition_refused",
            "transition refused",
            "see which decision may follow which on the operator's page",
            location="disposition",
        ),
        Kind(
            409,
            "stale_appointment",
            "stale appointment",
            "read the room again, then decide again",
            location="previous",
        ),
        Kind(409, "principal_exists", "principal exists", "give the new one another key"),
        Kind(409, "last_operator", "the last operator", "create another operator first"),
        Kind(409, "project_retired", "project retired", "open one under another key"),
        Kind(409, "token_exists", "token exists", "make another secret"),
        Kind(409, "superseded", "lesson superseded", "work on its successor"),
        Kind(
            409, "successor_refused", "successor refused", "name one of the same kind and subject"
        ),
        Kind(409, "circle", "supersessions in a circle", "name a lesson that leads elsewhere"),
        Kind(409, "identity_differs", "another identity", "supersede it, to change what it is"),
        Kind(409, "lesson_exists", "lesson exists", "update it, or give the new one another title"),
        Kind(409, "lesson_forgotten", "lesson forgotten", "make a new one under another title"),
        Kind(
            409,
            "wrong_worker",
            "not this worker's packet",
            "deliver it to the worker that the task named",
            location="worker_id",
        ),
        Kind(
            409,
            "withdrawn",
            "packet withdrawn",
            "start the task again; its new packet says why",
        ),
    )
}
"""What the records stand against, by the code of `house.ConflictError`."""
