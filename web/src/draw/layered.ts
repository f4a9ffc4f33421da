// Layouts in layers, found by a worker that is started with the first of them.

import type { Box } from './view';

export interface Point { x: number; y: number }

export interface Asked {
  ticket: number;
  across: boolean;  // layers from left to right
  nodes: { id: number; width: number; height: number }[];
  edges: { from: number; to: number; width: number; height: number }[];  // the room of the label
}

export interface Layout {
  width: number;
  height: number;
  nodes: Map<number, Box>;
  edges: { points: Point[]; label: Point | null }[];  // in the order that was asked
}

let worker: Worker | null = null;
let tickets = 0;
const waiting = new Map<number, (layout: Layout) => void>();

export function layered(asked: Omit<Asked, 'ticket'>): Promise<Layout> {
  worker ??= started();
  const ticket = ++tickets;
  return new Promise((done) => {
    waiting.set(ticket, done);
    worker!.postMessage({ ...asked, ticket });
  });
}

function started(): Worker {
  const made = new Worker(new URL('./layered.worker.ts', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<{ ticket: number; layout: Layout }>) => {
    waiting.get(data.ticket)?.(data.layout);
    waiting.delete(data.ticket);
  };
  return made;
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
