import { expect, it } from 'vitest';
import { auditWish } from './options.ts';

it('takes a hash that begins with a dash, as one in 64 does', () => {
  const hash = `-${'a'.repeat(42)}`;
  for (const args of [
    ['log', '--expect', hash, '--json'],
    ['log', `--expect=${hash}`, '--json'],
  ]) {
    expect(auditWish(args, ['expect'])).toEqual({ files: ['log'], values: { expect: hash }, json: true });
  }
});
