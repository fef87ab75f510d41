import { readdirSync } from 'node:fs';
import { chosen } from './cells.ts';

// The whole matrix over the less common framing.
chosen.wires = ['content-length'];
const files = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.endsWith('.test.ts') && !/\.slow\.|^checked-wire\./.test(name),
);
for (const name of files) await import(/* @vite-ignore */ new URL(name, import.meta.url).href);
