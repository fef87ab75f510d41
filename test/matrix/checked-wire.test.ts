import { describe, expect, it } from 'vitest';
import type { Result } from '@ccmcp/core';
import { type JsonRpcMessage, McpClient, type Wire } from '../support/mcp-client.ts';
import { memoryWire, streamWire } from '../support/wires.ts';
import { type CheckedWire, checkedWire } from './checked-wire.ts';
import { everything } from './server.ts';

const M = 'io.modelcontextprotocol/';
const introduction = { [`${M}protocolVersion`]: '2026-07-28', [`${M}clientCapabilities`]: {} };
const seal = { resultType: 'complete', _meta: { [`${M}serverInfo`]: { name: 's', version: '1' } } };
const cached = { ...seal, ttlMs: 0, cacheScope: 'private' };

/** A checked wire with a scripted server. */
function puppet(): { wire: CheckedWire; say(message: object): void } {
  let listener: (message: JsonRpcMessage) => void = () => {};
  const strings: Wire = {
    send: () => {},
    receive: (given) => {
      listener = given;
    },
    close: async () => {},
  };
  const wire = checkedWire(strings);
  wire.receive(() => {});
  return {
    wire,
    say: (message) => listener((Array.isArray(message) ? message : { jsonrpc: '2.0', ...message }) as JsonRpcMessage),
  };
}

function handshake(version: string): ReturnType<typeof puppet> {
  const { wire, say } = puppet();
  wire.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: { protocolVersion: version } });
  say({ id: 'hello', result: { protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } } });
  return { wire, say };
}

/** The violations in the response to one request. */
function against(version: string, method: string, answer: object, params: object = {}): readonly string[] {
  const stateless = version >= '2026';
  const { wire, say } = stateless ? puppet() : handshake(version);
  wire.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...(stateless && { _meta: introduction }) } });
  say({ id: 1, ...answer });
  return wire.violations;
}

const text = { type: 'text', text: 'x' };
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
const link = { type: 'resource_link', uri: 'a://b', name: 'b' };

describe('a checked wire accepts', () => {
  it.each([
    ['2024-11-05', 'ping', { result: {} }],
    ['2024-11-05', 'tools/call', { result: { content: [text], isError: false } }],
    ['2025-03-26', 'tools/call', { result: { content: [sound], isError: false } }],
    ['2025-11-25', 'tools/call', { result: { content: [link], structuredContent: {}, isError: false } }],
    ['2025-11-25', 'no/such', { error: { code: -32601, message: 'Method not found' } }],
    ['2026-07-28', 'tools/call', { result: { ...seal, content: [], structuredContent: null } }],
    ['2026-07-28', 'tools/list', { result: { ...cached, tools: [] } }],
    ['2026-07-28', 'tools/call', { result: { ...seal, resultType: 'input_required', requestState: 's' } }],
    [
      '2026-07-28',
      'tools/call',
      { error: { code: -32021, message: 'No', data: { requiredCapabilities: { roots: {} } } } },
    ],
  ])('%s: a valid answer to %s: %j', (version, method, answer) => {
    expect(against(version, method, answer)).toEqual([]);
  });
});

describe('a checked wire reports', () => {
  it.each([
    ['an empty result that is not empty', '2025-11-25', 'ping', { result: { pong: true } }],
    ['a result without what is required', '2025-11-25', 'tools/list', { result: {} }],
    ['a result that lacks its content', '2025-11-25', 'tools/call', { result: { isError: false } }],
    ['a result with a member too many', '2025-11-25', 'tools/call', { result: { content: [], isErr: true } }],
    ['a block with a member too many', '2025-11-25', 'tools/call', { result: { content: [{ ...text, txt: 1 }] } }],
    ['content of an unknown kind', '2025-11-25', 'tools/call', { result: { content: [{ type: 'smell' }] } }],
    ['data that is not base64', '2025-11-25', 'tools/call', { result: { content: [{ ...sound, data: '?' }] } }],
    [
      'structured content that is no object',
      '2025-11-25',
      'tools/call',
      { result: { content: [], structuredContent: [] } },
    ],
    [
      'a schema whose root is no object',
      '2025-11-25',
      'tools/list',
      { result: { tools: [{ name: 'a', inputSchema: {} }] } },
    ],
    ['sound in the first revision', '2024-11-05', 'tools/call', { result: { content: [sound] } }],
    ['a link before there were links', '2025-03-26', 'tools/call', { result: { content: [link] } }],
    ['a link in a prompt', '2025-03-26', 'prompts/get', { result: { messages: [{ role: 'user', content: link }] } }],
    ['resultType in a handshake revision', '2025-11-25', 'ping', { result: { resultType: 'complete' } }],
    ['cache hints in a handshake revision', '2025-11-25', 'tools/list', { result: { tools: [], ttlMs: 0 } }],
    ['serverInfo in a handshake revision', '2025-11-25', 'tools/list', { result: { tools: [], _meta: seal._meta } }],
    ['a result without resultType', '2026-07-28', 'tools/call', { result: { content: [], _meta: seal._meta } }],
    ['a result without serverInfo', '2026-07-28', 'tools/call', { result: { content: [], resultType: 'complete' } }],
    ['a list without cache hints', '2026-07-28', 'tools/list', { result: { ...seal, tools: [] } }],
    [
      'a list that may be kept for less than no time',
      '2026-07-28',
      'tools/list',
      { result: { ...cached, ttlMs: -1, tools: [] } },
    ],
    ['cache hints where there are none', '2026-07-28', 'tools/call', { result: { ...cached, content: [] } }],
    ['a method of the other era', '2026-07-28', 'ping', { result: seal }],
    [
      'a list that asks',
      '2026-07-28',
      'tools/list',
      { result: { ...seal, resultType: 'input_required', requestState: 's' } },
    ],
    [
      'input that is required of nobody',
      '2026-07-28',
      'tools/call',
      { result: { ...seal, resultType: 'input_required' } },
    ],
    [
      'a question that is none',
      '2026-07-28',
      'tools/call',
      { result: { ...seal, resultType: 'input_required', inputRequests: { a: { method: 'ping' } } } },
    ],
    [
      'the id that pages to visit no longer have',
      '2026-07-28',
      'tools/call',
      {
        result: {
          ...seal,
          resultType: 'input_required',
          inputRequests: {
            a: {
              method: 'elicitation/create',
              params: { mode: 'url', message: 'm', url: 'https://a.b/', elicitationId: 'i' },
            },
          },
        },
      },
    ],
    ['result and error together', '2025-11-25', 'ping', { result: {}, error: { code: 1, message: 'x' } }],
    ['neither result nor error', '2025-11-25', 'ping', {}],
    ['an error without a code', '2025-11-25', 'ping', { error: { message: 'x' } }],
    [
      'a code that the stateless era gave up',
      '2026-07-28',
      'resources/read',
      { error: { code: -32002, message: 'x' } },
    ],
    ['a missing capability that is not named', '2026-07-28', 'tools/call', { error: { code: -32021, message: 'x' } }],
    ['a stack trace', '2025-11-25', 'ping', { error: { code: 1, message: 'x\n    at run (a.js:1:1)' } }],
    ['an id of another type', '2025-11-25', 'ping', { id: '1', result: {} }],
  ])('%s (%s)', (_, version, method, answer) => {
    expect(against(version, method, answer)).not.toEqual([]);
  });

  it('a second response', () => {
    const { wire, say } = handshake('2025-11-25');
    wire.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    say({ id: 1, result: {} });
    expect(wire.violations).toEqual([]);
    say({ id: 1, result: {} });
    expect(wire.violations).toHaveLength(1);
  });

  it('an invalid response in a batch', () => {
    const { wire, say } = handshake('2025-03-26');
    wire.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
    say([{ jsonrpc: '2.0', id: 1, result: { pong: true } }]);
    expect(wire.violations).toHaveLength(1);
  });

  it.each([
    ['of an unknown method', { method: 'notifications/hello' }],
    ['of the other era', { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } }],
    ['without its params', { method: 'notifications/resources/updated' }],
    ['of progress for nobody', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
    ['with a level that does not exist', { method: 'notifications/message', params: { level: 'loud', data: 1 } }],
  ])('a notification %s, after a handshake', (_, notification) => {
    const { wire, say } = handshake('2025-11-25');
    say(notification);
    expect(wire.violations).toHaveLength(1);
  });

  it.each([
    ['of a change that is not tagged', { method: 'notifications/tools/list_changed' }],
    [
      'of a change that is tagged with no listen',
      { method: 'notifications/tools/list_changed', params: { _meta: { [`${M}subscriptionId`]: 7 } } },
    ],
    ['of the log that nobody wanted', { method: 'notifications/message', params: { level: 'info', data: 1 } }],
  ])('a notification %s, without a handshake', (_, notification) => {
    const { wire, say } = puppet();
    say(notification);
    expect(wire.violations).toHaveLength(1);
  });

  it('progress that does not grow, or follows the response', () => {
    const { wire, say } = handshake('2025-11-25');
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 't' } } });
    const tell = (progress: number): void =>
      say({ method: 'notifications/progress', params: { progressToken: 't', progress } });
    tell(1);
    tell(2);
    expect(wire.violations).toEqual([]);
    tell(2);
    expect(wire.violations).toHaveLength(1);
    say({ id: 1, result: { content: [] } });
    tell(3);
    expect(wire.violations).toHaveLength(2);
  });

  it.each([
    [
      '2025-03-26',
      { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } },
    ],
    ['2025-11-25', { method: 'elicitation/create', params: { message: 'm' } }],
    ['2025-11-25', { method: 'tools/list' }],
    ['2025-11-25', { method: 'sampling/createMessage', params: { messages: [] } }],
  ])('a question that clients of %s do not support: %j', (version, question) => {
    const { wire, say } = handshake(version);
    say({ id: 1, ...question });
    expect(wire.violations).toHaveLength(1);
  });

  it('a question to a client without a handshake, and an id used twice', () => {
    const without = puppet();
    without.say({ id: 1, method: 'roots/list' });
    expect(without.wire.violations).toHaveLength(1);

    const { wire, say } = handshake('2025-11-25');
    say({ id: 1, method: 'roots/list' });
    expect(wire.violations).toEqual([]);
    say({ id: 1, method: 'roots/list' });
    expect(wire.violations).toHaveLength(1);
  });

  it.each([
    ['memory', memoryWire],
    ['newline', (server: ReturnType<typeof everything>) => streamWire(server, 'newline')],
    ['content-length', (server: ReturnType<typeof everything>) => streamWire(server, 'content-length')],
  ])('errors of a real server, over %s', async (_, wireTo) => {
    const server = everything().use(async (call, next) => {
      const outcome = await next();
      return call.method === 'tools/call' ? { ...(outcome as Result), colour: 'blue' } : outcome;
    });
    const wire = checkedWire(wireTo(server));
    const client = new McpClient(wire, { version: '2025-11-25' });
    await client.initialize();
    await client.request('tools/list');
    expect(wire.violations).toEqual([]);
    await client.request('tools/call', { name: 'nothing' });
    expect(wire.violations).toHaveLength(1);
    expect(wire.violations[0]).toContain('colour');
    await client.close();
  });
});
