"use strict";
// Copy buttons: they are hidden where scripts do not run.
for (const b of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  b.hidden = false;
  const name = b.textContent;
  b.addEventListener("click", () => navigator.clipboard.writeText(b.dataset.copy).then(() => {
    b.textContent = "Copied";
    setTimeout(() => { b.textContent = name; }, 1500);
  }, () => {}));
}
// "/" goes to the search box, as on other sites of documentation.
addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
  const box = document.querySelector("#report") || document.querySelector("header .find input");
  if (box) { e.preventDefault(); box.focus(); }
});
