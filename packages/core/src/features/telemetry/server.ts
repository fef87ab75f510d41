import { context, type Context, type Link, trace } from '@opentelemetry/api';
import { ProtocolError } from '../../jsonrpc/errors.ts';
import type { ObservedQuestion, ObservedRequest, Observer, RequestEnd } from '../../server/observer.ts';
import { truncate, networkAttributes, requestAttributes, resultAttributes, sessionAttributes } from './attributes.ts';
import { extractContext, type Failure, injectContext, Operations } from './operations.ts';
import { validateOptions, type ServerTelemetryOptions } from './options.ts';

/** Creates spans and metrics for the requests of a server: `server.observe(telemetry())`. */
export function telemetry(options: ServerTelemetryOptions = {}): Observer {
  const { callerTrace = 'parent' } = validateOptions(options);
  const operations = new Operations(options);
  return {
    begin(request) {
      const { method, params, origin } = request;
      const running = operations.begin('receiver', {
        method,
        params,
        shared: networkAttributes(origin?.transport),
        attributes: {
          ...requestAttributes(request, options),
          ...sessionAttributes(origin?.session, options),
          ...(origin?.address !== undefined && { 'client.address': origin.address }),
        },
        ...traceParent(request, callerTrace),
      });
      return {
        around: (serve) => context.with(running.context, serve),
        end: (end) =>
          running.end({
            durationMs: end.durationMs,
            revision: end.revision,
            answered: end.outcome === 'ok' || end.outcome === 'tool-error' || end.outcome === 'asked',
            failure: failureOf(end),
            attributes: resultAttributes(method, options.contents === true ? end.result() : undefined, options),
          }),
      };
    },
    ask: (question) => beginQuestion(operations, question, options),
  };
}

/** A request to the client, in which this side is the sender. */
function beginQuestion(
  operations: Operations,
  { method, params, origin, revision }: ObservedQuestion,
  options: ServerTelemetryOptions,
): ReturnType<NonNullable<Observer['ask']>> {
  const running = operations.begin('sender', {
    method,
    params,
    shared: networkAttributes(origin?.transport),
    attributes: sessionAttributes(origin?.session, options),
    parent: context.active(),
  });
  return {
    meta: injectContext(running.context),
    end: ({ durationMs, error }) =>
      running.end({ durationMs, revision, answered: error === undefined, failure: error && toFailure(error) }),
  };
}

/** The parent of a span: the caller's or the active span, with a link to the other one. */
function traceParent(
  { params }: ObservedRequest,
  callerTrace: NonNullable<ServerTelemetryOptions['callerTrace']>,
): { parent: Context; links: Link[] } {
  const here = context.active();
  const there = callerTrace === 'ignore' ? here : extractContext(params, here);
  const local = trace.getSpanContext(here);
  const caller = trace.getSpanContext(there);
  const isNamed = caller !== undefined && caller.spanId !== local?.spanId;
  if (!isNamed) return { parent: callerTrace === 'link' ? here : there, links: [] };
  if (callerTrace === 'link') return { parent: here, links: [{ context: caller }] };
  return { parent: there, links: local === undefined ? [] : [{ context: local }] };
}

function failureOf({ outcome, error }: RequestEnd): Failure | undefined {
  if (error !== undefined) return { type: String(error.code), code: error.code, message: error.message };
  if (outcome === 'tool-error') return { type: 'tool_error' };
  return outcome === 'cancelled' ? { type: 'cancelled' } : undefined;
}

function toFailure(error: Error): Failure {
  const { message } = error;
  if (error instanceof ProtocolError) return { type: String(error.code), code: error.code, message };
  return { type: truncate(error.name), message };
}
