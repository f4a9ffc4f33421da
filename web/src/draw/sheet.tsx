// A sheet to draw on that can be moved and zoomed: by hand, by wheel, by two fingers, by buttons, by keys.
//
// Moving changes one attribute of the drawing and renders nothing anew. Whatever is on the sheet is said in
// words elsewhere on the screen, too.

import './sheet.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useWords } from '../i18n';
import { fitted, showing, zoomed, type Box, type Size, type View } from './view';

const words = {
  closer: { en: 'Zoom in', fr: 'Agrandir' },
  farther: { en: 'Zoom out', fr: 'Réduire' },
  whole: { en: 'Show all', fr: 'Tout voir' },
  keys: {
    en: 'Arrow keys move the drawing, + and − zoom, 0 shows all.',
    fr: 'Les flèches déplacent le dessin, + et − changent l’échelle, 0 montre tout.',
  },
};

interface Props {
  name: string;          // what is drawn
  size: Size;            // of the whole drawing
  focus?: Box | null;    // what must be seen; looked at when it changes
  whole?: boolean;       // all of it is kept in sight, however small, until a person moves it
  children: ComponentChildren;
}

const step = 60;       // pixels for one press of an arrow
const factor = 1.3;    // for one press of + or −
const threshold = 5;   // pixels from which a press is a drag

export function Sheet({ name, size, focus, whole = false, children }: Props) {
  const t = useWords(words);
  const frame = useRef<SVGSVGElement>(null);
  const drawing = useRef<SVGGElement>(null);
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(false);
  const begun = useRef(false);
  const touched = useRef(false);   // by a person

  const room = (): Size => frame.current!.getBoundingClientRect();
  const look = (next: View) => {
    view.current = next;
    drawing.current!.setAttribute('transform', `translate(${next.x} ${next.y}) scale(${next.scale})`);
  };
  const all = () => look(fitted(size, room()));
  const zoom = (by: number, at = { x: room().width / 2, y: room().height / 2 }) => {
    touched.current = true;
    look(zoomed(view.current, by, at));
  };
  const shift = (x: number, y: number) => {
    touched.current = true;
    look({ ...view.current, x: view.current.x + x, y: view.current.y + y });
  };

  useLayoutEffect(() => {
    if (size.width === 0 || (begun.current && (!whole || touched.current))) return;
    begun.current = true;
    all();
    if (!whole && focus) look(showing(view.current, focus, room()));
  }, [size.width, size.height]);

  useEffect(() => {
    if (focus && begun.current && (!whole || touched.current)) look(showing(view.current, focus, room()));
  }, [focus?.x, focus?.y, focus?.width, focus?.height]);

  // The browser would scroll the page if this listener were passive, as Preact's are.
  useEffect(() => {
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), within(event));
    };
    const element = frame.current!;
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, []);

  const within = (event: MouseEvent) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const press = (event: PointerEvent) => {
    fingers.current.set(event.pointerId, within(event));
    dragged.current = false;
  };
  const move = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    if (event.buttons === 0) return release(event);   // let go outside
    const now = within(event);
    if (!dragged.current && Math.hypot(now.x - before.x, now.y - before.y) < threshold) return;
    dragged.current = true;
    frame.current!.setPointerCapture(event.pointerId);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      zoom(spread, other);
    } else {
      shift(now.x - before.x, now.y - before.y);
    }
    fingers.current.set(event.pointerId, now);
  };
  const release = (event: PointerEvent) => void fingers.current.delete(event.pointerId);

  const key = (event: KeyboardEvent) => {
    const act: Record<string, () => void> = {
      '+': () => zoom(factor),
      '=': () => zoom(factor),
      '-': () => zoom(1 / factor),
      '0': all,
      ArrowLeft: () => shift(step, 0),
      ArrowRight: () => shift(-step, 0),
      ArrowUp: () => shift(0, step),
      ArrowDown: () => shift(0, -step),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !act[event.key]) return;
    event.preventDefault();
    act[event.key]!();
  };

  return (
    <div class="sheet">
      <svg
        ref={frame} class="sheet-window" role="group" tabindex={0} aria-label={name} aria-description={t('keys')}
        onPointerDown={press} onPointerMove={move} onPointerUp={release} onPointerCancel={release} onKeyDown={key}
      >
        <g ref={drawing}>{children}</g>
      </svg>
      <div class="sheet-buttons">
        <button type="button" class="sheet-button" aria-label={t('closer')} title={t('closer')} onClick={() => zoom(factor)}>+</button>
        <button type="button" class="sheet-button" aria-label={t('farther')} title={t('farther')} onClick={() => zoom(1 / factor)}>−</button>
        <button type="button" class="sheet-button" aria-label={t('whole')} title={t('whole')} onClick={all}>⤢</button>
      </div>
    </div>
  );
}
