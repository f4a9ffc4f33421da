// A board of places. One tab stop; arrows go from place to place, Enter or Space presses one.

import type { JSX } from 'preact';
import { useLanguage, useWords } from '../i18n';
import { useClicks } from './clicks';
import { colourOfRole, pieceOf, type Piece } from './pieces';
import { placeOf, type Thing } from './recognise';
import { letterOf } from './speech';
import { type At, type BoardProps, Question, useWalk } from './surface';
import { words } from './words';

export function GridBoard({ grid, index, things, roles, hints, ways, changed, hinted, marks, onMove }: BoardProps) {
  const t = useWords(words);
  const language = useLanguage();
  const { clicked, reachable, starts, asking, press, cancel, choose } = useClicks(ways, index, onMove);
  const { columns } = grid;
  const rows = grid.up ? [...grid.rows].reverse() : grid.rows;
  // Where rows lean, a place is two columns of the drawing wide.
  const lean = (column: number, row: number) => grid.lean &&
    { gridColumn: `${2 + 2 * column + (grid.lean === 'right' ? row : rows.length - 1 - row)} / span 2` };

  const painted = marks(clicked);

  // On the edge of the board: whose side it is.
  const edge = (column: number, row: number) => {
    const { top, right, bottom, left } = grid.sides;
    const sides = [
      left && column === 0 && `linear-gradient(to right, ${paint(left)} 50%, transparent 50%)`,
      right && column === columns.length - 1 && `linear-gradient(to left, ${paint(right)} 50%, transparent 50%)`,
      top && row === 0 && `linear-gradient(to bottom, ${paint(top)} 26%, transparent 26%)`,
      bottom && row === rows.length - 1 && `linear-gradient(to top, ${paint(bottom)} 26%, transparent 26%)`,
    ].filter(Boolean);
    return sides.length > 0 ? { '--edge': sides.join(', '), '--rim': '12%' } : {};
  };
  const paint = (side: string) => (roles.includes(side) ? colourOfRole(side, roles, hints) : side);

  const columnName = (x: string) => (grid.letters ? letterOf(x) : x);

  const { goTo, root, onKeyDown, tabIndex } = useWalk([0, 0], {
    neighbours: ([column, row]): Record<string, At> => ({
      ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1], Home: [0, row], End: [columns.length - 1, row],
    }),
    exists: ([column, row]) => columns[column] !== undefined && rows[row] !== undefined,
    press: ([column, row]) => press(placeOf(columns[column]!, rows[row]!)),
    cancel,
  });

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
      t('place', { x: columnName(x), y }),
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
        style={{ ...lean(column, row), ...edge(column, row) }} data-at={`${column} ${row}`} tabIndex={tabIndex([column, row])}
        onClick={() => { goTo([column, row]); press(place); }}>
        {pieces.map((piece, order) => <PieceView key={order} piece={piece} small={order > 0} />)}
        {mark && <span class={`mark ${mark.tone}`} aria-hidden="true">{mark.text}</span>}
      </div>
    );
  };

  return (
    <>
      <div ref={root} role="grid" class={`grid cells-${grid.cells} ${grid.lean ? 'leaning' : ''} ${grid.thin ? 'thin' : ''}`} aria-label={t('board')} aria-description={t('keys')} onKeyDown={onKeyDown}
        style={{ '--columns': columns.length, '--rows': rows.length, ...thinned(grid.thin, columns, rows) }}>
        <div role="row" class="coordinates">
          <div role="columnheader" class="coordinate"><span class="visually-hidden">{t('board')}</span></div>
          {columns.map((x, column) => <div role="columnheader" key={x} class="coordinate" style={lean(column, 0)}>{columnName(x)}</div>)}
        </div>
        {rows.map((y, row) => (
          <div role="row" key={y} class="line">
            <div role="rowheader" class="coordinate">{y}</div>
            {columns.map((x, column) => cell(x, y, column, row))}
          </div>
        ))}
      </div>
      <Question asking={asking} cancel={cancel} choose={choose} />
    </>
  );
}

// Narrow columns and rows between wide ones.
function thinned(thin: 'odd' | 'even' | undefined, columns: string[], rows: string[]): JSX.CSSProperties {
  if (!thin) return {};
  const size = (name: string) => ((Number(name) % 2 === 1) === (thin === 'odd') ? 0.34 : 1);
  const sum = (names: string[]) => names.reduce((all, name) => all + size(name), 0);
  return {
    gridTemplateColumns: `1.25rem ${columns.map((name) => `minmax(0, ${size(name)}fr)`).join(' ')}`,
    gridTemplateRows: `1.25rem ${rows.map((name) => `minmax(0, ${size(name)}fr)`).join(' ')}`,
    aspectRatio: `${sum(columns)} / ${sum(rows)}`,
  };
}

const titleOf = (thing: Thing, piece: Piece): string =>
  (thing.main || thing.name === thing.relation ? piece.title : `${thing.relation} ${piece.title}`);

function PieceView({ piece, small }: { piece: Piece; small: boolean }) {
  return (
    <span class={`piece ${piece.ink} ${piece.shape} ${small ? 'small' : ''}`} style={{ '--colour': piece.colour }} aria-hidden="true">
      {piece.text}
    </span>
  );
}
