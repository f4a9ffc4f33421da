// What boards have in common, whatever their places look like: one tab stop, arrows that go from place to place, Enter or
// Space that press one, and a question where clicks mean several moves.

import { useRef, useState } from 'preact/hooks';
import type { Hints } from '../api';
import { useWords } from '../i18n';
import { Button, Dialog } from '../ui';
import type { Clicks } from './clicks';
import type { Way } from './moves';
import type { Grid, Thing } from './recognise';
import { useSay } from './speech';
import { words } from './words';

// What a move to a place is worth, painted there.
export interface Mark { text: string; tone: 'good' | 'neutral' | 'bad'; title: string }

export interface BoardProps {
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

export type At = [number, number];

interface Ground {
  neighbours: (at: At) => Record<string, At>;   // by key
  exists: (at: At) => boolean;
  press: (at: At) => void;
  cancel: () => void;
}

// The elements of places say where they are in data-at.
export function useWalk(first: At, { neighbours, exists, press, cancel }: Ground) {
  const [at, goTo] = useState<At>(first);
  const root = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbours(at)[event.key];
    if (event.key === 'Escape') cancel();
    else if (event.key === 'Enter' || event.key === ' ') press(at);
    else if (!next) return;
    event.preventDefault();
    if (!next || !exists(next)) return;
    goTo(next);
    root.current?.querySelector<HTMLElement>(`[data-at="${next.join(' ')}"]`)?.focus();
  };
  const tabIndex = (one: At) => (at[0] === one[0] && at[1] === one[1] ? 0 : -1);
  return { goTo, root, onKeyDown, tabIndex };
}

export function Question({ asking, cancel, choose }: Pick<Clicks, 'asking' | 'cancel' | 'choose'>) {
  const t = useWords(words);
  const say = useSay();
  return (
    <Dialog open={asking.length > 0} title={t('which')} onClose={cancel}>
      <div class="stack">
        {asking.map(({ move }) => <Button key={move.text} onClick={() => choose(move.text)}>{say(move.term)}</Button>)}
      </div>
    </Dialog>
  );
}
