import {
  audio,
  type ContentBlock,
  embeddedResource,
  image,
  ProtocolError,
  resourceLink,
  type Tool,
  text,
  ToolError,
  tool,
} from '@ccmcp/core';

const nothing = { type: 'object', properties: {} } as const;

/** A list of lists of numbers: the schema is recursive, so wrapping it must rewrite the reference. */
const nested = {
  type: 'array',
  items: { anyOf: [{ type: 'number' }, { $ref: '#' }] },
} as const;

/** Every kind of content, with all its members. */
const blocks: ContentBlock[] = [
  { ...text('words'), annotations: { audience: ['user', 'assistant'], priority: 0.5 } },
  image(new Uint8Array([137, 80, 78, 71]), 'image/png'),
  { ...audio(new Uint8Array([82, 73, 70, 70]), 'audio/wav'), annotations: { audience: ['user'] } },
  embeddedResource({ uri: 'text://hello', mimeType: 'text/plain', text: 'Hello' }),
  resourceLink({ uri: 'data://json', name: 'json', title: 'Some data', mimeType: 'application/json', size: 13 }),
];

export const tools: Tool[] = [
  tool(
    'add',
    {
      description: 'Adds two numbers',
      input: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    },
    ({ a, b }) => String(a + b),
  ),
  tool(
    'decorated',
    {
      title: 'A decorated tool',
      description: 'Has all that a listing can have',
      annotations: {
        title: 'Decorated',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      icons: [{ src: 'data:image/png;base64,iVBORw0=', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
      _meta: { 'com.example/shelf': 7 },
      input: nothing,
    },
    () => 'done',
  ),
  tool('blocks', { description: 'Every kind of content' }, () => blocks),
  tool('nothing', { description: 'Returns nothing' }, () => undefined),
  tool('open', { input: { type: 'object', properties: { anything: true, never: false } } }, ({ anything }) =>
    JSON.stringify(anything),
  ),
  tool(
    'person',
    {
      output: {
        type: 'object',
        properties: { name: { type: 'string' }, extra: true },
        required: ['name'],
      },
    },
    () => ({ name: 'Ann', extra: [1] }),
  ),
  tool('nested', { output: nested }, () => [1, [2, [3]]]),
  tool('absent', { output: { type: 'null' } }, () => null),
  tool('untyped', {}, () => [1, 2, 3] as object),
  tool('finished', {}, () => ({
    content: [text('as it is')],
    structuredContent: { ready: true },
    _meta: { 'com.example/took': 3 },
  })),
  tool(
    'broken-promise',
    { output: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
    () => ({
      content: [text('no number')],
      structuredContent: { n: 'none' },
    }),
  ),
  tool('tool-error', {}, () => {
    throw new ToolError('The printer is out of paper');
  }),
  tool('tool-error-later', {}, async () => {
    throw new ToolError('not shown', [text('The printer'), text('is on fire')]);
  }),
  tool('protocol-error', {}, () => {
    throw new ProtocolError(4001, 'Try another printer', { printers: ['lp1'] });
  }),
  tool('crash', {}, () => {
    throw new Error('password is hunter2');
  }),
  tool('crash-later', {}, async () => {
    await Promise.resolve();
    throw new TypeError('password is hunter2');
  }),
  tool(
    'count',
    {
      input: {
        type: 'object',
        properties: { steps: { type: 'array', items: { type: 'number' } } },
        required: ['steps'],
      },
    },
    async ({ steps }, { progress }) => {
      for (const step of steps) {
        progress(step, 10, `step ${step}`);
        await Promise.resolve();
      }
      return 'counted';
    },
  ),
  tool('late-progress', {}, (_, { progress, log }) => {
    setImmediate(() => {
      progress(1);
      log('emergency', 'late: sent');
    });
    return 'done before that';
  }),
  tool('talk', {}, (_, { log }) => {
    log('debug', 'a detail');
    log('info', { fact: 1 });
    log('warning', 'a warning', 'weather');
    log('emergency', 'the end');
    return 'talked';
  }),
  tool('wait', {}, async (_, { signal, log }) => {
    log('debug', 'wait: started');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    log('debug', `wait: ${String(signal.reason)}`);
    return 'too late';
  }),
  tool('whoami', {}, (_, { clientInfo, method, requestId, meta }) => ({
    client: clientInfo?.name ?? null,
    method,
    requestId: requestId ?? null,
    trace: meta.traceparent ?? null,
  })),
];
