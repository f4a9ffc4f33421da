// What the program answers: the types of the JSON API, and the two ways to ask.
//
// Nothing of a play is kept by the program. The page holds the steps that were made and sends them along, so
// undo is the page's affair, and work ends when its connection does. /api/openapi.json describes the same.

export type Kind = 'gdl' | 'minizinc' | 'graph';

// A game of the library by its id, or a text. `parameters` are of MiniZinc models, name by name.
export interface GameRef {
  id?: string;
  kind?: Kind;
  text?: string;
  parameters?: Record<string, string>;
}

export type Words = { en: string; fr?: string };

export type Tag =
  | 'dice' | 'hidden' | 'simultaneous' | 'turns' | 'puzzle'        // games in GDL
  | 'graph' | 'quantified' | 'strategic' | 'stochastic' | 'planning';

// GET /api/games → { games: GameSummary[] }
export interface GameSummary {
  id: string;                 // "gdl/tic-tac-toe", "graphs/cycle", "quantified/baker"
  kind: Kind;
  title: Words;
  words: Words;               // the rules in words, paragraphs separated by an empty line
  tags: Tag[];
  themes: string[];           // as the author says: "capture", "cards"
  seats: string[];            // who plays: roles without chance; ∃ and ∀ of a model
  solved: null | 'won' | 'lost' | 'drawn';  // seen from the first player, where it is known
  parameters: { name: string; value: string }[];  // of a model, with what to begin with
}

// GET /api/games/{folder}/{name} → Game
export interface Game extends GameSummary {
  text: string;
  hints: Hints;
}

// GET /api/games/{folder}/{name}/first → { facts: string[], hints: Hints }  the board of the first position, as the rules write it

// NAME.hints.json beside the game; docs/page.md tells what each hint does. Places of arguments are counted from 1.
export interface Hints {
  board?: BoardHint;
  pieces?: Record<string, PieceHint | null>;  // null: an empty place
  roles?: Record<string, { title?: Words; colour?: string }>;
  moves?: Record<string, string | Words>;     // by the name of the move: "{1:a}{2}–{3:a}{4}"
  dice?: { fact: string; side: number }[];    // facts that are dice: 1 … 6, or one … six
  cards?: { fact: string; card: number; owner?: number }[];
  sheet?: { fact: string; row: number; column: number; value: number; rows: string[] }[];
  facts?: Record<string, Words>;              // what facts are called
  numbers?: { fact: string; unit: number; digit: number; units: Record<string, number> }[];  // digits of one number
}
export interface BoardHint {
  fact: string;
  x?: number;
  y?: number;
  piece?: number;
  up?: boolean;                // the first row is below
  chequered?: boolean;
  lean?: 'left' | 'right';     // each row is half a place beside the one above it: six neighbours, as of hexagons
  cells?: 'square' | 'hexagon' | 'hole' | 'point';
  size?: [number, number];     // columns and rows, where the first position does not show them
  letters?: boolean;           // columns that are numbers are called a, b, c
  thin?: 'odd' | 'even';       // these columns and rows are narrow: lines between dots
  sides?: Partial<Record<'top' | 'right' | 'bottom' | 'left', string>>;   // the colour of an edge, or whose it is
}
export interface PieceHint { text?: string; colour?: string; title?: Words; shape?: 'disc' | 'glyph' | 'fill' }

export interface Finding {
  severity: 'error' | 'warning' | 'note';
  line: number;    // from 1; 0: of the whole text
  column: number;
  message: string;
  remedy: string;
}

// POST /api/check { kind, text, parameters? } → Check
export interface Check {
  findings: Finding[];
  playable: boolean;   // can be played or solved, whatever the warnings
  seats: string[];
  tags: Tag[];
}

// POST /api/editor/{request} { kind, text, position?, newName? } → { result }: as the Language Server Protocol answers the
// request hover, definition, references, prepareRename, rename or formatting. Lines and UTF-16 units are counted from 0.
export interface TextPlace { line: number; character: number }
export interface TextRange { start: TextPlace; end: TextPlace }
export interface TextEdit { range: TextRange; newText: string }

export type Term = string | Term[];          // (cell 1 1 x) is ["cell", "1", "1", "x"]
export type Step = Record<string, string>;   // the move of each role, chance among them

// POST /api/position { game, steps, as?, fluents? } → Position
export interface Position {
  roles: string[];
  chance: string[];           // the roles among them that are dice
  hidden: boolean;            // moves are hidden in this game
  facts: Term[] | null;       // null where `as` cannot know them
  seen: { own: string; percepts: Term[] }[] | null;  // what `as` did and saw, step by step, where moves are hidden
  legal: Record<string, { text: string; term: Term }[]>;  // by role; where moves are hidden, only of `as`
  turn: string[];             // the roles that have a choice
  over: boolean;
  goals: Record<string, number> | null;
  acts: string | null;        // who really moves where no role has a choice
  fluents?: Term[];           // every fact that can ever hold, where `fluents` is true; a board is drawn from them
}

// POST /api/step { game, steps, moves, as? } → { step, position }
// Whoever has one legal move makes it; the program throws the dice.

// POST /api/output { game, steps } → { text }: a position of a model as its output item shows it

// POST /api/replay { game, play } → { entries: Replayed[] }
export interface Replayed { step: Step; by: string[]; forced: boolean; before: Term[] | null }

// POST /api/why { game, steps or play, history?, seconds? } → Why
export interface Why {
  players: string[];
  at: number;                  // the place of the position that was asked about
  complete: boolean;           // the line reaches the end, or comes back to where it was
  repeats: boolean;
  stop: string;
  states: number;
  play: WhyPosition[];
}
export type Verdict = 'won' | 'lost' | 'drawn';
export interface WhyPosition {
  solved: boolean;
  mover: string | null;        // who really moves
  forced: boolean;             // nobody has a choice
  values: Record<string, number> | null;
  verdict: Verdict | null;     // for the mover
  left: number | null;         // moves to the end by best play
  choice: 'free' | 'only-move' | 'only-answer' | 'only-good' | 'none-holds' | 'over' | null;
  made: string | null;         // the move of the play, or of best play
  step: Step | null;
  facts: Term[];
  threats: { move: string; answers: string[] }[];   // of the other
  moves: WhyMove[];            // best first
}
export interface WhyMove {
  move: string;
  values: Record<string, number>;
  verdict: Verdict;
  left: number | null;         // with this move
  best: boolean;
  chosen: boolean;             // the shortest win, the longest defence
  ends: boolean;
  answer: string | null;
  loses_to: string | null;     // a move of the other that wins at once
}

// GET /api/players → { players: PlayerAbout[] }
export interface PlayerAbout { name: string; about: string; keys: { name: string; about: string }[] }

export interface Thought {
  seconds: number;
  playouts: number;
  playouts_per_second: number;
  positions: number;
  remark: string;              // "solved", "depth 9"
  recommends: boolean;         // false where a mixture of moves may be better than any of them
  estimates: { move: string; mean: number; low: number; high: number; visits: number; proven: boolean }[];  // best first; low and high: of the value
  line: Step[];
}

// POST /api/think { game, steps, role, player, seconds }: events `thought` Thought, `move` { move, thought }
// POST /api/analyse { game, steps, seconds, player?, as? }: events `thought` Thought, `solved` Solved, `end` { stop }
export interface Solved {
  mover: string | null;
  values: Record<string, number>;
  rank: number | null;         // moves to the end by best play; a move counts itself
  expected?: boolean;          // values are means over chance; a verdict tells whether a value is above 50
  moves: { move: string; values: Record<string, number>; verdict: 'won' | 'lost' | 'drawn'; rank: number | null; best: boolean }[];
  // Where players move at the same time or see different things: how each mixes its moves, and what a move is worth to
  // it against the other's mixture. `moves` is empty then.
  payoffs?: number[][] | null;   // of the first mixture's role, for each of its moves against each of the other's
  mixtures?: { role: string; moves: { move: string; probability: number; value: number | null }[] }[];
}

// POST /api/solve { game, seconds }: events `progress` { text, work }, `solved` Solution
export interface Solution {
  verdict: 'won' | 'lost' | 'drawn' | 'unknown';
  stop: string;                // why it is unknown: "time limit reached"; empty where it is known
  values: Record<string, number>;
  best: string[];
  engine: string;
  seconds: number;
  work: number;                // states or nodes
  strategies: StrategyAbout[];
}

export interface Stamp { valid: boolean; positions: number; scenarios: string; problem: string }

// GET /api/strategies/{id} → StrategyAbout
export interface StrategyAbout {
  id: string;
  owner: string;
  promise: number;             // the payoff it is sure of
  nodes: number;
  layers: number[];            // nodes by depth
  root: number;
  truncated: boolean;          // too large to be kept whole: the layers nearest to the root are
  check: Stamp;                // by the rules alone, without the solver
}

// GET /api/strategies/{id}/nodes?from=0&depth=3&most=300 → { nodes: StrategyNode[] }, the nearest first
export interface StrategyNode {
  id: number;
  depth: number;
  kind: 'owner' | 'other' | 'chance' | 'end';
  label: string;               // who moves, or the variable
  facts: Term[];               // the position of a game; empty for models
  payoff: number | null;       // the owner's, at an end
  edges: { labels: string[]; to: number }[];  // equal branches are one edge
  cut: boolean;                // what follows is not kept
}
// GET /api/strategies/{id}/find?text=…&most=20 → { total, found: { id, depth, label, path: string[] }[] }
// POST /api/strategies/{id}/follow { moves: (string | Step)[] } → { path: number[] }  as far as the strategy goes
// GET /api/strategies/{id}/file → the strategy as a file

// POST /api/attractors { game } → Attractors; indices of players and states
export interface Attractors {
  players: string[];
  states: { name: string; turn: number | null; payoffs: number[] | null; initial: boolean; winner: number | null; rank: number | null; move: number | null }[];
  moves: { from: number; to: number; name: string }[];  // a state's `move` is one of these: that of the derived strategy
  rounds: number;
}

// POST /api/tree { game, seconds, most }: events `begin` Tree, `grow` TreeEvent[], `end` { verdict, nodes, stop, truncated }
export interface Tree { variables: { name: string; quantifier: 'exists' | 'forall' }[] }
export type Reason = 'failure' | 'success' | 'rule' | 'cut' | 'good' | 'nogood' | 'pure';
export type TreeEvent =
  | ['open', number]            // a variable, by its place
  | ['branch', number]          // a value
  | ['leaf', boolean, Reason]   // won?
  | ['close', boolean];

// POST /api/tournaments { games: GameRef[], players: string[], form, rounds, clock }:
// events `start` { labels, games, scheduled }, `standings` Standings (after every match), `end` { stop, files: { json, csv, html } }
export interface Standings {
  finished: number;
  scheduled: number;
  players: { player: string; score: number; low: number; high: number; wins: number; draws: number; losses: number; rating: number | null; rating_low: number | null; rating_high: number | null }[];
  points: number[][];          // of a row's player against a column's, in the order of `players`
  games: number[][];
  errors: string[];
}

// GET /api/status → Status
export interface Status { version: string; running: number; waiting: number; memory: number; budget: number }

export class Refused extends Error {
  constructor(readonly status: number, message: string, readonly line = 0, readonly column = 0) { super(message); }
}

// Where the program listens for others it asks for a token; the address of the page carries it.
const token = (() => {
  const found = /[#&]token=([^&]+)/.exec(location.hash);
  if (found) sessionStorage.setItem('token', decodeURIComponent(found[1]!));
  return sessionStorage.getItem('token');
})();

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'Accept-Language': document.documentElement.lang };
  if (token) headers['Authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  if (!response.ok) {
    const said = await response.json().catch(() => ({ error: response.statusText }));
    throw new Refused(response.status, said.error ?? response.statusText, said.line, said.column);
  }
  return response;
}

// One question, one answer. A body makes it a POST.
export async function ask<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(path, body, signal)).json() as Promise<T>;
}

// A file, as it is.
export async function load(path: string, signal?: AbortSignal): Promise<Blob> {
  return (await send(path, undefined, signal)).blob();
}

export interface Event { name: string; data: any }

// Work that tells how it goes on, by server-sent events. Leaving the loop, or the signal, ends the work.
export async function* listen(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<Event> {
  const response = await send(path, body, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
        let name = 'message';
        const data: string[] = [];
        for (const line of rest.slice(0, end).split('\n')) {
          if (line.startsWith('event: ')) name = line.slice(7);
          else if (line.startsWith('data: ')) data.push(line.slice(6));
        }
        if (data.length === 0) continue;   // a sign of life
        const said = JSON.parse(data.join('\n'));
        if (name === 'error') throw new Refused(422, said.error, said.line, said.column);
        yield { name, data: said };
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
