// Small pieces that the screens are made of. Each works with a keyboard and says what it is.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refused } from './api';
import { useWords } from './i18n';
import { type Args, href, type Screen } from './router';

type Children = { children?: ComponentChildren };
type Of<Tag extends keyof JSX.IntrinsicElements> = Omit<JSX.IntrinsicElements[Tag], 'ref' | 'class' | 'className'> & { class?: string };

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ');

// Every screen begins with one. It names the window, and the screen that one comes to has the focus on it, so
// that a screen reader says where one is.
export function Title({ children, text }: Children & { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (cameFromElsewhere) heading.current?.focus();
  }, []);
  useEffect(() => { document.title = `${text} · Zermelo`; }, [text]);
  return <h1 ref={heading} tabIndex={-1}>{children ?? text}</h1>;
}
let cameFromElsewhere = false;
addEventListener('hashchange', () => { cameFromElsewhere = true; });

// --- what can be pressed ---------------------------------------------------------------------------------------------

export type Look = 'primary' | 'plain' | 'quiet' | 'danger';

export function Button({ look = 'plain', class: more, ...rest }: Of<'button'> & { look?: Look }) {
  return <button type="button" {...rest} class={classes('button', look, more)} />;
}

// A button that shows a sign alone; `label` is what it does.
export function IconButton({ label, look = 'quiet', class: more, ...rest }: Of<'button'> & { label: string; look?: Look }) {
  return <button type="button" {...rest} title={label} aria-label={label} class={classes('button', 'icon', look, more)} />;
}

// Asks for a file.
export function FileButton({ label, accept, onFile }: { label: string; accept: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input type="file" ref={input} hidden accept={accept} aria-label={label} onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        event.currentTarget.value = '';
        if (file) onFile(file);
      }} />
    </>
  );
}

// To another screen.
export function Link({ to, args, look, class: more, ...rest }: Of<'a'> & { to: Screen; args?: Args; look?: Look }) {
  return <a {...rest} href={href(to, args)} class={classes(look && 'button', look, more)} />;
}

// A filter that is on or off.
export function Chip({ pressed, class: more, ...rest }: Of<'button'> & { pressed: boolean }) {
  return <button type="button" {...rest} aria-pressed={pressed} class={classes('chip', more)} />;
}

// --- what can be filled in -------------------------------------------------------------------------------------------

type FieldProps = Omit<Of<'input'>, 'onInput' | 'label'> & { label: string; hint?: ComponentChildren; onInput: (value: string) => void };

export function Field({ label, hint, onInput, class: more, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div class={classes('field', more)}>
      <label for={id}>{label}</label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} onInput={(event) => onInput(event.currentTarget.value)} />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

export interface Option<T extends string> { value: T; label: string; disabled?: boolean }
type SelectProps<T extends string> = Omit<Of<'select'>, 'value' | 'onChange' | 'label'> & {
  label: string;
  value: T;
  options: Option<T>[];
  onChange: (value: T) => void;
};

export function Select<T extends string>({ label, value, options, onChange, class: more, ...rest }: SelectProps<T>) {
  const id = useId();
  return (
    <div class={classes('field', more)}>
      <label for={id}>{label}</label>
      <select id={id} {...rest} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} selected={option.value === value}>{option.label}</option>
        ))}
      </select>
    </div>
  );
}

export function Checkbox({ label, checked, onChange, class: more, ...rest }: Omit<Of<'input'>, 'onChange' | 'label'> & { label: ComponentChildren; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class={classes('checkbox', more)}>
      <input type="checkbox" {...rest} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

// --- what holds other things -----------------------------------------------------------------------------------------

export interface Tab { id: string; label: string; content: ComponentChildren }

// One tab stop; arrows, Home and End choose.
export function Tabs({ label, tabs, chosen, onChoose }: { label: string; tabs: Tab[]; chosen: string; onChoose: (id: string) => void }) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const place = Math.max(0, tabs.findIndex(({ id }) => id === chosen));
  const current = tabs[place];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = (next + tabs.length) % tabs.length;
    onChoose(tabs[to]!.id);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button type="button" role="tab" key={tab.id} id={`${base}-${tab.id}`} aria-selected={tab === current}
            aria-controls={`${base}-panel`} tabIndex={tab === current ? 0 : -1} onClick={() => onChoose(tab.id)}>
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current?.id}`}>{current?.content}</div>
    </div>
  );
}

// Keeps the focus inside while it is open; Escape closes it.
export function Dialog({ open, title, onClose, children }: Children & { open: boolean; title: string; onClose: () => void }) {
  const t = useWords(words);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton label={t('close')} onClick={() => dialog.current?.close()}>✕</IconButton>
      </header>
      {open && children}
    </dialog>
  );
}

export type Tone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad';

export function Tag({ tone = 'neutral', children, ...rest }: Of<'span'> & { tone?: Tone }) {
  return <span {...rest} class={classes('tag', tone)}>{children}</span>;
}

// --- what tells how it goes ------------------------------------------------------------------------------------------

// A bad one interrupts whoever listens to the page, others wait.
export function Notice({ tone = 'neutral', children }: Children & { tone?: Tone }) {
  return <div class={classes('notice', tone)} role={tone === 'bad' ? 'alert' : 'status'}>{children}</div>;
}

export function Spinner({ label }: { label: string }) {
  return <span class="spinner" role="status"><span class="wheel" aria-hidden="true" /> {label}</span>;
}

// Without a value: something goes on, nobody knows how long.
export function Progress({ label, value, most = 1 }: { label: string; value?: number; most?: number }) {
  const id = useId();
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} max={most} value={value} />
    </div>
  );
}

// Said aloud and not shown.
export function Live({ children }: Children) {
  return <div class="visually-hidden" aria-live="polite">{children}</div>;
}

// What went wrong, for people.
export function Problem({ problem }: { problem: unknown }) {
  const t = useWords(words);
  if (problem === null || problem === undefined) return null;
  return <Notice tone="bad">{said(problem, t('unreachable'))}</Notice>;
}

function said(problem: unknown, unreachable: string): string {
  if (problem instanceof Refused && problem.line > 0) return `${problem.line}:${problem.column}: ${problem.message}`;
  if (problem instanceof TypeError && /fetch|network/i.test(problem.message)) return unreachable;
  return problem instanceof Error ? problem.message : String(problem);
}

// --- work ------------------------------------------------------------------------------------------------------------

export interface Work { running: boolean; problem: unknown }   // the problem is null where there is none

// Runs when it is shown and whenever `deps` change; the signal ends it when it is superseded or no longer shown.
export function useWork(run: (signal: AbortSignal) => Promise<void>, deps: unknown[]): Work {
  const [work, show] = useState<Work>({ running: true, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const tell = (next: Work) => { if (!abort.signal.aborted) show(next); };
    tell({ running: true, problem: null });
    run(abort.signal).then(() => tell({ running: false, problem: null }), (problem: unknown) => tell({ running: false, problem }));
    return () => abort.abort();
  }, deps);
  return work;
}

// The answer to one question; null until it is there.
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, deps: unknown[]): Work & { answer: T | null } {
  const [answer, take] = useState<T | null>(null);
  const work = useWork(async (signal) => {
    const found = await ask(signal);
    if (!signal.aborted) take(() => found);
  }, deps);
  return { ...work, answer };
}

const words = {
  close: { en: 'Close', fr: 'Fermer' },
  unreachable: { en: 'The program does not answer. Is it still running?', fr: 'Le programme ne répond pas. Tourne-t-il encore ?' },
};
