// The moves to choose from, as a list; all that can be done by clicking can be done here, too.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Value } from '../analysis/analysis';
import type { Legal } from '../board/moves';
import { useSay } from '../board/speech';
import { useWords } from '../i18n';
import { Field, Tag } from '../ui';
import { words } from './words';

interface Props {
  role: string | null;         // null: nobody has to choose
  heading: string;
  legal: Legal[];
  clickable: boolean;          // on the board, all of them
  hint: string | null;
  values: Map<string, Value>;
  onMove: (text: string) => void;
}

const many = 12;    // a filter helps
const long = 30;    // better folded away where a board can be clicked

export function MoveList({ role, heading, legal, clickable, hint, values, onMove }: Props) {
  const t = useWords(words);
  const id = useId();
  const say = useSay();
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLElement>(null);
  useEffect(() => setFilter(''), [role, legal.length]);
  const shown = legal.filter(({ term }) => say(term).includes(filter.trim()));
  const choose = (text: string) => {
    list.current?.focus();   // the button goes, and what is next is here again
    onMove(text);
  };
  return (
    <section class="card stack" ref={list} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {role === null && <p class="muted">{t('noMoves')}</p>}
      {role !== null && (
        <details open={!clickable || legal.length <= long}>
          <summary>{t('count', { n: legal.length })}</summary>
          {legal.length > many && <Field label={t('filter')} type="search" value={filter} onInput={setFilter} />}
          <ul class="move-list">
            {shown.map(({ text, term }) => {
              const value = values.get(text);
              return (
                <li key={text}>
                  <button type="button" class={`button ${text === hint ? 'hinted' : ''}`} onClick={() => choose(text)}>
                    <span>{say(term)}</span>
                    {value && <Tag tone={value.tone} title={value.title}>{value.estimate || value.mixed ? value.text : value.title}</Tag>}
                    {text === hint && <Tag tone="accent">{t('hint')}</Tag>}
                  </button>
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </section>
  );
}
