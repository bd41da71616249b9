"""The synthetic House of `athanor demo`; see README.md."""
