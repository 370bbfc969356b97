// Live answers: a moment after typing stops, the answer to what stands in the box is fetched as a piece of HTML that the server has
// escaped. Without a script the form does the same with a page.
{
  const form = document.querySelector("form[data-live]");
  const target = document.querySelector("#answer");
  if (form && target) {
    const box = form.elements.message;
    let timer = 0, running = null, asked = box.value;
    const ask = async () => {
      const text = box.value;
      if (text === asked) return;
      asked = text;
      if (running) running.abort();
      if (text.trim().length < 3) { target.replaceChildren(); form.classList.remove("busy"); return; }
      running = new AbortController();
      form.classList.add("busy");
      try {
        const body = new URLSearchParams(new FormData(form));
        const response = await fetch(form.dataset.live, { method: "POST", body, signal: running.signal });
        if (box.value !== text) return;
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        target.replaceChildren(...page.body.childNodes);
        form.classList.remove("busy");
        if (response.ok && text.length < 1500) history.replaceState(null, "", "?" + new URLSearchParams({ q: text }));
      } catch (e) {
        if (e.name !== "AbortError") form.classList.remove("busy");
      }
    };
    box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 350); });
    box.addEventListener("paste", () => { clearTimeout(timer); timer = setTimeout(ask, 30); });
    if (form.elements.repo) form.elements.repo.addEventListener("change", () => { asked = ""; ask(); });
    box.addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) form.requestSubmit(); });
    if (!box.value) box.focus({ preventScroll: true });
  }
}
