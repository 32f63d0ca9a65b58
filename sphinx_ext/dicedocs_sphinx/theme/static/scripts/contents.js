// The contents of a page: Furo marks where one reads; the mark stays in view, and the sheet closes behind a link.
{
  const contents = document.getElementById("on-this-page");
  const link = (item) => item.querySelector(":scope > a");
  const show = () => {
    const scroll = contents.querySelector(".toc-scroll");
    const mark = contents.querySelector(".scroll-current > a");
    if (mark === null) return;
    const [box, at] = [scroll.getBoundingClientRect(), mark.getBoundingClientRect()];
    if (at.top < box.top + at.height || at.bottom > box.bottom - at.height)
      scroll.scrollTo({ top: scroll.scrollTop + at.top - box.top - box.height / 2, behavior: "instant" });
  };
  contents.addEventListener("gumshoeActivate", ({ target }) => { link(target).ariaCurrent = "location"; show(); });
  contents.addEventListener("gumshoeDeactivate", ({ target }) => { link(target).ariaCurrent = null; });
  contents.addEventListener("toggle", show);
  contents.addEventListener("click", ({ target }) => {
    if (target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });

  // On a phone the bar at the top says in which chapter one is, and leads to its beginning.
  const bar = document.querySelector(".mobile-header .header-center > a");
  bar.href = "#";
  bar.firstElementChild.textContent = document.querySelector(".page-contents-button").dataset.page;

  // Sphinx takes Escape for its highlighting, which keeps it from closing the contents, or the card of a term.
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") document.querySelector(":popover-open")?.hidePopover();
  });
}
