// How the position of one's own game is drawn: the hints, and beside them what they make of the first position.

import '../screens/play.css';
import { useMemo, useState } from 'preact/hooks';
import { ask, type BoardHint, type GameRef, type Hints, type PieceHint, type Position, type Term } from '../api';
import { pieceOf } from '../board/pieces';
import { arrange, recognise } from '../board/recognise';
import { StateView } from '../board/state';
import { argumentsOf, nameOf } from '../board/terms';
import { useLanguage, useWords } from '../i18n';
import { Checkbox, Field, Problem, Select, Spinner, useAnswer } from '../ui';

interface Props { game: GameRef; hints: Hints; onChange: (hints: Hints) => void }

const cells = ['square', 'hexagon', 'hole', 'point'] as const;

export function HintEditor({ game, hints, onChange }: Props) {
  const t = useWords(words);
  const language = useLanguage();
  const text = game.text ?? '';
  const { answer: position, problem } = useAnswer(
    (signal) => ask<Position>('/api/position', { game, steps: [], fluents: true }, signal), [JSON.stringify(game)]);
  const relations = useMemo(() => relationsOf(position?.fluents ?? []), [position]);
  if (problem !== null) return <Problem problem={problem} />;
  if (!position) return <Spinner label={t('loading')} />;
  const facts = position.facts ?? [];
  const fluents = position.fluents ?? [];
  const grids = recognise(fluents, facts, text, hints);
  const main = grids[0];
  const layer = main?.layers[0];
  // What is drawn now, as a hint: the change of one thing leaves the others as they are.
  const board: BoardHint = hints.board ?? (layer
    ? { fact: layer.relation, x: layer.x + 1, y: layer.y + 1, ...(layer.piece === undefined ? {} : { piece: layer.piece + 1 }), up: main!.up }
    : { fact: '' });
  const arity = relations.get(board.fact) ?? 0;
  const change = (part: Partial<BoardHint>) => onChange({ ...hints, board: { ...board, ...part } });
  const places = Array.from({ length: arity }, (_, place) => ({ value: String(place + 1), label: t('argument', { n: place + 1 }) }));
  const things = [...new Set(arrange(fluents, grids, position.roles, hints).boards.flatMap((places) =>
    [...places.values()].flatMap((all) => all.map(({ name }) => name))))].slice(0, 24);
  const paint = (name: string, part: PieceHint) =>
    onChange({ ...hints, pieces: { ...hints.pieces, [name]: { ...(hints.pieces?.[name] ?? {}), ...part } } });

  return (
    <div class="play hint-editor">
      <div class="stack">
        <div class="row end">
          <Select label={t('fact')} value={board.fact} onChange={(fact) => onChange(fact === '' ? { ...hints, board: undefined } : { ...hints, board: { fact, x: 1, y: 2 } })}
            options={[{ value: '', label: t('guess') }, ...[...relations].filter(([, n]) => n >= 2).map(([name]) => ({ value: name, label: name }))]} />
          {arity > 0 && <Select label={t('column')} value={String(board.x ?? 1)} options={places} onChange={(x) => change({ x: Number(x) })} />}
          {arity > 0 && <Select label={t('row')} value={String(board.y ?? 2)} options={places} onChange={(y) => change({ y: Number(y) })} />}
          {arity > 2 && (
            <Select label={t('piece')} value={String(board.piece ?? '')} options={[{ value: '', label: t('rest') }, ...places]}
              onChange={(piece) => change({ piece: piece === '' ? undefined : Number(piece) })} />
          )}
          {arity > 0 && <Select label={t('cells')} value={board.cells ?? 'square'} options={cells.map((value) => ({ value, label: t(value) }))} onChange={(value) => change({ cells: value, lean: value === 'hexagon' ? 'right' : undefined })} />}
        </div>
        {arity > 0 && (
          <div class="row">
            <Checkbox label={t('up')} checked={board.up ?? true} onChange={(up) => change({ up })} />
            <Checkbox label={t('chequered')} checked={board.chequered ?? false} onChange={(chequered) => change({ chequered })} />
          </div>
        )}
        {things.length > 0 && (
          <fieldset>
            <legend>{t('things')}</legend>
            {things.map((name) => (
              <div class="row end thing" key={name}>
                <code>{name}</code>
                <Field label={t('sign', { name })} value={hints.pieces?.[name]?.text ?? ''} maxLength={3} onInput={(sign) => paint(name, { text: sign })} />
                <Field label={t('colour', { name })} type="color" value={pieceOf(name, position.roles, hints, language)?.colour ?? '#3a6fc4'} onInput={(colour) => paint(name, { colour })} />
              </div>
            ))}
          </fieldset>
        )}
        <Raw hints={hints} onChange={onChange} />
      </div>
      <div class="well board" role="group" aria-label={t('preview')}>
        <StateView facts={facts} before={null} grids={grids} roles={position.roles} hints={hints} ways={none} hinted={null} onMove={() => {}} marks={() => new Map()} />
      </div>
    </div>
  );
}

const none: never[] = [];

// The same as text, with all that the fields above leave out.
function Raw({ hints, onChange }: { hints: Hints; onChange: (hints: Hints) => void }) {
  const t = useWords(words);
  const [broken, setBroken] = useState(false);
  const write = (text: string) => {
    try {
      const read = JSON.parse(text || '{}') as unknown;
      const sound = typeof read === 'object' && read !== null && !Array.isArray(read);
      setBroken(!sound);
      if (sound) onChange(read as Hints);
    } catch { setBroken(true); }
  };
  return (
    <details>
      <summary>{t('raw')}</summary>
      <textarea class="raw-hints" spellcheck={false} aria-label={t('raw')} rows={10} value={JSON.stringify(hints, null, 2)} onChange={(event) => write(event.currentTarget.value)} />
      {broken && <p class="bad-text" role="alert">{t('broken')}</p>}
    </details>
  );
}

function relationsOf(fluents: Term[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const fluent of fluents) found.set(nameOf(fluent), argumentsOf(fluent).length);
  return found;
}

const words = {
  loading: { en: 'Loading …', fr: 'Chargement …' },
  fact: { en: 'Board made of', fr: 'Plateau fait de' },
  guess: { en: 'as recognised', fr: 'comme reconnu' },
  column: { en: 'Column', fr: 'Colonne' },
  row: { en: 'Row', fr: 'Ligne' },
  piece: { en: 'What lies there', fr: 'Ce qui s’y trouve' },
  rest: { en: 'all the rest', fr: 'tout le reste' },
  argument: { en: 'argument {n}', fr: 'argument {n}' },
  cells: { en: 'Places', fr: 'Cases' },
  square: { en: 'squares', fr: 'carrés' },
  hexagon: { en: 'hexagons', fr: 'hexagones' },
  hole: { en: 'round holes', fr: 'trous ronds' },
  point: { en: 'points', fr: 'flèches' },
  up: { en: 'First row below', fr: 'Première ligne en bas' },
  chequered: { en: 'Chequered', fr: 'Damier' },
  things: { en: 'Pieces', fr: 'Pièces' },
  sign: { en: 'Sign of {name}', fr: 'Signe de {name}' },
  colour: { en: 'Colour of {name}', fr: 'Couleur de {name}' },
  preview: { en: 'Preview', fr: 'Aperçu' },
  raw: { en: 'Hints as JSON', fr: 'Indications en JSON' },
  broken: { en: 'This is no JSON object.', fr: 'Ce n’est pas un objet JSON.' },
};
