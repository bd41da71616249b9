"""Every way in: `http` for adapters and CI, `cli` for people. Parse, call `house`, answer.

Only here are the environment, the clock and randomness read.
"""
