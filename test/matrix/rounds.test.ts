import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { expectError, type JsonRpcMessage } from '../support/mcp-client.ts';
import { type Client, feature, only, type Version } from './cells.ts';
import { everything } from './server.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

const stateless: Version = '2026-07-28';
const capabilities = { elicitation: {}, roots: {}, sampling: {} };
const accept = (name: string): object => ({ action: 'accept', content: { name } });
const interview = { name: 'interview', arguments: { questions: 2 } };

/** Calls a tool that asks; returns its questions and the state to send back. */
async function suspend(
  client: Client,
  params: Record<string, unknown> = { name: 'greet' },
): Promise<{ keys: string[]; requestState: string }> {
  const { result } = await client.sendRequest('tools/call', params);
  expect(result.resultType).toBe('input_required');
  return { keys: Object.keys(result.inputRequests), requestState: result.requestState };
}

function textOf({ result }: JsonRpcMessage): string {
  return result.content[0].text;
}

feature('answers that come with a request', {
  '2024-11-05': [
    'mean nothing: there are no rounds',
    async ({ connect }) => {
      const client = await connect();
      const rounds = { inputResponses: 'nonsense', requestState: 'forged' };
      expect((await client.sendRequest('tools/call', { name: 'nothing', ...rounds })).result.isError).toBe(false);
    },
  ],
  '2026-07-28': [
    'let the handler go on where it asked (S-I-02)',
    async ({ connect }) => {
      const client = await connect({ capabilities });
      const { keys, requestState } = await suspend(client);
      expect(keys).toEqual(['input-1']);
      const inputResponses = { 'input-1': accept('Bob') };
      expect(textOf(await client.sendRequest('tools/call', { name: 'greet', inputResponses, requestState }))).toBe(
        'Hello, Bob!',
      );
    },
  ],
});

only(stateless, 'each round brings only its own answers; the earlier ones are in the state', async ({ connect }) => {
  const client = await connect({ capabilities });
  const first = await suspend(client, interview);
  expect(first.keys).toEqual(['input-1']);
  const round = { ...interview, requestState: first.requestState, inputResponses: { 'input-1': accept('Ann') } };
  const second = await suspend(client, round);
  expect(second.keys).toEqual(['input-2']);
  const last = { ...interview, requestState: second.requestState, inputResponses: { 'input-2': accept('Bob') } };
  expect(textOf(await client.sendRequest('tools/call', last))).toBe('Ann & Bob');
});

only(
  stateless,
  'a question whose answer is missing is asked again, with what was answered kept (S-I-08)',
  async ({ connect }) => {
    const client = await connect({ capabilities });
    const call = { name: 'at-once' };
    const first = await suspend(client, call);
    const inputResponses = { who: accept('Ann'), elsewhere: { roots: [] } };
    const second = await suspend(client, { ...call, requestState: first.requestState, inputResponses });
    expect(second.keys).toEqual(['where', 'what']);
    const rest = {
      where: { roots: [] },
      what: { role: 'assistant', content: { type: 'text', text: '' }, model: 'm-2' },
    };
    const answer = await client.sendRequest('tools/call', {
      ...call,
      requestState: second.requestState,
      inputResponses: rest,
    });
    expect(textOf(answer)).toBe('["Ann",0,"m-2"]');
  },
);

only(stateless, 'answers to questions that were not asked are ignored (S-I-08)', async ({ connect }) => {
  const client = await connect({ capabilities });
  const { requestState } = await suspend(client);
  const again = await suspend(client, { name: 'greet', requestState, inputResponses: { 'input-9': accept('Eve') } });
  expect(again.keys).toEqual(['input-1']);
  const inputResponses = { 'input-9': null, __proto__: 7, constructor: accept('Eve'), 'input-1': accept('Ann') };
  expect(textOf(await client.sendRequest('tools/call', { name: 'greet', requestState, inputResponses }))).toBe(
    'Hello, Ann!',
  );
});

only(
  stateless,
  'an answer that is no object is rejected, and so are answers that are none (S-I-08)',
  async ({ connect }) => {
    const client = await connect({ capabilities });
    const { requestState } = await suspend(client);
    for (const answer of [null, 7, 'Ann', true, [accept('Ann')]]) {
      const params = { name: 'greet', requestState, inputResponses: { 'input-1': answer } };
      expectError(await client.sendRequest('tools/call', params), -32602);
    }
    for (const inputResponses of [null, 7, 'Ann', [accept('Ann')]]) {
      expectError(await client.sendRequest('tools/call', { name: 'greet', requestState, inputResponses }), -32602);
    }
  },
);

only(stateless, 'a state that was changed or made up is rejected (S-I-05)', async ({ connect }) => {
  const client = await connect({ capabilities });
  const { requestState } = await suspend(client);
  const [version, body, mac] = requestState.split('.') as [string, string, string];
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...payload, answers: { 'input-1': accept('Eve') } })).toString(
    'base64url',
  );
  const flipped = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  const forgeries: unknown[] = [
    `${version}.${other}.${mac}`,
    `${version}.${flipped(body)}.${mac}`,
    `${version}.${body}.${flipped(mac)}`,
    `${version}.${body}.${mac}=`,
    `${version}.${body}.${mac} `,
    `${version}.${body}.`,
    `${version}.${body}`,
    `v2.${body}.${mac}`,
    `${body}.${mac}`,
    requestState.slice(0, -1),
    `${requestState}A`,
    '',
    '.',
    'v1..',
    7,
    null,
    {},
    [requestState],
  ];
  for (const forged of forgeries) {
    const params = { name: 'greet', requestState: forged, inputResponses: { 'input-1': accept('Eve') } };
    expectError(await client.sendRequest('tools/call', params), -32602);
  }
});

only(stateless, 'a state is good for its own request only: same method, same params (S-I-06)', async ({ connect }) => {
  const client = await connect({ capabilities });
  const { requestState } = await suspend(client, interview);
  const inputResponses = { 'input-1': accept('Ann'), 'input-2': accept('Bob') };
  const rest = { requestState, inputResponses };
  expectError(
    await client.sendRequest('tools/call', { name: 'interview', arguments: { questions: 1 }, ...rest }),
    -32602,
  );
  expectError(await client.sendRequest('tools/call', { name: 'greet', ...rest }), -32602);
  expectError(await client.sendRequest('prompts/get', { name: 'personal', ...rest }), -32602);
  expectError(await client.sendRequest('resources/read', { uri: 'ask://name', ...rest }), -32602);
  const reordered = { ...rest, arguments: { questions: 2 }, name: 'interview', _meta: { progressToken: 1 } };
  expect(textOf(await client.sendRequest('tools/call', reordered))).toBe('Ann & Bob');
});

only(
  stateless,
  'a state that has expired is rejected (S-I-06)',
  async ({ connect }) => {
    const client = await connect({ capabilities });
    const { requestState } = await suspend(client);
    // It expires at a whole millisecond: two later it certainly has.
    await delay(2);
    const params = { name: 'greet', requestState, inputResponses: { 'input-1': accept('Ann') } };
    expect(expectError(await client.sendRequest('tools/call', params), -32602).message).toContain('expired');
  },
  { server: { stateLifetimeMs: 0.001 } },
);

only(stateless, 'a state of another server is rejected (S-I-05)', async ({ connect, server }) => {
  const client = await connect({ capabilities });
  const { requestState } = await suspend(client);
  const binding = { method: 'tools/call', params: { name: 'greet' }, principal: undefined };
  const [own, another] = await Promise.all([server, everything()].map((each) => engineOf(each).loadStateSeal()));
  await expect(another?.open(requestState, binding)).rejects.toMatchObject({ code: -32602 });
  await expect(own?.open(requestState, binding)).resolves.toHaveProperty('answers', {});
});

const stateSecret = new Uint8Array(32).fill(7);

only(
  stateless,
  'a state is good on every instance with the same secret, and on none with another principal',
  async ({ connect }) => {
    const client = await connect({ capabilities });
    const { requestState } = await suspend(client);
    const binding = { method: 'tools/call', params: { name: 'greet' }, principal: undefined };
    const stateSeal = await engineOf(everything({ stateSecret })).loadStateSeal();
    await expect(stateSeal.open(requestState, binding)).resolves.toHaveProperty('answers', {});
    await expect(stateSeal.open(requestState, { ...binding, principal: 'eve' })).rejects.toMatchObject({
      code: -32602,
    });
  },
  { server: { stateSecret } },
);

only(stateless, 'what the client can do is read anew in each round (S-I-04)', async ({ connect }) => {
  const [able, unable] = [await connect({ capabilities }), await connect()];
  const { requestState } = await suspend(able);
  const params = { name: 'greet', requestState, inputResponses: { 'input-1': accept('Ann') } };
  expectError(await unable.sendRequest('tools/call', params), -32021);
});

only(
  stateless,
  'of several questions one that the client did not declare rejects the whole request (S-I-04)',
  async ({ connect }) => {
    const client = await connect({ capabilities: { elicitation: {}, roots: {} } });
    const error = expectError(await client.sendRequest('tools/call', { name: 'at-once' }), -32021);
    expect(error.data).toEqual({ requiredCapabilities: { sampling: {} } });
  },
);

only(stateless, 'lists never ask, whatever answers they are sent (S-I-01)', async ({ connect }) => {
  const client = await connect({ capabilities });
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'completion/complete']) {
    const { result, error } = await client.sendRequest(method, {
      inputResponses: {},
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'language', value: '' },
    });
    expect(error).toBeUndefined();
    expect(result.resultType).toBe('complete');
  }
});
