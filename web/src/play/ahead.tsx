// Looking ahead: a position of a line that somebody expects, on the board. The play stays as it is.

import { useMemo } from 'preact/hooks';
import { ask, type Game, type GameRef, type Position, type Step, type Term } from '../api';
import { hasOutput, ModelOutput } from '../board/output';
import { recognise } from '../board/recognise';
import { StateView } from '../board/state';
import { useWords } from '../i18n';
import { Button, IconButton, Problem, Spinner, useAnswer } from '../ui';
import { words } from './words';

// A line from a position of the play, and how far one has gone along it.
export interface Line { from: Step[]; line: Step[]; at: number }

interface Props {
  game: Game;
  reference: GameRef;
  line: Line;
  viewer: string | null;
  fluents: Term[];
  onGo: (at: number) => void;
  onBack: () => void;
}

export function Ahead({ game, reference, line: { from, line, at }, viewer, fluents, onGo, onBack }: Props) {
  const t = useWords(words);
  const steps = [...from, ...line.slice(0, at)];
  const { answer, problem } = useAnswer(async (signal) => {
    const shown = (made: Step[]) => ask<Position>('/api/position', { game: reference, steps: made, as: viewer ?? undefined }, signal);
    const [position, before] = await Promise.all([shown(steps), shown(steps.slice(0, -1))]);
    return { position, before };
  }, [JSON.stringify(steps)]);
  const facts = answer?.position.facts ?? null;
  const grids = useMemo(() => recognise(fluents, facts ?? [], game.text, game.hints), [facts]);
  return (
    <>
      <div class="notice accent ahead" role="status">
        <p>{t('ahead', { n: at, all: line.length })}</p>
        <div class="row">
          <IconButton label={t('lineBack')} disabled={at === 1} onClick={() => onGo(at - 1)}>‹</IconButton>
          <IconButton label={t('lineOn')} disabled={at === line.length} onClick={() => onGo(at + 1)}>›</IconButton>
          <Button onClick={onBack}>{t('backToPlay')}</Button>
        </div>
      </div>
      <Problem problem={problem} />
      {!answer && problem === null && <Spinner label={t('loading')} />}
      {answer && hasOutput(game) && <ModelOutput game={reference} steps={steps} />}
      {answer && facts && (facts.length > 0 || !hasOutput(game)) && (
        <StateView facts={facts} before={answer.before.facts} grids={grids} roles={answer.position.roles} hints={game.hints} ways={none} hinted={null}
          onMove={() => {}} marks={() => new Map()} />
      )}
    </>
  );
}

const none: never[] = [];
