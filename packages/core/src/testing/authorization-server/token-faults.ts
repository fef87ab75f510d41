import {
  base64Url,
  describeFaults,
  type Draft,
  type Fault,
  faultTable,
  header,
  nowInSeconds,
  overlay,
  publicJwk,
  type TestAlgorithm,
  type TestKey,
  unsigned,
} from './jwt.ts';

/** Resources for creating faults. */
interface Material {
  /** A key that is not in the key set. */
  readonly foreign: TestKey;
  /** The URL of that key, for verifiers that follow URLs in tokens. */
  readonly foreignKeys: string;
}

const hour = 3600;

function claims(over: Record<string, unknown>): (draft: Draft) => Draft {
  return (draft) => ({ ...draft, claims: overlay(draft.claims, over) });
}

/** Signs with a foreign key and a header that refers to it. */
function foreign(lead: (material: Material) => Record<string, unknown>): Fault<Material>['spoil'] {
  return (draft, material) => ({ ...header(lead(material))(draft), key: material.foreign });
}

function first(value: unknown): string {
  return String(Array.isArray(value) ? value[0] : value);
}

/** A wrong algorithm for each key, of the same key type if there is one. */
const otherAlgorithm: Readonly<Record<TestAlgorithm, string>> = {
  ES256: 'ES384',
  ES384: 'ES256',
  RS256: 'PS256',
  PS256: 'RS256',
  EdDSA: 'ES256',
};

const faults = faultTable({
  unsigned: { says: 'its algorithm is none', spoil: (draft) => unsigned(header({ alg: 'none' })(draft)) },
  'unsigned-in-capitals': { says: 'its algorithm is nOnE', spoil: (draft) => unsigned(header({ alg: 'nOnE' })(draft)) },
  'no-signature': { says: 'its signature is cut off', spoil: unsigned },
  'public-key-as-secret': {
    says: 'it is signed by HS256, with the public key as the secret',
    spoil: (draft) => ({
      ...header({ alg: 'HS256' })(draft),
      secret: draft.key.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    }),
  },
  'other-key': { says: 'it is signed by an unknown key', spoil: foreign(() => ({})) },
  'unknown-key': {
    says: 'it names a key that the issuer does not have',
    spoil: foreign(({ foreign: { id } }) => ({ kid: id })),
  },
  'embedded-key': {
    says: 'it brings the key to check it with',
    spoil: foreign(({ foreign: key }) => ({ kid: undefined, jwk: publicJwk(key) })),
  },
  'key-address': {
    says: 'it says where its keys are (jku)',
    spoil: foreign(({ foreign: { id }, foreignKeys }) => ({ kid: id, jku: foreignKeys })),
  },
  'certificate-address': {
    says: 'it says where its certificate is (x5u)',
    spoil: foreign(({ foreign: { id }, foreignKeys }) => ({ kid: id, x5u: foreignKeys })),
  },
  'other-algorithm': {
    says: 'its algorithm is not that of the key',
    spoil: (draft) => header({ alg: otherAlgorithm[draft.key.algorithm] })(draft),
  },
  'critical-header': {
    says: 'its header has an extension that must be understood',
    spoil: header({ crit: ['urn:example:unknown'], 'urn:example:unknown': true }),
  },
  changed: {
    says: 'its claims were changed after it was signed',
    spoil: (draft) => ({
      ...draft,
      afterwards: ([head, , signature]) =>
        `${head}.${base64Url(JSON.stringify({ ...draft.claims, sub: 'admin' }))}.${signature}`,
    }),
  },
  'no-json': { says: 'its claims are no JSON', spoil: (draft) => ({ ...draft, payload: '{"iss":' }) },
  'no-object': { says: 'its claims are no object', spoil: (draft) => ({ ...draft, payload: '[]' }) },
  'other-type': { says: 'it is a statement of another type', spoil: header({ typ: 'logout+jwt' }) },
  'id-token': {
    says: 'it is an ID token',
    spoil: (draft) => claims({ nonce: 'n-1', at_hash: 'aGFzaA', scope: undefined })(header({ typ: 'JWT' })(draft)),
  },
  'wrong-issuer': { says: 'it names another issuer', spoil: claims({ iss: 'https://issuer.example' }) },
  'longer-issuer': {
    says: 'it names an issuer whose name only begins as that of the right one',
    spoil: (draft) => claims({ iss: `${String(draft.claims.iss)}/` })(draft),
  },
  'no-issuer': { says: 'it names no issuer', spoil: claims({ iss: undefined }) },
  'wrong-audience': { says: 'it is for another server', spoil: claims({ aud: 'https://other.example/mcp' }) },
  'longer-audience': {
    says: 'it is for a server whose name only begins as that of the right one',
    spoil: (draft) => claims({ aud: `${first(draft.claims.aud)}.example` })(draft),
  },
  'no-audience': { says: 'it has no audience', spoil: claims({ aud: undefined }) },
  expired: { says: 'it has expired', spoil: (draft) => claims({ exp: nowInSeconds() - hour })(draft) },
  'no-expiry': { says: 'it never expires', spoil: claims({ exp: undefined }) },
  'expiry-in-words': {
    says: 'its expiry is no number',
    spoil: (draft) => claims({ exp: String(nowInSeconds() + hour) })(draft),
  },
  'not-yet': { says: 'it is not good yet', spoil: (draft) => claims({ nbf: nowInSeconds() + hour })(draft) },
  'from-the-future': {
    says: 'it was issued in the future',
    spoil: (draft) => claims({ iat: nowInSeconds() + hour, exp: nowInSeconds() + 2 * hour })(draft),
  },
  'no-subject': {
    says: 'it says neither whose nor which client it is for',
    spoil: claims({ sub: undefined, client_id: undefined, azp: undefined }),
  },
  'bound-to-certificate': {
    says: 'it is bound to a certificate',
    spoil: claims({ cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } }),
  },
  'bound-to-unknown': { says: 'it is bound to something unknown', spoil: claims({ cnf: { 'urn:example': 'x' } }) },
  'bound-to-key': {
    says: 'it is bound to a key that the caller does not prove to have',
    spoil: claims({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }),
  },
});

/** A fault of a token. */
export type TokenFault = keyof typeof faults;

/** All faults of a token, with descriptions. A protected server must reject each of them. */
export const tokenFaults: Readonly<Record<TokenFault, string>> = describeFaults(faults);

/** Applies a fault to a draft. */
export function applyFault(draft: Draft, fault: TokenFault, material: Material): Draft {
  return faults[fault].spoil(draft, material);
}
