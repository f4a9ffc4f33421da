// A text of one's own: written, pasted or from a file, checked while it changes, and played when it is sound.

import './editor.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Check, type Finding, type Hints, type Kind } from '../api';
import { Code } from '../editor/code';
import { HintEditor } from '../editor/hints';
import { acceptedFiles, kindOfFile, kindOfText } from '../editor/kinds';
import { isMine, loadGame, openParameters, saveMine } from '../games';
import { inLanguage, type Translate, useLanguage, useWords } from '../i18n';
import { marks } from '../marks';
import { go, type Screen } from '../router';
import { remember, remembered } from '../setting';
import { Button, Field, Problem, Select, Spinner, Tag, Title, type Tone, useAnswer, useWork } from '../ui';

interface Draft { name: string; kind: Kind; text: string; parameters?: Record<string, string>; hints?: Hints }

export default function Editor({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const id = args.get('game');
  const { answer: draft, problem } = useAnswer(async () => (id ? copyOf(id, language) : lastDraft()), [id]);
  return (
    <div class="stack editor">
      <header>
        <Title text={t('title')} />
        <p class="muted">{t('about')}</p>
      </header>
      <Problem problem={problem} />
      {draft ? <Desk key={id} draft={draft} /> : !problem && <Spinner label={t('loading')} />}
    </div>
  );
}

async function copyOf(id: string, language: 'en' | 'fr'): Promise<Draft> {
  const { game } = await loadGame(id);
  const parameters = Object.fromEntries(game.parameters.map(({ name, value }) => [name, value]));
  const name = isMine(id) ? id.slice('mine/'.length) : inLanguage(game.title, language);
  return { name, kind: game.kind, text: game.text, parameters, hints: game.hints };
}

// What was written last, so that nothing is lost by leaving the screen.
function lastDraft(): Draft {
  try {
    const draft = JSON.parse(remembered('draft') ?? '') as Draft;
    if (draft.text) return draft;
  } catch { /* there is none */ }
  return { name: '', kind: 'gdl', text: '' };
}

function Desk({ draft }: { draft: Draft }) {
  const t = useWords(words);
  const language = useLanguage();
  const [name, setName] = useState(draft.name);
  const [kind, setKind] = useState(draft.kind);
  const [text, setText] = useState(draft.text);
  const [given, give] = useState({ text: draft.text });   // the editor owns the text; this replaces it
  const [values, setValues] = useState(draft.parameters ?? {});
  const [hints, setHints] = useState<Hints>(draft.hints ?? {});
  const [goal, jump] = useState<Finding | null>(null);
  const [checked, setChecked] = useState<{ question: string; check: Check } | null>(null);
  const parameters = Object.fromEntries(openParameters(kind, text).map((open) => [open, values[open] ?? '']));
  const question = JSON.stringify({ kind, text, parameters });

  const { running, problem } = useWork(async (signal) => {
    await pause(400, signal);
    if (text.trim() === '') return setChecked(null);
    const check = await ask<Check>('/api/check', { kind, text, parameters }, signal);
    setChecked({ question, check });
  }, [question, language]);

  useEffect(() => {
    if (name !== draft.name || text !== draft.text || hints !== draft.hints) remember('draft', JSON.stringify({ name, kind, text, parameters, hints }));
  }, [name, question, hints]);

  const write = (next: string) => {
    // A text that begins in another way may be of another kind; else it keeps the one that was chosen.
    const guess = kindOfText(next);
    if (guess && guess !== kindOfText(text)) setKind(guess);
    setText(next);
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    const next = await file.text();
    setKind(kindOfFile(file.name) ?? kindOfText(next) ?? kind);
    setName(name || file.name.replace(/\.\w+$/, ''));
    setText(next);
    give({ text: next });
  };

  const check = checked?.check ?? null;
  const sound = checked !== null && checked.question === question && checked.check.playable;
  const use = (screen: Screen) => {
    const { seats, tags } = check!;
    go(screen, { game: saveMine(name.trim() || t('nameless'), kind, text, { seats, tags, parameters }, hints) });
  };

  return (
    <>
      <div class="row end head">
        <Field class="name" label={t('name')} value={name} placeholder={t('nameless')} onInput={setName} />
        <Select label={t('kind')} value={kind} options={kinds} onChange={setKind} />
        <FileButton label={t('file')} onFile={open} />
      </div>
      {Object.keys(parameters).length > 0 && (
        <fieldset class="row end">
          <legend>{t('parameters')}</legend>
          {Object.entries(parameters).map(([open, value]) => (
            <Field key={open} class="parameter" label={open} value={value} onInput={(next) => setValues({ ...values, [open]: next })} />
          ))}
        </fieldset>
      )}
      <div class="desk">
        <div onDragOver={(event) => event.preventDefault()} onDropCapture={(event) => {
          const file = event.dataTransfer?.files[0];
          if (!file) return;
          event.preventDefault();
          event.stopPropagation();
          void open(file);
        }}>
          <Code label={t('text')} kind={kind} given={given} findings={check?.findings ?? nothing} goal={goal} onText={write} />
        </div>
        <section class="stack" aria-label={t('findings')}>
          <h2>{t('findings')}</h2>
          <div aria-live="polite">
            {text.trim() === '' ? <p class="muted">{t('empty')}</p>
              : running ? <Spinner label={t('checking')} />
              : problem === null && check && <Verdict check={check} t={t} />}
          </div>
          <Problem problem={problem} />
          {check && <Findings findings={check.findings} onChoose={(finding) => jump({ ...finding })} />}
          {check && check.seats.length > 0 && <p><strong>{t('seats')}</strong> {check.seats.join(', ')}</p>}
          {check && check.tags.length > 0 && <div class="row">{check.tags.map((tag) => <Tag key={tag}>{t(tag)}</Tag>)}</div>}
          <div class="row">
            {actions(kind, check).map(([screen, label], place) => (
              <Button key={screen} look={place === 0 ? 'primary' : 'plain'} disabled={!sound} onClick={() => use(screen)}>{t(label)}</Button>
            ))}
          </div>
          <p class="muted"><small>{t('kept')}</small></p>
        </section>
      </div>
      {kind === 'gdl' && check?.playable && checked && (
        <details class="card">
          <summary>{t('looks')}</summary>
          <HintEditor game={{ kind, text: (JSON.parse(checked.question) as { text: string }).text }} hints={hints} onChange={setHints} />
        </details>
      )}
    </>
  );
}

const nothing: Finding[] = [];
const kinds: { value: Kind; label: string }[] = [
  { value: 'gdl', label: 'GDL' },
  { value: 'minizinc', label: 'MiniZinc' },
  { value: 'graph', label: 'JSON / DOT' },
];

function actions(kind: Kind, check: Check | null): [Screen, 'play' | 'solve' | 'draw' | 'tree'][] {
  if (kind === 'gdl') return [['play', 'play'], ['strategy', 'solve']];
  if (kind === 'graph') return [['graph', 'draw'], ['strategy', 'solve'], ['play', 'play']];
  return check?.tags.includes('stochastic') ? [['strategy', 'solve']] : [['strategy', 'solve'], ['play', 'play'], ['tree', 'tree']];
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
  });
}

function FileButton({ label, onFile }: { label: string; onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input ref={input} type="file" accept={acceptedFiles} hidden aria-label={label}
        onChange={(event) => { onFile(event.currentTarget.files?.[0]); event.currentTarget.value = ''; }} />
    </>
  );
}

function Verdict({ check, t }: { check: Check; t: Translate<typeof words> }) {
  const count = (severity: Finding['severity']) => check.findings.filter((finding) => finding.severity === severity).length;
  const errors = count('error');
  const warnings = count('warning');
  const said = [
    errors > 0 && t(errors === 1 ? 'oneError' : 'errors', { n: errors }),
    warnings > 0 && t(warnings === 1 ? 'oneWarning' : 'warnings', { n: warnings }),
  ].filter(Boolean).join(', ');
  const tone: Tone = !check.playable ? 'bad' : warnings > 0 ? 'warning' : 'good';
  return (
    <div class="row">
      <Tag tone={tone}>{check.playable ? `✓ ${t('sound')}` : `✕ ${t('broken')}`}</Tag>
      {said && <span>{said}</span>}
    </div>
  );
}

function Findings({ findings, onChoose }: { findings: Finding[]; onChoose: (finding: Finding) => void }) {
  const t = useWords(words);
  return (
    <ol class="findings">
      {findings.map((finding, place) => (
        <li key={place} class={finding.severity}>
          {finding.line > 0 && (
            <Button look="quiet" onClick={() => onChoose(finding)}>{t('place', { line: finding.line, column: finding.column })}</Button>
          )}
          <div>
            <strong>{t(finding.severity)}</strong> {finding.message}
            {finding.remedy && <p class="muted">{finding.remedy}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

const words = {
  ...marks,
  title: { en: 'Editor', fr: 'Éditeur' },
  about: {
    en: 'Write or paste the rules of a game in GDL, a model in MiniZinc, or a graph; or drop a file here.',
    fr: 'Écrivez ou collez les règles d’un jeu en GDL, un modèle en MiniZinc ou un graphe ; ou déposez un fichier ici.',
  },
  loading: { en: 'Loading …', fr: 'Chargement …' },
  name: { en: 'Name', fr: 'Nom' },
  nameless: { en: 'My game', fr: 'Mon jeu' },
  kind: { en: 'Language', fr: 'Langage' },
  file: { en: 'Open a file …', fr: 'Ouvrir un fichier …' },
  parameters: { en: 'Parameters of the model', fr: 'Paramètres du modèle' },
  text: { en: 'Text of the game', fr: 'Texte du jeu' },
  findings: { en: 'Check results', fr: 'Résultats de la vérification' },
  empty: { en: 'Nothing to check yet.', fr: 'Rien à vérifier pour l’instant.' },
  checking: { en: 'Checking …', fr: 'Vérification …' },
  sound: { en: 'Can be played', fr: 'Jouable' },
  broken: { en: 'Cannot be played', fr: 'Non jouable' },
  oneError: { en: '1 error', fr: '1 erreur' },
  errors: { en: '{n} errors', fr: '{n} erreurs' },
  oneWarning: { en: '1 warning', fr: '1 avertissement' },
  warnings: { en: '{n} warnings', fr: '{n} avertissements' },
  place: { en: 'Line {line}, column {column}', fr: 'Ligne {line}, colonne {column}' },
  error: { en: 'Error:', fr: 'Erreur :' },
  warning: { en: 'Warning:', fr: 'Avertissement :' },
  note: { en: 'Note:', fr: 'Remarque :' },
  seats: { en: 'Players:', fr: 'Joueurs :' },
  play: { en: 'Play it', fr: 'Jouer' },
  solve: { en: 'Solve it', fr: 'Résoudre' },
  draw: { en: 'Draw it', fr: 'Dessiner' },
  tree: { en: 'Search tree', fr: 'Arbre de recherche' },
  looks: { en: 'The board', fr: 'Le plateau' },
  kept: {
    en: 'Your text is stored in this browser. The program receives it only to check, play or solve the game.',
    fr: 'Votre texte est enregistré dans ce navigateur. Le programme ne le reçoit que pour vérifier, jouer ou résoudre le jeu.',
  },
};
