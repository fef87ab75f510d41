import type { Connection } from '../../shared/connections.ts';
import type { Asks } from '../../shared/requests.ts';
import type { Path } from '../form/json.ts';
import { ask } from '../model/api.ts';

/** Asks the server what an argument may be completed to, if it offers that. */
export function completer(connection: Connection, ref: Asks<'complete'>['ref']) {
  return async (path: Path, text: string, others: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    if (connection.status.is !== 'connected' || !('completions' in (connection.server?.capabilities ?? {}))) return [];
    const name = String(path.at(-1));
    const { [name]: _, ...rest } = others;
    const context = Object.keys(rest).length === 0 ? {} : { context: { arguments: rest } };
    const { values } = await ask('complete', {
      connection: connection.id,
      ref,
      argument: { name, value: text },
      ...context,
    });
    return values;
  };
}
