"""Everything that people see of an outcome: its text, its HTML, its JSON, its dice as drawings.

The working is data (:class:`~dicedocs.rules.steps.Step`); here each verb has its sentence. No game
is known here, and nothing is computed that the rule did not say.
"""
