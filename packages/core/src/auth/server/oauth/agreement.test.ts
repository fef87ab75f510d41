import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { verifyProof } from './dpop-proof.ts';
import { startIssuer, type TestKey } from './fixtures/issuer.ts';
import { resource } from './fixtures/protected.ts';
import { oauth } from './oauth.ts';
import { readPublicKey } from './public-key.ts';

const algs = ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'];

it('mutated tokens that jose rejects are rejected (AR-30, AR-31)', async () => {
  const issuer = await startIssuer({ algs });
  const keys = createLocalJWKSet({ keys: issuer.keys.map(({ jwk }) => jwk) });
  const terms = {
    issuer: issuer.issuer,
    audience: resource,
    requiredClaims: ['exp'],
    clockTolerance: 30,
    algorithms: algs,
  };
  const endpoint = { resource, path: '/mcp', store: { claim: () => true }, log: () => {} };
  const auth = oauth({ issuer: issuer.issuer }).at?.(endpoint);
  const tokens = await Promise.all(issuer.keys.map((key) => issuer.token(resource, { key })));
  const isTaken = async (token: string): Promise<boolean> => {
    const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${token}` : undefined);
    const answer = await auth?.authenticate({ method: 'POST', path: '/mcp', address: undefined, header });
    return answer !== undefined && 'principal' in answer;
  };
  for (const token of tokens) expect(await isTaken(token)).toBe(true);
  const character = fc.constantFrom(...Array.from('ABCabc019-_.'));
  const changes = fc.record({ which: fc.nat(algs.length - 1), at: fc.nat(), by: character, cut: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(changes, async ({ which, at, by, cut }) => {
      const token = tokens[which] as string;
      const place = at % token.length;
      const changed = token.slice(0, place) + by + token.slice(place + cut);
      const proven = await jwtVerify(changed, keys, terms).then(
        () => true,
        () => false,
      );
      if (!proven) expect({ changed, taken: await isTaken(changed) }).toEqual({ changed, taken: false });
    }),
    { numRuns: 300 },
  );
});

it.each(algs)('a proof of %s is verified by Node as by jose (AR-31)', async (alg) => {
  const issuer = await startIssuer({ algs: [alg] });
  const [key] = issuer.keys as [TestKey];
  const token = await issuer.token(resource);
  const publicKey = readPublicKey({ ...key.jwk });
  if (publicKey === undefined) throw new Error('not readable');
  const both = (text: string): Promise<boolean[]> =>
    Promise.all([verifyProof(text, publicKey, alg as 'ES256'), publicKey.verify(text, alg as 'ES256')]);
  expect(await both(token)).toEqual([true, true]);
  expect(await both(token.replace('.', 'x.'))).toEqual([false, false]);
});
