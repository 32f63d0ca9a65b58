// Shows one example of a page alone, for a page that embeds it: `?only#name`, which may go on as the link of a roll does.

(() => {
const root = document.documentElement;

const show = () => {
  const name = /^#([\w/-]+)/.exec(location.hash)?.[1] ?? "";
  // A name stands in the address of a roll, an id in any other.
  const found = document.getElementById(name) ?? document.getElementById(`dice-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`);
  const box = found?.closest(".dice-example, .dice-counted");
  document.querySelector(".dice-alone")?.classList.remove("dice-alone");
  box?.classList.add("dice-alone");
  root.classList.toggle("dice-only", Boolean(box));
  // Whatever is not an example is shown in its page.
  if (!box) found?.scrollIntoView();
};

// Nothing else is seen for a moment.
root.classList.add("dice-only");
addEventListener("hashchange", show);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
else show();
})();
