import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { fetchDocument, urlProblem } from './document.ts';
import type { OnFinding } from './finding.ts';
import type { Issuer } from './issuer.ts';

/** A key of a key set. */
export type Jwk = JsonWebKey & { kid?: string; alg?: string; use?: string };

/** Fetches the signing keys of an issuer, and reports their problems. */
export async function findKeys({ issuer, fields }: Issuer, found: OnFinding): Promise<Jwk[]> {
  const step = 'keys';
  const fault = (says: string, change: string): Jwk[] => {
    found({ step, level: 'fault', says, change });
    return [];
  };
  const { jwks_uri: place, introspection_endpoint: endpoint } = fields;
  if (typeof place !== 'string') {
    if (typeof endpoint !== 'string') {
      return fault(
        `${issuer} names neither keys nor a place to ask about tokens`,
        'jwks_uri, or introspection_endpoint',
      );
    }
    found({ step, level: 'note', says: `${issuer} has no keys: tokens are asked about at its introspection endpoint` });
    return [];
  }
  const unsafe = urlProblem(place);
  if (unsafe !== undefined) return fault(`its keys can't be fetched: ${unsafe}`, 'jwks_uri: an https URL');
  const { fields: set, problem } = await fetchDocument(place);
  if (set === undefined) return fault(`there are no keys at ${place}: ${problem}`, 'jwks_uri, or what is served there');
  if (!Array.isArray(set.keys))
    return fault(`${place} is no key set: it has no list of keys`, 'keys: a list, at jwks_uri');
  const keys = (set.keys as unknown[]).filter((key): key is Jwk => typeof key === 'object' && key !== null);
  const leaked = keys.find((key) => key.d !== undefined || key.kty === 'oct');
  if (leaked !== undefined) {
    const change = 'jwks_uri: publish the public halves only, and replace these keys at once';
    return fault(`${place} publishes a key that must be secret (${leaked.kid ?? 'without a name'})`, change);
  }
  const usable = keys.filter((key) => keyProblem(key) === undefined);
  if (usable.length === 0) {
    const reasons = [...new Set(keys.map((key) => keyProblem(key)))].join(', ') || 'there are none';
    return fault(`none of the keys at ${place} can check a signature: ${reasons}`, 'keys at jwks_uri');
  }
  if (usable.length > 1 && usable.some(({ kid }) => kid === undefined)) {
    const says = `${place} has several keys, and some without kid: servers must try them all, or refuse`;
    found({ step, level: 'note', says, change: 'kid: a name for each key' });
  } else {
    const kinds = usable.map(({ alg, kty }) => alg ?? kty).join(', ');
    found({ step, level: 'ok', says: `${usable.length} to check signatures with: ${kinds}` });
  }
  return usable;
}

/** Why a key can't verify a signature; undefined if it can. */
function keyProblem(key: Jwk): string | undefined {
  if (key.use !== undefined && key.use !== 'sig') return `use is ${key.use}`;
  if (key.kty !== 'RSA' && key.kty !== 'EC' && key.kty !== 'OKP') return `kty is ${String(key.kty)}`;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    const bits = asymmetricKeyDetails?.modulusLength ?? 2048;
    return bits < 2048 ? `an RSA key has ${bits} bits, which are too few` : undefined;
  } catch {
    return 'a key is damaged';
  }
}
