import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, ProtocolError, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Asks, RequestName } from '../../shared/requests.ts';
import { openPage, type TestPage } from '../fixtures/page.ts';
import { handlers } from '../requests/handlers.ts';
import type { ServeInspectorOptions } from '../serve.ts';
import type { OfferedTarget } from '../targets.ts';

/** A request of each kind that is well formed; its ids are those of the connection below, or unknown. */
const wellFormed: { readonly [Name in RequestName]: Asks<Name> } = {
  call: {
    connection: 's1',
    method: 'tools/call',
    params: { name: 'echo', arguments: {} },
    timeoutMs: 1000,
    by: 'page',
  },
  repeat: { call: 'c1', connection: 's1' },
  cancel: { call: 'c1' },
  sample: { connection: 's1', params: { messages: [], maxTokens: 1 } },
  complete: { connection: 's1', ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: 'y' } },
  check: { schema: { type: 'string' }, value: 1 },
  connect: { target: 't1', terms: { era: 'auto', roots: [], headers: { a: 'b' } } },
  reconnect: { connection: 's9', terms: { era: 'auto' } },
  disconnect: { connection: 's9' },
  forget: { connection: 's9' },
  'set-roots': { connection: 's1', roots: [{ uri: 'file:///x', name: 'x' }] },
  'set-log-level': { connection: 's1', level: 'info' },
  list: { connection: 's1', kind: 'tools', fresh: true },
  listen: { connection: 's1', filter: { tools: true, uris: ['a:b'], more: {} }, reads: true },
  unlisten: { subscription: 'l1' },
  answer: { question: 'q1', answer: { action: 'accept', content: {} } },
  'set-up-model': { service: 'openai', model: 'x', url: 'https://127.0.0.1:1/', key: 'k'.repeat(20), maxTokens: 1 },
  'forget-model': {},
  'ask-model': { question: 'q1', model: 'x' },
  'cancel-ask': { question: 'q1' },
  'answer-by-itself': { connection: 's1', on: true },
  doctor: { connection: 's9' },
  skills: { connection: 's1' },
  skill: { connection: 's1', uri: 'skill://x/SKILL.md' },
  'sign-in': { connection: 's1', steps: true, scope: 'x', clientId: 'x', clientSecret: 'x' },
  'sign-in-next': { flow: 'f1' },
  'sign-in-cancel': { flow: 'f1' },
  'sign-out': { connection: 's9' },
  'copy-as': { form: 'curl', connection: 's1', method: 'tools/call', params: { name: 'echo' } },
  save: { name: 'x', target: 'x', method: 'ping', params: {} },
  unsave: { id: 'x' },
  record: { name: 'x' },
  'record-stop': {},
  recordings: {},
  'set-look': { look: { theme: 'dark' } },
};

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const wrongValues = [null, true, 1e300, '', '%E0%A4%A', 'x'.repeat(100_001), [null], { x: 1 }].map((value) =>
  JSON.stringify(value),
);

/** The bodies that a request could wrongly have: each member absent, of another type, nested too deep, or one too many. */
function* wrongBodies(asks: object): Generator<string> {
  yield* ['', '{', 'null', '1', '"x"', '[]', '[{}]', '\ufeff{}', deep(50_000), '{}'];
  yield JSON.stringify({ ...asks, surplus: 1 });
  for (const name of Object.keys(asks)) {
    yield JSON.stringify({ ...asks, [name]: undefined });
    for (const value of [...wrongValues, deep(2000)]) {
      const others = JSON.stringify({ ...asks, [name]: undefined }).slice(1);
      yield `{${JSON.stringify(name)}:${value}${others === '}' ? '' : ','}${others}`;
    }
  }
}

async function send(page: TestPage, name: string, body: string): Promise<{ status: number; says: string }> {
  const headers = { Authorization: `Bearer ${page.token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${page.origin}/api/${name}`, { method: 'POST', headers, body });
  const { error } = (await answer.json()) as { error?: { says: string } };
  return { status: answer.status, says: error?.says ?? '' };
}

async function connected(options: ServeInspectorOptions = {}): Promise<TestPage> {
  const folder = await mkdtemp(join(tmpdir(), 'ccmcp-inspector-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = createServer({ name: 'test', version: '1', tools: [tool('echo', {}, () => 'x')] });
  const target: OfferedTarget = {
    label: 'own',
    kind: 'own',
    origin: 'given',
    resolve: async () => ({ kind: 'own', label: 'own', server }),
  };
  const page = await openPage({ folder, targets: [target], ...options });
  await page.until('connection', ({ connection }) => connection.status.is === 'connected');
  return page;
}

const addresses = [
  'messages/%',
  'messages/%E0%A4%A',
  'messages/x',
  'messages/-1',
  'messages/1.5',
  'messages/1e999',
  'messages/',
  'calls/%',
  'calls/c99',
  'calls/',
  'calls/__proto__',
  'lists/%/tools',
  'lists/s1/%',
  'lists/s9/tools',
  'lists/s1/nothing',
  'lists/s1/tools?version=x',
  'lists/s1/tools?version=-1',
  'lists/s1/tools?version=1e999',
  'lists/s1/__proto__',
  'recordings/%',
  'recordings/%E0%A4%A.jsonl',
  'recordings/%00.jsonl',
  'recordings/..%2f..%2fetc%2fpasswd',
  'recordings/none.jsonl',
  'recordings/',
  'sessions/%',
  'sessions/s9',
  'sessions/',
  'har/%',
  'nothing',
  '%',
  '%E0%A4%A',
  '',
  '__proto__',
];

describe('a wrong request', () => {
  it('is tried for every kind that there is', () => {
    expect(Object.keys(wellFormed).sort()).toEqual(Object.keys(handlers).sort());
  });

  it('of any kind is told what is wrong, and never taken for a fault of the inspector', async () => {
    const page = await connected();
    for (const [name, asks] of Object.entries(wellFormed)) {
      for (const body of [JSON.stringify(asks), ...wrongBodies(asks)]) {
        const { status, says } = await send(page, name, body);
        const isExplained = status === 200 || (status !== 500 && says !== '');
        expect([name, status, says, body.slice(0, 200), isExplained]).toEqual([
          name,
          status,
          says,
          body.slice(0, 200),
          true,
        ]);
      }
    }
  });

  it('for an address is told what is wrong', async () => {
    const page = await connected();
    for (const address of addresses) {
      const answer = await page.get(`api/${address}`);
      const { error } = (await answer.json()) as { error?: { says: string } };
      expect([address, error?.says]).toEqual([address, expect.stringMatching(/\w/)]);
      expect([400, 404]).toContain(answer.status);
    }
  });

  it.each(['events?after=%E0%A4%A', 'events?after=x.y', 'events?after=', 'events?%'])(
    'for %s is served from the beginning',
    async (path) => {
      const page = await connected();
      const answer = await page.get(`api/${path}`);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    },
  );

  const targets = [
    '',
    ' ',
    'nothing',
    './nosuch.js',
    'http://',
    'http://:99999',
    'https://a:b@127.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'javascript:1',
    '-- ',
    '"',
    '\u0000',
    'x'.repeat(90_000),
  ];

  it('to a target that can not be reached is 400', async () => {
    const page = await connected();
    for (const typed of targets) {
      for (const name of ['connect', 'doctor']) {
        const { status, says } = await send(page, name, JSON.stringify({ typed }));
        expect([name, typed, status]).toEqual([name, typed, 400]);
        expect(says).toMatch(/\w/);
      }
    }
  });

  it('to a target that its resolver refuses is 400, in the words of the resolver', async () => {
    const refuses = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('"x" is no server.'), { hint: 'A target is a URL.' }));
    const broken: OfferedTarget = { label: 'gone', kind: 'command', origin: 'configured', resolve: refuses };
    const page = await openPage({ targets: [broken], resolveTarget: refuses });
    for (const destination of [{ typed: 'x' }, { target: 't1' }, { typed: 'gone' }]) {
      for (const name of ['connect', 'doctor']) {
        expect(await send(page, name, JSON.stringify(destination))).toEqual({ status: 400, says: '"x" is no server.' });
      }
    }
  });
});

describe('a request that the inspected server refuses', () => {
  it.each(['set-log-level', 'set-roots', 'complete', 'skills', 'skill', 'listen', 'list'] as const)(
    '%s is not a fault of the inspector',
    async (name) => {
      const server = createServer({ name: 'test', version: '1', tools: [tool('echo', {}, () => 'x')] });
      server.use(({ method }, next) => {
        if (method === 'tools/list' || method === 'server/discover') return next();
        throw new ProtocolError(-32603, 'The server refuses');
      });
      const refusing: OfferedTarget = {
        label: 'refusing',
        kind: 'own',
        origin: 'given',
        resolve: async () => ({ kind: 'own', label: 'refusing', server }),
      };
      const page = await connected({ targets: [refusing] });
      const { status } = await send(page, name, JSON.stringify(wellFormed[name]));
      expect([200, 409, 502]).toContain(status);
    },
  );
});
