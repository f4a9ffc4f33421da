// Layouts found beside the page, so that a large drawing freezes nothing.

import dagre from '@dagrejs/dagre';
import type { Asked, Layout } from './layered';
import { plain } from './plain';

// Beyond this many nodes and edges Dagre takes too long.
const most = 160;

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  self.postMessage(data.nodes.length + data.edges.length > most ? plain(data) : pretty(data));
};

function pretty({ nodes, edges }: Asked): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ nodesep: 14, ranksep: 26, edgesep: 10 });
  for (const { id, width, height } of nodes) graph.setNode(String(id), { width, height });
  edges.forEach(({ from, to, width, height }, index) => {
    graph.setEdge(String(from), String(to), { width, height, labelpos: 'c' }, String(index));
  });
  dagre.layout(graph);

  const { width = 0, height = 0 } = graph.graph();
  const layout: Layout = { width, height, nodes: new Map(), edges: [] };
  for (const node of nodes) {
    const { x, y } = graph.node(String(node.id));
    layout.nodes.set(node.id, { ...node, x: x - node.width / 2, y: y - node.height / 2 });
  }
  edges.forEach(({ from, to }, index) => {
    const { points, x, y } = graph.edge({ v: String(from), w: String(to), name: String(index) });
    layout.edges.push({ points, label: x === undefined || y === undefined ? null : { x, y } });
  });
  return layout;
}
