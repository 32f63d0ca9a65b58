"""Fixtures for the tests of the command."""

import pytest

from dicedocs.cli import main


@pytest.fixture
def run(capsys):
    """A function that runs the command and returns its exit status, its output and its error messages."""

    def run(*arguments):
        status: object
        try:
            status = main(list(arguments))
        except SystemExit as exit:  # raised by argparse
            status = exit.code
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "\x1b" not in captured.out + captured.err
        return status, captured.out, captured.err

    return run
