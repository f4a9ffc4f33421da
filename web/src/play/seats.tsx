// Who sits where, how long players may think, and the clocks.

import { useEffect, useState } from 'preact/hooks';
import type { PlayerAbout } from '../api';
import { useEngineWords } from '../engine';
import { decimal, useWords } from '../i18n';
import { Button, Select } from '../ui';
import { strongest, you, type Clock, type Session, type State } from './session';
import { words } from './words';

interface Props { session: Session; state: State; players: PlayerAbout[]; title: (role: string) => string }

const times = ['0.2', '0.5', '1', '2', '5', '10', '30'];

export function SeatChoice({ session, state, players, title }: Props) {
  const t = useWords(words);
  const spoken = useEngineWords();
  const about = (name: string) => spoken(players.find((player) => player.name === name)?.about ?? '');
  return (
    <div class="seat-choice">
      {Object.entries(state.seats).map(([role, player]) => (
        <Select key={role} label={title(role)} value={player} title={about(player)} onChange={(next) => session.seat(role, next)}
          options={[{ value: you, label: t('you') }, ...players.map(({ name }) => ({ value: name, label: name }))]} />
      ))}
      <Select label={t('seconds')} value={String(state.seconds)} onChange={(next) => session.allow(Number(next))}
        options={times.map((value) => ({ value, label: value }))} />
    </div>
  );
}

export function SetUp(props: Props) {
  const t = useWords(words);
  const { session, state } = props;
  const watch = () => {
    for (const [role, player] of Object.entries(state.seats)) if (player === you) session.seat(role, strongest);
    session.start();
  };
  return (
    <section class="card stack" aria-labelledby="set-up">
      <h2 id="set-up">{t('who')}</h2>
      <SeatChoice {...props} />
      <div class="row">
        <Button look="primary" onClick={() => session.start()}>{t('start')}</Button>
        <Button onClick={watch}>{t('watch')}</Button>
      </div>
    </section>
  );
}

// Everybody's clock; that of who thinks runs.
export function Clocks({ state, title, colour }: { state: State; title: (role: string) => string; colour: (role: string) => string }) {
  const t = useWords(words);
  const running = Object.values(state.clocks).some(({ since }) => since !== null);
  const now = useNow(running);
  return (
    <ul class="clocks">
      {Object.entries(state.seats).map(([role, player]) => {
        const { move, all, active } = read(state.clocks[role], now);
        return (
          <li key={role} class={active ? 'active' : ''}>
            <span class="swatch" style={{ '--colour': colour(role) }} aria-hidden="true" />
            <span class="who"><strong>{title(role)}</strong> <small class="muted">{player === you ? t('you') : player}</small></span>
            <span class="time" role="timer" aria-label={t('clock', { move: move.toFixed(0), all: all.toFixed(0) })}>
              <span aria-hidden="true">{decimal(move)} s · {minutes(all)}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function read(clock: Clock | undefined, now: number): { move: number; all: number; active: boolean } {
  if (!clock) return { move: 0, all: 0, active: false };
  if (clock.since === null) return { ...clock, active: false };
  const move = Math.max(0, (now - clock.since) / 1000);
  return { move, all: clock.all + move, active: true };
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function useNow(running: boolean): number {
  const [now, tick] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(performance.now()), 200);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
