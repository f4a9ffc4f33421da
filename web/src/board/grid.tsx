// A board of places. One tab stop; arrows go from place to place, Enter or Space presses one.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Hints } from '../api';
import { useLanguage, useWords } from '../i18n';
import { Button, Dialog } from '../ui';
import { after, complete, targets, type Way } from './moves';
import { pieceOf, type Piece } from './pieces';
import { placeOf, type Grid, type Thing } from './recognise';
import { say } from './terms';
import { words } from './words';

// What a move to a place is worth, painted there.
export interface Mark { text: string; tone: 'good' | 'neutral' | 'bad'; title: string }

interface Props {
  grid: Grid;
  index: number;
  things: Map<string, Thing[]>;
  roles: string[];
  hints: Hints;
  ways: Way[];                 // of who has to choose
  changed: Set<string>;
  hinted: Set<string>;
  marks: (clicked: string[]) => Map<string, Mark>;
  onMove: (text: string) => void;
}

export function GridBoard({ grid, index, things, roles, hints, ways, changed, hinted, marks, onMove }: Props) {
  const t = useWords(words);
  const language = useLanguage();
  const [clicked, click] = useState<string[]>([]);
  const [asking, askFor] = useState<Way[]>([]);
  const [at, goTo] = useState<[number, number]>([0, 0]);
  const root = useRef<HTMLDivElement>(null);
  const { columns } = grid;
  const rows = grid.up ? [...grid.rows].reverse() : grid.rows;
  // Where rows lean, a place is two columns of the drawing wide.
  const lean = (column: number, row: number) => grid.lean &&
    { gridColumn: `${2 + 2 * column + (grid.lean === 'right' ? row : rows.length - 1 - row)} / span 2` };

  // A new position, or somebody else's turn: what was chosen is no more.
  useEffect(() => { click([]); askFor([]); }, [ways]);

  const open = after(ways, index, clicked);
  const reachable = targets(open, clicked.length);
  const starts = clicked.length > 0 ? targets(after(ways, index, []), 0) : reachable;
  const painted = marks(clicked);

  const press = (place: string) => {
    if (clicked.at(-1) === place && !reachable.has(place)) return click([]);
    const path = reachable.has(place) ? [...clicked, place] : [place];
    const left = after(ways, index, path);
    const done = left.filter((way) => complete(way, path));
    if (done.length === 0) return click(left.length > 0 ? path : []);
    if (left.length > 1) return askFor(left);
    onMove(done[0]!.move.text);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const [column, row] = at;
    const to: Record<string, [number, number]> = {
      ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1], Home: [0, row], End: [columns.length - 1, row],
    };
    const next = to[event.key];
    if (event.key === 'Escape') click([]);
    else if (event.key === 'Enter' || event.key === ' ') press(placeOf(columns[column]!, rows[row]!));
    else if (!next) return;
    event.preventDefault();
    if (!next || !columns[next[0]] || !rows[next[1]]) return;
    goTo(next);
    root.current?.querySelector<HTMLElement>(`[data-at="${next.join(' ')}"]`)?.focus();
  };

  const cell = (x: string, y: string, column: number, row: number) => {
    const place = placeOf(x, y);
    const pieces = (things.get(place) ?? []).flatMap((thing) => {
      const piece = pieceOf(thing.name, roles, hints, language);
      return piece ? [{ ...piece, title: titleOf(thing, piece) }] : [];
    });
    const mark = painted.get(place);
    const isStart = clicked.length === 0 && reachable.has(place);
    const isTarget = clicked.length > 0 && reachable.has(place);
    const isChosen = clicked.includes(place);
    const label = [
      t('place', { x, y }),
      pieces.length > 0 ? pieces.map(({ title }) => title).join(', ') : t('empty'),
      isChosen && t('chosen'),
      isStart && t('canPlay'),
      isTarget && t('target'),
      hinted.has(place) && t('hinted'),
      changed.has(place) && t('changed'),
      mark?.title,
    ].filter(Boolean).join(', ');
    const classes = [
      'place',
      grid.chequered && (column + row) % 2 === 1 && 'dark',
      !grid.places.has(place) && 'hole',
      (isStart || isTarget || starts.has(place)) && 'open',
      isTarget && 'target',
      isChosen && 'chosen',
      hinted.has(place) && 'hinted',
      changed.has(place) && 'changed',
    ].filter(Boolean).join(' ');
    return (
      <div role="gridcell" key={place} class={classes} aria-label={label} aria-selected={isChosen} data-place={place}
        style={lean(column, row)} data-at={`${column} ${row}`} tabIndex={at[0] === column && at[1] === row ? 0 : -1}
        onClick={() => { goTo([column, row]); press(place); }}>
        {pieces.map((piece, order) => <PieceView key={order} piece={piece} small={order > 0} />)}
        {mark && <span class={`mark ${mark.tone}`} aria-hidden="true">{mark.text}</span>}
      </div>
    );
  };

  return (
    <>
      <div ref={root} role="grid" class={grid.lean ? 'grid leaning' : 'grid'} aria-label={t('board')} aria-description={t('keys')} onKeyDown={onKeyDown}
        style={{ '--columns': columns.length, '--rows': rows.length }}>
        <div role="row" class="coordinates">
          <div role="columnheader" class="coordinate"><span class="visually-hidden">{t('board')}</span></div>
          {columns.map((x, column) => <div role="columnheader" key={x} class="coordinate" style={lean(column, 0)}>{x}</div>)}
        </div>
        {rows.map((y, row) => (
          <div role="row" key={y} class="line">
            <div role="rowheader" class="coordinate">{y}</div>
            {columns.map((x, column) => cell(x, y, column, row))}
          </div>
        ))}
      </div>
      <Dialog open={asking.length > 0} title={t('which')} onClose={() => askFor([])}>
        <div class="stack">
          {asking.map(({ move }) => <Button key={move.text} onClick={() => { askFor([]); onMove(move.text); }}>{say(move.term)}</Button>)}
        </div>
      </Dialog>
    </>
  );
}

const titleOf = (thing: Thing, piece: Piece): string =>
  (thing.main || thing.name === thing.relation ? piece.title : `${thing.relation} ${piece.title}`);

function PieceView({ piece, small }: { piece: Piece; small: boolean }) {
  return (
    <span class={`piece ${piece.ink} ${small ? 'small' : ''}`} style={{ '--colour': piece.colour }} aria-hidden="true">
      {piece.text}
    </span>
  );
}
