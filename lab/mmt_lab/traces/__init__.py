"""Traces of real programs for `mmt simulate` and `mmt study abt-sbt`: eight Java programs that stand
in for SPECjvm98's, and six others. Made once, by one command, into a folder of their own.
"""
