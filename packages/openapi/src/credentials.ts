import type { Auth } from '@ccmcp/core';
import type { HttpAuth } from '@ccmcp/core/client';
import { toBase64 } from './bytes.ts';
import type { Documents } from './documents.ts';
import { isObject, type JsonObject, memberOf, textOf } from './json.ts';
import { componentOf, type Operation, type Parameter } from './operations.ts';
import type { Credential, OpenApiOptions } from './options.ts';
import { encode, type Pair } from './serialize.ts';

/** What credentials add to a request. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
  /** The secrets in it, which no result may repeat. */
  readonly secrets: readonly string[];
  /** Asked when the request is rejected. */
  readonly auth: HttpAuth | undefined;
}

const nothing: Authorization = { headers: {}, query: [], cookies: [], secrets: [], auth: undefined };

/** Authorizes requests by the security schemes of a document. */
export class Authorizer {
  readonly #documents: Documents;
  readonly #auth: OpenApiOptions['auth'];

  constructor(documents: Documents, auth: OpenApiOptions['auth']) {
    this.#documents = documents;
    this.#auth = auth;
  }

  /** Whether a parameter carries a credential, which is never an argument. */
  readonly isCredential = ({ name, place }: Parameter): boolean => {
    const schemes = memberOf(memberOf(this.#documents.root.value, 'components'), 'securitySchemes');
    return Object.keys(isObject(schemes) ? schemes : {}).some((each) => {
      const scheme = this.#scheme(each);
      const isSame =
        place === 'header' ? String(scheme?.name).toLowerCase() === name.toLowerCase() : scheme?.name === name;
      return scheme?.type === 'apiKey' && scheme.in === place && isSame;
    });
  };

  /** The credentials of a caller for an operation: those of the first alternative of its security that is complete. */
  async authorize(operation: Operation, caller: Auth | undefined, url: string): Promise<Authorization> {
    const given = typeof this.#auth === 'function' ? await this.#auth(caller) : this.#auth;
    if (given === undefined) return nothing;
    if (isHttpAuth(given)) return this.#byHttpAuth(given, operation.method, url);
    const usable = operation.security.filter((names) => names.every((name) => Object.hasOwn(given, name)));
    // An alternative without schemes means that no credentials are needed; others are better.
    const names = usable.find((each) => each.length > 0) ?? [];
    const parts = await Promise.all(
      names.map(async (name) => {
        const credential = given[name] as Credential;
        if (isHttpAuth(credential)) return this.#byHttpAuth(credential, operation.method, url);
        return byScheme(this.#scheme(name) ?? {}, credential, name);
      }),
    );
    return {
      headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as Record<string, string>,
      query: parts.flatMap(({ query }) => query),
      cookies: parts.flatMap(({ cookies }) => cookies),
      secrets: parts.flatMap(({ secrets }) => secrets),
      auth: parts.find(({ auth }) => auth !== undefined)?.auth,
    };
  }

  async #byHttpAuth(auth: HttpAuth, method: string, url: string): Promise<Authorization> {
    const headers = await auth.headers({ url, method });
    return { ...nothing, headers, auth, secrets: Object.values(headers).map((value) => value.replace(/^\S+ /, '')) };
  }

  #scheme(name: string): JsonObject | undefined {
    try {
      return componentOf(this.#documents, 'securitySchemes', name)?.value;
    } catch {
      return undefined;
    }
  }
}

function isHttpAuth(value: unknown): value is HttpAuth {
  return (
    typeof memberOrMethod(value, 'headers') === 'function' &&
    typeof memberOrMethod(value, 'unauthorized') === 'function'
  );
}

function memberOrMethod(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
}

function byScheme(scheme: JsonObject, credential: Exclude<Credential, HttpAuth>, name: string): Authorization {
  const isBasic = scheme.type === 'http' && String(scheme.scheme).toLowerCase() === 'basic';
  if (typeof credential !== 'string' || isBasic) {
    const pair = typeof credential === 'string' ? credential : `${credential.username}:${credential.password}`;
    const token = toBase64(new TextEncoder().encode(pair));
    const password = pair.slice(pair.indexOf(':') + 1);
    return { ...nothing, headers: { authorization: `Basic ${token}` }, secrets: [token, pair, password] };
  }
  if (/[^\x21-\x7e]/.test(credential)) {
    throw new TypeError(`The credential of "${name}" has spaces, line breaks or letters that a header can't have`);
  }
  const secrets = [credential];
  if (scheme.type !== 'apiKey') return { ...nothing, headers: { authorization: `Bearer ${credential}` }, secrets };
  const key = textOf(scheme.name) ?? name;
  if (scheme.in === 'query') return { ...nothing, query: [[encode(key), encode(credential)]], secrets };
  if (scheme.in === 'cookie') return { ...nothing, cookies: [[encode(key), encode(credential)]], secrets };
  return { ...nothing, headers: { [key.toLowerCase()]: credential }, secrets };
}
