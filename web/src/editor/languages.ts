// Light highlighting: enough to see comments, keywords and variables.

import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import type { Kind } from '../api';

const gdl: StreamParser<null> = {
  name: 'gdl',
  languageData: { commentTokens: { line: ';' } },
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/;.*/)) return 'comment';
    if (stream.match(/[()]/)) return 'bracket';
    if (stream.match('<=')) return 'keyword';
    if (stream.match(/\?[^\s();]*/)) return 'variableName';
    if (stream.match(/\d+(?=[\s();]|$)/)) return 'number';
    const word = (stream.match(/[^\s();]+/) as RegExpMatchArray)[0].toLowerCase();
    return gdlWords.has(word) ? 'keyword' : null;
  },
};
const gdlWords = new Set('role init true does next legal goal terminal base input sees random distinct not or and'.split(' '));

const minizinc: StreamParser<{ inComment: boolean }> = {
  name: 'minizinc',
  languageData: { commentTokens: { line: '%', block: { open: '/*', close: '*/' } } },
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.match(/.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/%.*/)) return 'comment';
    if (stream.match(/"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/\d+(\.\d+)?/)) return 'number';
    if (stream.match(/::\s*\w+/)) return 'meta';
    const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return minizincTypes.has(word[0]) ? 'typeName' : minizincWords.has(word[0]) ? 'keyword' : 'variableName';
    stream.next();
    return 'operator';
  },
};
const minizincTypes = new Set('int bool float string set array of var par opt enum ann record tuple'.split(' '));
const minizincWords = new Set(
  ('constraint include solve satisfy minimize maximize output predicate function test annotation type let in if then ' +
    'else elseif endif where forall exists sum product true false not div mod xor union intersect diff subset default').split(' '),
);

// JSON and DOT alike.
const graph: StreamParser<null> = {
  name: 'graph',
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/(\/\/|#).*/)) return 'comment';
    if (stream.match(/"(\\.|[^"\\])*"(?=\s*[:=])/)) return 'propertyName';
    if (stream.match(/"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/-?\d+(\.\d+)?/)) return 'number';
    if (stream.match(/(true|false|null|strict|digraph|graph|node|edge|subgraph)\b/)) return 'keyword';
    if (stream.match(/[{}[\]]/)) return 'bracket';
    if (!stream.match(/\w+/)) stream.next();
    return null;
  },
};

export const languages: Record<Kind, StreamLanguage<unknown>> = {
  gdl: StreamLanguage.define(gdl) as StreamLanguage<unknown>,
  minizinc: StreamLanguage.define(minizinc) as StreamLanguage<unknown>,
  graph: StreamLanguage.define(graph) as StreamLanguage<unknown>,
};

export const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.propertyName], color: 'var(--series-1)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--series-3)' },
  { tag: tags.variableName, color: 'var(--series-2)' },
  { tag: [tags.number, tags.meta], color: 'var(--series-4)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.bracket, color: 'var(--muted)' },
]));
