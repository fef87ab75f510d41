import { didYouMean } from '../command/suggest.ts';
import type { Client, Scope } from './client.ts';
import { clients } from './clients.ts';
import { UsageError } from '../command/usage-error.ts';

/** A client with the id that the user typed. */
export interface NamedClient {
  id: string;
  client: Client;
}

/** Finds a client by its name. */
export function findClient(id: string | undefined): NamedClient {
  const names = Object.keys(clients).join(', ');
  if (id === undefined) throw new UsageError(`name a client: ${names}`);
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  if (client === undefined)
    throw new UsageError(`unknown client: ${id}; there are ${names}.${didYouMean(id, Object.keys(clients))}`);
  return { id, client };
}

/** The scope that was asked for, or the widest that the client knows. */
export function resolveScope({ title, files }: Client, given: string | undefined): Scope {
  const known = Object.keys(files) as Scope[];
  const scope = known.find((each) => each === (given ?? 'user'));
  if (scope !== undefined) return scope;
  if (given !== 'user' && given !== 'project') throw new UsageError(`--scope must be user or project: ${given}`);
  throw new UsageError(`${title} has no ${given} scope, only ${known.join(' and ')}`);
}
