import type { Server } from '@ccmcp/core';
import { type StdioConnection, type StdioOptions, takeStdio } from '@ccmcp/core/stdio';

/** The server of a file, with the options that the file gave to `serveStdio`. */
export interface LoadedServer {
  server: Server;
  options: StdioOptions;
}

/** Detects how a file serves, while it loads or soon after. */
export interface ServingDetector {
  /** The server that the file has handed to `serveStdio`. */
  offered: Promise<LoadedServer>;
  /** The file reads stdin: it serves by other means than ours. */
  reading: Promise<void>;
  stopListening(): void;
}

let isTaken = false;
let onOffer: (offered: LoadedServer) => void = () => {};
let onServed: (connection: StdioConnection) => void = () => {};

/** Sets the connection that the file's `serveStdio` returns. */
export function setServedConnection(connection: StdioConnection): void {
  onServed(connection);
}

/** Intercepts `serveStdio`, and detects whether stdin is read by other means. */
export function detectServing(): ServingDetector {
  if (!isTaken) interceptServeStdio();
  const offered = new Promise<LoadedServer>((resolve) => {
    onOffer = resolve;
  });
  let look: (event: string | symbol) => void = () => {};
  const reading = new Promise<void>((resolve) => {
    look = (event) => {
      if (event === 'data' || event === 'readable') resolve();
    };
  });
  process.stdin.on('newListener', look);
  return { offered, reading, stopListening: () => process.stdin.off('newListener', look) };
}

function interceptServeStdio(): void {
  isTaken = true;
  const served = new Promise<StdioConnection>((resolve) => {
    onServed = resolve;
  });
  const connection: StdioConnection = {
    closed: served.then(({ closed }) => closed),
    close: async (options) => (await served).close(options),
  };
  takeStdio((server, options) => {
    onOffer({ server, options });
    return connection;
  });
}
