import { afterEach, describe, expect, it, vi } from 'vitest';
import { newestHandshake } from '../revisions/history.ts';
import { createServer, type ServerOptions } from '../create-server.ts';
import { prompt, resource, template, tool } from './define/define.ts';
import { connectDirect } from './fixtures/direct-client.ts';
import { runInBackground } from './run-in-background.ts';
import type { LogEntry } from './log/log.ts';
import type { Middleware } from './call/operation.ts';
import { isServer, engineOf } from './server-handle.ts';
import type { Server } from './server.ts';

const self = { name: 'n', version: '1' };
const greet = tool('greet', {}, () => 'Hello');
const note = resource('note://one', {}, () => 'one');
const notes = template('note://{n}', {}, () => 'n');
const hi = prompt('hi', {}, () => 'Hi');
const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('what a server is made of', () => {
  it('needs a name and a version', () => {
    for (const wrong of [{}, { name: 'n' }, { version: '1' }, { name: 1, version: '1' }]) {
      expect(() => createServer(wrong as never)).toThrow('createServer needs a name and a version');
    }
  });

  it('has a secret of at least 32 bytes, if any', () => {
    const stateSecret = (size: number): Server => createServer({ ...self, stateSecret: new Uint8Array(size) });
    expect(() => stateSecret(31)).toThrow('stateSecret must have at least 32 bytes');
    expect(isServer(stateSecret(32))).toBe(true);
    const secrets = (...sizes: number[]): Server =>
      createServer({ ...self, stateSecret: sizes.map((size) => new Uint8Array(size)) });
    expect(() => secrets(32, 31)).toThrow('stateSecret must have at least 32 bytes');
    expect(() => secrets()).toThrow('stateSecret is an empty list');
    expect(isServer(secrets(32, 33))).toBe(true);
  });

  it('has exactly the given identity', () => {
    expect(createServer(self).info).toStrictEqual(self);
    const full = { ...self, title: 'T', description: 'D', websiteUrl: 'https://a.example', icons: [{ src: 'x:y' }] };
    expect(createServer({ ...full, tools: [] }).info).toStrictEqual(full);
  });

  it.each<[string, Partial<ServerOptions>, object]>([
    ['nothing', {}, {}],
    ['tools', { tools: [greet] }, { tools: { listChanged: true } }],
    ['tools to come', { tools: [] }, { tools: { listChanged: true } }],
    ['resources', { resources: [note] }, { resources: { subscribe: true, listChanged: true } }],
    ['resources to come', { resources: [] }, { resources: { subscribe: true, listChanged: true } }],
    ['templates', { templates: [notes] }, { resources: { subscribe: true, listChanged: true } }],
    ['templates to come', { templates: [] }, { resources: { subscribe: true, listChanged: true } }],
    ['prompts', { prompts: [hi] }, { prompts: { listChanged: true } }],
    ['prompts to come', { prompts: [] }, { prompts: { listChanged: true } }],
  ])('offers %s', (_, options, capabilities) => {
    expect(createServer({ ...self, ...options }).capabilities).toStrictEqual({ ...capabilities, logging: {} });
  });

  it('offers entries that are added later', () => {
    const server = createServer(self);
    server.tools.add(greet);
    server.templates.add(notes);
    server.prompts.add(hi);
    expect(Object.keys(server.capabilities)).toEqual(['tools', 'resources', 'prompts', 'logging']);
    server.templates.remove('note://{n}');
    expect(server.capabilities).not.toHaveProperty('resources');
    server.resources.add(note);
    expect(server.capabilities).toHaveProperty('resources');
  });

  it('declares completions if an argument or a variable has a completer', () => {
    const completes = (options: Partial<ServerOptions>): boolean =>
      'completions' in createServer({ ...self, ...options }).capabilities;
    const argument = (complete?: string[]) => (complete === undefined ? {} : { complete });
    const asking = prompt('a', { arguments: { x: argument(), y: argument(['1']) } }, () => '');
    const plain = prompt('p', { arguments: { x: argument() } }, () => '');
    const filling = template('a://{x}', { complete: { x: ['1'] } }, () => '');
    expect(completes({ prompts: [hi, plain], templates: [notes] })).toBe(false);
    expect(completes({ prompts: [hi, plain, asking], templates: [notes] })).toBe(true);
    expect(completes({ prompts: [hi, plain], templates: [notes, filling] })).toBe(true);
  });

  it('declares its extensions in the eras that have them', () => {
    const extensions = [
      { id: 'com.example/a', era: 'handshake' as const },
      { id: 'com.example/b', settings: { n: 1 } },
      { id: 'com.example/c', era: 'stateless' as const },
    ];
    const server = createServer({ ...self, extensions });
    expect(server.capabilities.extensions).toEqual({ 'com.example/b': { n: 1 }, 'com.example/c': {} });
    const only = createServer({ ...self, extensions: extensions.slice(0, 1) });
    expect(only.capabilities).not.toHaveProperty('extensions');
    expect(engineOf(only).capabilities.forRevision(newestHandshake).extensions).toEqual({ 'com.example/a': {} });
  });
});

it('the properties of extension methods are in the table of methods', () => {
  const methods = { 'x/do': { urgent: true, serve: () => ({}) } };
  const notifications = { 'notifications/x': { droppable: true } };
  const engine = engineOf(createServer({ ...self, extensions: [{ id: 'com.example/x', methods, notifications }] }));
  expect(engine.methods.of('x/do').urgent).toBe(true);
  expect(engine.methods.of('notifications/x').droppable).toBe(true);
  expect(engine.methods.of('ping').urgent).toBe(true);
});

describe('names that are taken', () => {
  it('are rejected by kind', () => {
    const server = createServer({ ...self, tools: [greet], resources: [note], templates: [notes], prompts: [hi] });
    const taken = (kind: string, name: string): string =>
      `There is already a ${kind} "${name}": remove it first, or choose another name`;
    expect(() => server.tools.add(greet)).toThrow(taken('tool', 'greet'));
    expect(() => server.resources.add(note)).toThrow(taken('resource', 'note://one'));
    expect(() => server.templates.add(notes)).toThrow(taken('template', 'note://{n}'));
    expect(() => server.prompts.add(hi)).toThrow(taken('prompt', 'hi'));
  });
});

describe('a change', () => {
  const full = (): Server =>
    createServer({ ...self, tools: [greet], resources: [note], templates: [notes], prompts: [hi] });

  it('is sent to handshake clients, each list once in a turn', async () => {
    const server = full();
    const client = connectDirect(server, { version: '2025-11-25' });
    const received = async (): Promise<(string | undefined)[]> => {
      await turn();
      return client.received.splice(0).map((message) => ('method' in message ? message.method : undefined));
    };
    server.tools.remove('greet');
    server.tools.add(greet);
    expect(await received()).toEqual(['notifications/tools/list_changed']);
    server.resources.remove('note://one');
    expect(await received()).toEqual(['notifications/resources/list_changed']);
    server.templates.remove('note://{n}');
    expect(await received()).toEqual(['notifications/resources/list_changed']);
    server.prompts.remove('hi');
    server.resources.changed();
    expect(await received()).toEqual(['notifications/prompts/list_changed', 'notifications/resources/list_changed']);
  });

  it('is not notified if no entry was added or removed', async () => {
    const server = full();
    const client = connectDirect(server, { version: '2025-11-25' });
    server.tools.add();
    expect(server.tools.remove('other')).toBe(false);
    expect(() => server.tools.add(greet)).toThrow('already');
    await turn();
    expect(client.received).toEqual([]);
    expect(server.tools.remove('greet')).toBe(true);
    await turn();
    expect(client.received).toStrictEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });

  it('is a notification of an extension, equal ones merged per tick', async () => {
    const id = 'com.example/x';
    const notifications = { 'notifications/a': { broadcast: true }, 'notifications/b': { broadcast: true } };
    const server = createServer({ ...self, extensions: [{ id, notifications }] });
    const client = connectDirect(server, { version: '2025-11-25', capabilities: { extensions: { [id]: {} } } });
    server.notify('notifications/a');
    server.notify('notifications/a', { n: 1 });
    server.notify('notifications/a', { n: 1 });
    server.notify('notifications/b', { n: 1 });
    await turn();
    expect(client.received).toStrictEqual([
      { jsonrpc: '2.0', method: 'notifications/a', params: {} },
      { jsonrpc: '2.0', method: 'notifications/a', params: { n: 1 } },
      { jsonrpc: '2.0', method: 'notifications/b', params: { n: 1 } },
    ]);
  });

  it('of an extension of one era reaches the clients of that era', async () => {
    const id = 'com.example/x';
    const notifications = { 'notifications/a': { broadcast: true } };
    const server = createServer({ ...self, extensions: [{ id, era: 'handshake', notifications }] });
    const client = connectDirect(server, { version: '2025-11-25', capabilities: { extensions: { [id]: {} } } });
    server.notify('notifications/a');
    await turn();
    expect(client.received).toHaveLength(1);
  });

  it('of a list invalidates its cached first page', () => {
    const server = full();
    const { request } = connectDirect(server, { version: '2025-11-25' });
    const titles = () => (request('tools/list') as { result: { toJSON(): { tools: object[] } } }).result.toJSON().tools;
    expect(titles()).toHaveLength(1);
    server.tools.remove('greet');
    expect(titles()).toHaveLength(0);
  });
});

describe('the log of a server', () => {
  const logging = (level: 'debug' | 'warning' | 'emergency' = 'warning') => {
    const entries: LogEntry[] = [];
    const logger = { level, write: (entry: LogEntry) => void entries.push(entry) };
    return { entries, server: createServer({ ...self, tools: [greet], logger }) };
  };

  it('is written from its level on', () => {
    const { server, entries } = logging();
    server.log('info', 'a');
    server.log('warning', 'b');
    server.log('error', { c: 1 }, 'part');
    expect(entries).toEqual([
      { level: 'warning', logger: 'n', data: 'b' },
      { level: 'error', logger: 'part', data: { c: 1 } },
    ]);
  });

  it('reaches handshake clients that are ready, from the level that they want', async () => {
    const { server } = logging();
    const client = connectDirect(server, { version: '2025-11-25' });
    await client.request('logging/setLevel', { level: 'error' });
    const listening = connectDirect(server);
    void listening.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const before = listening.received.length;
    server.log('warning', 'a');
    server.log('error', 'b');
    expect(client.received).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: 'n', data: 'b' } },
    ]);
    expect(listening.received).toHaveLength(before);
  });

  it('does not reach a client whose level is not known', () => {
    const { server } = logging();
    const client = connectDirect(server, { version: '2025-11-25' });
    (client.peer.session as { logLevel: unknown }).logLevel = undefined;
    server.log('error', 'b');
    expect(client.received).toEqual([]);
  });

  it('says which levels there are', () => {
    const client = connectDirect(logging().server, { version: '2025-11-25' });
    expect(client.request('logging/setLevel', { level: 'loud' })).toMatchObject({
      error: {
        code: -32602,
        message: '"level" must be one of debug, info, notice, warning, error, critical, alert, emergency',
      },
    });
  });

  it('has errors with their cause, from its level', () => {
    const error = new Error('x');
    const { server, entries } = logging();
    server.reportError('It failed', error);
    expect(entries).toEqual([{ level: 'error', logger: 'n', data: 'It failed', error }]);
    const quiet = logging('emergency');
    quiet.server.reportError('It failed', error);
    expect(quiet.entries).toEqual([]);
  });

  it('goes to stderr by default: warnings and errors', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const server = createServer(self);
    server.log('notice', 'a');
    expect(write).not.toHaveBeenCalled();
    server.log('warning', 'b');
    expect(write).toHaveBeenCalledOnce();
  });

  it('has what fails beside the answers', async () => {
    const { server, entries } = logging();
    const error = new Error('x');
    runInBackground(server, () => {
      throw error;
    });
    runInBackground(server, async () => 'fine');
    await turn();
    expect(entries).toEqual([{ level: 'error', logger: 'n', data: 'Unexpected error beside HTTP requests', error }]);
  });
});

describe('middleware', () => {
  const seeing = async (middleware: Middleware): Promise<unknown> => {
    let seen: unknown;
    const server = createServer({
      ...self,
      tools: [{ name: 'it', call: (_: never, { meta }) => ((seen = meta), '') }],
    }).use(middleware);
    await connectDirect(server, { version: '2025-11-25', meta: { own: 1 } }).request('tools/call', { name: 'it' });
    return seen;
  };

  it('that hands on the operation itself means it as it is', async () => {
    expect(await seeing((operation, next) => next(operation as never))).toEqual({ own: 1 });
    expect(await seeing((_, next) => next())).toEqual({ own: 1 });
  });

  it('that hands on other params replaces them', async () => {
    expect(await seeing(({ params }, next) => next({ ...params, _meta: { other: 2 } }))).toEqual({ other: 2 });
  });
});

describe('the state of a suspended call', () => {
  const asking = (options: Partial<ServerOptions> = {}): Server =>
    createServer({
      ...self,
      tools: [tool('ask', {}, async (_, { elicit }) => (await elicit({ message: 'Who?', schema })).action)],
      ...options,
    });
  const lasting = async (server: Server, ms: number): Promise<string> => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { request } = connectDirect(server, { capabilities: { elicitation: {} } });
    const suspended = await request('tools/call', { name: 'ask' });
    vi.advanceTimersByTime(ms);
    const requestState: unknown = suspended?.result.requestState;
    const inputResponses = { 'input-1': { action: 'decline' } };
    const answer = await request('tools/call', { name: 'ask', requestState, inputResponses });
    return answer?.error === undefined ? answer?.result.content[0].text : answer.error.message;
  };

  it('lasts ten minutes', async () => {
    expect(await lasting(asking(), 600_000)).toBe('decline');
    expect(await lasting(asking(), 600_001)).toBe('"requestState" has expired: start the request again');
  });

  it('lasts as long as the server says', async () => {
    expect(await lasting(asking({ stateLifetimeMs: 50 }), 50)).toBe('decline');
    expect(await lasting(asking({ stateLifetimeMs: 50 }), 51)).toBe(
      '"requestState" has expired: start the request again',
    );
  });
});

describe('what is behind a server', () => {
  it('is known of servers only', () => {
    expect(isServer(createServer(self))).toBe(true);
    for (const other of [undefined, null, 'server', {}, () => {}]) expect(isServer(other)).toBe(false);
    expect(() => engineOf({} as Server)).toThrow('This is no server: make one with createServer of @ccmcp/core');
  });

  it('is found under a key that every copy of the library knows', () => {
    const server = createServer(self);
    expect(Reflect.get(server, Symbol.for('@ccmcp/core engine'))).toBe(engineOf(server));
    expect(Object.keys(server)).not.toHaveLength(0);
    expect(Object.getOwnPropertySymbols({ ...server })).toEqual([]);
  });

  it('shows through', () => {
    const server = createServer({ ...self, tools: [greet], resources: [note], templates: [notes], prompts: [hi] });
    const engine = engineOf(server);
    expect(server.info).toBe(engine.info);
    expect([server.tools, server.resources, server.templates, server.prompts]).toEqual([
      engine.catalog.tools,
      engine.catalog.resources,
      engine.catalog.templates,
      engine.catalog.prompts,
    ]);
    expect(server.use((_, next) => next())).toBe(server);
  });
});
