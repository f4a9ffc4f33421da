// Work that a person starts and stops. It ends, too, when the screen is left.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface Task {
  running: boolean;
  problem: unknown;   // null where there is none
  start(run: (signal: AbortSignal) => Promise<void>): void;   // ends what was running
  stop(): void;
}

export function useTask(): Task {
  const [{ running, problem }, show] = useState<{ running: boolean; problem: unknown }>({ running: false, problem: null });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const stop = () => {
    abort.current?.abort();
    show({ running: false, problem: null });
  };
  const start: Task['start'] = (run) => {
    abort.current?.abort();
    const mine = new AbortController();
    abort.current = mine;
    const tell = (found: unknown) => { if (!mine.signal.aborted) show({ running: false, problem: found }); };
    show({ running: true, problem: null });
    run(mine.signal).then(() => tell(null), tell);
  };
  return { running, problem, start, stop };
}
