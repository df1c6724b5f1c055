"use strict";
// Lists on the page: the first rows, all rows, or those that match. Without this script all rows
// are there and nothing can be searched.
document.documentElement.classList.add("js");

const number = (count) => count.toLocaleString("en");

/** An element with attributes and children; text is never read as markup. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

class List {
  static FIRST = 20;
  static MATCHES = 200;
  static SEARCHABLE = 12;

  constructor(section) {
    this.section = section;
    this.items = [...section.querySelectorAll(":scope tbody > tr, :scope .items > details")];
    this.all = false;
    this.words = [];
    if (this.items.length <= List.SEARCHABLE) return;
    const title = section.querySelector("h2").textContent;
    this.status = make("span", { role: "status" });
    this.search = make("input", { type: "search", placeholder: "Search", "aria-label": `Search ${title.toLowerCase()}` });
    this.button = make("button", { type: "button" });
    const tools = make("div", { class: "tools" }, this.search, this.status, this.button);
    section.querySelector(".about").after(tools);
    this.search.addEventListener("input", () => this.find(this.search.value));
    this.button.addEventListener("click", () => this.toggle());
    this.tell(this.items.length, Math.min(this.items.length, List.FIRST));
  }

  find(text) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.all = false;
    this.update();
  }

  toggle() {
    this.all = !this.all;
    this.update();
  }

  /** Makes sure that an item is shown. */
  show(item) {
    if (item.offsetParent !== null) return;
    this.words = [];
    if (this.search) this.search.value = "";
    this.all = true;
    this.update();
  }

  /** The texts that are searched, read when somebody searches first. */
  texts() {
    this.read ??= this.items.map((item) => (item.querySelector("summary") ?? item).textContent.toLowerCase()
      + (item.matches("details") ? " " + item.textContent.toLowerCase() : ""));
    return this.read;
  }

  update() {
    const limit = this.all ? Infinity : this.words.length ? List.MATCHES : List.FIRST;
    const texts = this.words.length ? this.texts() : null;
    let matches = 0;
    this.items.forEach((item, index) => {
      const fits = !texts || this.words.every((word) => texts[index].includes(word));
      if (fits) matches += 1;
      const hide = !fits || matches > limit;
      if (item.hidden !== hide) item.hidden = hide;
    });
    this.section.classList.add("live");
    this.tell(matches, Math.min(matches, limit));
  }

  tell(matches, shown) {
    if (!this.status) return;
    const total = number(this.items.length);
    const found = this.words.length > 0;
    const noun = found ? `${number(matches)} match${matches === 1 ? "" : "es"} of ${total}` : total;
    if (found && matches === 0) this.status.textContent = `No match in ${total}`;
    else if (shown < matches) this.status.textContent = `The first ${number(shown)} of ${noun}`;
    else this.status.textContent = found ? noun : `All ${total}`;
    const foldable = this.all && matches > (found ? List.MATCHES : List.FIRST);
    this.button.hidden = shown === matches && !foldable;
    this.button.textContent = foldable ? "Show fewer" : `Show all ${number(matches)}`;
  }
}

const lists = new Map();

/** Opens everything around the place that the address names, and goes there. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || target.closest("svg")) return;
  const section = target.closest(".list");
  for (let at = target; at; at = at.parentElement) if (at.matches("details")) at.open = true;
  if (section && section !== target) lists.get(section)?.show(target);
  target.scrollIntoView({ block: target.matches("tr") ? "center" : "start" });
  if (!target.matches("details, section")) target.tabIndex = -1;
  (target.querySelector(":scope > summary") ?? target).focus({ preventScroll: true });
}

/** Opens everything for the time of printing. */
function unfold() {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
  window.addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }), { once: true });
}

document.addEventListener("DOMContentLoaded", () => {
  for (const section of document.querySelectorAll("details.list")) lists.set(section, new List(section));
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", unfold);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    // A second click on the same link changes no address.
    if (link && link.hash === location.hash) reveal();
  });
  if (location.hash) reveal();
});
