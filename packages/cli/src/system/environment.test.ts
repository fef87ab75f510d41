import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, it } from 'vitest';
import { processEnvironment } from './environment.ts';

it('the environment of this process has full paths of Node, the command and the home folder', () => {
  const { node, command, home, cwd } = processEnvironment();
  for (const path of [node, command, home, cwd]) expect([path, isAbsolute(path)]).toEqual([path, true]);
  expect(existsSync(node) && existsSync(command)).toBe(true);
});
