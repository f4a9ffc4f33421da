// A choice that the page remembers between visits, the same for all who show it.

import { useEffect, useState } from 'preact/hooks';

export interface Setting<T extends string> {
  get(): T;
  set(value: T): void;
  use(): T;   // a hook: renders anew when the choice changes
}

// Where a browser lets nothing be kept, the page does without.
export function remembered(key: string): string | null {
  try { return localStorage.getItem(key); } catch { return null; }
}
export function remember(key: string, value: string): void {
  try { localStorage.setItem(key, value); } catch { /* lasts as long as the page */ }
}

export function setting<T extends string>(key: string, allowed: readonly T[], otherwise: T): Setting<T> {
  const kept = remembered(key) as T | null;
  let value = kept !== null && allowed.includes(kept) ? kept : otherwise;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      remember(key, next);
      for (const tell of listeners) tell(next);
    },
    use() {
      const [shown, show] = useState(value);
      useEffect(() => {
        show(value);
        listeners.add(show);
        return () => void listeners.delete(show);
      }, []);
      return shown;
    },
  };
}
