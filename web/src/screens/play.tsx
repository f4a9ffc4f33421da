// Play a game, against players or persons, or watch; and see what the program thinks of the position.

import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ask, type Game, type GameRef, type PlayerAbout, type Position } from '../api';
import { marksOn, useAnalysis, valuesOf } from '../analysis/analysis';
import { AnalysisPanel, analysisTimes, Figures } from '../analysis/panel';
import { words as analysisWords } from '../analysis/words';
import { after, ways } from '../board/moves';
import { colourOfRole } from '../board/pieces';
import { hasOutput, ModelOutput } from '../board/output';
import { recognise } from '../board/recognise';
import { StateView } from '../board/state';
import { Speaking, useSay, useSpeech } from '../board/speech';
import { say as sayFact } from '../board/terms';
import { inAddress, Parameters, useParameters, withParameters } from '../draw/parameters';
import { loadGame, unpacked } from '../games';
import { inLanguage, useLanguage, useWords } from '../i18n';
import { Ahead, type Line } from '../play/ahead';
import { History } from '../play/history';
import { playOf, readSeats, seatsText } from '../play/link';
import { MoveList } from '../play/moves';
import { Share } from '../play/share';
import { resultOf } from '../play/result';
import { Clocks, SeatChoice, SetUp } from '../play/seats';
import { Session, strongest, type State } from '../play/session';
import { words } from '../play/words';
import { amend, route, type Args } from '../router';
import { setting } from '../setting';
import { Button, Checkbox, Link, Live, Notice, Problem, Spinner, Title, useAnswer } from '../ui';
import './play.css';

// Who looks at another screen and comes back finds the play as it was.
const sessions = new Map<string, Session>();

const analysing = setting('analysis', ['off', 'on'] as const, 'off');
const analysisTime = setting('analysis-time', analysisTimes, '20');

export default function Play({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const id = args.get('game') ?? '';
  const rules = args.get('rules');
  const { answer, problem } = useAnswer(async (signal) => {
    const own = rules === null ? id : await unpacked(rules);
    const [loaded, { players }] = await Promise.all([
      loadGame(own),
      ask<{ players: PlayerAbout[] }>('/api/players', undefined, signal),
    ]);
    return { ...loaded, players };
  }, [id]);
  const title = answer ? inLanguage(answer.game.title, language) : id;
  return (
    <div class="stack play">
      <Title text={title} />
      {answer && <Rules game={answer.game} />}
      <Problem problem={problem} />
      {!answer && !problem && <Spinner label={t('loading')} />}
      {answer && (answer.game.kind !== 'minizinc'
        ? <Table game={answer.game} reference={answer.ref} args={args} kept={{}}
            players={answer.game.kind === 'gdl' ? answer.players : answer.players.filter(({ name }) => name === strongest)} />
        : answer.game.tags.includes('stochastic')
          ? <Notice tone="warning">{t('unplayable')} <Link to="library">{t('library')}</Link></Notice>
          : <ModelTable game={answer.game} reference={answer.ref} args={args} players={answer.players.filter(({ name }) => name === strongest)} />)}
    </div>
  );
}

// A model is played as soon as what it leaves open is given.
function ModelTable({ game, reference, players, args }: Omit<TableProps, 'kept'>) {
  const [values, setValues] = useParameters(game, args);
  const [used, use] = useState(values);
  const t = useWords(words);
  const filled = Object.entries(used).every(([name, value]) => value.trim() !== '' || isOptional(game.text, name));
  const asked = withParameters(reference, used);
  return (
    <>
      {Object.keys(values).length > 0 && (
        <form class="row end" onSubmit={(event) => { event.preventDefault(); use(values); }}>
          <Parameters values={values} onChange={setValues} />
          <Button type="submit">{t('use')}</Button>
        </form>
      )}
      {filled
        ? <Table key={JSON.stringify(asked)} game={game} reference={asked} players={players} args={args}
            kept={inAddress(used)} />
        : <Notice>{t('fill')}</Notice>}
    </>
  );
}

// opt int: aligned;
const isOptional = (text: string, name: string): boolean => new RegExp(`(^|;)\\s*opt\\b[^:;]*:\\s*${name}\\b`, 'm').test(text);

function Rules({ game }: { game: Game }) {
  const t = useWords(words);
  const language = useLanguage();
  const paragraphs = inLanguage(game.words, language).split(/\n\s*\n/).filter(Boolean);
  if (paragraphs.length === 0) return null;
  return <details class="rules"><summary>{t('rules')}</summary>{paragraphs.map((text) => <p key={text}>{text}</p>)}</details>;
}

// The address holds the play, so that it can be kept, sent, and gone back to.
function useAddress(session: Session, state: State, game: Game, args: URLSearchParams, kept: Args): void {
  const play = args.get('play');
  useEffect(() => {
    if (play === null || (session.state.started && play === playOf(session.state.entries))) return;
    void session.open(play, readSeats(args.get('seats')), args.has('seconds') ? Number(args.get('seconds')) : null);
  }, [play]);
  const { started, entries, seats, seconds } = state;
  // With what is drawn, not after it: who leaves as soon as a move is shown must not come back to the play before it.
  useLayoutEffect(() => {
    if (route().screen !== 'play' || state.position === null) return;
    if (!started) return amend({ game: game.id, ...kept });
    amend({ game: game.id, ...kept, play: playOf(entries), seats: seatsText(seats), seconds: String(seconds) });
  }, [started, entries, seats, seconds, state.position === null]);
}

function useSession(reference: GameRef, players: PlayerAbout[]): [Session, State] {
  const [session] = useState(() => {
    const key = JSON.stringify(reference);
    const usual = players.find(({ name }) => name === strongest)?.name ?? players[0]?.name ?? strongest;
    if (!sessions.has(key)) sessions.set(key, new Session(reference, usual));
    return sessions.get(key)!;
  });
  const [state, show] = useState(session.state);
  useEffect(() => {
    const unsubscribe = session.subscribe(() => show(session.state));
    session.enter();
    return () => { unsubscribe(); session.leave(); };
  }, [session]);
  return [session, state];
}

interface TableProps { game: Game; reference: GameRef; players: PlayerAbout[]; args: URLSearchParams; kept: Args }

function Table({ game, reference, players, args, kept }: TableProps) {
  const t = useWords(words);
  const [session, state] = useSession(reference, players);
  useAddress(session, state, game, args, kept);
  const speech = useSpeech(game.hints);
  if (!state.position) {
    return state.problem ? <Problem problem={state.problem} /> : <Spinner label={t('loading')} />;
  }
  return <Speaking value={speech}><Laid game={game} session={session} state={state} position={state.position} players={players} kept={kept} /></Speaking>;
}

interface LaidProps { game: Game; session: Session; state: State; position: Position; players: PlayerAbout[]; kept: Args }

function Laid({ game, session, state, position, players, kept }: LaidProps) {
  const t = useWords(words);
  const ta = useWords(analysisWords);
  const language = useLanguage();
  const { hints, text } = game;
  const title = (role: string) => {
    const said = hints.roles?.[role]?.title;
    return said ? inLanguage(said, language) : role === 'random' ? t('chance') : role.replaceAll('_', ' ');
  };
  const { deciding, entries, hint, curtain, viewer } = state;
  const facts = position.facts ?? [];
  const grids = useMemo(() => recognise(session.fluents, facts, text, hints), [session, position, game]);
  const legal = deciding === null ? [] : position.legal[deciding] ?? [];
  const open = useMemo(() => ways(legal, grids, text), [deciding, grids]);
  const hinted = open.find(({ move }) => hint?.move === move.text) ?? null;

  const analysed = analysing.use() === 'on';
  const seconds = analysisTime.use();
  const mover = deciding ?? position.turn.find((role) => !position.chance.includes(role)) ?? null;
  const asks = analysed && mover !== null && !position.over && curtain === null && !(position.hidden && viewer !== null && viewer !== mover);
  const findings = useAnalysis(asks
    ? { game: session.game, steps: session.steps, as: position.hidden && viewer === null ? undefined : mover, seconds: Number(seconds) }
    : null);
  const values = useMemo(() => valuesOf(findings, ta), [findings.solved, findings.thought, language]);
  const byMove = useMemo(() => new Map(values.map((value) => [value.move, value])), [values]);
  const moverWays = useMemo(() => (mover === null || !asks ? [] : ways(position.legal[mover] ?? [], grids, text)), [mover, asks, grids]);

  const [line, follow] = useState<Line | null>(null);
  useEffect(() => follow(null), [position]);

  const news = useNews(state, position, title);
  useFocusOnStart(state.started);

  return (
    <div class={`table ${state.started ? 'started' : ''}`}>
      <div class="stack">
        <Status state={state} position={position} title={title} />
        {curtain !== null
          ? <Curtain role={title(curtain)} onUncover={() => session.uncover()} />
          : line !== null
          ? (
            <div class="well board">
              <Ahead game={game} reference={session.game} line={line} viewer={viewer} fluents={session.fluents}
                onGo={(at) => follow({ ...line, at })} onBack={() => follow(null)} />
            </div>
          )
          : (
            <div class="well board">
              {position.facts === null && viewer !== null && <p class="muted">{t('unseen', { role: title(viewer) })}</p>}
              {hasOutput(game) && <ModelOutput game={session.game} steps={session.steps} />}
              {(facts.length > 0 || !hasOutput(game)) && <StateView facts={facts} before={position.facts && (entries.at(-1)?.before ?? null)} grids={grids}
                roles={position.roles} hints={hints} ways={open} hinted={hinted} onMove={(move) => session.choose(move)}
                marks={(grid, clicked) => marksOn(grids[grid]!, after(moverWays, grid, clicked), clicked.length, byMove)} />}
            </div>
          )}
        {state.started && <Controls session={session} state={state} />}
        <Problem problem={state.problem} />
      </div>
      <div class="stack beside">
        {!state.started
          ? <SetUp session={session} state={state} players={players} title={title} />
          : (
            <>
              <section class="card stack">
                <Clocks state={state} title={title} colour={(role) => colourOfRole(role, position.roles, hints)} />
                <details>
                  <summary>{t('seats')}</summary>
                  <SeatChoice session={session} state={state} players={players} title={title} />
                </details>
              </section>
              {curtain === null && (
                <MoveList role={deciding} legal={legal} clickable={open.length === legal.length} hint={hint?.move ?? null} values={byMove}
                  heading={deciding === null || Object.keys(state.seats).length === 1 ? t('ownMoves') : t('moves', { role: title(deciding) })}
                  onMove={(move) => session.choose(move)} />
              )}
              {viewer === null && <Thoughts state={state} title={title} onLine={follow} />}
            </>
          )}
        {state.started && curtain === null && <History entries={entries} position={position} viewer={viewer} title={title} onGo={(steps) => session.goTo(steps)} />}
        {curtain === null && <Share game={game} session={session} state={state} kept={kept} />}
      </div>
      <section class="card stack assessed" aria-labelledby="analysis">
        <div class="row spread">
          <h2 id="analysis">{ta('analysis')}</h2>
          <span class="row">
            {explainable(position) && <Link to="why" args={{ game: game.id, ...kept, play: playOf(entries), seats: seatsText(state.seats), seconds: String(state.seconds) }}>{ta('why')}</Link>}
            <Link to="strategy" args={{ game: game.id, ...kept, ...(entries.length === 0 ? {} : { moves: movesOf(state).join(';') }) }}>{ta('strategy')}</Link>
          </span>
        </div>
        <Checkbox label={ta('switch')} checked={analysed} onChange={(on) => analysing.set(on ? 'on' : 'off')} />
        {analysed && curtain === null && (
          <AnalysisPanel findings={findings} values={values} position={position} mover={asks ? mover : null} title={title}
            seconds={seconds} onSeconds={(next) => analysisTime.set(next as typeof seconds)}
            onLine={(next, at) => follow({ from: session.steps, line: next, at })} />
        )}
      </section>
      <Live>{news}</Live>
    </div>
  );
}

// Players take turns and see all: then there is one best play.
const explainable = ({ chance, hidden, turn }: Position): boolean => chance.length === 0 && !hidden && turn.length < 2;

// Step by step the move of whoever had a choice.
const movesOf = ({ entries, seats }: State): string[] =>
  entries.map(({ step, by }) => step[by.at(-1) ?? Object.keys(seats)[0]!] ?? '');

function Status({ state, position, title }: { state: State; position: Position; title: (role: string) => string }) {
  const t = useWords(words);
  if (position.over && position.goals) return <Result state={state} goals={position.goals} title={title} />;
  const { started, paused, deciding, clocks, chosen, curtain } = state;
  const thinking = Object.keys(clocks).filter((role) => clocks[role]!.since !== null && role !== deciding);
  const said = !started ? t('ready')
    : paused ? t('waits')
    : curtain !== null ? t('curtain', { role: title(curtain) })
    : deciding !== null ? (Object.keys(state.seats).length === 1 ? t('alone') : t('yourMove', { role: title(deciding) }))
    : thinking.length > 0 ? t('thinking', { role: thinking.map(title).join(', ') })
    : t('goesOn');
  const settled = deciding === null ? [] : chosen;
  return <p class="status">{[said, ...settled.map((role) => t('hasChosen', { role: title(role) }))].join(' ')}</p>;
}

function Result({ state, goals, title }: { state: State; goals: Record<string, number>; title: (role: string) => string }) {
  const t = useWords(words);
  const seats = Object.keys(state.seats);
  return (
    <div class="notice accent result">
      <strong>{resultOf(goals, seats, title, t)}</strong>
      <ul aria-label={t('goals')}>
        {seats.map((role) => <li key={role}>{title(role)}: {goals[role] ?? 0}</li>)}
      </ul>
    </div>
  );
}

function Curtain({ role, onUncover }: { role: string; onUncover: () => void }) {
  const t = useWords(words);
  return (
    <div class="well board curtain">
      <p>{t('curtain', { role })}</p>
      <Button look="primary" onClick={onUncover}>{t('uncover', { role })}</Button>
    </div>
  );
}

function Controls({ session, state }: { session: Session; state: State }) {
  const t = useWords(words);
  const say = useSay();
  const { entries, future, deciding, paused, hint, hinting, position, problem } = state;
  const waits = paused || problem !== null;
  return (
    <div class="stack">
      <div class="row controls">
        <Button onClick={() => session.undo()} disabled={entries.length === 0}><Sign>↶</Sign>{t('undo')}</Button>
        <Button onClick={() => session.redo()} disabled={future.length === 0}><Sign>↷</Sign>{t('redo')}</Button>
        <Button onClick={() => void session.askHint()} disabled={deciding === null || hinting}><Sign>?</Sign>{t('hint')}</Button>
        {!position?.over && (waits || session.persons().length === 0) && (
          <Button onClick={() => session.halt(!waits)}><Sign>{waits ? '▶' : '❚❚'}</Sign>{t(waits ? 'resume' : 'pause')}</Button>
        )}
        <Button onClick={() => session.reset()}>{t('again')}</Button>
      </div>
      {hinting && <Spinner label={t('hinting')} />}
      {hint && <Notice tone="accent">{t('hinted', { move: say(hint.move) })}</Notice>}
    </div>
  );
}

// For the eye alone.
const Sign = ({ children }: { children: string }) => <span aria-hidden="true">{children}</span>;

function Thoughts({ state, title, onLine }: { state: State; title: (role: string) => string; onLine: (line: Line) => void }) {
  const t = useWords(words);
  const say = useSay();
  return (
    <>
      {Object.entries(state.thoughts).map(([role, thought]) => {
        const best = thought.estimates[0];
        return (
          <details key={role} class="card thoughts" open>
            <summary>{t('thoughts', { role: title(role) })}</summary>
            {best && <p>{t('expects', { move: say(best.move), n: Math.round(best.mean) })}</p>}
            <Figures thought={thought} onLine={(line, at) => onLine({ from: thought.from, line, at })} />
          </details>
        );
      })}
    </>
  );
}

// What a screen reader says when something happened.
function useNews(state: State, position: Position, title: (role: string) => string): string {
  const t = useWords(words);
  const say = useSay();
  const { entries, viewer, seats, started } = state;
  const last = entries.at(-1);
  const told = last?.by.filter((role) => viewer === null || role === viewer) ?? [];
  const said = told.map((role) => t('plays', { role: title(role), move: say(last!.step[role] ?? '') }));
  const percepts = viewer === null ? [] : position.seen?.at(-1)?.percepts ?? [];
  if (percepts.length > 0) said.push(t('saw', { percepts: percepts.map(sayFact).join(', ') }));
  if (started && position.over && position.goals) said.push(resultOf(position.goals, Object.keys(seats), title, t));
  return said.join('. ');
}

// The button that started the play is gone: on to the board, or to the moves.
function useFocusOnStart(started: boolean): void {
  useEffect(() => {
    if (started && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.play [role="gridcell"][tabindex="0"], .play .move-list button')?.focus();
    }
  }, [started]);
}
