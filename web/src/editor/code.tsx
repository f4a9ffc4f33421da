// CodeMirror as a component. It lives in a shadow tree, where its styles need no <style> element: the page's
// security policy allows none.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Finding, Kind } from '../api';
import { colours, languages } from './languages';
import { nameTools } from './names';
import { type Asking, askForName, notAsking, Toolbar } from './tools';

export interface CodeProps {
  label: string;
  kind: Kind;
  given: { text: string };   // what to begin with; a new object takes the place of all that is there
  findings: Finding[];
  goal: Finding | null;   // where to put the cursor; a new object goes there again
  onText: (text: string) => void;
}

export function Code({ label, kind, given, findings, goal, onText }: CodeProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const [shown, show] = useState<EditorView | null>(null);
  const [asking, ask] = useState<Asking>(notAsking);
  const tools = useMemo(() => nameTools(kind, () => { if (editor.current) void askForName(editor.current, kind, ask); }), [kind]);
  const heard = useRef(onText);
  heard.current = onText;

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({ root, parent: root, state: state(given.text, label, (next) => heard.current(next)) });
    editor.current = view;
    show(view);
    return () => view.destroy();
  }, []);
  useEffect(() => { editor.current?.dispatch({ effects: named.reconfigure(name(label)) }); }, [label]);
  useEffect(() => { editor.current?.dispatch({ effects: spoken.reconfigure([languages[kind], tools.extension]) }); }, [kind]);
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === given.text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: given.text } });
  }, [given]);
  useEffect(() => {
    const view = editor.current;
    view?.dispatch(setDiagnostics(view.state, findings.filter(({ line }) => line > 0).map((finding) => diagnostic(view.state.doc, finding))));
  }, [findings]);
  useEffect(() => {
    const view = editor.current;
    if (!view || !goal) return;
    view.dispatch({ selection: { anchor: place(view.state.doc, goal) }, scrollIntoView: true });
    view.focus();
  }, [goal]);

  return (
    <>
      <Toolbar kind={kind} view={shown} tools={tools} asking={asking} show={ask} />
      <div class="code well" ref={host} />
    </>
  );
}

const named = new Compartment();
const spoken = new Compartment();
const name = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });

function state(text: string, label: string, onText: (text: string) => void): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), lintGutter(), history(), bracketMatching(), highlightActiveLine(), EditorView.lineWrapping,
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),   // Tab is not among them: it leaves the editor
      named.of(name(label)), spoken.of([]), colours, look,
      EditorView.updateListener.of((update) => { if (update.docChanged) onText(update.state.doc.toString()); }),
    ],
  });
}

function place(doc: Text, { line, column }: Finding): number {
  const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  // The program counts bytes.
  const before = new TextEncoder().encode(text).subarray(0, Math.max(column - 1, 0));
  return from + new TextDecoder().decode(before).length;
}

// Marks the word or bracket at the place; at the end of a line, what is before it.
function diagnostic(doc: Text, finding: Finding): Diagnostic {
  const at = place(doc, finding);
  const rest = doc.lineAt(at).text.slice(at - doc.lineAt(at).from);
  const length = /^(\w+|\?\w+|[^\s\w]|\s+)?/.exec(rest)![0].length;
  const message = [finding.message, finding.remedy].filter(Boolean).join('\n');
  const severity = finding.severity === 'note' ? 'info' : finding.severity;
  return { from: length > 0 ? at : Math.max(at - 1, doc.lineAt(at).from), to: at + length, severity, message };
}

const wavy = (colour: string) => ({ backgroundImage: 'none', textDecoration: `underline wavy ${colour}`, textDecorationSkipInk: 'none' });
const marker = (kind: string, sign: string, colour: string) => ({
  [`.cm-lint-marker-${kind}`]: { content: 'normal', color: colour, fontWeight: '700', textAlign: 'center' },
  [`.cm-lint-marker-${kind}::before`]: { content: `"${sign}"` },
});

const look = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '0.9375rem', height: '100%', borderRadius: 'inherit' },
  '&.cm-focused': { outline: '3px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', borderRadius: 'inherit' },
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '12rem' },
  '.cm-gutters': { background: 'transparent', color: 'var(--muted)', border: '0' },
  '.cm-activeLine': { background: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--bad-soft)' },
  '.cm-lintRange-error': wavy('var(--bad)'),
  '.cm-lintRange-warning': wavy('var(--warning)'),
  '.cm-lintRange-info': wavy('var(--accent)'),
  ...marker('error', '✕', 'var(--bad)'),
  ...marker('warning', '!', 'var(--warning)'),
  ...marker('info', 'i', 'var(--accent)'),
  '.cm-tooltip, .cm-panels': { background: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-diagnosticText': { whiteSpace: 'pre-wrap' },
  '.cm-name': { padding: '0.5rem 0.75rem', maxWidth: 'min(36rem, 80vw)', maxHeight: '18rem', overflow: 'auto', fontSize: '0.875rem' },
  '.cm-name p': { margin: '0.15rem 0' },
  '.cm-name pre': { margin: '0.35rem 0', whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)' },
  '.cm-name code': { fontFamily: 'var(--mono)' },
});
