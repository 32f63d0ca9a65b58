// The field is ready to be typed in, until there are results: they would be behind the keyboard of a phone.
if (!new URLSearchParams(location.search).get("q")) document.querySelector(".search-form > input").focus();

// A rule that is called as its heading is found once, with the words of the rule.
{
  const perform = Search._performSearch;
  const name = ([page, title]) => `${page} ${title.split(" > ").at(-1)}`;
  Search._performSearch = (...query) => {
    const results = perform(...query);
    const objects = new Set(results.filter((result) => result[6] === "object").map(name));
    return results.filter((result) => result[6] !== "title" || !objects.has(name(result)));
  };
}

// An excerpt below each result for which Sphinx's search has none, and one of words in sentences below the others.
{
  const textOf = Search.htmlToText;
  Search.htmlToText = (page, anchor) => {
    const parsed = new DOMParser().parseFromString(page, "text/html");
    for (const computed of parsed.querySelectorAll(".no-search, .term-card, figure, svg, [hidden]")) computed.remove();
    // Or the last word of one would run into the first of the next.
    for (const part of parsed.querySelectorAll("h1, h2, h3, h4, p, li, dt, dd, td, th, pre")) part.append(" ");
    return textOf(parsed.documentElement.outerHTML, anchor);
  };
  const results = document.getElementById("search-results");
  const fetched = location.protocol.startsWith("http");
  const add = (result) => {
    const [page, anchor] = result.querySelector("a").getAttribute("href").split("#");
    const text = EXCERPTS[page]?.[anchor ? `#${anchor}` : ""];
    if (text === undefined || (fetched && result.matches(".kind-title, .kind-text"))) return;
    const excerpt = result.appendChild(document.createElement("p"));
    excerpt.className = "context";
    excerpt.textContent = text;
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.matches?.("ul.search > li")) add(node);
  }).observe(results, { childList: true, subtree: true });
}
