import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inspector } from '@ccmcp/inspector';
import { Failure } from '../command/failure.ts';
import type { CommandCall } from '../client/context.ts';
import { listenError } from '../serve/listen-error.ts';
import { namedTargets } from './inspector-target.ts';
import { resolveModel } from './model.ts';

/**
 * Serves the inspector until it is interrupted, and opens it in a browser. A browser takes longer to start than the inspector does: it
 * is opened before that is loaded, unless it has yet to be seen whether the model will do.
 */
export async function inspect({ words, output, signal }: CommandCall): Promise<number> {
  const { options } = words;
  const model = resolveModel(options.model);
  const given = await namedTargets(words);
  const token = randomBytes(24).toString('hex');
  const make = async (): Promise<Inspector> =>
    (await import('./create-inspector.ts')).createInspector({ words, given, token, model });
  let ready: (inspector: Inspector) => void = () => {};
  const made = new Promise<Inspector>((resolve) => {
    ready = resolve;
  });
  const http = createServer((request, response) => void made.then(({ handle }) => handle(request, response)));
  const url = `http://127.0.0.1:${await listen(http, options.port ?? 0)}/#token=${token}`;
  const early = model === undefined ? undefined : await make().catch((error: unknown) => refused(http, error));
  output.value({ url }, () => `The inspector is at ${url}\nCtrl+C stops it.`);
  if (options.opens) (await import('../util/open-browser.ts')).openBrowser(url);
  const served = early ?? (await make());
  ready(served);
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
      reject(new Failure('usage', (listenError(error, { flag: '--port' }) ?? error).message, { cause: error }));
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
