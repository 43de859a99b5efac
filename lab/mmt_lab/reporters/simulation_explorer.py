"""The part of the page that looks into one model on one trace. It has curves, heap map, lengths of
searches, and the free chunks before the event of its longest search. Drawn for what is chosen, when
it is."""

from ..text.visible import visible
from . import packed_looks, page

SCRIPT = """
const explorer = JSON.parse(document.getElementById("explorer-data").textContent);
const chosen = name => document.getElementById("explorer-" + name).value;
const place = name => document.getElementById("explorer-" + name);
const plain = title => ({height: 380, margin: {l: 70, r: 20, t: 40, b: 45}, title: {text: title, font: {size: 14}},
  font: {family: "sans-serif", size: 13}, legend: {orientation: "h", y: -0.2}});
const draw = (name, data, layout) => Plotly.react(place(name), data, themed(layout), options);
const sums = list => { let sum = 0; return list.map(one => sum += one); };
const unpacked = async one => {
  const bytes = Uint8Array.from(atob(one.packed), letter => letter.charCodeAt(0));
  const told = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const {series, tree} = told;
  if (series) for (const name of Object.keys(series).filter(name => name !== "map")) series[name] = sums(series[name]);
  if (tree) {
    const at = sums(tree.at), side = (name, here) => tree[name][here] ? at[here + tree[name][here]] : 0;
    tree.nodes = at.map((one, here) => ({at: one, bytes: tree.bytes[here], left: side("left", here), right: side("right", here)}));
    tree.path = sums(tree.path).map(here => at[here]);
  }
  return told;
};
const drawCurves = one => {
  if (!one.series) return Plotly.purge(place("curves"));
  const names = {used: "heap", live: "live, as asked for", free: "free", largest_free: "largest free chunk"};
  draw("curves", Object.entries(names).map(([key, name]) => ({type: "scatter", mode: "lines", name,
    x: one.series.event, y: one.series[key], line: {width: 1.5, shape: key === "used" ? "hv" : "linear"}})),
    {...plain("Memory over events"), xaxis: {title: {text: "event"}}, yaxis: {title: {text: "bytes"}, rangemode: "tozero", tickformat: ".3s"}});
};
const drawMap = one => {
  const map = one.series && one.series.map;
  if (!map) return Plotly.purge(place("map"));
  const z = map.cells.map(row => Array.from(row, cell => cell === "@" ? null : (cell.charCodeAt(0) - 65) * 5));
  draw("map", [{type: "heatmap", x: one.series.event, y: z.map((_, row) => row * map.row_bytes), z, zmin: 0, zmax: 100,
    colorscale: "Viridis", colorbar: {title: {text: "% in use"}}, hovertemplate: "event %{x}, address %{y}: %{z:.0f}% in use<extra></extra>"}],
    {...plain("Heap map: address by event (drag to zoom)"), xaxis: {title: {text: "event"}}, yaxis: {title: {text: "address"}, tickformat: ".3s"}});
};
const drawSearches = one => {
  const data = ["allocation", "free"].map(kind => {
    const steps = one.searches[kind], all = steps.reduce((sum, [, n]) => sum + n, 0);
    let left = all;
    const x = [], y = [];
    for (const [low, n] of steps) { x.push(Math.max(low, 0.5)); y.push(left / all); left -= n; }
    return {type: "scatter", mode: "lines+markers", name: kind, x, y, marker: {size: 4}, line: {shape: "hv"}};
  });
  draw("searches", data, {...plain("Share of operations that look at so many nodes or more"),
    xaxis: {type: "log", title: {text: "nodes"}}, yaxis: {type: "log", title: {text: "share"}}});
};
const levels = tree => {
  const nodes = new Map(tree.nodes.map(node => [node.at, {...node, x: 0, y: 0}]));
  const below = new Set(tree.nodes.flatMap(node => [node.left, node.right]));
  let rank = 0;
  const isList = tree.nodes.every(node => !node.left);
  for (const root of [...nodes.values()].filter(node => !below.has(node.at))) {
    const stack = [[root, 0, false]];
    while (stack.length) {
      const [node, depth, seen] = stack.pop();
      if (!node) continue;
      if (seen) { node.x = rank++; continue; }
      node.y = isList ? 0 : -depth;
      stack.push([nodes.get(node.right), depth + 1, false], [node, depth, true], [nodes.get(node.left), depth + 1, false]);
    }
  }
  if (isList) { let at = 0; for (const node of tree.nodes) nodes.get(node.at).x = at++; }
  return nodes;
};
const drawTree = one => {
  const tree = one.tree;
  place("tree-words").textContent = tree ? `Before event ${tree.event}, which ${tree.does.kind === "allocate" ? "asks for" : tree.does.kind + "s"} ` +
    `${tree.does.bytes} bytes: ${tree.free_chunks} free chunks, of which ${tree.nodes.length} are shown and ${tree.looked_at} looked at.` : "";
  if (!tree) return Plotly.purge(place("tree"));
  const nodes = levels(tree), x = [], y = [];
  for (const node of nodes.values())
    for (const child of [node.left, node.right].map(at => nodes.get(at)).filter(Boolean)) { x.push(node.x, child.x, null); y.push(node.y, child.y, null); }
  const path = tree.path.map(at => nodes.get(at)).filter(Boolean);
  const dots = (list, name, color, size, mode) => ({type: "scatter", mode, name, x: list.map(n => n.x), y: list.map(n => n.y),
    marker: {color, size}, line: {color, width: 1.5}, text: list.map(n => `at ${n.at}<br>${n.bytes} bytes`), hovertemplate: "%{text}<extra></extra>"});
  draw("tree", [{type: "scatter", mode: "lines", x, y, line: {color: "#999", width: 1}, hoverinfo: "skip", showlegend: false},
    dots([...nodes.values()], "free chunk", "#0072b2", 6, "markers"), dots(path, "looked at, in order", "#d55e00", 9, "lines+markers")],
    {...plain("Free chunks and the search"), xaxis: {visible: false}, yaxis: {visible: false}});
};
const parts = {curves: drawCurves, map: drawMap, searches: drawSearches, tree: drawTree};
const explore = async () => {
  const found = explorer.find(one => one.trace === chosen("trace") && one.allocator === chosen("allocator"));
  const one = found ? await unpacked(found) : {searches: {allocation: [], free: []}};
  place("none").textContent = found ? "" : "This model has not replayed this trace.";
  for (const [name, part] of Object.entries(parts)) whenNear(place(name), () => part(one));
};
for (const name of ["trace", "allocator"]) place(name).addEventListener("change", explore);
explore();
"""


def _looks(simulation):
    trees = {(one["trace"], one["allocator"]): one["tree"] for one in simulation.trees}
    return [(one, trees.get((one["trace"], one["allocator"]))) for one in simulation.results]


def _choice(name, label, values):
    yield f'<label>{page.text(label)} <select id="explorer-{name}">'
    yield from (f"<option>{page.text(one)}</option>" for one in values)
    yield "</select></label>"


def body(simulation):
    yield page.heading(2, "explorer", "One model on one trace")
    yield "<p>"
    yield from _choice("trace", "Trace", simulation.trace_names())
    yield from _choice("allocator", "Model", simulation.model_names())
    yield "</p>"
    # Names as the choices above show them.
    looks = [
        one | {name: visible(one[name]) for name in ("trace", "allocator")}
        for one in packed_looks.pack(_looks(simulation))
    ]
    yield page.data("explorer-data", looks)
    yield '<p class="missing" id="explorer-none"></p>'
    for name in ("curves", "map", "searches"):
        yield f'<div id="explorer-{name}" style="min-height: 380px"></div>'
    yield '<p class="note" id="explorer-tree-words"></p><div id="explorer-tree" style="min-height: 380px"></div>'
