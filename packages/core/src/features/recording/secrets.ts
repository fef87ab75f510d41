import { isSecretName, mask, maskText } from '../audit/redact.ts';

/** Headers as sent, in order; secrets masked. */
export type MaskedHeaders = readonly (readonly [name: string, value: string])[];

/** OAuth parameters that are credentials, in addition to secret-sounding names. */
const oauthSecrets = new Set([
  'code',
  'code_verifier',
  'assertion',
  'subject_token',
  'actor_token',
  'state',
  'user_code',
]);

/** Secret-sounding names that are not secret. */
const notSecret = new Set([
  'token_type',
  'token_endpoint',
  'authorization_endpoint',
  'token_endpoint_auth_method',
  'grant_type',
  'response_type',
  'authorization_servers',
  'authorization_server',
  'bearer_methods_supported',
  'client_id',
]);

function isSecret(name: string): boolean {
  const plain = name.toLowerCase();
  if (notSecret.has(plain) || /_(?:endpoint|supported|method|methods|alg|expires_at|expires_in|uri)$/.test(plain))
    return false;
  return oauthSecrets.has(plain) || isSecretName(name);
}

/** Masks credentials in headers; the authentication scheme stays. */
export function maskHeaders(headers: Iterable<readonly [string, string]>): MaskedHeaders {
  return Array.from(headers, ([name, value]) => [name, maskHeader(name, value)] as const);
}

function maskHeader(name: string, value: string): string {
  const plain = name.toLowerCase();
  if (plain === 'www-authenticate' || plain === 'proxy-authenticate') return value;
  if (plain === 'authorization' || plain === 'proxy-authorization') {
    const [, scheme] = /^([A-Za-z][\w-]*) /.exec(value) ?? [];
    return scheme === undefined ? mask : `${scheme} ${mask}`;
  }
  if (plain === 'cookie' || plain === 'set-cookie') {
    return value.replaceAll(/(^|; ?)([^=;]+)=[^;]*/g, (part, before: string, cookie: string) =>
      isAttribute(cookie) ? part : `${before}${cookie}=${mask}`,
    );
  }
  if (plain === 'location' || plain === 'referer') return maskUrl(value);
  if (plain === 'dpop' || plain === 'mcp-session-id' || isSecret(plain)) return mask;
  return maskText(value);
}

function isAttribute(name: string): boolean {
  return /^(?:path|domain|expires|max-age|samesite)$/i.test(name.trim());
}

/** Masks passwords and secret query values in a URL. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) {
    const [, path, query] = /^([^?]*\?)(.*)$/s.exec(text) ?? [];
    return query === undefined ? maskText(text) : `${path}${maskForm(query)}`;
  }
  const url = new URL(text);
  if (url.password !== '') url.password = 'masked';
  // Some services accept a token as the user name.
  else if (url.username !== '') url.username = 'masked';
  for (const name of new Set(url.searchParams.keys())) if (isSecret(name)) url.searchParams.set(name, mask);
  if (url.hash.includes('=')) url.hash = maskForm(url.hash.slice(1));
  return url.href.replaceAll('%5Bmasked%5D', mask);
}

/** Masks secrets in the label of a target. */
export function maskLabel(label: string): string {
  if (!/^https?:/i.test(label) || !URL.canParse(label)) return maskText(label);
  const shown = maskUrl(label);
  return shown === new URL(label).href ? label : shown;
}

/** Masks credentials in an OAuth body, form or JSON. */
export function maskBody(text: string): string {
  const start = text.trimStart()[0];
  if (start === '{' || start === '[') {
    try {
      return JSON.stringify(maskValue(JSON.parse(text)));
    } catch {
      return maskText(text);
    }
  }
  return /^[\w.~%+-]+=/.test(text) ? maskForm(text) : maskText(text);
}

function maskForm(text: string): string {
  const form = new URLSearchParams(text);
  for (const name of new Set(form.keys())) if (isSecret(name)) form.set(name, mask);
  return form.toString().replaceAll('%5Bmasked%5D', mask);
}

function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' && isSecret(name) ? mask : maskValue(part),
    ]),
  );
}

/** Names of the protocol that sound secret. */
const protocolNames: ReadonlySet<string> = new Set(['progressToken']);

/** Masks secrets in a message: texts that look like one, and texts whose name sounds like one. Throws if it is nested too deeply. */
export function maskMessage(value: unknown, isNamedSecret = false): unknown {
  if (typeof value === 'string') return isNamedSecret ? mask : maskText(value);
  if (Array.isArray(value)) return value.map((each) => maskMessage(each, isNamedSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      maskMessage(part, isSecretName(name) && !protocolNames.has(name)),
    ]),
  );
}
