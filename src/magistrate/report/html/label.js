"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const items = data.tasks.flatMap((task) => task.statements.map(([id, text]) => ({ task, id, text })));
  const nameOf = (item) => JSON.stringify([item.task.case_id, item.text]);
  const place = "magistrate-labels-" + (items.length ? nameOf(items[0]) + items.length : "");
  const by = document.getElementById("by");
  const section = document.getElementById("case");
  const progress = document.getElementById("progress");
  let answers = {};
  let at = 0;
  try { answers = JSON.parse(localStorage.getItem(place)) || {}; } catch { answers = {}; }
  by.value = data.by || answers.by || "";

  const keep = () => { try { localStorage.setItem(place, JSON.stringify({ ...answers, by: by.value })); } catch { /* a browser that keeps nothing */ } };
  const make = (tag, text, name) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (name) node.className = name;
    return node;
  };

  function show() {
    const done = items.filter((item) => nameOf(item) in answers).length;
    progress.textContent = done + " of " + items.length + " statements answered";
    section.replaceChildren();
    const item = items[at];
    if (!item) { section.append(make("p", "That was the last one. Save the answers and send the file back.")); return; }
    section.append(make("h2", "Case " + item.task.case_id));
    if (item.task.question) section.append(make("p", "Question: " + item.task.question));
    for (const context of item.task.contexts) section.append(make("blockquote", context));
    section.append(make("p", item.text, "statement"));
    const keys = make("div", "", "keys");
    for (const [key, words, value] of [["y", "Supported (y)", true], ["n", "Not supported (n)", false], ["?", "Cannot tell (?)", null]]) {
      const button = make("button", words);
      button.type = "button";
      button.dataset.key = key;
      button.addEventListener("click", () => answer(value));
      keys.append(button);
    }
    section.append(keys);
  }

  function answer(value) {
    const item = items[at];
    if (!item) return;
    answers[nameOf(item)] = { label: value, at: new Date().toISOString() };
    at += 1;
    keep();
    show();
  }

  function save() {
    const lines = items.filter((item) => nameOf(item) in answers).map((item) => JSON.stringify({
      case_id: item.task.case_id, statement_id: item.id, label: answers[nameOf(item)].label, statement: item.text,
      by: by.value, at: answers[nameOf(item)].at, stratum: item.task.stratum,
      place: item.task.place, fingerprint: item.task.fingerprint,
    }));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/jsonl" }));
    link.download = "labels.jsonl";
    link.click();
  }

  const back = () => { at = Math.max(0, at - 1); show(); };
  document.getElementById("save").addEventListener("click", save);
  document.getElementById("back").addEventListener("click", back);
  by.addEventListener("change", keep);
  document.addEventListener("keydown", (event) => {
    if (event.target === by || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "y" || key === "n" || key === "?") answer({ y: true, n: false, "?": null }[key]);
    else if (key === "b") back();
  });
  at = items.findIndex((item) => !(nameOf(item) in answers));
  if (at < 0) at = items.length;
  show();
})();
