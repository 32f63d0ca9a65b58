"""What the tests of the command share."""

import pytest

from dicedocs.cli import main


@pytest.fixture
def run(capsys):
    """A function that runs the command and gives its status, its output and its complaints."""

    def run(*arguments):
        status: object
        try:
            status = main(list(arguments))
        except SystemExit as ending:  # argparse's own
            status = ending.code
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "\x1b" not in captured.out + captured.err
        return status, captured.out, captured.err

    return run
