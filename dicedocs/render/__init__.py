"""Rendering: an outcome as text, HTML, LaTeX and JSON, dice as drawings, odds as charts and tables.

A step of the working is data (:class:`~dicedocs.rules.steps.Step`); :mod:`~dicedocs.render.sentences` phrases
it. Nothing here knows a particular game or computes what the rule did not state.
"""
