// Tournaments: games, players, and tables that fill while they play.

import './tournament.css';
import { useState } from 'preact/hooks';
import { ask, listen, type GameRef, type GameSummary, type PlayerAbout, type Standings } from '../api';
import { download } from '../draw/download';
import { StartStop } from '../draw/start_stop';
import { useTask } from '../draw/task';
import { useEngineWords } from '../engine';
import { isMine, loadGame, loadGames } from '../games';
import { inLanguage, useLanguage, useWords, type Translate } from '../i18n';
import { Button, Checkbox, Field, IconButton, Notice, Problem, Progress, Select, Spinner, Title, useAnswer } from '../ui';

const mostGames = 8;
const mostPlayers = 8;

type Form = 'round robin' | 'gauntlet';
interface Seat { name: string; options: string }
interface Files { json: string; csv: string; html: string }

export default function TournamentScreen({ args }: { args: URLSearchParams }) {
  const t = useWords(words);
  const { answer, problem } = useAnswer(async (signal) => ({
    games: (await loadGames()).filter(({ kind }) => kind === 'gdl'),
    players: (await ask<{ players: PlayerAbout[] }>('/api/players', undefined, signal)).players,
  }), []);
  return (
    <div class="stack">
      <Title text={t('title')} />
      <Problem problem={problem} />
      {answer ? <Arena {...answer} first={args.get('game')} t={t} /> : problem === null && <Spinner label={t('loading')} />}
    </div>
  );
}

type T = Translate<typeof words>;

function Arena({ games, players, first, t }: { games: GameSummary[]; players: PlayerAbout[]; first: string | null; t: T }) {
  const [chosen, setChosen] = useState<string[]>(first === null ? [] : [first]);
  const [seats, setSeats] = useState<Seat[]>(() => beginners(players));
  const [form, setForm] = useState<Form>('round robin');
  const [rounds, setRounds] = useState('5');
  const [clock, setClock] = useState('0.5');
  const [standings, setStandings] = useState<Standings | null>(null);
  const [scheduled, setScheduled] = useState(0);
  const [end, setEnd] = useState<{ stop: string; files: Files } | null>(null);
  const task = useTask();
  const spoken = useEngineWords();

  const start = () => task.start(async (signal) => {
    setStandings(null);
    setScheduled(0);
    setEnd(null);
    const asked = { games: await Promise.all(chosen.map(refOf)), players: seats.map(spec), form, rounds: Number(rounds), clock: Number(clock) };
    for await (const { name, data } of listen('/api/tournaments', asked, signal)) {
      if (name === 'start') setScheduled(data.scheduled);
      if (name === 'standings') setStandings(data);
      if (name === 'end') setEnd(data);
    }
  });

  return (
    <>
      <form class="tournament-form" onSubmit={(event) => { event.preventDefault(); start(); }}>
        <Games games={games} chosen={chosen} onChange={setChosen} t={t} />
        <div class="stack">
          <Players about={players} seats={seats} onChange={setSeats} t={t} />
          <div class="row end">
            <Select label={t('form')} value={form} onChange={setForm}
              options={[{ value: 'round robin', label: t('roundRobin') }, { value: 'gauntlet', label: t('gauntlet') }]} />
            <Field class="tournament-number" label={t('rounds')} type="number" min={1} max={500} value={rounds} onInput={setRounds} />
            <Field class="tournament-number" label={t('clock')} type="number" min={0.05} max={10} step="any" value={clock} onInput={setClock} />
            <StartStop running={task.running} start={t('start')} stop={t('stop')} disabled={chosen.length === 0 || seats.length < 2} onStop={task.stop} />
          </div>
          {chosen.length === 0 && <p class="muted">{t('noGame')}</p>}
        </div>
      </form>
      <Problem problem={task.problem} />
      {task.running && <Progress label={t('progress', { n: standings?.finished ?? 0, all: scheduled || '…' })} value={standings?.finished ?? 0} most={Math.max(1, scheduled)} />}
      {end && <Notice tone="good">{end.stop ? t('stopped', { why: spoken(end.stop) }) : t('ended', { n: standings?.finished ?? 0 })}</Notice>}
      {standings && <Results standings={standings} t={t} />}
      {end && <Downloads files={end.files} t={t} />}
    </>
  );
}

const beginners = (players: PlayerAbout[]): Seat[] => {
  const has = (name: string) => players.some((player) => player.name === name);
  const names = ['random', 'uct'].filter(has);
  return (names.length === 2 ? names : players.slice(0, 2).map(({ name }) => name)).map((name) => ({ name, options: '' }));
};

const spec = ({ name, options }: Seat): string => (options.trim() === '' ? name : `${name}:${options.trim()}`);

const refOf = async (id: string): Promise<GameRef> => (isMine(id) ? (await loadGame(id)).ref : { id });

// --- what is asked for -----------------------------------------------------------------------------------------------

function Games({ games, chosen, onChange, t }: { games: GameSummary[]; chosen: string[]; onChange: (ids: string[]) => void; t: T }) {
  const language = useLanguage();
  const [sought, seek] = useState('');
  const fits = (game: GameSummary) => `${game.id} ${inLanguage(game.title, language)}`.toLowerCase().includes(sought.trim().toLowerCase());
  const shown = games.filter((game) => chosen.includes(game.id) || fits(game));
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <fieldset class="tournament-games">
      <legend>{t('games', { n: chosen.length })}</legend>
      <Field label={t('seek')} type="search" value={sought} onInput={seek} />
      <ul>
        {shown.map((game) => {
          const on = chosen.includes(game.id);
          return (
            <li key={game.id}>
              <Checkbox label={inLanguage(game.title, language)} checked={on} disabled={!on && chosen.length >= mostGames} onChange={(next) => toggle(game.id, next)} />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function Players({ about, seats, onChange, t }: { about: PlayerAbout[]; seats: Seat[]; onChange: (seats: Seat[]) => void; t: T }) {
  const spoken = useEngineWords();
  const change = (at: number, next: Partial<Seat>) => onChange(seats.map((seat, index) => (index === at ? { ...seat, ...next } : seat)));
  const add = () => onChange([...seats, { name: about[0]?.name ?? '', options: '' }]);
  return (
    <fieldset class="tournament-players">
      <legend>{t('players')}</legend>
      {seats.map((seat, at) => {
        const player = about.find(({ name }) => name === seat.name);
        const keys = [...new Set(['label', 'seconds', ...(player?.keys ?? []).map(({ name }) => name)])].join(', ');
        return (
          <div key={at} class="tournament-seat">
            <Select label={t('player', { n: at + 1 })} value={seat.name} options={about.map(({ name }) => ({ value: name, label: name }))}
              title={spoken(player?.about ?? '')} onChange={(name) => change(at, { name })} />
            <Field label={t('options')} hint={<code>{keys}</code>} placeholder="label=A" value={seat.options} onInput={(options) => change(at, { options })} />
            <IconButton label={t('remove', { n: at + 1 })} disabled={seats.length <= 2} onClick={() => onChange(seats.filter((_, index) => index !== at))}>✕</IconButton>
          </div>
        );
      })}
      <div><Button disabled={seats.length >= mostPlayers} onClick={add}>{t('add')}</Button></div>
    </fieldset>
  );
}

// --- what comes of it ------------------------------------------------------------------------------------------------

const percent = (share: number, language: string): string => share.toLocaleString(language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
const points = (sum: number, language: string): string => sum.toLocaleString(language, { maximumFractionDigits: 1 });

function Results({ standings, t }: { standings: Standings; t: T }) {
  const spoken = useEngineWords();
  return (
    <>
      <Table standings={standings} t={t} />
      <Plot standings={standings} t={t} />
      <Cross standings={standings} t={t} />
      {standings.errors.length > 0 && (
        <section class="stack" aria-label={t('errors')}>
          <h2>{t('errors')}</h2>
          <ul>{standings.errors.slice(0, 20).map((error) => <li key={error}>{spoken(error)}</li>)}</ul>
        </section>
      )}
    </>
  );
}

function Table({ standings, t }: { standings: Standings; t: T }) {
  const language = useLanguage();
  const rating = (value: number | null) => (value === null ? '–' : (Math.round(value) || 0).toLocaleString(language));
  return (
    <section class="stack">
      <h2>{t('standings')}</h2>
      <div class="scroll" role="region" aria-label={t('standings')} tabIndex={0}>
        <table class="tournament-table">
          <thead>
            <tr>
              <th scope="col">{t('who')}</th><th scope="col" class="number">{t('score')}</th><th scope="col" class="number">{t('interval')}</th>
              <th scope="col" class="number">{t('wins')}</th><th scope="col" class="number">{t('draws')}</th><th scope="col" class="number">{t('losses')}</th><th scope="col" class="number">{t('rating')}</th>
            </tr>
          </thead>
          <tbody>
            {standings.players.map((one) => (
              <tr key={one.player}>
                <th scope="row">{one.player}</th>
                <td class="number">{percent(one.score, language)}</td>
                <td class="number">{percent(one.low, language)} – {percent(one.high, language)}</td>
                <td class="number">{one.wins}</td><td class="number">{one.draws}</td><td class="number">{one.losses}</td>
                <td class="number">{rating(one.rating)}{one.rating !== null && <small> ({rating(one.rating_low)} – {rating(one.rating_high)})</small>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

// A row's player against a column's: points of how many games.
function Cross({ standings, t }: { standings: Standings; t: T }) {
  const language = useLanguage();
  const { players, points: won, games } = standings;
  return (
    <section class="stack">
      <h2>{t('cross')}</h2>
      <div class="scroll" role="region" aria-label={t('cross')} tabIndex={0}>
        <table class="tournament-cross">
          <thead><tr><td />{players.map(({ player }) => <th key={player} scope="col">{player}</th>)}</tr></thead>
          <tbody>
            {players.map(({ player }, row) => (
              <tr key={player}>
                <th scope="row">{player}</th>
                {players.map((other, column) => {
                  const all = games[row]?.[column] ?? 0;
                  if (row === column) return <td key={other.player} class="self">–</td>;
                  const sum = won[row]?.[column] ?? 0;
                  const share = all === 0 ? 0.5 : sum / all;
                  return (
                    <td key={other.player} class="number" style={{ '--share': `${Math.abs(share - 0.5) * 60}%`, '--tint': share >= 0.5 ? 'var(--good)' : 'var(--bad)' }}>
                      {points(sum, language)}/{all}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

// Scores with intervals in which they lie with 95 % confidence.
function Plot({ standings, t }: { standings: Standings; t: T }) {
  const language = useLanguage();
  const [left, right, line] = [130, 560, 34];
  const height = standings.players.length * line + 30;
  const x = (share: number) => left + Math.min(1, Math.max(0, share)) * (right - left);
  return (
    <figure class="tournament-plot">
      <svg viewBox={`0 0 600 ${height}`} role="img" aria-label={standings.players.map((one) =>
        t('says', { who: one.player, score: percent(one.score, language), low: percent(one.low, language), high: percent(one.high, language) })).join('; ')}>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share} class="grid">
            <line x1={x(share)} x2={x(share)} y1={0} y2={height - 24} />
            <text x={x(share)} y={height - 8}>{Math.round(share * 100)} %</text>
          </g>
        ))}
        {standings.players.map((one, index) => {
          const y = index * line + line / 2;
          return (
            <g key={one.player} class="score">
              <text class="who" x={left - 12} y={y + 4}>{one.player.length > 18 ? `${one.player.slice(0, 17)}…` : one.player}</text>
              <line x1={x(one.low)} x2={x(one.high)} y1={y} y2={y} />
              <line x1={x(one.low)} x2={x(one.low)} y1={y - 6} y2={y + 6} />
              <line x1={x(one.high)} x2={x(one.high)} y1={y - 6} y2={y + 6} />
              <circle cx={x(one.score)} cy={y} r={6} />
            </g>
          );
        })}
      </svg>
      <figcaption class="muted">{t('plot')}</figcaption>
    </figure>
  );
}

function Downloads({ files, t }: { files: Files; t: T }) {
  const types = { json: 'application/json', csv: 'text/csv', html: 'text/html' };
  return (
    <div class="row">
      {(['json', 'csv', 'html'] as const).map((kind) => (
        <Button key={kind} onClick={() => download(`tournament.${kind}`, new Blob([files[kind]], { type: types[kind] }))}>{t('download', { kind: kind.toUpperCase() })}</Button>
      ))}
    </div>
  );
}

const words = {
  title: { en: 'Tournament', fr: 'Tournoi' },
  loading: { en: 'Loading …', fr: 'Chargement …' },
  games: { en: 'Games ({n} chosen)', fr: 'Jeux ({n} choisis)' },
  seek: { en: 'Search the games', fr: 'Chercher dans les jeux' },
  noGame: { en: 'Choose at least one game.', fr: 'Choisissez au moins un jeu.' },
  players: { en: 'Players', fr: 'Joueurs' },
  player: { en: 'Player {n}', fr: 'Joueur {n}' },
  options: { en: 'Options', fr: 'Options' },
  add: { en: 'Add a player', fr: 'Ajouter un joueur' },
  remove: { en: 'Remove player {n}', fr: 'Retirer le joueur {n}' },
  form: { en: 'Format', fr: 'Format' },
  roundRobin: { en: 'round robin: all against all', fr: 'toutes rondes : tous contre tous' },
  gauntlet: { en: 'gauntlet: the first against all others', fr: 'gauntlet : le premier contre tous les autres' },
  rounds: { en: 'Rounds', fr: 'Rondes' },
  clock: { en: 'Seconds a move', fr: 'Secondes par coup' },
  start: { en: 'Start', fr: 'Commencer' },
  stop: { en: 'Stop', fr: 'Arrêter' },
  progress: { en: '{n} of {all} matches', fr: '{n} parties sur {all}' },
  ended: { en: 'All {n} matches are played.', fr: 'Les {n} parties sont jouées.' },
  stopped: { en: 'Ended early: {why}', fr: 'Terminé avant la fin : {why}' },
  standings: { en: 'Standings', fr: 'Classement' },
  who: { en: 'Player', fr: 'Joueur' },
  score: { en: 'Score', fr: 'Score' },
  interval: { en: '95 % interval', fr: 'Intervalle à 95 %' },
  wins: { en: 'Won', fr: 'Gagnées' },
  draws: { en: 'Drawn', fr: 'Nulles' },
  losses: { en: 'Lost', fr: 'Perdues' },
  rating: { en: 'Elo', fr: 'Elo' },
  cross: { en: 'Head-to-head results', fr: 'Résultats face à face' },
  plot: { en: 'Scores, with 95 % intervals', fr: 'Scores, avec intervalles à 95 %' },
  says: { en: '{who}: {score}, between {low} and {high}', fr: '{who} : {score}, entre {low} et {high}' },
  errors: { en: 'Errors', fr: 'Erreurs' },
  download: { en: 'Download {kind}', fr: 'Télécharger {kind}' },
};
