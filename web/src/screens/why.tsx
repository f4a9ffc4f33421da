// Why a move wins: a play, how it stood after every move, and the best play that follows, with every reply one click away.

import './play.css';
import './why.css';
import { useMemo } from 'preact/hooks';
import { ask, type Game, type GameRef, type Position, type Term, type Why, type WhyMove, type WhyPosition } from '../api';
import { hasOutput, ModelOutput } from '../board/output';
import { recognise } from '../board/recognise';
import { StateView } from '../board/state';
import { Speaking, useSay, useSpeech } from '../board/speech';
import { readParameters, withParameters } from '../draw/parameters';
import { loadGame } from '../games';
import { inLanguage, useLanguage, useWords, type Translate } from '../i18n';
import { bare, playOf, type Made } from '../play/link';
import { resultOf } from '../play/result';
import { words as playWords } from '../play/words';
import { go, turn, type Args } from '../router';
import { Button, IconButton, Link, Notice, Problem, Spinner, Tag, Title, useAnswer } from '../ui';
import { Course } from '../why/course';
import { words } from '../why/words';

type T = Translate<typeof words>;

export default function WhyScreen({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const id = args.get('game') ?? '';
  const { answer, problem } = useAnswer(async (signal) => {
    const loaded = await loadGame(id);
    const ref = withParameters(loaded.ref, readParameters(args.get('with')));
    const position = await ask<Position>('/api/position', { game: ref, steps: [], fluents: true }, signal);
    return { ...loaded, ref, position };
  }, [id, args.get('with')]);
  const title = answer ? inLanguage(answer.game.title, language) : id;
  return (
    <div class="stack play why">
      <Title text={t('of', { game: title })} />
      <Problem problem={problem} />
      {!answer && problem === null && <Spinner label={t('loading')} />}
      {answer && <Explained game={answer.game} reference={answer.ref} start={answer.position} args={args} />}
    </div>
  );
}

interface ExplainedProps { game: Game; reference: GameRef; start: Position; args: URLSearchParams }

function Explained({ game, reference, start, args }: ExplainedProps) {
  const t = useWords(words);
  const language = useLanguage();
  const play = args.get('play') ?? '';
  const { answer, problem, running } = useAnswer(
    async (signal) => ({ why: await ask<Why>('/api/why', { game: reference, play }, signal), play }), [JSON.stringify(reference), play]);
  const title = (role: string) => {
    const said = game.hints.roles?.[role]?.title;
    return said ? inLanguage(said, language) : role === 'random' ? t('chance') : role.replaceAll('_', ' ');
  };
  const speech = useSpeech(game.hints);
  const back = <Link to="play" args={kept(args, { play })}>{t('backToPlay')}</Link>;
  if (problem) return <><Notice>{t('unsuited')} {back}</Notice><Problem problem={problem} /></>;
  if (!answer) return <Spinner label={t('loading')} />;
  const { why } = answer;
  const asked = Number(args.get('at') ?? why.at);
  const at = Math.min(Math.max(0, Number.isInteger(asked) ? asked : why.at), why.play.length - 1);
  return (
    <>
      <p class="row spread">{back}{running && <Spinner label={t('loading')} />}</p>
      <Speaking value={speech}><Table game={game} reference={reference} start={start} why={why} busy={answer.play !== play} at={at} title={title}
        onChoose={(place) => turn(kept(args, { play, at: String(place) }))}
        onFollow={(place, move) => go('why', kept(args, { play: [...playTo(why, place), why.play[place]!.forced ? '-' : bare(move)].join(';') }))} /></Speaking>
    </>
  );
}

// What else the address holds stays.
function kept(args: URLSearchParams, changes: Args): Args {
  const all: Args = {};
  for (const [name, value] of args) if (name !== 'at' && name !== 'play') all[name] = value;
  return { ...all, ...changes };
}

const madeOf = ({ step, mover, forced }: WhyPosition): Made => ({ step: step ?? {}, by: mover === null ? [] : [mover], forced });
const playTo = (why: Why, place: number): string[] => {
  const text = playOf(why.play.slice(0, place).map(madeOf));
  return text === '' ? [] : [text];
};

interface TableProps {
  game: Game;
  reference: GameRef;
  start: Position;
  why: Why;
  busy: boolean;    // another answer is on its way
  at: number;
  title: (role: string) => string;
  onChoose: (place: number) => void;
  onFollow: (place: number, move: string) => void;
}

function Table({ game, reference, start, why, busy, at, title, onChoose, onFollow }: TableProps) {
  const t = useWords(words);
  const language = useLanguage();
  const position = why.play[at]!;
  const { facts } = position;
  const grids = useMemo(() => recognise(start.fluents ?? [], facts, game.text, game.hints), [game, start, facts]);
  const before: Term[] | null = why.play[at - 1]?.facts ?? null;
  const last = why.play.length - 1;
  return (
    <div class="table started" aria-busy={busy}>
      <div class="stack">
        <Standing position={position} why={why} title={title} />
        <div class="well board">
          {hasOutput(game) && <ModelOutput game={reference} steps={why.play.slice(0, at).map(({ step }) => step ?? {})} />}
          {(facts.length > 0 || !hasOutput(game)) && <StateView facts={facts} before={before} grids={grids} roles={start.roles} hints={game.hints} ways={none} hinted={null}
            onMove={() => {}} marks={() => new Map()} />}
        </div>
        <div class="row controls">
          <IconButton label={t('first')} disabled={at === 0} onClick={() => onChoose(0)}>«</IconButton>
          <IconButton label={t('previous')} disabled={at === 0} onClick={() => onChoose(at - 1)}>‹</IconButton>
          <IconButton label={t('next')} disabled={at === last} onClick={() => onChoose(at + 1)}>›</IconButton>
          <IconButton label={t('last')} disabled={at === last} onClick={() => onChoose(last)}>»</IconButton>
        </div>
      </div>
      <div class="stack beside">
        <section class="card stack"><Course why={why} chosen={at} onChoose={onChoose} title={title} /></section>
        <Line why={why} at={at} title={title} onChoose={onChoose} />
      </div>
      <div class="card stack assessed">
        {position.mover !== null && position.moves.length > 0
          ? <Replies position={position} title={title} onFollow={(move) => onFollow(at, move)} />
          : <p class="muted">{position.solved ? t('ends') : t('unknown')}</p>}
        {why.states > 0 && <p class="muted">{t('listed', { n: why.states.toLocaleString(language) })}</p>}
      </div>
    </div>
  );
}

const none: never[] = [];

// How it stands, what threatens, and what is forced.
function Standing({ position, why, title }: { position: WhyPosition; why: Why; title: (role: string) => string }) {
  const t = useWords(words);
  const say = useSay();
  const tp = useWords(playWords);
  const { solved, mover, verdict, left, choice, values, threats } = position;
  if (!solved) return <p class="status">{t('unknown')}</p>;
  if (mover === null) return <p class="status">{t('over', { result: resultOf(values ?? {}, why.players, title, tp) })}</p>;
  const forced = { 'only-move': t('onlyMove'), 'only-answer': t('onlyAnswer'), 'only-good': t('onlyGood'), 'none-holds': t('noneHolds'), free: '', over: '' }[choice ?? 'free'];
  return (
    <div class="standing" role="status">
      <p class="status">{standing(t, title(mover), verdict ?? 'drawn', left)}</p>
      {forced && <p>{forced}</p>}
      {threats.map(({ move, answers }) => (
        <p key={move} class="threat">
          {answers.length === 0 ? t('threatOpen', { move: say(move) })
            : t('threat', { move: say(move), answers: answers.map((answer) => say(answer)).join(t('or')) })}
        </p>
      ))}
    </div>
  );
}

function standing(t: T, role: string, verdict: string, left: number | null): string {
  if (verdict === 'drawn') return t('standsDrawn', { role });
  if (verdict === 'won') return left === null ? t('standsWon', { role }) : left === 1 ? t('standsWonInOne', { role }) : t('standsWonIn', { role, n: left });
  return left === null ? t('standsLost', { role }) : t('standsLostIn', { role, n: left });
}

const tones = { won: 'good', drawn: 'neutral', lost: 'bad' } as const;

function worth(t: T, { verdict, left, values }: Pick<WhyMove, 'verdict' | 'left' | 'values'>, mover: string): string {
  const said = left === null ? t(verdict) : t(`${verdict}In`, { n: left });
  const value = values[mover] ?? 0;
  return value % 50 === 0 ? said : `${said} (${value})`;
}

function Replies({ position, title, onFollow }: { position: WhyPosition; title: (role: string) => string; onFollow: (move: string) => void }) {
  const t = useWords(words);
  const say = useSay();
  const mover = position.mover!;
  const why = (move: WhyMove): string =>
    (move.ends ? t('ends') : move.loses_to ? t('losesTo', { move: say(move.loses_to) }) : move.answer ? t('answered', { move: say(move.answer) }) : '');
  const role = { won: t('fastest'), lost: t('bestDefence'), drawn: t('bestMove') }[position.verdict ?? 'drawn'];
  return (
    <>
      <h2>{t('replies', { role: title(mover) })}</h2>
      <div class="scroll moves-table" role="region" aria-label={t('replies', { role: title(mover) })} tabIndex={0}>
        <table class="replies">
          <thead><tr><th scope="col">{t('move')}</th><th scope="col">{t('worth')}</th><th scope="col">{t('because')}</th></tr></thead>
          <tbody>
            {position.moves.map((move) => (
              <tr key={move.move} class={move.move === position.made ? 'made' : ''}>
                <th scope="row">
                  <Button look="quiet" aria-label={t('follow', { move: say(move.move) })} onClick={() => onFollow(move.move)}>{say(move.move)}</Button>
                </th>
                <td><Tag tone={tones[move.verdict]}>{worth(t, move, mover)}</Tag></td>
                <td>
                  {why(move)}
                  {move.chosen && (position.verdict !== 'lost' || position.moves.some(({ left }) => left !== move.left)) && position.moves.length > 1 && <> <Tag tone="accent">{role}</Tag></>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

// The moves of the play and of the best play after it.
function Line({ why, at, title, onChoose }: { why: Why; at: number; title: (role: string) => string; onChoose: (place: number) => void }) {
  const t = useWords(words);
  const say = useSay();
  const entry = (place: number) => {
    const { mover, made, choice, threats, verdict, left, values } = why.play[place]!;
    return (
      <li key={place}>
        <button type="button" class="button quiet ply" aria-current={place + 1 === at ? 'step' : undefined} onClick={() => onChoose(place + 1)}>
          <span>{place + 1}. <strong>{mover === null ? '' : title(mover)}</strong> {made === null ? '' : say(made)}</span>
          <span class="row">
            {threats.length > 0 && <Tag tone="warning">{t('threatMark')}</Tag>}
            {(choice === 'only-move' || choice === 'only-answer') && <Tag>{t('only')}</Tag>}
            {verdict !== null && values !== null && mover !== null && <Tag tone={tones[verdict]}>{worth(t, { verdict, left, values }, mover)}</Tag>}
          </span>
        </button>
      </li>
    );
  };
  const places = Array.from({ length: why.play.length - 1 }, (_, place) => place);
  return (
    <div class="card stack">
      <h2 id="line">{t('line')}</h2>
      <div class="scroll line" tabIndex={0} role="region" aria-labelledby="line">
        <Button look="quiet" aria-current={at === 0 ? 'step' : undefined} onClick={() => onChoose(0)}>{t('begin')}</Button>
        {why.at > 0 && <><h3>{t('made')}</h3><ol class="plies">{places.slice(0, why.at).map(entry)}</ol></>}
        <h3>{t('best')}</h3>
        <ol class="plies" data-best>{places.slice(why.at).map(entry)}</ol>
        {why.repeats && <p class="muted">{t('repeats')}</p>}
        {!why.complete && <p class="muted">{t('open')}</p>}
      </div>
    </div>
  );
}
