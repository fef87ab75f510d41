import { Call } from '../call/call.ts';
import { contextOf } from '../call/operation-context.ts';
import type { Middleware } from '../call/operation.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { claimsStateless } from '../../revisions/read-caller.ts';
import type { Implementation } from '../../protocol/identity.ts';
import { type Meta, MetaKey } from '../../protocol/meta.ts';
import { retryLater } from '../retry-later.ts';
import type { ListSource } from '../lists/list-source.ts';
import { type CallerServers, passToCallerServer } from './caller-servers.ts';
import { execute } from './execute.ts';
import { fillLists } from './fill-lists.ts';
import { identify } from './identify.ts';
import { nest, nestedRun } from './nested.ts';
import { serveNotification, warnEarly } from './serve-notification.ts';
import { rejectOnError } from './reject.ts';
import { type AuthorizeBatch, type Plugin, type RequestStep, type Run, type Serve, type Step, wrap } from './step.ts';
import { openAnswers } from '../call/questions.ts';
import { notificationMethods } from '../methods/index.ts';

/** The composed steps of a server. */
export interface Pipeline {
  readonly Call: typeof Call;
  readonly serve: Serve;
  /** Runs the author's middleware and the method. */
  readonly run: Run;
  /** Runs middleware and the method of a call that a composed server forwards. */
  readonly runPassed: Run;
  /** Absent: a caller may send every request of a batch. */
  readonly authorizeBatch: AuthorizeBatch | undefined;
  readonly serveNotification: typeof serveNotification;
  readonly warnEarly: typeof warnEarly;
}

/** The parts of a pipeline. */
interface Parts {
  readonly plugins: readonly Plugin[];
  /** The one added last runs outermost. */
  readonly middleware: readonly Middleware[];
  /** The innermost step of a composed server: forwards calls to its parts. */
  readonly forwardToPart?: Step | undefined;
  /** Sources of lists. */
  readonly listSources?: readonly ListSource[];
  /** The servers with the entries that only one caller gets. */
  readonly serversFor?: CallerServers;
}

/**
 * Composes the steps of a call, the outermost first. Composed when a server is created, and again when a plugin or
 * middleware is added. Absent features have no step.
 */
export function composePipeline({
  plugins,
  middleware,
  listSources = [],
  serversFor = () => [],
  forwardToPart = listSources.some(({ forCaller }) => forCaller !== undefined)
    ? passToCallerServer(serversFor)
    : undefined,
}: Parts): Pipeline {
  const middlewareSteps = middleware.map((each) => toStep(each, plugins)).reverse();
  const run = wrap(runMethod, [...middlewareSteps, fillLists(listSources, serversFor), forwardToPart]);
  const serve = wrap(execute(wrap(run, [...plugins.map((plugin) => plugin.deduplicate), restoreAnswers])), [
    ...middleware.map(rewriteStep).reverse(),
    ...plugins.map((plugin) => plugin.observe),
    rejectOnError,
    ...plugins.map((plugin) => plugin.checkQuota),
    limitRunning,
    ...plugins.map((plugin) => plugin.limitRate),
    ...plugins.map((plugin) => plugin.acquireQuota),
    identify,
    ...plugins.map((plugin) => plugin.authorize),
  ]);
  const runPassed = wrap(
    run,
    plugins.map((plugin) => plugin.limitPassed),
  );
  const authorizeBatch = plugins.find((plugin) => plugin.authorizeBatch !== undefined)?.authorizeBatch;
  return { Call, serve, run, runPassed, authorizeBatch, serveNotification, warnEarly };
}

/** Lets middleware rewrite the params of a request; undefined if it has no `rewrite`. */
function rewriteStep(middleware: Middleware): RequestStep | undefined {
  if (middleware.rewrite === undefined) return undefined;
  return (next) => (call) => {
    const request = { host: call.host, clientInfo: clientInfoOf(call) };
    const params = middleware.rewrite?.(call.method, call.params, request) ?? call.params;
    if (params !== call.params) {
      call.received = { ...call.received, params };
      call.params = params;
    }
    return next(call);
  };
}

/** What the client of a call says of itself. A later step finds out, by the same rules, who the caller is. */
function clientInfoOf({ peer: { caller, session }, params }: Call): Implementation | undefined {
  if (caller !== undefined) return caller.clientInfo;
  if (!claimsStateless(params)) return session?.clientInfo;
  const given = (params._meta as Meta)[MetaKey.clientInfo];
  return isObject(given) ? (given as unknown as Implementation) : undefined;
}

/** Middleware as a step: it may replace the params, or serve another method for the same caller. */
function toStep(middleware: Middleware, plugins: readonly Plugin[]): Step {
  return (next) => {
    const serveNested = nestedRun(next, plugins);
    return (call) =>
      middleware(contextOf(call), (params, method = call.method) => {
        if (method !== call.method) return serveNested(nest(call, method, params));
        // `next(operation)` means its params.
        if (params !== undefined && (params as unknown) !== call.context) call.params = params;
        return next(call);
      });
  };
}

/** Rejects a request on a connection that has too many running. */
const limitRunning: RequestStep = (next) => (call) => {
  const { host, peer } = call;
  const { size } = peer.running;
  if (size < host.settings.maxRunning || host.methods.of(call.method).urgent) return next(call);
  const message = `Server busy: ${size} requests are running on this connection; try again when some have been answered`;
  throw retryLater(message, { retryAfterMs: 1000, limit: 'caller' });
};

/** Restores the answers of a request that is retried after questions. */
const restoreAnswers: Step = (run) => (call) => {
  const { params } = call;
  const { revision } = call.caller;
  const isRetry =
    revision.asksBy === 'result' && (params.requestState !== undefined || params.inputResponses !== undefined);
  return isRetry ? openAnswers(call).then(() => run(call)) : run(call);
};

/** The innermost step: runs the method of the protocol or of an extension. */
const runMethod: Run = (call) => {
  const { method, server } = call;
  const served = call.served ?? notificationMethods.get(method);
  if (served !== undefined) return served.run(call);
  const added = server.extensions.methodIn(method, call.revision);
  if (added !== undefined) return added.method.serve(contextOf(call));
  const received = server.extensions.notification(method)?.notification.receive?.(contextOf(call));
  return received instanceof Promise ? received.then(() => ({})) : {};
};
