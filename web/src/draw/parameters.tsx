// What a model leaves open, to be filled in: with what to begin with, from the address, by hand, or from a data file.

import './parameters.css';
import { useState } from 'preact/hooks';
import type { GameRef, GameSummary } from '../api';
import { useWords } from '../i18n';
import { amend, route, type Args } from '../router';
import { Field, FileButton, Notice } from '../ui';
import { readData } from './data_file';

export type Values = Record<string, string>;

export function useParameters(game: GameSummary, args: URLSearchParams): [Values, (values: Values) => void] {
  return useState<Values>(() => {
    const given = readParameters(args.get('with'));
    return Object.fromEntries(game.parameters.map(({ name, value }) => [name, given[name] ?? value]));
  });
}

export function Parameters({ values, onChange }: { values: Values; onChange: (values: Values) => void }) {
  const t = useWords(words);
  const [unknown, tell] = useState<string[]>([]);
  if (Object.keys(values).length === 0) return null;
  const read = async (file: File) => {
    const data = Object.entries(readData(await file.text()));
    tell(data.flatMap(([name]) => (name in values ? [] : [name])));
    onChange({ ...values, ...Object.fromEntries(data.filter(([name]) => name in values)) });
  };
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <Field key={name} class="parameter" label={name} value={value} onInput={(next) => onChange({ ...values, [name]: next })} />
      ))}
      <FileButton label={t('data')} accept=".dzn" onFile={(file) => void read(file)} />
      {unknown.length > 0 && <Notice tone="warning">{t('unknown', { names: unknown.join(', ') })}</Notice>}
    </>
  );
}

// What is left empty is left to the model.
export function withParameters(ref: GameRef, values: Values): GameRef {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return given.length === 0 ? ref : { ...ref, parameters: Object.fromEntries(given) };
}

// --- in the address: with=n:20,board:[1%2C0] -------------------------------------------------------------------------

export function inAddress(values: Values): Args {
  const given = Object.entries(values).map(([name, value]) => `${name}:${value.replaceAll('%', '%25').replaceAll(',', '%2C')}`);
  return given.length === 0 ? {} : { with: given.join(',') };
}

export function readParameters(text: string | null): Values {
  return Object.fromEntries((text ?? '').split(',').filter(Boolean).map((parameter) => {
    const [name = '', ...value] = parameter.split(':');
    return [name, value.join(':').replaceAll('%2C', ',').replaceAll('%25', '%')];
  }));
}

// Notes in the address what a screen has begun to use.
export function note(values: Values): void {
  amend({ ...Object.fromEntries(route().args), ...inAddress(values) });
}

const words = {
  data: { en: 'Open a data file (.dzn)', fr: 'Ouvrir un fichier de données (.dzn)' },
  unknown: { en: 'This model has no parameter {names}.', fr: 'Ce modèle n’a pas de paramètre {names}.' },
};
