// A layout in layers for drawings that are too large for Dagre: not as pretty, but done at once.
//
// A node lies below all from which an edge leads to it, those apart that lead back in a circle. Within a layer,
// nodes come to lie near those that they are joined with: a few sweeps down and up move each to the middle of its
// neighbours, and then just so far apart that none covers another.

import type { Asked, Layout } from './layered';

const sweeps = 6;
const gap = 14;       // between neighbours
const between = 44;   // layers, with room for labels; more where the drawing is wide

interface Node { id: number; width: number; height: number; room: number; depth: number; x: number; above: Node[]; below: Node[] }

export function plain({ nodes, edges }: Pick<Asked, 'nodes' | 'edges'>): Layout {
  const all = new Map<number, Node>(nodes.map(({ id, width, height }) =>
    [id, { id, width, height, room: width, depth: -1, x: 0, above: [], below: [] }]));
  const layers = layersOf(all, edges);
  for (const { from, to, width } of edges) {
    const [source, target] = [all.get(from)!, all.get(to)!];
    if (target.depth <= source.depth) continue;
    source.below.push(target);
    target.above.push(source);
    target.room = Math.max(target.room, width);   // the label stands above it
  }
  for (const layer of layers) spread(layer, layer.map(() => 0));
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    for (const layer of layers) settle(layer, 'above');
    for (const layer of [...layers].reverse()) settle(layer, 'below');
  }
  return measured(all, layers, edges);
}

function layersOf(all: Map<number, Node>, edges: Asked['edges']): Node[][] {
  const next = new Map<Node, Node[]>([...all.values()].map((node) => [node, []]));
  for (const { from, to } of edges) next.get(all.get(from)!)!.push(all.get(to)!);
  const layers: Node[][] = [];
  for (const node of downwards([...all.values()], next)) {
    node.depth = Math.max(node.depth, 0);
    (layers[node.depth] ??= []).push(node);
    for (const below of next.get(node)!) below.depth = Math.max(below.depth, node.depth + 1);
  }
  return layers;
}

// Depth first, so that a node comes before all that it leads to. Edges that lead back are taken away.
function downwards(nodes: Node[], next: Map<Node, Node[]>): Node[] {
  const order: Node[] = [];
  const state = new Map<Node, 'open' | 'done'>();
  for (const start of nodes) {
    const path = state.has(start) ? [] : [{ node: start, at: 0 }];
    state.set(start, state.get(start) ?? 'open');
    while (path.length > 0) {
      const top = path[path.length - 1]!;
      const ways = next.get(top.node)!;
      const to = ways[top.at];
      if (!to) {
        state.set(top.node, 'done');
        order.push(top.node);
        path.pop();
      } else if (state.get(to) === 'open') {
        ways.splice(top.at, 1);
      } else {
        top.at += 1;
        if (state.has(to)) continue;
        state.set(to, 'open');
        path.push({ node: to, at: 0 });
      }
    }
  }
  return order.reverse();
}

function settle(layer: Node[], side: 'above' | 'below'): void {
  const wish = (node: Node) => {
    const near = node[side];
    return near.length === 0 ? node.x : near.reduce((sum, other) => sum + other.x, 0) / near.length;
  };
  const wished = new Map(layer.map((node) => [node, wish(node)]));
  layer.sort((a, b) => wished.get(a)! - wished.get(b)!);
  spread(layer, layer.map((node) => wished.get(node)!));
}

// In their order, as near to where they would be as they can. Pushed to the right none covers another, nor pushed
// to the left; so neither does it halfway between.
function spread(layer: Node[], wishes: number[]): void {
  const apart = (at: number) => (layer[at]!.room + layer[at + 1]!.room) / 2 + gap;
  const right = [...wishes];
  for (let at = 1; at < layer.length; ++at) right[at] = Math.max(right[at]!, right[at - 1]! + apart(at - 1));
  const left = [...wishes];
  for (let at = layer.length - 2; at >= 0; --at) left[at] = Math.min(left[at]!, left[at + 1]! - apart(at));
  layer.forEach((node, at) => { node.x = (left[at]! + right[at]!) / 2; });
}

function measured(all: Map<number, Node>, layers: Node[][], edges: Asked['edges']): Layout {
  let [least, most, y] = [Infinity, -Infinity, 0];
  for (const { x, room } of all.values()) {
    least = Math.min(least, x - room / 2);
    most = Math.max(most, x + room / 2);
  }
  const space = Math.max(between, Math.min(8 * between, (most - least) / 2 / layers.length));
  const top = layers.map((layer) => {
    const from = y;
    y += Math.max(...layer.map(({ height }) => height)) + space;
    return from;
  });
  const boxes: Layout['nodes'] = new Map();
  for (const { id, x, depth, width, height } of all.values()) boxes.set(id, { x: x - width / 2 - least, y: top[depth]!, width, height });
  return {
    width: most - least,
    height: y - space,
    nodes: boxes,
    edges: edges.map(({ from, to, width }) => {
      const [a, b] = [boxes.get(from)!, boxes.get(to)!];
      const start = { x: a.x + a.width / 2, y: a.y + a.height };
      const end = { x: b.x + b.width / 2, y: b.y };
      if (b.y > a.y) {
        const middle = end.y - space / 2;
        const bend = { x: end.x, y: middle };
        return { points: [start, { x: start.x, y: start.y + 10 }, bend, end], label: width > 0 ? { x: end.x, y: end.y - 14 } : null };
      }
      // Back up, or across: round the outside.
      const [out, back] = [{ x: a.x + a.width, y: a.y + a.height / 2 }, { x: b.x + b.width, y: b.y + b.height / 2 }];
      const side = Math.max(out.x, back.x) + 30;
      return { points: [out, { x: side, y: out.y }, { x: side, y: back.y }, back], label: width > 0 ? { x: side, y: (out.y + back.y) / 2 } : null };
    }),
  };
}
