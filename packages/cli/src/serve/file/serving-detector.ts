import type { Server } from '@ccmcp/core';
import { type StdioConnection, type StdioOptions, takeStdio } from '@ccmcp/core/stdio';

/** A server of a file, and how the file wanted to serve it on stdio. */
export interface LoadedServer {
  server: Server;
  options: StdioOptions;
}

/** What a file serves while it is loaded, or soon after. */
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

/** Says on which connection the file's server is served in the end. */
export function setServedConnection(connection: StdioConnection): void {
  onServed(connection);
}

/** Takes over `serveStdio` for as long as the process lives, and notices whether stdin is read by other means. */
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
