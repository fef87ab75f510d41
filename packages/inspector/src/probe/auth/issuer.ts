import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { type Document, fetchDocument, stringList, urlProblem } from './document.ts';
import { DiscoveryFailed, type OnFinding, quote } from './finding.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Metadata of an authorization server. */
export interface Issuer {
  issuer: string;
  fields: Fields;
  document: Document;
}

/** Fetches the metadata of an authorization server from every well-known URL. */
export async function findIssuer(issuer: string, found: OnFinding): Promise<Issuer> {
  const step = 'issuer';
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
  const documents: Document[] = [];
  for (const url of urls) documents.push(await fetchDocument(url));
  const there = documents.filter(({ fields }) => fields !== undefined);
  const [document] = there;
  if (document?.fields === undefined) {
    const tried = documents.map(({ url, problem }) => `${url} (${problem})`).join(', ');
    const change = 'authorization_servers: the issuer exactly as the provider writes it, with its path';
    found({ step, level: 'fault', says: `the authorization server has no metadata: ${tried}`, change });
    throw new DiscoveryFailed();
  }
  const wrong = there.find(({ fields }) => fields?.issuer !== issuer);
  if (wrong !== undefined) {
    const says = `${wrong.url} says that its issuer is ${quote(wrong.fields?.issuer)}, not ${issuer}: clients reject it`;
    const change = `authorization_servers: ["${quote(wrong.fields?.issuer)}"], to the letter (a slash at the end counts), or the issuer of the provider`;
    found({ step, level: 'fault', says, change });
  } else {
    found({
      step,
      level: 'ok',
      says: `${issuer} has metadata at ${there.map(({ url }) => new URL(url).pathname).join(', ')}`,
    });
  }
  return { issuer, fields: document.fields, document };
}

/** Checks whether clients can get a token there. */
export function checkMetadata({ issuer, fields }: Issuer, wanted: readonly string[], found: OnFinding): void {
  const step = 'sign-in';
  const fault = (says: string, change: string): void => found({ step, level: 'fault', says, change });
  let isRight = true;
  for (const name of ['authorization_endpoint', 'token_endpoint']) {
    const value = fields[name];
    const problem = typeof value === 'string' ? urlProblem(value) : 'it is not there';
    if (problem === undefined) continue;
    isRight = false;
    fault(`the ${name} of ${issuer} can't be used: ${problem}`, `${name} in the metadata of the authorization server`);
  }
  if (!stringList(fields.code_challenge_methods_supported)?.includes('S256')) {
    isRight = false;
    const change = 'code_challenge_methods_supported: ["S256"] in the metadata of the authorization server';
    fault(`${issuer} does not say that it supports PKCE with S256: clients must reject it`, change);
  }
  const grants = stringList(fields.grant_types_supported);
  if (grants !== undefined && !grants.includes('authorization_code')) {
    isRight = false;
    fault(
      `${issuer} supports no sign-in: its grants are ${grants.join(', ')}`,
      'grant_types_supported: with "authorization_code"',
    );
  }
  checkScopes(fields, wanted, found);
  const byDocument = fields.client_id_metadata_document_supported === true;
  const byItself = typeof fields.registration_endpoint === 'string';
  if (!byDocument && !byItself) {
    const says = `${issuer} takes no clients that it does not know: neither by a document nor by registration`;
    const change =
      'client_id_metadata_document_supported or registration_endpoint; else give each client an id, here --client-id';
    found({ step, level: 'note', says, change });
  } else if (isRight) {
    const ways = [byDocument && 'by a document', byItself && 'by registration']
      .filter((way) => way !== false)
      .join(' and ');
    found({ step, level: 'ok', says: `PKCE with S256; clients become known ${ways}` });
  }
}

function checkScopes(fields: Fields, wanted: readonly string[], found: OnFinding): void {
  const known = stringList(fields.scopes_supported);
  const missing = known === undefined ? [] : wanted.filter((scope) => !known.includes(scope));
  if (missing.length === 0) return;
  const says = `the server wants the scope ${missing.join(' ')}, which its authorization server does not list`;
  const change = 'scopes_supported at the authorization server, or the scopes that the server asks for';
  found({ step: 'sign-in', level: 'note', says, change });
}

/** A key of a key set. */
export type Jwk = JsonWebKey & { kid?: string; alg?: string; use?: string };

/** Fetches the signing keys of an issuer, and reports their problems. */
export async function findKeys({ issuer, fields }: Issuer, found: OnFinding): Promise<Jwk[]> {
  const step = 'keys';
  const fault = (says: string, change: string): Jwk[] => {
    found({ step, level: 'fault', says, change });
    return [];
  };
  const { jwks_uri: url, introspection_endpoint: endpoint } = fields;
  if (typeof url !== 'string') {
    if (typeof endpoint !== 'string') {
      return fault(
        `${issuer} names neither keys nor a place to ask about tokens`,
        'jwks_uri, or introspection_endpoint',
      );
    }
    found({ step, level: 'note', says: `${issuer} has no keys: tokens are asked about at its introspection endpoint` });
    return [];
  }
  const unsafe = urlProblem(url);
  if (unsafe !== undefined) return fault(`its keys can't be fetched: ${unsafe}`, 'jwks_uri: an https URL');
  const { fields: set, problem } = await fetchDocument(url);
  if (set === undefined) return fault(`there are no keys at ${url}: ${problem}`, 'jwks_uri, or what is served there');
  if (!Array.isArray(set.keys))
    return fault(`${url} is no key set: it has no list of keys`, 'keys: a list, at jwks_uri');
  const keys = (set.keys as unknown[]).filter((key): key is Jwk => typeof key === 'object' && key !== null);
  const leaked = keys.find((key) => key.d !== undefined || key.kty === 'oct');
  if (leaked !== undefined) {
    const change = 'jwks_uri: publish the public halves only, and replace these keys at once';
    return fault(`${url} publishes a key that must be secret (${leaked.kid ?? 'without a name'})`, change);
  }
  const usable = keys.filter((key) => keyProblem(key) === undefined);
  if (usable.length === 0) {
    const reasons = [...new Set(keys.map((key) => keyProblem(key)))].join(', ') || 'there are none';
    return fault(`none of the keys at ${url} can check a signature: ${reasons}`, 'keys at jwks_uri');
  }
  if (usable.length > 1 && usable.some(({ kid }) => kid === undefined)) {
    const says = `${url} has several keys, and some without kid: servers must try them all, or reject`;
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
