import type { JsonRpcMessage, Wire } from '../support/mcp-client.ts';
import { official, problemsOf } from './official.ts';
import { type Asked, errorProblems, M, type Meta, questionProblems, resultProblems } from './rules.ts';

/** A wire that checks every message of the server against the official types, and against earlier messages. */
export interface CheckedWire extends Wire {
  /** Violations of the server so far, in words. */
  readonly violations: readonly string[];
  sendText(text: string): void;
}

const listenOnly = /^notifications\/((tools|prompts|resources)\/list_changed|resources\/updated|subscriptions\/.*)$/;

/** Adds the check to a wire. */
export function checkedWire(wire: Wire & { sendText?(text: string): void }): CheckedWire {
  const violations: string[] = [];
  /** Requests without a response, by id. */
  const open = new Map<unknown, Asked[]>();
  /** Last progress of the running requests that want it, by token. */
  const progress = new Map<unknown, number>();
  const usedIds = new Set<unknown>();
  /** The revision of the handshake, if there was one. */
  let session: string | undefined;
  let wantsLog = false;

  /** Records a request, well-formed or not: it will get a response. */
  function sent(message: JsonRpcMessage | null): void {
    if (message?.id === undefined || message.result !== undefined || message.error !== undefined) return;
    const { id, method = '', params = {} } = message;
    const meta = (params._meta ?? {}) as Meta;
    const era = meta[`${M}protocolVersion`] === undefined ? 'handshake' : 'stateless';
    open.set(id, [...(open.get(id) ?? []), { method, era, params }]);
    if (meta.progressToken !== undefined) progress.set(meta.progressToken, Number.NEGATIVE_INFINITY);
    if (meta[`${M}logLevel`] !== undefined) wantsLog = true;
  }

  function received(message: JsonRpcMessage): void {
    const { method, id } = message;
    const problems =
      method === undefined ? answered(message) : id === undefined ? notificationProblems(message) : asked(message);
    violations.push(...problems.map((problem) => `${problem} in ${JSON.stringify(message)}`));
  }

  function answered({ jsonrpc, id, result, error, ...rest }: JsonRpcMessage): string[] {
    if (jsonrpc !== '2.0' || Object.keys(rest).length > 0 || (result === undefined) === (error === undefined)) {
      return ['S-B-03: not exactly one of result and error'];
    }
    if (id === null) return error === undefined ? ['A result without an id'] : errorProblems(error, undefined);
    const waiting = open.get(id) ?? [];
    // Of two requests with one id, the second is rejected.
    const request = error === undefined ? waiting.shift() : waiting.pop();
    if (request === undefined) return ['S-B-02: an answer to nothing that was asked, or a second one'];
    const meta = (request.params._meta ?? {}) as Meta;
    progress.delete(meta.progressToken);
    if (error !== undefined) return errorProblems(error, request);
    const problems = resultProblems(request, result, session);
    if (request.method === 'initialize') session = String(result.protocolVersion);
    if (request.method === 'subscriptions/listen' && result._meta?.[`${M}subscriptionId`] !== id) {
      problems.push('S-U-03: the result of a listen without its id');
    }
    return problems;
  }

  function notificationProblems({ jsonrpc, ...notification }: JsonRpcMessage): string[] {
    const { method = '', params = {} } = notification;
    const subscription = (params._meta as Meta | undefined)?.[`${M}subscriptionId`];
    const era = subscription === undefined && session !== undefined ? 'handshake' : 'stateless';
    const schema = official[era].notifications.get(method);
    if (jsonrpc !== '2.0' || schema === undefined) return [`"${method}" does not exist in this era`];
    const problems = problemsOf(schema, notification);
    return problems.length > 0 ? problems : timeProblems(method, params, subscription);
  }

  /** Problems of a notification at this point. */
  function timeProblems(method: string, params: Meta, subscription: unknown): string[] {
    if (method === 'notifications/progress') {
      const last = progress.get(params.progressToken);
      if (last === undefined) return ['S-PR-01: progress for a token of no running request'];
      progress.set(params.progressToken, Number(params.progress));
      return Number(params.progress) > last ? [] : ['S-PR-01: progress that does not grow'];
    }
    if (method === 'notifications/message') {
      return session !== undefined || wantsLog ? [] : ['S-L-04: a log message that no request wanted'];
    }
    if (!listenOnly.test(method) || (subscription === undefined && session !== undefined)) return [];
    const listening = (open.get(subscription) ?? []).some((request) => request.method === 'subscriptions/listen');
    return listening ? [] : ['S-U-03, S-U-07: not tagged with a running listen'];
  }

  function asked({ jsonrpc, id, ...question }: JsonRpcMessage): string[] {
    if (session === undefined) return ['S-B-09: a request to a client without a handshake'];
    const problems = questionProblems(question, session);
    if (jsonrpc !== '2.0' || id === null || usedIds.has(id)) problems.push('S-B-05: an id that is null or used before');
    usedIds.add(id);
    return problems;
  }

  return {
    violations,
    send(message) {
      for (const one of [message].flat() as (JsonRpcMessage | null)[]) sent(one);
      wire.send(message);
    },
    sendText(text) {
      if (wire.sendText === undefined) throw new Error('This wire carries no text');
      for (const one of messagesIn(text)) sent(one);
      wire.sendText(text);
    },
    receive(listener) {
      wire.receive((message) => {
        for (const one of [message].flat()) received(one);
        listener(message);
      });
    },
    settled: async () => wire.settled?.(),
    close: () => wire.close(),
  };
}

/** The messages in a text, if it has any. */
function messagesIn(text: string): (JsonRpcMessage | null)[] {
  try {
    return [JSON.parse(text) as unknown].flat() as (JsonRpcMessage | null)[];
  } catch {
    return [];
  }
}
