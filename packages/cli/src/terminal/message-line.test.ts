import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { messageLine } from './message-line.ts';

const sources = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.ts$/.test(file),
);

function read(file: string): string {
  return readFileSync(join(sources, file), 'utf8');
}

describe('a message of the command', () => {
  it.each([
    ['There is no option --x.', 'there is no option --x.'],
    ['Interrupted', 'interrupted'],
    ["stdout can't be written to", "stdout can't be written to"],
    ['PATH is not set', 'PATH is not set'],
    ['Redis does not answer', 'Redis does not answer'],
    ['Server.js has no default export', 'Server.js has no default export'],
    ['Path/to/file is a folder', 'Path/to/file is a folder'],
  ])('%j is shown as %j', (message, shown) => {
    expect(messageLine(message)).toBe(`ccmcp: ${shown}\n`);
  });

  it('begins in lower case wherever the command makes one', () => {
    const made = /(?:Failure\(\s*'[\w-]+',|(?:Usage)?Error\()\s*['"`]([A-Z][a-z]*)[ ,.:]/g;
    const words = files.flatMap((file) => Array.from(read(file).matchAll(made), ([, word = '']) => word));
    expect(words.length).toBeGreaterThan(40);
    expect([...new Set(words)].filter((word) => messageLine(word) !== `ccmcp: ${word.toLowerCase()}\n`)).toEqual([
      'Node',
    ]);
  });

  it('gets the name of the command in one place', () => {
    const prefix = /['"`]ccmcp: (?:\$\{|[\w "]+\\n)/;
    expect(files.filter((file) => prefix.test(read(file)))).toEqual([join('terminal', 'message-line.ts')]);
  });
});
