import { createHash, type JsonWebKey, randomUUID } from 'node:crypto';
import {
  describeFaults,
  type Draft,
  encodeJwt,
  faultTable,
  header,
  makeKey,
  nowInSeconds,
  overlay,
  publicJwk,
  type TestAlgorithm,
  type TestKey,
  unsigned,
} from './jwt.ts';

/** The properties of a requested proof. */
export interface ProofWish {
  method: string;
  url: string;
  /** The token of the request. */
  token?: string;
  nonce?: string;
  /** Overrides its claims; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Overrides its header; undefined removes a field. */
  header?: Record<string, unknown>;
  /** A fault to apply. */
  fault?: ProofFault;
}

/** A client key to bind tokens to. */
export interface ProofKey {
  /** Its thumbprint, for bound tokens. */
  readonly thumbprint: string;
  /** Creates a DPoP proof, valid or with a fault. */
  proof(wish: ProofWish): string;
}

function claims(over: (claims: Record<string, unknown>) => Record<string, unknown>): (draft: Draft) => Draft {
  return (draft) => ({ ...draft, claims: overlay(draft.claims, over(draft.claims)) });
}

const faults = faultTable({
  'other-type': { says: 'its type is not dpop+jwt', spoil: header({ typ: 'JWT' }) },
  unsigned: { says: 'its algorithm is none', spoil: (draft) => unsigned(header({ alg: 'none' })(draft)) },
  symmetric: {
    says: 'it is signed with a shared secret',
    spoil: (draft) => ({ ...header({ alg: 'HS256' })(draft), secret: 'shared' }),
  },
  'bad-signature': {
    says: 'it is signed by another key than it shows',
    spoil: (draft, key: TestKey) => ({ ...draft, key }),
  },
  'other-key': {
    says: 'it is of another key than the token is bound to',
    spoil: (draft, key: TestKey) => ({ ...header({ jwk: toJwk(key) })(draft), key }),
  },
  'no-key': { says: 'it shows no key', spoil: header({ jwk: undefined }) },
  'private-key': {
    says: 'it shows the private half of its key',
    spoil: (draft) => header({ jwk: draft.key.privateKey.export({ format: 'jwk' }) })(draft),
  },
  'other-method': { says: 'it is for another method', spoil: claims(() => ({ htm: 'PATCH' })) },
  'no-method': { says: 'it is for no method', spoil: claims(() => ({ htm: undefined })) },
  'other-address': { says: 'it is for another address', spoil: claims(() => ({ htu: 'https://other.example/mcp' })) },
  'address-with-query': {
    says: 'its address has a query',
    spoil: claims(({ htu }) => ({ htu: `${String(htu)}?a=1` })),
  },
  'no-address': { says: 'it is for no address', spoil: claims(() => ({ htu: undefined })) },
  old: { says: 'it is an hour old', spoil: claims(() => ({ iat: nowInSeconds() - 3600 })) },
  'from-the-future': { says: 'it was made in the future', spoil: claims(() => ({ iat: nowInSeconds() + 3600 })) },
  'no-time': { says: 'it does not say when it was made', spoil: claims(() => ({ iat: undefined })) },
  'no-id': { says: 'it has no id', spoil: claims(() => ({ jti: undefined })) },
  'long-id': { says: 'its id is much too long', spoil: claims(() => ({ jti: 'x'.repeat(3000) })) },
  'other-token': { says: 'it is for another token', spoil: claims(() => ({ ath: digestOf('another') })) },
  'no-token': { says: 'it is for no token', spoil: claims(() => ({ ath: undefined })) },
});

/** A fault of a proof. */
export type ProofFault = keyof typeof faults;

/** All faults of a DPoP proof, with descriptions. */
export const proofFaults: Readonly<Record<ProofFault, string>> = describeFaults(faults);

/** Creates a proof key. */
export async function proofKey(algorithm: TestAlgorithm = 'ES256'): Promise<ProofKey> {
  const { calculateJwkThumbprint } = await import('jose');
  const [key, foreign] = await Promise.all([makeKey(algorithm), makeKey(algorithm)]);
  return {
    thumbprint: await calculateJwkThumbprint(toJwk(key)),
    proof(wish) {
      const draft = draftOf(key, wish);
      return encodeJwt(wish.fault === undefined ? draft : faults[wish.fault].spoil(draft, foreign));
    },
  };
}

function draftOf(key: TestKey, { method, url, token, nonce, ...over }: ProofWish): Draft {
  const { origin, pathname } = new URL(url);
  const about = {
    jti: randomUUID(),
    htm: method,
    htu: `${origin}${pathname}`,
    iat: nowInSeconds(),
    nonce,
    ath: token === undefined ? undefined : digestOf(token),
  };
  return {
    key,
    header: overlay({ alg: key.algorithm, typ: 'dpop+jwt', jwk: toJwk(key) }, over.header),
    claims: overlay(about, over.claims),
  };
}

function toJwk(key: TestKey): JsonWebKey {
  const { kid: _, alg: __, use: ___, ...jwk } = publicJwk(key);
  return jwk;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
