import { DocumentError, quote } from './document-error.ts';
import type { Documents } from './documents.ts';
import { isObject, type JsonObject, memberOf } from './json.ts';
import type { Operation } from './operations.ts';
import type { OpenApiOptions } from './options.ts';

/** The URL below which the paths of an operation are, without a slash at its end. Throws a `DocumentError` if there is none. */
export function baseUrlOf(
  { servers }: Operation,
  documents: Documents,
  { baseUrl, serverVariables = {} }: Pick<OpenApiOptions, 'baseUrl' | 'serverVariables'>,
): string {
  const [server] = servers;
  const template = baseUrl === undefined ? serverTemplate(server, serverVariables) : String(baseUrl);
  const address = documents.address;
  const url = URL.canParse(template, address) ? new URL(template, address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new DocumentError(
      `the URL of its server, ${quote(template)}, is none for requests: give the option "baseUrl"`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new DocumentError('the URL of its server has a user or a password: leave them out, and use "auth"');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The URL of a server with the values of its variables. */
function serverTemplate(server: JsonObject | undefined, given: Readonly<Record<string, string>>): string {
  const url = typeof server?.url === 'string' ? server.url : '/';
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = memberOf(server?.variables, name);
    const fallback = isObject(variable) && typeof variable.default === 'string' ? variable.default : whole;
    return Object.hasOwn(given, name) ? (given[name] as string) : fallback;
  });
}
