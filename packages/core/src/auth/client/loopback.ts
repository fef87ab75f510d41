import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { AuthError } from '../auth-error.ts';
import { sha256Digest } from '../jwt.ts';
import { limits } from '../../limits.ts';

/** Options of `loopbackAuthorize`. */
export interface LoopbackOptions {
  /** Opens a URL for the user, for example in a browser. The URL is untrusted: never pass it through a shell. */
  open: (url: string) => Promise<void> | void;
  /** Where to listen. Default: a random port that is free when the user signs in. */
  port?: number;
  /** The time limit for the user. Default: 5 minutes. */
  timeoutMs?: number;
  /** Aborts the sign-in. */
  signal?: AbortSignal;
}

/** Lets a user sign in with a browser on this machine: listens on a loopback port for the redirect. */
export function loopbackAuthorize(options: LoopbackOptions): {
  redirectUrl: string;
  resolveRedirectUrl: () => Promise<string>;
  redirectFor: (issuer: string) => Promise<string>;
  authorize: (url: URL) => Promise<URL>;
} {
  const { open, timeoutMs = limits.clientAuth.signInMs.value, signal } = options;
  let { port = randomPort() } = options;
  const redirectUrl = (): string => `http://127.0.0.1:${port}/callback`;
  return {
    redirectUrl: redirectUrl(),
    async resolveRedirectUrl() {
      if (options.port === undefined) port = await findFreePort(port);
      return redirectUrl();
    },
    redirectFor: async (issuer) => `${redirectUrl()}/${await sha256Digest(issuer)}`,
    async authorize(url) {
      const { createServer } = await import('node:http');
      const server = createServer({ requestTimeout: 10_000 });
      let timer: NodeJS.Timeout | undefined;
      let abort = (): void => {};
      try {
        await listen(server, port);
        const { searchParams } = url;
        const place = searchParams.get('redirect_uri') ?? redirectUrl();
        const answer = waitForRedirect(server, { redirectUrl: place, state: searchParams.get('state') });
        const timeout = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new AuthError('refused', 'The user did not come back in time')), timeoutMs);
          abort = () => reject(new AuthError('refused', 'Signing in was given up'));
          if (signal?.aborted) abort();
          signal?.addEventListener('abort', abort, { once: true });
        });
        // The redirect may arrive before the browser reports that it has started.
        const opened = Promise.resolve(open(url.href)).then(() => answer);
        return await Promise.race([answer, opened, timeout]);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        server.close();
        server.closeIdleConnections();
      }
    },
  };
}

/** Waits for the redirect. Other requests do not know the state and get 404. */
function waitForRedirect(server: Server, expected: { redirectUrl: string; state: string | null }): Promise<URL> {
  return new Promise((resolve) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const url = readTarget(request.url ?? '', expected.redirectUrl);
      const known = request.method === 'GET' && url !== undefined && url.searchParams.get('state') === expected.state;
      response.writeHead(known ? 200 : 404, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        Connection: 'close',
      });
      response.end(known ? 'Done. You may close this window.' : 'Not found', () => {
        if (known) resolve(url);
      });
    });
  });
}

function readTarget(target: string, redirectUrl: string): URL | undefined {
  if (!target.startsWith('/') || !URL.canParse(target, redirectUrl)) return undefined;
  const url = new URL(target, redirectUrl);
  return `${url.origin}${url.pathname}` === redirectUrl ? url : undefined;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AuthError('unreachable', `Cannot listen on port ${port} for the user to come back`, { cause })),
    );
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

/** How many random ports are tried before the last one is used anyway. */
const maxAttempts = 20;

/** The given port if it is free, otherwise a random one that is. */
async function findFreePort(preferred: number): Promise<number> {
  let port = preferred;
  for (let attempt = 1; attempt < maxAttempts && !(await isFreePort(port)); attempt += 1) port = randomPort();
  return port;
}

async function isFreePort(port: number): Promise<boolean> {
  const { createServer } = await import('node:net');
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function randomPort(): number {
  const [random = 0] = crypto.getRandomValues(new Uint16Array(1));
  // Below the ephemeral port range, so that collisions are rare.
  return 20_000 + (random % 12_000);
}
