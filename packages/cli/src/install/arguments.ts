import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from '../command/suggest.ts';
import type { Client, Scope } from './client.ts';
import { optionMisuse } from '../command/usage-error.ts';
import { clients } from './clients.ts';
import { Misuse } from '../command/usage-error.ts';

/** A client, by the name that somebody gave it. */
export interface NamedClient {
  id: string;
  client: Client;
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads options and names; what follows `--` is handed on as it is. */
export function readArguments<T extends Options>(args: readonly string[], options: T) {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const passed = end === -1 ? [] : args.slice(end + 1);
  try {
    const { values, positionals } = parseArgs({ args: [...own], options, allowPositionals: true });
    return { values, positionals, passed };
  } catch (error) {
    throw optionMisuse(error as Error, Object.keys(options));
  }
}

/** Finds a client by its name. */
export function clientNamed(id: string | undefined): NamedClient {
  const names = Object.keys(clients).join(', ');
  if (id === undefined) throw new Misuse(`name a client: ${names}`);
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
  if (client === undefined)
    throw new Misuse(`unknown client: ${id}; there are ${names}.${didYouMean(id, Object.keys(clients))}`);
  return { id, client };
}

/** The scope that was asked for, or the widest that the client knows. */
export function scopeOf({ title, files }: Client, given: string | undefined): Scope {
  const known = Object.keys(files) as Scope[];
  const scope = known.find((each) => each === (given ?? 'user'));
  if (scope !== undefined) return scope;
  if (given !== 'user' && given !== 'project') throw new Misuse(`--scope must be user or project: ${given}`);
  throw new Misuse(`${title} has no ${given} scope, only ${known.join(' and ')}`);
}
