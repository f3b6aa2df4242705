// The page: ask, check a text, see the schema, open earlier questions again.
// Whatever the graph or a user says is put in as text, never as markup.

import { drawn, factsOf, hidden, meant, schemaDrawn } from "./drawing.js";
import { answered, of, told } from "./service.js";

const $ = (id) => document.getElementById(id);
const HISTORY = "kgdb-history";
const MOST_KEPT = 50;
const MOST_AFTER = 4;
let talk = [];

function element(tag, { text, kind, ...rest } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), rest);
  if (text !== undefined) {
    made.textContent = text;
  }
  if (kind) {
    made.className = kind;
  }
  made.append(...children);
  return made;
}

const graph = () => $("graph").value;
const tab = () => document.querySelector("[data-tab][aria-pressed=true]").dataset.tab;

function problemIn(place, problem) {
  place.replaceChildren(element("p", { kind: "problem", role: "alert", text: problem.message }));
}

function factButton(fact) {
  const made = element("button", { type: "button", kind: "fact" }, `${fact.head.name} `, element("span", { kind: "relation", text: fact.relation }), ` ${fact.tail.name}`);
  made.addEventListener("click", () => meant(fact));
  return made;
}

function factList(facts) {
  return element("ul", {}, ...facts.map((fact) => element("li", {}, factButton(fact))));
}

// Ask.

function answerShown(answer) {
  const place = $("answer");
  place.replaceChildren();
  if (answer.interpretation) {
    place.append(element("p", { kind: "said", text: `Understood as: ${answer.interpretation}` }));
  }
  const values = Array.isArray(answer.value) ? answer.value.map((each) => `${each.entity.name}: ${each.value}`) : answer.value === null ? [] : [String(answer.value)];
  const found = [...answer.entities.map((each) => each.entity.name), ...values];
  if (found.length) {
    place.append(element("ol", { kind: "answers" }, ...found.map((text) => element("li", { text }))));
  } else {
    place.append(element("p", { kind: "unknown", text: `I don't know, because ${answer.reason}` }));
  }
  if (answer.readings.length > 1) {
    place.append(element("p", { kind: "said", text: `It may also mean: ${answer.readings.slice(1).map((each) => each.interpretation).join("; ")}` }));
  }
  const facts = factsOf(answer.evidence);
  if (facts.length) {
    place.append(element("h2", { text: "Because" }), factList(facts));
  }
  for (const note of answer.notes) {
    place.append(element("p", { kind: "said", text: note }));
  }
  drawn(answer.graph, facts);
}

async function asked(question, { fresh = false } = {}) {
  if (fresh) {
    talk = [];
  }
  const passed = [];
  $("answer").replaceChildren();
  $("stages").textContent = "Asking …";
  try {
    const answer = await answered(graph(), { question, after: talk.slice(-MOST_AFTER) }, (stage) => {
      passed.push(stage);
      $("stages").textContent = passed.join(" · ");
    });
    talk.push(question);
    answerShown(answer);
    remembered({ graph: graph(), question });
    location.hash = new URLSearchParams({ graph: graph(), question }).toString();
  } catch (problem) {
    problemIn($("answer"), problem);
  }
  $("stages").textContent = passed.length ? `Stages: ${passed.join(" · ")}` : "";
  $("talk").replaceChildren(...talk.slice(0, -1).map((text) => element("li", { text })));
  $("forget").hidden = talk.length === 0;
}

// Check a text.

function claimShown(claim) {
  const { verdict } = claim;
  const facts = factsOf(verdict.evidence);
  $("verdict").replaceChildren(
    element("h2", { kind: verdict.label.split(" ")[0], text: verdict.label }),
    element("p", { text: verdict.claim }),
    ...(verdict.reason ? [element("p", { kind: "said", text: verdict.reason })] : []),
    factList(facts),
  );
  drawn(verdict.graph, facts);
}

function marked(text, claims) {
  const place = $("marked");
  place.replaceChildren();
  const letters = [...text]; // places count characters
  let at = 0;
  for (const claim of claims) {
    place.append(letters.slice(at, claim.start).join(""));
    const label = claim.verdict.label;
    const mark = element("button", { type: "button", kind: label.split(" ")[0], text: letters.slice(claim.start, claim.end).join(""), title: label });
    mark.setAttribute("aria-label", `${label}: ${claim.text}`);
    mark.addEventListener("click", () => claimShown(claim));
    place.append(mark);
    at = claim.end;
  }
  place.append(letters.slice(at).join(""));
}

async function checked(text) {
  $("counts").textContent = "Checking …";
  $("verdict").replaceChildren();
  $("marked").replaceChildren();
  hidden();
  try {
    const { claims, counts } = await told(of(graph(), "verify-text"), { text });
    $("counts").textContent = Object.entries(counts).map(([label, number]) => `${label}: ${number}`).join(" · ");
    marked(text, claims);
  } catch (problem) {
    $("counts").textContent = "";
    problemIn($("verdict"), problem);
  }
}

// Schema and history.

async function schemaShown() {
  const place = $("schema-list");
  place.replaceChildren();
  hidden();
  try {
    const schema = await told(of(graph(), "schema"));
    const rows = Object.entries(schema.labels).map(([label, number]) => [label, number, schema.properties.filter((each) => label in each.labels).map((each) => each.name).join(", ")]);
    const head = element("tr", {}, ...["Label", "Nodes", "Properties"].map((text) => element("th", { text, scope: "col" })));
    place.append(element("table", {}, head, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", { text: String(text) }))))));
    schemaDrawn(schema.relations);
  } catch (problem) {
    problemIn(place, problem);
  }
}

const kept = () => JSON.parse(localStorage.getItem(HISTORY) ?? "[]");

function remembered(entry) {
  const others = kept().filter((each) => each.graph !== entry.graph || each.question !== entry.question);
  localStorage.setItem(HISTORY, JSON.stringify([entry, ...others].slice(0, MOST_KEPT)));
}

function historyShown() {
  hidden();
  $("history-list").replaceChildren(...kept().map((entry) => {
    const link = element("a", { text: entry.question, href: `#${new URLSearchParams(entry)}` });
    return element("li", {}, link, element("span", { kind: "place", text: ` ${entry.graph}` }));
  }));
}

function chosen(name) {
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.setAttribute("aria-pressed", String(button.dataset.tab === name));
    $(button.dataset.tab).hidden = button.dataset.tab !== name;
  }
  hidden();
  if (name === "schema") {
    schemaShown();
  } else if (name === "history") {
    historyShown();
  }
}

// A link opens the same question again.
function opened() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const question = wanted.get("question");
  if (question && question !== talk.at(-1)) {
    $("graph").value = wanted.get("graph") ?? graph();
    $("question").value = question;
    chosen("ask");
    asked(question, { fresh: true });
  }
}

async function begun() {
  try {
    const { graphs } = await told("/v1/graphs");
    $("graph").replaceChildren(...graphs.map((each) => element("option", { text: each.name, value: each.name, title: each.title })));
    opened();
  } catch (problem) {
    problemIn($("answer"), problem);
  }
}

$("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  asked($("question").value.trim());
});
$("check-form").addEventListener("submit", (event) => {
  event.preventDefault();
  checked($("text").value);
});
$("forget").addEventListener("click", () => {
  talk = [];
  $("talk").replaceChildren();
  $("forget").hidden = true;
  $("question").focus();
});
$("graph").addEventListener("change", () => {
  talk = [];
  $("talk").replaceChildren();
  chosen(tab());
});
for (const button of document.querySelectorAll("[data-tab]")) {
  button.addEventListener("click", () => chosen(button.dataset.tab));
}
addEventListener("hashchange", opened);
begun();
