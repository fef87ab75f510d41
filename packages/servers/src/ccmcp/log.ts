import { type Middleware, type Operation, type Outcome, ProtocolError } from '@ccmcp/core';

/** Tells clients, and stderr, what the server does and what goes wrong. */
export const logCalls: Middleware = (call, next) => {
  if (call.method === 'tools/call') call.log('debug', `Calling tool: ${shortName(call)}`);
  const fail = (error: unknown): never => {
    // Whatever else was thrown is a bug, and the core keeps what it says from clients.
    call.log('error', `${call.method} failed: ${error instanceof ProtocolError ? error.message : 'unexpected error'}`);
    throw error;
  };
  try {
    const outcome = next();
    return outcome instanceof Promise ? outcome.then((done) => report(call, done), fail) : report(call, outcome);
  } catch (error) {
    return fail(error);
  }
};

function report(call: Operation, outcome: Outcome): Outcome {
  if (call.method === 'initialize') call.log('info', 'Server initialized');
  if ('isError' in outcome && outcome.isError === true) {
    call.log('error', `Tool ${shortName(call)} failed: ${firstText(outcome)}`);
  }
  return outcome;
}

function firstText(outcome: Outcome): string {
  const { content } = outcome as { content?: { text?: string }[] };
  return content?.[0]?.text ?? 'no message';
}

function shortName(call: Operation): string {
  const { name } = call.params;
  return typeof name === 'string' ? name.slice(0, 128) : '(no name)';
}
