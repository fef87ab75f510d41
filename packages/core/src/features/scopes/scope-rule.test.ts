import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { prompt, resource, template, type Tool, tool } from '../../server/define/define.ts';
import type { Auth, AuthPolicy } from '../../server/peer.ts';
import { type DirectClient, connectDirect, textOf } from '../../server/fixtures/direct-client.ts';
import type { LogEntry } from '../../server/log/log.ts';
import type { Middleware } from '../../server/call/operation.ts';
import { insufficientScope } from './insufficient-scope.ts';
import type { Server } from '../../server/server.ts';

/** A way in whose callers are asked who they are, as over HTTP. */
const asking: AuthPolicy = {
  authenticates: true,
  allowsAnonymous: true,
  scopeErrorForm: () => 'error',
  challenges: () => ['Bearer'],
};

function caller(...scopes: string[]): Auth {
  return { principal: 'ann', scopes };
}

function serverWith(options: Partial<ServerOptions>): Server {
  return createServer({ name: 's', version: '1', ...options });
}

function limited(server: Server, ...scopes: string[]): DirectClient {
  return connectDirect(server, { auth: caller(...scopes), authPolicy: asking });
}

function missingScopes(...requiredScopes: string[]): object {
  return { error: { code: -32600, data: { requiredScopes } } };
}

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;

describe('the declared scopes', () => {
  const words: [unknown, RegExp][] = [
    ['notes:write', /Tool "t": "scopes" must be a list, such as \["notes:write"\], or a function/],
    ['a b', /such as \["a","b"\]/],
    [['a b'], /"a b" is no scope: write one entry for each/],
    [['a"b'], /is no scope: use 1 to 256 printable ASCII characters/],
    [['a\\b'], /is no scope/],
    [['ä'], /is no scope/],
    [['a\nb'], /is no scope/],
    [[''], /is no scope/],
    [['x'.repeat(257)], /is no scope/],
    [[7], /an entry of "scopes" is no scope/],
    [{}, /must be a list/],
    [Array.from({ length: 33 }, (_, each) => `s${each}`), /has 33 entries: 32 is the most/],
  ];

  it.each(words)('are rejected if they are no list of scopes: %j', (scopes, message) => {
    expect(() => serverWith({ tools: [{ name: 't', scopes, call: () => '' } as never] })).toThrow(message);
  });

  it('allow secret only with scopes, and only as a boolean', () => {
    const secret = { secret: true };
    const alone = /"secret" needs "scopes", which says who may use it/;
    expect(() => serverWith({ resources: [resource('x://y', secret, () => '')] })).toThrow(alone);
    expect(() => serverWith({ templates: [template('x://{y}', secret, () => '')] })).toThrow(alone);
    const wrong = { scopes: ['a'], secret: 'yes' as never };
    const message = /Resource "x:\/\/y": "secret" must be true or false/;
    expect(() => serverWith({ resources: [resource('x://y', wrong, () => '')] })).toThrow(message);
  });

  it('allow secret only for resources and templates', () => {
    const secret = { scopes: ['a'], secret: true };
    const message = /"t" has "secret", which is for resources and templates: write lists: "by-scope" for createServer/;
    expect(() => tool('t', secret, () => '')).toThrow(message);
    expect(() => prompt('t', secret, () => '')).toThrow(message);
    expect(() => serverWith({ tools: [{ name: 't', secret: 'a key', call: () => '' } as Tool] })).not.toThrow();
  });

  it('must not contain offline_access (AR-14)', () => {
    const wrong = { scopes: ['a', 'offline_access'] };
    const message = /"offline_access" asks for a refresh token and protects nothing: leave it out/;
    expect(() => serverWith({ tools: [tool('t', wrong, () => '')] })).toThrow(message);
    expect(() => serverWith({ resources: [resource('x://y', wrong, () => '')] })).toThrow(message);
    expect(() => serverWith({ templates: [template('x://{y}', wrong, () => '')] })).toThrow(message);
    expect(() => serverWith({ prompts: [prompt('p', wrong, () => '')] })).toThrow(message);
    expect(() => insufficientScope(['offline_access'])).toThrow(message);
  });

  it('can not be changed afterwards', async () => {
    const scopes = ['a'];
    const server = serverWith({ tools: [tool('t', { scopes }, () => 'done')] });
    scopes.length = 0;
    expect(await limited(server).request('tools/call', { name: 't' })).toMatchObject(missingScopes('a'));
  });

  it('are rejected under other names', () => {
    const wrong = { name: 't', requiredScopes: ['a'], call: () => '' };
    expect(() => serverWith({ tools: [wrong] })).toThrow(/"requiredScopes": write "scopes: …" instead/);
  });
});

describe('a tool with scopes', () => {
  it('can be called only by callers with all of them (AR-80)', async () => {
    const handler = vi.fn<() => string>(() => 'purged');
    const server = serverWith({ tools: [tool('purge', { scopes: ['notes:write', 'notes:purge'] }, handler)] });
    for (const scopes of [[], ['notes:write'], ['notes:purge', 'notes'], ['NOTES:WRITE', 'notes:purge']]) {
      expect(await limited(server, ...scopes).request('tools/call', { name: 'purge' })).toMatchObject(
        missingScopes('notes:write', 'notes:purge'),
      );
    }
    expect(handler).not.toHaveBeenCalled();
    const allowed = limited(server, 'notes:purge', 'other', 'notes:write');
    expect(textOf(await allowed.request('tools/call', { name: 'purge' }))).toBe('purged');
  });

  it('names the needed scopes in its error', async () => {
    const server = serverWith({
      tools: [tool('one', { scopes: ['a'] }, () => ''), tool('two', { scopes: ['a', 'b'] }, () => '')],
    });
    const messages = async (client: DirectClient): Promise<unknown[]> =>
      Promise.all(['one', 'two'].map(async (name) => (await client.request('tools/call', { name }))?.error?.message));
    expect(await messages(limited(server))).toEqual([
      'Tool "one" needs the scope a, which you were not granted',
      'Tool "two" needs the scopes a, b, which you were not granted',
    ]);
    expect(await messages(connectDirect(server, { authPolicy: asking }))).toEqual([
      'Tool "one" requires authentication: sign in, and be granted the scope a',
      'Tool "two" requires authentication: sign in, and be granted the scopes a, b',
    ]);
  });

  it('does not restrict callers without scopes: stdio, API keys, an endpoint without authentication', async () => {
    const server = serverWith({ tools: [tool('purge', { scopes: ['a'] }, () => 'purged')] });
    const unasked: AuthPolicy = { ...asking, authenticates: false, allowsAnonymous: false };
    for (const lent of [{}, { auth: { principal: 'key' }, authPolicy: asking }, { authPolicy: unasked }]) {
      expect(textOf(await connectDirect(server, lent).request('tools/call', { name: 'purge' }))).toBe('purged');
    }
  });

  it('treats a token without scopes as granting none (trap 5.7)', async () => {
    const server = serverWith({ tools: [tool('purge', { scopes: ['a'] }, () => 'purged')] });
    expect(await limited(server).request('tools/call', { name: 'purge' })).toMatchObject(missingScopes('a'));
  });

  it('with an empty list requires authentication only', async () => {
    const server = serverWith({ tools: [tool('mine', { scopes: [] }, () => 'yours')] });
    expect(textOf(await limited(server).request('tools/call', { name: 'mine' }))).toBe('yours');
    const nobody = await connectDirect(server, { authPolicy: asking }).request('tools/call', { name: 'mine' });
    expect(nobody).toMatchObject(missingScopes());
    expect(nobody?.error.message).toBe('Tool "mine" requires authentication: sign in');
  });

  it('does not validate the arguments of a caller without access', async () => {
    const server = serverWith({ tools: [tool('t', { input: path, scopes: ['a'] }, () => '')] });
    expect(await limited(server).request('tools/call', { name: 't', arguments: { path: 7 } })).toMatchObject(
      missingScopes('a'),
    );
    expect(await limited(server).request('tools/call', { name: 't', arguments: 7 })).toMatchObject(missingScopes('a'));
    const allowed = await limited(server, 'a').request('tools/call', { name: 't', arguments: { path: 7 } });
    expect(textOf(allowed)).toMatch(/path: expected string/);
  });

  it('does not count rejected callers towards the rate limit', async () => {
    const rateLimit = { calls: 1, perMs: 3_600_000 };
    const server = serverWith({ tools: [tool('t', { scopes: ['a'], rateLimit }, () => 'done')] });
    await limited(server).request('tools/call', { name: 't' });
    expect(textOf(await limited(server, 'a').request('tools/call', { name: 't' }))).toBe('done');
  });

  it('may be an object of a class', async () => {
    class Purge implements Tool {
      readonly name = 'purge';
      readonly input = path;
      #prefix = 'purge:';

      scopes({ path }: { path: string }): string[] {
        return [this.#prefix + path];
      }

      call(): string {
        return 'purged';
      }
    }
    const part = serverWith({ tools: [new Purge()] });
    for (const [server, name] of [
      [part, 'purge'],
      [compose({ part: { server: part, prefix: 'my_' } }, { name: 'whole', version: '1' }), 'my_purge'],
    ] as const) {
      const params = { name, arguments: { path: 'x' } };
      expect(await limited(server).request('tools/call', params)).toMatchObject(missingScopes('purge:x'));
      expect(textOf(await limited(server, 'purge:x').request('tools/call', params))).toBe('purged');
    }
  });
});

describe('scopes that depend on the arguments', () => {
  const options = {
    input: z.object({ path: z.string().transform((text) => text.trim()), dry: z.boolean().optional() }),
  };

  it('are computed from validated arguments (AR-80)', async () => {
    const worked = vi.fn<(args: { path: string; dry?: boolean | undefined }) => string[] | undefined>(
      ({ path, dry }) => (dry ? undefined : [`write:${path}`]),
    );
    const server = serverWith({ tools: [tool('write', { ...options, scopes: worked }, ({ path }) => path)] });
    const nobody = connectDirect(server, { authPolicy: asking });
    const call = (client: DirectClient, args: object) =>
      client.request('tools/call', { name: 'write', arguments: { ...args } });
    expect(textOf(await call(nobody, { path: 7 }))).toMatch(/^Invalid arguments/);
    expect(worked).not.toHaveBeenCalled();
    expect(await call(nobody, { path: ' x ' })).toMatchObject(missingScopes('write:x'));
    expect(await call(limited(server, 'write:y'), { path: ' x ' })).toMatchObject(missingScopes('write:x'));
    expect(textOf(await call(limited(server, 'write:x'), { path: ' x ' }))).toBe('x');
    expect(textOf(await call(nobody, { path: 'x', dry: true }))).toBe('x');
  });

  it('deny access if they can not be resolved', async () => {
    const handler = vi.fn<() => string>(() => '');
    const log: LogEntry[] = [];
    const oddities: unknown[] = ['a', ['a b'], [`write:${'x'.repeat(300)}`], Promise.resolve([]), null, 7];
    const server = serverWith({
      tools: [
        ...oddities.map((odd, each) => tool(`t${each}`, { scopes: () => odd as string[] }, handler)),
        tool(
          'throws',
          {
            scopes: () => {
              throw new Error('a secret');
            },
          },
          handler,
        ),
      ],
      logger: { level: 'error', write: (entry) => void log.push(entry) },
    });
    for (const name of [...oddities.map((_, each) => `t${each}`), 'throws']) {
      const answer = await limited(server, 'a').request('tools/call', { name });
      expect(textOf(answer)).toBe(`Tool "${name}" failed unexpectedly`);
    }
    expect(handler).not.toHaveBeenCalled();
    expect(log.length).toBe(oddities.length + 1);
  });
});

describe('resources, templates and prompts with scopes', () => {
  const server = serverWith({
    resources: [resource('x://secret', { scopes: ['read'] }, () => 'secret'), resource('x://open', {}, () => 'open')],
    templates: [
      template(
        'n://{owner}/{id}',
        { scopes: ({ owner }, uri) => (uri ? [`read:${String(owner)}`] : []) },
        () => 'note',
      ),
      template('m://{id}', { scopes: ['read'], complete: { id: ['one'] } }, () => 'note'),
    ],
    prompts: [
      prompt('review', { scopes: ['review'], arguments: { code: { required: true, complete: ['a'] } } }, () => 'go'),
      prompt(
        'plan',
        { arguments: { what: { required: true, complete: ['a'] } }, scopes: ({ what }) => [`plan:${what}`] },
        () => 'go',
      ),
    ],
  });

  it('can be read by callers with their scopes (AR-80)', async () => {
    const requests: [string, object, string][] = [
      ['resources/read', { uri: 'x://secret' }, 'read'],
      ['resources/read', { uri: 'n://bob/1' }, 'read:bob'],
      ['resources/read', { uri: 'm://1' }, 'read'],
      ['prompts/get', { name: 'review', arguments: { code: 'x' } }, 'review'],
      ['prompts/get', { name: 'plan', arguments: { what: 'x' } }, 'plan:x'],
    ];
    for (const [method, params, scope] of requests) {
      expect(await limited(server, 'other').request(method, { ...params })).toMatchObject(missingScopes(scope));
      expect(await connectDirect(server, { authPolicy: asking }).request(method, { ...params })).toMatchObject(
        missingScopes(scope),
      );
      expect(await limited(server, scope).request(method, { ...params })).toHaveProperty('result');
      expect(await connectDirect(server).request(method, { ...params })).toHaveProperty('result');
    }
  });

  it('do not validate the arguments of callers without access', async () => {
    const wrong = { name: 'review', arguments: { unknown: 'x' } };
    expect(await limited(server).request('prompts/get', wrong)).toMatchObject(missingScopes('review'));
    expect(await limited(server, 'review').request('prompts/get', wrong)).toMatchObject({ error: { code: -32602 } });
  });

  it('can not be subscribed to without their scopes', async () => {
    for (const uri of ['x://secret', 'n://bob/1']) {
      const needed = uri === 'x://secret' ? 'read' : 'read:bob';
      const handshake = { version: '2025-11-25', authPolicy: asking };
      expect(
        await connectDirect(server, { ...handshake, auth: caller() }).request('resources/subscribe', { uri }),
      ).toMatchObject(missingScopes(needed));
      expect(
        await connectDirect(server, { ...handshake, auth: caller(needed) }).request('resources/subscribe', { uri }),
      ).toMatchObject({ result: {} });
    }
  });

  it('can not be listened to without their scopes, and all missing ones are reported at once', async () => {
    const client = limited(server, 'read:eve');
    const resourceSubscriptions = ['x://secret', 'n://bob/1', 'n://eve/1', 'x://open', 'x://nothing'];
    const answer = await client.request('subscriptions/listen', { notifications: { resourceSubscriptions } });
    expect(answer).toMatchObject(missingScopes('read', 'read:bob', 'read:eve'));
    expect(client.received).toEqual([]);
  });

  it('do not notify earlier subscribers without their scopes', async () => {
    const late = serverWith({ resources: [resource('x://open', {}, () => '')] });
    const client = limited(late, 'a');
    const resourceSubscriptions = ['x://open', 'x://late'];
    void client.request('subscriptions/listen', { notifications: { resourceSubscriptions } }, 'l');
    late.resources.add(resource('x://late', { scopes: ['b'] }, () => ''));
    late.resources.updated('x://late');
    late.resources.updated('x://open');
    await vi.waitFor(() => expect(client.received.length).toBeGreaterThan(1));
    expect(client.received.slice(1)).toMatchObject([{ params: { uri: 'x://open' } }]);
    client.peer.running.get('l')?.cancel();
  });

  it('are not completed without their scopes', async () => {
    const argument = { name: 'code', value: '' };
    const ofPrompt = { ref: { type: 'ref/prompt', name: 'review' }, argument };
    const ofTemplate = { ref: { type: 'ref/resource', uri: 'm://{id}' }, argument: { name: 'id', value: '' } };
    const method = 'completion/complete';
    expect(await limited(server).request(method, ofPrompt)).toMatchObject(missingScopes('review'));
    expect(await limited(server).request(method, ofTemplate)).toMatchObject(missingScopes('read'));
    expect(await limited(server, 'review').request(method, ofPrompt)).toMatchObject({
      result: { completion: { total: 1 } },
    });
    expect(await limited(server, 'read').request(method, ofTemplate)).toMatchObject({
      result: { completion: { total: 1 } },
    });
  });

  it('are completed for authenticated callers if the scopes depend on missing arguments', async () => {
    const params = { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'what', value: '' } };
    const nobody = connectDirect(server, { authPolicy: asking });
    expect(await nobody.request('completion/complete', params)).toMatchObject(missingScopes());
    expect(await limited(server).request('completion/complete', params)).toHaveProperty('result.completion');
  });

  it('listed by a template are filtered by access', async () => {
    const rows = ['n://bob/1', 'n://eve/1', 'n://eve bad/1'].map((uri) => ({ uri, name: uri }));
    const list = () => ({ resources: rows });
    const listed = serverWith({
      cache: { ttlMs: 1000, scope: 'public' },
      resources: [resource('x://secret', { scopes: ['read'] }, () => 'secret')],
      templates: [
        template(
          'm://{id}',
          { scopes: ['read'], list: () => ({ resources: [{ uri: 'm://1', name: 'm' }] }) },
          () => '',
        ),
        template('n://{owner}/{id}', { scopes: ({ owner }) => [`read:${String(owner)}`], list }, () => ''),
      ],
    });
    const uris = async (client: DirectClient): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await client.request('resources/list', cursor === undefined ? {} : { cursor });
        expect(answer?.result).toMatchObject({ cacheScope: 'private', ttlMs: 1000 });
        found.push(...answer?.result.resources.map(({ uri }: { uri: string }) => uri));
        cursor = answer?.result.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    expect(await uris(limited(listed))).toEqual(['x://secret']);
    expect(await uris(limited(listed, 'read'))).toEqual(['x://secret', 'm://1']);
    expect(await uris(limited(listed, 'read:eve'))).toEqual(['x://secret', 'n://eve/1']);
    expect(await uris(connectDirect(listed))).toEqual(['x://secret', 'm://1', 'n://bob/1', 'n://eve/1']);
  });
});

describe('the scope check', () => {
  it('runs before middleware', async () => {
    const server = serverWith({ tools: [tool('purge', { scopes: ['a'] }, () => 'purged')] });
    const middleware = vi.fn<Middleware>((_, next) => next());
    server.use(middleware);
    expect(await limited(server).request('tools/call', { name: 'purge' })).toMatchObject(missingScopes('a'));
    expect(middleware).not.toHaveBeenCalled();
    expect(textOf(await limited(server, 'a').request('tools/call', { name: 'purge' }))).toBe('purged');
    expect(middleware).toHaveBeenCalledOnce();
  });

  it('runs again if middleware changes the call', async () => {
    const options = { scopes: ['a'] };
    const server = serverWith({
      tools: [tool('open', {}, () => ''), tool('secret', { ...options, input: path }, () => '')],
      resources: [resource('x://open', {}, () => ''), resource('x://secret', options, () => '')],
      prompts: [
        prompt('open', {}, () => ''),
        prompt('secret', { ...options, arguments: { x: { required: true, complete: ['y'] } } }, () => ''),
      ],
    });
    server.use((operation, next) => next(JSON.parse(JSON.stringify(operation.params).replace('open', 'secret'))));
    const argument = { name: 'x', value: '' };
    const requests: [string, Record<string, unknown>][] = [
      ['tools/call', { name: 'open', arguments: { path: 7 } }],
      ['resources/read', { uri: 'x://open' }],
      ['prompts/get', { name: 'open' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'open' }, argument }],
    ];
    for (const [method, params] of requests) {
      expect(await limited(server).request(method, params)).toMatchObject(missingScopes('a'));
    }
    const client = connectDirect(server, { version: '2025-11-25', auth: caller(), authPolicy: asking });
    expect(await client.request('resources/subscribe', { uri: 'x://open' })).toMatchObject(missingScopes('a'));
  });

  it('runs again when a suspended call is resumed', async () => {
    const ask = tool('ask', { scopes: ['a'] }, async (_, { roots }) => String((await roots()).length));
    const server = serverWith({ tools: [ask] });
    const lent = { authPolicy: asking, capabilities: { roots: {} } };
    const first = await connectDirect(server, { ...lent, auth: caller('a') }).request('tools/call', { name: 'ask' });
    const { requestState, inputRequests } = first?.result ?? {};
    const inputResponses = { [Object.keys(inputRequests)[0] as string]: { roots: [] } };
    const again = { name: 'ask', requestState, inputResponses };
    expect(await connectDirect(server, { ...lent, auth: caller() }).request('tools/call', again)).toMatchObject(
      missingScopes('a'),
    );
    expect(textOf(await connectDirect(server, { ...lent, auth: caller('a') }).request('tools/call', again))).toBe('0');
  });

  it('covers methods of extensions', async () => {
    const serve = vi.fn<() => Record<string, never>>(() => ({}));
    const extension = (scopes: unknown): NonNullable<ServerOptions['extensions']> => [
      { id: 'com.example/x', era: 'handshake', methods: { 'x/do': { serve, scopes: scopes as string[] } } },
    ];
    expect(() => serverWith({ extensions: extension(['a b']) })).toThrow(
      /Extension "com.example\/x": "x\/do": "a b" is no scope/,
    );
    const part = serverWith({ extensions: extension((params: { of?: string }) => [`x:${params.of}`]) });
    const whole = compose({ part }, { name: 'w', version: '1' });
    for (const server of [part, whole]) {
      serve.mockClear();
      const client = connectDirect(server, { version: '2025-11-25', auth: caller('x:b'), authPolicy: asking });
      expect(await client.request('x/do', { of: 'a' })).toMatchObject(missingScopes('x:a'));
      expect(serve).not.toHaveBeenCalled();
      expect(await client.request('x/do', { of: 'b' })).toMatchObject({ result: {} });
    }
  });

  it('covers the parts of composed servers', async () => {
    const part = serverWith({
      tools: [tool('t', { scopes: ['a'] }, () => 'done')],
      resources: [resource('x://y', { scopes: ['a'] }, () => '')],
      templates: [template('x://t/{z}', { scopes: ['a'] }, () => '')],
      prompts: [prompt('p', { scopes: ['a'] }, () => '')],
    });
    const whole = compose({ part: { server: part, prefix: 'p_' } }, { name: 'w', version: '1' });
    const requests: [string, Record<string, string>][] = [
      ['tools/call', { name: 'p_t' }],
      ['resources/read', { uri: 'x://y' }],
      ['resources/read', { uri: 'x://t/1' }],
      ['prompts/get', { name: 'p_p' }],
    ];
    for (const [method, params] of requests) {
      expect(await limited(whole).request(method, params)).toMatchObject(missingScopes('a'));
      expect(await limited(whole, 'a').request(method, params)).toHaveProperty('result');
    }
  });
});

describe('insufficientScope', () => {
  const server = serverWith({
    tools: [
      tool('t', { scopes: ['a'] }, () => {
        throw insufficientScope(['b']);
      }),
      tool('later', {}, async () => {
        throw insufficientScope(['b', 'c'], 'Only for owners');
      }),
    ],
    resources: [
      resource('x://y', {}, () => {
        throw insufficientScope(['b']);
      }),
    ],
  });

  it('thrown by a handler is a result that names the scopes, on stdio (AR-81)', async () => {
    const client = connectDirect(server);
    const answer = await client.request('tools/call', { name: 't' });
    expect(answer?.result).toMatchObject({ isError: true });
    expect(answer?.result._meta).not.toHaveProperty('mcp/www_authenticate');
    expect(textOf(answer)).toBe('This needs the scope b, which you were not granted');
    expect(textOf(await client.request('tools/call', { name: 'later' }))).toBe('Only for owners');
  });

  it('includes the scopes that the call needed before (AR-15)', async () => {
    expect(await limited(server, 'a').request('tools/call', { name: 't' })).toMatchObject(missingScopes('b', 'a'));
    expect(await limited(server).request('tools/call', { name: 'later' })).toMatchObject(missingScopes('b', 'c'));
  });

  it('outside a tool is an error', async () => {
    expect(await connectDirect(server).request('resources/read', { uri: 'x://y' })).toMatchObject(missingScopes('b'));
  });
});

describe('the log', () => {
  it('names the caller who was challenged, once per call, without the token (AR-16)', async () => {
    const log: LogEntry[] = [];
    const server = serverWith({
      tools: [tool('purge', { scopes: ['write'] }, () => '')],
      logger: { level: 'notice', write: (entry) => void log.push(entry) },
    });
    const auth = { principal: 'ann', scopes: ['read'], clientId: 'app', token: 'very-secret' };
    await connectDirect(server, { auth, authPolicy: asking }).request('tools/call', { name: 'purge' }, 'id-1');
    expect(log).toMatchObject([
      {
        level: 'notice',
        data: {
          what: 'Tool "purge"',
          asked: ['write'],
          granted: ['read'],
          principal: 'ann',
          client: 'app',
          request: 'id-1',
        },
      },
    ]);
    expect(JSON.stringify(log)).not.toContain('secret');
    await connectDirect(server, { auth, authPolicy: asking }).request(
      'tools/call',
      { name: 'purge' },
      'i'.repeat(100_000),
    );
    expect(JSON.stringify(log).length).toBeLessThan(1000);
    await connectDirect(server, { authPolicy: asking }).request('tools/call', { name: 'purge' });
    expect(log.length).toBe(2);
  });
});
