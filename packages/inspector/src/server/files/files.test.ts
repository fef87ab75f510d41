import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { readRecording, replayRecording } from '@ccmcp/core/recording';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { openPage, type TestPage } from '../fixtures/page.ts';
import { startService } from '../fixtures/start-service.ts';
import { EventLog } from '../log/event-log.ts';
import type { Target } from '../targets.ts';
import { SavedRequests } from './saved-requests.ts';
import { DataFolder } from './data-folder.ts';
import { RecordingFormat } from './recording-format.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ccmcp-inspector-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
}

async function withCall(inside: string): Promise<{ page: TestPage; call: string; url: string }> {
  const server = createServer({ name: 'echo', version: '1', tools: [tool('long', {}, () => 'x'.repeat(50_000))] });
  const { url } = await startService(server);
  const page = await openPage({ folder: inside });
  const made = await page.ask('connect', { typed: url, settings: { headers: { 'X-Api-Key': 'sesame-street' } } });
  const { connection } = made as { connection: string };
  await page.until('connection', (event) => event.connection.status.is === 'connected');
  const { call } = await page.ask('call', {
    connection,
    method: 'tools/call',
    params: { name: 'long', arguments: {} },
  });
  await page.until('call-end', (event) => event.call === call);
  return { page, call, url };
}

/** The events of a recording. */
function eventsIn(path: string): InspectorEvent[] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as InspectorEvent);
}

interface Har {
  log: { version: string; entries: { request: { postData?: { text: string } } }[] };
}

const request = { name: 'Add', target: 'adder', method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } };

describe('saved requests', () => {
  it('are stored in the project, and loaded by the next inspector', async () => {
    const inside = folder();
    const page = await openPage({ folder: inside });
    expect(await page.until('collection')).toMatchObject({ file: join('.ccmcp', 'requests.json'), requests: [] });
    const { id } = await page.ask('save', request);
    await page.ask('save', { ...request, id, name: 'Add one' });
    const second = await page.ask('save', request);
    await page.ask('unsave', { id: second.id });
    const next = await openPage({ folder: inside });
    expect(await next.until('collection')).toMatchObject({ requests: [{ id, ...request, name: 'Add one' }] });
  });

  it('do not overwrite an invalid file', async () => {
    const inside = folder();
    mkdirSync(join(inside, '.ccmcp'));
    const file = join(inside, '.ccmcp/requests.json');
    writeFileSync(file, '{"mine": true}');
    const page = await openPage({ folder: inside });
    expect((await page.until('collection')).problem).toContain('is not as it should be');
    await expect(page.ask('save', request)).rejects.toThrow('is not as it should be');
    expect(readFileSync(file, 'utf8')).toBe('{"mine": true}');
  });

  it('are all stored when saved concurrently', async () => {
    const saved = new SavedRequests(new EventLog(), new DataFolder(folder()));
    const ids = await Promise.all([1, 2, 3].map(() => saved.save(request)));
    for (const id of ids) await expect(saved.save({ ...request, id })).resolves.toBe(id);
  });

  it('are not written through a planted link', async () => {
    const [inside, outside] = [folder(), folder()];
    const victim = join(outside, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(join(inside, '.ccmcp'));
    symlinkSync(victim, join(inside, `.ccmcp/requests.json.${process.pid}.new`));
    const page = await openPage({ folder: inside });
    await page.ask('save', request);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    const { requests } = await page.until('collection', (event) => event.requests.length > 0);
    expect(requests).toMatchObject([request]);
  });

  it('are neither read nor written through links that lead outside', async () => {
    const [inside, outside] = [folder(), folder()];
    symlinkSync(outside, join(inside, '.ccmcp'));
    const page = await openPage({ folder: inside });
    await expect(page.ask('save', request)).rejects.toThrow('leads outside of');
    await expect(page.ask('record', {})).rejects.toThrow('leads outside of');
    await expect(page.ask('recordings', {})).rejects.toThrow('leads outside of');
    expect(readdirSync(outside)).toEqual([]);
    const [other, target] = [folder(), join(outside, 'victim.json')];
    mkdirSync(join(other, '.ccmcp'));
    writeFileSync(target, '{}');
    symlinkSync(target, join(other, '.ccmcp/requests.json'));
    const second = await openPage({ folder: other });
    await expect(second.ask('save', request)).rejects.toThrow('no plain file');
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });
});

describe('a recording', () => {
  it('contains all events in order, with full texts', async () => {
    const inside = folder();
    const { page, call } = await withCall(inside);
    const { file } = await page.ask('record', { name: 'first' });
    expect(file).toBe('first.jsonl');
    await page.ask('repeat', { call });
    await page.until('call-end', (event) => event.call !== call && event.outcome === 'ok' && event.truncated === true);
    expect(await page.ask('record-stop', {})).toEqual({ file });
    const lines = readFileSync(join(inside, '.ccmcp/recordings', file), 'utf8')
      .trimEnd()
      .split('\n');
    const [head, ...events] = lines.map((line) => JSON.parse(line) as unknown);
    expect(head).toMatchObject({ format: 'ccmcp-recording', version: 1, run: page.hello.run });
    const recorded = events as InspectorEvent[];
    expect(recorded[0]?.n).toBe(1);
    expect(recorded.some((event) => 'truncated' in event)).toBe(false);
    const ends = recorded.filter((event) => event.type === 'call-end' && 'result' in event && event.bytes > 50_000);
    expect(ends).toHaveLength(2);
    expect(JSON.stringify(recorded)).not.toContain('sesame-street');
    expect(await page.ask('recordings', {})).toMatchObject({ files: [{ file, bytes: expect.any(Number) }] });
    expect((await (await page.get(`api/recordings/${file}`)).text()).split('\n')).toHaveLength(lines.length + 1);
  });

  it('is replayed by ccmcp replay', async () => {
    const inside = folder();
    const { page, call } = await withCall(inside);
    const { file } = await page.ask('record', {});
    await page.ask('repeat', { call });
    await page.until('call-end', (event) => event.call !== call && event.outcome === 'ok' && event.truncated === true);
    await page.ask('record-stop', {});
    const recording = await readRecording(join(inside, '.ccmcp/recordings', file));
    onTestFinished(() => recording.close());
    expect(recording.problems).toEqual([]);
    const answers: unknown[] = [];
    const client = replayRecording(recording).open((message) => answers.push(message));
    client.receive({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params: { name: 'long', arguments: {} } });
    expect(answers.at(-1)).toMatchObject({ id: 'mine', result: { content: [{ text: 'x'.repeat(50_000) }] } });
  });

  it('contains complete lists, even if it starts after they were loaded', async () => {
    const inside = folder();
    const { page } = await withCall(inside);
    await page.until('list', ({ kind, state }) => kind === 'tools' && state === 'loaded');
    const { file } = await page.ask('record', {});
    await page.ask('record-stop', {});
    const lists = eventsIn(join(inside, '.ccmcp/recordings', file)).filter((event) => event.type === 'list');
    const tools = lists.filter(({ kind, listed }) => kind === 'tools' && listed !== undefined);
    expect(tools).toMatchObject([{ version: 1, listed: { version: 1, entries: [{ name: 'long' }] } }]);
  });

  it('contains each version of a list once', async () => {
    const inside = folder();
    const server = createServer({ name: 'grows', version: '1', tools: [tool('one', {}, () => '1')] });
    const target = { label: 'grows', kind: 'own', origin: 'given' } as const;
    const resolve = async (): Promise<Target> => ({ kind: 'own', server, label: 'grows' });
    const page = await openPage({ folder: inside, targets: [{ ...target, resolve }] });
    await page.until('subscription', ({ state }) => state === 'open');
    const { file } = await page.ask('record', {});
    server.tools.add(tool('two', {}, () => '2'));
    await page.until('list', ({ kind, version }) => kind === 'tools' && version === 2);
    await page.ask('record-stop', {});
    const events = eventsIn(join(inside, '.ccmcp/recordings', file));
    const tools = events.flatMap((event) => (event.type === 'list' && event.listed ? [event] : []));
    expect(tools.map(({ kind, listed }) => [kind, listed?.entries.map(({ name }) => name)])).toEqual([
      ['tools', ['one']],
      ['tools', ['one', 'two']],
    ]);
  });

  it('starts with the current state if started late', async () => {
    const log = new EventLog(50);
    const call = { call: 'c1', connection: 's1', method: 'ping', params: '{}', by: 'page' } as const;
    log.add('call', call);
    log.add('list', { connection: 's1', kind: 'tools', state: 'loaded', version: 1, count: 1, bytes: 2, tokens: 1 });
    log.add('list', { connection: 's1', kind: 'tools', state: 'loading', version: 1, count: 1, bytes: 2, tokens: 1 });
    for (let count = 0; count < 200; count += 1) log.add('warning', { message: 'flood' });
    const listed = { version: 1, entries: [{ name: 'a' }], tokens: [1] };
    const lines = [...new RecordingFormat(log, () => listed).past()].map((line) => JSON.parse(line) as InspectorEvent);
    expect(lines.slice(0, 2)).toMatchObject([call, { type: 'list', state: 'loading', listed }]);
    expect(new Set(lines.slice(2).map(({ type }) => type))).toEqual(new Set(['warning']));
  });

  it('keeps texts truncated that are too long to store', () => {
    const log = new EventLog();
    const end = { call: 'c1', outcome: 'ok', ms: 1, bytes: 1, tokens: 1, truncated: true } as const;
    log.add('call-end', end, `"${'x'.repeat(16 * 1024 * 1024)}"`);
    const [line = ''] = new RecordingFormat(log, () => undefined).past();
    expect(JSON.parse(line)).toMatchObject(end);
  });

  it('of one connection contains its events only', async () => {
    const { page, call } = await withCall(folder());
    const { connection } = await page.until('call', (event) => event.call === call);
    const target = createServer({ name: 'other', version: '1', tools: [tool('secret', {}, () => 'of others')] });
    const { url } = await startService(target);
    await page.ask('connect', { typed: url });
    await page.until('list', (event) => event.connection !== connection && event.kind === 'tools' && event.count === 1);
    const text = await (await page.get(`api/sessions/${connection}`)).text();
    const [head, ...events] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as InspectorEvent);
    expect(head).toMatchObject({ format: 'ccmcp-recording' });
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(expect.arrayContaining(['connection', 'http-end', 'message', 'call-end', 'list']));
    expect(types.has('targets') || types.has('collection')).toBe(false);
    expect(events.find((event) => event.type === 'call-end' && event.call === call)).toMatchObject({
      result: { content: [{ text: 'x'.repeat(50_000) }] },
    });
    expect(text).not.toContain(url);
    expect(text).not.toContain('secret');
    expect((await page.get('api/sessions/s99')).status).toBe(404);
  });

  it.each(['../evil', '..', '/etc/passwd', 'a/b', '.hidden', '', 'x'.repeat(200), 'a\0b'])(
    'has a plain name: not %j',
    async (name) => {
      const inside = folder();
      const page = await openPage({ folder: inside });
      await expect(page.ask('record', { name })).rejects.toThrow(/recording name|not as it should be/);
      expect(existsSync(join(inside, '.ccmcp/recordings'))).toBe(false);
    },
  );

  it('is not overwritten, and only one runs', async () => {
    const page = await openPage({ folder: folder() });
    await page.ask('record', { name: 'one' });
    await expect(page.ask('record', { name: 'two' })).rejects.toThrow('already running');
    await page.ask('record-stop', {});
    await expect(page.ask('record', { name: 'one' })).rejects.toThrow('There is a recording');
    await expect(page.ask('record-stop', {})).rejects.toThrow('No recording is running');
  });

  it('gets a unique name by default', async () => {
    const page = await openPage({ folder: folder() });
    const files = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      files.add((await page.ask('record', {})).file);
      await page.ask('record-stop', {});
    }
    expect(files.size).toBe(5);
  });

  it.each(['..%2f..%2frequests.json', '%2e%2e', 'requests.json', 'no.jsonl', '..%2frequests.jsonl'])(
    'is all that can be read: not %s',
    async (name) => {
      const inside = folder();
      const page = await openPage({ folder: inside });
      await page.ask('save', request);
      expect((await page.get(`api/recordings/${name}`)).status).toBe(404);
    },
  );
});

describe('a HAR file', () => {
  it('contains every exchange, without secrets', async () => {
    const { page, url } = await withCall(folder());
    const har = (await (await page.get('api/har')).json()) as Har;
    expect(har.log.version).toBe('1.2');
    const called = har.log.entries.find(({ request: { postData } }) => postData?.text.includes('"tools/call"'));
    expect(called).toMatchObject({
      request: { method: 'POST', url, headers: expect.arrayContaining([{ name: 'X-Api-Key', value: '[masked]' }]) },
      response: { status: 200, content: { text: expect.stringContaining('xxxxx') } },
      time: expect.any(Number),
    });
    expect(JSON.stringify(har)).not.toContain('sesame-street');
  });
});

describe('a call', () => {
  it('is copied as cURL with its original headers', async () => {
    const { page, call, url } = await withCall(folder());
    const { text } = await page.ask('copy-as', { call, form: 'curl' });
    expect(text).toContain(`curl -sN ${url}`);
    expect(text).toContain('"X-Api-Key: $X_API_KEY"');
    expect(text).toMatch(/-H 'mcp-method: tools\/call'/i);
    expect(text).not.toContain('sesame');
  });
});
