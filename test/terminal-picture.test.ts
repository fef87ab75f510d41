import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/imports.ts';
import { hasTerminals, onTerminal } from './support/terminal.ts';
import { terminalPicture } from './support/terminal-picture.ts';

/** The commands in the picture of the README. */
const commands = [
  ['list', 'moonphase'],
  ['call', 'moonphase', 'moonphase', 'datetime=2026-11-24T14:54Z'],
  ['show', 'ccmcp', 'move'],
];

it.skipIf(!hasTerminals)('the terminal picture in the README shows the actual output of the commands', async () => {
  const session = [];
  for (const words of commands) {
    const { written } = await onTerminal([...words, '--no-pager', '--images=none', '--color=always'], []);
    const printed = written.replaceAll('\r\n', '\n').replaceAll('\r\u001b[K', '');
    session.push({ command: `./ccmcp ${words.join(' ')}`, printed });
  }
  await expect(terminalPicture(session)).toMatchFileSnapshot(join(root, 'docs', 'terminal.svg'));
});
