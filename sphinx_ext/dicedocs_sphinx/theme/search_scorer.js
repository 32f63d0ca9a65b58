// The order of what Sphinx's search finds: rules, terms and index entries, then sections, other blocks, and pages.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 100, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  score: (result) => {
    const [page, title, anchor, , score, , kind] = result;
    const query = new URLSearchParams(location.search).get("q").toLowerCase().trim();
    const closeness = (text) => {
      const name = text.toLowerCase();
      const words = splitQuery(name);
      if (name === query) return 30;
      if (name.startsWith(query)) return 20;
      return splitQuery(query).every((asked) => words.some((word) => word.startsWith(asked))) ? 10 : 0;
    };
    if (kind === "index") {
      // Sphinx shows such a result as its page alone.
      const { docnames, indexentries } = Search._index;
      const isHere = ([file, id]) => docnames[file] === page && `#${id}` === anchor;
      const names = Object.keys(indexentries).filter((name) => indexentries[name].some(isHere));
      [result[1], result[3]] = [names.find((name) => name.includes(query)), title];
      return 100 + closeness(result[1]);
    }
    if (kind === "object") {
      // A rule comes before the term of its name; one with the query only inside a word, and what is no rule, come last.
      const near = closeness(title);
      return score >= 100 && near ? score + near + (anchor.startsWith("#dice-") ? 1 : 0) : score / 10 + near;
    }
    return kind === "title" ? 50 + score : score / 10;
  },
};
