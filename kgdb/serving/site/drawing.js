// Facts as a picture: a click on a node tells its properties and facts, and draws its neighbors.

import { of, told } from "./service.js";

const figure = document.getElementById("drawing");
const about = document.getElementById("about-node");
let picture = null;
let graph = null;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function begun() {
  figure.hidden = false;
  picture?.destroy();
  picture = window.cytoscape({
    container: document.getElementById("canvas"),
    maxZoom: 1.6,
    style: [
      { selector: "node", style: { label: "data(name)", color: colour("--ink"), "background-color": colour("--link"), "font-size": 11, "text-wrap": "ellipsis", "text-max-width": 140, "text-valign": "bottom", width: 18, height: 18 } },
      { selector: "edge", style: { label: "data(relation)", color: colour("--soft"), "font-size": 9, "curve-style": "bezier", "target-arrow-shape": "triangle", "line-color": colour("--line"), "target-arrow-color": colour("--line"), width: 1.5, "text-rotation": "autorotate" } },
      { selector: ".meant", style: { "background-color": colour("--good"), "line-color": colour("--good"), "target-arrow-color": colour("--good"), width: 3 } },
      { selector: "node.meant", style: { width: 24, height: 24 } },
    ],
  });
  picture.on("tap", "node", (event) => grown(event.target.data("entity")));
}

const node = (id) => `n ${id}`;
const edge = (fact) => `e ${fact.head.id} ${fact.relation} ${fact.tail.id}`;

function added(facts) {
  const fresh = (id) => picture.getElementById(id).empty();
  for (const fact of facts) {
    for (const entity of [fact.head, fact.tail]) {
      if (fresh(node(entity.id))) {
        picture.add({ data: { id: node(entity.id), name: entity.name, entity } });
      }
    }
    if (fresh(edge(fact))) {
      picture.add({ data: { id: edge(fact), source: node(fact.head.id), target: node(fact.tail.id), relation: fact.relation } });
    }
  }
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  picture.layout({ name: "cose", animate: calm ? false : "end", animationDuration: 300, padding: 30, nodeDimensionsIncludeLabels: true }).run();
}

// The facts of paths, each as the graph states it.
export function factsOf(paths) {
  const facts = new Map();
  for (const path of paths) {
    path.steps.forEach((step, n) => {
      const back = step.startsWith("^");
      const [head, tail] = back ? [path.entities[n + 1], path.entities[n]] : [path.entities[n], path.entities[n + 1]];
      const fact = { head, relation: back ? step.slice(1) : step, tail };
      facts.set(edge(fact), fact);
    });
  }
  return [...facts.values()];
}

export function drawn(of_graph, facts) {
  graph = of_graph;
  about.textContent = "";
  if (!facts.length || !window.cytoscape) {
    hidden();
    return;
  }
  begun();
  added(facts);
  about.textContent = "Click a node to see its properties and facts, and to draw its neighbors.";
}

export function hidden() {
  figure.hidden = true;
}

export function meant(fact) {
  picture?.elements().removeClass("meant");
  picture?.getElementById(edge(fact)).addClass("meant").connectedNodes().addClass("meant");
}

async function grown(entity) {
  if (!entity || !graph) {
    return;
  }
  const [{ rows, cut }, { entities }] = await Promise.all([
    told(of(graph, "neighbors"), { nodes: [entity.id], limit: 25 }),
    told(of(graph, "entities"), { nodes: [entity.id] }),
  ]);
  const facts = factsOf(rows.map((row) => ({ entities: [entity, row.entity], steps: [row.step] })));
  added(facts);
  const said = facts.map((fact) => `${fact.head.name} – ${fact.relation} – ${fact.tail.name}`);
  const [{ labels, properties }] = entities;
  const held = Object.entries(properties).map(([name, value]) => `${name} = ${[value].flat().join(", ")}`);
  const own = [labels.join(", "), ...held].filter(Boolean).join("; ");
  about.textContent = `${entity.name}${own && ` (${own})`}: ${said.join("; ") || "no facts"}${cut.length ? " …" : ""}`;
}

// Labels, and the relations that usually join them.
export function schemaDrawn(relations) {
  graph = null;
  begun();
  added(relations.flatMap((each) => each.pairs
    .filter(([, , number]) => number * 20 >= each.count)
    .map(([head, tail]) => ({ head: { id: head, name: head }, relation: each.relation, tail: { id: tail, name: tail } }))));
  about.textContent = "What the relations join.";
}
