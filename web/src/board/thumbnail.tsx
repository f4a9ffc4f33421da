// The first position of a game of the library, small, once its card comes into sight.

import '../draw/dag.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type GameSummary, type Hints, type Position, type Term } from '../api';
import { readTerm } from './terms';
import { isMine, loadGame } from '../games';
import { MiniatureView, miniatureOf, type Drawable, type Miniature } from './miniature';

const largest = 20;   // columns and rows

interface Found { miniature: Miniature; game: Drawable }
const known = new Map<string, Promise<Found | null>>();

// One after another: a picture is not worth haste.
let last: Promise<unknown> = Promise.resolve();

function find({ id, seats }: GameSummary): Promise<Found | null> {
  const looked = known.get(id) ?? last.then(() => look(id, seats)).catch(() => null);
  if (!known.has(id)) {
    if (!isMine(id)) known.set(id, looked);   // one's own may change
    last = looked;
  }
  return looked;
}

async function look(id: string, seats: string[]): Promise<Found | null> {
  if (isMine(id)) return recogniseIn(id, seats);
  const { facts, hints } = await ask<{ facts: string[]; hints: Hints }>(`/api/games/${id}/first`);
  if (!hints.board) return recogniseIn(id, seats);
  const game = { text: '', hints, seats };
  return found(miniatureOf(facts.map(readTerm), [], corners(hints), game, largest), game);
}

// Where no hint names a board, the one that a play of the game shows.
async function recogniseIn(id: string, seats: string[]): Promise<Found | null> {
  const { game: { text, hints }, ref } = await loadGame(id);
  const { facts, fluents } = await ask<Position>('/api/position', { game: ref, steps: [], fluents: true });
  const game = { text, hints, seats };
  return found(miniatureOf(facts ?? [], [], fluents ?? [], game, largest), game);
}

const found = (miniature: Miniature | null, game: Drawable): Found | null => (miniature?.grid ? { miniature, game } : null);

// Facts at two corners of the board, where the hints tell its size.
function corners({ board }: Hints): Term[] {
  if (!board?.size) return [];
  const { fact, x = 1, y = 2, piece = 3, size } = board;
  const at = (column: number, row: number): Term => {
    const term: Term[] = [fact];
    for (let place = 1; place <= Math.max(x, y, piece); ++place) term.push(place === x ? String(column) : place === y ? String(row) : 'none');
    return term;
  };
  return [at(1, 1), at(...size)];
}

export function Thumbnail({ game }: { game: GameSummary }) {
  const frame = useRef<HTMLDivElement>(null);
  const [found, show] = useState<Found | null>(null);
  useEffect(() => {
    if (game.kind !== 'gdl') return;
    let gone = false;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      void find(game).then((one) => { if (!gone) show(one); });
    });
    watcher.observe(frame.current!);
    return () => { gone = true; watcher.disconnect(); };
  }, [game.id]);
  return (
    <div ref={frame} class="thumbnail" aria-hidden="true">
      {found && (
        <svg viewBox={`-1 -1 ${found.miniature.width + 2} ${found.miniature.height + 2}`}>
          <MiniatureView miniature={found.miniature} game={found.game} x={0} y={0} />
        </svg>
      )}
    </div>
  );
}
