// The map: it can be zoomed, panned, filtered and asked. Without this script it is a picture.
class Atlas {
  constructor(svg) {
    this.svg = svg;
    this.box = svg.parentElement;
    this.told = document.querySelector(".told");
    const { width, height } = svg.viewBox.baseVal;
    this.size = { width, height };
    this.nodes = [...svg.querySelectorAll(".node")].map((element) => {
      const lines = element.querySelector("title").textContent.split("\n");
      const at = element.transform.baseVal.consolidate().matrix;
      return { element, id: Number(element.id.slice(7)), name: lines[0], often: lines[1], loops: lines.slice(2),
        x: at.e + 72, y: at.f + 13, kept: element.classList.contains("kept"), find: lines.join("\n").toLowerCase() };
    });
    this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.edges = [...svg.querySelectorAll(".edges path")].map((element) => {
      const lines = element.querySelector("title").textContent.split("\n");
      return { element, from: this.byId.get(Number(element.dataset.from)), to: this.byId.get(Number(element.dataset.to)),
        ways: lines.slice(1), kept: element.parentElement.classList.contains("kept"), find: lines.slice(1).join("\n").toLowerCase() };
    });
    this.build();
    this.listen();
    this.start();
  }

  build() {
    const button = (label, text, act) => {
      const one = make("button", { type: "button", "aria-label": label, title: label }, text);
      one.addEventListener("click", act);
      return one;
    };
    this.search = make("input", { type: "search", placeholder: "Find a screen or action", "aria-label": "Find a screen or action on the map" });
    this.kept = make("input", { type: "checkbox" });
    this.status = make("span", { role: "status" });
    const zoom = make("span", { class: "buttons" },
      button("Zoom out", "−", () => this.zoom(1 / 1.4)),
      button("Zoom in", "+", () => this.zoom(1.4)),
      button("Show the whole map", "Fit", () => this.fit()));
    this.box.before(make("div", { class: "tools" }, this.search,
      make("label", {}, this.kept, " kept only"), this.status, zoom));
    this.box.classList.add("live");
    for (const [key, value] of Object.entries({ tabindex: "0", role: "group",
      "aria-label": "Map. Arrow keys move it, plus and minus zoom, 0 shows the whole, Escape ends a choice." })) this.box.setAttribute(key, value);
  }

  listen() {
    this.search.addEventListener("input", () => {
      this.filter();
      if (this.search.value.trim()) this.frameMatches();
      else this.start();
    });
    this.search.addEventListener("keydown", (event) => {
      const first = this.nodes.find((node) => node.match && this.search.value);
      if (event.key === "Enter" && first) this.pick(first, true);
    });
    this.kept.addEventListener("change", () => this.filter());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), this.point(event));
    }, { passive: false });
    this.drag();
    window.addEventListener("resize", () => {
      // A keyboard that comes up changes the height only, and must not change the view.
      if (this.width === this.box.clientWidth) return;
      if (this.touched) this.draw();
      else this.start();
    });
    window.addEventListener("beforeprint", () => { this.svg.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`); });
    window.addEventListener("afterprint", () => this.draw());
    const target = () => {
      const node = location.hash.startsWith("#screen-") && this.byId.get(Number(location.hash.slice(8)));
      if (!node) return;
      this.pick(node, true);
      this.box.scrollIntoView({ block: "center" });
      this.box.focus({ preventScroll: true });
    };
    window.addEventListener("hashchange", target);
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#screen-']");
      if (link && link.hash === location.hash) target();
    });
    target();
  }

  key(event) {
    const step = 80 / this.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const acts = { "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), 0: () => this.fit(), Escape: () => this.pick(null) };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  /** One finger or the mouse moves the map, two fingers zoom it; a tap asks for a screen. */
  drag() {
    const fingers = new Map();
    let moved = 0;
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    this.box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    this.box.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = fingers.size === 2 ? spread() : 0;
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 4 && !this.box.hasPointerCapture(event.pointerId)) this.box.setPointerCapture(event.pointerId);
      if (before) this.zoom(spread() / before, this.point(event));
      else this.move(-dx / this.scale, -dy / this.scale);
    });
    const end = (event) => fingers.delete(event.pointerId);
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) this.box.addEventListener(name, end);
    this.svg.addEventListener("click", (event) => {
      if (moved > 4) return;
      const element = event.target.closest(".node");
      this.pick(element && this.nodes.find((node) => node.element === element));
    });
  }

  point(event) {
    const box = this.box.getBoundingClientRect();
    return { x: this.x + (event.clientX - box.left) / this.scale, y: this.y + (event.clientY - box.top) / this.scale };
  }

  get whole() {
    return Math.min(this.box.clientWidth / this.size.width, this.box.clientHeight / this.size.height, 1.2);
  }

  /** The whole map if its names can be read then, else its beginning. */
  start() {
    const fits = this.box.clientWidth / this.size.width;
    const wanted = this.size.height * (fits < 0.55 ? 0.75 : Math.min(1, fits)) + 16;
    this.box.style.height = `min(60vh, ${Math.round(Math.min(600, Math.max(220, wanted)))}px)`;
    this.fit();
    if (this.scale < 0.55) {
      this.scale = 0.75;
      const launch = this.nodes.find((node) => node.element.classList.contains("launch")) ?? this.nodes[0];
      this.x = launch.x - 100;
      this.y = launch.y - this.box.clientHeight / 2 / this.scale;
      this.draw();
    }
    this.touched = false;
  }

  fit() {
    this.frame(0, 0, this.size.width, this.size.height, 1.2);
  }

  /** Shows a part of the map as large as it fits, up to a scale. */
  frame(left, top, right, bottom, most) {
    const [w, h] = [this.box.clientWidth, this.box.clientHeight];
    this.scale = Math.min(w / (right - left), h / (bottom - top), most) || 1;
    this.x = (left + right - w / this.scale) / 2;
    this.y = (top + bottom - h / this.scale) / 2;
    this.draw();
  }

  /** Shows what a search has left, or only what it found where the rest is too far away to be read. */
  frameMatches() {
    const found = this.nodes.filter((node) => node.match);
    for (const left of [this.nodes.filter((node) => node.match || node.beside), found, found.slice(0, 1)]) {
      if (!left.length) return;
      const [xs, ys] = [left.map((node) => node.x), left.map((node) => node.y)];
      this.frame(Math.min(...xs) - 100, Math.min(...ys) - 40, Math.max(...xs) + 100, Math.max(...ys) + 40, 1);
      if (this.scale > 0.6) return;
    }
  }

  zoom(factor, at) {
    const [w, h] = [this.box.clientWidth, this.box.clientHeight];
    const fixed = at ?? { x: this.x + w / 2 / this.scale, y: this.y + h / 2 / this.scale };
    const scale = Math.min(4, Math.max(this.whole * 0.8, this.scale * factor));
    this.x = fixed.x - (fixed.x - this.x) * this.scale / scale;
    this.y = fixed.y - (fixed.y - this.y) * this.scale / scale;
    this.scale = scale;
    this.draw();
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  draw() {
    // A window that has no room yet tells once it has.
    if (!this.box.clientWidth || !this.box.clientHeight) return;
    this.touched = true;
    this.width = this.box.clientWidth;
    const [w, h] = [this.box.clientWidth / this.scale, this.box.clientHeight / this.scale];
    // Some of the map always stays in sight.
    this.x = Math.min(this.size.width - w * 0.2, Math.max(-w * 0.8, this.x));
    this.y = Math.min(this.size.height - h * 0.2, Math.max(-h * 0.8, this.y));
    this.svg.setAttribute("viewBox", `${this.x.toFixed(1)} ${this.y.toFixed(1)} ${w.toFixed(1)} ${h.toFixed(1)}`);
    this.box.classList.toggle("zoomed", this.scale > this.whole * 1.05);
  }

  /** Shows the screens that match and, paler, those beside them. */
  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text) => words.every((word) => text.includes(word));
    for (const node of this.nodes) {
      node.match = (!this.kept.checked || node.kept) && fits(node.find);
      node.beside = false;
    }
    for (const edge of this.edges) {
      edge.allowed = !this.kept.checked || (edge.kept && edge.from.kept && edge.to.kept);
      edge.match = words.length > 0 && edge.allowed && fits(edge.find);
    }
    for (const edge of this.edges) if (edge.match) edge.from.match = edge.to.match = true;
    for (const edge of this.edges) {
      if (!edge.allowed || !words.length) continue;
      if (edge.from.match) edge.to.beside = true;
      if (edge.to.match) edge.from.beside = true;
    }
    for (const node of this.nodes) {
      node.element.classList.toggle("off", !node.match && !node.beside);
      node.element.classList.toggle("beside", !node.match && node.beside);
    }
    for (const edge of this.edges) {
      const touched = words.length ? edge.from.match || edge.to.match : edge.from.match && edge.to.match;
      edge.element.classList.toggle("off", !edge.allowed || !touched);
    }
    const matches = this.nodes.filter((node) => node.match).length;
    const all = matches === this.nodes.length && !words.length;
    this.status.textContent = all ? "" : `${number(matches)} of ${number(this.nodes.length)} screens`;
  }

  /** Tells about a screen and lights up the ways from and to it. */
  pick(node, centre) {
    this.svg.classList.toggle("picking", Boolean(node));
    for (const one of this.nodes) one.element.classList.remove("lit", "picked");
    for (const edge of this.edges) edge.element.classList.remove("lit");
    this.told.replaceChildren();
    if (!node) return;
    node.element.classList.add("picked");
    const touching = this.edges.filter((edge) => edge.from === node || edge.to === node);
    for (const edge of touching) for (const one of [edge.element, edge.from.element, edge.to.element]) one.classList.add("lit");
    const ways = (title, list) => list.length ? [make("h4", {}, title), make("ul", {}, ...list.map((text) => make("li", {}, text)))] : [];
    const out = touching.filter((edge) => edge.from === node).flatMap((edge) => edge.ways.map((way) => `→ ${edge.to.name}: ${way}`));
    const into = touching.filter((edge) => edge.to === node).flatMap((edge) => edge.ways.map((way) => `${edge.from.name} →: ${way}`));
    this.told.append(make("h3", {}, node.name), make("p", {}, node.often),
      make("div", { class: "ways" }, make("div", {}, ...ways("Ways out", out), ...ways("Stays here", node.loops)), make("div", {}, ...ways("Ways in", into))));
    if (!centre) return;
    this.scale = Math.max(this.scale, 0.9);
    this.x = node.x - this.box.clientWidth / 2 / this.scale;
    this.y = node.y - this.box.clientHeight / 2 / this.scale;
    this.draw();
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const svg = document.getElementById("system");
  if (svg) new Atlas(svg);
});
