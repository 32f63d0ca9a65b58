// An excerpt below each result for which Sphinx's search has none.
{
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
