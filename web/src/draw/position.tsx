// A position at a glance: small boards where there are any, the rest in words.

import './position.css';
import type { Game, Term } from '../api';
import { pieceOf } from '../board/pieces';
import { arrange, placeOf, recognise, type Grid, type Thing } from '../board/recognise';
import { useLanguage } from '../i18n';

interface Props {
  facts: Term[];
  seen: Term[];   // facts of other positions, which tell how large a board is
  game: Game;
}

export function Position({ facts, seen, game }: Props) {
  if (facts.length === 0) return null;
  const grids = recognise(seen, facts, game.text, game.hints);
  const { boards, counters, cards } = arrange(facts, grids, game.seats);
  const rest = [
    ...counters.flatMap(({ relation, items }) => items.map(({ label, amount }) => [relation, label, amount].filter((part) => part !== '').join(' '))),
    ...cards.flatMap(({ relation, items }) => items.map((item) => `${relation} ${item}`.trim())),
  ];
  return (
    <div class="position">
      {grids.map((grid, index) => <Board key={index} grid={grid} things={boards[index]!} game={game} />)}
      {rest.length > 0 && <ul class="position-facts">{rest.map((fact) => <li key={fact}>{fact.replaceAll('_', ' ')}</li>)}</ul>}
    </div>
  );
}

function Board({ grid, things, game }: { grid: Grid; things: Map<string, Thing[]>; game: Game }) {
  const language = useLanguage();
  const rows = grid.up ? [...grid.rows].reverse() : grid.rows;
  return (
    <table class="position-board">
      <tbody>
        {rows.map((y) => (
          <tr key={y}>
            <th scope="row">{y}</th>
            {grid.columns.map((x) => {
              const place = placeOf(x, y);
              const thing = things.get(place)?.[0];
              const piece = thing && pieceOf(thing.name, game.seats, game.hints, language);
              return (
                <td key={x} class={grid.places.has(place) ? 'place' : ''}>
                  {piece && <span class={`piece ${piece.ink}`} style={{ background: piece.colour }} title={piece.title}>{piece.text || <span class="visually-hidden">{piece.title}</span>}</span>}
                </td>
              );
            })}
          </tr>
        ))}
        <tr><td />{grid.columns.map((x) => <th key={x} scope="col">{x}</th>)}</tr>
      </tbody>
    </table>
  );
}
