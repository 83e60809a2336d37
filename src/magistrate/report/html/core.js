// Building blocks. Every text reaches the page as a text node, never as markup.

const byId = (id) => document.getElementById(id);

const build = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
};
const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// Controls and marks of direction become signs that can be seen, one for one: offsets into the text stay right.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const visible = (text) =>
  text.replace(UNSEEN, (sign, at) => {
    if (sign === "\r") return text[at + 1] === "\n" ? " " : "\n";
    const code = sign.charCodeAt(0);
    return code < 32 ? String.fromCharCode(0x2400 + code) : "\u2426";
  });

const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const number = (value, digits = 3) => (value === null || value === undefined ? "none" : value.toFixed(digits));
const signed = (value) => (value === null || value === undefined ? "none" : (value < 0 ? "" : "+") + value.toFixed(3));
const percent = (value) => `${Math.min(value < 1 ? 99.9 : Infinity, Math.round(value * 1000) / 10)} %`; // never rounded up to 100
const words = (value) => (value === null ? "no verdict" : value.replaceAll("_", " "));
const short = (text, most) => {
  const line = visible(text.slice(0, most * 4)).replace(/\s+/g, " ").trim();
  return line.length > most || text.length > most * 4 ? `${line.slice(0, most - 1)}\u2026` : line;
};

const SEVERITY = ["contradicted", "unsupported", "not_enough_info", "partially_supported", null, "supported"];
const SIGN = {
  contradicted: "\u2717",
  unsupported: "\u2715",
  not_enough_info: "?",
  partially_supported: "\u25d0",
  supported: "\u2713",
  null: "\u2013",
};
const severity = (verdict) => SEVERITY.indexOf(verdict);
const verdictClass = (verdict) => `v-${verdict ?? "none"}`;
const verdictChip = (verdict) =>
  h("span", { class: `chip ${verdictClass(verdict)}` }, h("span", { "aria-hidden": true }, `${SIGN[verdict]} `), words(verdict));
const outcomeChip = (outcome) => h("span", { class: `chip o-${outcome}` }, outcome);

/** A text with marks in it. Long texts show their beginning and what is near a mark; the rest unfolds on demand.
 *  A mark is {start, end, make}: `make(piece)` returns the node around a piece of the text; of several marks over the
 *  same piece the first in the list counts. A mark of no length is a node between two characters. */
function textBlock(text, marks = [], { begin = 3000, near = 400, label = "text" } = {}) {
  const box = h("div", { class: "text", dir: "auto" });
  const shown = visible(text);
  const kept = [[0, text.length <= begin * 1.5 ? text.length : begin]];
  for (const { start, end } of [...marks].sort((a, b) => a.start - b.start)) {
    const [low, high] = [Math.max(0, start - near), Math.min(text.length, end + near)];
    const last = kept[kept.length - 1];
    if (low <= last[1] + near) last[1] = Math.max(last[1], high);
    else kept.push([low, high]);
  }
  if (text.length - kept[kept.length - 1][1] <= near) kept[kept.length - 1][1] = text.length;
  let at = 0;
  for (const [low, high] of kept) {
    if (low > at) box.append(gap(shown, at, low, label));
    paint(box, shown, marks, low, high);
    at = high;
  }
  if (at < text.length) box.append(gap(shown, at, text.length, label));
  return box;
}

function gap(shown, low, high, label) {
  const button = h(
    "button",
    { type: "button", class: "more", onclick: () => button.replaceWith(shown.slice(low, high)) },
    `\u2026 show ${(high - low).toLocaleString("en")} more characters of the ${label}`,
  );
  return button;
}

function paint(box, shown, marks, low, high) {
  const inside = marks.filter(({ start, end }) => start <= high && end >= low);
  const cuts = new Set([low, high]);
  for (const { start, end } of inside) for (const cut of [start, end]) if (cut > low && cut < high) cuts.add(cut);
  const ordered = [...cuts].sort((a, b) => a - b);
  const points = inside.filter(({ start, end }) => start === end);
  let last = null; // the node of the mark that goes on
  for (let i = 0; i < ordered.length; i += 1) {
    const [from, to] = [ordered[i], ordered[i + 1]];
    for (const point of points) if (point.start === from && (from > low || low === 0)) box.append(point.make(""));
    if (to === undefined) break;
    const mark = inside.find(({ start, end }) => start <= from && end >= to && end > start);
    if (!mark) box.append(shown.slice(from, to));
    else if (last?.mark === mark && !points.some(({ start }) => start === from)) last.node.append(shown.slice(from, to));
    else {
      const node = mark.make(shown.slice(from, to));
      box.append(node);
      last = { mark, node };
      continue;
    }
    if (!mark) last = null;
  }
}

/** A table; its columns from `numeric` to before `last` hold figures. A narrow one needs no room to the side. */
function table(caption, headings, rows, { numeric = 1, last = headings.length, narrow = false } = {}) {
  const style = (i) => (i >= numeric && i < last ? "n" : null);
  const head = headings.map((name, i) => h("th", { scope: "col", class: style(i) }, name));
  const body = rows.map((cells) =>
    h("tr", null, cells.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: style(i) }, cell)))),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: narrow ? "narrow" : null }, h("caption", { class: "quiet" }, caption), h("thead", null, h("tr", null, head)), h("tbody", null, body)),
  );
}

const section = (title, ...children) => h("section", { class: "card" }, h("h2", null, title), children);
