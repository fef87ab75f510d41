import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { McpClient } from '../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../test/support/wires.ts';
import { compose } from './compose-servers.ts';
import { prompt, resource, template, tool } from './server/define/define.ts';
import { createServer } from './create-server.ts';
import type { LogEntry } from './server/log/log.ts';
import type { Server } from './server/server.ts';
import { ToolError } from './server/call/tool-error.ts';
import type { Result } from './protocol/results.ts';
import type { ServerExtension } from './server/extension.ts';
import { engineOf } from './server/server-handle.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

function greeting(): Server {
  return createServer({
    name: 'greeting',
    version: '1',
    instructions: 'Greets.',
    invalidArguments: 'protocol-error',
    tools: [
      tool('greet', { input: nameForm }, ({ name }) => `Hello, ${name}!`),
      tool('ask', {}, async (_, { elicit }) => {
        const answer = await elicit({ message: 'Who?', schema: nameForm });
        return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!';
      }),
    ],
    prompts: [prompt('hi', { arguments: { to: { complete: ['Ada', 'Bob'] } } }, ({ to }) => `Greet ${to}`)],
    resources: [resource('greeting://last', {}, () => 'Ada')],
  });
}

function counting(): Server {
  return createServer({
    name: 'counting',
    version: '1',
    instructions: 'Counts.',
    tools: [
      tool('count', {}, () => {
        throw new ToolError('Lost count');
      }),
    ],
    templates: [template('number://{n}', { complete: { n: ['one', 'two'] } }, ({ n }) => String(n))],
  });
}

async function connect(server: Server, version = '2025-11-25'): Promise<McpClient> {
  const client = new McpClient(memoryWire(server), {
    version,
    capabilities: { elicitation: {} },
    answer: () => ({ action: 'accept', content: { name: 'Eve' } }),
  });
  await client.initialize();
  return client;
}

const whole = { name: 'whole', version: '2' };

describe('composed servers', () => {
  it('offer the entries of all parts', async () => {
    const client = await connect(compose({ greeting: greeting(), counting: counting() }, whole));
    const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);
    expect(names((await client.request('tools/list')).tools)).toEqual(['greet', 'ask', 'count']);
    expect(names((await client.request('prompts/list')).prompts)).toEqual(['hi']);
    expect((await client.request('resources/list')).resources).toMatchObject([{ uri: 'greeting://last' }]);
    expect((await client.request('resources/templates/list')).resourceTemplates).toHaveLength(1);
  });

  it('answer with their own name, and the instructions of all parts', async () => {
    const client = new McpClient(memoryWire(compose({ greeting: greeting(), counting: counting() }, whole)), {
      version: '2025-11-25',
    });
    const { result } = await client.initialize();
    expect(result).toMatchObject({ serverInfo: whole, instructions: 'Greets.\n\nCounts.' });
  });

  it('serve each entry by its part, with the settings of the part', async () => {
    const client = await connect(compose({ greeting: greeting(), counting: counting() }, whole));
    const call = (name: string, args?: object): Promise<{ content: unknown }> =>
      client.request('tools/call', { name, arguments: args });
    expect(await call('greet', { name: 'Ada' })).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    await expect(call('greet', { name: 1 })).rejects.toMatchObject({ code: -32602 });
    expect(await call('count')).toMatchObject({ isError: true, content: [{ text: 'Lost count' }] });
    expect(await client.request('resources/read', { uri: 'number://7' })).toMatchObject({ contents: [{ text: '7' }] });
    const ref = { type: 'ref/resource', uri: 'number://{n}' };
    const completed = await client.request('completion/complete', { ref, argument: { name: 'n', value: 't' } });
    expect(completed.completion.values).toEqual(['two']);
  });

  it('run the middleware of the part', async () => {
    const part = greeting();
    const seen: string[] = [];
    part.use((call, next) => {
      seen.push(`${call.method} ${String(call.params.name)}`);
      return next();
    });
    const client = await connect(compose({ greeting: { server: part, prefix: 'g_' } }, whole));
    await client.request('tools/call', { name: 'g_greet', arguments: { name: 'Ada' } });
    expect(seen).toEqual(['tools/call greet']);
  });

  it('prefix the names of tools and prompts', async () => {
    const client = await connect(compose({ greeting: { server: greeting(), prefix: 'g_' } }, whole));
    expect((await client.request('tools/list')).tools[0].name).toBe('g_greet');
    const got = await client.request('prompts/get', { name: 'g_hi', arguments: { to: 'Bob' } });
    expect(got.messages[0].content.text).toBe('Greet Bob');
    const ref = { type: 'ref/prompt', name: 'g_hi' };
    const completed = await client.request('completion/complete', { ref, argument: { name: 'to', value: 'b' } });
    expect(completed.completion.values).toEqual(['Bob']);
    await expect(client.request('tools/call', { name: 'greet' })).rejects.toMatchObject({ code: -32602 });
  });

  it.each(['2025-11-25', '2026-07-28'])('ask their client through the whole, in %s', async (version) => {
    const client = await connect(compose({ greeting: { server: greeting(), prefix: 'g_' } }, whole), version);
    const { content } = await client.request('tools/call', { name: 'g_ask' });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Eve!' }]);
  });

  it('reject two parts with the same name, and name it', () => {
    expect(() => compose({ a: greeting(), b: greeting() }, whole)).toThrow(
      '"greet" of b is offered by another part already: give one a prefix, or leave one out',
    );
    expect(() => compose({ a: greeting(), b: { server: greeting(), prefix: 'b_' } }, whole)).toThrow('greeting://last');
  });

  it('show what a part adds, replaces and removes later, and notify clients', async () => {
    const part = counting();
    const client = await connect(compose({ counting: part }, whole));
    part.tools.add(tool('new', {}, () => 'first'));
    await client.readNotification('notifications/tools/list_changed');
    expect(await client.request('tools/call', { name: 'new' })).toMatchObject({ content: [{ text: 'first' }] });
    part.tools.remove('new');
    part.tools.add(tool('new', { description: 'second' }, () => 'second'));
    await client.readNotification('notifications/tools/list_changed');
    expect((await client.request('tools/list')).tools[1]).toMatchObject({ name: 'new', description: 'second' });
    part.tools.remove('new');
    await client.readNotification('notifications/tools/list_changed');
    expect((await client.request('tools/list')).tools).toHaveLength(1);
  });

  it('notify clients when a template of a part lists other resources', async () => {
    const part = counting();
    const client = await connect(compose({ counting: part }, whole));
    engineOf(part).feed.publish({ kind: 'resources' });
    const { method } = await client.readNotification('notifications/resources/list_changed');
    expect(method).toBe('notifications/resources/list_changed');
  });

  it('notify subscribers when a resource of a part changes', async () => {
    const part = greeting();
    const client = await connect(compose({ greeting: part }, whole));
    await client.request('resources/subscribe', { uri: 'greeting://last' });
    part.resources.updated('greeting://last');
    const { params } = await client.readNotification('notifications/resources/updated');
    expect(params).toEqual({ uri: 'greeting://last' });
  });

  it('have the instructions of their parts, if any', async () => {
    const initializeResult = async (...parts: Server[]): Promise<unknown> => {
      const joined = compose(Object.fromEntries(parts.map((part, n) => [`part ${n}`, part])), whole);
      const { result } = await new McpClient(memoryWire(joined), { version: '2025-11-25' }).initialize();
      return result;
    };
    const silent = createServer({ name: 'silent', version: '1' });
    expect(await initializeResult(silent)).not.toHaveProperty('instructions');
    expect(await initializeResult(silent, counting(), createServer({ name: 'x', version: '1' }))).toHaveProperty(
      'instructions',
      'Counts.',
    );
  });

  it('serve a resource by the part with a matching template', async () => {
    const part = (name: string): Server =>
      createServer({
        name,
        version: '1',
        cache: { ttlMs: name.length, scope: 'public' },
        templates: [template(`${name}://{n}`, { complete: { n: [name] } }, ({ n }) => `${name} ${String(n)}`)],
        resources: [resource(`${name}:plain`, {}, () => name)],
      });
    const client = await connect(compose({ a: part('a'), bb: part('bb'), ccc: part('ccc') }, whole), '2026-07-28');
    expect(await client.request('resources/read', { uri: 'bb://x' })).toMatchObject({
      contents: [{ text: 'bb x' }],
      ttlMs: 2,
    });
    expect(await client.request('resources/read', { uri: 'ccc:plain' })).toMatchObject({ ttlMs: 3 });
    const completed = async (ref: object): Promise<unknown> => {
      const argument = { name: 'n', value: '' };
      return (await client.request('completion/complete', { ref, argument })).completion.values;
    };
    expect(await completed({ type: 'ref/resource', uri: 'bb://{n}' })).toEqual(['bb']);
    expect(await completed({ type: 'ref/resource', uri: 'ccc:plain' })).toEqual([]);
  });

  it('let the part interpret the rest of a name', async () => {
    const seen: string[] = [];
    const part = (label: string): Server => {
      const argument = { arguments: { to: { complete: [label] } } };
      return createServer({
        name: label,
        version: '1',
        tools: [tool('t', {}, () => label)],
        prompts: [prompt('p', argument, () => label)],
        templates: [template(`${label}://{to}`, { complete: { to: [label] } }, () => label)],
      }).use((operation, next) => {
        seen.push(`${label} ${operation.method} ${JSON.stringify(operation.params.ref ?? operation.params.name)}`);
        return next();
      });
    };
    const joined = compose({ a: { server: part('a'), prefix: 'a_' }, b: { server: part('b'), prefix: 'b_' } }, whole);
    const client = await connect(joined);
    expect((await client.request('tools/call', { name: 'b_t' })).content[0].text).toBe('b');
    expect((await client.request('prompts/get', { name: 'b_p' })).messages[0].content.text).toBe('b');
    const complete = (ref: object): Promise<{ completion: { values: string[] } }> =>
      client.request('completion/complete', { ref, argument: { name: 'to', value: '' } });
    expect((await complete({ type: 'ref/prompt', name: 'b_p' })).completion.values).toEqual(['b']);
    expect((await complete({ type: 'ref/resource', uri: 'b://{to}' })).completion.values).toEqual(['b']);
    await client.request('resources/read', { uri: 'b://x' });
    expect(seen).toEqual([
      'b tools/call "t"',
      'b prompts/get "p"',
      'b completion/complete {"type":"ref/prompt","name":"p"}',
      'b completion/complete {"type":"ref/resource","uri":"b://{to}"}',
      'b resources/read undefined',
    ]);
    seen.length = 0;
    const argument = { name: 'to', value: '' };
    await client.sendRequest('resources/read', { uri: 7 });
    await client.sendRequest('completion/complete', { argument });
    await client.sendRequest('completion/complete', { ref: 'x', argument });
    await client.sendRequest('completion/complete', { ref: { type: 'ref/resource', uri: 7 }, argument });
    expect(seen).toEqual([]);
    for (const name of ['t', 'xxt', 'b_', 'b_x']) {
      await expect(client.request('tools/call', { name })).rejects.toMatchObject({ message: `Unknown tool: ${name}` });
    }
  });

  it('answer unreadable names as a single server does', async () => {
    const client = await connect(compose({ greeting: greeting(), counting: counting() }, whole));
    const message = async (method: string, params: object): Promise<unknown> =>
      (await client.sendRequest(method, params as never)).error?.message;
    expect(await message('tools/call', { name: 7 })).toBe('"name" must be a string: the tool to call');
    expect(await message('prompts/get', {})).toBe('"name" must be a string: the prompt to get');
    expect(await message('resources/read', { uri: 7 })).toBe('"uri" must be a string: the address of a resource');
    const argument = { name: 'n', value: '' };
    expect(await message('completion/complete', { argument })).toMatch(/^"ref" must be/);
    expect(await message('completion/complete', { ref: 'x', argument })).toMatch(/^"ref" must be/);
    expect(await message('completion/complete', { ref: { type: 'ref/resource', uri: 7 }, argument })).toMatch(
      /^"ref" must be/,
    );
    expect(await message('completion/complete', { ref: { type: 'ref/prompt' }, argument })).toMatch(/^"ref" must be/);
  });

  it('list the entries of a part as the part does, under another name', async () => {
    const annotations = { readOnlyHint: true };
    const output = { type: 'object' } as const;
    const described = { title: 'T', description: 'D', _meta: { m: 1 } };
    const part = createServer({
      name: 'part',
      version: '1',
      tools: [
        tool('full', { ...described, input: nameForm, output, annotations }, () => ({})),
        tool('plain', {}, () => ''),
      ],
      prompts: [prompt('p', { ...described, arguments: { a: { required: true } } }, () => '')],
    });
    const rows = async (of: Server, list: string): Promise<Record<string, unknown>[]> => {
      const result = (await (await connect(of, '2026-07-28')).request(`${list}/list`)) as Record<string, never>;
      return result[list] ?? [];
    };
    const joined = compose({ part: { server: part, prefix: 'x_' } }, whole);
    for (const list of ['tools', 'prompts']) {
      const own = await rows(part, list);
      expect(own).not.toHaveLength(0);
      expect(await rows(joined, list)).toStrictEqual(own.map((row) => ({ ...row, name: `x_${String(row.name)}` })));
    }
  });

  it('show resources, templates and prompts that a part adds and removes later', async () => {
    const part = createServer({ name: 'part', version: '1', resources: [], prompts: [] });
    const joined = compose({ part: { server: part, prefix: 'x_' } }, whole);
    const client = await connect(joined);
    part.templates.add(template('late://{n}', {}, ({ n }) => String(n)));
    await client.readNotification('notifications/resources/list_changed');
    expect(joined.templates.has('late://{n}')).toBe(true);
    part.resources.add(resource('late:r', {}, () => 'r'));
    await client.readNotification('notifications/resources/list_changed');
    expect((await client.request('resources/list')).resources).toMatchObject([{ uri: 'late:r' }]);
    part.prompts.add(prompt('p', {}, () => 'p'));
    await client.readNotification('notifications/prompts/list_changed');
    expect([...joined.prompts].map(({ name }) => name)).toEqual(['x_p']);
    part.templates.remove('late://{n}');
    await client.readNotification('notifications/resources/list_changed');
    expect([joined.templates.size, joined.resources.size]).toEqual([0, 1]);
  });

  it('keep unchanged entries when something else changes', async () => {
    const part = counting();
    const joined = compose({ counting: part }, whole);
    const before = joined.tools.get('count');
    const client = await connect(joined);
    part.tools.add(tool('new', {}, () => ''));
    await client.readNotification('notifications/tools/list_changed');
    expect(joined.tools.get('count')).toBe(before);
    expect([...joined.tools].map(({ name }) => name)).toEqual(['count', 'new']);
  });

  it('are listed in their order, whichever is filled first', async () => {
    const late = (name: string): Server => createServer({ name, version: '1', tools: [], prompts: [], resources: [] });
    const [one, two, three] = [late('one'), late('two'), late('three')];
    const joined = compose({ one, two, three }, whole);
    for (const part of [three, one, two]) {
      const { name } = part.info;
      part.tools.add(
        tool(`${name}-a`, {}, () => ''),
        tool(`${name}-b`, {}, () => ''),
      );
      part.prompts.add(prompt(name, {}, () => ''));
      part.resources.add(resource(`${name}://r`, {}, () => ''));
      part.templates.add(template(`${name}://{id}`, {}, () => ''));
      await nextTurn();
    }
    expect([...joined.tools].map(({ name }) => name)).toEqual(
      ['one', 'two', 'three'].flatMap((name) => [`${name}-a`, `${name}-b`]),
    );
    expect([...joined.prompts].map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect([...joined.resources].map(({ uri }) => uri)).toEqual(['one://r', 'two://r', 'three://r']);
    expect([...joined.templates].map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['one', 'two', 'three'].map((name) => `${name}://{id}`),
    );
  });

  it('serve of two with one name the first, whichever was there first, and the other once that is removed', async () => {
    const log: LogEntry[] = [];
    const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
    const late = (name: string): Server => createServer({ name, version: '1', tools: [], prompts: [], resources: [] });
    const parts = { one: late('one'), two: late('two') };
    const joined = compose(parts, { ...whole, logger });
    const client = await connect(joined);
    const served = async (): Promise<unknown[]> => {
      const called = await client.request('tools/call', { name: 'same' });
      const read = await client.request('resources/read', { uri: 'same://r' });
      const matched = await client.request('resources/read', { uri: 'same:x' });
      const got = await client.request('prompts/get', { name: 'same' });
      return [called.content[0].text, read.contents[0].text, matched.contents[0].text, got.messages[0].content.text];
    };
    for (const name of ['two', 'one'] as const) {
      parts[name].tools.add(tool('same', {}, () => name));
      parts[name].resources.add(resource('same://r', {}, () => name));
      parts[name].templates.add(template('same:{id}', {}, () => name));
      parts[name].prompts.add(prompt('same', {}, () => name));
      await nextTurn();
      expect(await served()).toEqual([name, name, name, name]);
    }
    const remedies = ['give one a prefix', 'give one another URI (an upstream of a gateway, a "uriPrefix")'];
    expect(log.map(({ data }) => data)).toEqual(
      [
        ['same', remedies[0]],
        ['same://r', remedies[1]],
        ['same:{id}', remedies[1]],
        ['same', remedies[0]],
      ].map(([name, remedy]) => `"${name}" of two is offered by another part already: ${remedy}, or leave one out`),
    );
    parts.one.tools.remove('same');
    parts.one.resources.remove('same://r');
    parts.one.templates.remove('same:{id}');
    parts.one.prompts.remove('same');
    await nextTurn();
    expect(await served()).toEqual(['two', 'two', 'two', 'two']);
  });

  it('log a later addition under a name that is taken', async () => {
    const log: LogEntry[] = [];
    const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
    const part = counting();
    const joined = compose({ greeting: greeting(), counting: part }, { ...whole, logger });
    const client = await connect(joined);
    part.tools.add(tool('greet', {}, () => 'mine'));
    await client.readNotification('notifications/tools/list_changed');
    const said = '"greet" of counting is offered by another part already: give one a prefix, or leave one out';
    expect(log).toEqual([{ level: 'error', logger: 'whole', data: said }]);
    part.tools.add(tool('other', {}, () => ''));
    await client.readNotification('notifications/tools/list_changed');
    part.resources.updated('number://1');
    const { content } = await client.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } });
    expect(content[0].text).toBe('Hello, Ada!');
    expect(log).toHaveLength(1);
  });

  it('ignore changes of extensions and single resources of a part', async () => {
    const log: LogEntry[] = [];
    const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
    const id = 'com.example/x';
    const notifications = { 'notifications/x': { broadcast: true } };
    const part = createServer({ name: 'part', version: '1', resources: [], extensions: [{ id, notifications }] });
    const client = new McpClient(memoryWire(compose({ part }, { ...whole, logger })), {
      version: '2025-11-25',
      capabilities: { extensions: { [id]: {} } },
    });
    await client.initialize();
    part.resources.updated('x://y');
    part.notify('notifications/x', { n: 1 });
    expect((await client.readNotification('notifications/x')).params).toEqual({ n: 1 });
    expect(log).toEqual([]);
  });

  it('show tools and prompts that only their parts can run', () => {
    const joined = compose({ greeting: greeting() }, whole);
    const context = {} as never;
    expect(() => joined.tools.get('greet')?.call({} as never, context)).toThrow('A part serves this itself');
    expect(() => joined.prompts.get('hi')?.get({} as never, context)).toThrow('A part serves this itself');
  });
});

describe('the parts of a composed server', () => {
  const part = (name: string, call = (): unknown => name): Server =>
    createServer({ name, version: '1', tools: [tool(name, {}, () => call() as string)] });
  const names = async (client: McpClient): Promise<string[]> =>
    (await client.request('tools/list')).tools.map((row: { name: string }) => row.name);

  it('can be added and removed while clients are connected, which are notified', async () => {
    const joined = compose({ one: part('one') }, whole);
    const client = await connect(joined);
    joined.parts.add('two', { server: part('two'), prefix: 'b_' });
    await client.readNotification('notifications/tools/list_changed');
    expect(await names(client)).toEqual(['one', 'b_two']);
    expect((await client.request('tools/call', { name: 'b_two' })).content[0].text).toBe('two');

    expect(joined.parts.remove('one')).toBe(true);
    await client.readNotification('notifications/tools/list_changed');
    expect(await names(client)).toEqual(['b_two']);
    expect(joined.parts.labels()).toEqual(['two']);
    expect(joined.parts.remove('one')).toBe(false);
    await expect(client.request('tools/call', { name: 'one' })).rejects.toThrow('one');
  });

  it('can be added before another one, which then gives way to it', async () => {
    const joined = compose({ one: part('one'), two: part('two') }, whole);
    const late = createServer({ name: 'late', version: '1', tools: [tool('late', {}, () => 'late')] });
    joined.parts.add('late', late, { before: 'two' });
    expect(joined.parts.labels()).toEqual(['one', 'late', 'two']);
    expect([...joined.tools].map(({ name }) => name)).toEqual(['one', 'late', 'two']);

    late.tools.add(tool('two', {}, () => 'from late'));
    const client = await connect(joined);
    expect((await client.request('tools/call', { name: 'two' })).content[0].text).toBe('from late');
    expect(() => joined.parts.add('more', part('more'), { before: 'none' })).toThrow('There is no part "none"');
    expect(joined.parts.labels()).toEqual(['one', 'late', 'two']);
  });

  it('finish their running calls after their removal', async () => {
    let finish: (text: string) => void = () => {};
    const text = new Promise<string>((resolve) => {
      finish = resolve;
    });
    let begun: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = part('slow', () => {
      begun();
      return text;
    });
    const joined = compose({ slow }, whole);
    const client = await connect(joined);
    const call = client.request('tools/call', { name: 'slow' });
    await running;
    joined.parts.remove('slow');
    finish('done');
    expect((await call).content[0].text).toBe('done');
  });

  it('no longer change the composed server after their removal', async () => {
    const one = part('one');
    const joined = compose({ one }, whole);
    joined.parts.remove('one');
    one.tools.add(tool('late', {}, () => ''));
    await Promise.resolve();
    expect(joined.tools.size).toBe(0);
  });

  it('leave their names to others that offer the same', async () => {
    const two = part('two');
    const logger = { level: 'error', write: () => {} } as const;
    const joined = compose({ one: part('same', () => 'of one'), two }, { ...whole, logger });
    const client = await connect(joined);
    two.tools.add(tool('same', {}, () => 'of two'));
    await client.readNotification('notifications/tools/list_changed');
    expect((await client.request('tools/call', { name: 'same' })).content[0].text).toBe('of one');
    joined.parts.remove('one');
    expect(await names(client)).toEqual(['two', 'same']);
    expect((await client.request('tools/call', { name: 'same' })).content[0].text).toBe('of two');
  });

  it('are unchanged if one can not be added', () => {
    const extension = { id: 'com.example/x' };
    const joined = compose({ one: part('one') }, whole);
    const clash = createServer({
      name: 'clash',
      version: '1',
      tools: [tool('a', {}, () => ''), tool('one', {}, () => '')],
    });
    expect(() => joined.parts.add('one', part('two'))).toThrow('There is a part "one" already');
    expect(() => joined.parts.add('clash', clash)).toThrow('"one" of clash is offered by another part already');
    expect(() => joined.parts.add('two', createServer({ name: 'two', version: '1', extensions: [extension] }))).toThrow(
      'two has the extension "com.example/x", which the whole was made without',
    );
    expect(() => joined.parts.add('two', createServer({ name: 'two', version: '1', lists: 'by-scope' }))).toThrow(
      "make the whole with lists: 'by-scope'",
    );
    expect(joined.parts.labels()).toEqual(['one']);
    expect([...joined.tools].map(({ name }) => name)).toEqual(['one']);
  });

  it('serve the requests of a joined extension until their removal', async () => {
    const join = (parts: readonly ServerExtension[]): ServerExtension => ({
      ...(parts[0] as ServerExtension),
      methods: {
        'x/names': {
          serve: async (operation) => {
            const all = parts.map(async ({ methods }) => (await methods?.['x/names']?.serve(operation)) as Result);
            return { names: (await Promise.all(all)).flatMap(({ names: own }) => own as string[]) };
          },
        },
      },
    });
    const named = (name: string): Server => {
      const serve = (): Result => ({ names: [name] });
      const extension = { id: 'com.example/x', methods: { 'x/names': { serve, servesEveryone: true } }, join };
      return createServer({ name, version: '1', extensions: [extension] });
    };
    const joined = compose({ a: named('a') }, whole);
    const client = await connect(joined);
    expect(await client.request('x/names')).toEqual({ names: ['a'] });
    joined.parts.add('b', named('b'));
    expect(await client.request('x/names')).toEqual({ names: ['a', 'b'] });
    joined.parts.remove('a');
    expect(await client.request('x/names')).toEqual({ names: ['b'] });
    joined.parts.remove('b');
    await expect(client.request('x/names')).rejects.toThrow('Method not found');
  });
});
