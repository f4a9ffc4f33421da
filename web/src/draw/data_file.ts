// MiniZinc data files (.dzn): items name = value; with comments between them. An item may run over many lines.

export function readData(text: string): Record<string, string> {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|(?:\s|%[^\n]*|\/\*[^]*?\*\/)+|;|[^"%/;\s]+|[^]/g) ?? [];
  const items = [''];
  for (const token of tokens) {
    if (token === ';') items.push('');
    else items[items.length - 1] += /^(\s|%|\/\*)/.test(token) ? ' ' : token;
  }
  return Object.fromEntries(items.flatMap((item) => {
    const [, name, value] = /^ *(\w+) *= *([^ ].*?) *$/.exec(item) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  }));
}
