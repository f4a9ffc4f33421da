// Take a play along: as a link, as a file, as text; and bring one back.

import { useEffect, useId, useState } from 'preact/hooks';
import { type Game, type Step } from '../api';
import { download } from '../draw/download';
import { packed } from '../games';
import { useWords } from '../i18n';
import { href, type Args } from '../router';
import { Button, Field, FileButton, Notice } from '../ui';
import { playOf, textOf } from './link';
import type { Session, State } from './session';
import { words } from './words';

// The file: what a play is, and whose game.
interface File { format: 'zermelo play'; game: string; steps: Step[]; play: string; seats: Record<string, string>; seconds: number }

export function Share({ game, session, state, kept }: { game: Game; session: Session; state: State; kept: Args }) {
  const t = useWords(words);
  const id = useId();
  const [said, say] = useState('');
  const [text, setText] = useState<string | null>(null);
  const { entries, seats, seconds } = state;
  const name = game.id.replace(/\W+/g, '-');
  const [rules, setRules] = useState<string | null>(null);
  useEffect(() => { void packed(game.id).then(setRules); }, [game]);
  const address = `${location.origin}${location.pathname}${href('play', { game: game.id, ...kept, play: playOf(entries), ...(rules === null ? {} : { rules }) })}`;
  const written = text ?? (entries.length > 0 ? textOf(entries) : '');

  const copy = async () => {
    try { await navigator.clipboard.writeText(address); } catch { /* the field below shows it */ }
    say(t('copied'));
  };
  const saveJson = () => {
    const file: File = { format: 'zermelo play', game: game.id, steps: session.steps, play: playOf(entries), seats, seconds };
    download(`${name}.play.json`, new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }));
  };
  const open = (play: string, from: Partial<File> = {}) => {
    say('');
    setText(null);
    void session.open(play, from.seats ?? null, from.seconds ?? null);
  };
  const read = async (picked: globalThis.File) => {
    const content = await picked.text();
    if (!content.trimStart().startsWith('{')) return open(content);
    try {
      const file = JSON.parse(content) as Partial<File>;
      if (typeof file.play !== 'string') return say(t('noPlay'));
      if (file.game !== undefined && file.game !== game.id) return say(t('otherGame', { game: file.game }));
      open(file.play, file);
    } catch { say(t('noPlay')); }
  };

  return (
    <details class="card share">
      <summary>{t('share')}</summary>
      <div class="stack">
        <div class="row">
          <Button onClick={() => void copy()}>{t('copyLink')}</Button>
          <Button onClick={saveJson}>{t('asJson')}</Button>
          <Button onClick={() => download(`${name}.moves.txt`, new Blob([textOf(entries)], { type: 'text/plain' }))}>{t('asText')}</Button>
          <FileButton label={t('openFile')} accept=".json,.txt" onFile={(file) => void read(file)} />
        </div>
        {said && <Notice>{said}</Notice>}
        <Field label={t('linkIs')} value={address} readOnly onInput={() => {}} onFocus={(event) => event.currentTarget.select()} />
        <div class="field">
          <label for={id}>{t('moveText')}</label>
          <textarea id={id} aria-describedby={`${id}-hint`} spellcheck={false} value={written} onInput={(event) => setText(event.currentTarget.value)} />
          <small id={`${id}-hint`}>{t('moveHint')}</small>
        </div>
        <div class="row"><Button onClick={() => open(written)}>{t('openText')}</Button></div>
      </div>
    </details>
  );
}
