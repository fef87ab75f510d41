import { brief } from '../../../../jsonrpc/errors.ts';
import { isEnabled } from '../../../../server/log/log.ts';
import type { Engine } from '../../../../server/engine.ts';
import { reject, type Rejection, unavailable } from '../answer/reject.ts';
import type { HttpRequest } from '../bindings/binding.ts';
import type { Handler, Step } from './step.ts';

/** The HTTP methods that are served. */
export type HttpMethod = 'POST' | 'GET' | 'DELETE';

/** The handlers of a path by HTTP method. */
export type Route = Partial<Record<HttpMethod, Handler>>;

/** The routes of an endpoint by path; the first is the endpoint's own. */
export type Routes = ReadonlyMap<string, Route>;

/** The message of a 404. */
export interface NotFoundOptions {
  server: Pick<Engine, 'logger' | 'info'>;
  /** The path of the endpoint. */
  path: string;
  /** No path was configured, so the handler may be mounted elsewhere. */
  assumed: boolean;
}

/** Answers 404 where a path has no route. */
export function checkPath(routes: Routes, options: NotFoundOptions): Step {
  const notFound = createNotFound(options);
  return (next) => (context) => {
    const { http } = context;
    if (!routes.has(http.path) && findRoute(routes, http) === undefined) return reject(context, notFound(http));
    return next(context);
  };
}

/** Calls the handler of the path and HTTP method. Answers 405 without one, and 503 during shutdown. */
export function route(routes: Routes): Handler {
  return (context) => {
    const { http, endpoint } = context;
    const { method } = http;
    if (endpoint.closed || (endpoint.closing && method === 'GET')) return reject(context, shuttingDown());
    const found = routes.get(http.path) ?? findRoute(routes, http) ?? {};
    if (Object.hasOwn(found, method)) return (found[method as HttpMethod] as Handler)(context);
    const allow = Object.keys(found).join(', ');
    return reject(context, {
      status: 405,
      message: `${method} is not served: use ${allow}`,
      headers: { Allow: allow },
    });
  };
}

/** Makes the rejection of requests that come during shutdown. */
export function shuttingDown(): Rejection {
  return unavailable('The server is shutting down', 5);
}

/**
 * Finds the route of a request: that of the whole path, or of the rest below the path at which a framework mounted the
 * handler. The mount path itself is the endpoint.
 */
export function findRoute(routes: Routes, http: HttpRequest): Route | undefined {
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

/** Makes 404s. Where the handler may be mounted elsewhere, they say which option to set; the log says so once. */
function createNotFound({ server, path, assumed }: NotFoundOptions): (http: HttpRequest) => Rejection {
  let isLogged = !assumed;
  return (http) => {
    const message = `Not found: the endpoint is ${path}`;
    if (!assumed || http.method !== 'POST') return { status: 404, message };
    const remedy = `If the handler is mounted at this path, give httpHandler the option { path: ${JSON.stringify(brief(http.path))} }`;
    if (!isLogged && isEnabled(server.logger, 'warning')) {
      const data = `A request came to ${brief(http.path)}, and the endpoint is ${path}. ${remedy}`;
      server.logger.write({ level: 'warning', logger: server.info.name, data });
    }
    isLogged = true;
    return { status: 404, message: `${message}. ${remedy}` };
  };
}
