import type { Connection } from '../../shared/connections.ts';
import type { RequestBody } from '../../shared/requests.ts';
import type { Path } from '../form/json.ts';
import { request } from '../model/api.ts';

/** Requests completions of an argument, if the server supports them. */
export function createCompleter(connection: Connection, ref: RequestBody<'complete'>['ref']) {
  return async (path: Path, text: string, others: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    if (connection.status.is !== 'connected' || !('completions' in (connection.server?.capabilities ?? {}))) return [];
    const name = String(path.at(-1));
    const { [name]: _, ...rest } = others;
    const context = Object.keys(rest).length === 0 ? {} : { context: { arguments: rest } };
    const { values } = await request('complete', {
      connection: connection.id,
      ref,
      argument: { name, value: text },
      ...context,
    });
    return values;
  };
}
