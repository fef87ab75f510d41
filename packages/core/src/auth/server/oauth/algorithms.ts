/** The supported signature algorithms: all asymmetric, so that a verifier can't create tokens. */
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

/** A signature algorithm. */
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** The default algorithms. */
export const defaultAlgorithms: readonly SignatureAlgorithm[] = [
  'RS256',
  'PS256',
  'ES256',
  'ES384',
  'EdDSA',
  'Ed25519',
];
