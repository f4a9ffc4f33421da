// What a model leaves open, to be filled in, with what to begin with.

import './parameters.css';
import { useState } from 'preact/hooks';
import type { GameRef, GameSummary } from '../api';
import { Field } from '../ui';

export type Values = Record<string, string>;

export function useParameters(game: GameSummary): [Values, (values: Values) => void] {
  return useState<Values>(() => Object.fromEntries(game.parameters.map(({ name, value }) => [name, value])));
}

export function Parameters({ values, onChange }: { values: Values; onChange: (values: Values) => void }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <Field key={name} class="parameter" label={name} value={value} onInput={(next) => onChange({ ...values, [name]: next })} />
      ))}
    </>
  );
}

// What is left empty is left to the model.
export function withParameters(ref: GameRef, values: Values): GameRef {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return given.length === 0 ? ref : { ...ref, parameters: Object.fromEntries(given) };
}
