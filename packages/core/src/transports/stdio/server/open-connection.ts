import { unref } from '../../../runtime/timers.ts';
import type { Engine } from '../../../server/engine.ts';
import type { connect, ConnectOptions } from './connect.ts';
import type { StreamConnection } from './connection.ts';
import { answerEarly } from './early-handshake.ts';

/** A client that calls as soon as it can has called by then. In milliseconds. */
const QUIET = 15;

let loaded: typeof connect | undefined;

/**
 * Opens a connection on stdio. A client waits for the answer to its handshake since it has started this process, so that
 * is answered first; what serves calls is loaded in the quiet moment after it, or when more comes.
 */
export function openConnection(engine: Engine, options: Omit<ConnectOptions, 'early'>): StreamConnection {
  if (loaded !== undefined) return loaded(engine, { ...options, early: undefined });
  let opening: Promise<StreamConnection> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let resolveClosed: () => void;
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  async function load(): Promise<StreamConnection> {
    clearTimeout(timer);
    ({ connect: loaded } = await import('./connect.ts'));
    return loaded(engine, { ...options, early });
  }

  function open(): Promise<StreamConnection> {
    if (opening !== undefined) return opening;
    opening = load();
    opening
      .then((connection) => connection.closed)
      .catch((error: unknown) => {
        engine.reportError('The server could not be loaded', error);
        process.exitCode = 1;
      })
      .finally(resolveClosed);
    return opening;
  }

  /** Does something with the connection; whether it can be opened is not said here. */
  function withConnection(action: (connection: StreamConnection) => unknown): void {
    open().then(action, () => {});
  }

  const early = answerEarly(engine, {
    ...options,
    onMore: () => void open(),
    onAnswered() {
      timer = unref(setTimeout(() => void open(), QUIET));
    },
  });
  return {
    closed,
    close(closing) {
      withConnection((connection) => connection.close(closing));
      return closed;
    },
    shortenGrace: (graceMs) => withConnection((connection) => connection.shortenGrace(graceMs)),
  };
}
