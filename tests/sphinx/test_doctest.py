"""`sphinx-build -b doctest` runs each example as one of Sphinx's own tests."""

import re

BOOK = """
    .. dice:example::
       :name: renna
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total=11, dice=4 2 5

    .. dice:example::
       :mechanic: ember/haul
       :crew: A name that is long enough: skill 2; Another name that is as long: skill 1, tool 3
       :note: '"\\back ... %s {x}
       :hide: call
       :seed: 4
       :expect:   total=13,   success=true

    .. dice:example:: Nothing is expected
       :mechanic: methuen/expression
       :expression: 1

    .. doctest:: own

       >>> 1 + 1
       2
       >>> 1 + 2
       3
"""


def counts(output: str) -> tuple[int, int]:
    found = re.search(r"(\d+) tests?\n\s+(\d+) failures? in tests", output)
    return int(found[1]), int(found[2])


def names(output: str) -> dict[str, int]:
    return {name: int(count) for count, name in re.findall(r"(\d+) tests? in ([\w-]+)\n", output)}


def test_each_example_is_one_test_in_a_group_of_its_name(book):
    book.page(BOOK.replace("total=13", "total=11"))
    built = book.build("doctest", suppress_warnings=["dicedocs.unverified"])
    output = built.read("output.txt")
    assert counts(output) == (4, 0)
    assert names(output) == {"renna": 1, "example-2": 1, "own": 2}
    assert built.app.statuscode == 0


def test_a_wrong_fact_fails_with_the_name_the_line_and_both_texts(book):
    book.page(BOOK.replace("total=11", "total=12"))
    built = book.build("doctest", suppress_warnings=["dicedocs.unverified"])
    output = built.read("output.txt")
    assert counts(output) == (4, 2)
    assert built.app.statuscode == 1
    assert 'File "index.rst", line 10, in renna' in output
    assert "Expected:\n    total=12, dice=4 2 5\nGot:\n    total=11, dice=4 2 5\n" in output
    assert 'File "index.rst", line 18, in example-2' in output
    assert "Expected:\n    total=13, success=true\nGot:\n    total=11, success=true\n" in output


def test_three_dots_are_three_dots_and_what_cannot_be_played_fails(book):
    book.page("""
        .. dice:example::
           :name: dots
           :mechanic: methuen/expression
           :expression: 3d6
           :dice: 4 2 5
           :expect: total=...

        .. dice:example::
           :name: unknown
           :mechanic: methuen/nothing
           :expect: total=3

        .. dice:example::
           :name: unexpected
           :mechanic: methuen/expression
           :expression: 3d
    """)
    output = book.build("doctest").read("output.txt")
    assert counts(output) == (3, 3)
    for name in ("dots", "unknown", "unexpected"):
        assert f"in {name}\n" in output
    assert "there is no mechanic &#x27;" not in output
    assert "there is no mechanic" in output


def test_no_example_shares_a_namespace_with_another(book):
    book.page("""
        .. dice:example::
           :name: first
           :mechanic: methuen/expression
           :expression: 1
           :expect: total=1

        .. doctest:: first

           >>> dd
           Traceback (most recent call last):
           NameError: name 'dd' is not defined

        .. doctest:: second

           >>> dd
           Traceback (most recent call last):
           NameError: name 'dd' is not defined
    """)
    # Only what takes an example's own name stands in its namespace.
    assert counts(book.build("doctest").read("output.txt")) == (3, 1)
