import { prompt } from '@ccmcp/core';
import { expect } from 'vitest';
import { expectError, type JsonRpcMessage } from '../support/mcp-client.ts';
import { type Behaviour, type Cell, type Client, everywhere, feature } from './cells.ts';
import { engineOf } from '../../packages/core/src/server/server-handle.ts';

const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } };

const answers: Record<string, unknown> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ann' } },
  'sampling/createMessage': {
    role: 'assistant',
    content: { type: 'text', text: 'All is well' },
    model: 'm-1',
    stopReason: 'endTurn',
  },
  'roots/list': { roots: [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }] },
};

interface Asking {
  client: Client;
  /** Questions of the server so far. */
  questions: { method: string; params: Record<string, unknown> | undefined }[];
}

/** A client that can answer everything, and records the questions. */
async function asking(
  { connect }: Cell,
  answer: (method: string) => unknown = (method) => answers[method],
): Promise<Asking> {
  const questions: Asking['questions'] = [];
  const client = await connect({
    capabilities: all,
    answer: (method, params) => {
      questions.push({ method, params });
      return answer(method);
    },
  });
  return { client, questions };
}

async function textOf(client: Client, name: string): Promise<string> {
  const result = await client.request('tools/call', { name });
  expect(result.isError).toBe(false);
  return result.content[0].text;
}

/** The error for a feature that this revision lacks: like one that the client did not declare. */
function missingCapability(what: string, name: string, requiredCapabilities: object): Behaviour {
  const body: Behaviour[1] = async (cell) => {
    const { client, questions } = await asking(cell);
    const error = expectError(await client.sendRequest('tools/call', { name }), -32021);
    expect(error.data).toEqual({ requiredCapabilities });
    expect(questions).toEqual([]);
  };
  return [what, body];
}

feature('a form', {
  '2024-11-05': missingCapability('does not exist yet', 'greet', { elicitation: {} }),
  '2025-06-18': [
    'is put to the client in a request of its own',
    async (cell) => {
      const { client, questions } = await asking(cell);
      expect(await textOf(client, 'greet')).toBe('Hello, Ann!');
      expect(client.notifications('elicitation/create')).toHaveLength(1);
      expect(questions).toEqual([
        {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'What is your name?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string', minLength: 1 } },
              required: ['name'],
            },
          },
        },
      ]);
    },
  ],
  '2026-07-28': [
    'is put to the client in a result, and the handler runs again with the answer (S-B-09)',
    async (cell) => {
      const { client, questions } = await asking(cell);
      expect(await textOf(client, 'greet')).toBe('Hello, Ann!');
      expect(client.notifications('elicitation/create')).toEqual([]);
      const asked = client.received.find(({ result }) => result?.resultType === 'input_required');
      expect(Object.values(asked?.result.inputRequests)).toEqual(questions);
    },
  ],
});

feature('a form that is declined or put away', {
  '2024-11-05': missingCapability('does not exist yet', 'greet', { elicitation: {} }),
  '2025-06-18': [
    'is sent to the handler (S-E-03)',
    async (cell) => {
      for (const action of ['decline', 'cancel']) {
        const { client } = await asking(cell, () => ({ action }));
        expect(await textOf(client, 'greet')).toBe(`Hello, (${action})!`);
      }
    },
  ],
});

feature('an answer that does not fit', {
  '2024-11-05': [
    'is rejected: the model, the folders',
    async (cell) => {
      const wrong = [
        {},
        { role: 'system', content: { type: 'text', text: '' }, model: 'm' },
        { role: 'user', model: 'm' },
      ];
      for (const answer of wrong) {
        const { client } = await asking(cell, () => answer);
        expectError(await client.sendRequest('tools/call', { name: 'summarize' }), -32602);
      }
      for (const answer of [{}, { roots: {} }, { roots: [{ name: 'A' }] }, { roots: ['file:///a'] }]) {
        const { client } = await asking(cell, () => answer);
        expectError(await client.sendRequest('tools/call', { name: 'where' }), -32602);
      }
    },
  ],
  '2025-06-18': [
    'is rejected: the form (S-E-03)',
    async (cell) => {
      const wrong = [
        {},
        { action: 'yes', content: { name: 'Ann' } },
        { action: 'accept' },
        { action: 'accept', content: {} },
        { action: 'accept', content: { name: '' } },
        { action: 'accept', content: { name: 7 } },
      ];
      for (const answer of wrong) {
        const { client } = await asking(cell, () => answer);
        await expect(client.request('tools/call', { name: 'greet' })).rejects.toMatchObject({ code: -32602 });
      }
    },
  ],
});

feature('choices in a form', {
  '2024-11-05': missingCapability('do not exist yet', 'order', { elicitation: {} }),
  '2025-06-18': [
    'have their titles beside them',
    async (cell) => {
      const { client, questions } = await asking(cell, () => ({ action: 'accept', content: { drink: 't', sugar: 2 } }));
      expect(await textOf(client, 'order')).toBe('{"action":"accept","content":{"drink":"t","sugar":2}}');
      expect(questions[0]?.params?.requestedSchema).toEqual({
        type: 'object',
        properties: {
          drink: { type: 'string', enum: ['t', 'c'], enumNames: ['Tea', 'Coffee'] },
          size: { type: 'string', enum: ['small', 'large'] },
          sugar: { type: 'integer', minimum: 0, maximum: 3 },
          milk: { type: 'boolean', default: false },
          email: { type: 'string', format: 'email' },
        },
        required: ['drink'],
      });
    },
  ],
  '2025-11-25': [
    'have their titles within',
    async (cell) => {
      const { client, questions } = await asking(cell, () => ({
        action: 'accept',
        content: { drink: 'c', milk: true },
      }));
      expect(await textOf(client, 'order')).toBe('{"action":"accept","content":{"drink":"c","milk":true}}');
      expect(questions[0]?.params?.requestedSchema).toMatchObject({
        properties: {
          drink: {
            type: 'string',
            oneOf: [
              { const: 't', title: 'Tea' },
              { const: 'c', title: 'Coffee' },
            ],
          },
        },
      });
    },
  ],
});

feature('a choice of several', {
  '2024-11-05': missingCapability('does not exist yet', 'toppings', { elicitation: {} }),
  '2025-06-18': missingCapability('does not exist yet in forms', 'toppings', { elicitation: { form: {} } }),
  '2025-11-25': [
    'is asked for',
    async (cell) => {
      const { client } = await asking(cell, () => ({ action: 'accept', content: { toppings: ['olives'] } }));
      expect(await textOf(client, 'toppings')).toBe('{"action":"accept","content":{"toppings":["olives"]}}');
    },
  ],
});

feature('a page to visit', {
  '2024-11-05': missingCapability('does not exist yet', 'visit', { elicitation: {} }),
  '2025-06-18': missingCapability('does not exist yet among forms', 'visit', { elicitation: { url: {} } }),
  '2025-11-25': [
    'has an id of its own',
    async (cell) => {
      for (const action of ['accept', 'decline', 'cancel']) {
        const { client, questions } = await asking(cell, () => ({ action }));
        expect(await textOf(client, 'visit')).toBe(`visit: ${action}`);
        expect(questions[0]?.params).toEqual({
          mode: 'url',
          message: 'Please sign in',
          url: 'https://example.com/sign-in',
          elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        });
      }
    },
  ],
  '2026-07-28': [
    'has no id',
    async (cell) => {
      const { client, questions } = await asking(cell, () => ({ action: 'accept' }));
      expect(await textOf(client, 'visit')).toBe('visit: accept');
      expect(questions[0]?.params).toEqual({
        mode: 'url',
        message: 'Please sign in',
        url: 'https://example.com/sign-in',
      });
    },
  ],
});

everywhere("the client's model is asked, and its answer is a list of content", async (cell) => {
  const { client, questions } = await asking(cell);
  expect(JSON.parse(await textOf(client, 'summarize'))).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'All is well' }],
    model: 'm-1',
    stopReason: 'endTurn',
  });
  expect(questions).toEqual([
    {
      method: 'sampling/createMessage',
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: 'Summarize the news' } }],
        systemPrompt: 'Be brief',
        modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
        temperature: 0.2,
        maxTokens: 100,
      },
    },
  ]);
});

const question = { type: 'text', text: 'What is this?' };
const picture = { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' };

function discussing(what: string, messages: object[]): Behaviour {
  const body: Behaviour[1] = async (cell) => {
    const two = [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ];
    const { client, questions } = await asking(cell, () => ({ role: 'assistant', content: two, model: 'm-1' }));
    expect(await textOf(client, 'discuss')).toBe('text,text');
    expect(questions[0]?.params?.messages).toEqual(messages);
  };
  return [what, body];
}

feature('a message of several blocks for the model', {
  '2024-11-05': discussing('is several messages', [
    { role: 'user', content: question },
    { role: 'user', content: picture },
  ]),
  '2025-11-25': discussing('is one', [{ role: 'user', content: [question, picture] }]),
});

feature('sound for the model', {
  '2024-11-05': missingCapability('does not exist yet', 'listen-closely', { sampling: {} }),
  '2025-03-26': [
    'is sent',
    async (cell) => {
      const { client, questions } = await asking(cell);
      expect(await textOf(client, 'listen-closely')).toBe('m-1');
      expect(questions[0]?.params?.messages).toEqual([
        { role: 'user', content: { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } },
      ]);
    },
  ],
});

feature('tools for the model', {
  '2024-11-05': missingCapability('do not exist yet', 'delegate', { sampling: { tools: {} } }),
  '2025-11-25': [
    'are for clients that declared them (S-SA-02)',
    async (cell) => {
      const { client, questions } = await asking(cell, () => ({
        role: 'assistant',
        content: { type: 'tool_use', id: 't1', name: 'lookup', input: {} },
        model: 'm-1',
        stopReason: 'toolUse',
      }));
      expect(await textOf(client, 'delegate')).toBe('stopped: toolUse');
      expect(questions[0]?.params).toMatchObject({ tools: [{ name: 'lookup' }], toolChoice: { mode: 'required' } });

      const plain = await cell.connect({ capabilities: { sampling: {} } });
      const error = expectError(await plain.sendRequest('tools/call', { name: 'delegate' }), -32021);
      expect(error.data).toEqual({ requiredCapabilities: { sampling: { tools: {} } } });
    },
  ],
});

everywhere('the folders of the client are asked for', async (cell) => {
  const { client, questions } = await asking(cell);
  expect(await textOf(client, 'where')).toBe('file:///a file:///b');
  expect(questions).toEqual([{ method: 'roots/list', params: undefined }]);
});

everywhere(
  'a client that declared nothing is asked nothing, and its calls name what it would need (S-B-11, S-SA-01, S-I-04)',
  async ({ connect }) => {
    const client = await connect();
    const needs = {
      greet: { elicitation: { form: {} } },
      visit: { elicitation: { url: {} } },
      summarize: { sampling: {} },
      where: { roots: {} },
    };
    for (const [name, requiredCapabilities] of Object.entries(needs)) {
      const error = expectError(await client.sendRequest('tools/call', { name }), -32021);
      expect(error.data).toEqual({ requiredCapabilities });
    }
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([]);
  },
);

everywhere('a handler can ask first whether the client can', async (cell) => {
  expect(await textOf(await cell.connect(), 'if-possible')).toBe('done without a model');
  expect(await textOf((await asking(cell)).client, 'if-possible')).toBe('m-1');
});

/** Questions that a client with all capabilities can be asked, by first revision. */
const askable = {
  '2024-11-05': ['sample', 'roots'],
  '2025-03-26': ['sample', 'roots'],
  '2025-06-18': ['elicit', 'sample', 'roots'],
  '2025-11-25': ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'],
  '2026-07-28': ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'],
};

everywhere('what can be asked is what a client declared, of what its revision has (S-E-02)', async (cell) => {
  const declared: [Record<string, unknown>, string[]][] = [
    [{}, []],
    [all, ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots']],
    [{ elicitation: {} }, ['elicit']],
    [{ elicitation: { form: {} } }, ['elicit']],
    [{ elicitation: { url: {} } }, ['elicit-url']],
    [{ sampling: {}, roots: {} }, ['sample', 'roots']],
    [{ sampling: { tools: {} } }, ['sample', 'sample-tools']],
    [{ sampling: true, roots: null, elicitation: 'yes', magic: {} }, []],
  ];
  for (const [capabilities, abilities] of declared) {
    const client = await cell.connect({ capabilities });
    const expected = abilities.filter((ability) => askable[cell.version].includes(ability));
    expect(await textOf(client, 'abilities')).toBe(expected.join(' '));
  }
});

everywhere('what a handler may ask according to its context, it can, and nothing else', async (cell) => {
  const asks = {
    elicit: 'greet',
    'elicit-url': 'visit',
    sample: 'summarize',
    'sample-tools': 'delegate',
    roots: 'where',
  };
  const { client } = await asking(cell);
  const offered = (await textOf(client, 'abilities')).split(' ');
  for (const [ability, name] of Object.entries(asks)) {
    const code = await client.request('tools/call', { name }).then(
      () => 'asked',
      (error: { code: number }) => error.code,
    );
    expect([ability, code]).toEqual([ability, offered.includes(ability) ? 'asked' : -32021]);
  }
});

/** A prompt whose completion requests the roots. */
const choosy = prompt(
  'choosy',
  {
    arguments: {
      able: { complete: (_, { call }) => [String(call.can('roots'))] },
      folder: { complete: async (_, { call }) => (await call.roots()).map(({ uri }) => uri) },
    },
  },
  () => '',
);

feature('a question where the protocol has no room for one', {
  '2024-11-05': [
    'is asked on the spot, in the middle of any request',
    async (cell) => {
      cell.server.prompts.add(choosy);
      const { client } = await asking(cell);
      expect(await completions(client, 'able')).toEqual(['true']);
      expect(await completions(client, 'folder')).toEqual(['file:///a', 'file:///b']);
    },
  ],
  '2026-07-28': [
    'is rejected, and the handler can know that before (S-I-01)',
    async (cell) => {
      cell.server.prompts.add(choosy);
      const { client, questions } = await asking(cell);
      expect(await completions(client, 'able')).toEqual(['false']);
      await expect(completions(client, 'folder')).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining('Nothing can be asked while "completion/complete" is served'),
      });
      expect(questions).toEqual([]);
    },
  ],
});

async function completions(client: Client, name: string): Promise<string[]> {
  const params = { ref: { type: 'ref/prompt', name: 'choosy' }, argument: { name, value: '' } };
  return (await client.request('completion/complete', params)).completion.values;
}

feature('questions asked at once', {
  '2024-11-05': [
    'need a client that knows them all',
    async (cell) => {
      const { client } = await asking(cell);
      const error = expectError(await client.sendRequest('tools/call', { name: 'at-once' }), -32021);
      expect(error.data).toEqual({ requiredCapabilities: { elicitation: {} } });
    },
  ],
  '2025-06-18': [
    'are requests side by side',
    async (cell) => {
      const { client, questions } = await asking(cell);
      expect(await textOf(client, 'at-once')).toBe('["Ann",2,"m-1"]');
      expect(questions.map(({ method }) => method)).toEqual([
        'elicitation/create',
        'roots/list',
        'sampling/createMessage',
      ]);
    },
  ],
  '2026-07-28': [
    'are in one result, by their keys (S-I-03)',
    async (cell) => {
      const { client } = await asking(cell);
      expect(await textOf(client, 'at-once')).toBe('["Ann",2,"m-1"]');
      const rounds = client.received.filter(({ result }) => result?.resultType === 'input_required');
      expect(rounds.map(({ result }) => Object.keys(result.inputRequests))).toEqual([['who', 'where', 'what']]);
    },
  ],
});

feature('questions one after the other', {
  '2024-11-05': missingCapability('need a client that knows them', 'greet', { elicitation: {} }),
  '2025-06-18': [
    'are asked in turn, as many as it takes',
    async (cell) => {
      let asked = 0;
      const { client } = await asking(cell, () => ({ action: 'accept', content: { name: `name-${++asked}` } }));
      const result = await client.request('tools/call', { name: 'interview', arguments: { questions: 4 } });
      expect(result.content[0].text).toBe('name-1 & name-2 & name-3 & name-4');
    },
  ],
});

feature('a question while a prompt is made, or a resource read', {
  '2024-11-05': [
    'needs a client that knows it',
    async (cell) => {
      const { client } = await asking(cell);
      expectError(await client.sendRequest('prompts/get', { name: 'personal' }), -32021);
      expectError(await client.sendRequest('resources/read', { uri: 'ask://name' }), -32021);
    },
  ],
  '2025-06-18': [
    'is asked as in a tool',
    async (cell) => {
      const { client } = await asking(cell);
      const { messages } = await client.request('prompts/get', { name: 'personal' });
      expect(messages[0].content.text).toBe('Write to Ann');
      const { contents } = await client.request('resources/read', { uri: 'ask://name' });
      expect(contents[0].text).toBe('Written by Ann');
    },
  ],
});

feature('a client that answers a question with an error', {
  '2024-11-05': [
    'has it handed to the handler, and back if that does not catch it',
    async ({ open }) => {
      let client: Client | undefined;
      const asked = new Promise<JsonRpcMessage>((resolve) => {
        client = open({
          capabilities: { roots: {} },
          answer: () => resolve(client?.received.at(-1) as JsonRpcMessage),
        });
      });
      await client?.initialize();
      client?.post('tools/call', { name: 'where' }, 'job');
      const { id } = await asked;
      client?.wire.send({ jsonrpc: '2.0', id, error: { code: -1, message: 'User rejected', data: { why: 'busy' } } });
      const answer = await client?.answerTo('job');
      expect(answer?.error).toEqual({ code: -1, message: 'User rejected', data: { why: 'busy' } });
    },
  ],
  '2026-07-28': [
    'has no way to say so: it just does not come back (S-I-09)',
    async ({ connect, server }) => {
      const client = await connect({ capabilities: { roots: {} } });
      await client.sendRequest('tools/call', { name: 'where' });
      expect((await client.request('tools/call', { name: 'nothing' })).isError).toBe(false);
      expect(engineOf(server).feed.size).toBe(0);
    },
  ],
});
