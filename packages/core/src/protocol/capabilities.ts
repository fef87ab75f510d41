import { isObject } from '../jsonrpc/message.ts';

/** What a client can do for a server. An open set: unknown members are kept and ignored. */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean };
  sampling?: { context?: object; tools?: object };
  /** A bare `{}` means forms only. */
  elicitation?: { form?: object; url?: object };
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/** What a server offers. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  prompts?: { listChanged?: boolean };
  completions?: object;
  logging?: object;
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/** True where one side has declared an extension. */
export function declares({ extensions }: { readonly extensions?: unknown }, id: string): boolean {
  return isObject(extensions) && Object.hasOwn(extensions, id) && isObject(extensions[id]);
}

/** True where an era has an extension: one that names no era is in both. */
export function isInEra({ era }: { readonly era?: Era | undefined }, asked: Era): boolean {
  return era === undefined || era === asked;
}

type Era = 'handshake' | 'stateless';
