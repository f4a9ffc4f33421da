// Clicks on places, one after another, until they say which move is meant.

import { useEffect, useState } from 'preact/hooks';
import { after, complete, targets, type Way } from './moves';

export interface Clicks {
  clicked: string[];
  reachable: Set<string>;   // where the next click may be
  starts: Set<string>;      // where the first one may be
  asking: Way[];            // the clicks mean several moves
  press: (place: string) => void;
  cancel: () => void;
  choose: (move: string) => void;
}

export function useClicks(ways: Way[], index: number, onMove: (text: string) => void): Clicks {
  const [clicked, click] = useState<string[]>([]);
  const [asking, askFor] = useState<Way[]>([]);
  // A new position, or somebody else's turn: what was chosen is no more.
  useEffect(() => { click([]); askFor([]); }, [ways]);

  const open = after(ways, index, clicked);
  const reachable = targets(open, clicked.length);
  const starts = clicked.length > 0 ? targets(after(ways, index, []), 0) : reachable;

  const press = (place: string) => {
    if (clicked.at(-1) === place && !reachable.has(place)) return click([]);
    const path = reachable.has(place) ? [...clicked, place] : [place];
    const left = after(ways, index, path);
    const done = left.filter((way) => complete(way, path));
    if (done.length === 0) return click(left.length > 0 ? path : []);
    if (left.length > 1) return askFor(left);
    onMove(done[0]!.move.text);
  };
  const cancel = () => { click([]); askFor([]); };
  const choose = (move: string) => { askFor([]); onMove(move); };
  return { clicked, reachable, starts, asking, press, cancel, choose };
}
