import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, ProtocolError, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RequestBody, RequestName } from '../../shared/requests.ts';
import { openPage, type TestPage } from '../fixtures/page.ts';
import { handlers } from '../requests/handlers.ts';
import type { ServeInspectorOptions } from '../serve.ts';
import type { OfferedTarget } from '../targets.ts';

/** A valid request for each handler; its ids are those of the connection below, or unknown. */
const validRequests: { readonly [Name in RequestName]: RequestBody<Name> } = {
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
  connect: { target: 't1', settings: { era: 'auto', roots: [], headers: { a: 'b' } } },
  reconnect: { connection: 's9', settings: { era: 'auto' } },
  disconnect: { connection: 's9' },
  forget: { connection: 's9' },
  'set-roots': { connection: 's1', roots: [{ uri: 'file:///x', name: 'x' }] },
  'set-log-level': { connection: 's1', level: 'info' },
  'decide-definition': { connection: 's1', held: 'h1', accept: true },
  list: { connection: 's1', kind: 'tools' },
  listen: { connection: 's1', filter: { tools: true, uris: ['a:b'], more: {} }, reads: true },
  unlisten: { subscription: 'l1' },
  answer: { question: 'q1', answer: { action: 'accept', content: {} } },
  'set-up-model': { service: 'openai', model: 'x', url: 'https://127.0.0.1:1/', key: 'k'.repeat(20), maxTokens: 1 },
  'forget-model': {},
  'ask-model': { question: 'q1', model: 'x' },
  'cancel-ask': { question: 'q1' },
  'set-auto-answer': { connection: 's1', on: true },
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
  'set-page-settings': { pageSettings: { theme: 'dark' } },
};

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const badValues = [null, true, 1e300, '', '%E0%A4%A', 'x'.repeat(100_001), [null], { x: 1 }].map((value) =>
  JSON.stringify(value),
);

/** Generates bad bodies: each member missing, of another type, nested too deep, or one too many. */
function* badBodies(body: object): Generator<string> {
  yield* ['', '{', 'null', '1', '"x"', '[]', '[{}]', '\ufeff{}', deep(50_000), '{}'];
  yield JSON.stringify({ ...body, surplus: 1 });
  for (const name of Object.keys(body)) {
    yield JSON.stringify({ ...body, [name]: undefined });
    for (const value of [...badValues, deep(2000)]) {
      const others = JSON.stringify({ ...body, [name]: undefined }).slice(1);
      yield `{${JSON.stringify(name)}:${value}${others === '}' ? '' : ','}${others}`;
    }
  }
}

async function send(page: TestPage, name: string, body: string): Promise<{ status: number; message: string }> {
  const headers = { Authorization: `Bearer ${page.token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${page.origin}/api/${name}`, { method: 'POST', headers, body });
  const { error } = (await answer.json()) as { error?: { message: string } };
  return { status: answer.status, message: error?.message ?? '' };
}

async function openConnected(options: ServeInspectorOptions = {}): Promise<TestPage> {
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

const paths = [
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

describe('a bad request', () => {
  it('has a test for every handler', () => {
    expect(Object.keys(validRequests).sort()).toEqual(Object.keys(handlers).sort());
  });

  it('of any kind gets an error message, never a 500', async () => {
    const page = await openConnected();
    for (const [name, valid] of Object.entries(validRequests)) {
      for (const body of [JSON.stringify(valid), ...badBodies(valid)]) {
        const { status, message } = await send(page, name, body);
        const isExplained = status === 200 || (status !== 500 && message !== '');
        expect([name, status, message, body.slice(0, 200), isExplained]).toEqual([
          name,
          status,
          message,
          body.slice(0, 200),
          true,
        ]);
      }
    }
  });

  it('for a wrong path gets an error message', async () => {
    const page = await openConnected();
    for (const path of paths) {
      const answer = await page.get(`api/${path}`);
      const { error } = (await answer.json()) as { error?: { message: string } };
      expect([path, error?.message]).toEqual([path, expect.stringMatching(/\w/)]);
      expect([400, 404]).toContain(answer.status);
    }
  });

  it.each(['events?after=%E0%A4%A', 'events?after=x.y', 'events?after=', 'events?%'])(
    'to %s gets the events from the start',
    async (path) => {
      const page = await openConnected();
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

  it('for an unknown target gets a 400', async () => {
    const page = await openConnected();
    for (const typed of targets) {
      for (const name of ['connect', 'doctor']) {
        const { status, message } = await send(page, name, JSON.stringify({ typed }));
        expect([name, typed, status]).toEqual([name, typed, 400]);
        expect(message).toMatch(/\w/);
      }
    }
  });

  it('for a target that the resolver rejects gets a 400 with the message of the resolver', async () => {
    const rejects = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('"x" is no server.'), { hint: 'A target is a URL.' }));
    const broken: OfferedTarget = { label: 'gone', kind: 'command', origin: 'configured', resolve: rejects };
    const page = await openPage({ targets: [broken], resolveTarget: rejects });
    for (const destination of [{ typed: 'x' }, { target: 't1' }, { typed: 'gone' }]) {
      for (const name of ['connect', 'doctor']) {
        expect(await send(page, name, JSON.stringify(destination))).toEqual({
          status: 400,
          message: '"x" is no server.',
        });
      }
    }
  });
});

describe('a request that the inspected server rejects', () => {
  it.each(['set-log-level', 'set-roots', 'complete', 'skills', 'skill', 'listen', 'list'] as const)(
    '%s never gets a 500',
    async (name) => {
      const server = createServer({ name: 'test', version: '1', tools: [tool('echo', {}, () => 'x')] });
      server.use(({ method }, next) => {
        if (method === 'tools/list' || method === 'server/discover') return next();
        throw new ProtocolError(-32603, 'The server rejects');
      });
      const rejecting: OfferedTarget = {
        label: 'rejecting',
        kind: 'own',
        origin: 'given',
        resolve: async () => ({ kind: 'own', label: 'rejecting', server }),
      };
      const page = await openConnected({ targets: [rejecting] });
      const { status } = await send(page, name, JSON.stringify(validRequests[name]));
      expect([200, 409, 502]).toContain(status);
    },
  );
});
