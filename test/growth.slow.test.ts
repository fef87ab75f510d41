import { describe, expect, it } from 'vitest';
import { createServer, prompt, resource, template, tool } from '../packages/core/src/index.ts';
import type { Peer } from '../packages/core/src/server/peer.ts';
import { requestMethods } from '../packages/core/src/server/methods/index.ts';
import { encodeResponses } from '../packages/core/src/server/call/encode-responses.ts';
import { receive } from '../packages/core/src/server/receive.ts';
import { engineOf } from '../packages/core/src/server/server-handle.ts';
import { Session } from '../packages/core/src/server/session.ts';
import { tasks } from '../packages/core/src/tasks.ts';

type Params = Record<string, unknown>;

/** A request with about this many characters, as a long text or many members. */
interface Place {
  readonly method: string;
  readonly where: string;
  /** A revision with this method. Default: the newest. */
  readonly version?: string;
  params(length: number, fill: string): Params;
}

const sizes = [50_000, 100_000, 200_000] as const;
const fills = ['x', '/', '%41', '%', '{x}', 'a/', '.', '"', 'é', ',a=1&'];

function text(length: number, fill: string): string {
  return fill.repeat(Math.ceil(length / fill.length)).slice(0, length);
}

/** An object with members of ten characters. */
function members(length: number): Params {
  return Object.fromEntries(Array.from({ length: length / 10 }, (_, n) => [`m${n}`, 1]));
}

/** A list of short texts. */
function list(length: number, fill: string): string[] {
  return Array.from({ length: length / 10 }, (_, n) => `a://${fill}${n}`);
}

const old = '2025-03-26';
const ref = { type: 'ref/resource', uri: 'a0://{x}/{y}' };

const places: readonly Place[] = [
  { method: 'ping', where: 'a param', version: old, params: (n, fill) => ({ junk: text(n, fill) }) },
  {
    method: 'initialize',
    where: 'protocolVersion',
    version: old,
    params: (n, fill) => ({ protocolVersion: text(n, fill) }),
  },
  {
    method: 'initialize',
    where: 'clientInfo',
    version: old,
    params: (n, fill) => ({
      protocolVersion: old,
      capabilities: {},
      clientInfo: { name: text(n, fill), version: '1' },
    }),
  },
  {
    method: 'initialize',
    where: 'capabilities',
    version: old,
    params: (n) => ({ protocolVersion: old, capabilities: members(n), clientInfo: { name: 'c', version: '1' } }),
  },
  { method: 'server/discover', where: 'a param', params: (n, fill) => ({ junk: text(n, fill) }) },
  { method: 'tools/list', where: 'cursor', params: (n, fill) => ({ cursor: text(n, fill) }) },
  { method: 'prompts/list', where: 'cursor', params: (n, fill) => ({ cursor: text(n, fill) }) },
  { method: 'resources/list', where: 'cursor', params: (n, fill) => ({ cursor: text(n, fill) }) },
  { method: 'resources/templates/list', where: 'cursor', params: (n, fill) => ({ cursor: text(n, fill) }) },
  { method: 'tools/call', where: 'name', params: (n, fill) => ({ name: text(n, fill) }) },
  {
    method: 'tools/call',
    where: 'an argument',
    params: (n, fill) => ({ name: 'echo', arguments: { text: text(n, fill) } }),
  },
  {
    method: 'tools/call',
    where: 'an argument that is rejected',
    params: (n, fill) => ({ name: 'echo', arguments: { text: [text(n, fill)] } }),
  },
  {
    method: 'tools/call',
    where: 'the name of an argument',
    params: (n, fill) => ({ name: 'echo', arguments: { [text(n, fill)]: 1 } }),
  },
  {
    method: 'tools/call',
    where: 'members that are rejected',
    params: (n) => ({ name: 'echo', arguments: members(n) }),
  },
  {
    method: 'tools/call',
    where: 'members of a tool without arguments',
    params: (n) => ({ name: 'none', arguments: members(n) }),
  },
  {
    method: 'tools/call',
    where: 'members of a tool with any of one type',
    params: (n) => ({ name: 'texts', arguments: members(n) }),
  },
  {
    method: 'tools/call',
    where: 'members that fit none of several forms',
    params: (n) => ({ name: 'forms', arguments: { form: members(n) } }),
  },
  {
    method: 'tools/call',
    where: 'rows that fit none of several forms',
    params: (n) => ({ name: 'rows', arguments: { rows: list(n, '') } }),
  },
  {
    method: 'tools/call',
    where: 'rows that stand twice',
    params: (n) => ({ name: 'rows', arguments: { unique: [...list(n, ''), 'a', 'a'] } }),
  },
  {
    method: 'tools/call',
    where: 'requestState',
    params: (n, fill) => ({ name: 'echo', requestState: text(n, fill), arguments: {} }),
  },
  {
    method: 'tools/call',
    where: 'inputResponses',
    params: (n) => ({ name: 'echo', inputResponses: members(n), arguments: {} }),
  },
  {
    method: 'tools/call',
    where: '_meta',
    params: (n) => ({ name: 'echo', arguments: { text: 'x' }, _meta: members(n) }),
  },
  { method: 'resources/read', where: 'uri', params: (n, fill) => ({ uri: text(n, fill) }) },
  { method: 'resources/read', where: 'uri of a template', params: (n, fill) => ({ uri: `a0://${text(n, fill)}` }) },
  {
    method: 'resources/subscribe',
    where: 'uri',
    version: old,
    params: (n, fill) => ({ uri: `a0://${text(n, fill)}` }),
  },
  {
    method: 'resources/unsubscribe',
    where: 'uri',
    version: old,
    params: (n, fill) => ({ uri: `a0://${text(n, fill)}` }),
  },
  { method: 'prompts/get', where: 'name', params: (n, fill) => ({ name: text(n, fill) }) },
  {
    method: 'prompts/get',
    where: 'an argument',
    params: (n, fill) => ({ name: 'p', arguments: { a: text(n, fill) } }),
  },
  { method: 'prompts/get', where: 'unknown arguments', params: (n) => ({ name: 'p', arguments: members(n) }) },
  {
    method: 'completion/complete',
    where: 'uri',
    params: (n, fill) => ({ ref: { ...ref, uri: text(n, fill) }, argument: { name: 'x', value: '' } }),
  },
  {
    method: 'completion/complete',
    where: 'value',
    params: (n, fill) => ({ ref, argument: { name: 'x', value: text(n, fill) } }),
  },
  {
    method: 'completion/complete',
    where: 'name',
    params: (n, fill) => ({ ref, argument: { name: text(n, fill), value: '' } }),
  },
  {
    method: 'completion/complete',
    where: 'context',
    params: (n, fill) => ({ ref, argument: { name: 'x', value: '' }, context: { arguments: { y: text(n, fill) } } }),
  },
  { method: 'logging/setLevel', where: 'level', version: old, params: (n, fill) => ({ level: text(n, fill) }) },
  {
    method: 'subscriptions/listen',
    where: 'many addresses',
    params: (n, fill) => ({ notifications: { resourceSubscriptions: list(n, fill) } }),
  },
  {
    method: 'subscriptions/listen',
    where: 'long addresses',
    params: (n, fill) => ({
      notifications: {
        resourceSubscriptions: Array.from({ length: n / 8000 }, (_, each) => `a0://${each}${text(7990, fill)}`),
      },
    }),
  },
  { method: 'subscriptions/listen', where: 'many wishes', params: (n) => ({ notifications: members(n) }) },
  {
    method: 'subscriptions/listen',
    where: 'tasks',
    params: (n, fill) => ({ notifications: { taskIds: list(n, fill) } }),
  },
  { method: 'tasks/get', where: 'taskId', params: (n, fill) => ({ taskId: text(n, fill) }) },
  { method: 'tasks/cancel', where: 'taskId', params: (n, fill) => ({ taskId: text(n, fill) }) },
  { method: 'tasks/update', where: 'taskId', params: (n, fill) => ({ taskId: text(n, fill), inputResponses: {} }) },
  { method: 'tasks/update', where: 'inputResponses', params: (n) => ({ taskId: 'x', inputResponses: members(n) }) },
];

const forms = ['a://{x}', '://{x}/{y}', '://{+x}/y{z}', '://{x}{/y*}', '://{x}{?y,z}'];
const templates = Array.from({ length: 50 }, (_, n) =>
  template(
    n === 0 ? 'a0://{x}/{y}' : `a${n % 10}${forms[n % forms.length]}${n < 10 ? '' : `/v${n}`}`,
    {
      name: `t${n}`,
      scopes: () => ['read'],
      ...(n === 0 && { complete: { x: Array.from({ length: 1000 }, (_, each) => `candidate ${each}`) } }),
    },
    () => 'x',
  ),
);
const oneOf = Array.from({ length: 5 }, (_, n) => ({
  type: 'object',
  properties: { kind: { const: `k${n}` } },
  required: ['kind', `f${n}`],
  additionalProperties: false,
}));
const server = createServer({
  name: 'growth',
  version: '1',
  logger: { level: 'emergency', write: () => {} },
  tools: [
    tool(
      'echo',
      { input: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false } },
      () => 'x',
    ),
    tool('none', {}, () => 'x'),
    tool('texts', { input: { type: 'object', additionalProperties: { type: 'string' } } }, () => 'x'),
    tool('forms', { input: { type: 'object', properties: { form: { oneOf } } } }, () => 'x'),
    tool(
      'rows',
      {
        input: {
          type: 'object',
          properties: {
            rows: { type: 'array', items: { anyOf: oneOf } },
            unique: { type: 'array', uniqueItems: true },
          },
        },
      },
      () => 'x',
    ),
  ],
  resources: [resource('a://own', {}, () => 'x')],
  templates,
  prompts: [prompt('p', { arguments: { a: {} } }, () => 'x')],
  extensions: [tasks()],
});
const engine = engineOf(server);

function requestText({ method, version = '2026-07-28' }: Place, params: Params): string {
  const self = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const meta = version === old ? {} : { _meta: { ...self, ...(params._meta as Params) } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } });
}

/** Serves a request on a connection of its own until it is answered, or is long-lived. */
async function serve(message: string, handshake: boolean): Promise<number> {
  const send = (): void => {};
  const peer: Peer = {
    session: new Session(send),
    running: new Map(),
    send,
    auth: { principal: 'ann', scopes: ['read'] },
  };
  if (handshake) {
    const params = { protocolVersion: old, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    await receive(engine, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), peer);
    await receive(engine, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), peer);
  }
  const before = process.cpuUsage();
  const answer = receive(engine, message, peer);
  await new Promise((resolve) => setImmediate(resolve));
  for (const call of peer.running.values()) if (call.longLived) call.cancel();
  const response = await answer;
  if (response !== undefined) encodeResponses(engine, response);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Requests to compare, by name, with the CPU time of each in milliseconds. */
type Costs<Name extends string> = Record<Name, number>;

/**
 * Measures requests in turns until the times pass a check, at most 40 times each. The time of a request is the minimum
 * of its runs: disturbances only add to it, so more runs come closer to the truth.
 */
async function measure<Name extends string>(
  requests: Record<Name, { readonly place: Place; readonly params: Params }>,
  passes: (costs: Costs<Name>) => boolean,
): Promise<Costs<Name>> {
  const names = Object.keys(requests) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Costs<Name>;
  let spent = 0;
  // A request that is far too slow is not measured 40 times.
  for (let run = 0; run < 40 && spent < 3000; run++) {
    for (const name of names) {
      const { place, params } = requests[name];
      const took = await serve(requestText(place, params), place.version === old && place.method !== 'initialize');
      costs[name] = Math.min(costs[name], took);
      spent += took;
    }
    if (run >= 2 && passes(costs)) break;
  }
  return costs;
}

/** The cost of parsing a request of this form: it names a tool that does not exist. */
const parsing = (place: Place, params: Params) => ({
  place: { ...place, method: 'tools/call' },
  params: { ...params, name: 'no such tool' },
});

describe('processor time of a request', () => {
  it('is measured for every method', () => {
    const served = [...requestMethods.keys(), 'tasks/get', 'tasks/update', 'tasks/cancel'];
    expect([...new Set(places.map(({ method }) => method))].toSorted()).toEqual(served.toSorted());
  });

  it.each(places)('grows linearly, and not far above parsing: $method, $where', async (place) => {
    // Four times the length: quadratic growth would take 16 times as long.
    const isLinear = ({ small, large }: Costs<'small' | 'large'>): boolean => large < 9 * Math.max(small, 1);
    const isCheap = ({ large, floor }: Costs<'large' | 'floor'>): boolean => large < 20 * Math.max(floor, 1);
    for (const fill of place.params.length === 1 ? [''] : fills) {
      const [small, middle, large] = sizes.map((size) => ({ place, params: place.params(size, fill) }));
      const floor = parsing(place, place.params(sizes[2], fill));
      const requests = { small, middle, large, floor } as Record<'small' | 'middle' | 'large' | 'floor', typeof floor>;
      const costs = await measure(requests, (each) => isLinear(each) && isCheap(each));
      expect({ fill, costs, linear: isLinear(costs), cheap: isCheap(costs) }).toEqual({
        fill,
        costs,
        linear: true,
        cheap: true,
      });
    }
  });
});
