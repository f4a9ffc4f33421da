// The search tree of a quantified model, drawn as it grows, every closed branch with the reason.
//
// Events come faster than anyone can watch. They wait in a queue, and are drawn at the pace that is chosen.

import './tree.css';
import { Component } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen, type Game, type GameRef, type Reason, type Tree, type TreeEvent } from '../api';
import { Growth, reasons, type Twig } from '../draw/growth';
import { inAddress, note, Parameters, useParameters, withParameters } from '../draw/parameters';
import { Sheet } from '../draw/sheet';
import { StartStop } from '../draw/start_stop';
import { useTask } from '../draw/task';
import { useEngineWords } from '../engine';
import { loadGame } from '../games';
import { inLanguage, useLanguage, useWords, type Translate } from '../i18n';
import { Button, Link, Notice, Problem, Select, Spinner, Title, useAnswer } from '../ui';

const mostDrawn = 2000;
const paces = [2, 10, 50, 250, 1000, Infinity];   // events a second

export default function TreeScreen({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const language = useLanguage();
  const id = args.get('game') ?? '';
  const { answer, problem } = useAnswer(() => loadGame(id), [id]);
  return (
    <div class="stack">
      <Title text={answer ? t('of', { game: inLanguage(answer.game.title, language) }) : t('title')} />
      <Problem problem={problem} />
      {answer ? <Growing key={args.get('with')} game={answer.game} gameRef={answer.ref} args={args} t={t} /> : problem === null && <Spinner label={t('loading')} />}
    </div>
  );
}

type T = Translate<typeof words>;

interface End { verdict: string; nodes: number; stop: string; truncated: boolean }

function Growing({ game, gameRef, args, t }: { game: Game; gameRef: GameRef; args: URLSearchParams; t: T }) {
  const language = useLanguage();
  const [parameters, setParameters] = useParameters(game, args);
  const [most, setMost] = useState('5000');
  const [pace, setPace] = useState(3);
  const [variables, setVariables] = useState<Tree['variables']>([]);
  const [end, setEnd] = useState<End | null>(null);
  const task = useTask();
  const replay = useReplay(paces[pace]!);

  const start = () => {
    replay.begin();
    setEnd(null);
    note(parameters);
    task.start(async (signal) => {
      const asked = { game: withParameters(gameRef, parameters), seconds: 60, most: Number(most) };
      for await (const { name, data } of listen('/api/tree', asked, signal)) {
        if (name === 'begin') setVariables((data as Tree).variables);
        if (name === 'grow') replay.add(data);
        if (name === 'end') setEnd(data);
      }
    });
  };
  const stop = () => { task.stop(); replay.halt(); };
  const { growth, waiting } = replay;
  const busy = task.running || waiting > 0;

  return (
    <>
      <form class="row end" onSubmit={(event) => { event.preventDefault(); start(); }}>
        <Parameters values={parameters} onChange={setParameters} />
        <Select label={t('most')} value={most} onChange={setMost}
          options={['500', '5000', '50000'].map((value) => ({ value, label: Number(value).toLocaleString(language) }))} />
        <StartStop running={busy} start={t('start')} stop={t('stop')} onStop={stop} />
        {growth && !busy && <Button onClick={replay.again}>{t('again')}</Button>}
        <label class="field tree-pace">
          <span>{paces[pace] === Infinity ? t('fastest') : t('pace', { n: paces[pace]! })}</span>
          <input type="range" min={0} max={paces.length - 1} value={pace} onInput={(event) => setPace(Number(event.currentTarget.value))} />
        </label>
        <Link to="strategy" args={{ game: game.id, ...inAddress(parameters) }} look="quiet">{t('strategy')}</Link>
      </form>
      <Problem problem={task.problem} />
      {growth && (
        <>
          {!busy && end && <Verdict end={end} t={t} />}
          {busy && <p class="muted">{t('growing', { nodes: growth.nodes.toLocaleString(language), waiting: waiting.toLocaleString(language) })}</p>}
          {!busy && growth.nodes > growth.twigs.length && <Notice>{t('partly', { n: growth.twigs.length.toLocaleString(language), all: growth.nodes.toLocaleString(language) })}</Notice>}
          <div class="tree-view">
            <Drawing key={replay.run} growth={growth} variables={variables} t={t} />
            <div class="stack">
              <Counts growth={growth} t={t} />
              <Path growth={growth} variables={variables} t={t} />
            </div>
          </div>
        </>
      )}
    </>
  );
}

function Verdict({ end, t }: { end: End; t: T }) {
  const language = useLanguage();
  const spoken = useEngineWords();
  const known = end.verdict === 'won' || end.verdict === 'lost' ? end.verdict : 'unknown';
  return (
    <Notice tone={known === 'won' ? 'good' : known === 'lost' ? 'bad' : 'neutral'}>
      <strong>{t(known)}</strong> {t('nodes', { n: end.nodes.toLocaleString(language) })} {end.stop && t('stopped', { why: spoken(end.stop) })} {end.truncated && t('truncated')}
    </Notice>
  );
}

// Takes events from the queue, so many a second, and renders once a frame.
function useReplay(pace: number) {
  const [, render] = useState(0);
  const queue = useRef<TreeEvent[]>([]);
  const next = useRef(0);
  const run = useRef(0);
  const growth = useRef<Growth | null>(null);
  const rate = useRef(pace);
  rate.current = pace;

  useEffect(() => {
    let frame = 0;
    let last = performance.now();
    let owed = 0;
    const draw = (now: number) => {
      frame = requestAnimationFrame(draw);
      owed = Math.min(owed + ((now - last) / 1000) * Math.min(rate.current, 60_000), Math.max(1, queue.current.length - next.current));
      last = now;
      if (next.current >= queue.current.length || owed < 1) return;
      for (; owed >= 1 && next.current < queue.current.length; owed -= 1) growth.current!.take(queue.current[next.current++]!);
      render((count) => count + 1);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, []);

  const again = () => {
    run.current += 1;
    growth.current = new Growth(mostDrawn);
    next.current = 0;
    render((count) => count + 1);
  };
  return {
    run: run.current,
    growth: growth.current,
    waiting: queue.current.length - next.current,
    again,
    begin() {
      queue.current = [];
      again();
    },
    add(events: TreeEvent[]) {
      for (const event of events) queue.current.push(event);
    },
    halt() {
      queue.current.length = next.current;
      render((count) => count + 1);
    },
  };
}

// --- the drawing -----------------------------------------------------------------------------------------------------

const signs: Record<Reason, string> = { success: '✓', failure: '✗', rule: '§', cut: '✂', good: '+', nogood: '−', pure: '○' };
const margin = { left: 96, right: 24, top: 20 };

function Drawing({ growth, variables, t }: { growth: Growth; variables: Tree['variables']; t: T }) {
  const gap = gapFor(growth.leaves);
  const roomy = gap >= 20;
  const width = margin.left + growth.leaves * gap + margin.right;
  const level = levelFor(width / (growth.depth + 2));
  const size = { width, height: margin.top + growth.depth * level + 20 };
  const x = (twig: Twig) => margin.left + twig.x * gap;
  const y = (twig: Twig) => margin.top + twig.depth * level;
  return (
    <div>
      <Sheet name={t('drawing')} size={size} whole>
        {growth.twigs.map((twig) => (
          <TwigMark
            key={twig.id} level={level} scale={Math.min(1, gap / 16)} x={x(twig)} y={y(twig)} fromX={twig.parent ? x(twig.parent) : null} roomy={roomy}
            value={twig.value} won={twig.won} reason={twig.reason} first={twig.first}
            name={twig.variable === null ? '' : variables[twig.variable]?.name ?? ''} says={twig.reason === null ? '' : t(twig.reason)}
            every={twig.variable !== null && variables[twig.variable]?.quantifier === 'forall'}
          />
        ))}
      </Sheet>
      <ul class="tree-legend">
        <li><svg width={16} height={16} aria-hidden="true"><circle class="tree-node" cx={8} cy={8} r={6} /></svg> {t('exists')}</li>
        <li><svg width={16} height={16} aria-hidden="true"><rect class="tree-node" x={2} y={2} width={12} height={12} /></svg> {t('forall')}</li>
        <li><span class="tree-won">━</span> {t('wonLine')}</li>
        <li><span class="tree-lost">╍</span> {t('lostLine')}</li>
      </ul>
    </div>
  );
}

// The more leaves, the closer they stand; by steps, so that the drawing does not shift with every one.
function gapFor(leaves: number): number {
  for (const [most, gap] of [[40, 28], [80, 20], [160, 14], [400, 10]] as const) if (leaves <= most) return gap;
  return 7;
}

// The wider the drawing, the taller.
const levelFor = (share: number): number => Math.min(126, Math.max(46, Math.floor(share / 40) * 20 + 6));

interface TwigProps {
  level: number;
  scale: number;   // of the marks, so that they do not cover each other
  x: number; y: number; fromX: number | null; roomy: boolean;
  value: number | null; won: boolean | null; reason: Reason | null; name: string; says: string; every: boolean; first: boolean;
}

// Drawn anew only where something about it has changed: a frame changes few of them.
class TwigMark extends Component<TwigProps> {
  shouldComponentUpdate(next: TwigProps): boolean {
    return (Object.keys(next) as (keyof TwigProps)[]).some((key) => next[key] !== this.props[key]);
  }

  render({ level, scale, x, y, fromX, roomy, value, won, reason, name, says, every, first }: TwigProps) {
    const top = y - level;
    return (
      <g class={`tree-twig ${won === null ? 'open' : won ? 'won' : 'lost'}`}>
        {fromX !== null && <path class="tree-line" d={`M${fromX} ${top + 8}C${fromX} ${y - level * 0.4} ${x} ${top + level * 0.4} ${x} ${y - 7}`} />}
        {fromX !== null && roomy && value !== null && <text class="tree-value" x={x} y={y - 11}>{value}</text>}
        <g transform={`translate(${x} ${y}) scale(${scale})`}>
          {reason === null ? <Choice name={name} every={every} first={first} /> : <Leaf reason={reason} says={says} value={value} />}
        </g>
      </g>
    );
  }
}

function Leaf({ reason, says, value }: { reason: Reason; says: string; value: number | null }) {
  return (
    <g class={`tree-leaf ${reason}`}>
      <title>{says}{value === null ? '' : ` (${value})`}</title>
      <circle r={6.5} />
      <text y={4}>{signs[reason]}</text>
    </g>
  );
}

// The name stands beside the first node of a depth alone: the others have no room for it.
function Choice({ name, every, first }: { name: string; every: boolean; first: boolean }) {
  const quantifier = every ? '∀' : '∃';
  return (
    <g>
      <title>{quantifier} {name}</title>
      {every ? <rect class="tree-node" x={-7} y={-7} width={14} height={14} /> : <circle class="tree-node" r={8} />}
      <text class="tree-quantifier" y={4}>{quantifier}</text>
      {first && <text class="tree-name" x={-12} y={4}>{name}</text>}
    </g>
  );
}

// --- the same in words -----------------------------------------------------------------------------------------------

function Counts({ growth, t }: { growth: Growth; t: T }) {
  const language = useLanguage();
  return (
    <table class="tree-counts">
      <caption>{t('closed')}</caption>
      <tbody>
        {reasons.map((reason) => (
          <tr key={reason} data-reason={reason}>
            <td aria-hidden="true"><svg width={18} height={18} class={`tree-leaf ${reason}`}><circle cx={9} cy={9} r={7} /><text x={9} y={13}>{signs[reason]}</text></svg></td>
            <th scope="row">{t(reason)}</th>
            <td class="number">{growth.counts.get(reason)!.toLocaleString(language)}</td>
          </tr>
        ))}
        <tr><td /><th scope="row">{t('all')}</th><td class="number">{growth.nodes.toLocaleString(language)}</td></tr>
      </tbody>
    </table>
  );
}

function Path({ growth, variables, t }: { growth: Growth; variables: Tree['variables']; t: T }) {
  const path = growth.path();
  return (
    <section aria-label={t('path')}>
      <h2 class="tree-heading">{t('path')}</h2>
      {path.length === 0
        ? <p class="muted">{t('none')}</p>
        : <ol class="tree-path">{path.map(({ twig, value }) => {
            const variable = variables[twig.variable ?? -1];
            return <li key={twig.id}>{variable?.quantifier === 'forall' ? '∀' : '∃'} {variable?.name} {value === null ? '…' : `= ${value}`}</li>;
          })}</ol>}
    </section>
  );
}

const words = {
  title: { en: 'Search tree', fr: 'Arbre de recherche' },
  of: { en: 'Search tree of {game}', fr: 'Arbre de recherche de {game}' },
  loading: { en: 'Loading …', fr: 'Chargement …' },
  most: { en: 'Maximum number of events', fr: 'Nombre maximal d’événements' },
  start: { en: 'Start', fr: 'Commencer' },
  stop: { en: 'Stop', fr: 'Arrêter' },
  again: { en: 'Replay', fr: 'Revoir' },
  pace: { en: 'Speed: {n} per second', fr: 'Vitesse : {n} par seconde' },
  fastest: { en: 'Speed: maximum', fr: 'Vitesse : maximale' },
  strategy: { en: 'Strategies', fr: 'Stratégies' },
  growing: { en: '{nodes} nodes; {waiting} events still to be drawn.', fr: '{nodes} nœuds ; {waiting} événements restent à dessiner.' },
  partly: { en: 'The first {n} of {all} nodes are drawn; all of them are counted.', fr: 'Les {n} premiers nœuds sur {all} sont dessinés ; tous sont comptés.' },
  won: { en: 'Won: ∃ can force it.', fr: 'Gagné : ∃ peut le forcer.' },
  lost: { en: 'Lost: ∀ can prevent it.', fr: 'Perdu : ∀ peut l’empêcher.' },
  unknown: { en: 'Unknown.', fr: 'Inconnu.' },
  nodes: { en: '{n} nodes.', fr: '{n} nœuds.' },
  stopped: { en: 'Stopped early: {why}.', fr: 'Arrêté avant la fin : {why}.' },
  truncated: { en: 'The tree is too large; only a part is shown.', fr: 'L’arbre est trop grand ; seule une partie est montrée.' },
  drawing: { en: 'Drawing of the search tree', fr: 'Dessin de l’arbre de recherche' },
  exists: { en: '∃: one value must win', fr: '∃ : une valeur doit gagner' },
  forall: { en: '∀: all values must win', fr: '∀ : toutes les valeurs doivent gagner' },
  wonLine: { en: 'won', fr: 'gagné' },
  lostLine: { en: 'lost', fr: 'perdu' },
  closed: { en: 'Branches closed, by reason', fr: 'Branches fermées, par raison' },
  success: { en: 'success: no constraint can be violated any more', fr: 'succès : aucune contrainte ne peut plus être violée' },
  failure: { en: 'failure: propagation found a contradiction', fr: 'échec : la propagation a trouvé une contradiction' },
  rule: { en: 'rule: the move is not allowed', fr: 'règle : le coup n’est pas permis' },
  cut: { en: 'cut: the model declares a win', fr: 'coupure : le modèle déclare le gain' },
  good: { en: 'good: known to be won', fr: 'good : gain déjà connu' },
  nogood: { en: 'nogood: known to be lost', fr: 'nogood : perte déjà connue' },
  pure: { en: 'pure: the value cannot hurt', fr: 'pure : la valeur ne peut pas nuire' },
  all: { en: 'nodes in total', fr: 'nœuds au total' },
  path: { en: 'Current path', fr: 'Chemin courant' },
  none: { en: 'None: the tree is closed.', fr: 'Aucun : l’arbre est fermé.' },
};
