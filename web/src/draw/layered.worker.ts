// Dagre at work beside the page, so that a large drawing freezes nothing.

import dagre from '@dagrejs/dagre';
import type { Asked, Layout } from './layered';

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: data.across ? 'LR' : 'TB',
    nodesep: 14,
    ranksep: 26,
    edgesep: 10,
    ranker: data.nodes.length > 300 ? 'longest-path' : 'network-simplex',
  });
  for (const node of data.nodes) graph.setNode(String(node.id), { width: node.width, height: node.height });
  data.edges.forEach((edge, index) => {
    graph.setEdge(String(edge.from), String(edge.to), { width: edge.width, height: edge.height, labelpos: 'c' }, String(index));
  });
  dagre.layout(graph);

  const layout: Layout = { width: 0, height: 0, nodes: new Map(), edges: [] };
  for (const { id, width, height } of data.nodes) {
    const { x, y } = graph.node(String(id));
    layout.nodes.set(id, { x: x - width / 2, y: y - height / 2, width, height });
  }
  data.edges.forEach((edge, index) => {
    const { points, x, y } = graph.edge({ v: String(edge.from), w: String(edge.to), name: String(index) });
    layout.edges.push({ points, label: x === undefined || y === undefined ? null : { x, y } });
  });
  const { width, height } = graph.graph();
  layout.width = width ?? 0;
  layout.height = height ?? 0;
  self.postMessage({ ticket: data.ticket, layout });
};
