"""Which grants and tokens a caller may see: those in scopes that it administers, and its own."""

from engine import digest
from house.authorization import Caller
from store import grants


def visible_to(caller: Caller, limit: int) -> grants.Visible:
    """What a list shows the caller: all in the scopes that it administers, and its own."""
    return grants.Visible(
        principal=caller.token.principal_id,
        administered=list(caller.scopes_of("administer")),
        carried=sorted(set(caller.token.scopes)),
        limit=limit,
    )


def shows(caller: Caller, record: grants.Grant | grants.Token) -> bool:
    """Whether a list would show the record to the caller."""
    visible, scopes = visible_to(caller, 1), set(record.scopes)
    own = record.principal_id == visible.principal and scopes <= set(visible.carried)
    return own or scopes <= set(visible.administered)


def list_name(kind: str, caller: Caller) -> str:
    """The name of a list of such records, to which its cursors are bound: it tells its scopes."""
    visible = visible_to(caller, 1)
    return f"{kind} {digest([visible.principal, visible.administered, visible.carried])}"
