// All that a position shows: its boards, and beside them what counts and what lies about.

import type { Hints, Term } from '../api';
import { inLanguage, useLanguage, useWords } from '../i18n';
import { GridBoard } from './grid';
import type { Way } from './moves';
import { PointsBoard } from './points';
import { arrange, type Grid, type View } from './recognise';
import { Specials } from './specials';
import type { Mark } from './surface';
import { isNumber } from './terms';
import { words } from './words';

interface Props {
  facts: Term[];
  before: Term[] | null;       // those of the position before, to mark what changed
  grids: Grid[];
  roles: string[];
  hints: Hints;
  ways: Way[];
  hinted: Way | null;
  marks: (grid: number, clicked: string[]) => Map<string, Mark>;
  onMove: (text: string) => void;
}

export function StateView({ facts, before, grids, roles, hints, ways, hinted, marks, onMove }: Props) {
  const t = useWords(words);
  const view = arrange(facts, grids, roles, hints);
  const past = before && arrange(before, grids, roles, hints);
  const nothing = grids.length + view.counters.length + view.cards.length + view.dice.length + view.hands.length + view.sheets.length + view.numbers.length === 0;
  return (
    <div class="state">
      {grids.map((grid, index) => {
        const Board = grid.cells === 'point' ? PointsBoard : GridBoard;
        return <Board key={index} grid={grid} index={index} things={view.boards[index]!} roles={roles} hints={hints}
          ways={ways} changed={changedPlaces(view, past, index)} onMove={onMove}
          hinted={new Set(hinted?.grid === index ? hinted.clicks.flatMap((places) => [...places]) : [])}
          marks={(clicked) => marks(index, clicked)} />;
      })}
      <Specials view={view} roles={roles} hints={hints} />
      {nothing && <p class="muted">{t('nothing')}</p>}
      <Rest view={view} hints={hints} />
    </div>
  );
}

function Rest({ view: { counters: counted, cards, numbers }, hints }: { view: View; hints: Hints }) {
  const counters = [...counted, ...[...new Set(numbers.map(({ relation }) => relation))].map((relation) => (
    { relation, items: numbers.filter((one) => one.relation === relation) }))];
  const language = useLanguage();
  const named = (relation: string) => (hints.facts?.[relation] ? inLanguage(hints.facts[relation], language) : readable(relation));
  if (counters.length + cards.length === 0) return null;
  return (
    <dl class="rest">
      {counters.map(({ relation, items }) => (
        <div key={relation}>
          <dt>{named(relation)}</dt>
          {items.map(({ label, amount }) => (
            <dd key={label} class="counter">
              {label && <Said text={label} hints={hints} />} <strong>{amount}</strong>
              {label && !isNumber(label) && counted.some((one) => one.relation === relation) && amount > 0 && amount <= 21 && <span class="pips" aria-hidden="true">{'●'.repeat(amount)}</span>}
            </dd>
          ))}
        </div>
      ))}
      {cards.map(({ relation, items }) => (
        <div key={relation}>
          <dt>{named(relation)}</dt>
          {items.map((item) => <dd key={item} class="lying">{item ? <Said text={item} hints={hints} /> : '✓'}</dd>)}
        </div>
      ))}
    </dl>
  );
}

// Words as the hints have them: a card by its sign, a role by its title.
function Said({ text, hints }: { text: string; hints: Hints }) {
  const language = useLanguage();
  const said = text.split(' ').map((word, index) => {
    const piece = hints.pieces?.[word];
    const title = piece?.title ?? hints.roles?.[word]?.title;
    return (
      <span key={index}>
        {piece?.text && <span class="sign" aria-hidden="true">{piece.text}</span>} {title ? inLanguage(title, language) : readable(word)}{' '}
      </span>
    );
  });
  return <span>{said}</span>;
}

const readable = (name: string): string => name.replaceAll('_', ' ');

function changedPlaces(now: View, past: View | null, grid: number): Set<string> {
  if (!past) return new Set();
  const [there, then] = [now.boards[grid]!, past.boards[grid]!];
  const same = (place: string) => JSON.stringify(there.get(place)) === JSON.stringify(then.get(place));
  return new Set([...there.keys(), ...then.keys()].filter((place) => !same(place)));
}
