import { useEffect, useState } from 'preact/hooks';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import { isRecord } from '../form/json.ts';
import { fetchJson } from '../model/api.ts';
import type { Call } from '../model/app-state.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a call of a tool, once they are there whole. */
export function useToolArguments({ start }: Call): Arguments | undefined {
  const [args, setArgs] = useState<Arguments | undefined>();
  useEffect(() => {
    const take = (params: unknown) => {
      const given = isRecord(params) ? params.arguments : undefined;
      setArgs(isRecord(given) ? given : {});
    };
    if (!start.cut) take(JSON.parse(start.params));
    else
      fetchJson<FullCall>(apiPaths.call(start.call)).then(
        ({ params }) => take(params),
        // What is not known any more, or was too long for the recording, can't be told.
        () => {},
      );
  }, [start.call]);
  return args;
}
