"""Tables of pages that are looked up, checked cell by cell, drawn from or printed: in Markdown and reStructuredText."""

import re

import pytest

MARKDOWN, RST = "index.md", "index.rst"
MATRIX = {
    MARKDOWN: """
        ```{dice:mechanic} road/hit
        :cells: 20 - level - armour
        ```

        | level × armour | 1  | 2  | 3+ |
        |----------------|----|----|----|
        | 1              | 18 | 17 | 16 |
        | 2              | 17 | 16 | 15 |
        | 3+             | 16 | 16 | 14 |

        ```{dice:example} A hard blow
        :mechanic: road/hit
        :level: 2
        :armour: 3
        :expect: result=15
        ```
        """,
    RST: """
        .. dice:mechanic:: road/hit
           :cells: 20 - level - armour

        =========================  ==  ==  ==
        level × armour             1   2   3+
        =========================  ==  ==  ==
        1                          18  17  16
        2                          17  16  15
        3+                         16  16  14
        =========================  ==  ==  ==

        .. dice:example:: A hard blow
           :mechanic: road/hit
           :level: 2
           :armour: 3
           :expect: result=15
        """,
}


def found(built) -> list[tuple[int, str, str]]:
    return [(line, type, text) for _, line, type, text in built.warnings]


def line_of(book, page: str, start: str) -> int:
    lines = (book.src / page).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.lstrip().startswith(start))


@pytest.mark.parametrize("page", [MARKDOWN, RST])
def test_a_cell_that_differs_is_a_warning_at_its_row_and_the_rule_is_played_all_the_same(book, page):
    book.page(MATRIX[page], page)
    row = line_of(book, page, "| 3+" if page == MARKDOWN else "3+")
    assert found(book.build()) == [
        (row, "dicedocs.table", "road/hit: level 3, armour 2: the table has 16, but 20 - level - armour is 15")
    ]


def test_a_table_of_figures_goes_by_its_first_head_if_its_cells_are_checked(book):
    book.page(
        """
        ```{dice:mechanic} road/rank
        :cells: Bonus = rank / 2 + 1; HP = 8 + 3 * rank
        ```

        | Rank | Bonus | HP     |
        |------|-------|--------|
        | 1    | +1    | 11 HP  |
        | 2    | +2    | 14 HP  |
        | 3    | +2    | 18 HP  |

        ```{dice:example} A veteran
        :mechanic: road/rank
        :rank: 3
        :expect: Bonus=+2, HP=18 HP
        ```
        """,
        MARKDOWN,
    )
    assert found(book.build()) == [
        (line_of(book, MARKDOWN, "| 3"), "dicedocs.table", "road/rank: Rank 3: HP has 18 HP, but 8 + 3 * rank is 17")
    ]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (":cells: 20 - levl", "no column and no parameter is called 'levl'; did you mean 'level'?"),
        (":success: 19", "'19' is in no cell; known: '12', '13'"),
        (":failure: 1d6", "'1d6' is in no cell; known: '12', '13'"),
    ],
)
def test_what_is_wrong_in_an_option_is_a_warning_at_its_line(book, option, message):
    book.page(
        f"""
        .. dice:mechanic:: road/hit
           :dice: level
           {option}

        =====  =====
        Level  Bonus
        =====  =====
        1      12
        2      13
        =====  =====
        """
    )
    assert found(book.build()) == [(line_of(book, RST, option), "dicedocs.table", f"road/hit: {message}")]


@pytest.mark.parametrize("heads", ["Ticks |           ", "      | Ticks     ", "Ticks | Ticks     "])
def test_columns_name_those_whose_heads_are_missing_or_the_same(book, heads):
    book.page(
        f"""
        ```{{dice:mechanic}} road/effects
        :columns: Question, Ticks
        ```

        | d2 | {heads} |
        |----|-------|-----------|
        | 1  | More? | 3         |
        | 2  | Less? | 1         |

        ```{{dice:example}} More
        :mechanic: road/effects
        :dice: 1
        :expect: Question=More?, Ticks=3
        ```
        """,
        MARKDOWN,
    )
    assert book.build().log == ""


def test_options_with_commas_in_heads_are_separated_by_semicolons(book):
    book.page(
        """
        ```{dice:mechanic} road/loot
        :columns: Coins, silver; Find
        :plain: Coins, silver;
        ```

        | d2 | Silver | Thing      |
        |----|--------|------------|
        | 1  | 2d6    | d4 candles |
        | 2  | 3d6    | nothing    |

        ```{dice:example} Candles
        :mechanic: road/loot
        :dice: 1 3
        :expect: Coins_silver=2d6, Find_rolled=3
        ```
        """,
        MARKDOWN,
    )
    assert book.build().log == ""


def test_good_and_bad_words_are_shown_as_such(book):
    book.page(
        """
        ```{dice:mechanic} road/move
        :success: strong hit
        :partial: weak hit
        :failure: miss
        ```

        | 2d6 | Result     | What   |
        |-----|------------|--------|
        | 6-  | Miss       | a wolf |
        | 7–9 | Weak hit   | a rat  |
        | 10+ | Strong hit | a rest |

        ```{dice:example} A rest
        :mechanic: road/move
        :dice: 5 5
        :expect: Result=Strong hit
        ```

        ```{dice:example} A wolf
        :mechanic: road/move
        :dice: 1 2
        :expect: Result=Miss
        ```

        ```{dice:table} Moves
        :mechanic: road/move
        :expect: Miss: 41.7%; Weak hit: 41.7%; Strong hit: 16.7%
        ```
        """,
        MARKDOWN,
    )
    built = book.build("html")
    assert built.log == ""
    shown = re.findall(
        r'class="dice-result dice-(\w+)">.*?<strong class="dice-value">(.*?)</strong>', built.read("index.html")
    )
    assert [(tone, re.sub("<.*?>[^<]*</.*?>", "", text).strip()) for tone, text in shown] == [
        ("success", "Strong hit"),
        ("failure", "Miss"),
    ]


@pytest.mark.parametrize(("expected", "right"), [("Rain; Storm; Fair sky", True), ("Storm; Rain; Fair sky", False)])
def test_an_example_of_several_rows_is_checked(book, expected, right):
    book.page(
        f"""
        ```{{dice:mechanic}} road/omens
        :draw: 3 without repeats
        ```

        | d6  | Weather  |
        |-----|----------|
        | 1   | Storm    |
        | 2–3 | Rain     |
        | 4–6 | Fair sky |

        ```{{dice:example}} Three omens
        :mechanic: road/omens
        :dice: 2 3 1 6
        :expect: Weather={expected}
        ```

        ```{{dice:claim}}
        :mechanic: road/omens
        :claim: p(Rain; Storm; Fair sky) = 8.3%
        ```
        """,
        MARKDOWN,
    )
    assert [type for _, type, _ in found(book.build())] == ([] if right else ["dicedocs.mismatch"])


@pytest.mark.parametrize(
    ("text", "draw"),
    [
        ("Roll a d4 for each column:", "First=Bo, Last=Weaver"),
        ("Roll 1d4 per column.", "First=Bo, Last=Weaver"),
        ("Roll twice on this table:", "First=Bo Ada, Last=Hill Weaver"),
        ("Roll twice on this table if it is late.", "First=Bo, Last=Hill"),
        ("The first column is for each day.", "First=Bo, Last=Hill"),
    ],
)
def test_a_sentence_says_how_often_a_table_is_rolled_on(book, text, draw):
    dice = "3" if draw == "First=Bo, Last=Hill" else "3 1"
    book.page(
        f"""
        ```{{dice:mechanic}} road/name
        ```

        {text}

        | d4  | First | Last   |
        |-----|-------|--------|
        | 1–2 | Ada   | Weaver |
        | 3–4 | Bo    | Hill   |

        ```{{dice:example}} A name
        :mechanic: road/name
        :dice: {dice}
        :expect: {draw}
        ```
        """,
        MARKDOWN,
    )
    assert found(book.build()) == []


def test_what_nothing_can_be_drawn_from_is_no_rule(book):
    book.page(
        """
        .. dice:mechanic:: road/omens
           :draw: 3 without repeats

        ====  =======
        d2    Weather
        ====  =======
        1     Storm
        2     Rain
        ====  =======
        """
    )
    message = (
        "road/omens: 3 rows are drawn without repeats, and there are only 2; draw fewer, or leave out without repeats"
    )
    assert [each[1:] for each in found(book.build())] == [("dicedocs.table", message)]


# Tables that rules have

PRINTED = {
    MARKDOWN: """
        ```{dice:mechanic} How well it *goes* & {so}
        :from: dungeoneers/action-roll
        ```

        ```{dice:mechanic}
        :from: mage-in-the-metal/check total
        :skill: 12
        ```
        """,
    RST: r"""
        .. dice:mechanic:: How well it *goes* & {so}
           :from: dungeoneers/action-roll

        .. dice:mechanic::
           :from: mage-in-the-metal/check total
           :skill: 12
        """,
}
DEGREES = ["-4 or less", "failure", "-3 to -1", "partial success", "0 to 2", "success", "3 or more", "greater success"]
"""Written down from the rules of the game."""


@pytest.mark.parametrize("page", [MARKDOWN, RST])
def test_a_table_that_a_rule_has_is_printed(book, page):
    book.page(PRINTED[page], page)
    built = book.build("html")
    assert built.log == ""
    html = built.read("index.html")
    degrees, totals = (re.findall("<p>(.*?)</p>", table) for table in re.findall("<table.*?</table>", html, re.DOTALL))
    assert degrees == ["Against the difficulty", "Degree", *DEGREES]
    # By hand: at skill 12 a total up to 5 is a critical success; 6 to 11 are a success, and 12 to 15 a failure.
    assert totals[2:6] == ["5 or less", "critical success", "6 to 11", "success"]
    assert ">How well it *goes* &amp; {so}</span>" in html


@pytest.mark.parametrize(("builder", "file"), [("text", "index.txt"), ("latex", "book.tex"), ("man", "book.1")])
def test_every_builder_prints_it(book, builder, file):
    book.page(PRINTED[RST])
    names = {
        "latex_documents": [("index", "book.tex", "B", "N", "manual")],
        "man_pages": [("index", "book", "B", "N", 1)],
    }
    built = book.build(builder, **names)
    assert built.log == ""
    written = re.sub(r"[^a-z0-9]+", " ", built.read(file).replace("sphinxhyphen", ""))
    assert "partial success" in written
    assert "3 or more" in written


def test_a_catalogue_has_nothing_of_it(book):
    book.page(PRINTED[RST])
    written = book.build("gettext").read("index.pot")
    assert "or less" not in written
    assert "Degree" not in written


UNPRINTED = [
    (":from: dungeoneers/action", 6, "mechanic", "there is no mechanic 'dungeoneers/action'; did you mean"),
    (":from: dice/roll", 6, "option", "dice/roll has no table; it looks nothing up by say.look_up"),
    (":from: mage-in-the-metal/check totl", 6, "option", "mage-in-the-metal/check has no table 'totl'; did you"),
    (
        ":from: mage-in-the-metal/check\n:skil: 3",
        7,
        "value",
        "there is no parameter 'skil' of mage-in-the-metal/ch",
    ),
    (":from: mage-in-the-metal/check\n:skill: x", 7, "value", "'x' is not a whole number"),
    (
        ":from: dungeoneers/action-roll\n:draw: 3",
        7,
        "option",
        "'draw' does nothing for a printed table",
    ),
    (":from:", 6, "option", "no rule is named; write from: game/rule"),
]


def test_what_cannot_be_printed_is_a_warning_at_its_line(book):
    names = book.cases(f".. dice:mechanic::\n{options}".replace("\n", "\n   ") for options, *_ in UNPRINTED)
    built = book.build()
    found = {
        options: [
            (each.line, each.type, each.text.startswith(f"mechanic-1: {message}") or each.text)
            for each in built.warnings_of(name)
        ]
        for name, (options, _, _, message) in zip(names, UNPRINTED, strict=True)
    }
    assert found == {options: [(line, f"dicedocs.{type}", True)] for options, line, type, _ in UNPRINTED}


# What finished books have, with other words

SQUARE = """
    {head}

    ```{{dice:mechanic}} road/roots
    ```

    |   | 1   | 2   | 3   | 4   | 5   | 6   |
    |---|-----|-----|-----|-----|-----|-----|
    | 1 | Ab  | Eb  | Ib  | Ob  | Ub  | Yb  |
    | 2 | Ac  | Ec  | Ic  | Oc  | Uc  | Yc  |
    | 3 | Ad  | Ed  | Id  | Od  | Ud  | Yd  |
    | 4 | Af  | Ef  | If  | Of  | Uf  | Yf  |
    | 5 | Ag  | Eg  | Ig  | Og  | Ug  | Yg  |
    | 6 | Ah  | Eh  | Ih  | Oh  | Uh  | Yh  |

    ```{{dice:example}} A root
    :mechanic: road/roots
    :dice: 3 5
    :expect: result=Ud
    ```
    """


@pytest.mark.parametrize("head", ["**Roots (d66)**", "## Roots (d66)\n\n    Of old names.", "Roll a d66:"])
def test_digits_on_the_left_and_along_the_top_are_those_of_a_die_that_is_named_near(book, head):
    book.page(SQUARE.format(head=head), MARKDOWN)
    assert found(book.build()) == []


def test_a_dash_for_the_second_of_two_dice_is_for_all_its_numbers(book):
    page = """
        ```{dice:mechanic} road/mark
        ```

        | d3 | d2 | Landmark |
        |----|----|----------|
        | 1  | –  | Ford     |
        | 2  | 1  | Mill     |
        |    | 2  | Barn     |
        | 3  | -  | Oak      |

        ```{dice:claim}
        :mechanic: road/mark
        :claim: p(Landmark = Ford) = 33.3%, p(Landmark = Mill) = 16.7%
        ```
        """
    book.page(page, MARKDOWN)
    assert found(book.build()) == []
    book.page(page.replace("| 2  | 1 ", "| –  | 1 "), MARKDOWN)
    assert next(text for *_, text in found(book.build())).startswith("road/mark: '–' is not a number or a range")


def test_dice_that_disagree_are_reported_where_the_rows_say_that_it_is_wrong(book):
    page = """
        ```{{dice:mechanic}} road/way
        ```

        Roll 1d{}.

        | d{} | Way   |
        |-----|-------|
        | 1–4 | North |
        | 5–8 | South |
        """
    for text, head, start in ((6, 8, "Roll"), (8, 6, "| d6")):
        book.page(page.format(text, head), MARKDOWN)
        message = f"road/way: the text above says '1d{text}', and the head of the table says 'd{head}'; correct one of"
        [(line, _, said), *_] = found(book.build())
        assert (line, said) == (line_of(book, MARKDOWN, start), f"{message} the two")


def test_a_head_again_in_the_body_and_an_open_sum_say_what_to_write(book):
    page = """
        ```{dice:mechanic} road/mood
        ```

        | d2 | Mood |
        |----|------|
        | 1  | calm |
        | 2  | wild |
        | d4 | Bond |
        """
    book.page(page, MARKDOWN)
    hint = "begin a new table with this row, below a directive of its own"
    assert [text for *_, text in found(book.build())] == [f"road/mood: 'd4' is not a number or a range; {hint}"]
    book.page(page.replace("| d2 |", "| d2+|").replace("| d4 | Bond |", "| 3  | Bond |"), MARKDOWN)
    assert "write what is added too, as in d2 + level, or leave the sign out" in book.build().log


# Figures that are tied to dice, to a formula or to odds

BEASTS = """
    ## Goblin

    ```{dice:mechanic} road/goblin
    :cells: HP = mean(HP) rounded up; Club = mean(Club)
    ```

    | Goblin |           |
    |--------|-----------|
    | HP     | 8 (2d6)   |
    | Club   | 5 (1d6+2) |
    | AC     | 13        |

    ## Two of them

    ```{dice:mechanic} road/two
    :cells: HP = mean(HP)
    ```

    |      | Wolf        | Ogre      |
    |------|-------------|-----------|
    | HP   | 11 (2d8+2)  | 19 (4d8)  |
    | Bite | 2d4         | 1d6       |

    ## List

    ```{dice:mechanic} road/beasts
    :cells: HP = mean(Hit dice) rounded down; Attack = (level + 1) / 2 rounded up
    :dice: Beast
    ```

    | Beast | level | Hit dice | HP | Attack |
    |-------|-------|----------|----|--------|
    | Wolf  | 2     | 3d8      | 14 | +2     |
    | Bear  | 5     | 5d8+10   | 32 | +4     |
    """


def test_the_figures_of_a_bestiary_are_tied_to_their_dice(book):
    # The means are 7, 5.5, 11, 18, 13.5 and 32.5; half of 3 and of 6 is 2 and 3, rounded up.
    book.page(BEASTS, MARKDOWN)
    assert found(book.build()) == [
        (line_of(book, MARKDOWN, start), "dicedocs.table", text)
        for start, text in (
            ("| HP     | 8", "road/goblin: Goblin figures: HP has 8 (2d6), but mean(HP) rounded up is 7"),
            ("| HP   | 11", "road/two: column Ogre: HP has 19 (4d8), but mean(HP) is 18"),
            ("| Wolf", "road/beasts: Beast Wolf: HP has 14, but mean(Hit dice) rounded down is 13.5"),
            ("| Bear", "road/beasts: Beast Bear: Attack has +4, but (level + 1) / 2 rounded up is 3"),
        )
    ]
    right = (
        BEASTS.replace("8 (2d6)", "7 (2d6)").replace("19 (", "18 (").replace("| 14 |", "| 13 |").replace("+4 ", "+3 ")
    )
    book.page(right, MARKDOWN)
    assert found(book.build()) == []


@pytest.mark.parametrize("lies", [False, True])
def test_printed_odds_are_tied_to_a_rule_for_the_settings_of_each_row(book, lies):
    # Of 36 throws of two dice 6, 10 and 15 reach 10, 9 and 8; the means are 7, 8 and 9.
    figures = [("Stat", "Hit", "Average"), ("0", "17%", "7"), ("+1", "27.8%", "8"), ("2", "43%", "9.5")]
    rows = list(zip(*figures, strict=True)) if lies else figures
    lines = [f"| {' | '.join(row)} |" for row in rows]
    table = "\n    ".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
    page = f"""
    ```{{dice:mechanic}} road/climb
    :stat: 0 (-1 to 3)
    :cells: Hit = p(hit); Average = mean(total)

    total = 2d6 + stat
    hit = total >= 10
    ```

    {table}
    """
    book.page(page, MARKDOWN)
    at = [line_of(book, MARKDOWN, start) for start in (("| Hit", "| Average") if lies else ("| 2 ", "| 2 "))]
    assert found(book.build()) == [
        (at[0], "dicedocs.table", "road/climb: Stat 2: Hit has 43%, but p(hit) is 42%"),
        (at[1], "dicedocs.table", "road/climb: Stat 2: Average has 9.5, but mean(total) is 9.0"),
    ]
    book.page(page.replace("43%", "42%").replace("9.5", "9"), MARKDOWN)
    assert found(book.build()) == []


@pytest.mark.parametrize(
    ("cells", "table", "message"),
    [
        (
            "Hit = p(hot)",
            "| Stat | Hit |\n|---|---|\n| 0 | 17% |",
            "Stat 0: nothing is called 'hot'; did you mean 'hit'?",
        ),
        ("Hot = p(hit)", "| Stat | Hit |\n|---|---|\n| 0 | 17% |", "there is no column 'Hot'; did you mean 'Hit'?"),
        (
            "Hit = p(hit)",
            "| Stat | Hit | Best |\n|---|---|---|\n| 0 | 17% | 12 |",
            "no line computes 'Best'; write plain: Best if none",
        ),
        ("p(hit)", "| Stat | Chance |\n|---|---|\n| 0 | 18% |", "Stat 0: Chance has 18%, but p(hit) is 17%"),
        (
            "p(hit)",
            "| Stat | A | B |\n|---|---|---|\n| 0 | 1 | 2 |",
            "'p(hit)' does not name a column; write A = p(hit)",
        ),
        ("Hit = p(hit)", "Text.", "no table or numbered list follows in this section"),
        ("Hit = 7 +", "| Stat | Hit |\n|---|---|\n| 0 | 17% |", "expected"),
    ],
)
def test_odds_that_cannot_be_tied_to_a_rule_are_reported(book, cells, table, message):
    page = (
        "```{dice:mechanic} road/climb\n:stat: 0 (-1 to 3)\n:cells: @\n\ntotal = 2d6 + stat\nhit = total >= 10\n```\n\n"
    )
    book.page(page.replace("@", cells) + table, MARKDOWN)
    [(_, type, text)] = found(book.build())
    assert type in {"dicedocs.table", "dicedocs.option"}
    assert text.startswith(f"road/climb: {message}")
