// What the program thinks of a position, while it thinks.

import { useState } from 'preact/hooks';
import { listen, type GameRef, type Solved, type Step, type Thought } from '../api';
import type { Mark } from '../board/surface';
import type { Way } from '../board/moves';
import { targets } from '../board/moves';
import { placeOf, type Grid } from '../board/recognise';
import { decimal, type Translate } from '../i18n';
import { useWork, type Work } from '../ui';
import type { words } from './words';

export interface Question { game: GameRef; steps: Step[]; as?: string; seconds: number }

export interface Findings {
  thought: Thought | null;
  solved: Solved | null;
  courses: Map<string, Point[]>;   // how the estimate of each move went
  stop: string | null;             // null: it goes on
}
export interface Point { seconds: number; mean: number }

const nothing: Findings = { thought: null, solved: null, courses: new Map(), stop: null };
const patience = 150;   // ms, for positions that pass by

// Null asks nothing.
export function useAnalysis(question: Question | null): Findings & Work {
  const [findings, show] = useState(nothing);
  const work = useWork(async (signal) => {
    show(nothing);
    if (!question) return;
    await new Promise((resolve) => setTimeout(resolve, patience));
    if (signal.aborted) return;
    const courses = new Map<string, Point[]>();
    for await (const { name, data } of listen('/api/analyse', question, signal)) {
      if (signal.aborted) return;
      if (name === 'thought') {
        note(courses, data as Thought);
        show((now) => ({ ...now, thought: data as Thought, courses }));
      } else if (name === 'solved') show((now) => ({ ...now, solved: data as Solved }));
      else if (name === 'end') show((now) => ({ ...now, stop: String(data.stop ?? '') }));
    }
    show((now) => ({ ...now, stop: now.stop ?? '' }));
  }, [JSON.stringify(question)]);
  return { ...findings, ...work };
}

function note(courses: Map<string, Point[]>, { seconds, estimates }: Thought): void {
  for (const { move, mean } of estimates) {
    const course = courses.get(move) ?? [];
    course.push({ seconds, mean });
    courses.set(move, course);
  }
}

// What a move is worth, in words and for the eye; the larger its worth the better for who moves.
export interface Value extends Mark { move: string; worth: number; estimate?: Thought['estimates'][number]; mixed?: string }

export function valuesOf({ solved, thought }: Findings, t: Translate<typeof words>): Value[] {
  if (solved?.mixtures) return mixedValues(solved, t);
  if (solved) return solvedValues(solved, t);
  if (thought?.recommends === false) return unranked(thought.estimates, t);
  return (thought?.estimates ?? []).map((estimate) => estimated(estimate, t));
}

// Where a mixture may be best there is no favourite: neither first, nor in colour.
const unranked = (estimates: Thought['estimates'], t: Translate<typeof words>): Value[] =>
  estimates.map((estimate): Value => ({ ...estimated(estimate, t), tone: 'neutral' }))
    .sort((a, b) => a.move.localeCompare(b.move, 'en', { numeric: true }));

// In a mixture no move is better than another: it is played as often as its probability says.
function mixedValues({ mover, mixtures }: Solved, t: Translate<typeof words>): Value[] {
  const own = mixtures?.find(({ role }) => role === mover);
  return (own?.moves ?? []).map(({ move, probability, value }): Value => {
    const percent = percentText(probability);
    const worth = value === null ? '—' : decimal(value);
    return { move, tone: 'neutral', text: percent, title: t('mixed', { n: percent, value: worth }), worth: probability, mixed: worth };
  }).sort((a, b) => b.worth - a.worth);
}

export const percentText = (probability: number): string => {
  const percent = probability * 100;
  return `${Number.isInteger(Math.round(percent * 1e6) / 1e6) ? Math.round(percent) : decimal(percent)} %`;
};

function solvedValues({ mover, moves, expected }: Solved, t: Translate<typeof words>): Value[] {
  const tones = { won: 'good', drawn: 'neutral', lost: 'bad' } as const;
  const short = { won: t('shortWon'), drawn: t('shortDrawn'), lost: t('shortLost') };
  return moves.map(({ move, values, verdict, rank }): Value => {
    if (expected) {
      const mean = values[mover ?? ''] ?? 0;
      const shown = Math.round(mean * 10) / 10;
      return { move, tone: tones[verdict], text: String(shown), title: t('proven', { n: shown }), worth: mean };
    }
    const haste = verdict === 'won' ? -(rank ?? 0) : verdict === 'lost' ? (rank ?? 0) : 0;
    const counted = rank !== null && verdict !== 'drawn';
    return {
      move,
      tone: tones[verdict],
      text: counted ? `${short[verdict]}${rank}` : short[verdict],
      title: counted ? t(`${verdict}In` as 'wonIn', { n: rank }) : t(verdict),
      worth: (values[mover ?? ''] ?? 0) * 1000 + haste,
    };
  }).sort((a, b) => b.worth - a.worth);
}

function estimated(estimate: Thought['estimates'][number], t: Translate<typeof words>): Value {
  const { move, mean, low, high, proven } = estimate;
  const [m, l, h] = [mean, low, high].map((value) => Math.round(value));
  return {
    move,
    estimate,
    tone: low > 50 ? 'good' : high < 50 ? 'bad' : 'neutral',
    text: String(m),
    title: proven ? t('proven', { n: m! }) : t('between', { n: m!, low: l!, high: h! }),
    worth: mean,
  };
}

// On each place where the next click may be, the best that can come of it.
export function marksOn(grid: Grid, open: Way[], clicked: number, values: Map<string, Value>): Map<string, Mark> {
  const marks = new Map<string, Value>();
  for (const way of open) {
    const value = values.get(way.move.text);
    if (!value) continue;
    const place = shownAt(grid, [...targets([way], clicked)]);
    if (place !== undefined && (marks.get(place)?.worth ?? -Infinity) < value.worth) marks.set(place, value);
  }
  return marks;
}

// The value of a whole column stands on its top.
function shownAt(grid: Grid, places: string[]): string | undefined {
  if (places.length < 2) return places[0];
  const top = grid.up ? grid.rows.at(-1)! : grid.rows[0]!;
  return grid.columns.map((x) => placeOf(x, top)).find((place) => places.includes(place)) ?? places[0];
}
