// The part that is being read stands out in the table of contents.
{
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  if (links.size && "IntersectionObserver" in window) {
    const seen = new Set();
    const watch = new IntersectionObserver((entries) => {
      for (const e of entries) e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id);
      let now = null;
      for (const [id, a] of links) { a.classList.remove("now"); if (!now && seen.has(id)) now = a; }
      if (now) now.classList.add("now");
    }, { rootMargin: "0px 0px -55% 0px" });
    for (const id of links.keys()) { const s = document.getElementById(id); if (s) watch.observe(s); }
  }
}
