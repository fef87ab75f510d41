import type { Confirmation, Destination } from '../../shared/requests.ts';
import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { useAsking } from '../components/use-request.ts';

/** A command such that nobody takes it for another one: its words apart, and what can't be seen spelled out. */
export function shownCommand(words: readonly string[]): string {
  return words
    .map((word) => (isPlain.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`).replaceAll(unseen, spelled))
    .join(' ');
}

const isPlain = /^[^\s'"]+$/;
/** What turns a line around, breaks it, or is nothing to look at. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Shows what would be started, and asks whether it shall. */
export function ConfirmStart({
  confirmation: { command, cwd },
  busy,
  onStart,
  onCancel,
}: {
  confirmation: Confirmation;
  busy: boolean;
  onStart: () => void;
  onCancel: () => void;
}) {
  return (
    <div class="box note-box block" role="alertdialog" aria-label="Start a program?">
      <p>This starts a program on your machine, with your rights:</p>
      <pre>{shownCommand(command)}</pre>
      <p class="dim">
        in <code>{shownCommand([cwd])}</code>
      </p>
      <div class="line">
        <button type="button" class="button primary" disabled={busy} onClick={onStart} autofocus>
          Start it
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}

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
