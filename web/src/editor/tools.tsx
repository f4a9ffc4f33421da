// The buttons above a text: what a name means, where it is given, another name for it, and the usual layout. Each has
// its key in the text, too.

import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Kind } from '../api';
import { useWords } from '../i18n';
import { Button, Dialog, Field, Live, Problem } from '../ui';
import { format, hasLayout, hasNames, type Name, nameAtCursor, rename, type Tools } from './names';

export interface Asking { name: Name | null; problem: unknown; said: 'noName' | 'noChange' | 'done' | null }
export const notAsking: Asking = { name: null, problem: null, said: null };

export async function askForName(view: EditorView, kind: Kind, show: (asking: Asking) => void): Promise<void> {
  try {
    const name = await nameAtCursor(view, kind);
    show({ ...notAsking, name, said: name ? null : 'noName' });
  } catch (problem) {
    show({ ...notAsking, problem });
  }
}

interface ToolbarProps { kind: Kind; view: EditorView | null; tools: Tools | null; asking: Asking; show: (asking: Asking) => void }

export function Toolbar({ kind, view, tools, asking, show }: ToolbarProps) {
  const t = useWords(words);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !asking.name) view?.focus();
    wasOpen.current = asking.name !== null;
  }, [asking.name]);
  if (!view || !tools || !hasNames(kind)) return null;
  const layOut = () => {
    format(view, kind).then((changed) => show({ ...notAsking, said: changed ? 'done' : 'noChange' }), (problem: unknown) => show({ ...notAsking, problem }));
  };
  return (
    <>
      <div class="row tools" role="toolbar" aria-label={t('tools')}>
        <Button look="quiet" aria-keyshortcuts="F1" onClick={() => { view.focus(); tools.explain(view); }}>{t('explain')}<kbd aria-hidden="true">F1</kbd></Button>
        <Button look="quiet" aria-keyshortcuts="F12" onClick={() => tools.define(view)}>{t('define')}<kbd aria-hidden="true">F12</kbd></Button>
        <Button look="quiet" aria-keyshortcuts="F2" onClick={() => void askForName(view, kind, show)}>{t('rename')}<kbd aria-hidden="true">F2</kbd></Button>
        {hasLayout(kind) && <Button look="quiet" onClick={layOut}>{t('format')}</Button>}
      </div>
      {asking.said === 'noName' || asking.said === 'noChange' ? <p class="muted" role="status">{t(asking.said)}</p> : <Live>{asking.said && t(asking.said)}</Live>}
      {!asking.name && <Problem problem={asking.problem} />}
      {asking.name && <Rename kind={kind} view={view} name={asking.name} problem={asking.problem} show={show} />}
    </>
  );
}

interface RenameProps { kind: Kind; view: EditorView; name: Name; problem: unknown; show: (asking: Asking) => void }

function Rename({ kind, view, name, problem, show }: RenameProps) {
  const t = useWords(words);
  const [next, setNext] = useState(name.text);
  const close = () => show(notAsking);
  const submit = (event: Event) => {
    event.preventDefault();
    rename(view, kind, name, next.trim()).then(close, (refused: unknown) => show({ ...notAsking, name, problem: refused }));
  };
  return (
    <Dialog open title={t('renameTitle', { name: name.text })} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <Field label={t('newName')} value={next} onInput={setNext} autofocus autocomplete="off" spellcheck={false}
          hint={t(name.places === 1 ? 'onePlace' : 'places', { n: name.places })} />
        <Problem problem={problem} />
        <div class="row">
          <Button look="primary" type="submit" disabled={next.trim() === '' || next.trim() === name.text}>{t('doRename')}</Button>
          <Button onClick={close}>{t('cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

const words = {
  tools: { en: 'Editing tools', fr: 'Outils d’édition' },
  explain: { en: 'Explain the name', fr: 'Expliquer le nom' },
  define: { en: 'Go to definition', fr: 'Aller à la définition' },
  rename: { en: 'Rename …', fr: 'Renommer …' },
  format: { en: 'Format', fr: 'Mettre en forme' },
  noName: { en: 'Put the cursor on a name of the text first.', fr: 'Placez d’abord le curseur sur un nom du texte.' },
  noChange: { en: 'Nothing to change: the text has the usual layout, or an error.', fr: 'Rien à changer : le texte a la mise en forme habituelle, ou une erreur.' },
  done: { en: 'The text is formatted.', fr: 'Le texte est mis en forme.' },
  renameTitle: { en: 'Rename {name}', fr: 'Renommer {name}' },
  newName: { en: 'New name', fr: 'Nouveau nom' },
  onePlace: { en: 'It stands in one place.', fr: 'Il figure à un endroit.' },
  places: { en: 'It stands in {n} places.', fr: 'Il figure à {n} endroits.' },
  doRename: { en: 'Rename', fr: 'Renommer' },
  cancel: { en: 'Cancel', fr: 'Annuler' },
};
