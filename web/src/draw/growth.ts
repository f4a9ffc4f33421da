// A search tree as it grows, and where its nodes are drawn.
//
// The search goes depth first, so every new leaf is drawn to the right of all others and a closed subtree
// never moves again: an event costs no more than the depth of the path.

import type { Reason, TreeEvent } from '../api';

export interface Twig {
  id: number;
  parent: Twig | null;
  depth: number;
  x: number;                 // in leaves from the left
  value: number | null;      // of the branch that leads to it
  variable: number | null;   // by its place; null: a leaf
  reason: Reason | null;     // of a leaf
  won: boolean | null;       // null: open still
  first: boolean;            // of its depth, so it is drawn to the left of the others
  children: Twig[];
}

export const reasons: Reason[] = ['success', 'failure', 'rule', 'cut', 'good', 'nogood', 'pure'];

export class Growth {
  readonly twigs: Twig[] = [];
  readonly counts = new Map<Reason, number>(reasons.map((reason) => [reason, 0]));
  nodes = 0;                 // all of them, drawn or not
  leaves = 0;                // drawn
  depth = 0;
  private here: Twig | null = null;
  private hidden = 0;        // open nodes below the last one that is drawn
  private value: number | null = null;

  constructor(readonly most: number) {}

  // The open nodes from the root, with the value that each of them tries.
  path(): { twig: Twig; value: number | null }[] {
    const found: { twig: Twig; value: number | null }[] = [];
    let value = this.hidden === 0 ? this.value : null;
    for (let twig = this.here; twig; twig = twig.parent) {
      found.unshift({ twig, value });
      value = twig.value;
    }
    return found;
  }

  take(event: TreeEvent): void {
    switch (event[0]) {
      case 'branch':
        this.value = event[1];
        return;
      case 'open':
        this.nodes += 1;
        if (this.full()) this.hidden += 1;
        else this.here = this.add(event[1], null, null);
        this.value = null;
        return;
      case 'leaf':
        this.nodes += 1;
        this.counts.set(event[2], (this.counts.get(event[2]) ?? 0) + 1);
        if (!this.full()) this.add(null, event[2], event[1]);
        this.value = null;
        return;
      case 'close':
        if (this.hidden > 0) this.hidden -= 1;
        else if (this.here) {
          this.here.won = event[1];
          this.here = this.here.parent;
        }
        this.value = null;
    }
  }

  private full(): boolean {
    return this.hidden > 0 || this.twigs.length >= this.most;
  }

  private add(variable: number | null, reason: Reason | null, won: boolean | null): Twig {
    const parent = this.here;
    const twig: Twig = {
      id: this.twigs.length, parent, depth: parent ? parent.depth + 1 : 0, x: 0,
      value: this.value, variable, reason, won, first: this.twigs.length === 0, children: [],
    };
    this.twigs.push(twig);
    if (twig.depth > this.depth) {
      this.depth = twig.depth;
      twig.first = true;
    }
    if (parent && parent.children.length === 0) this.leaves -= 1;   // the first child takes its parent's place
    twig.x = this.leaves++;
    parent?.children.push(twig);
    for (let above = parent; above; above = above.parent) {
      above.x = (above.children[0]!.x + above.children[above.children.length - 1]!.x) / 2;
    }
    return twig;
  }
}
