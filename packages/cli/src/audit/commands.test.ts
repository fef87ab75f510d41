import { expect, it } from 'vitest';
import { parseOptions } from '../command/options.ts';
import { auditCommands } from './commands.ts';

it('ccmcp audit verify accepts an --expect hash that begins with a dash, as one in 64 does', () => {
  const hash = `-${'a'.repeat(42)}`;
  const { options } = auditCommands.find(({ name }) => name === 'audit verify') ?? { options: {} };
  for (const args of [
    ['log', '--expect', hash, '--json'],
    ['log', `--expect=${hash}`, '--json'],
  ]) {
    expect(parseOptions(args, options)).toEqual({
      positionals: ['log'],
      values: { expect: hash, json: true },
      rest: undefined,
    });
  }
});
