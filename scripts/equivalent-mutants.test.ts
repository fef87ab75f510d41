import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import mutants from './equivalent-mutants.json' with { type: 'json' };
import { root } from './packages.mjs';

it('lists equivalent mutants of files that exist', () => {
  const files = mutants.flatMap((mutant) => mutant.files);

  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
