// All games, to be found by name, by words of their rules and by what they are like.

import './library.css';
import { useState } from 'preact/hooks';
import type { GameSummary, Kind } from '../api';
import { Thumbnail } from '../board/thumbnail';
import { isMine, loadGames, removeMine } from '../games';
import { inLanguage, type Language, type Translate, useLanguage, useWords } from '../i18n';
import { marks, theme } from '../marks';
import { amend, type Args, type Screen } from '../router';
import { Button, Chip, Dialog, Field, Link, Problem, Spinner, Tag, Title, type Tone, useAnswer } from '../ui';

type Say = Translate<typeof words>;

// A game passes where, of each group in which something is chosen, one choice fits it.
const groups = {
  seats: {
    one: (game) => game.seats.length === 1,
    two: (game) => game.seats.length === 2,
    more: (game) => game.seats.length > 2,
  },
  features: {
    turns: (game) => game.tags.includes('turns'),
    simultaneous: (game) => game.tags.includes('simultaneous'),
    dice: (game) => game.tags.includes('dice') || game.tags.includes('stochastic'),
    hidden: (game) => game.tags.includes('hidden'),
  },
  knowledge: {
    solved: (game) => game.solved !== null,
    open: (game) => game.solved === null,
  },
  kinds: {
    gdl: (game) => game.kind === 'gdl',
    minizinc: (game) => game.kind === 'minizinc',
    graph: (game) => game.kind === 'graph',
    mine: (game) => isMine(game.id),
  },
} satisfies Record<string, Record<string, (game: GameSummary) => boolean>>;
type Choice = { [G in keyof typeof groups]: keyof (typeof groups)[G] }[keyof typeof groups];

export default function Library({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const [search, setSearch] = useState(args.get('search') ?? '');
  const [chosen, setChosen] = useState(() => new Set(args.get('only')?.split(',')));
  const [removals, setRemovals] = useState(0);
  const { answer: games, problem } = useAnswer(loadGames, [removals]);
  const shown = games?.filter((game) => passes(game, chosen) && mentions(game, search));

  const note = (text: string, choices: Set<string>) => {
    setSearch(text);
    setChosen(choices);
    const only = [...choices].join(',');
    amend({ ...(text && { search: text }), ...(only && { only }) });   // so that one comes back to what was found
  };
  const toggle = (choice: string) => {
    const next = new Set(chosen);
    if (!next.delete(choice)) next.add(choice);
    note(search, next);
  };

  return (
    <div class="stack library">
      <header>
        <Title text={t('title')} />
        <p class="muted">{t('about')}</p>
      </header>
      <search class="stack">
        <Field type="search" label={t('search')} placeholder={t('example')} value={search} onInput={(text) => note(text, chosen)} />
        <div class="filters">
          {Object.entries(groups).map(([group, choices]) => (
            <fieldset key={group} class="row">
              <legend class="visually-hidden">{t(group as keyof typeof groups)}</legend>
              {Object.keys(choices).map((choice) => (
                <Chip key={choice} pressed={chosen.has(choice)} onClick={() => toggle(choice)}>{t(choice as Choice)}</Chip>
              ))}
            </fieldset>
          ))}
        </div>
        <div class="row">
          <p aria-live="polite" class="muted count">{shown && t(shown.length === 1 ? 'countOne' : 'count', { shown: shown.length, all: games!.length })}</p>
          {(search || chosen.size > 0) && <Button look="quiet" onClick={() => note('', new Set())}>{t('all')}</Button>}
        </div>
      </search>
      <Problem problem={problem} />
      {shown ? (
        <ul class="games">
          {shown.map((game) => <li key={game.id}><Card game={game} onRemoved={() => setRemovals(removals + 1)} /></li>)}
        </ul>
      ) : !problem && <Spinner label={t('loading')} />}
    </div>
  );
}

function passes(game: GameSummary, chosen: Set<string>): boolean {
  return Object.values(groups).every((choices) => {
    const asked = Object.entries(choices).filter(([choice]) => chosen.has(choice));
    return asked.length === 0 || asked.some(([, fits]) => fits(game));
  });
}

// Whether every word of the search occurs, whatever its accents and capitals.
function mentions({ id, title, words: rules, seats, themes }: GameSummary, search: string): boolean {
  const said = themes.flatMap((name) => [name, theme(name, 'en'), theme(name, 'fr')]);
  const text = plain([id, title.en, title.fr, rules.en, rules.fr, ...seats, ...said].join(' '));
  return plain(search).split(/\s+/).every((word) => text.includes(word));
}
const plain = (text: string) => text.normalize('NFD').replace(/\p{Diacritic}/gu, '').toLowerCase();

function Card({ game, onRemoved }: { game: GameSummary; onRemoved: () => void }) {
  const t = useWords(words);
  const language = useLanguage();
  const [first = '', ...others] = inLanguage(game.words, language).split(/\n\s*\n/);
  const long = others.length > 0 || first.length > 200;
  const textLanguage = game.words[language] ? undefined : 'en';
  const title = inLanguage(game.title, language);
  return (
    <article class="card game" aria-label={title}>
      <Thumbnail game={game} />
      <h2>{title}</h2>
      <div class="row">
        {tags(game, t, language).map(([tone, text]) => <Tag key={text} tone={tone}>{text}</Tag>)}
      </div>
      <div class={long ? 'rules long' : 'rules'} lang={textLanguage}>
        <p>{first}</p>
        {long && (
          <details>
            <summary lang={language}>{t('rest')}<span class="visually-hidden"> {t('of', { title })}</span></summary>
            {others.map((paragraph) => <p key={paragraph}>{paragraph}</p>)}
          </details>
        )}
      </div>
      <div class="row actions">
        {actions(game).map(([to, label, args], place) => (
          <Link key={label} to={to} args={args} look={place === 0 ? 'primary' : label === 'edit' ? 'quiet' : 'plain'}>
            {t(label)}<span class="visually-hidden"> {t('of', { title })}</span>
          </Link>
        ))}
        {isMine(game.id) && <Remove game={game} title={title} onRemoved={onRemoved} />}
      </div>
    </article>
  );
}

type Label = 'play' | 'strategy' | 'solve' | 'graphView' | 'tree' | 'edit';

// What can be done with a game, the most likely first.
function actions({ id, kind, tags: what }: GameSummary): [Screen, Label, Args][] {
  const args = { game: id };
  const edit: [Screen, Label, Args] = ['editor', 'edit', args];
  if (kind === 'gdl') return [['play', 'play', args], ['strategy', 'strategy', args], edit];
  if (kind === 'graph') return [['graph', 'graphView', args], ['strategy', 'strategy', args], ['play', 'play', args], edit];
  if (what.includes('stochastic')) return [['strategy', 'solve', args], edit];
  return [['strategy', 'solve', args], ['play', 'play', args], ['tree', 'tree', args], edit];
}

function tags(game: GameSummary, t: Say, language: Language): [Tone, string][] {
  const said: [Tone, string][] = [];
  if (isMine(game.id)) said.push(['accent', t('mine')]);
  said.push(['neutral', t(`${game.kind}Tag`)]);
  if (game.kind === 'gdl' && game.seats.length > 0) said.push(['neutral', t(game.seats.length === 1 ? 'player' : 'players', { n: game.seats.length })]);
  for (const mark of game.tags) if (mark !== 'turns' && mark !== game.kind) said.push(['accent', t(mark)]);
  for (const name of game.themes) if (!game.tags.some((mark) => mark === name)) said.push(['neutral', theme(name, language)]);
  if (game.solved) said.push(['good', t(game.solved)]);
  return said;
}

function Remove({ game, title, onRemoved }: { game: GameSummary; title: string; onRemoved: () => void }) {
  const t = useWords(words);
  const [asking, ask] = useState(false);
  const remove = () => {
    removeMine(game.id);
    onRemoved();
  };
  return (
    <>
      <Button look="quiet" onClick={() => ask(true)}>{t('remove')}<span class="visually-hidden"> {t('of', { title })}</span></Button>
      <Dialog open={asking} title={t('removeTitle', { title })} onClose={() => ask(false)}>
        <div class="stack">
          <p>{t('removeWords')}</p>
          <div class="row">
            <Button look="danger" onClick={remove}>{t('remove')}</Button>
            <Button onClick={() => ask(false)}>{t('keep')}</Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

const kinds: Record<Kind, { en: string; fr: string }> = {
  gdl: { en: 'Rules (GDL)', fr: 'Règles (GDL)' },
  minizinc: { en: 'Models (MiniZinc)', fr: 'Modèles (MiniZinc)' },
  graph: { en: 'Graphs', fr: 'Graphes' },
};

const words = {
  ...marks,
  title: { en: 'Games', fr: 'Jeux' },
  about: {
    en: 'Choose a finite game. Play it against an engine, analyse it, or solve it.',
    fr: 'Choisissez un jeu fini. Jouez contre un moteur, analysez-le ou résolvez-le.',
  },
  search: { en: 'Search', fr: 'Chercher' },
  example: { en: 'a title, or a word from the rules', fr: 'un titre, ou un mot des règles' },
  count: { en: '{shown} of {all} games', fr: '{shown} jeux sur {all}' },
  countOne: { en: '{shown} of {all} games', fr: '{shown} jeu sur {all}' },
  all: { en: 'Show all', fr: 'Tout montrer' },
  loading: { en: 'Loading the games …', fr: 'Chargement des jeux …' },
  seats: { en: 'Players', fr: 'Joueurs' },
  one: { en: '1 player', fr: '1 joueur' },
  two: { en: '2 players', fr: '2 joueurs' },
  more: { en: '3 or more', fr: '3 ou plus' },
  features: { en: 'How it is played', fr: 'Comment on joue' },
  knowledge: { en: 'Status', fr: 'État' },
  solved: { en: 'Solved', fr: 'Résolu' },
  open: { en: 'Not solved', fr: 'Non résolu' },
  kinds: { en: 'Format', fr: 'Format' },
  ...kinds,
  mine: { en: 'Mine', fr: 'À moi' },
  gdlTag: { en: 'Rules', fr: 'Règles' },
  minizincTag: { en: 'Model', fr: 'Modèle' },
  graphTag: { en: 'Graph', fr: 'Graphe' },
  player: { en: '{n} player', fr: '{n} joueur' },
  players: { en: '{n} players', fr: '{n} joueurs' },
  won: { en: 'Solved: the first player wins', fr: 'Résolu : le premier joueur gagne' },
  lost: { en: 'Solved: the first player loses', fr: 'Résolu : le premier joueur perd' },
  drawn: { en: 'Solved: draw', fr: 'Résolu : partie nulle' },
  rest: { en: 'All the rules', fr: 'Toutes les règles' },
  of: { en: '({title})', fr: '({title})' },
  play: { en: 'Play', fr: 'Jouer' },
  strategy: { en: 'Strategy', fr: 'Stratégie' },
  solve: { en: 'Solve', fr: 'Résoudre' },
  graphView: { en: 'Graph', fr: 'Graphe' },
  tree: { en: 'Search tree', fr: 'Arbre de recherche' },
  edit: { en: 'Edit a copy', fr: 'Modifier une copie' },
  remove: { en: 'Remove', fr: 'Supprimer' },
  removeTitle: { en: 'Remove {title}?', fr: 'Supprimer {title} ?' },
  removeWords: { en: 'The text is stored only in this browser and cannot be restored.', fr: 'Le texte n’est enregistré que dans ce navigateur et ne pourra pas être récupéré.' },
  keep: { en: 'Keep it', fr: 'Le garder' },
};
