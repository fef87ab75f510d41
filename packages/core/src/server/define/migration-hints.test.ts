import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createServer } from '../../create-server.ts';
import { prompt, resource, template, tool } from './define.ts';
import { connectDirect, textOf } from '../fixtures/direct-client.ts';

/** What an author wrote without a compiler. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is wrong on purpose has no type
const loose = { tool, resource, template, prompt, createServer } as Record<string, any>;
const self = { name: 'server', version: '1.0.0' };
const handler = (): string => 'x';
const toolLine = 'tool("greet", { description: "…", input: … }, (args, context) => …)';
const promptLine = 'prompt("greet", { arguments: { topic: { required: true } } }, (args, context) => …)';

describe('a tool written as in another library', () => {
  it.each(['inputSchema', 'parameters', 'paramsSchema', 'argsSchema', 'args', 'schema', 'params'])(
    'is rejected with "%s", also as an object',
    (word) => {
      const message = `Tool "greet" has "${word}": write "input: …" instead, as in ${toolLine}`;
      expect(() => loose.tool('greet', { [word]: { name: z.string() } }, handler)).toThrow(message);
      const tools = [{ name: 'greet', [word]: {}, call: handler }];
      expect(() => loose.createServer({ ...self, tools })).toThrow(message);
    },
  );

  it.each([
    ['outputSchema', 'output: …'],
    ['readOnlyHint', 'annotations: { readOnlyHint: … }'],
    ['timeout', 'timeoutMs: …'],
    ['meta', '_meta: …'],
  ])('is rejected with "%s"', (word, remedy) => {
    expect(() => loose.tool('greet', { [word]: {} }, handler)).toThrow(`Tool "greet" has "${word}": write "${remedy}"`);
  });

  it.each(['handler', 'execute', 'callback', 'cb', 'run', 'call'])(
    'is rejected with "%s" among the options',
    (word) => {
      const message = `Tool "greet" has "${word}" among its options, and the handler comes last: write ${toolLine}`;
      expect(() => loose.tool('greet', { [word]: handler })).toThrow(message);
    },
  );

  it.each(['handler', 'execute', 'callback'])('is rejected as an object that has "%s"', (word) => {
    const message = `Tool "greet" has no handler: give it a "call" function instead of "${word}", or write ${toolLine}`;
    const tools = [{ name: 'greet', [word]: handler }];
    expect(() => loose.createServer({ ...self, tools })).toThrow(message);
    expect(() => createServer(self).tools.add(tools[0] as never)).toThrow(message);
  });

  it.each([
    [
      'the description second',
      ['greet', 'Greets', { name: z.string() }, handler],
      'Tool "greet" has a text in place of',
    ],
    ['no options', ['greet', handler], 'Tool "greet" has a function in place of its options'],
    ['a schema second', ['greet', z.object({}), handler], 'Tool "greet" has something else in place of its options'],
    ['nothing else', ['greet'], 'Tool "greet" has nothing in place of its options'],
    ['a list second', ['greet', [], handler], 'Tool "greet" has something else in place of its options'],
    ['no handler', ['greet', {}], 'Tool "greet" has no handler, a function that comes last'],
    ['its name among the options', ['greet', { name: 'greet' }, handler], 'Tool "greet" has "name" among its options'],
    ['all in one object', [{ name: 'greet', execute: handler }], 'tool() takes its name first'],
  ])('is rejected with %s', (_, args, message) => {
    expect(() => loose.tool(...args)).toThrow(message);
    expect(() => loose.tool(...args)).toThrow(toolLine);
  });

  it('is rejected with the shape of its arguments in place of the options', () => {
    expect(() => loose.tool('add', { a: z.number(), b: z.number() }, handler)).toThrow(
      'Tool "add" has a schema for "a" among its options: write "input: { a: … }" instead',
    );
  });

  it('may have members of its own where it is an object of a class', () => {
    class Greeter {
      readonly name = 'greet';
      readonly parameters = ['x'];
      handler = handler;
      call(): string {
        return this.handler();
      }
    }
    expect(createServer({ ...self, tools: [new Greeter()] }).tools.size).toBe(1);
  });

  it('may have other options besides, which mean nothing here', () => {
    expect(loose.tool('greet', { own: 1, inputSchema: undefined }, handler)).toMatchObject({ name: 'greet', own: 1 });
  });

  it('works with an object of schemas as its input', async () => {
    const greet = tool('greet', { input: { name: z.string() } }, ({ name }) => `Hello, ${name}!`);
    const { request } = connectDirect(createServer({ ...self, tools: [greet] }));
    const call = (args: object) => request('tools/call', { name: 'greet', arguments: args });
    expect(textOf(await call({ name: 'Ada' }))).toBe('Hello, Ada!');
    expect(textOf(await call({}))).toContain('Invalid arguments for tool "greet": name:');
    expect((await request('tools/list'))?.result.toJSON().tools).toMatchObject([
      { inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
    ]);
  });

  it('is rejected with the properties of its input alone', () => {
    const greet = loose.tool('greet', { input: { name: { type: 'string' } } }, handler);
    expect(() => loose.createServer({ ...self, tools: [greet] })).toThrow(
      'Tool "greet": The input schema can\'t be used: it has properties alone, such as "name", without the object around',
    );
  });
});

describe('a prompt written as in another library', () => {
  it.each(['argsSchema', 'inputSchema', 'input', 'parameters'])('is rejected with "%s"', (word) => {
    const message = `Prompt "greet" has "${word}": write "arguments: …" instead, as in ${promptLine}`;
    expect(() => loose.prompt('greet', { [word]: {} }, handler)).toThrow(message);
    expect(() => loose.createServer({ ...self, prompts: [{ name: 'greet', [word]: {}, get: handler }] })).toThrow(
      message,
    );
  });

  it.each([
    [
      'a handler among the options',
      ['greet', { load: handler }],
      '"load" among its options, and the handler comes last',
    ],
    ['the description second', ['greet', 'Greets', handler], 'a text in place of its options'],
    ['no handler', ['greet', {}], 'no handler'],
    ['a schema for an argument', ['greet', { topic: z.string() }, handler], 'a schema for "topic" among its options'],
  ])('is rejected with %s', (_, args, message) => {
    expect(() => loose.prompt(...args)).toThrow(`Prompt "greet" has ${message}`);
  });

  it.each([
    ['a list', [{ name: 'topic', required: true }], 'its arguments must be an object with a member for each of them'],
    ['one schema', z.object({ topic: z.string() }), 'its arguments must be an object'],
    ['schemas', { topic: z.string() }, 'its argument "topic" must be an object'],
    ['texts', { topic: 'string' }, 'its argument "topic" must be an object'],
  ])('is rejected with %s for its arguments', (_, args, message) => {
    const prompts = [loose.prompt('greet', { arguments: args }, handler)];
    expect(() => loose.createServer({ ...self, prompts })).toThrow(`Prompt "greet": ${message}`);
    expect(() => loose.createServer({ ...self, prompts })).toThrow('write arguments: { topic: { description');
  });

  it('is rejected as an object without a handler', () => {
    const prompts = [{ name: 'greet', handler }];
    expect(() => loose.createServer({ ...self, prompts })).toThrow(
      'Prompt "greet" has no handler: give it a "get" function',
    );
  });
});

describe('a resource written as in another library', () => {
  it.each([
    ['its name first', ['config', 'config://app', handler], 'Resource "config" has a text in place of its options'],
    ['a handler among the options', ['config://app', { load: handler }], '"load" among its options'],
    ['its address among the options', ['config://app', { uri: 'config://app' }, handler], '"uri" among its options'],
    [
      'another word for its type',
      ['config://app', { mime_type: 'text/plain' }, handler],
      'write "mimeType: …" instead',
    ],
    ['all in one object', [{ uri: 'config://app', load: handler }], 'write resource("config://app", { name: "…" }'],
  ])('is rejected with %s', (_, args, message) => {
    expect(() => loose.resource(...args)).toThrow(message);
  });

  it('is rejected with variables in its address', () => {
    const resources = [resource('users://{id}', {}, handler)];
    expect(() => createServer({ ...self, resources })).toThrow('write template("users://{id}", { name: "…" }');
  });

  it('is rejected as an object without a handler, and so is a template', () => {
    const resources = [{ uri: 'config://app', name: 'config', load: handler }];
    expect(() => loose.createServer({ ...self, resources })).toThrow('give it a "read" function instead of "load"');
    const templates = [{ uriTemplate: 'users://{id}', name: 'user', handler }];
    expect(() => loose.createServer({ ...self, templates })).toThrow('Template "users://{id}" has no handler');
    expect(() => loose.createServer({ ...self, templates: [{ name: 'user', read: handler }] })).toThrow(
      'A template needs a pattern',
    );
    expect(() => loose.template({ uriTemplate: 'users://{id}' }, {}, handler)).toThrow('write template("users://{id}"');
  });

  it('may be read as a whole result, with or without addresses', async () => {
    const parts = [{ text: 'a' }, { uri: 'config://b', text: 'b', mimeType: 'text/x' }];
    const resources = [
      resource('config://a', {}, () => ({ contents: parts })),
      resource('config://data', {}, () => ({ contents: ['a list of its own'] })),
    ];
    const { request } = connectDirect(createServer({ ...self, resources }));
    expect((await request('resources/read', { uri: 'config://a' }))?.result.contents).toEqual([
      { uri: 'config://a', text: 'a' },
      { uri: 'config://b', text: 'b', mimeType: 'text/x' },
    ]);
    expect((await request('resources/read', { uri: 'config://data' }))?.result.contents).toMatchObject([
      { text: '{"contents":["a list of its own"]}' },
    ]);
  });
});

describe('a server used as one of another library', () => {
  const server = createServer(self) as unknown as Record<string, (...args: unknown[]) => unknown>;

  it.each([
    ['tool', 'server.tools.add(tool('],
    ['registerTool', 'server.tools.add(tool('],
    ['addTool', 'server.tools.add(tool('],
    ['registerResource', 'server.resources.add(resource('],
    ['addResourceTemplate', 'server.templates.add(template('],
    ['registerPrompt', 'server.prompts.add(prompt('],
    ['setRequestHandler', 'server.use('],
    ['connect', 'serveStdio(server)'],
    ['start', 'serveHttp(server, { port: 3000 })'],
  ])('says what to write instead of "%s"', (name, remedy) => {
    expect(() => server[name]?.('x', {}, handler)).toThrow(`A server has no "${name}"`);
    expect(() => server[name]?.('x', {}, handler)).toThrow(remedy);
  });

  it('hides these from enumeration of its members', () => {
    expect(Object.keys(server)).not.toContain('connect');
    for (const name in server) expect(name).not.toBe('connect');
  });

  it('says what it is made of', () => {
    expect(() => loose.createServer()).toThrow('createServer needs a name and a version: createServer({ name');
    expect(() => loose.createServer({ ...self, tools: { greet: { execute: handler } } })).toThrow(
      'createServer: "tools" must be a list, such as tools: [tool(…)]',
    );
    expect(loose.createServer({ ...self, tools: new Set() }).tools.size).toBe(0);
  });
});
