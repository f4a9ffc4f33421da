// A position inside a node of a drawing: a board a few pixels wide, or the facts that changed on the way there.

import type { Game, Term } from '../api';
import { pieceOf } from './pieces';
import { arrange, placeOf, recognise, type Grid } from './recognise';
import { say } from './terms';
import { useLanguage } from '../i18n';
import { short } from '../draw/labels';

const cell = 12;
const most = 12;      // columns and rows, in a node
const lines = 2;      // of facts
const letters = 24;

export type Drawable = Pick<Game, 'text' | 'hints' | 'seats'>;
export interface Miniature { width: number; height: number; grid: Grid | null; facts: Term[]; changed: string[] }

// `before`: the facts of a node that leads there; `seen`: of all nodes, which tell how large a board is.
export function miniatureOf(facts: Term[], before: Term[], seen: Term[], game: Drawable, largest = most): Miniature | null {
  if (facts.length + seen.length === 0) return null;
  const grid = recognise(seen, facts, game.text, game.hints).find(({ columns, rows, cells }) =>
    cells !== 'point' && columns.length <= largest && rows.length <= largest) ?? null;
  if (grid) return { width: (grid.columns.length + (grid.lean ? (grid.rows.length - 1) / 2 : 0)) * cell, height: grid.rows.length * cell, grid, facts, changed: [] };
  const known = new Set(before.map(say));
  const fresh = facts.map(say).filter((fact) => !known.has(fact) && !/^(control|turn) /.test(fact));
  const changed = (before.length === 0 && typeof facts[0] !== 'string' ? [] : fresh).slice(0, lines).map((fact) => short(fact, letters));
  if (changed.length === 0) return null;
  return { width: Math.max(...changed.map(({ length }) => length)) * 6.2, height: changed.length * 14, grid: null, facts, changed };
}

export function MiniatureView({ miniature: { grid, facts, changed, width }, game, x, y }: { miniature: Miniature; game: Drawable; x: number; y: number }) {
  const language = useLanguage();
  if (!grid) return <g class="mini-facts">{changed.map((fact, line) => <text key={fact} x={x + width / 2} y={y + 11 + 14 * line}>{fact}</text>)}</g>;
  const [things] = arrange(facts, [grid], game.seats, game.hints).boards;
  const leaning = grid.lean ? cell / 2 : 0;
  const rows = grid.up ? [...grid.rows].reverse() : grid.rows;
  return (
    <g class="mini-board" transform={`translate(${x} ${y})`}>
      {rows.flatMap((row, line) => grid.columns.map((column, place) => {
        const name = things?.get(placeOf(column, row))?.[0]?.name;
        const piece = name === undefined ? null : pieceOf(name, game.seats, game.hints, language);
        const [left, top] = [place * cell + leaning * (grid.lean === 'left' ? rows.length - 1 - line : line), line * cell];
        return (
          <g key={`${column} ${row}`}>
            <rect class="mini-place" x={left} y={top} width={cell} height={cell} />
            {piece && (piece.shape === 'fill'
              ? <rect x={left + 1} y={top + 1} width={cell - 2} height={cell - 2} fill={piece.colour} />
              : <circle cx={left + cell / 2} cy={top + cell / 2} r={cell / 2 - 1.5} fill={piece.colour} stroke="#55585f" stroke-width="0.7" />)}
            {piece?.text && piece.shape !== 'fill' && (
              <text class={`mini-sign ${piece.ink}`} x={left + cell / 2} y={top + cell / 2 + 3}>{[...piece.text][0]}</text>
            )}
          </g>
        );
      }))}
    </g>
  );
}
