// What happened so far: all of it, or what one player did and saw.

import { useEffect, useRef } from 'preact/hooks';
import type { Position } from '../api';
import { useSay } from '../board/speech';
import { say as sayFact } from '../board/terms';
import { useWords } from '../i18n';
import type { Entry } from './session';
import { words } from './words';

interface Props { entries: Entry[]; position: Position; viewer: string | null; title: (role: string) => string; onGo: (steps: number) => void }

export function History({ entries, position, viewer, title, onGo }: Props) {
  const t = useWords(words);
  const say = useSay();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => { list.current?.scrollTo({ top: list.current.scrollHeight }); }, [entries.length]);
  const seen = viewer === null ? null : position.seen;
  return (
    <div class="card stack">
      <h2 id="history">{t('history')}</h2>
      {entries.length === 0 && <p class="muted">{t('nothingYet')}</p>}
      <div class="scroll history" ref={list} tabIndex={0} role="region" aria-labelledby="history">
        <ol>
          {seen
            ? seen.map(({ own, percepts }, index) => (
              <li key={index}>
                {title(viewer!)}: {say(own)}
                {percepts.length > 0 && <span class="muted">; {t('saw', { percepts: percepts.map(sayFact).join(', ') })}</span>}
              </li>
            ))
            : entries.map(({ step, by, forced }, index) => (
              <li key={index}>
                <button type="button" class="ply-link" title={t('goTo', { n: index + 1 })} onClick={() => onGo(index + 1)}>
                  {by.length === 0 && <span class="muted">{t('forced')}</span>}
                  {by.map((role) => <span key={role} class="did"><strong>{title(role)}</strong> {say(step[role] ?? '')}</span>)}
                  {forced && by.length > 0 && <span class="muted"> ({t('onlyMove')})</span>}
                </button>
              </li>
            ))}
        </ol>
      </div>
    </div>
  );
}
