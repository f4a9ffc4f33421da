// One strategy, opened: its drawing from the root on, and beside it, in words, the branch that one follows.
//
// Nodes are loaded as they are needed. The drawing and the words show the same: `trail` is the path from the
// root to the node that is looked at.

import './dag.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Game, StrategyAbout, StrategyNode } from '../api';
import { useWords, type Translate } from '../i18n';
import { Button, Field, Live, Notice, Problem, Spinner, useWork } from '../ui';
import { useSay } from '../board/speech';
import { download } from './download';
import { MiniatureView, miniatureOf, type Miniature } from '../board/miniature';
import { asPdf, asPng, asSvg, pictureOf } from './picture';
import { Known, type Found } from './known';
import { folded, short } from './labels';
import { layered, line, wide, type Layout } from './layered';
import { Position } from './position';
import { Sheet } from './sheet';
import { useTask } from './task';
import { around } from './view';

const most = 400;   // nodes drawn at once
const height = 30;   // of a node's caption
const gap = 5;

interface Props {
  about: StrategyAbout;
  moves: string[];   // of the play that one comes from
  game: Game;
}

export function Dag({ about, moves, game }: Props) {
  const t = useWords(words);
  const known = useMemo(() => new Known(about), [about.id]);
  const [root, setRoot] = useState(about.root);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [trail, setTrail] = useState<number[]>([]);
  const [played, setPlayed] = useState<number[]>([]);
  const view = useRef<HTMLDivElement>(null);
  const task = useTask();

  const visit = async (path: number[], signal?: AbortSignal, also: number[] = []) => {
    await known.below(path, signal);
    if (signal?.aborted) return;
    setOpen((before) => new Set([...before, ...path, ...also]));
    setTrail(path);
    if (!path.includes(root)) setRoot(about.root);
  };

  const work = useWork(async (signal) => {
    await known.around(about.root, 2, 40, signal);
    const play = moves.length > 0 ? await known.follow(moves, signal) : [];
    const near = known.nodes.get(about.root)!.edges.map(({ to }) => to).filter((id) => known.complete(id));
    setPlayed(play);
    await visit(play.length > 0 ? play : [about.root], signal, near);
  }, [about.id]);

  // A model's strategy may pass over variables, so there the numbers tell nothing.
  const left = game.kind !== 'minizinc' && played.length > 0 && played.length <= moves.length;
  const here = known.nodes.get(trail[trail.length - 1] ?? -1);
  const drawn = known.drawn(root, open, most, trail.slice(trail.indexOf(root)));
  const wayTo = (id: number): number[] => {
    const place = trail.indexOf(id);
    if (place >= 0) return trail.slice(0, place + 1);
    const child = here !== undefined && here.edges.some(({ to }) => to === id);
    return child ? [...trail, id] : known.way(about.root, open, id);
  };
  const go = (path: number[]) => { if (path.length > 0) task.start((signal) => visit(path, signal)); };
  const toggle = (id: number) => {
    if (!open.has(id)) return go(wayTo(id));
    setTrail(wayTo(id));
    setOpen(new Set([...open].filter((other) => other !== id)));
  };
  const jump = (path: number[]) => task.start(async (signal) => {
    await visit(path, signal);
    view.current?.scrollIntoView({ block: 'nearest' });
  });

  const keep = (kind: 'svg' | 'png' | 'pdf') => task.start(async () => {
    const picture = pictureOf(view.current!.querySelector('svg.sheet-window')!);
    const file = kind === 'svg' ? asSvg(picture) : await (kind === 'png' ? asPng : asPdf)(picture);
    download(`strategy-${about.owner}.${kind}`, file);
  });

  if (work.problem) return <Problem problem={work.problem} />;
  if (!here) return <Spinner label={t('loading')} />;
  return (
    <>
      <Layers layers={about.layers} depth={here.depth} t={t} />
      <Search known={known} t={t} onJump={jump} />
      <div class="dag" ref={view}>
        <div class="dag-drawing">
          <Drawing game={game} nodes={drawn.nodes} known={known} open={open} trail={trail} played={played} onSelect={(id) => go(wayTo(id))} onToggle={toggle} t={t} />
          <Legend t={t} play={played.length > 0} />
          <div class="row">
            {(['svg', 'png', 'pdf'] as const).map((kind) => (
              <Button key={kind} look="quiet" onClick={() => keep(kind)}>{t('save', { kind: kind.toUpperCase() })}</Button>
            ))}
          </div>
          {left && <Notice>{t('left', { n: played.length - 1 })}</Notice>}
          {drawn.left && (
            <Notice tone="warning">
              {t('many', { most })} <Button onClick={() => setRoot(here.id)}>{t('begin')}</Button>
            </Notice>
          )}
          {root !== about.root && <Button onClick={() => setRoot(about.root)}>{t('beginAtRoot')}</Button>}
        </div>
        <Branch
          known={known} trail={trail} played={played} open={open.has(here.id)} game={game} t={t}
          onGo={go} onToggle={() => toggle(here.id)}
        />
      </div>
      <Problem problem={task.problem} />
    </>
  );
}

type T = Translate<typeof words>;

// --- the drawing -----------------------------------------------------------------------------------------------------

const signs: Record<StrategyNode['kind'], string> = { owner: '●', other: '○', chance: '⚄', end: '■' };

const caption = (node: StrategyNode): string =>
  `${signs[node.kind]} ${node.kind === 'end' ? node.payoff ?? '' : short(node.label, 22)}`;

interface DrawingProps {
  game: Game;
  nodes: StrategyNode[];
  known: Known;
  open: ReadonlySet<number>;
  trail: number[];
  played: number[];
  onSelect: (id: number) => void;
  onToggle: (id: number) => void;
  t: T;
}

function Drawing({ game, nodes, known, open, trail, played, onSelect, onToggle, t }: DrawingProps) {
  const say = useSay();
  const shown = new Set(nodes.map(({ id }) => id));
  const edges = nodes.flatMap((node) =>
    open.has(node.id)
      ? node.edges.filter(({ to }) => shown.has(to)).map(({ to, labels }) => ({ from: node.id, to, text: folded(labels, say), labels }))
      : []);
  const pictures = usePictures(nodes, edges, game);
  const layout = useLayout(nodes, edges, pictures);
  const on = pairs(trail);
  const walked = pairs(played);
  const current = trail[trail.length - 1]!;
  const near = [current, ...(known.nodes.get(current)?.edges ?? []).map(({ to }) => to)];
  const focus = around(near.flatMap((id) => layout.found?.nodes.get(id) ?? []));
  return (
    <Sheet name={t('drawing', { n: nodes.length })} size={layout.size} focus={focus}>
      {layout.edges.map((edge, index) => {
        const { points, label } = layout.found!.edges[index]!;
        const key = `${edge.from} ${edge.to}`;
        return (
          <g key={key} class={`dag-edge ${on.has(key) ? 'on' : ''} ${walked.has(key) ? 'played' : ''}`}>
            <title>{edge.labels.join(' // ')}</title>
            <path d={line(points)} />
            {label && <text x={label.x} y={label.y + 4}>{edge.text}</text>}
          </g>
        );
      })}
      {nodes.map((node) => {
        const box = layout.found?.nodes.get(node.id);
        return box && (
          <g
            key={node.id} transform={`translate(${box.x} ${box.y})`} role="button" tabindex={node.id === current ? 0 : -1}
            class={`dag-node ${node.kind} ${played.includes(node.id) ? 'played' : ''}`} data-node={node.id}
            aria-pressed={node.id === current} aria-label={`${t(node.kind)}: ${node.kind === 'end' ? node.payoff ?? '' : node.label}`}
            onClick={() => onSelect(node.id)} onKeyDown={(event) => { if (event.key === 'Enter') onSelect(node.id); }}
          >
            <title>{t(node.kind)}: {node.label}</title>
            <Shape kind={node.kind} width={box.width} height={box.height} />
            <text x={box.width / 2} y={height / 2 + 4}>{caption(node)}</text>
            {pictures.get(node.id) && (
              <MiniatureView miniature={pictures.get(node.id)!} game={game} x={(box.width - pictures.get(node.id)!.width) / 2} y={height - gap} />
            )}
            {node.edges.length > 0 && (
              <g class="dag-fold" data-fold transform={`translate(${box.width / 2} ${box.height})`} onClick={(event) => { event.stopPropagation(); onToggle(node.id); }}>
                <title>{t(open.has(node.id) ? 'fold' : 'unfold')}</title>
                <circle r={open.has(node.id) && known.complete(node.id) ? 6 : 9} />
                <text y={4}>{open.has(node.id) ? '−' : `+${node.edges.length > 9 ? '' : node.edges.length}`}</text>
              </g>
            )}
          </g>
        );
      })}
    </Sheet>
  );
}

function Shape({ kind, width, height }: { kind: StrategyNode['kind']; width: number; height: number }) {
  if (kind === 'chance') {
    const d = `M8 0H${width - 8}L${width} ${height / 2}L${width - 8} ${height}H8L0 ${height / 2}Z`;
    return <path class="shape" d={d} />;
  }
  return (
    <>
      <rect class="shape" width={width} height={height} rx={kind === 'owner' ? 15 : 3} />
      {kind === 'end' && <rect class="inner" x={3} y={3} width={width - 6} height={height - 6} rx={2} />}
    </>
  );
}

interface Drawn { from: number; to: number; text: string; labels: string[] }

// The last layout that was found stays until there is a new one, with the edges that it is of.
function useLayout(nodes: StrategyNode[], edges: Drawn[], pictures: Map<number, Miniature>) {
  const [state, show] = useState<{ found: Layout | null; edges: Drawn[] }>({ found: null, edges: [] });
  const key = `${nodes.map(({ id }) => id)} ${edges.map(({ from, to }) => `${from}-${to}`)}`;
  useEffect(() => {
    let gone = false;
    void layered({
      nodes: nodes.map((node) => {
        const picture = pictures.get(node.id);
        return {
          id: node.id,
          width: Math.max(44, wide(caption(node)) + 20, (picture?.width ?? 0) + 16),
          height: height + (picture ? picture.height + gap : 0),
        };
      }),
      edges: edges.map(({ from, to, text }) => ({ from, to, width: wide(text) + 6, height: 16 })),
    }).then((found) => { if (!gone) show({ found, edges }); });
    return () => { gone = true; };
  }, [key]);
  return { ...state, size: { width: state.found?.width ?? 0, height: state.found?.height ?? 0 } };
}

// Of few nodes the position is drawn; more would not be read.
function usePictures(nodes: StrategyNode[], edges: Drawn[], game: Game): Map<number, Miniature> {
  const key = nodes.map(({ id }) => id).join(' ');
  return useMemo(() => {
    const found = new Map<number, Miniature>();
    if (nodes.length > mostPictures) return found;
    const seen = nodes.flatMap(({ facts }) => facts);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) {
      const from = edges.find(({ to }) => to === node.id)?.from;
      const picture = miniatureOf(node.facts, from === undefined ? [] : byId.get(from)?.facts ?? [], seen, game);
      if (picture) found.set(node.id, picture);
    }
    return found;
  }, [key, edges.length, game]);
}
const mostPictures = 120;

const pairs = (path: number[]): Set<string> => new Set(path.slice(1).map((id, index) => `${path[index]} ${id}`));

function Legend({ t, play }: { t: T; play: boolean }) {
  return (
    <ul class="dag-legend">
      {(['owner', 'other', 'chance', 'end'] as const).map((kind) => (
        <li key={kind}><span aria-hidden="true">{signs[kind]}</span> {t(kind)}</li>
      ))}
      {play && <li class="played">{t('play')}</li>}
    </ul>
  );
}

// --- the same in words -----------------------------------------------------------------------------------------------

interface BranchProps {
  known: Known;
  trail: number[];
  played: number[];
  open: boolean;
  game: Game;
  onGo: (path: number[]) => void;
  onToggle: () => void;
  t: T;
}

function Branch({ known, trail, played, open, game, onGo, onToggle, t }: BranchProps) {
  const here = known.nodes.get(trail[trail.length - 1]!)!;
  const said = here.kind === 'end'
    ? t('over', { payoff: here.payoff ?? '?', owner: known.about.owner })
    : t(`says_${here.kind}`, { who: here.label });
  const say = useSay();
  const ways = here.edges.map(({ labels }) => folded(labels, say, 60));
  return (
    <section class="dag-branch" aria-label={t('branch')}>
      <h3>{t('branch')}</h3>
      <ol class="dag-trail">
        {trail.slice(1).map((id, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => onGo(trail.slice(0, index + 2))} aria-current={index + 2 === trail.length ? 'step' : undefined}>
              {t('step', { who: known.nodes.get(trail[index]!)!.label, move: folded(known.labels(trail[index]!, id), say, 40) })}
            </button>
            {played.includes(id) && <span class="dag-played"> {t('inPlay')}</span>}
          </li>
        ))}
      </ol>
      <div class="row">
        <Button disabled={trail.length < 2} onClick={() => onGo(trail.slice(0, -1))}>{t('back')}</Button>
        <Button disabled={trail.length < 2} onClick={() => onGo(trail.slice(0, 1))}>{t('root')}</Button>
        {here.edges.length > 0 && <Button onClick={onToggle}>{t(open ? 'fold' : 'unfold')}</Button>}
      </div>
      <p class="dag-say">{said}</p>
      {here.cut && <p>{t('cut')}</p>}
      <Live>{say} {ways.slice(0, 12).join(', ')}</Live>
      <ul class="dag-ways">
        {here.edges.map(({ to }, index) => (
          <li key={to}><Button class="way" onClick={() => onGo([...trail, to])}>{ways[index]}</Button></li>
        ))}
      </ul>
      <Position facts={here.facts} seen={trail.flatMap((id) => known.nodes.get(id)?.facts ?? [])} game={game} />
    </section>
  );
}

// How many nodes there are at each depth.
function Layers({ layers, depth, t }: { layers: number[]; depth: number; t: T }) {
  const greatest = Math.max(1, ...layers);
  const step = 6;
  return (
    <figure class="dag-layers">
      <svg viewBox={`0 0 ${layers.length * step} 40`} width={layers.length * step} height={40} role="img" aria-label={t('layersAre', { list: layers.join(', ') })}>
        {layers.map((count, at) => {
          const tall = Math.max(1, (38 * Math.log1p(count)) / Math.log1p(greatest));
          return <rect key={at} class={at === depth ? 'here' : ''} x={at * step} y={40 - tall} width={step - 1} height={tall}><title>{at}: {count}</title></rect>;
        })}
      </svg>
      <figcaption>{t('layers', { depth: layers.length - 1, widest: greatest })}</figcaption>
    </figure>
  );
}

function Search({ known, t, onJump }: { known: Known; t: T; onJump: (path: number[]) => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ total: number; found: Found[] } | null>(null);
  const task = useTask();
  const search = (event: Event) => {
    event.preventDefault();
    task.start(async (signal) => setFound(await known.find(text, signal)));
  };
  const jump = (result: Found) => task.start(async (signal) => {
    const path = await known.follow(result.path, signal);
    onJump(path[path.length - 1] === result.id ? path : [...path, result.id]);
  });
  return (
    <form class="dag-search" role="search" onSubmit={search}>
      <Field label={t('find')} hint={t('example')} type="search" value={text} onInput={setText} />
      <Button type="submit" disabled={text.trim() === '' || task.running}>{t('search')}</Button>
      <div role="status">{found && t('found', { n: found.total })}</div>
      {found && found.found.length > 0 && (
        <ul class="dag-found">
          {found.found.map((result) => (
            <li key={result.id}>
              <button type="button" class="link" onClick={() => jump(result)}>
                {t('depth', { n: result.depth })}, {result.label}{result.path.length > 0 ? `: ${short(result.path.join(', '), 90)}` : ''}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem problem={task.problem} />
    </form>
  );
}

const words = {
  loading: { en: 'Opening the strategy …', fr: 'Ouverture de la stratégie …' },
  drawing: { en: 'Drawing of the strategy, {n} nodes', fr: 'Dessin de la stratégie, {n} nœuds' },
  owner: { en: 'the strategy’s move', fr: 'coup de la stratégie' },
  other: { en: 'the opponent’s move', fr: 'coup de l’adversaire' },
  chance: { en: 'chance', fr: 'hasard' },
  end: { en: 'end, with the payoff', fr: 'fin, avec le gain' },
  play: { en: 'the current play', fr: 'la partie en cours' },
  left: { en: 'After {n} moves the current play leaves this strategy.', fr: 'Après {n} coups, la partie en cours quitte cette stratégie.' },
  inPlay: { en: '(played)', fr: '(joué)' },
  fold: { en: 'Fold', fr: 'Replier' },
  unfold: { en: 'Unfold', fr: 'Déplier' },
  save: { en: 'Save as {kind}', fr: 'Enregistrer en {kind}' },
  many: {
    en: 'More than {most} nodes are unfolded; only the nearest are drawn.',
    fr: 'Plus de {most} nœuds sont dépliés ; seuls les plus proches sont dessinés.',
  },
  begin: { en: 'Draw from here', fr: 'Dessiner à partir d’ici' },
  beginAtRoot: { en: 'Draw from the root', fr: 'Dessiner à partir de la racine' },
  branch: { en: 'The branch you follow', fr: 'La branche suivie' },
  back: { en: 'Back', fr: 'Retour' },
  root: { en: 'To the root', fr: 'À la racine' },
  step: { en: '{who}: {move}', fr: '{who} : {move}' },
  says_owner: { en: '{who}: the strategy plays', fr: '{who} : la stratégie joue' },
  says_other: { en: '{who}: possible replies', fr: '{who} : réponses possibles' },
  says_chance: { en: '{who}: possible chance outcomes', fr: '{who} : issues possibles du hasard' },
  over: { en: 'The play is over: {payoff} for {owner}.', fr: 'La partie est finie : {payoff} pour {owner}.' },
  cut: { en: 'The rest of this branch is too large and was not kept.', fr: 'La suite de cette branche est trop grande ; elle n’a pas été gardée.' },
  layers: { en: 'depth {depth}; at most {widest} nodes per layer', fr: 'profondeur {depth} ; au plus {widest} nœuds par couche' },
  layersAre: { en: 'Nodes by depth: {list}', fr: 'Nœuds par profondeur : {list}' },
  find: { en: 'Find a position', fr: 'Chercher une position' },
  example: { en: 'part of a position or a move, for example cell 2 2 x', fr: 'partie d’une position ou d’un coup, par exemple cell 2 2 x' },
  search: { en: 'Search', fr: 'Chercher' },
  found: { en: '{n} found', fr: '{n} trouvées' },
  depth: { en: 'depth {n}', fr: 'profondeur {n}' },
};
