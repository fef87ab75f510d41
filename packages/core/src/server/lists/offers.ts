import { isObject } from '../../jsonrpc/message.ts';
import type { Call } from '../call/call.ts';
import type { EngineState } from '../engine-state.ts';
import { findResource, findCompletable } from '../methods/resources/find.ts';

/** A server, and the prefix under which another one shows the names of its tools and prompts. */
export interface PrefixedServer {
  readonly server: EngineState;
  readonly prefix: string;
}

/** True if a server offers what a call names; false for calls that name nothing. */
export function offers({ server, prefix }: PrefixedServer, { host, method, params, peer }: Call): boolean {
  const hasNamed = (registry: { has(name: string): boolean }, name: unknown): boolean =>
    typeof name === 'string' && name.startsWith(prefix) && registry.has(name.slice(prefix.length));
  switch (host.methods.of(method).belongsTo) {
    case 'tool':
      return hasNamed(server.catalog.tools, params.name);
    case 'prompt':
      return hasNamed(server.catalog.prompts, params.name);
    case 'resource':
      return typeof params.uri === 'string' && findResource({ server, peer }, params.uri) !== undefined;
    case 'reference': {
      const { ref } = params;
      if (!isObject(ref)) return false;
      if (ref.type === 'ref/prompt') return hasNamed(server.catalog.prompts, ref.name);
      return typeof ref.uri === 'string' && findCompletable({ server, peer }, ref.uri) !== undefined;
    }
    default:
      return false;
  }
}
