// What is known of a strategy: its nodes, as they are asked for. A large one is never loaded whole.

import { ask, type StrategyAbout, type StrategyNode } from '../api';

export interface Found { id: number; depth: number; label: string; path: string[] }

export class Known {
  readonly nodes = new Map<number, StrategyNode>();

  constructor(readonly about: StrategyAbout) {}

  get address(): string { return `/api/strategies/${this.about.id}`; }

  async around(from: number, depth: number, most: number, signal?: AbortSignal): Promise<void> {
    const query = `from=${from}&depth=${depth}&most=${most}`;
    const { nodes } = await ask<{ nodes: StrategyNode[] }>(`${this.address}/nodes?${query}`, undefined, signal);
    for (const node of nodes) this.nodes.set(node.id, node);
  }

  // After this the children of these nodes are known.
  async below(nodes: number[], signal?: AbortSignal): Promise<void> {
    for (const id of nodes) {
      if (!this.complete(id)) await this.around(id, 1, 2000, signal);
    }
  }

  complete(id: number): boolean {
    const node = this.nodes.get(id);
    return node !== undefined && node.edges.every(({ to }) => this.nodes.has(to));
  }

  async follow(moves: string[], signal?: AbortSignal): Promise<number[]> {
    return (await ask<{ path: number[] }>(`${this.address}/follow`, { moves }, signal)).path;
  }

  find(text: string, signal?: AbortSignal): Promise<{ total: number; found: Found[] }> {
    return ask(`${this.address}/find?text=${encodeURIComponent(text)}&most=20`, undefined, signal);
  }

  labels(from: number, to: number): string[] {
    return this.nodes.get(from)?.edges.find((edge) => edge.to === to)?.labels ?? [];
  }

  // What is drawn: from the root on through the nodes that are open, no more than `most`; first what lies on the
  // trail, then the nearest.
  drawn(root: number, open: ReadonlySet<number>, most: number, trail: number[]): { nodes: StrategyNode[]; left: boolean } {
    const seen = new Set([root, ...trail]);
    const nodes: StrategyNode[] = [];
    let left = false;
    for (const id of seen) {
      const node = this.nodes.get(id);
      if (!node) continue;
      nodes.push(node);
      if (!open.has(id) || !this.complete(id)) continue;
      if (seen.size + node.edges.length > most) left = true;
      else for (const { to } of node.edges) seen.add(to);
    }
    return { nodes, left };
  }

  // A way from the root through open nodes; empty where there is none.
  way(root: number, open: ReadonlySet<number>, goal: number): number[] {
    const before = new Map<number, number | null>([[root, null]]);
    for (const id of before.keys()) {
      if (id === goal) break;
      if (!open.has(id)) continue;
      for (const { to } of this.nodes.get(id)?.edges ?? []) if (!before.has(to)) before.set(to, id);
    }
    if (!before.has(goal)) return [];
    const path: number[] = [];
    for (let id: number | null = goal; id !== null; id = before.get(id) ?? null) path.unshift(id);
    return path;
  }
}
