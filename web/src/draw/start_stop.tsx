// Starts what the form around it asks for, and stops it.

import { Button } from '../ui';

interface Props { running: boolean; start: string; stop: string; disabled?: boolean; onStop: () => void }

// Two buttons, not one that changes: by the press that stops the work it would become the one that sends the form.
export function StartStop({ running, start, stop, disabled, onStop }: Props) {
  return running
    ? <Button key="stop" onClick={onStop}>{stop}</Button>
    : <Button key="start" type="submit" look="primary" disabled={disabled}>{start}</Button>;
}
