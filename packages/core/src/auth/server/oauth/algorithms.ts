/** The ways of signing that are known here: all with two keys, so that who checks a token can't make one. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** A way of signing. */
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** Those that count where nobody says otherwise. */
export const defaultAlgorithms: readonly SignatureAlgorithm[] = [
  'RS256',
  'PS256',
  'ES256',
  'ES384',
  'EdDSA',
  'Ed25519',
];
