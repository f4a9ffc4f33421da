// A play as text: in the address, in a file, and for people. /api/replay reads it.
//
// A step is the moves of those who had a choice, in the order of the roles, with & between; a dash where nobody had one.

import type { Step } from '../api';

export interface Made { step: Step; by: string[]; forced: boolean }

export const bare = (move: string): string => move.replace(/^\((.*)\)$/s, '$1');

export const tokenOf = ({ step, by, forced }: Made): string =>
  (forced || by.length === 0 ? '-' : by.map((role) => bare(step[role] ?? '')).join(' & '));

export const playOf = (entries: Made[]): string => entries.map(tokenOf).join(';');

// One step a line, with who made it.
export const textOf = (entries: Made[]): string =>
  entries.map(({ step, by, forced }) => (forced || by.length === 0 ? '-'
    : by.map((role) => `${role}: ${bare(step[role] ?? '')}`).join(' & '))).join('\n') + '\n';

// Seats: x=you,o=zermelo.
export const seatsText = (seats: Record<string, string>): string =>
  Object.entries(seats).map(([role, player]) => `${role}:${player}`).join(',');

export function readSeats(text: string | null): Record<string, string> | null {
  if (!text) return null;
  return Object.fromEntries(text.split(',').map((seat) => {
    const [role = '', ...player] = seat.split(':');
    return [role, player.join(':')];
  }));
}
