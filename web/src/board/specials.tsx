// Dice, cards and score sheets, where the hints of a game say that facts are such.

import type { Hints } from '../api';
import { inLanguage, useLanguage, useWords } from '../i18n';
import { pieceOf } from './pieces';
import type { Sheet, View } from './recognise';
import { words } from './words';

const sides = ['one', 'two', 'three', 'four', 'five', 'six'];
const spots: [number, number][][] = [
  [[2, 2]], [[1, 1], [3, 3]], [[1, 1], [2, 2], [3, 3]], [[1, 1], [1, 3], [3, 1], [3, 3]],
  [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]], [[1, 1], [1, 3], [2, 1], [2, 3], [3, 1], [3, 3]],
];

export function Specials({ view, roles, hints }: { view: View; roles: string[]; hints: Hints }) {
  const t = useWords(words);
  const titled = useTitles(hints);
  return (
    <>
      {view.dice.map((dice, index) => (
        <ul key={index} class="dice" aria-label={t('dice')}>{dice.map((side, place) => <li key={place}><Die side={side} /></li>)}</ul>
      ))}
      {view.hands.map(({ owner, cards }) => (
        <div key={owner} class="hand">
          {owner && <strong>{titled(owner)}</strong>}
          <ul aria-label={t('cards')}>{cards.map((card, place) => <li key={place}><Card name={card} roles={roles} hints={hints} /></li>)}</ul>
        </div>
      ))}
      {view.sheets.map((sheet, index) => <ScoreSheet key={index} sheet={sheet} titled={titled} />)}
    </>
  );
}

export function useTitles(hints: Hints): (name: string) => string {
  const language = useLanguage();
  return (name) => {
    const said = hints.pieces?.[name]?.title ?? hints.roles?.[name]?.title;
    return said ? inLanguage(said, language) : name.replaceAll('_', ' ');
  };
}

function Die({ side }: { side: string }) {
  const number = /^[1-6]$/.test(side) ? Number(side) : sides.indexOf(side) + 1;
  if (number === 0) return <span class="die">{side}</span>;
  return (
    <svg class="die" viewBox="0 0 40 40" role="img" aria-label={String(number)}>
      <rect x="1" y="1" width="38" height="38" rx="7" />
      {spots[number - 1]!.map(([row, column]) => <circle key={`${row} ${column}`} cx={column * 10} cy={row * 10} r="3.6" />)}
    </svg>
  );
}

function Card({ name, roles, hints }: { name: string; roles: string[]; hints: Hints }) {
  const language = useLanguage();
  const piece = pieceOf(name, roles, hints, language);
  const text = piece?.text || name;
  return (
    <span class={`playing-card ${/[♥♦]/.test(text) ? 'red' : ''}`} role="img" aria-label={piece?.title ?? name}>
      <span aria-hidden="true">{text}</span>
    </span>
  );
}

function ScoreSheet({ sheet: { columns, rows, values }, titled }: { sheet: Sheet; titled: (name: string) => string }) {
  const t = useWords(words);
  return (
    <table class="score-sheet">
      <caption>{t('sheet')}</caption>
      <thead><tr><td />{columns.map((column) => <th key={column} scope="col">{titled(column)}</th>)}</tr></thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}><th scope="row">{titled(row)}</th>{columns.map((column) => <td key={column}>{values.get(`${column},${row}`) ?? ''}</td>)}</tr>
        ))}
      </tbody>
    </table>
  );
}
