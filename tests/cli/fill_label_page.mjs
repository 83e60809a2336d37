// Fills in a page of `magistrate label --html` as a person with a keyboard would, and prints the file that it saves.
// Usage: node fill_label_page.mjs PAGE NAME WORD: n where a statement holds the word, ? for the second one, else y.
import { readFileSync } from "node:fs";

const [page, name, word] = process.argv.slice(2);
const html = readFileSync(page, "utf8");
const inside = (start) => html.split(start)[1].split("</script>")[0];
const element = () => ({
  children: [], dataset: {}, listeners: {}, value: "",
  append(...more) { this.children.push(...more); },
  replaceChildren() { this.children = []; },
  addEventListener(event, listener) { this.listeners[event] = listener; },
  click() { if (this.download) process.stdout.write(this.href); },
});
const known = { data: { textContent: inside('id="data">') } };
const keys = {};
globalThis.document = {
  getElementById: (id) => (known[id] ??= element()),
  createElement: element,
  addEventListener: (event, listener) => { keys[event] = listener; },
};
globalThis.localStorage = { getItem: () => null, setItem: () => {} };
globalThis.Blob = class { constructor(parts) { this.text = parts.join(""); } };
URL.createObjectURL = (blob) => blob.text;
(0, eval)(inside("</script>\n<script>"));

known.by.value = name;
for (let at = 0; ; at += 1) {
  const statement = known.case.children.find((child) => child.className === "statement");
  if (!statement) break;
  keys.keydown({ target: null, key: at === 1 ? "?" : statement.textContent.includes(word) ? "n" : "y" });
}
known.save.listeners.click();
