import { type Attributes, context } from '@opentelemetry/api';
import { HttpError } from '../../client/errors.ts';
import type { ClientObserver, Peer, SendingEnd } from '../../client/observer.ts';
import {
  networkAttributes,
  requestAttributes,
  resultAttributes,
  serverAttributes,
  sessionAttributes,
} from './attributes.ts';
import { extractContext, type Failure, injectContext, Operations, type RunningOperation } from './operations.ts';
import { validateOptions, type TelemetryOptions } from './options.ts';

/**
 * Creates spans and metrics for the requests a client sends and receives: `connect(…, { observers: [clientTelemetry()]
 * })`.
 */
export function clientTelemetry(options: TelemetryOptions = {}): ClientObserver {
  const operations = new Operations(validateOptions(options));
  const end = (running: RunningOperation, method: string, ended: SendingEnd): void =>
    running.end({
      durationMs: ended.durationMs,
      revision: ended.revision,
      answered: ended.outcome === 'ok' || ended.outcome === 'tool-error' || ended.outcome === 'asked',
      failure: failureOf(ended),
      attributes: resultAttributes(method, ended.result, options),
    });
  return {
    begin(request) {
      const caller = context.active();
      const running = operations.begin('sender', {
        method: request.method,
        params: request.params,
        shared: peerAttributes(request),
        attributes: { ...requestAttributes(request, options), ...sessionAttributes(request.session, options) },
        parent: caller,
      });
      return {
        meta: injectContext(running.context),
        around: (send) => context.with(running.context, send),
        resume: (run) => context.with(caller, run),
        end: (ended) => end(running, request.method, ended),
      };
    },
    beginQuestion(question) {
      const running = operations.begin('receiver', {
        method: question.method,
        params: question.params,
        shared: networkAttributes(question.transport),
        attributes: { ...requestAttributes(question, options), ...sessionAttributes(question.session, options) },
        parent: extractContext(question.params, context.active()),
      });
      return {
        around: (answer) => context.with(running.context, answer),
        end: (ended) => end(running, question.method, ended),
      };
    },
    closed({ durationMs, error, revision, ...peer }) {
      const attributes: Attributes = {
        ...peerAttributes(peer),
        ...(revision !== undefined && { 'mcp.protocol.version': revision }),
        ...(error !== undefined && { 'error.type': error.name }),
      };
      operations.sessionEnded(durationMs, attributes, context.active());
    },
  };
}

function peerAttributes({ transport, endpoint }: Pick<Peer, 'transport' | 'endpoint'>): Attributes {
  return { ...networkAttributes(transport), ...serverAttributes(endpoint) };
}

function failureOf({ outcome, error, reason }: SendingEnd): Failure | undefined {
  if (error !== undefined) return { type: String(error.code), code: error.code, message: error.message };
  if (outcome === 'tool-error') return { type: 'tool_error' };
  if (reason === undefined) return undefined;
  const { message } = reason;
  if (reason instanceof HttpError) return { type: String(reason.status), message };
  return { type: outcome === 'timeout' || outcome === 'cancelled' ? outcome : reason.name, message };
}
