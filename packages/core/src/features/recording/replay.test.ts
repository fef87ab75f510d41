import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorResponse, Message, Params } from '../../jsonrpc/message.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';
import type { RecordedSender } from './format.ts';
import { readRecording } from './read-recording.ts';
import { recordingWriter } from './recording-writer.ts';
import { type ReplayConnection, replayRecording, type ReplayOptions } from './replay.ts';

type Said = [from: RecordedSender, message: object | string];

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

function request(id: string | number, method: string, params?: Params): Said {
  return ['client', { jsonrpc: '2.0', id, method, ...(params && { params }) }];
}

function call(id: string | number, name: string, more: Params = {}): Said {
  return request(id, 'tools/call', { name, ...more });
}

function result(id: string | number, value: object): Said {
  return ['server', { jsonrpc: '2.0', id, result: value }];
}

function notify(from: RecordedSender, method: string, params: Params = {}): Said {
  return [from, { jsonrpc: '2.0', method, params }];
}

/** Records sessions; returns the text of the recording. */
function record(...sessions: Said[][]): string {
  let text = '';
  const writer = recordingWriter({ write: (line) => (text += line), version: '1' });
  for (const session of sessions) {
    const connection = writer.connect({ kind: 'own', label: 'test' });
    for (const [from, message] of session)
      connection.frame(from, typeof message === 'string' ? message : JSON.stringify(message));
  }
  return text;
}

/** Replays a recording; returns a connection, and what it sends. */
async function replay(
  text: string,
  options?: ReplayOptions,
): Promise<{ sent: Message[]; say(said: Said): Message[]; open(): ReplayConnection; problems: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-replay-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'one.jsonl'), text);
  const recording = await readRecording(join(folder, 'one.jsonl'));
  onTestFinished(() => recording.close());
  const sent: Message[] = [];
  const server = replayRecording(recording, options);
  const open = (): ReplayConnection => server.open((message) => void sent.push(message));
  const connection = open();
  return {
    sent,
    open,
    problems: recording.problems,
    say([, message]) {
      const before = sent.length;
      connection.receive(structuredClone(message) as Message);
      return sent.slice(before);
    },
  };
}

describe('a replay', () => {
  it('answers equal requests in the recorded order, then with the last answer, whatever their ids', async () => {
    const { say } = await replay(
      record([
        call(0, 'a'),
        result(0, { n: 1 }),
        call('x', 'a'),
        result('x', { n: 2 }),
        call(2, 'b'),
        result(2, { n: 3 }),
      ]),
    );
    expect(say(call('p', 'b'))).toEqual([{ jsonrpc: '2.0', id: 'p', result: { n: 3 } }]);
    for (const [id, n] of [
      [7, 1],
      ['7', 2],
      [8, 2],
    ] as const)
      expect(say(call(id, 'a'))).toEqual([{ jsonrpc: '2.0', id, result: { n } }]);
  });

  it('sends progress, logs and questions of a request with it, with the ids of this client', async () => {
    const { say } = await replay(
      record([
        call(5, 'ask', { _meta: { progressToken: 'secret-token' } }),
        notify('server', 'notifications/progress', { progressToken: 'secret-token', progress: 1 }),
        ['server', { jsonrpc: '2.0', id: 'q-77', method: 'elicitation/create', params: { message: 'Who?' } }],
        ['client', { jsonrpc: '2.0', id: 'q-77', result: { action: 'accept' } }],
        notify('server', 'notifications/message', { level: 'info', data: 'asked' }),
        result(5, { done: true }),
      ]),
    );
    expect(say(call('mine', 'ask', { _meta: { progressToken: 42 } }))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 42, progress: 1 } },
      { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'Who?' } },
    ]);
    expect(say(['client', { jsonrpc: '2.0', id: 1, result: { action: 'decline' } }])).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'asked' } },
      { jsonrpc: '2.0', id: 'mine', result: { done: true } },
    ]);
  });

  it('sends no progress to a client that wants none', async () => {
    const { say } = await replay(
      record([
        call(1, 'a', { _meta: { progressToken: 1 } }),
        notify('server', 'notifications/progress', { progressToken: 1, progress: 1 }),
        result(1, {}),
      ]),
    );
    expect(say(call(3, 'a'))).toEqual([{ jsonrpc: '2.0', id: 3, result: {} }]);
  });

  it('keeps concurrent requests apart', async () => {
    const { say } = await replay(
      record([
        call(1, 'slow', { _meta: { progressToken: 1 } }),
        call(2, 'fast'),
        notify('server', 'notifications/progress', { progressToken: 1, progress: 9 }),
        result(2, { is: 'fast' }),
        result(1, { is: 'slow' }),
      ]),
    );
    expect(say(call(1, 'fast'))).toMatchObject([{ id: 1, result: { is: 'fast' } }]);
    expect(say(call(2, 'slow', { _meta: { progressToken: 'a' } }))).toMatchObject([
      { params: { progressToken: 'a', progress: 9 } },
      { id: 2, result: { is: 'slow' } },
    ]);
  });

  it('sends what a subscription delivered when the request is repeated that caused it', async () => {
    const changed = { _meta: { [subscriptionKey]: 'listen-1' } };
    const { say } = await replay(
      record([
        request('listen-1', 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
        notify('server', 'notifications/subscriptions/acknowledged', changed),
        call(2, 'grow'),
        notify('server', 'notifications/tools/list_changed', changed),
        result(2, {}),
      ]),
    );
    const mine = { _meta: { [subscriptionKey]: 9 } };
    expect(say(call(8, 'grow'))).toEqual([{ jsonrpc: '2.0', id: 8, result: {} }]);
    expect(say(request(9, 'subscriptions/listen', { notifications: { toolsListChanged: true } }))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: mine },
    ]);
    expect(say(call(10, 'grow'))).toMatchObject([
      { method: 'notifications/tools/list_changed', params: mine },
      { id: 10 },
    ]);
  });

  it('does not answer what was cancelled, then or now', async () => {
    const { say } = await replay(
      record([
        call(1, 'wait'),
        notify('client', 'notifications/cancelled', { requestId: 1 }),
        call(2, 'ask'),
        ['server', { jsonrpc: '2.0', id: 1, method: 'roots/list' }],
        ['client', { jsonrpc: '2.0', id: 1, result: { roots: [] } }],
        result(2, {}),
      ]),
    );
    expect(say(call(1, 'wait'))).toEqual([]);
    expect(say(call(2, 'ask'))).toMatchObject([{ method: 'roots/list' }]);
    expect(say(notify('client', 'notifications/cancelled', { requestId: 2 }))).toEqual([]);
    expect(say(['client', { jsonrpc: '2.0', id: 1, result: { roots: [] } }])).toEqual([]);
  });

  it('repeats the session of the same revision', async () => {
    const session = (version: string): Said[] => [
      request(0, 'initialize', { protocolVersion: version }),
      result(0, { protocolVersion: version }),
      request(1, 'tools/list'),
      result(1, { tools: [version] }),
    ];
    const text = record(session('2024-11-05'), session('2025-11-25'));
    for (const version of ['2025-11-25', '2024-11-05']) {
      const { say } = await replay(text);
      expect(say(request(0, 'initialize', { protocolVersion: version, clientInfo: { name: 'new' } }))).toMatchObject([
        { result: { protocolVersion: version } },
      ]);
      expect(say(request(1, 'tools/list'))).toMatchObject([{ result: { tools: [version] } }]);
    }
  });

  it('sends what came after a notification, such as a question about roots', async () => {
    const { say } = await replay(
      record([
        notify('client', 'notifications/initialized'),
        ['server', { jsonrpc: '2.0', id: 0, method: 'roots/list' }],
      ]),
    );
    expect(say(notify('client', 'notifications/initialized'))).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'roots/list' },
    ]);
    expect(say(notify('client', 'notifications/initialized'))).toEqual([]);
  });

  it('compares masked requests, and answers ping on its own', async () => {
    const { say } = await replay(record([call(1, 'in', { password: 'hush' }), result(1, { ok: true })]));
    expect(say(call(1, 'in', { password: 'other' }))).toMatchObject([{ result: { ok: true } }]);
    expect(say(request(2, 'ping'))).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it('is strict if wanted', async () => {
    const { say } = await replay(record([call(1, 'a'), result(1, {}), call(2, 'b'), result(2, {})]), { strict: true });
    expect(say(call(1, 'b'))).toMatchObject([
      { error: { message: 'Request 1 must be tools/call {"name":"a"}: this replay is strict' } },
    ]);
    expect(say(call(2, 'a'))).toMatchObject([{ result: {} }]);
    expect(say(call(3, 'b'))).toMatchObject([{ result: {} }]);
    expect(say(request(4, 'ping'))).toMatchObject([
      { error: { message: 'The recording ends after tools/call: this replay is strict' } },
    ]);
  });

  it('strictly follows the only recorded connection that is equal so far', async () => {
    const text = record(
      [request(1, 'server/discover'), result(1, {})],
      [request(1, 'server/discover'), result(1, {}), call(2, 'a'), result(2, { a: 1 })],
    );
    const { say } = await replay(text, { strict: true });
    say(request(1, 'server/discover'));
    expect(say(call(2, 'a'))).toMatchObject([{ result: { a: 1 } }]);
  });

  it('tells requests with equal ids apart', async () => {
    const { say } = await replay(
      record([call(1, 'a'), result(1, { a: 1 }), call(1, 'b'), call(1, 'c'), result(1, { c: 1 })]),
    );
    expect(say(call(1, 'a'))).toMatchObject([{ result: { a: 1 } }]);
    expect(say(call(1, 'c'))).toMatchObject([{ result: { c: 1 } }]);
    expect(say(call(1, 'b'))).toMatchObject([
      { error: { message: 'The recording ends before the answer to tools/call' } },
    ]);
  });

  it('shows recorded text in errors without characters that control a terminal', async () => {
    const { say } = await replay(record([request(1, 'x\u001B[2J', { a: '\u202E\u0007' }), call(2, '\u001B]0;evil')]));
    const [unknown] = say(request(3, 'y\u001B'));
    const [near] = say(call(4, 'n'));
    for (const message of [unknown, near]) {
      const { error } = message as ErrorResponse;
      expect(escapeUnseen(error.message)).toBe(error.message);
      expect(error.message).toMatch(/\\u001b|\\u202e/);
    }
  });

  it('never throws for what a file or a client says', async () => {
    const said = fc.array(
      fc.tuple(
        fc.constantFrom<RecordedSender>('client', 'server'),
        fc.record(
          {
            jsonrpc: fc.constant('2.0'),
            id: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant(null), fc.string({ maxLength: 2 })),
            method: fc.constantFrom(
              'initialize',
              'tools/call',
              'notifications/progress',
              'notifications/cancelled',
              'ping',
            ),
            params: fc.jsonValue({ maxDepth: 2 }),
            result: fc.jsonValue({ maxDepth: 2 }),
          },
          { requiredKeys: ['jsonrpc'] },
        ),
      ),
      { maxLength: 12 },
    );
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(said, async (session) => {
        const { say } = await replay(record(session));
        for (const [from, { method, id, params }] of session)
          if (
            from === 'client' &&
            method !== undefined &&
            typeof params === 'object' &&
            params !== null &&
            !Array.isArray(params) &&
            id !== null
          )
            answered += say(['client', { jsonrpc: '2.0', method, ...(id !== undefined && { id }), params }]).length;
      }),
      { numRuns: 100 },
    );
    expect(answered).toBeGreaterThan(0);
  });
});

describe('a recording', () => {
  it('numbers requests of each side, and what refers to them', () => {
    const text = record([
      call('abc', 'a', { _meta: { progressToken: 'abc' } }),
      notify('server', 'notifications/progress', { progressToken: 'abc', progress: 1 }),
      ['server', { jsonrpc: '2.0', id: 'q', method: 'roots/list' }],
      notify('server', 'notifications/cancelled', { requestId: 'q' }),
      result('abc', { resultType: 'input_required', requestState: 'v1.signed' }),
      call('def', 'a', { requestState: 'v1.signed' }),
    ]);
    expect(text).not.toMatch(/abc|def|signed|"q\\*"/);
    expect(text.match(/state-\d/g)).toEqual(['state-1', 'state-1']);
  });

  it('contains garbage, masked, and messages that are nested too deeply by name only', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(20_000)}"password: hush"${']'.repeat(20_000)}}}`;
    const text = record([
      ['server', 'token=hush'],
      ['client', deep],
    ]);
    expect(text).toContain('token=[masked]');
    expect(text).not.toContain('hush');
    expect((await replay(text)).problems).toEqual([expect.stringContaining('is incomplete')]);
  });

  it('is the format of the inspector', () => {
    const [head, connection, message] = record([call(1, 'a')])
      .split('\n')
      .map((line) => JSON.parse(line || 'null') as unknown);
    expect(head).toMatchObject({ format: 'ccmcp-recording', version: 1 });
    expect(connection).toMatchObject({
      n: 1,
      type: 'connection',
      connection: { id: 's1', label: 'test', kind: 'own' },
    });
    expect(message).toMatchObject({
      n: 2,
      type: 'message',
      connection: 's1',
      from: 'client',
      kind: 'request',
      method: 'tools/call',
      subject: 'a',
    });
  });
});
