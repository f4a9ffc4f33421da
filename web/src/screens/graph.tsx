// Game graphs: who wins from which state, and how backward induction finds out, round by round.
//
// The attractor of a player begins with the states where the player has won. In each round those join from
// which it is reached: a state of the player by one move, a state of the other by all moves. The rank of a
// state is the round in which it joined.

import './graph.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ask, type Attractors, type GameSummary } from '../api';
import { short } from '../draw/labels';
import { layered, line, wide, type Layout } from '../draw/layered';
import { inAddress, note, Parameters, useParameters, withParameters, type Values } from '../draw/parameters';
import { Sheet } from '../draw/sheet';
import { loadGame } from '../games';
import { inLanguage, useLanguage, useWords, type Translate } from '../i18n';
import { Button, IconButton, Link, Problem, Spinner, Title, useAnswer } from '../ui';

const mostDrawn = 1000;   // states

export default function GraphScreen({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const id = args.get('game') ?? '';
  const game = useAnswer(() => loadGame(id), [id]);
  return (
    <div class="stack">
      <Title text={game.answer ? inLanguage(game.answer.game.title, language) : t('title')} />
      <Problem problem={game.problem} />
      {game.answer && <Asking key={args.get('with')} game={game.answer.game} args={args} question={(values) => withParameters(game.answer!.ref, values)} />}
    </div>
  );
}

function Asking({ game, args, question }: { game: GameSummary; args: URLSearchParams; question: (values: Values) => unknown }) {
  const t = useWords(words);
  const [values, setValues] = useParameters(game, args);
  const [asked, setAsked] = useState(values);
  const { answer, problem, running } = useAnswer((signal) => ask<Attractors>('/api/attractors', { game: question(asked) }, signal), [asked]);
  return (
    <>
      <form class="row end" onSubmit={(event) => { event.preventDefault(); setAsked(values); note(values); }}>
        <Parameters values={values} onChange={setValues} />
        {game.parameters.length > 0 && <Button type="submit" look="primary">{t('draw')}</Button>}
        <Link to="strategy" args={{ game: game.id, ...inAddress(values) }} look="plain">{t('strategy')}</Link>
      </form>
      <Problem problem={problem} />
      {running && <Spinner label={t('loading')} />}
      {answer && !running && problem === null && <Regions key={JSON.stringify(asked)} graph={answer} t={t} />}
    </>
  );
}

type T = Translate<typeof words>;

function Regions({ graph: given, t }: { graph: Attractors; t: T }) {
  // Where the states of a model are called by the values chosen so far, the first has no name.
  const graph = useMemo(() => ({ ...given, states: given.states.map((state) => ({ ...state, name: state.name || t('start') })) }), [given]);
  const [round, setRound] = useState(graph.rounds);
  const [selected, setSelected] = useState(Math.max(0, graph.states.findIndex(({ initial }) => initial)));
  return (
    <>
      <Verdict graph={graph} t={t} />
      <Rounds graph={graph} round={round} onRound={setRound} t={t} />
      <div class="graph-view">
        {graph.states.length <= mostDrawn
          ? <Drawing graph={graph} round={round} selected={selected} onSelect={setSelected} t={t} />
          : <p>{t('large', { n: graph.states.length })}</p>}
        <State graph={graph} index={selected} round={round} onSelect={setSelected} t={t} />
      </div>
      <Table graph={graph} round={round} onSelect={setSelected} t={t} />
    </>
  );
}

// Who has won a state as far as the rounds up to this one tell.
const winnerBy = (state: State, round: number): number | null =>
  state.winner !== null && state.rank !== null && state.rank <= round ? state.winner : null;

type State = Attractors['states'][number];

function Verdict({ graph, t }: { graph: Attractors; t: T }) {
  const start = graph.states.find(({ initial }) => initial);
  if (!start) return null;
  const { winner, rank, name } = start;
  return (
    <p class="graph-verdict" role="status">
      {winner === null ? t('drawn', { name }) : t('wins', { who: graph.players[winner]!, name, n: rank ?? 0 })}
    </p>
  );
}

// --- the rounds ------------------------------------------------------------------------------------------------------

function Rounds({ graph, round, onRound, t }: { graph: Attractors; round: number; onRound: (round: number) => void; t: T }) {
  const joining = graph.states.flatMap((state, index) => (state.rank === round && state.winner !== null ? [{ state, index }] : []));
  return (
    <section class="graph-rounds card" aria-label={t('rounds')}>
      <div class="row">
        <IconButton label={t('first')} disabled={round === 0} onClick={() => onRound(0)}>«</IconButton>
        <IconButton label={t('previous')} disabled={round === 0} onClick={() => onRound(round - 1)}>‹</IconButton>
        <label class="graph-slider">
          <span>{t('round', { k: round, n: graph.rounds })}</span>
          <input type="range" min={0} max={graph.rounds} value={round} onInput={(event) => onRound(Number(event.currentTarget.value))} />
        </label>
        <IconButton label={t('next')} disabled={round === graph.rounds} onClick={() => onRound(round + 1)}>›</IconButton>
        <IconButton label={t('last')} disabled={round === graph.rounds} onClick={() => onRound(graph.rounds)}>»</IconButton>
      </div>
      <div aria-live="polite">
        <h2 class="graph-joining">{t('joining', { n: joining.length })}</h2>
        <ul>
          {joining.slice(0, 8).map(({ state, index }) => (
            <li key={index}>{t('joins', { name: state.name, who: graph.players[state.winner!]!, why: reason(graph, state, t) })}</li>
          ))}
          {joining.length > 8 && <li>{t('more', { n: joining.length - 8 })}</li>}
        </ul>
      </div>
    </section>
  );
}

function reason(graph: Attractors, state: State, t: T): string {
  const who = graph.players[state.winner!]!;
  if (state.turn === null || state.payoffs !== null) return t('over', { who });
  const mover = graph.players[state.turn]!;
  return state.turn === state.winner ? t('one', { who: mover }) : t('all', { who: mover });
}

// --- the drawing -----------------------------------------------------------------------------------------------------

const size = 34;

// A long name, such as that of a position of a game, begins like all others; its number tells more.
const caption = (state: State, index: number) => (state.name.length <= 18 ? state.name : `#${index + 1}`);

interface DrawingProps { graph: Attractors; round: number; selected: number; onSelect: (index: number) => void; t: T }

function Drawing({ graph, round, selected, onSelect, t }: DrawingProps) {
  const layout = useLayout(graph);
  const strategic = new Set(graph.states.flatMap((state) => (winnerBy(state, round) !== null && state.move !== null ? [state.move] : [])));
  return (
    <div class="graph-drawing">
      <Sheet name={t('drawing', { n: graph.states.length })} size={{ width: layout?.width ?? 0, height: layout?.height ?? 0 }} whole focus={layout?.nodes.get(selected)}>
        <defs>
          {['plain', 'thick'].map((kind) => (
            <marker key={kind} id={`arrow-${kind}`} class={`graph-arrow ${kind}`} viewBox="0 0 8 8" refX={7} refY={4} markerUnits="userSpaceOnUse" markerWidth={9} markerHeight={9} orient="auto-start-reverse">
              <path d="M0 0L8 4L0 8Z" />
            </marker>
          ))}
        </defs>
        {layout && graph.moves.map((move, index) => {
          const thick = strategic.has(index);
          return (
            <g key={index} class={`graph-edge ${thick ? 'thick' : ''}`}>
              <title>{graph.states[move.from]!.name} → {graph.states[move.to]!.name}{move.name ? ` (${move.name})` : ''}</title>
              <path d={line(layout.edges[index]!.points)} marker-end={`url(#arrow-${thick ? 'thick' : 'plain'})`} />
            </g>
          );
        })}
        {layout && graph.states.map((state, index) => {
          const box = layout.nodes.get(index)!;
          const winner = winnerBy(state, round);
          const joins = winner !== null && state.rank === round;
          return (
            <g
              key={index} transform={`translate(${box.x} ${box.y})`} role="button" tabindex={index === selected ? 0 : -1} data-state={state.name}
              class={`graph-state ${winner === null ? 'open' : `won-${winner}`} ${joins ? 'joins' : ''}`}
              aria-pressed={index === selected} aria-label={`${state.name}, ${winner === null ? t('open') : t('wonBy', { who: graph.players[winner]! })}`}
              onClick={() => onSelect(index)} onKeyDown={(event) => { if (event.key === 'Enter') onSelect(index); }}
            >
              <title>{state.name}</title>
              <Shape state={state} width={box.width} />
              <text x={box.width / 2} y={size / 2 + (winner === null ? 4 : 0)}>{state.initial ? '▸ ' : ''}{caption(state, index)}</text>
              {winner !== null && <text class="rank" x={box.width / 2} y={size / 2 + 12}>{short(graph.players[winner]!, 8)} {state.rank}</text>}
            </g>
          );
        })}
      </Sheet>
      <ul class="graph-legend">
        {graph.players.map((player, index) => (
          <li key={player}>
            <svg width={22} height={16} aria-hidden="true" class={`won-${index}`}>{index === 0 ? <ellipse class="shape" cx={11} cy={8} rx={10} ry={7} /> : <rect class="shape" x={1} y={1} width={20} height={14} />}</svg>
            {' '}{t(index === 0 ? 'circle' : 'square', { who: player })}
          </li>
        ))}
        <li>▸ {t('initial')}</li>
        <li>{t('thick')}</li>
        <li>{t('dashed')}</li>
      </ul>
    </div>
  );
}

// As in the papers: circles for the first player, boxes for the second; two lines where the play is over.
function Shape({ state, width }: { state: State; width: number }) {
  const over = state.payoffs !== null;
  const round = state.turn === 0;
  const outline = (inset: number, name: string) => round
    ? <ellipse class={name} cx={width / 2} cy={size / 2} rx={width / 2 - inset} ry={size / 2 - inset} />
    : <rect class={name} x={inset} y={inset} width={width - 2 * inset} height={size - 2 * inset} rx={state.turn === null ? 8 : 0} />;
  return <>{outline(0, 'shape')}{over && outline(3, 'inner')}</>;
}

function useLayout(graph: Attractors): Layout | null {
  const [layout, show] = useState<Layout | null>(null);
  const asked = useMemo(() => ({
    nodes: graph.states
      .map((state, id) => ({ id, width: Math.max(56, wide(caption(state, id)) + 28), height: size }))
      .sort((a, b) => Number(graph.states[b.id]!.initial) - Number(graph.states[a.id]!.initial)),
    edges: graph.moves.map(({ from, to }) => ({ from, to, width: 0, height: 0 })),
  }), [graph]);
  useEffect(() => {
    let gone = false;
    void layered(asked).then((found) => { if (!gone) show(found); });
    return () => { gone = true; };
  }, [asked]);
  return layout;
}

// --- the same in words -----------------------------------------------------------------------------------------------

function State({ graph, index, round, onSelect, t }: { graph: Attractors; index: number; round: number; onSelect: (index: number) => void; t: T }) {
  const state = graph.states[index]!;
  const winner = winnerBy(state, round);
  const moves = graph.moves.map((move, at) => ({ ...move, at })).filter(({ from }) => from === index);
  return (
    <section class="graph-selected card" aria-label={t('selected')}>
      <h2>{state.name}</h2>
      <dl>
        <dt>{t('turn')}</dt><dd>{state.turn === null ? '–' : graph.players[state.turn]}</dd>
        {state.payoffs && <><dt>{t('payoffs')}</dt><dd>{state.payoffs.map((payoff, player) => `${graph.players[player]} ${payoff}`).join(', ')}</dd></>}
        <dt>{t('winner')}</dt>
        <dd>{winner === null ? t('open') : `${graph.players[winner]}: ${reason(graph, state, t)}`}</dd>
        {winner !== null && <><dt>{t('rank')}</dt><dd>{state.rank}</dd></>}
      </dl>
      {moves.length > 0 && <h3>{t('moves')}</h3>}
      <ul>
        {moves.map((move) => (
          <li key={move.at}>
            <button type="button" class="link" onClick={() => onSelect(move.to)}>{move.name ? `${move.name} → ` : ''}{graph.states[move.to]!.name}</button>
            {winner !== null && state.move === move.at && <strong> {t('derived')}</strong>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Table({ graph, round, onSelect, t }: { graph: Attractors; round: number; onSelect: (index: number) => void; t: T }) {
  return (
    <details class="graph-table">
      <summary>{t('table')}</summary>
      <div class="scroll" role="region" aria-label={t('table')} tabIndex={0}>
        <table>
          <thead><tr><th scope="col">{t('state')}</th><th scope="col">{t('turn')}</th><th scope="col">{t('winner')}</th><th scope="col">{t('rank')}</th><th scope="col">{t('move')}</th></tr></thead>
          <tbody>
            {graph.states.map((state, index) => {
              const winner = winnerBy(state, round);
              const move = winner === null || state.move === null ? null : graph.moves[state.move]!;
              return (
                <tr key={index}>
                  <th scope="row"><button type="button" class="link" onClick={() => onSelect(index)}>{state.name}</button>{state.initial ? ` (${t('initial')})` : ''}</th>
                  <td>{state.turn === null ? '–' : graph.players[state.turn]}</td>
                  <td>{winner === null ? t('open') : graph.players[winner]}</td>
                  <td class="number">{winner === null ? '–' : state.rank}</td>
                  <td>{move ? move.name || graph.states[move.to]!.name : '–'}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const words = {
  title: { en: 'Graph', fr: 'Graphe' },
  draw: { en: 'Draw', fr: 'Dessiner' },
  strategy: { en: 'Strategies', fr: 'Stratégies' },
  loading: { en: 'Computing who wins from each state …', fr: 'Calcul du gagnant de chaque état …' },
  start: { en: 'start', fr: 'début' },
  wins: { en: '{who} wins from {name}, in round {n} of the attractor.', fr: '{who} gagne depuis {name}, au tour {n} de l’attracteur.' },
  drawn: { en: 'Nobody can force a win from {name}.', fr: 'Personne ne peut forcer le gain depuis {name}.' },
  rounds: { en: 'Rounds of the attractors', fr: 'Tours des attracteurs' },
  round: { en: 'Round {k} of {n}', fr: 'Tour {k} sur {n}' },
  first: { en: 'First round', fr: 'Premier tour' },
  previous: { en: 'Previous round', fr: 'Tour précédent' },
  next: { en: 'Next round', fr: 'Tour suivant' },
  last: { en: 'Last round', fr: 'Dernier tour' },
  joining: { en: 'States that join in this round: {n}', fr: 'États qui entrent à ce tour : {n}' },
  joins: { en: '{name}, attractor of {who}: {why}', fr: '{name}, attracteur de {who} : {why}' },
  more: { en: 'and {n} more', fr: 'et {n} autres' },
  over: { en: 'the play is over, {who} has won', fr: 'la partie est finie, {who} a gagné' },
  one: { en: 'a move of {who} leads into it', fr: 'un coup de {who} y mène' },
  all: { en: 'all moves of {who} lead into it', fr: 'tous les coups de {who} y mènent' },
  large: { en: '{n} states are too many to draw; the table below lists them all.', fr: '{n} états sont trop nombreux pour un dessin ; le tableau ci-dessous les contient tous.' },
  drawing: { en: 'Drawing of the game graph, {n} states', fr: 'Dessin du graphe de jeu, {n} états' },
  circle: { en: '{who} moves (round)', fr: '{who} joue (rond)' },
  square: { en: '{who} moves (box)', fr: '{who} joue (carré)' },
  initial: { en: 'initial state', fr: 'état initial' },
  thick: { en: 'thick: the derived strategy', fr: 'trait épais : la stratégie dérivée' },
  dashed: { en: 'dashed outline: joins in this round', fr: 'contour tireté : entre à ce tour' },
  open: { en: 'open', fr: 'ouvert' },
  wonBy: { en: 'won by {who}', fr: 'gagné par {who}' },
  selected: { en: 'Selected state', fr: 'État choisi' },
  state: { en: 'State', fr: 'État' },
  turn: { en: 'To move', fr: 'Trait' },
  payoffs: { en: 'Payoffs', fr: 'Gains' },
  winner: { en: 'Winner', fr: 'Gagnant' },
  rank: { en: 'Rank', fr: 'Rang' },
  move: { en: 'Move', fr: 'Coup' },
  moves: { en: 'Moves', fr: 'Coups' },
  derived: { en: '(the derived strategy)', fr: '(la stratégie dérivée)' },
  table: { en: 'All states as a table', fr: 'Tous les états en tableau' },
};
