import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@ccmcp/core';
import { type Inspector, inspector, type InspectorOptions } from './inspector.ts';

/** Where an inspector listens. */
export interface ServeInspectorOptions extends InspectorOptions {
  /** Default: 0, a free one. */
  port?: number;
}

/** An inspector that is being served. */
export interface InspectorService {
  /** The address to be opened, with the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an inspector on this machine, at an address of its own. */
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
