// Where one looks at a drawing: a place and a scale. Pure arithmetic; sheet.tsx moves it by hand.

export interface Size { width: number; height: number }
export interface Box extends Size { x: number; y: number }
export interface View { x: number; y: number; scale: number }  // drawing → window: p · scale + (x, y)

export const largest = 4;

export function fitted(drawing: Size, window: Size, margin = 16): View {
  const scale = Math.min(
    1,
    (window.width - 2 * margin) / Math.max(1, drawing.width),
    (window.height - 2 * margin) / Math.max(1, drawing.height),
  );
  const kept = Math.max(scale, 0.01);
  return {
    x: (window.width - drawing.width * kept) / 2,
    y: (window.height - drawing.height * kept) / 2,
    scale: kept,
  };
}

// The point of the window stays where it is.
export function zoomed(view: View, factor: number, at: { x: number; y: number }): View {
  const scale = Math.min(largest, Math.max(0.01, view.scale * factor));
  const by = scale / view.scale;
  return { x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by, scale };
}

// Moved only as far as it must be for the box to be seen; smaller where it must be, but never so small that it
// cannot be read.
export function showing(view: View, box: Box, window: Size, margin = 24): View {
  const fits = Math.min((window.width - 2 * margin) / box.width, (window.height - 2 * margin) / box.height);
  const scale = Math.max(Math.min(view.scale, fits), 0.6);
  const at = scale === view.scale ? view : zoomed(view, scale / view.scale, { x: 0, y: 0 });
  const shift = (from: number, length: number, room: number) => {
    const space = Math.min(margin, (room - length) / 2);
    if (from < space) return space - from;
    if (from + length > room - space) return room - space - from - length;
    return 0;
  };
  return {
    x: at.x + shift(box.x * scale + at.x, box.width * scale, window.width),
    y: at.y + shift(box.y * scale + at.y, box.height * scale, window.height),
    scale,
  };
}

export function around(boxes: Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
