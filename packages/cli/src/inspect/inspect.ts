import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, statSync } from 'node:fs';
import type { Inspector, ModelOptions } from '@ccmcp/inspector';
import { Failure } from '../command/failure.ts';
import type { CommandCall } from '../client/context.ts';
import { listenError } from '../system/listen-error.ts';
import { namedTargets } from './inspector-target.ts';
import type { ModelArguments } from '../client/options.ts';

/**
 * Serves the inspector until it is interrupted, and opens it in a browser. A browser starts more slowly than the
 * inspector, so it is opened first, unless the model has to be checked before.
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
  const early = model === undefined ? undefined : await make().catch((error: unknown) => closeAndFail(http, error));
  output.value({ url }, () => `The inspector is at ${url}\nCtrl+C stops it.`);
  if (options.opens) (await import('../system/open-browser.ts')).openBrowser(url);
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

function closeAndFail(http: Server, error: unknown): never {
  http.close();
  const { message, advice: hint } = error as Error & { advice?: string };
  throw new Failure('usage', message, { hint, cause: error });
}

/** The maximum size of a key file. */
const maxKeyBytes = 65_536;

/** The model that a command line names for the inspector, with its key; undefined if it names none. */
export function resolveModel({ name, service, url, keyEnv, keyFile }: ModelArguments): ModelOptions | undefined {
  if (name === undefined) {
    const others = {
      '--model-service': service,
      '--model-url': url,
      '--model-key-env': keyEnv,
      '--model-key-file': keyFile,
    };
    const [stray] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
    if (stray !== undefined) throw new Failure('usage', `${stray} is for a model, which --model NAME names`);
    return undefined;
  }
  if (keyEnv !== undefined && keyFile !== undefined) {
    throw new Failure('usage', 'There is one key: --model-key-env or --model-key-file');
  }
  const key = keyEnv === undefined ? keyFile && keyInFile(keyFile) : keyInVariable(keyEnv);
  return {
    model: name,
    service: service ?? (/^claude/i.test(name) ? 'anthropic' : 'openai'),
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
  };
}

function keyInVariable(variable: string): string {
  const key = process.env[variable]?.trim() ?? '';
  // The value may be the key itself: it must not appear in an error.
  if (!/^[A-Za-z_]\w*$/.test(variable)) throw new Failure('usage', '--model-key-env takes the name of a variable');
  if (key === '') throw new Failure('usage', `--model-key-env: there is no variable ${variable}, or nothing in it`);
  return key;
}

function keyInFile(file: string): string {
  let key: string;
  try {
    if (statSync(file).size > maxKeyBytes) throw new Error('it is longer than any key');
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Failure('usage', `--model-key-file: ${file} can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (key === '') throw new Failure('usage', `--model-key-file: there is nothing in ${file}`);
  return key;
}
