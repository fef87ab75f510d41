import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

/**
 * Tells of every file that a versioned module imports by path, and gives those the same version, so that they are
 * loaded anew together with it. Packages are left as they are.
 */
export function followImports(tell: (path: string) => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (url: string) => tell(fileURLToPath(url)));
  port1.unref();
  const options = { data: { port: port2 }, transferList: [port2] };
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, options);
}

/** Runs in a thread of Node's own, which loads it by itself: hence a text. */
const hooks = `
let port;

export function initialize(data) {
  port = data.port;
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const { parentURL = '' } = context;
  const version = parentURL.startsWith('file:') ? new URL(parentURL).searchParams.get('ccmcp') : null;
  if (version === null || !/^(\\.|\\/|file:)/.test(specifier) || !resolved.url.startsWith('file:')) return resolved;
  const url = new URL(resolved.url);
  port.postMessage(url.href);
  url.searchParams.set('ccmcp', version);
  return { ...resolved, url: url.href };
}
`;
