import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ownIdentity } from './identity.ts';

it('the version that a client gives of itself is that of the package', () => {
  expect(ownIdentity.version).toBe(manifest.version);
});
