// Strategies: solve a game, see what a player is sure of, and look at how, move by move.

import './strategy.css';
import { useEffect, useState } from 'preact/hooks';
import { listen, load, type Game, type GameRef, type Solution, type Stamp, type StrategyAbout } from '../api';
import { Speaking, useSay, useSpeech } from '../board/speech';
import { Dag } from '../draw/dag';
import { download } from '../draw/download';
import { inAddress, note, Parameters, useParameters, withParameters, type Values } from '../draw/parameters';
import { StartStop } from '../draw/start_stop';
import { useTask } from '../draw/task';
import { loadGame } from '../games';
import { useEngineWords } from '../engine';
import { inLanguage, useLanguage, useWords, type Translate } from '../i18n';
import { bare } from '../play/link';
import { Button, Link, Notice, Problem, Select, Spinner, Title, useAnswer } from '../ui';

export default function StrategyScreen({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const id = args.get('game') ?? '';
  const moves = (args.get('moves') ?? '').split(';').filter(Boolean);
  const { answer, problem } = useAnswer(() => loadGame(id), [id]);
  return (
    <div class="stack">
      {problem !== null && <><Title text={t('title')} /><Problem problem={problem} /></>}
      {answer ? <Solving key={args.get('with')} game={answer.game} gameRef={answer.ref} moves={moves} args={args} /> : problem === null && <Spinner label={t('loading')} />}
    </div>
  );
}

function Solving({ game, gameRef, moves, args }: { game: Game; gameRef: GameRef; moves: string[]; args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const [seconds, setSeconds] = useState('10');
  const [parameters, setParameters] = useParameters(game, args);
  const [progress, setProgress] = useState('');
  const [used, use] = useState<Values>(parameters);
  const [solution, setSolution] = useState<Solution | null>(null);
  const [opened, setOpened] = useState<StrategyAbout | null>(null);
  const task = useTask();

  const solve = () => task.start(async (signal) => {
    setSolution(null);
    setOpened(null);
    setProgress('');
    use(parameters);
    note(parameters);
    const asked = { game: withParameters(gameRef, parameters), seconds: Number(seconds) };
    for await (const { name, data } of listen('/api/solve', asked, signal)) {
      if (name === 'progress') setProgress(data.text);
      if (name !== 'solved') continue;
      setSolution(data);
      setOpened(data.strategies[0] ?? null);
    }
  });
  useEffect(() => { if (moves.length > 0) solve(); }, []);

  const speech = useSpeech(game.hints);
  const spoken = useEngineWords();
  const here = { game: game.id, ...inAddress(parameters) };

  return (
    <Speaking value={speech}>
      <Title text={t('of', { game: inLanguage(game.title, language) })} />
      <form class="row end" onSubmit={(event) => { event.preventDefault(); solve(); }}>
        <Parameters values={parameters} onChange={setParameters} />
        <Select label={t('time')} value={seconds} onChange={setSeconds}
          options={['2', '10', '30', '120', '600'].map((value) => ({ value, label: t('seconds', { n: value }) }))} />
        <StartStop running={task.running} start={t('solve')} stop={t('stop')} onStop={task.stop} />
        {game.kind === 'gdl' && <Link to="play" args={here} look="quiet">{t('play')}</Link>}
        {game.kind === 'graph' && <Link to="graph" args={here} look="quiet">{t('graph')}</Link>}
        {game.kind === 'minizinc' && !game.tags.includes('stochastic') && <Link to="tree" args={here} look="quiet">{t('tree')}</Link>}
      </form>
      {task.running && <Spinner label={spoken(progress) || t('solving')} />}
      <Problem problem={task.problem} />
      {solution && <Verdict solution={solution} game={game} values={used} t={t} />}
      {solution && solution.strategies.length > 0 && (
        <section class="stack" aria-label={t('strategies')}>
          <h2>{t('strategies')}</h2>
          <ul class="strategy-list">
            {solution.strategies.map((about) => (
              <Entry key={about.id} about={about} opened={about.id === opened?.id} onOpen={() => setOpened(about)} t={t} />
            ))}
          </ul>
        </section>
      )}
      {opened && (
        <section class="stack" aria-label={t('opened', { owner: opened.owner })}>
          <h2>{t('opened', { owner: opened.owner })}</h2>
          <Dag key={opened.id} about={opened} moves={moves} game={game} />
        </section>
      )}
    </Speaking>
  );
}

type T = Translate<typeof words>;

const exact = (value: number, language: string): string => value.toLocaleString(language, { maximumFractionDigits: 4 });

function Verdict({ solution, game, values: parameters, t }: { solution: Solution; game: Game; values: Values; t: T }) {
  const language = useLanguage();
  const spoken = useEngineWords();
  const first = game.seats[0] ?? '';
  const { verdict, values, best, engine, seconds, work, stop } = solution;
  const seats = [...new Set([...game.seats, ...Object.keys(values)])].filter((seat) => seat in values);
  const tone = verdict === 'won' ? 'good' : verdict === 'lost' ? 'bad' : 'neutral';
  return (
    <div class={`strategy-verdict ${tone}`} role="status">
      <p class="strategy-word">{verdict === 'unknown' ? t('unknown', { stop: spoken(stop) }) : t(verdict, { first })}</p>
      <dl>
        {seats.map((seat) => <div key={seat}><dt>{t('value', { seat })}</dt><dd>{exact(values[seat]!, language)}</dd></div>)}
        {best.length > 0 && <div><dt>{t('best')}</dt><dd><Best game={game} moves={best} values={parameters} t={t} /></dd></div>}
        <div><dt>{t('cost')}</dt><dd>{t('costIs', { work: work.toLocaleString(language), seconds: seconds.toLocaleString(language, { maximumFractionDigits: 3 }), engine: spoken(engine) })}</dd></div>
      </dl>
    </div>
  );
}

// Each leads to the position after it, on the board, where it can be taken back.
function Best({ game, moves, values, t }: { game: Game; moves: string[]; values: Values; t: T }) {
  const say = useSay();
  const playable = !game.tags.includes('simultaneous') && !game.tags.includes('stochastic');
  return (
    <ul class="strategy-best">
      {moves.map((move) => (
        <li key={move}>
          {playable ? <Link to="play" args={{ game: game.id, ...inAddress(values), play: bare(move) }} title={t('show')}>{say(move)}</Link> : say(move)}
        </li>
      ))}
    </ul>
  );
}

function Entry({ about, opened, onOpen, t }: { about: StrategyAbout; opened: boolean; onOpen: () => void; t: T }) {
  const language = useLanguage();
  const task = useTask();
  const keep = () => task.start(async (signal) => {
    download(`strategy-${about.owner}.json`, await load(`/api/strategies/${about.id}/file`, signal));
  });
  return (
    <li class="strategy-entry card">
      <div class="stack">
        <h3>{t('for', { owner: about.owner })}</h3>
        <p>{t('sure', { promise: exact(about.promise, language), nodes: about.nodes.toLocaleString(language) })} {about.truncated && t('truncated')}</p>
        <div class="row">
          <Button aria-pressed={opened} onClick={onOpen}>{t('open')}</Button>
          <Button onClick={keep} disabled={task.running}>{t('download')}</Button>
        </div>
        <Problem problem={task.problem} />
      </div>
      <Seal check={about.check} t={t} />
    </li>
  );
}

// The verifier's stamp.
function Seal({ check, t }: { check: Stamp; t: T }) {
  const language = useLanguage();
  if (!check.valid) return <Notice tone="bad"><strong>{t('invalid')}</strong> {check.problem}</Notice>;
  return (
    <div class="seal">
      <strong><span aria-hidden="true">✓ </span>{t('valid')}</strong>
      <span>{t('byRules')}</span>
      <span>{t('checked', { positions: check.positions.toLocaleString(language), scenarios: check.scenarios })}</span>
    </div>
  );
}

const words = {
  title: { en: 'Strategy', fr: 'Stratégie' },
  of: { en: 'Strategies of {game}', fr: 'Stratégies de {game}' },
  loading: { en: 'Loading …', fr: 'Chargement …' },
  time: { en: 'Time', fr: 'Temps' },
  seconds: { en: 'at most {n} s', fr: 'au plus {n} s' },
  solve: { en: 'Solve', fr: 'Résoudre' },
  stop: { en: 'Stop', fr: 'Arrêter' },
  solving: { en: 'Solving …', fr: 'Résolution …' },
  play: { en: 'Play', fr: 'Jouer' },
  graph: { en: 'Graph', fr: 'Graphe' },
  tree: { en: 'Search tree', fr: 'Arbre de recherche' },
  won: { en: 'Won by {first}', fr: 'Gagné par {first}' },
  lost: { en: 'Lost for {first}', fr: 'Perdu pour {first}' },
  drawn: { en: 'Drawn', fr: 'Nul' },
  unknown: { en: 'Unknown: {stop}', fr: 'Inconnu : {stop}' },
  value: { en: 'Value for {seat}', fr: 'Valeur pour {seat}' },
  best: { en: 'Best moves', fr: 'Meilleurs coups' },
  show: { en: 'The position after this move', fr: 'La position après ce coup' },
  cost: { en: 'Cost', fr: 'Coût' },
  costIs: { en: '{work} nodes, {seconds} s, {engine}', fr: '{work} nœuds, {seconds} s, {engine}' },
  strategies: { en: 'Strategies found', fr: 'Stratégies trouvées' },
  for: { en: 'A strategy for {owner}', fr: 'Une stratégie pour {owner}' },
  sure: { en: 'Sure of {promise}, whatever the others do. {nodes} nodes.', fr: 'Garantit {promise}, quoi que fassent les autres. {nodes} nœuds.' },
  truncated: { en: 'Only the layers nearest to the root are kept.', fr: 'Seules les couches les plus proches de la racine sont gardées.' },
  open: { en: 'Open', fr: 'Ouvrir' },
  opened: { en: 'The strategy of {owner}', fr: 'La stratégie de {owner}' },
  download: { en: 'Download', fr: 'Télécharger' },
  valid: { en: 'Valid', fr: 'Valide' },
  invalid: { en: 'Not valid:', fr: 'Non valide :' },
  byRules: { en: 'checked by the rules alone', fr: 'vérifiée par les règles seules' },
  checked: { en: '{positions} positions, {scenarios} scenarios', fr: '{positions} positions, {scenarios} scénarios' },
};
