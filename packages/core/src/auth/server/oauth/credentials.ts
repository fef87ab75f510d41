import { limits } from '../../../limits.ts';
import type { Scheme } from './refusals.ts';

/** A token, and how it was sent. */
export interface Credentials {
  readonly scheme: Scheme;
  readonly token: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);
const form = /^([!#$%&'*+.^_`|~\w-]+) +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * Reads the header `Authorization`: undefined where it is not there, or is of another scheme. Two of them come joined by a
 * comma, which is no form of one.
 */
export function readCredentials(header: string | undefined): Credentials | 'malformed' | undefined {
  if (header === undefined) return undefined;
  const [, name = '', token = ''] = form.exec(header) ?? [];
  if (token === '' || token.length > limits.oauth.token.value) return 'malformed';
  const scheme = schemes.get(name.toLowerCase());
  return scheme === undefined ? undefined : { scheme, token };
}
