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
