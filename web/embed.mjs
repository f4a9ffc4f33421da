// Puts the built page into two files that src/web/http/assets.cpp takes in: node embed.mjs FOLDER OUT
//
// OUT/page.bin holds all files of FOLDER, compressed, one after another; OUT/page.inc says which they are.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

function pathsOf(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}/${entry.name}`;
    return entry.isDirectory() ? pathsOf(join(folder, entry.name), path) : [path];
  });
}

const [folder, out] = process.argv.slice(2);
const pieces = [];
const lines = [];
let begin = 0;
for (const path of pathsOf(folder).sort()) {
  const type = types[extname(path)];
  if (!type) throw new Error(`embed.mjs knows no type for ${path}; add it there`);
  const content = readFileSync(join(folder, path));
  const gzip = gzipSync(content, { level: 9 });
  const tag = createHash('sha256').update(content).digest('hex').slice(0, 16);
  lines.push(`asset(${JSON.stringify(path)}, ${JSON.stringify(type)}, ${begin}, ${gzip.length}, "${tag}"),\n`);
  pieces.push(gzip);
  begin += gzip.length;
}
writeFileSync(join(out, 'page.bin'), Buffer.concat(pieces));
writeFileSync(join(out, 'page.inc'), lines.join(''));
