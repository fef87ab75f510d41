import { describe, expect, it, onTestFinished } from 'vitest';
import { appView } from '../../../../features/apps/server/app-view.ts';
import { apps } from '../../../../features/apps/server/apps.ts';
import { skills } from '../../../../features/skills/skills.ts';
import { compose } from '../../../../compose.ts';
import { createServer, type ServerOptions } from '../../../../create-server.ts';
import { resource, template, tool } from '../../../../server/define/define.ts';
import type { LogEntry } from '../../../../server/log/log.ts';
import type { Server } from '../../../../server/server.ts';
import { bearer, bearerAuth } from '../fixtures/bearer.ts';
import { handshake, initializeRequest, post, statelessClient, type TestClient } from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { serveHttp } from '../serve.ts';

const head = (name: string): string => `---\nname: ${name}\ndescription: About ${name}\n---\n`;

const openFiles = { 'open/SKILL.md': head('open'), 'open/refs/a.md': 'a' };

const secretFiles = {
  'closed/SKILL.md': head('closed'),
  'closed/refs/b.md': 'b',
  'closed/within/SKILL.md': head('within'),
  'open/refs/deep/inner/SKILL.md': head('inner'),
  'open/refs/deep/inner/data.bin': new Uint8Array([0, 255]),
};

const document = '<!doctype html><title>x</title>';

const isSecretSkill = ({ frontmatter: { name } }: { frontmatter: { name: string } }): string[] | undefined =>
  name === 'closed' || name === 'inner' ? ['s'] : undefined;

function optionsOf(kept: boolean): Pick<ServerOptions, 'resources' | 'templates' | 'tools' | 'extensions'> {
  const ui = appView('ui://x/view.html', { html: document, ...(kept && { scopes: ['s'] }) });
  return {
    tools: kept ? [tool('shown', { ui, scopes: ['s'] }, () => '')] : [tool('shown', { scopes: ['s'] }, () => '')],
    resources: [
      resource('x://open', {}, () => 'open'),
      resource('x://also', { scopes: ['other'] }, () => 'open'),
      ...(kept ? [resource('x://secret', { scopes: ['s'], secret: true }, () => 'secret')] : []),
    ],
    templates: [
      template('rows://{id}', { list: () => ({ resources: [{ uri: 'rows://1', name: '1' }] }) }, () => undefined),
      template('open://{id}', { complete: { id: ['1'] } }, ({ id }) => (id === '1' ? 'one' : undefined)),
      ...(kept
        ? [
            template(
              'vault://{id}',
              {
                scopes: ['s'],
                secret: true,
                complete: { id: ['7'] },
                list: () => ({ resources: [{ uri: 'vault://7', name: '7' }] }),
              },
              () => 'in the vault',
            ),
            template(
              'open://{id}{?more}',
              { scopes: ({ id }) => [`of:${String(id)}`], secret: true },
              ({ id }) => `of ${String(id)}`,
            ),
          ]
        : []),
    ],
    extensions: [apps(), skills(kept ? { ...openFiles, ...secretFiles } : openFiles, { scopes: isSecretSkill })],
  };
}

/** Two servers: one has secrets, and the other is the same without them. */
function pair(join = (server: Server): Server => server): { withSecrets: Server; without: Server; log: LogEntry[] } {
  const log: LogEntry[] = [];
  const logger = { level: 'notice', write: (entry: LogEntry) => void log.push(entry) } as const;
  const [withSecrets, without] = [true, false].map((kept) =>
    join(createServer({ name: 'x', version: '1', pageSize: 1, logger, ...optionsOf(kept) })),
  ) as [Server, Server];
  return { withSecrets, without, log };
}

async function serve(server: Server, options: { anonymous?: boolean } = {}): Promise<string> {
  const service = await serveHttp(server, { auth: bearerAuth(options), sse: true });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return service.url;
}

const addresses = [
  'x://secret',
  'vault://7',
  'open://1?more=2',
  'skill://closed/SKILL.md',
  'skill://closed/refs/b.md',
  'skill://closed/within/SKILL.md',
  'skill://open/refs/deep/inner/SKILL.md',
  'skill://open/refs/deep/inner/data.bin',
];

const asked: [method: string, params: Record<string, unknown>][] = [
  ['resources/list', {}],
  ['skills/list', {}],
  ['skills/get', { uri: 'skill://open/SKILL.md' }],
  ...['x://open', 'ui://x/view.html', ...addresses].flatMap((uri): typeof asked => [
    ['resources/read', { uri }],
    ['resources/subscribe', { uri }],
    ['resources/unsubscribe', { uri }],
    ['skills/get', { uri }],
    ['completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: '' } }],
  ]),
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'vault://{id}' }, argument: { name: 'id', value: '' } }],
  ...['open', 'open/refs', 'open/refs/deep', 'open/refs/deep/inner', 'closed', 'closed/refs', 'closed/within'].map(
    (folder): (typeof asked)[number] => ['resources/directory/read', { uri: `skill://${folder}` }],
  ),
];

/** A response without its variable parts. */
async function whole(response: Response): Promise<unknown[]> {
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return [response.status, headers, await response.text()];
}

async function answersOf(client: TestClient): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [method, params] of asked) answers.push([method, params, await whole(await client.send(method, params))]);
  let cursor: unknown;
  do {
    const page = await client.request('resources/list', cursor === undefined ? {} : { cursor });
    answers.push(page);
    cursor = page.result?.nextCursor;
  } while (cursor !== undefined);
  return answers;
}

const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

async function clientOf(url: string, version: string, headers: Record<string, string>): Promise<TestClient> {
  return version === '2026-07-28' ? statelessClient(url, { headers }) : handshake(url, { version, headers });
}

describe('a secret entry', () => {
  it.each([...handshakes, '2026-07-28'])('looks in %s exactly like what is not there', async (version) => {
    const { withSecrets, without } = pair();
    const urls = [await serve(withSecrets), await serve(without)] as const;
    const [of, ofNone] = await Promise.all(urls.map((url) => clientOf(url, version, bearer('ann', 'other'))));
    const all = await answersOf(of as TestClient);
    expect(all).toEqual(await answersOf(ofNone as TestClient));
    expect(JSON.stringify(all)).not.toMatch(/403|requiredScopes|www-authenticate/i);
  });

  it('is hidden from anonymous callers of mixed and composed servers', async () => {
    const joined = (server: Server): Server =>
      compose({ part: server, other: createServer({ name: 'o', version: '1' }) }, { name: 'w', version: '1' });
    for (const join of [undefined, joined]) {
      const { withSecrets, without } = pair(join);
      const urls = [await serve(withSecrets, { anonymous: true }), await serve(without, { anonymous: true })] as const;
      for (const headers of [{}, bearer('ann')]) {
        for (const version of ['2025-11-25', '2026-07-28']) {
          const [of, ofNone] = await Promise.all(urls.map((url) => clientOf(url, version, headers)));
          expect(await answersOf(of as TestClient)).toEqual(await answersOf(ofNone as TestClient));
        }
      }
    }
  });

  it('is visible to callers with the scopes, and to unlimited ones', async () => {
    const { withSecrets } = pair();
    const url = await serve(withSecrets);
    for (const version of ['2025-11-25', '2026-07-28']) {
      const client = await clientOf(url, version, bearer('ann', 's', 'of:1'));
      for (const uri of ['ui://x/view.html', ...addresses]) {
        expect(await client.request('resources/read', { uri })).toHaveProperty('result');
      }
      const { result } = await client.request('skills/list');
      expect(result?.skills).toMatchObject([
        { uri: 'skill://closed/SKILL.md', resources: [{}, {}, {}] },
        { uri: 'skill://closed/within/SKILL.md', resources: [{}] },
        { uri: 'skill://open/SKILL.md', resources: [{}, {}, {}, {}] },
        { uri: 'skill://open/refs/deep/inner/SKILL.md', resources: [{}, {}] },
      ]);
    }
  });

  it('does not cause a rejection of a batch', async () => {
    const { withSecrets, without } = pair();
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'x://open' } },
      ...addresses.map((uri, index) => ({ jsonrpc: '2.0', id: 2 + index, method: 'resources/read', params: { uri } })),
    ];
    const answers = [];
    for (const server of [withSecrets, without]) {
      const session = await handshake(await serve(server), { version: '2025-03-26', headers: bearer('ann') });
      answers.push(await whole(await session.post(batch)));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(200);
  });

  it('is hidden over HTTP+SSE', async () => {
    const { withSecrets, without } = pair();
    const answers = [];
    for (const server of [withSecrets, without]) {
      const headers = bearer('ann');
      const url = await serve(server);
      const response = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream', ...headers } });
      const events = readEvents(response);
      onTestFinished(() => events.cancel());
      const messages = new URL((await events.next())?.data ?? '', url).href;
      await post(messages, initializeRequest({ version: '2024-11-05' }), headers);
      await events.message();
      await post(messages, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      const received = [];
      for (const [id, [method, params]] of asked.entries()) {
        const { status } = await post(messages, { jsonrpc: '2.0', id, method, params }, headers);
        received.push([status, await events.next()]);
      }
      answers.push(received);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it('can be subscribed to like a missing one, without notifications, also when it is removed', async () => {
    const { withSecrets, without } = pair();
    const notifications = { resourceSubscriptions: ['x://open', ...addresses] };
    const received = [];
    for (const server of [withSecrets, without]) {
      const client = statelessClient(await serve(server), { headers: bearer('ann') });
      const response = await client.send('subscriptions/listen', { notifications });
      const events = readEvents(response);
      onTestFinished(() => events.cancel());
      const granted = await events.next();
      if (server === withSecrets) {
        for (const uri of addresses) server.resources.updated(uri);
        for (const uri of addresses) server.resources.remove(uri);
      }
      server.resources.updated('x://open');
      received.push([response.status, granted, await events.next()]);
    }
    expect(received[0]).toEqual(received[1]);
  });

  it('sends notifications to callers who may read it', async () => {
    const { withSecrets } = pair();
    const client = statelessClient(await serve(withSecrets), { headers: bearer('ann', 's') });
    const notifications = { resourceSubscriptions: ['x://secret'] };
    const events = readEvents(await client.send('subscriptions/listen', { notifications }));
    onTestFinished(() => events.cancel());
    await events.message();
    withSecrets.resources.updated('x://secret');
    withSecrets.resources.remove('x://secret');
    expect(await events.message()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'x://secret' },
    });
  });

  it('is logged for the operator', async () => {
    const { withSecrets, log } = pair();
    const client = statelessClient(await serve(withSecrets), { headers: bearer('ann', 'other') });
    await client.request('resources/read', { uri: 'x://secret' });
    await client.request('resources/read', { uri: 'x://nothing' });
    expect(log.map(({ level, data }) => [level, data])).toEqual([
      [
        'notice',
        {
          message: 'Scopes are missing',
          what: 'Resource "x://secret", which is secret',
          asked: ['s'],
          granted: ['other'],
          principal: 'ann',
          request: '1',
        },
      ],
    ]);
  });

  it('falls through to a template with the same URI', async () => {
    const server = createServer({
      name: 'x',
      version: '1',
      resources: [resource('x://1', { scopes: ['s'], secret: true }, () => 'secret')],
      templates: [template('x://{id}', {}, ({ id }) => `open ${String(id)}`)],
    });
    const parts = {
      first: createServer({
        name: 'f',
        version: '1',
        resources: [...server.resources],
        rateLimit: { calls: 1, perMs: 60_000 },
      }),
      second: createServer({ name: 's', version: '1', templates: [...server.templates] }),
    };
    const whole = { name: 'w', version: '1' };
    for (const joined of [server, compose({ server }, whole), compose(parts, whole)]) {
      const url = await serve(joined);
      const read = async (...scopes: string[]): Promise<unknown> => {
        const client = statelessClient(url, { headers: bearer('ann', ...scopes) });
        return (await client.request('resources/read', { uri: 'x://1' })).result?.contents;
      };
      expect(await read()).toMatchObject([{ text: 'open 1' }]);
      expect(await read('s')).toMatchObject([{ text: 'secret' }]);
    }
  });

  it('stays hidden if its scopes can not be determined, which is logged', async () => {
    const log: LogEntry[] = [];
    const scopes = (): string[] => {
      throw new Error('a mistake');
    };
    const server = createServer({
      name: 'x',
      version: '1',
      logger: { level: 'error', write: (entry) => void log.push(entry) },
      templates: [template('x://{id}', { scopes, secret: true }, () => '')],
    });
    const client = statelessClient(await serve(server), { headers: bearer('ann', 's') });
    const { error } = await client.request('resources/read', { uri: 'x://1' });
    expect(error).toMatchObject({ code: -32602, message: 'Resource not found: x://1' });
    expect(log).toMatchObject([{ error: { message: 'a mistake' } }]);
  });
});

describe('lists and contents that depend on the caller', () => {
  it('are not cached across callers', async () => {
    const url = await serve(
      createServer({ name: 'x', version: '1', cache: { ttlMs: 9, scope: 'public' }, ...optionsOf(true) }),
    );
    const seen = async (scopes: string[], method: string, params = {}): Promise<[unknown, string]> => {
      const client = statelessClient(url, { headers: bearer('ann', ...scopes) });
      const { result } = await client.request(method, params);
      return [result?.cacheScope, JSON.stringify(result)];
    };
    for (const scopes of [[], ['s'], ['other'], ['s', 'other'], []]) {
      const isGranted = scopes.includes('s');
      for (const method of ['resources/list', 'resources/templates/list', 'skills/list']) {
        const [cacheScope, text] = await seen(scopes, method);
        expect(cacheScope).toBe('private');
        expect(/secret|vault|closed|inner|ui:/.test(text)).toBe(isGranted);
      }
      expect((await seen(scopes, 'skills/get', { uri: 'skill://open/SKILL.md' }))[0]).toBe('private');
      expect((await seen(scopes, 'resources/read', { uri: 'x://open' }))[0]).toBe('public');
      if (isGranted) expect((await seen(scopes, 'resources/read', { uri: 'x://secret' }))[0]).toBe('private');
    }
  });

  it('are public if nothing is secret', async () => {
    const url = await serve(
      createServer({
        name: 'x',
        version: '1',
        cache: { ttlMs: 9, scope: 'public' },
        resources: [resource('x://rejected', { scopes: ['s'] }, () => '')],
        extensions: [skills(openFiles)],
      }),
    );
    const client = statelessClient(url, { headers: bearer('ann') });
    for (const method of ['resources/list', 'skills/list']) {
      expect((await client.request(method)).result).toMatchObject({ cacheScope: 'public' });
    }
    expect((await client.send('resources/read', { uri: 'x://rejected' })).status).toBe(403);
  });
});
