// One case: its answer and statements, the evidence in its contexts, the judge's own words.

function caseView(key, found, { filters, statement, show }) {
  const row = ROWS[PLACE.get(key)];
  const names = Object.keys(row[RESULTS]);
  const name = names.includes(filters.metric) ? filters.metric : names[0];
  const back = h("nav", { class: "casebar", "aria-label": "Case" }, h("a", { class: "back", href: link("cases", { filters }) }, "\u2190 all cases"), steps());
  const head = h("header", null, h("h2", { id: "case-title", tabindex: "-1" }, visible(key)), row[CATEGORY] ? h("p", { class: "quiet" }, `category ${short(row[CATEGORY], 60)}`) : null);
  if (found === null) {
    return h("div", { class: "case" }, back, head, h("p", { class: "notice" }, `This report holds the texts of ${HEAD.detailed.toLocaleString("en")} cases, failing ones first; this one is in the run's folder: magistrate show RUN CASE_ID`));
  }
  const tabs = names.length < 2 ? null : h("nav", { class: "tabs", "aria-label": "Metrics of this case" }, names.map((other) => h("a", { href: link("case", { key, filters: { ...filters, metric: other } }), "aria-current": other === name ? "true" : null }, `${other} `, h("span", { class: "score" }, scoreText(row[RESULTS][other])))));
  const metric = found.metrics[name];
  const to = (id) => link("case", { key, filters, statement: id, show });
  return h(
    "div",
    { class: "case" },
    back,
    head,
    tabs,
    metric ? verdictLine(name, metric, row[RESULTS][name]) : null,
    found.problems.length ? h("ul", { class: "notice" }, found.problems.map((text) => h("li", null, visible(text)))) : null,
    h("div", { class: "columns" }, h("div", null, question(found), answer(found, metric, to), metric ? statements(metric, statement, to) : null), h("div", null, contexts(found, metric, statement))),
    metric ? replies(found, metric, show) : null,
    metric ? more(found, metric) : null,
  );
}

function verdictLine(name, metric, result) {
  const wanted = `${metric.direction === "minimize" ? "at most" : "at least"} ${metric.threshold} to pass`;
  return h(
    "section",
    { class: "card headline", "aria-label": "Result" },
    h("p", null, h("span", { class: "big" }, scoreText(result)), " ", outcomeChip(metric.outcome), h("span", { class: "quiet" }, ` ${name}, ${wanted}; policy ${visible(metric.policy)}`)),
    metric.status === "scored" ? null : h("p", null, h("strong", null, `${words(metric.status)}. `), HEAD.why[metric.status] ?? ""),
    (result[FLIPS] ?? []).map((flip, which) => (flip ? h("p", null, h("strong", null, `${flip === "lost" ? "Passed" : "Failed"} in ${short(HEAD.baselines[which].name, 60)}, ${flip === "lost" ? "fails" : "passes"} now.`)) : null)),
    repeated(metric),
    metric.reason ? h("div", { class: "reason" }, textBlock(metric.reason, [], { begin: 800, label: "reason" })) : null,
    metric.issues.filter((issue) => issue.index === null).map(issueLine),
  );
}

const issueLine = (issue) => h("div", { class: "issue" }, h("strong", null, issue.code), issue.message ? [": ", textBlock(issue.message, [], { begin: 400, label: "message" })] : null);

const question = (found) => (found.question === null ? null : h("section", { class: "card" }, h("h3", null, "Question"), textBlock(found.question, [], { label: "question" })));

function answer(found, metric, to) {
  if (found.answer === null) return section2("Answer", h("p", { class: "quiet" }, "The case has no answer."));
  const marks = (metric?.verdicts ?? [])
    .filter((verdict) => verdict.at)
    .sort((a, b) => severity(a.verdict) - severity(b.verdict))
    .map((verdict) => ({ start: verdict.at[0], end: verdict.at[1], make: (piece) => h("a", { class: `mark ${verdictClass(verdict.verdict)}`, href: to(verdict.id), title: `${verdict.id} ${words(verdict.verdict)}` }, piece) }));
  return section2("Answer", textBlock(found.answer, marks, { label: "answer" }), found.reference === null ? null : [h("h3", null, "Reference"), textBlock(found.reference, [], { label: "reference" })]);
}

const section2 = (title, ...children) => h("section", { class: "card" }, h("h3", null, title), children);

function statements(metric, chosen, to) {
  if (!metric.verdicts.length) return null;
  return section2(
    `Statements (${metric.verdicts.length})`,
    h("ol", { class: "statements" }, metric.verdicts.map((verdict) => statementItem(verdict, verdict.id === chosen, to))),
    metric.extra.length ? h("p", { class: "quiet" }, `The judge also gave ${count(metric.extra.length, "verdict")} on nothing that was asked.`) : null,
  );
}

function statementItem(verdict, chosen, to) {
  return h(
    "li",
    { id: `st-${verdict.index}`, class: `statement ${verdictClass(verdict.verdict)}${chosen ? " chosen" : ""}` },
    h("div", { class: "line" }, h("a", { class: "sid", href: to(verdict.id), "aria-current": chosen ? "true" : null }, verdict.id), verdictChip(verdict.verdict), verdict.probability === null ? null : h("span", { class: "quiet" }, `P(supported) ${number(verdict.probability)}`), verdict.confidence === null ? null : h("span", { class: "quiet" }, `sure ${number(verdict.confidence, 2)}`)),
    verdict.votes.length ? h("p", { class: "quiet" }, verdict.votes.map(([judge, said]) => `${short(judge, 60)}: ${words(said)}`).join("; ")) : null,
    textBlock(verdict.statement, [], { begin: 1000, label: "statement" }),
    verdict.reason ? h("div", { class: "reason" }, textBlock(verdict.reason, [], { begin: 800, label: "reason" })) : null,
    verdict.evidence.map((quote, i) =>
      h(
        "div",
        { class: "quote" },
        textBlock(`\u201c${quote.quote}\u201d`, [], { begin: 600, label: "quote" }),
        quote.context === null
          ? h("span", { class: "chip v-none" }, "found in no context")
          : h("button", { type: "button", class: "more", onclick: () => showEvidence(verdict.index, i, quote.context) }, `context ${quote.context + 1}${quote.start === null ? "" : quote.similarity === null || quote.similarity === 1 ? ", verbatim" : `, ${Math.floor(quote.similarity * 100)} % alike`}`),
      ),
    ),
    verdict.issues.map(issueLine),
    verdict.repairs.length ? h("p", { class: "quiet" }, `mended in the reply: ${[...new Set(verdict.repairs.map((repair) => repair.code))].join(", ")}`) : null,
  );
}

function showEvidence(index, i, context) {
  // Where another statement's evidence stands on the same words, they are marked as that one's: then the whole context.
  const node = byId(`ev-${index}-${i}`) ?? byId(`ctx-${context}`);
  if (!node) return;
  for (const other of document.querySelectorAll(".evidence.on")) other.classList.remove("on");
  node.classList.add("on");
  node.scrollIntoView({ block: "center" });
  node.focus({ preventScroll: true });
}

function contexts(found, metric, chosen) {
  const marks = found.contexts.map(() => []);
  const ordered = [...(metric?.verdicts ?? [])].sort((a, b) => (b.id === chosen) - (a.id === chosen) || severity(a.verdict) - severity(b.verdict));
  for (const verdict of ordered) {
    verdict.evidence.forEach((quote, i) => {
      if (quote.context === null || quote.start === null || !marks[quote.context]) return;
      let first = true;
      const make = (piece) => {
        const node = h("mark", { class: `evidence ${verdictClass(verdict.verdict)}${verdict.id === chosen ? " on" : ""}`, id: first ? `ev-${verdict.index}-${i}` : null, tabindex: first ? "-1" : null, title: `evidence for ${verdict.id}`, "data-label": first ? verdict.id : null }, piece);
        first = false;
        return node;
      };
      marks[quote.context].push({ start: quote.start, end: quote.end, make });
    });
  }
  return section2(
    `Contexts (${found.contexts.length})`,
    found.contexts.length ? found.contexts.map((text, i) => h("div", { class: "context", id: `ctx-${i}`, tabindex: "-1" }, h("h4", null, `Context ${i + 1}`), textBlock(text, marks[i], { label: "context" }))) : h("p", { class: "quiet" }, "The case has no context."),
  );
}

function replies(found, metric, show) {
  const calls = metric.calls.map((index) => [index, found.calls[index]]);
  const body = calls.map(([index, call]) => {
    const marks = [];
    for (const verdict of metric.verdicts) {
      if (verdict.call !== index) continue;
      for (const repair of verdict.repairs) marks.push({ start: repair.offset, end: repair.offset, make: () => h("span", { class: "mended", title: `mended: ${repair.code}`, role: "img", "aria-label": `mended: ${repair.code}` }, "\u25be") });
      let first = true;
      if (verdict.span) {
        marks.push({
          start: verdict.span[0],
          end: verdict.span[1],
          make: (piece) => {
            const node = h("mark", { class: `parsed ${verdictClass(verdict.verdict)}`, title: `read as ${verdict.id} ${words(verdict.verdict)}`, "data-label": first ? `${verdict.id} ${words(verdict.verdict)}` : null }, piece);
            first = false;
            return node;
          },
        });
      }
    }
    const facts = [call.purpose, `prompt ${call.prompt}`, call.served ?? call.requested, `read: ${words(call.status)}`, call.finish ? `finish: ${call.finish}` : null, call.mode, call.cached ? "from the cache" : null, call.shared ? "shared between metrics" : null, call.attempts > 1 ? `${call.attempts} attempts` : null].filter(Boolean);
    return h(
      "div",
      { class: "reply" },
      h("p", { class: "quiet" }, visible(facts.join(" \u00b7 "))),
      call.error ? h("p", { class: "issue" }, visible(call.error)) : null,
      call.refusal ? h("div", { class: "issue" }, h("strong", null, "refusal: "), textBlock(call.refusal, [], { label: "refusal" })) : null,
      call.text === null ? h("p", { class: "quiet" }, HEAD.raw ? "No text came back." : "The raw replies were left out of this report.") : h("div", { class: "code" }, textBlock(call.text, marks, { label: "reply" })),
      call.reasoning ? h("details", null, h("summary", null, "Reasoning"), h("div", { class: "code" }, textBlock(call.reasoning, [], { label: "reasoning" }))) : null,
    );
  });
  const box = h("details", { class: "card", id: "replies", open: show === "raw" }, h("summary", null, h("h3", null, `Raw replies of the judge (${calls.length})`)), calls.length ? body : h("p", { class: "quiet" }, "No call was made: this judge needs none, or the case ended before."));
  return box;
}

function more(found, metric) {
  const usage = metric.usage;
  const known = (value) => (value === null ? "unknown" : Number(value).toLocaleString("en"));
  const pairs = [
    ["judge", metric.judge],
    ["status", words(metric.status)],
    metric.bounds ? ["bounds", `${number(metric.bounds[0])} to ${number(metric.bounds[1])}`] : null,
    metric.formula ? ["formula", metric.formula] : null,
    found.expected === null ? null : ["expected score", number(found.expected)],
    ["usage", `${known(usage.calls)} calls, ${known(usage.prompt_tokens)} + ${known(usage.completion_tokens)} tokens, ${usage.cost === null ? "cost unknown" : `$${usage.cost.toFixed(5)}`}`],
    ["latency", `${Math.round(metric.latency_ms)} ms`],
  ].filter(Boolean);
  return h(
    "details",
    { class: "card" },
    h("summary", null, h("h3", null, "Details")),
    h("dl", null, pairs.map(([name, value]) => [h("dt", null, name), h("dd", null, visible(value))])),
    Object.keys(metric.details).length ? h("div", { class: "code" }, textBlock(JSON.stringify(metric.details, null, 2), [], { label: "details" })) : null,
  );
}
