import { useState } from 'preact/hooks';
import type { ConnectionSettings } from '../../shared/connections.ts';
import type { Confirmation, Destination } from '../../shared/requests.ts';
import { Button } from '../components/controls.tsx';
import { useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';

/** Formats a command unambiguously: quoted words, escaped invisible characters. */
export function formatCommand(words: readonly string[]): string {
  return words
    .map((word) =>
      (plainWord.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`).replaceAll(invisible, escapeCharacter),
    )
    .join(' ');
}

const plainWord = /^[^\s'"]+$/;
/** Control, bidi and other invisible characters. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Asks the user to confirm starting a program. */
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
      <p>This starts a program on your machine, with your permissions:</p>
      <pre>{formatCommand(command)}</pre>
      <p class="dim">
        in <code>{formatCommand([cwd])}</code>
      </p>
      <div class="line">
        <Button isPrimary disabled={busy} onClick={onStart} autofocus>
          Start it
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

/** Options of `useConnect`. */
interface ConnectOptions {
  readonly settings?: ConnectionSettings;
  readonly onConnected?: (connection: string) => void | Promise<void>;
}

/** Connects to servers; starting a program needs a confirmation first. */
export function useConnect({ settings = {}, onConnected }: ConnectOptions = {}) {
  const [waiting, setWaiting] = useState<{ destination: Destination; confirmation: Confirmation } | undefined>();
  const pending = useRequest();
  const send = (destination: Destination, code?: string) =>
    pending.run(async () => {
      const given = await request('connect', { ...destination, settings, ...(code !== undefined && { code }) });
      if ('confirm' in given) return setWaiting({ destination, confirmation: given.confirm });
      setWaiting(undefined);
      await onConnected?.(given.connection);
    });
  return {
    busy: pending.busy,
    error: pending.error,
    confirmation: waiting?.confirmation,
    connect: (destination: Destination) => send(destination),
    start: () => waiting && send(waiting.destination, waiting.confirmation.code),
    cancel: () => setWaiting(undefined),
  };
}
