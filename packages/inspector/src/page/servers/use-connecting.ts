import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import type { Confirmation, Destination } from '../../shared/requests.ts';
import { ask } from '../model/api.ts';
import { useAsking } from '../parts/use-asking.ts';

/** What is to be connected to, and how. */
interface Wanted {
  readonly destination: Destination;
  readonly terms?: ConnectionTerms;
}

/** Connects to servers; where a program would be started, somebody has to see and confirm that first. */
export function useConnecting(onConnected: (connection: string) => void | Promise<void> = () => {}) {
  const [waiting, setWaiting] = useState<(Wanted & { readonly confirmation: Confirmation }) | undefined>();
  const asking = useAsking();
  const send = ({ destination, terms = {} }: Wanted, code?: string) =>
    asking.run(async () => {
      const given = await ask('connect', { ...destination, terms, ...(code !== undefined && { code }) });
      if ('confirm' in given) return setWaiting({ destination, terms, confirmation: given.confirm });
      setWaiting(undefined);
      await onConnected(given.connection);
    });
  return {
    busy: asking.busy,
    error: asking.error,
    confirmation: waiting?.confirmation,
    connect: (wanted: Wanted) => send(wanted),
    start: () => waiting && send(waiting, waiting.confirmation.code),
    cancel: () => setWaiting(undefined),
  };
}
