import { createServer, image, prompt, resource, stderrLogger, template, ToolError, tool } from '@ccmcp/core';

/** @typedef {import('@ccmcp/core/client').Client} Client */
/** @typedef {import('@ccmcp/core/client').ConnectOptions} ConnectOptions */
/** @typedef {(options: ConnectOptions) => Promise<Client>} Connecting */

const order = /** @type {const} */ ({
  type: 'object',
  properties: {
    isbn: { type: 'string', pattern: '^[0-9]{3}(-[0-9]+)+$' },
    twice: { type: 'string', pattern: '^(ab|cd)\\1$' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    mail: { type: 'string', format: 'email' },
  },
  required: ['isbn'],
});

/** A server that uses the features of its runtime: timers, random numbers, digests, regular expressions, bytes. */
export function featureServer() {
  const server = createServer({
    name: 'features',
    version: '1.0.0',
    pageSize: 4,
    logger: stderrLogger('error'),
    tools: [
      tool(
        'order',
        { input: order, output: { type: 'object', properties: { of: { type: 'string' } } } },
        ({ isbn: of }) => ({ of }),
      ),
      tool('fail', {}, () => {
        throw new ToolError('on purpose');
      }),
      tool('ask', {}, async (_, { elicit }) => {
        const schema = /** @type {const} */ ({ type: 'object', properties: { name: { type: 'string' } } });
        const { action, content } = await elicit({ message: 'Who?', schema });
        return `${action} ${content?.name}`;
      }),
      tool('walk', {}, async (_, { progress, log }) => {
        for (const step of [1, 2]) {
          await new Promise((resolve) => void setTimeout(resolve, 5));
          progress(step, 2);
          log('notice', `step ${step}`);
        }
        return 'there';
      }),
      tool(
        'sleep',
        { timeoutMs: 50 },
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      ),
      tool('draw', {}, () => image(new Uint8Array([251, 255, 190]), 'image/png')),
      tool(
        'repeat',
        {
          input: {
            type: 'object',
            properties: { text: { type: 'string', 'x-mcp-header': 'Text' } },
            required: ['text'],
          },
        },
        ({ text }) => text,
      ),
      tool('grow', {}, () => {
        server.tools.add(tool(`grown_${server.tools.size}`, {}, () => 'new'));
        return 'grown';
      }),
    ],
    resources: [resource('bytes://all', { name: 'bytes' }, () => new Uint8Array([0, 1, 254, 255]))],
    templates: [
      template('word://{word}', { name: 'word', complete: { word: ['hello', 'help'] } }, ({ word }) => String(word)),
    ],
    prompts: [prompt('greet', { arguments: { name: { complete: ['Ada', 'Alan'] } } }, ({ name }) => `Greet ${name}`)],
  });
  return server;
}

/**
 * Uses everything of the server above, and returns a line per unexpected result.
 *
 * @param {Connecting} connecting
 * @param {{ eras?: readonly ('handshake' | 'stateless')[], listens?: boolean }} [options]
 */
export async function tryFeatures(connecting, { eras = ['handshake', 'stateless'], listens = true } = {}) {
  /** @type {string[]} */
  const wrong = [];
  let tried = 0;
  for (const era of eras) {
    const received = /** @type {{ logs: unknown[], steps: number[] }} */ ({ logs: [], steps: [] });
    const client = await connecting({
      era,
      timeoutMs: 20_000,
      logLevel: 'info',
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      onLog: ({ data }) => received.logs.push(data),
    });
    for (const [name, given, expected] of await featuresOf(client, received, listens)) {
      tried += 1;
      if (JSON.stringify(given) !== JSON.stringify(expected)) {
        wrong.push(`${era}, ${name}: ${JSON.stringify(given)} instead of ${JSON.stringify(expected)}`);
      }
    }
    await client.close();
  }
  return { tried, wrong };
}

/**
 * @param {Client} client
 * @param {{ logs: unknown[], steps: number[] }} received
 * @param {boolean} listens
 * @returns {Promise<[what: string, given: unknown, expected: unknown][]>}
 */
async function featuresOf(client, received, listens) {
  /** @param {string} name @param {Record<string, unknown>} [args] */
  const call = async (name, args) => {
    const { content, isError } = await client.callTool(name, args);
    const [first] = content;
    const text = first?.type === 'text' ? first.text : first?.type === 'image' ? first.data : first?.type;
    return isError ? `error: ${text}` : text;
  };
  /** @param {Record<string, unknown>} args */
  const rejection = async (args) =>
    (await call('order', args))?.replace('error: Invalid arguments for tool "order": ', '');
  const { values } = await client.complete({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'name', value: 'Al' },
  });
  const walked = await client.callTool(
    'walk',
    {},
    { onProgress: ({ progress }) => void received.steps.push(progress) },
  );
  const { contents } = await client.readResource('bytes://all');
  const { messages } = await client.getPrompt('greet', { name: 'Ada' });
  const names = (await client.listTools().all()).map(({ name }) => name);
  const ordered = await client.callTool('order', {
    isbn: '978-3-16',
    twice: 'abab',
    tags: ['a', 'b'],
    mail: 'a@b.example',
  });
  const listed = listens ? await firstChange(client, call) : 'tools';
  return [
    ['a tool with an output schema', ordered.structuredContent, { of: '978-3-16' }],
    [
      'a pattern that does not fit',
      await rejection({ isbn: '978' }),
      'isbn: must match the pattern ^[0-9]{3}(-[0-9]+)+$, got "978"',
    ],
    [
      'a costly pattern',
      await rejection({ isbn: '978-1', twice: 'abcd' }),
      'twice: must match the pattern ^(ab|cd)\\1$, got "abcd"',
    ],
    [
      'items that are not unique',
      await rejection({ isbn: '978-1', tags: ['a', 'a'] }),
      'tags: must not have equal items ([1])',
    ],
    [
      'a format that does not fit',
      await rejection({ isbn: '978-1', mail: 'x' }),
      'mail: must be in "email" format, got "x"',
    ],
    ['an error of a tool', await call('fail'), 'error: on purpose'],
    ['a question', await call('ask'), 'accept Ada'],
    ['work with steps', walked.content, [{ type: 'text', text: 'there' }]],
    ['its progress', received.steps.includes(1), true],
    ['its log', received.logs.includes('step 1'), true],
    ['a time limit', (await call('sleep'))?.slice(0, 54), 'error: Tool "sleep" did not finish within 0.05 seconds'],
    ['a picture', await call('draw'), '+/++'],
    ['a text that a header carries in base64', await call('repeat', { text: 'grüße ☃' }), 'grüße ☃'],
    ['bytes', contents[0] !== undefined && 'blob' in contents[0] ? contents[0].blob : undefined, 'AAH+/w=='],
    ['a resource of a template', textIn(await client.readResource('word://hello')), 'hello'],
    ['a prompt', messages[0]?.content, { type: 'text', text: 'Greet Ada' }],
    ['a completion', values, ['Alan']],
    ['a list in pages', names.slice(0, 8), ['order', 'fail', 'ask', 'walk', 'sleep', 'draw', 'repeat', 'grow']],
    ['a change of a list', listed, 'tools'],
  ];
}

/** @param {{ contents: unknown[] }} result */
function textIn({ contents: [first] }) {
  return /** @type {{ text?: string } | undefined} */ (first)?.text;
}

/** @param {Client} client @param {(name: string) => Promise<unknown>} call */
async function firstChange(client, call) {
  const changes = await client.listen({ tools: true });
  await call('grow');
  for await (const { kind } of changes) {
    await changes.close();
    return kind;
  }
  return 'none';
}
