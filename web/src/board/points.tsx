// A board of points: stones stand on long triangles, half of them above and half below, and the play goes round.

import { useLanguage, useWords } from '../i18n';
import { useClicks } from './clicks';
import { pieceOf } from './pieces';
import { placeOf } from './recognise';
import { type At, type BoardProps, Question, useWalk } from './surface';
import { words } from './words';

const tall = 5;   // stones that are drawn one above the other

export function PointsBoard({ grid, index, things, roles, hints, ways, changed, hinted, marks, onMove }: BoardProps) {
  const t = useWords(words);
  const language = useLanguage();
  const { clicked, reachable, asking, press, cancel, choose } = useClicks(ways, index, onMove);
  const { columns } = grid;
  const half = Math.ceil(columns.length / 2);
  const lines = [columns.slice(half), columns.slice(0, half).reverse()];   // above, below
  const painted = marks(clicked);
  const placesOf = (x: string) => grid.rows.map((y) => placeOf(x, y));

  const { goTo, root, onKeyDown, tabIndex } = useWalk([1, 0], {
    neighbours: ([line, point]): Record<string, At> => ({
      ArrowLeft: [line, point - 1], ArrowRight: [line, point + 1], ArrowUp: [0, point], ArrowDown: [1, point],
    }),
    exists: ([line, point]) => lines[line]?.[point] !== undefined,
    press: ([line, point]) => press(placeOf(lines[line]![point]!, grid.rows[0]!)),
    cancel,
  });

  const point = (x: string, line: number, place: number) => {
    const places = placesOf(x);
    const stones = places.flatMap((one) => things.get(one) ?? []);
    const pieces = stones.flatMap(({ name }) => pieceOf(name, roles, hints, language) ?? []);
    const canGo = places.some((one) => reachable.has(one));
    const mark = places.map((one) => painted.get(one)).find(Boolean);
    const label = [
      t('point', { x }),
      pieces.length === 0 ? t('empty') : t('stones', { n: pieces.length, title: pieces[0]!.title }),
      canGo && t('canPlay'),
      places.some((one) => hinted.has(one)) && t('hinted'),
      places.some((one) => changed.has(one)) && t('changed'),
      mark?.title,
    ].filter(Boolean).join(', ');
    const classes = ['point', place % 2 === 0 ? 'even' : 'odd', canGo && 'open',
      places.some((one) => changed.has(one)) && 'changed', places.some((one) => hinted.has(one)) && 'hinted'].filter(Boolean).join(' ');
    return (
      <div role="gridcell" key={x} class={classes} aria-label={label} data-point={x} data-at={`${line} ${place}`}
        tabIndex={tabIndex([line, place])} onClick={() => { goTo([line, place]); press(places[0]!); }}>
        <span class="number" aria-hidden="true">{x}</span>
        {pieces.slice(0, tall).map((piece, order) => (
          <span key={order} class={`stone ${piece.ink}`} style={{ '--colour': piece.colour }} aria-hidden="true">
            {order === tall - 1 && pieces.length > tall ? pieces.length : piece.text}
          </span>
        ))}
        {mark && <span class={`mark ${mark.tone}`} aria-hidden="true">{mark.text}</span>}
      </div>
    );
  };

  return (
    <>
      <div ref={root} role="grid" class="points" aria-label={t('board')} aria-description={t('keys')} onKeyDown={onKeyDown}>
        {lines.map((line, number) => (
          <div role="row" key={number} class={number === 0 ? 'above' : 'below'}>{line.map((x, place) => point(x, number, place))}</div>
        ))}
      </div>
      <Question asking={asking} cancel={cancel} choose={choose} />
    </>
  );
}
