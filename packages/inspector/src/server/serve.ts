import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import { type Inspector, inspector, type InspectorOptions } from './inspector.ts';
import type { OfferedTarget } from './targets.ts';

/** Maximum size of request headers: browsers send the cookies of all ports of this machine. */
const maxHeaders = 256 * 1024;

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
  const maxHeaderSize = maxHeaders;
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

/** Creates the inspector of a server in this process, for the `inspector` option of `serveHttp`. */
export function mountedInspector(
  server: Server,
  { url, token }: InspectorPlace,
  options: Pick<InspectorOptions, 'folder' | 'resolveTarget' | 'remember' | 'pageSettings' | 'model'> & {
    targets?: readonly OfferedTarget[];
  } = {},
): MountedInspector {
  const { name } = server.info;
  const { targets = [], ...others } = options;
  const own: OfferedTarget[] = [
    {
      label: name,
      kind: 'own',
      origin: 'mounted',
      resolve: async () => ({ kind: 'own', server, label: name, address: url }),
    },
    {
      label: url,
      kind: 'url',
      origin: 'configured',
      detail: 'the same over HTTP',
      resolve: async () => ({ kind: 'url', url, label: url }),
    },
  ];
  return inspector({ ...others, token, mounted: true, watched: server, targets: [...own, ...targets] });
}
