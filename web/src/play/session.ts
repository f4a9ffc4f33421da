// A play: the steps that were made, who sits where, and the work that goes on.
//
// The program keeps nothing of it. All that is shown follows from the steps, so undo is to drop some of them.
// Whatever changes the play ends the work that was going on and begins anew from the steps.

import { ask, listen, type GameRef, type Position, type Replayed, type Step, type Term, type Thought } from '../api';

export interface Entry {
  step: Step;
  by: string[];          // the roles that had a choice, the dice among them; else who really moved
  forced: boolean;       // nobody had a choice
  person: boolean;       // a person was among them
  before: Term[] | null; // the facts that held, unless they are hidden from somebody
}

export interface Clock { move: number; all: number; since: number | null }   // seconds; since when it runs, ms

export interface State {
  started: boolean;
  paused: boolean;
  seats: Record<string, string>;   // by role, `you` or a player
  seconds: number;                 // that a player may think
  entries: Entry[];
  future: Entry[];                 // taken back, the next one last
  position: Position | null;
  viewer: string | null;           // by whose eyes the position is seen, where moves are hidden
  curtain: string | null;          // the person who has to take the device
  deciding: string | null;         // the person who has to choose
  chosen: string[];                // who chose already, others do not see what
  thoughts: Record<string, Thought & { from: Step[] }>;   // about the position after these steps
  clocks: Record<string, Clock>;
  hint: { role: string; move: string } | null;
  hinting: boolean;
  problem: unknown;
}

export const you = 'you';
export const strongest = 'zermelo';

const pause = 350;         // ms, so that one sees what the dice do
const hintSeconds = 2;

export class Session {
  state: State = {
    started: false, paused: false, seats: {}, seconds: 2, entries: [], future: [], position: null, viewer: null,
    curtain: null, deciding: null, chosen: [], thoughts: {}, clocks: {}, hint: null, hinting: false, problem: null,
  };
  fluents: Term[] = [];
  private ready = false;
  private work = new AbortController();
  private hintWork = new AbortController();
  private answer: ((move: string) => void) | null = null;
  private uncovered: (() => void) | null = null;
  private listeners = new Set<() => void>();

  // `usual` sits where nobody else does.
  constructor(readonly game: GameRef, private readonly usual: string) {}

  subscribe(tell: () => void): () => void {
    this.listeners.add(tell);
    return () => void this.listeners.delete(tell);
  }

  // --- what a person does ------------------------------------------------------------------------------------------

  // Shows the position and goes on with the play, if it was begun.
  enter(): void { void this.advance(); }

  // Ends all work; the play can be entered again.
  leave(): void { this.stop(); }

  start(): void {
    this.set({ started: true, paused: false, entries: [], future: [], clocks: {}, viewer: null });
    void this.advance();
  }

  // Another play, from a link or a file: the seats as they are, or as they are said to be.
  async open(play: string, seats: Record<string, string> | null, seconds: number | null): Promise<void> {
    this.stop();
    try {
      const { entries } = await ask<{ entries: Replayed[] }>('/api/replay', { game: this.game, play });
      const position = this.state.position ?? await this.positionFor(null, new AbortController().signal, true);
      if (!this.ready) this.getReady(position);
      const known = seats === null ? {} : Object.fromEntries(Object.entries(seats).filter(([role]) => role in this.state.seats));
      this.set({
        started: true, paused: seats === null, future: [], clocks: {}, viewer: null,
        seats: { ...this.state.seats, ...known }, seconds: seconds ?? this.state.seconds,
        entries: entries.map((entry) => ({ ...entry, person: entry.by.some((role) => ({ ...this.state.seats, ...known })[role] === you) })),
      });
      void this.advance();
    } catch (problem) {
      await this.advance();
      this.set({ problem });
    }
  }

  // As it was after so many steps; the players wait.
  goTo(steps: number): void {
    const all = [...this.state.entries, ...[...this.state.future].reverse()];
    this.set({ entries: all.slice(0, steps), future: all.slice(steps).reverse(), paused: all[steps] !== undefined && !all[steps].person });
    void this.advance();
  }

  // Back to the choice of seats.
  reset(): void {
    this.set({ started: false, entries: [], future: [], clocks: {}, viewer: null });
    void this.advance();
  }

  seat(role: string, player: string): void {
    this.set({ seats: { ...this.state.seats, [role]: player }, viewer: null });
    if (this.state.started) void this.advance();
  }

  allow(seconds: number): void { this.set({ seconds }); }

  choose(move: string): void { this.answer?.(move); }

  uncover(): void { this.uncovered?.(); }

  halt(paused: boolean): void {
    this.set({ paused });
    void this.advance();
  }

  // To the last decision of a person; by one step where there was none, and then the players wait.
  undo(): void {
    const { entries, future } = this.state;
    const last = entries.findLastIndex(({ person }) => person);
    const keep = last >= 0 ? last : entries.length - 1;
    if (keep < 0) return;
    const taken = entries.slice(keep).reverse();
    this.set({ entries: entries.slice(0, keep), future: [...future, ...taken], paused: last < 0 });
    void this.advance();
  }

  redo(): void {
    const { entries, future } = this.state;
    if (future.length === 0) return;
    const rest = future.slice(0, -1);
    const again = [future.at(-1)!];
    while (rest.length > 0 && !rest.at(-1)!.person) again.push(rest.pop()!);
    this.set({ entries: [...entries, ...again], future: rest, paused: this.persons().length === 0 });
    void this.advance();
  }

  async askHint(): Promise<void> {
    const role = this.state.deciding;
    if (role === null) return;
    this.hintWork.abort();
    this.hintWork = new AbortController();
    const { signal } = this.hintWork;
    this.set({ hint: null, hinting: true });
    try {
      const move = await this.think(role, strongest, hintSeconds, signal, () => {});
      if (!signal.aborted) this.set({ hint: { role, move }, hinting: false });
    } catch (problem) {
      if (!signal.aborted) this.set({ problem, hinting: false });
    }
  }

  get steps(): Step[] { return this.state.entries.map(({ step }) => step); }

  persons(): string[] {
    return Object.entries(this.state.seats).flatMap(([role, player]) => (player === you ? [role] : []));
  }

  // --- how it goes on ----------------------------------------------------------------------------------------------

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const tell of this.listeners) tell();
  }

  private stop(): void {
    this.work.abort();
    this.hintWork.abort();
    for (const role of Object.keys(this.state.clocks)) this.stopClock(role);
  }

  private async advance(): Promise<void> {
    this.stop();
    this.work = new AbortController();
    const { signal } = this.work;
    this.set({ deciding: null, curtain: null, thoughts: {}, problem: null });
    try {
      await this.run(signal);
    } catch (problem) {
      if (!signal.aborted) {
        this.stop();
        this.set({ problem, deciding: null });
      }
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const position = await this.look(signal);
      signal.throwIfAborted();
      this.set({ position, chosen: [], hint: null, hinting: false });
      const { started, paused } = this.state;
      if (!started || paused || position.over) return;

      const turn = position.turn.filter((role) => !position.chance.includes(role));
      const moves = await this.decide(turn, signal);
      const body = { game: this.game, steps: this.steps, moves, as: this.state.viewer ?? undefined };
      const { step } = await ask<{ step: Step }>('/api/step', body, signal);
      if (turn.length === 0) await sleep(pause, signal);
      signal.throwIfAborted();
      this.add(step);
    }
  }

  private add(step: Step): void {
    const { entries, position, seats } = this.state;
    const { turn, acts, hidden, facts } = position!;
    const forced = turn.length === 0;
    const by = forced && acts !== null ? [acts] : turn;
    const entry: Entry = {
      step, by, forced, person: turn.some((role) => seats[role] === you), before: hidden ? null : facts,
    };
    this.set({ entries: [...entries, entry], future: [], deciding: null });
  }

  // One person sees what that person may know, several what the one who moved may; who watches sees all.
  private async look(signal: AbortSignal): Promise<Position> {
    const persons = this.state.started ? this.persons() : [];
    const { viewer } = this.state;
    const eyes = viewer !== null && persons.includes(viewer) ? viewer : persons[0] ?? null;
    const first = !this.ready;
    const position = await this.positionFor(eyes, signal, first);
    if (first) this.getReady(position);
    this.set({ viewer: position.hidden ? eyes : null });
    return position;
  }

  private getReady({ fluents = [], roles, chance }: Position): void {
    this.fluents = fluents;
    this.ready = true;
    const seated = roles.filter((role) => !chance.includes(role));
    this.set({ seats: Object.fromEntries(seated.map((role, place) => [role, place === 0 ? you : this.usual])) });
  }

  private positionFor(role: string | null, signal: AbortSignal, fluents = false): Promise<Position> {
    const body = { game: this.game, steps: this.steps, as: role ?? undefined, fluents: fluents || undefined };
    return ask<Position>('/api/position', body, signal);
  }

  private async decide(turn: string[], signal: AbortSignal): Promise<Step> {
    const { seats, seconds } = this.state;
    const moves: Step = {};
    const settle = (role: string, move: string) => {
      moves[role] = move;
      this.stopClock(role);
      this.set({ chosen: [...this.state.chosen, role] });
    };
    // Who chooses at the same time must not see it.
    const secret = turn.some((role) => seats[role] === you);
    const players = turn.filter((role) => seats[role] !== you).map(async (role) => {
      this.startClock(role);
      const from = this.steps;
      const show = (thought: Thought) => {
        if (!secret) this.set({ thoughts: { ...this.state.thoughts, [role]: { ...thought, from } } });
      };
      settle(role, await this.think(role, seats[role]!, seconds, signal, show));
    });
    const persons = (async () => {
      for (const role of turn.filter((one) => seats[one] === you)) {
        await this.pass(role, signal);
        this.startClock(role);
        settle(role, await this.asked(role, signal));
      }
    })();
    await Promise.all([...players, persons]);
    return moves;
  }

  private async think(role: string, player: string, seconds: number, signal: AbortSignal,
    show: (thought: Thought) => void): Promise<string> {
    const body = { game: this.game, steps: this.steps, role, player, seconds };
    for await (const { name, data } of listen('/api/think', body, signal)) {
      if (name === 'thought' && !signal.aborted) show(data as Thought);
      if (name === 'move') {
        signal.throwIfAborted();
        if (data.thought) show(data.thought as Thought);
        return data.move as string;
      }
    }
    throw new Error(`${player}: no move`);
  }

  // Where moves are hidden, one person must not see what another knows.
  private async pass(role: string, signal: AbortSignal): Promise<void> {
    const { position, viewer } = this.state;
    if (!position!.hidden || viewer === role) return;
    this.set({ curtain: role });
    await this.wait<void>((resolve) => { this.uncovered = resolve; }, signal);
    const seen = await this.positionFor(role, signal);
    this.set({ position: seen, viewer: role, curtain: null });
  }

  private async asked(role: string, signal: AbortSignal): Promise<string> {
    this.set({ deciding: role });
    const move = await this.wait<string>((resolve) => { this.answer = resolve; }, signal);
    this.hintWork.abort();
    this.set({ deciding: null, hint: null, hinting: false });
    return move;
  }

  private async wait<T>(begin: (resolve: (value: T) => void) => void, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      begin(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  private startClock(role: string): void {
    const clock = this.state.clocks[role] ?? { move: 0, all: 0, since: null };
    this.set({ clocks: { ...this.state.clocks, [role]: { ...clock, move: 0, since: performance.now() } } });
  }

  private stopClock(role: string): void {
    const clock = this.state.clocks[role];
    if (!clock || clock.since === null) return;
    const move = (performance.now() - clock.since) / 1000;
    this.set({ clocks: { ...this.state.clocks, [role]: { move, all: clock.all + move, since: null } } });
  }
}

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
