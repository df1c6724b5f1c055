addEventListener("DOMContentLoaded", () => {
  const parts = [...document.querySelectorAll(".part")];
  const find = (id) => document.getElementById(id);
  const [back, next, at, agree, save, saved] = ["back", "next", "at", "agree", "save", "saved"].map(find);
  const consent = document.querySelector(".consent");
  const seen = new Set();
  let now = 0;
  const show = (place) => {
    now = Math.max(0, Math.min(parts.length - 1, place));
    parts.forEach((part, i) => { part.hidden = i !== now; });
    seen.add(now);
    back.disabled = now === 0;
    next.disabled = now === parts.length - 1;
    at.textContent = `${seen.size} of ${parts.length} seen`;
    consent.hidden = seen.size < parts.length;
  };
  const allowed = () => agree.checked && seen.size === parts.length;
  back.addEventListener("click", () => show(now - 1));
  next.addEventListener("click", () => show(now + 1));
  addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(now + 1);
    if (event.key === "ArrowLeft") show(now - 1);
  });
  agree.addEventListener("change", () => { save.disabled = !allowed(); });
  save.addEventListener("click", () => {
    if (!allowed()) return;
    const text = parts.map((part) => part.querySelector("pre").textContent).join("");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = save.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
    saved.textContent = `Saved as ${save.dataset.file}.`;
  });
  agree.checked = false;
  document.querySelector(".steps").hidden = false;
  show(0);
});
