import { brief } from '../../../../jsonrpc/errors.ts';
import { wants } from '../../../../server/observe/log.ts';
import type { Engine } from '../../../../server/engine.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { HttpRequest } from '../bindings/binding.ts';
import type { Route } from './endpoint.ts';

/**
 * Finds what is served at the path of a request: the whole path, or what is left of it below the place where a framework
 * has mounted the handler. That place itself is the endpoint.
 */
export function findRoute(routes: ReadonlyMap<string, Route>, http: HttpRequest): Route | undefined {
  const { path } = http;
  const found = routes.get(path);
  if (found !== undefined) return found;
  const { mount } = http;
  if (mount === '') return undefined;
  const rest = path.slice(mount.length);
  if (rest !== '') return routes.get(rest);
  const [endpoint] = routes.values();
  return endpoint;
}

/** What decides how a request is refused that came to a path where nothing is. */
export interface NowhereOptions {
  server: Pick<Engine, 'logger' | 'info'>;
  /** The path of the endpoint. */
  path: string;
  /** Nobody said what the path is, so the handler may well be mounted elsewhere. */
  assumed: boolean;
}

/** Refuses requests to paths where nothing is. Where the handler may be misplaced, it says what to set; the log says so once. */
export function createNowhere({ server, path, assumed }: NowhereOptions): (http: HttpRequest) => Refusal {
  let told = !assumed;
  return (http) => {
    const message = `Not found: the endpoint is ${path}`;
    if (!assumed || http.method !== 'POST') return { status: 404, message };
    const remedy = `If the handler is mounted at this path, give httpHandler the option { path: ${JSON.stringify(brief(http.path))} }`;
    if (!told && wants(server.logger, 'warning')) {
      const data = `A request came to ${brief(http.path)}, and the endpoint is ${path}. ${remedy}`;
      server.logger.write({ level: 'warning', logger: server.info.name, data });
    }
    told = true;
    return { status: 404, message: `${message}. ${remedy}` };
  };
}
