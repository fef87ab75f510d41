import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inspector } from '@ccmcp/inspector';
import { openBrowser } from '../client/browser.ts';
import { Failure } from '../client/failure.ts';
import type { Words } from '../client/options.ts';
import type { Output } from '../client/output.ts';
import { listenError } from '../listen-error.ts';
import { wantedModel } from './model.ts';
import { lastServers } from './last-servers.ts';
import { offeredTargets, resolveTyped, worthKeeping } from './targets.ts';

/** What the command line says, and what the command runs with. */
interface Inspecting {
  words: Words;
  output: Output;
  signal: AbortSignal;
}

/** Serves the inspector until it is interrupted, and opens it in a browser. */
export async function inspect({ words, output, signal }: Inspecting): Promise<number> {
  const { options } = words;
  const model = wantedModel(options.model);
  const last = lastServers();
  const targets = await offeredTargets(words, last);
  const token = randomBytes(24).toString('base64url');
  const make = async (): Promise<Inspector> => {
    const { inspector } = await import('@ccmcp/inspector');
    return inspector({
      token,
      targets,
      resolveTarget: (typed) => resolveTyped(typed, options),
      remember: (typed) => void last.add(typed),
      ...(model !== undefined && { model }),
    });
  };
  let ready: (inspector: Inspector) => void = () => {};
  const made = new Promise<Inspector>((resolve) => {
    ready = resolve;
  });
  const http = createServer((request, response) => void made.then(({ handle }) => handle(request, response)));
  const url = `http://127.0.0.1:${await listen(http, options.port ?? 0)}/#token=${token}`;
  // A browser takes longer to start than the inspector does: it is opened first, unless it has yet to be seen whether the model will do.
  const early = model === undefined ? undefined : await make().catch((error: unknown) => refused(http, error));
  output.value({ url }, () => `The inspector is at ${url}\nIt ends with Ctrl C.`);
  if (options.opens) openBrowser(url);
  const served = early ?? (await make());
  ready(served);
  for (const typed of worthKeeping(words).toReversed()) await last.add(typed);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  http.close();
  http.closeAllConnections();
  await served.close();
  return 0;
}

async function listen(http: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => {
      reject(new Failure('usage', (listenError(error, undefined) ?? error).message, { cause: error }));
    });
    http.listen(port, '127.0.0.1', () => resolve());
  });
  return (http.address() as AddressInfo).port;
}

function refused(http: Server, error: unknown): never {
  http.close();
  const { message, advice: hint } = error as Error & { advice?: string };
  throw new Failure('usage', message, { hint, cause: error });
}
