import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../compose.ts';
import { createServer } from '../../create-server.ts';
import { resource, tool } from '../../server/define/define.ts';
import { type DirectClient, type DirectClientOptions, connectDirect } from '../../server/fixtures/direct-client.ts';
import { ToolError } from '../../server/call/tool-error.ts';
import { linesOf, newFile, recordsOf } from './fixtures/log.ts';
import type { AuditOptions } from './options.ts';
import { type AuditTrail, audit } from './trail.ts';
import { verifyAudit } from './verify.ts';

const empty = { input: { type: 'object' } } as const;

function open(
  options: AuditOptions,
  clientOptions: DirectClientOptions = {},
): DirectClient & { trail: AuditTrail; served: () => number; file: string } {
  let served = 0;
  const server = createServer({
    name: 's',
    version: '1',
    maxRunning: 1,
    logger: { level: 'emergency', write() {} },
    tools: [
      tool('add', empty, () => {
        served += 1;
        return 'sum';
      }),
      tool('fail', empty, () => {
        throw new ToolError('no');
      }),
      tool('hang', empty, () => new Promise(() => {})),
    ],
    resources: [resource('memo://one', { name: 'one' }, () => 'text')],
  });
  const trail = audit(options);
  onTestFinished(() => trail.close());
  server.observe(trail);
  server.use(trail.guard);
  return { ...connectDirect(server, clientOptions), trail, served: () => served, file: String(options.file) };
}

describe('an audit log', () => {
  it('has a line for a request whose client calls itself, or names a thing, by what is no text (OB-01)', async () => {
    const file = newFile();
    const name = { toString: 1 };
    const { request } = open({ file }, { meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '2' } } });
    await request('tools/call', { name: 'add', arguments: {} }, 'one');
    const other = open({ file: newFile() }, {});
    await other.request('completion/complete', { ref: { type: 'ref/prompt', name }, argument: {} }, 'two');
    expect(recordsOf(file)).toContainEqual(expect.objectContaining({ id: 'one', outcome: 'error' }));
    expect(recordsOf(other.file)).toContainEqual(expect.objectContaining({ id: 'two', method: 'completion/complete' }));
  });

  it('has a line for each request: caller, method, arguments, outcome (OB-01)', async () => {
    const file = newFile();
    const { request } = open(
      { file },
      {
        auth: { principal: 'ada', issuer: 'https://id.example', subject: '42' },
        origin: { transport: 'http', session: 'a-secret-of-the-client', address: '192.0.2.7' },
        meta: { 'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '2' } },
      },
    );
    await request('tools/call', { name: 'add', arguments: { a: 1, list: ['x'] } }, 'seven');
    await request('resources/read', { uri: 'memo://one' });
    const [call, read] = recordsOf(file, 'call');

    expect(call).toEqual({
      chain: expect.stringMatching(/^[\da-f]{12}$/),
      seq: 2,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      kind: 'call',
      id: 'seven',
      method: 'tools/call',
      name: 'add',
      caller: 'ada',
      issuer: 'https://id.example',
      subject: '42',
      transport: 'http',
      session: expect.stringMatching(/^[\da-f]{24}$/),
      address: '192.0.2.7',
      client: 'desk 2',
      revision: '2026-07-28',
      arguments: { a: 1, list: ['x'] },
      outcome: 'ok',
      ms: expect.any(Number),
      prev: expect.stringMatching(/^[\w-]{43}$/),
      hash: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(read).toMatchObject({ seq: 3, method: 'resources/read', uri: 'memo://one', prev: call?.hash });
  });

  it('includes failed, rejected, cancelled and unknown requests (OB-01)', async () => {
    const file = newFile();
    const { request, notify } = open({ file });
    await request('tools/call', { name: 'fail' });
    await request('tools/call', { name: 'nobody' });
    await request('no/such');
    const hanging = request('tools/call', { name: 'hang' }, 9);
    await request('tools/list');
    notify('notifications/cancelled', { requestId: 9 });
    await hanging;

    expect(recordsOf(file, 'call').map(({ outcome, error }) => [outcome, (error as { code: number })?.code])).toEqual([
      ['tool-error', undefined],
      ['error', -32602],
      ['error', -32601],
      ['refused', -32603],
      ['cancelled', undefined],
    ]);
  });

  it('names the part of a composed server that served the call', async () => {
    const file = newFile();
    const part = createServer({ name: 'sums', version: '1', tools: [tool('add', empty, () => 'sum')] });
    const whole = compose({ part: { server: part, prefix: 'p_' } }, { name: 'whole', version: '1' });
    const trail = audit({ file });
    onTestFinished(() => trail.close());
    whole.observe(trail);
    const { request } = connectDirect(whole, {});
    await request('tools/call', { name: 'p_add', arguments: {} });
    await request('tools/list');
    const [call, list] = recordsOf(file, 'call');
    expect(call).toMatchObject({ name: 'p_add', part: 'sums' });
    expect(list).not.toHaveProperty('part');
  });

  it('is written before the call is answered', () => {
    const file = newFile();
    const { request } = open({ file });
    void request('tools/call', { name: 'add' });

    expect(recordsOf(file, 'call')).toHaveLength(1);
  });

  it('is written once per tick with flush: turn', async () => {
    const file = newFile();
    const { request, trail } = open({ file, flush: 'turn' });
    void request('tools/call', { name: 'add' });
    expect(recordsOf(file, 'call')).toHaveLength(0);
    trail.flush();
    await request('tools/list');
    await expect.poll(() => recordsOf(file, 'call').length).toBe(2);
    expect((await verifyAudit([file])).problems).toEqual([]);
  });

  it('escapes newlines and control characters of clients (OB-03)', async () => {
    const file = newFile();
    const nasty = 'a\r\nb\u001B[2Jc\u0085\u2028\u202E\u0000';
    const { request } = open({ file });
    await request('tools/call', { name: nasty, arguments: { [nasty]: nasty } }, nasty);
    await request(nasty);

    expect(linesOf(file)).toHaveLength(3);
    // oxlint-disable-next-line no-control-regex -- these are looked for
    expect(linesOf(file).join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E]/);
    expect((await verifyAudit([file])).problems).toEqual([]);
    expect(recordsOf(file, 'call')[0]?.id).toBe(nasty);
  });

  it('leaves out arguments, adds results, and has some methods only, as configured', async () => {
    const [bare, full] = [newFile(), newFile()];
    await open({ file: bare, arguments: false, methods: ['tools/call'] }).request('tools/list');
    await open({ file: bare, arguments: false }).request('tools/call', { name: 'add', arguments: { a: 1 } });
    await open({ file: full, results: true }).request('tools/call', { name: 'add', arguments: { a: 1 } });

    expect(recordsOf(bare, 'call')).toHaveLength(1);
    expect(recordsOf(bare, 'call')[0]).not.toHaveProperty('arguments');
    expect(recordsOf(full, 'call')[0]).toMatchObject({ arguments: { a: 1 }, result: { content: [{ text: 'sum' }] } });
  });

  it('is readable by its owner only', () => {
    const file = newFile();
    open({ file });

    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is passed to a function instead of a file', async () => {
    const lines: string[] = [];
    await open({ write: (line) => void lines.push(line) }).request('tools/list');

    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['begin', 'call']);
  });

  it.each([
    [{}, 'either "file" or "write"'],
    [{ file: 'a', write: () => {} }, 'either "file" or "write"'],
    [{ file: '' }, '"file" is empty'],
    [{ file: 'a', key: 'short' }, 'at least 16 characters'],
    [{ file: 'a', flush: 'never' as 'turn' }, '"flush" must be call or turn: never'],
    [{ file: 'a', onFailure: 'stop' as 'reject' }, '"onFailure" must be "continue" or "reject": stop'],
    [{ file: 'a', maxSize: 10 }, 'at least 4096 bytes'],
    [{ file: 'a', maxAgeMs: 0 }, 'more than 0'],
    [{ file: 'a', keep: -1 }, '0 or more'],
    [{ file: '/no/such/folder/audit.jsonl' }, "can't be opened: ENOENT"],
  ])('is not begun with %j', (options, message) => {
    expect(() => audit(options)).toThrow(message);
  });

  it.skipIf(process.platform === 'win32')(
    'is not begun in a FIFO, a socket, a device or a folder, nor in a link to one',
    async () => {
      const file = newFile();
      const folder = dirname(file);
      execFileSync('mkfifo', [`${folder}/fifo`]);
      symlinkSync('/dev/null', `${folder}/link`);
      const listener = createNetServer().listen(`${folder}/socket`);
      onTestFinished(() => void listener.close());
      await once(listener, 'listening');

      for (const path of ['/dev/null', folder, ...['fifo', 'link', 'socket'].map((name) => `${folder}/${name}`)]) {
        expect(() => audit({ file: path })).toThrow(`The audit log ${path} can't be opened: it is no regular file`);
      }
    },
  );
});

describe('the file of an audit log', () => {
  it('is continued after a restart: the first line has the hash of the last one', async () => {
    const file = newFile();
    const first = open({ file });
    await first.request('tools/list');
    first.trail.close();
    await open({ file }).request('tools/list');
    const records = recordsOf(file);

    expect(records.map(({ kind }) => kind)).toEqual(['begin', 'call', 'end', 'begin', 'call']);
    expect(records[3]?.after).toBe(records[2]?.hash);
    expect(await verifyAudit([file])).toMatchObject({ lines: 5, calls: 2, chains: 2, problems: [], notes: [] });
  });

  it('is rotated by size, and the chain continues in the next file', async () => {
    const file = newFile();
    const { request } = open({ file, maxSize: 4096 });
    for (let call = 0; call < 40; call += 1) await request('tools/call', { name: 'add', arguments: { call } });
    const names = readdirSync(dirname(file)).toSorted();
    const files = [...names.slice(1), ...names.slice(0, 1)].map((name) => `${dirname(file)}/${name}`);

    expect(names.slice(0, 3)).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
    expect(recordsOf(file)[0]).toMatchObject({ kind: 'rotate', former: names.at(-1) });
    expect(await verifyAudit(files)).toMatchObject({ calls: 40, chains: 1, problems: [], notes: [] });
    expect(await verifyAudit([file])).toMatchObject({ problems: [], notes: [expect.stringContaining('older file')] });
  });

  it('is rotated by age', async () => {
    const file = newFile();
    const { request, trail } = open({ file, maxAgeMs: 1 });
    await request('tools/list');
    trail.close();
    await expect.poll(() => Date.now() - statSync(file).birthtimeMs).toBeGreaterThan(2);
    open({ file, maxAgeMs: 1 });

    expect(recordsOf(`${file}.1`).map(({ kind }) => kind)).toEqual(['begin', 'call', 'end']);
    expect(recordsOf(file)[0]).toMatchObject({
      kind: 'begin',
      former: 'audit.jsonl.1',
      after: recordsOf(`${file}.1`)[2]?.hash,
    });
    expect((await verifyAudit([`${file}.1`, file])).problems).toEqual([]);
    expect(await verifyAudit([file])).toMatchObject({
      problems: [],
      notes: [expect.stringContaining('audit.jsonl.1')],
    });
  });

  it('is deleted beyond the number of files to keep', async () => {
    const file = newFile();
    const { request } = open({ file, maxSize: 4096, keep: 2 });
    for (let call = 0; call < 80; call += 1) await request('tools/call', { name: 'add', arguments: { call } });

    expect(readdirSync(dirname(file))).toHaveLength(3);
  });
});

describe('an audit log that can not be written', () => {
  function failing(options: Omit<AuditOptions, 'write'>) {
    const lines: string[] = [];
    const errors: string[] = [];
    const state = { broken: false };
    const write = (line: string): void => {
      if (state.broken) throw new Error('no space');
      lines.push(line);
    };
    const kinds = (): unknown[] =>
      lines.flatMap((text) => text.trim().split('\n')).map((line) => (JSON.parse(line) as { kind: string }).kind);
    return { ...open({ ...options, write, onError: (message) => void errors.push(message) }), errors, state, kinds };
  }

  it('is reported once, calls continue, and lost lines are counted when it can be written again', async () => {
    const { request, errors, state, kinds, served } = failing({});
    state.broken = true;
    for (let call = 0; call < 3; call += 1) await request('tools/call', { name: 'add' });
    expect(errors).toEqual(["The audit log can't be written: no space; 1 line is lost so far"]);
    state.broken = false;
    await request('tools/call', { name: 'add' });

    expect(served()).toBe(4);
    expect(errors.at(-1)).toBe('The audit log can be written again; 3 lines are lost');
    expect(kinds()).toEqual(['begin', 'gap', 'call']);
  });

  it('rejects requests with onFailure: reject, until it can be written again', async () => {
    const { request, state, served, kinds } = failing({ onFailure: 'reject' });
    state.broken = true;
    await request('tools/call', { name: 'add' });
    const rejected = await request('tools/call', { name: 'add' });
    expect(rejected?.error).toMatchObject({ code: -32603, data: { retryAfterMs: 1000 } });
    expect(rejected?.error.message).toContain('can not write its audit log');
    expect(served()).toBe(1);
    state.broken = false;

    expect(await request('tools/call', { name: 'add' })).toHaveProperty('result');
    expect(kinds()).toEqual(['begin', 'gap', 'call']);
  });
});
