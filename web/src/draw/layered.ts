// Layouts in layers, found by a worker that is started with the first of them.

import type { Box } from './view';

export interface Point { x: number; y: number }

export interface Asked {
  nodes: { id: number; width: number; height: number }[];   // the first is at the top
  edges: { from: number; to: number; width: number; height: number }[];   // the room of the label
}

export interface Layout {
  width: number;
  height: number;
  nodes: Map<number, Box>;
  edges: { points: Point[]; label: Point | null }[];   // in the order that was asked
}

let worker: Worker | null = null;
let busy = false;

// Only the last one that was asked for is ever found: who asks for another does not want the one before.
export function layered(asked: Asked): Promise<Layout> {
  if (busy) worker!.terminate();
  if (busy || !worker) worker = new Worker(new URL('./layered.worker.ts', import.meta.url), { type: 'module' });
  busy = true;
  return new Promise((found) => {
    worker!.onmessage = ({ data }: MessageEvent<Layout>) => {
      busy = false;
      found(data);
    };
    worker!.postMessage(asked);
  });
}

// A soft line through the points, as the `d` of a path.
export function line(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const last = rest.pop() ?? first;
  let path = `M${at(first)}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    path += ` Q${at(point)} ${at(next ? middle(point, next) : last)}`;
  });
  return rest.length === 0 ? `${path} L${at(last)}` : path;
}

const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

// The room that a text needs, near enough.
export const wide = (text: string): number => Math.ceil(text.length * 6.7);
