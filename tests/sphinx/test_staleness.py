"""Pages are never stale, and a build gives the same however it came about."""

import shutil
from pathlib import Path

import pytest

from ..command_server import CommandServer, run_alone

pytestmark = pytest.mark.thorough

SOURCES = Path(__file__).parents[2]
PAGES = 8


def fill(book, pages: int = PAGES) -> None:
    """A book with everything in it, faults too."""
    names = "".join(f"   page{page}\n" for page in range(pages))
    wrong = ".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 3d6\n   :dice: 4 2 5\n"
    book.page(f"{wrong}   :expect: total=12\n\n.. toctree::\n\n{names}")
    for page in range(pages):
        after = (page + 1) % pages
        if page % 2:
            book.page(
                f"""
                ```{{dice:example}} The title of {page}
                :name: example-of-{page}
                :mechanic: methuen/expression
                :expression: 3d6 + {page}
                :dice: 4 2 5
                :expect: total={page + 11}

                {{dice:fact}}`total` and {{dice:fact}}`example-of-{after}.hits`.
                ```

                ```{{dice:example}} Unnamed
                :mechanic: methuen/expression
                :expression: {page}
                ```

                ```{{dice:character}} Hero {page}
                :name: hero-{page}
                :values: Strength={page}
                ```

                ```{{dice:example}} Of a hero
                :name: deed-{page}
                :mechanic: methuen/expression
                :expression: [Strength]
                :actor: hero-{(page + 2) % pages}
                :expect: total={page}

                {{dice:fact}}`actor.Strength` and {{dice:fact}}`total`.
                ```

                ```{{dice:claim}} A claim of {page}
                :name: claim-of-{page}
                :mechanic: methuen/expression
                :expression: 1d6 + [Strength]
                :actor: hero-{(page + 2) % pages}
                :claim: mean={page}.5

                {{dice:fact}}`exact`
                ```

                {{dice:ref}}`example-of-{after}`, {{dice:roll}}`2d6 @ {page}`, {{dice:ref}}`lost-{page}`.
                {{dice:fact}}`odds-of-{after}.mean(hits | trait={page})`, {{dice:odds}}`1d20 >= {page}`.
                """,
                f"page{page}.md",
            )
        else:
            book.page(
                f"""
                .. dice:example:: The title of {page}
                   :name: example-of-{page}
                   :mechanic: ember/blaze
                   :trait: 3
                   :seed: {page}
                   :expect: hits={page}

                   :dice:fact:`dice` and :dice:fact:`example-of-{after}.total`.

                .. dice:example:: Doubled
                   :name: doubled
                   :mechanic: ember/blaze
                   :trait: 0
                   :expect: hits=0

                .. dice:example:: A trait of :dice:fact:`trait`
                   :name: deed-{page}
                   :mechanic: ember/blaze
                   :trait: hero-{after}.Strength
                   :seed: {page}
                   :expect: hits=0

                   :dice:fact:`trait`, :dice:fact:`deed-{after}.total`, :dice:fact:`hero-{after}.Strength`,
                   :dice:fact:`nothing`.

                .. dice:table:: The odds of {page}
                   :name: odds-of-{page}
                   :mechanic: ember/blaze
                   :vary: trait=0..{page}

                .. dice:odds:: Numbered
                   :mechanic: ember/blaze
                   :trait: hero-{after}.Strength
                   :cap: 1
                   :expect: p(hits at least 0)=99%

                :dice:ref:`example-of-{after}`, :dice:fact:`lost.total`, :dice:fact:`claim-of-{after}.exact`.
                """,
                f"page{page}.rst",
            )


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def differing(one: Path, other: Path) -> list[str]:
    before, after = files(one), files(other)
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def test_two_clean_builds_and_builds_in_parallel_are_the_same_to_the_byte(book):
    fill(book)
    first = book.build("html", out="one", fresh=True)
    assert len(first.warnings) > PAGES
    again = book.build("html", out="two", fresh=True)
    assert differing(first.out, again.out) == []
    assert again.log == first.log
    parallel = book.build("html", out="three", fresh=True, jobs=4)
    assert differing(first.out, parallel.out) == []
    assert sorted(parallel.log.splitlines()) == sorted(first.log.splitlines())


@pytest.mark.parametrize("builder", ["html", "text"])
def test_an_incremental_build_is_a_clean_one(book, builder):
    fill(book, 4)
    book.build(builder, out="grown")
    # The examples change name, title and outcome that other pages show; one page goes, one comes.
    page = book.src / "page1.md"
    page.write_text(page.read_text().replace("The title of 1", "Another *title*").replace("3d6 + 1", "3d6 + 20"))
    page.write_text(page.read_text().replace("Strength=1", "Strength=20"))
    page = book.src / "page2.rst"
    page.write_text(page.read_text().replace(":name: example-of-2", ":name: lost-1"))
    grown = book.build(builder, out="grown")
    clean = book.build(builder, out="clean", fresh=True)
    # Sphinx keeps empty terms in the index of an incremental build.
    assert [name for name in differing(grown.out, clean.out) if name != "searchindex.js"] == []
    assert "Another title" in (grown.out / ("page0.html" if builder == "html" else "page0.txt")).read_text()
    assert {w[:3] for w in grown.warnings} <= {w[:3] for w in clean.warnings}


def test_a_second_build_repeats_every_warning(book):
    fill(book, 4)
    first = book.build("html")
    assert sorted(book.build("html").warnings) == sorted(first.warnings)


def test_a_page_without_faults_is_left_alone(book):
    book.page(".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 2\n   :expect: total=2\n")
    first = book.build("html")
    read = (book.folder / "doctrees/index.doctree").stat().st_mtime_ns
    written = (first.out / "index.html").stat().st_mtime_ns
    assert book.build("html").log == ""
    assert (book.folder / "doctrees/index.doctree").stat().st_mtime_ns == read
    assert (first.out / "index.html").stat().st_mtime_ns == written


def test_an_unchanged_scene_is_not_written_again_by_another_python(book):
    names = ["ann", "bob", "cid", "dan", "eve", "fay"]
    cast = "".join(f".. dice:character:: {name}\n   :name: {name}\n   :values: HP=9\n\n" for name in names)
    book.page(f"{cast}.. dice:scene:: All of them\n   :cast: {', '.join(names)}\n")
    written = []
    for seed in ("1", "2"):  # with which the names in a set have another order
        command = ("sphinx", "-q", "-b", "text", "-d", "doctrees", "src", "out")
        done = run_alone(book.folder, *command, PYTHONHASHSEED=seed)
        assert (done.returncode, done.stderr) == (0, "")
        written.append((book.folder / "out/index.txt").stat().st_mtime_ns)
    assert written[0] == written[1]


class Engine:
    """A copy of the code, which may be edited, and a book built with it by other processes."""

    def __init__(self, folder: Path, commands: CommandServer) -> None:
        self.folder = folder
        self.commands = commands
        # With what is compiled of it, which holds for files of the same time and size; each edit changes the size.
        for package in ("dicedocs", "sphinx_ext/dicedocs_sphinx", "tests/ember/ember"):
            shutil.copytree(SOURCES / package, folder / "code" / Path(package).name)
        self.src = folder / "src"
        self.src.mkdir()
        (self.src / "conf.py").write_text("extensions = ['dicedocs_sphinx']\nhtml_theme = 'basic'\n")
        facts = ":dice:fact:`b.hits`, :dice:fact:`odds-of-b.mean`"
        (self.src / "index.rst").write_text(f"Index\n=====\n\n.. toctree::\n\n   a\n   b\n   c\n\n{facts}\n")
        (self.src / "a.rst").write_text(
            "A\n=\n\n.. dice:example::\n   :name: a\n   :mechanic: methuen/expression\n"
            "   :expression: 3d6\n   :dice: 4 2 5\n   :expect: total=11\n\n"
            ".. dice:table::\n   :name: table-of-a\n   :mechanic: methuen/expression\n   :expression: 1d4\n"
        )
        (self.src / "b.rst").write_text(
            "B\n=\n\n.. dice:example::\n   :name: b\n   :mechanic: ember/blaze\n"
            "   :trait: 1\n   :dice: 8\n   :expect: hits=1\n\n"
            ".. dice:claim::\n   :name: odds-of-b\n   :mechanic: ember/blaze\n"
            "   :trait: 1\n   :cap: 0\n   :claim: mean(hits)=0.3\n"
        )
        (self.src / "c.rst").write_text("C\n=\n\nNo example.\n")

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / "code" / name
        text = path.read_text()
        assert old in text
        assert len(old) != len(new)
        path.write_text(text.replace(old, new))

    def add(self, name: str, line: str) -> None:
        with (self.folder / "code" / name).open("a") as file:
            file.write(f"\n{line}\n")

    def build(self, builder: str, *, anew: bool = False) -> tuple[set[str], str]:
        """Build, and give the pages that were read, and what was said.

        Parameters:
            builder: the name of the builder.
            anew: whether a Python of its own is started.
        """
        doctrees = self.folder / "doctrees"
        before = {path.stem: path.stat().st_mtime_ns for path in doctrees.glob("*.doctree")}
        mine = {"PYTHONPATH": str(self.folder / "code"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["sphinx", "-q", "-b", builder, "-d", doctrees, self.src, self.folder / builder]
        run = run_alone if anew else self.commands.run
        done = run(self.folder, *command, **mine)
        assert done.returncode == 0, done.stderr
        read = {path.stem for path in doctrees.glob("*.doctree") if before.get(path.stem) != path.stat().st_mtime_ns}
        return read, done.stderr

    def shown(self, page: str) -> str:
        return (self.folder / page).read_text()


@pytest.fixture
def engine(tmp_path, templates):
    with CommandServer(tmp_path, templates, ours=False) as commands:
        yield Engine(tmp_path, commands)


def test_an_edited_game_has_its_pages_read_again_and_edited_dicedocs_all(engine):
    engine.build("html", anew=True)
    assert engine.build("text") == (set(), "")

    # A game: its pages, in every builder that shares the doctrees, and pages that show its facts.
    engine.edit("ember/rules.py", '"Hits", hits', '"Strikes", hits + 1')
    read, said = engine.build("xml")
    assert read == {"b"}
    assert "expected hits=1, got hits=2" in said
    # In nine of ten throws there is no ten, and one strike more.
    assert "expected mean(hits)=0.3, got 1.3" in said
    assert engine.build("html")[0] <= {"b"}
    assert "Strikes" in engine.shown("html/b.html")
    assert "<span>2</span>" in engine.shown("html/index.html")
    engine.build("text")
    assert "Strikes" in engine.shown("text/b.txt")
    assert engine.shown("text/index.txt").rstrip().endswith("2, 1.3")

    # What a game is made with, data too, and what all games are made with.
    engine.edit("ember/rules.py", '"Strikes", hits + 1', '"Strikes", hits')
    assert engine.build("html") == ({"b"}, "")

    # Dicedocs itself, with its stylesheet: what it put into the environment is void, for every builder.
    engine.add("dicedocs/render/dicedocs.css", "/* a comment */")
    before = engine.shown("html/c.html")
    assert engine.build("html") == ({"index", "a", "b", "c"}, "")
    assert engine.shown("html/c.html") != before
    engine.add("dicedocs/render/text.py", "# a comment")
    (engine.folder / "text/c.txt").write_text("old")
    assert engine.build("html") == ({"index", "a", "b", "c"}, "")
    engine.build("text")
    assert engine.shown("text/c.txt") != "old"
    engine.add("dicedocs_sphinx/blocks/example.py", "# a comment")
    assert engine.build("html") == ({"index", "a", "b", "c"}, "")


def test_a_label_comes_back_when_another_block_of_its_name_is_gone(book):
    shot = """
        .. dice:example:: A shot
           :name: {name}
           :mechanic: methuen/expression
           :expression: 3
           :expect: total=3
    """
    book.page("Words.\n\n.. toctree::\n\n   a\n   b\n")
    book.page(shot.format(name="one"), "a.rst")
    for name in ("two", "one", "two"):
        book.page(shot.format(name=name), "b.rst")
        labels = book.build("html", numfig=True).app.env.domains.standard_domain.labels
    assert [labels[name][0] for name in ("one", "two")] == ["a", "b"]
