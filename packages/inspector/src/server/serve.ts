import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@ccmcp/core';
import { type Inspector, inspector, type InspectorOptions } from './inspector.ts';

/** Options of `serveInspector`. */
export interface ServeInspectorOptions extends InspectorOptions {
  /** Default: 0, a free port. */
  port?: number;
}

/** A running inspector. */
export interface InspectorService {
  /** URL to open, with the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an inspector on loopback. */
export async function serveInspector({ port = 0, ...options }: ServeInspectorOptions = {}): Promise<InspectorService> {
  let served: Inspector | undefined;
  const maxHeaderSize = limits.inspector.headers.value;
  const http = createServer({ maxHeaderSize }, (request, response) => served?.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', () => resolve());
  });
  try {
    served = inspector(options);
  } catch (error) {
    http.close();
    throw error;
  }
  const { token, close } = served;
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/#token=${token}`,
    async close() {
      http.close();
      http.closeAllConnections();
      await close();
    },
  };
}
