import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEnvFile } from './start-command.ts';
import { testEnvironment } from '../install/fixtures/environment.ts';

it('an env file is parsed line by line, with quotes and comments', () => {
  const { home } = testEnvironment();
  mkdirSync(home);
  const path = join(home, '.env');
  const lines = [
    '# mine',
    'A=1',
    ' export B = two words # and a word on it',
    'C="a # b\\nc" # more',
    "D='$A=\\n'",
    'E=',
    'F=x#y',
    'G="open',
    'no variable',
    '=nothing',
    'H= # none',
  ];
  writeFileSync(path, lines.join('\r\n'));
  expect(readEnvFile(path)).toEqual({
    A: '1',
    B: 'two words',
    C: 'a # b\nc',
    D: '$A=\\n',
    E: '',
    F: 'x#y',
    G: '"open',
    H: '',
  });
  expect(() => readEnvFile(join(home, 'none'))).toThrow('none with its environment does not exist');
});
