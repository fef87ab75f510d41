import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import type { Confirmation, Destination } from '../../shared/requests.ts';
import { ask } from '../model/api.ts';
import { useAsking } from '../parts/use-asking.ts';

/** How servers are connected to, and what comes after that. */
interface Connecting {
  readonly terms?: ConnectionTerms;
  readonly onConnected?: (connection: string) => void | Promise<void>;
}

/** Connects to servers; where a program would be started, somebody has to see and confirm that first. */
export function useConnecting({ terms = {}, onConnected }: Connecting = {}) {
  const [waiting, setWaiting] = useState<{ destination: Destination; confirmation: Confirmation } | undefined>();
  const asking = useAsking();
  const send = (destination: Destination, code?: string) =>
    asking.run(async () => {
      const given = await ask('connect', { ...destination, terms, ...(code !== undefined && { code }) });
      if ('confirm' in given) return setWaiting({ destination, confirmation: given.confirm });
      setWaiting(undefined);
      await onConnected?.(given.connection);
    });
  return {
    busy: asking.busy,
    error: asking.error,
    confirmation: waiting?.confirmation,
    connect: (destination: Destination) => send(destination),
    start: () => waiting && send(waiting.destination, waiting.confirmation.code),
    cancel: () => setWaiting(undefined),
  };
}
