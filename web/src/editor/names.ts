// What the program knows of the names in a text, in CodeMirror: what they mean, where they are given, and the usual layout.
// The functions of the language server answer (api.ts, /api/editor).

import type { ChangeSpec, Extension, Text } from '@codemirror/state';
import { activateHover, type Command, EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { ask, type Kind, type TextEdit, type TextPlace, type TextRange } from '../api';

type Request = 'hover' | 'definition' | 'references' | 'prepareRename' | 'rename' | 'formatting';

export const hasNames = (kind: Kind): boolean => kind !== 'graph';
export const hasLayout = (kind: Kind): boolean => kind === 'gdl';

async function request<T>(view: EditorView, kind: Kind, what: Request, at: number, more = {}): Promise<T | null> {
  const { doc } = view.state;
  const body = { kind, text: doc.toString(), position: placeAt(doc, at), ...more };
  return (await ask<{ result: T | null }>(`/api/editor/${what}`, body)).result;
}

function placeAt(doc: Text, at: number): TextPlace {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

interface Part { from: number; to: number }

function part(doc: Text, { start, end }: TextRange): Part {
  const offset = ({ line, character }: TextPlace) => {
    const { from, to } = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(from + character, to);
  };
  return { from: offset(start), to: offset(end) };
}

const changes = (doc: Text, edits: TextEdit[]): ChangeSpec[] =>
  edits.map(({ range, newText }) => ({ ...part(doc, range), insert: newText }));

// --- what a name means -----------------------------------------------------------------------------------------------

interface Hover { contents: { value: string }; range: TextRange }

const hover = (kind: Kind) => hoverTooltip(async (view, at) => {
  const said = await request<Hover>(view, kind, 'hover', at).catch(() => null);
  if (!said) return null;
  const { from, to } = part(view.state.doc, said.range);
  const dom = rendered(said.contents.value);
  // Aloud once it is shown, and not while CodeMirror is still showing it.
  const mount = (shown: EditorView) => queueMicrotask(() => shown.dispatch({ effects: EditorView.announce.of(dom.textContent!) }));
  return { pos: from, end: to, above: false, create: () => ({ dom, mount }) };
}, { hideOnChange: true });

// The little Markdown that the program writes: paragraphs, lists, code, bold and code in a line.
function rendered(markdown: string): HTMLElement {
  const whole = document.createElement('div');
  whole.className = 'cm-name';
  let code: HTMLElement | null = null;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      code = code ? null : whole.appendChild(document.createElement('pre'));
    } else if (code) {
      code.append(code.textContent ? `\n${line}` : line);
    } else if (line) {
      const text = line.startsWith('- ') ? `• ${line.slice(2)}` : line;
      whole.appendChild(document.createElement('p')).append(...inline(text));
    }
  }
  return whole;
}

function inline(text: string): (Node | string)[] {
  return text.split(/(\*\*.+?\*\*|`.+?`)/).map((piece) => {
    const tag = piece.startsWith('**') ? 'strong' : piece.startsWith('`') ? 'code' : null;
    if (!tag) return piece;
    const element = document.createElement(tag);
    element.textContent = piece.replace(/^(\*\*|`)(.*)\1$/, '$2');
    return element;
  });
}

// --- where it is given -----------------------------------------------------------------------------------------------

// Where a name is given several times: the next of these places.
async function goToDefinition(view: EditorView, kind: Kind, at: number): Promise<boolean> {
  const { doc } = view.state;
  const found = await request<{ range: TextRange }[]>(view, kind, 'definition', at).catch(() => null);
  if (!found || found.length === 0 || !doc.eq(view.state.doc)) return false;
  const places = found.map(({ range }) => part(doc, range));
  const here = places.findIndex(({ from, to }) => from <= at && at <= to);
  const { from, to } = places[(here + 1) % places.length]!;
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true, userEvent: 'select' });
  view.focus();
  return true;
}

// --- other names and layout ------------------------------------------------------------------------------------------

export interface Name { text: string; at: number; places: number }

// The name at the cursor; null where there is none, or it is not the text's own.
export async function nameAtCursor(view: EditorView, kind: Kind): Promise<Name | null> {
  const at = view.state.selection.main.head;
  const here = await request<TextRange>(view, kind, 'prepareRename', at);
  if (!here) return null;
  const { from, to } = part(view.state.doc, here);
  const places = await request<unknown[]>(view, kind, 'references', at);
  return { text: view.state.sliceDoc(from, to), at, places: places?.length ?? 0 };
}

// Throws Refused where that would make another game.
export async function rename(view: EditorView, kind: Kind, { at }: Name, newName: string): Promise<void> {
  const { doc } = view.state;
  const edit = await request<{ changes: Record<string, TextEdit[]> }>(view, kind, 'rename', at, { newName });
  if (!edit || !doc.eq(view.state.doc)) return;
  view.dispatch({ changes: changes(doc, Object.values(edit.changes).flat()), userEvent: 'rename' });
}

// False where there is nothing to change.
export async function format(view: EditorView, kind: Kind): Promise<boolean> {
  const { doc } = view.state;
  const edits = await request<TextEdit[]>(view, kind, 'formatting', 0);
  if (!edits || edits.length === 0 || !doc.eq(view.state.doc)) return false;
  const line = doc.lineAt(view.state.selection.main.head).number;
  view.dispatch({ changes: changes(doc, edits), userEvent: 'format' });
  view.dispatch({ selection: { anchor: view.state.doc.line(Math.min(line, view.state.doc.lines)).from }, scrollIntoView: true });
  return true;
}

// --- keys ------------------------------------------------------------------------------------------------------------

export interface Tools { explain: Command; define: Command }

// The commands for a text of this kind, and what makes CodeMirror offer them: F1 and the pointer, F12 and Ctrl-click, F2.
export function nameTools(kind: Kind, onRename: () => void): Tools & { extension: Extension } {
  if (!hasNames(kind)) return { explain: () => false, define: () => false, extension: [] };
  const tooltip = hover(kind);
  const explain: Command = (view) => {
    activateHover(view, view.state.selection.main.head, 1, { tooltip, until: (change) => change.docChanged || change.selection !== undefined });
    return true;
  };
  const define: Command = (view) => {
    void goToDefinition(view, kind, view.state.selection.main.head);
    return true;
  };
  const click = EditorView.domEventHandlers({
    mousedown(event, view) {
      const at = event.button === 0 && (event.ctrlKey || event.metaKey) ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
      if (at === null) return false;
      void goToDefinition(view, kind, at);
      return true;
    },
  });
  const keys = keymap.of([
    { key: 'F1', run: explain, preventDefault: true },
    { key: 'F12', run: define, preventDefault: true },
    { key: 'F2', run: () => { onRename(); return true; }, preventDefault: true },
  ]);
  return { explain, define, extension: [tooltip, click, keys] };
}
