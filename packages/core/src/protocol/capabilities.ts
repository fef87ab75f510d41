import { isObject } from '../jsonrpc/message.ts';

/** The capabilities of a client. Unknown members are kept and ignored. */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean };
  sampling?: { context?: object; tools?: object };
  /** A bare `{}` means forms only. */
  elicitation?: { form?: object; url?: object };
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/** The capabilities of a server. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  prompts?: { listChanged?: boolean };
  completions?: object;
  logging?: object;
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/** True if the capabilities declare an extension. */
export function declares({ extensions }: { readonly extensions?: unknown }, id: string): boolean {
  return isObject(extensions) && Object.hasOwn(extensions, id) && isObject(extensions[id]);
}

/** True if an extension exists in an era; one without an era exists in both. */
export function isInEra({ era }: { readonly era?: Era | undefined }, asked: Era): boolean {
  return era === undefined || era === asked;
}

type Era = 'handshake' | 'stateless';

const label = '[a-z](?:[a-z0-9-]*[a-z0-9])?';
const name = '[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?';
const syntax = new RegExp(`^${label}(?:\\.${label})*/${name}$`, 'i');

/** Throws if an extension is a function that creates one, and was not called. */
export function checkIsNoMaker(extension: unknown): void {
  if (typeof extension !== 'function') return;
  const call = `${extension.name === '' ? 'it' : extension.name}()`;
  throw new TypeError(`There is a function among "extensions", and an extension is what it gives: write ${call}`);
}

/** Throws if an extension id is not `prefix/name`. */
export function checkExtensionId(id: unknown): void {
  if (typeof id === 'string' && syntax.test(id)) return;
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 100)) : String(id);
  throw new TypeError(
    `${shown} is no id of an extension: write a domain that you own, reversed, then a slash and a name, such as "com.example/tickets"`,
  );
}
