import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { Server } from '../../../../server/server.ts';
import { isLoopback } from '../listener/address.ts';

/** An inspector that is mounted in a server. */
export interface MountedInspector {
  /** Serves a request whose path begins with `base`. */
  handle(request: IncomingMessage, response: ServerResponse, base: string): void;
  close(): Promise<void>;
}

/** The server that an inspector is mounted in, and its settings. */
export interface InspectorPlace {
  /** The address of the server's endpoint. */
  readonly url: string;
  /** The settings for the page. */
  readonly token: string;
}

/** Creates an inspector of a server, when it is first opened. */
export type MakeInspector = (server: Server, place: InspectorPlace) => Awaitable<MountedInspector>;

/** Where the inspector is, below the address of the service. */
const base = '/inspect/';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Where the inspector is mounted in a service; its modules are loaded at the first request. */
export interface InspectorMount {
  /** Serves requests for the inspector, and leaves others to the handler. */
  wrap(handle: Handle): Handle;
  /** The address to be opened, once that of the endpoint is known. */
  open(url: string): string;
  close(): Promise<void>;
}

/** Mounts an inspector beside an endpoint that only this machine reaches. */
export function mountInspector(server: Server, wish: true | MakeInspector, host: string): InspectorMount {
  if (!isLoopback(host)) {
    throw new Error(
      `The inspector is for this machine only, and ${host} is reachable from other machines: leave "inspector" out`,
    );
  }
  const make = wish === true ? installed : wish;
  const token = newToken();
  let endpoint = '';
  let made: Promise<MountedInspector> | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      made ??= Promise.resolve(make(server, { url: endpoint, token }));
      (await made).handle(request, response, base);
    } catch (error) {
      made = undefined;
      const text = error instanceof Error ? error.message : String(error);
      response.writeHead(501, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
      response.end(`${text}\n`);
    }
  }

  return {
    wrap: (handle) => (request, response) => {
      const { url = '' } = request;
      if (url.startsWith(base) || url === '/inspect' || url.startsWith('/inspect?')) void serve(request, response);
      else handle(request, response);
    },
    open(url) {
      endpoint = url;
      return `${new URL(url).origin}${base}#token=${token}`;
    },
    async close() {
      await (await made?.catch(() => undefined))?.close();
    },
  };
}

/** The inspector package, if it is installed: it depends on this package, not vice versa. */
async function installed(server: Server, place: InspectorPlace): Promise<MountedInspector> {
  const name = '@ccmcp/inspector';
  const { mountedInspector } = (await import(name).catch((cause: unknown) => {
    throw new Error('The inspector is not installed: npm install --save-dev @ccmcp/inspector', { cause });
  })) as { mountedInspector: MakeInspector };
  return mountedInspector(server, place);
}

function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex');
}
