"""For each rule of an invariant of the shipped packs: a small fault of a pack that it notices.

A fault is the id of the rule that is changed, what of it is replaced, and by what; where nothing
stands for the new text, the literal or the rule is gone. Where two guards stand before an
invariant, both have to fall.
"""

from typing import TypeAlias

Fault: TypeAlias = tuple[str, str, str]
WHOLE_RULE = ""

MUTATIONS: dict[str, tuple[Fault, ...]] = {
    # routing
    "never-beyond-token": (("grant-usable-by-token", "    token_operation(operation),\n", ""),),
    "never-outside-token-scope": (("grant-usable-by-token", "    token_scope(scope),\n", ""),),
    "never-after-the-token": (("permitted-by-governance", ",\n    !token_lapsed(_)", ""),),
    "never-without-basis": (("grant-usable-by-token", "grant(g, p, ", "grant(g, _, "),),
    "never-before-its-time": (("grant-in-force", ", start <= t", ""),),
    "never-after-its-time": (("grant-lapsed-by-time", "until <= t", "until < t"),),
    "never-once-revoked": (("grant-in-force", ", !lapsed(g)", ""),),
    "never-without-its-delegator": (("delegation-lapsed", "governor(by, ", "governor(_, "),),
    "never-delegated-beyond-rooms": (("governor-of-a-room", ', scope != "shared"', ""),),
    "never-readable-unpermitted": (("readable-by-permission", '"read"', "_"),),
    "never-shared-without-a-room": (
        ("shared-readable-from-any-room", 'permitted("read", _)', "caller(_)"),
    ),
    "never-valid-until-the-past": (("turning-when-a-grant-begins", ", start > t", ""),),
    "never-valid-until-twice": (
        (
            "valid-until-the-first-turning-point",
            "time = min t : { turning_point(t) }",
            "turning_point(time)",
        ),
    ),
    "never-valid-beyond-the-token": (("turning-when-the-token-expires", WHOLE_RULE, ""),),
    # eligibility
    "never-undecided": (("never-mine", '"dismissed"', '"archived"'),),
    "never-decided-twice": (("eligible", ", !ineligible(l, _, _)", ""),),
    "never-eligible-unreviewed": (
        ("unreviewed", WHOLE_RULE, ""),
        ("eligible", "authoritative(l, _)", "lesson(l, _)"),
    ),
    "never-eligible-dismissed": (
        ("never-mine", WHOLE_RULE, ""),
        ("authority-by-promotion", '"promoted"', "_"),
    ),
    "never-eligible-archived": (
        ("once-true", WHOLE_RULE, ""),
        ("authority-by-promotion", '"promoted"', "_"),
    ),
    "never-eligible-superseded": (("within-reach", "visible_from_task(scope)", 'scope = "x"'),),
    "never-eligible-beside-its-successor": (("superseded-by-authority", WHOLE_RULE, ""),),
    "never-eligible-outside-the-room": (("not-here-other-room", WHOLE_RULE, ""),),
    "never-eligible-outside-the-project": (
        ("project-of-another-task", "!task_project(project)", "task_project(project)"),
    ),
    "never-eligible-without-its-project": (
        ("not-here-no-project", "!lesson_project(l, _)", "lesson_project(l, _)"),
    ),
    "never-eligible-in-another-stage": (("not-now-stage", "!stage_fits", "stage_fits"),),
    "never-eligible-in-another-register": (
        ("not-here-register", "!register_fits", "register_fits"),
    ),
    "never-eligible-in-another-language": (
        ("not-now-language", "!language_fits", "language_fits"),
    ),
    "never-eligible-in-another-technology": (
        ("not-now-technology", "!technology_fits", "technology_fits"),
    ),
    # context
    "never-selected-not-eligible": (("candidate", ", eligible(l)", ""),),
    "never-selected-without-match": (("standby-alone", '"always_on"', '"match"'),),
    "never-selected-as-always-on": (("waiting-far-behind", "lesson_always_on(l), ", ""),),
    "never-with-opposite": (
        ("closed-opposite-of-first", "opposite(m, l)", "opposite(m, l), l = m"),
    ),
    "never-place-twice": (("first", ", !behind_first(l)", ""),),
    "never-two-places": (("standby-second", "first(_)", "standby(l)"),),
    "never-before-the-first-place": (("matched-first", "1", "0"),),
    "never-behind-the-fourth-place": (("matched-fourth", "4", "5"),),
    "never-behind-an-empty-place": (("matched-second", "2", "3"),),
    "never-always-on-before-a-match": (("standby-alone", ", !first(_)", ""),),
    "never-always-on-twice": (("standby", ", !behind_standby(l)", ""),),
    "never-before-a-better-score": (("behind-second-by-score", "score < best", "score > best"),),
    "never-before-an-earlier-one": (("third", " !closed_after_second(l),", ""),),
    "never-outranked-by-a-worse-score": (("closed-still-after-third", WHOLE_RULE, ""),),
    "never-outranked-by-a-later-one": (("closed-still-after-third", WHOLE_RULE, ""),),
    "never-unexplained": (("passed-behind-the-fourth", "fourth(last)", "standby(last)"),),
    "never-explained-though-selected": (
        ("passed-behind-the-fourth", ", !closed_after_fourth(l)", ""),
    ),
    # the packet that stands
    "never-withdrawn-unheld": (("withdrawn-as-dismissed", "held(l, _), ", ""),),
    "never-withdrawn-in-good-standing": (
        ("withdrawn-for-another-version", "!lesson_version(l, version), ", "version > 0, "),
    ),
    "never-kept-without-authority": (("withdrawn-as-archived", '"archived"', '"dismissed"'),),
    "never-kept-in-another-version": (("withdrawn-as-forgotten", WHOLE_RULE, ""),),
}
