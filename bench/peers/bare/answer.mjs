// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { dummies } from './dummies.mjs';

const echo = { name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } };
const add = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
};

/** Answers without any protocol: the minimum of a server that parses and stringifies. */
export function makeAnswer(count) {
  const tools = [echo, add, ...dummies(count - 2)];
  return (request) => JSON.stringify({ jsonrpc: '2.0', id: request.id, result: resultOf(request, tools) });
}

function resultOf({ method, params }, tools) {
  switch (method) {
    case 'tools/call':
      return { content: [{ type: 'text', text: params.arguments.message }] };
    case 'tools/list':
      return { tools };
    default:
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'bare', version: '1.0.0' },
      };
  }
}
