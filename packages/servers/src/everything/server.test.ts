import { logLevels } from '@ccmcp/core';
import type { ConnectOptions, FormQuestion } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import {
  expectProtocolError,
  expectStructured,
  expectText,
  expectToolError,
  type TestClient,
  testClient,
} from '@ccmcp/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { everythingServer } from './server.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const answers: Readonly<Record<string, Record<string, unknown>>> = {
  'Please fill in what you like': { text: 'abc', integer: 4 },
  'Please choose': { one: 'm', several: ['a', 'c'] },
  'What is your name?': { name: 'Ada' },
  'Are you sure, Ada?': { sure: true },
  'Go on?': { sure: true },
  'Which colour?': { color: 'red' },
  'About what?': { topic: 'tides' },
};

/** A client that answers everything. */
function connect(version: string, options: ConnectOptions = {}): Promise<TestClient> {
  return testClient(everythingServer({ logLevel: 'critical' }), {
    version,
    elicit: ({ message }: FormQuestion) => ({ action: 'accept', content: answers[message] ?? {} }),
    elicitUrl: () => ({ action: 'accept' }),
    sample: () => ({ role: 'assistant', content: [{ type: 'text', text: 'Hello' }], model: 'small' }),
    roots: [{ uri: 'file:///project', name: 'project' }],
    capabilities: { sampling: { tools: {} } },
    ...options,
  });
}

describe.each(versions)('everything in %s', (version) => {
  const isOld = version < '2025-06-18';
  const isStateless = version === '2026-07-28';

  it('lists its tools, resources, templates and prompts in pages', async () => {
    const client = await connect(version);
    const sizes: number[] = [];
    for await (const page of client.listTools().pages()) sizes.push(page.length);
    expect(sizes[0]).toBe(25);
    const names = (await client.listTools().all()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(45);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('increase_view');
    expect((await client.listResources().all()).length).toBeGreaterThan(100);
    expect(await client.listResourceTemplates().all()).toHaveLength(3);
    expect(await client.listPrompts().all()).toHaveLength(4);
  });

  it.each([
    ['text', {}, ['text']],
    ['image', {}, ['image']],
    ['audio', {}, [version === '2024-11-05' ? 'resource' : 'audio']],
    ['resource_link', {}, [isOld ? 'text' : 'resource_link']],
    ['embedded_resource', {}, ['resource', 'resource']],
    ['annotated', {}, ['text', 'text', 'text']],
    ['nothing', {}, []],
    ['many_blocks', { count: 3 }, ['text', 'text', 'text']],
  ])('returns the content of %s', async (name, args, types) => {
    const { content } = await (await connect(version)).callTool(name, args);
    expect(content.map(({ type }) => type)).toEqual(types);
  });

  it.each([
    ['unicode', {}, /^Grüße \| 你好 [^]*👩‍👩‍👧 𝒳/],
    ['big', { bytes: 100_001 }, /^(?:everything\n){9091}$/],
    ['echo', { message: 'Hi' }, /^Hi$/],
    ['add', { a: 2, b: 40 }, /^42$/],
    ['arguments', { pair: ['a', 1], tree: { name: 'x', children: [{ name: 'y' }] } }, /^\{"pair":\["a",1\],"tree"/],
    ['header_argument', { region: 'eu' }, /^Region: eu$/],
    ['work', { steps: 2, stepMs: 1 }, /^Did 2 steps$/],
    ['wait', { ms: 1 }, /^Waited 1 ms$/],
    ['disconnect', {}, /^Done$/],
    ['sample', {}, /^small: \[\{"type":"text","text":"Hello"\}\]$/],
    ['roots', {}, /^\[\{"uri":"file:\/\/\/project","name":"project"\}\]$/],
    ['show_view', {}, /^Value: 0$/],
  ])('returns the text of %s', async (name, args, expected) => {
    expect(expectText(await (await connect(version)).callTool(name, args))).toMatch(expected);
  });

  it('returns structured results', async () => {
    const client = await connect(version);
    expect(expectStructured(await client.callTool('structured'))).toMatchObject({ city: 'Bern', celsius: 21.5 });
    const list = expectStructured(await client.callTool('structured_list'));
    expect(list).toEqual(isStateless ? [1, 2, 3] : { result: [1, 2, 3] });
  });

  it('rejects invalid arguments by name', async () => {
    const client = await connect(version);
    const said = expectToolError(await client.callTool('arguments', { integer: 11, choice: 'pink', other: 1 }));
    for (const name of ['integer', 'choice', 'other']) expect(said).toContain(name);
  });

  it('fails in every way', async () => {
    const client = await connect(version);
    expect(expectToolError(await client.callTool('tool_error'))).toContain('The tool failed, as intended');
    expect(expectToolError(await client.callTool('exception'))).not.toContain('stays in the log');
    const { data } = await expectProtocolError(client.callTool('protocol_error'), -32_050);
    expect(data).toEqual({ reason: 'intended', retry: false });
    await expectProtocolError(client.callTool('invalid_result'), -32_603);
    await expectProtocolError(client.callTool('internal_error'), -32_603);
    await expectProtocolError(client.readResource('everything://items/101'), isStateless ? -32_602 : -32_002);
  });

  it('reports progress with and without a total', async () => {
    const client = await connect(version);
    const seen: unknown[] = [];
    const onProgress = ({ progress, total }: { progress: number; total?: number }): unknown =>
      seen.push([progress, total]);
    await client.callTool('work', { steps: 2, stepMs: 1 }, { onProgress });
    await client.callTool('open_ended_progress', {}, { onProgress });
    expect(seen).toEqual([
      [1, 2],
      [2, 2],
      [1, undefined],
      [10, undefined],
      [100, undefined],
    ]);
  });

  it('is cancelled', async () => {
    const controller = new AbortController();
    const call = (await connect(version)).callTool('never', {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(call).rejects.toThrow('aborted');
  });

  it('logs at each level', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const client = await connect(version, { logLevel: 'debug' });
    await client.callTool('log');
    stderr.mockRestore();
    expect(new Set(client.logs.map(({ level }) => level))).toEqual(new Set(logLevels));
    expect(client.logs.at(-1)).toMatchObject({ logger: 'everything.structured', data: { event: 'structured' } });
  });

  it('reads resources of every kind, and completes', async () => {
    const client = await connect(version);
    expect(expectText(await client.readResource('everything://text'))).toBe('A text.');
    expect((await client.readResource('everything://picture')).contents).toMatchObject([{ mimeType: 'image/png' }]);
    expect((await client.readResource('everything://parts')).contents).toHaveLength(2);
    expect(expectText(await client.readResource('everything://items/42'))).toBe('{"id":42,"even":true}');
    expect(expectText(await client.readResource('everything://files/a/b.txt'))).toBe('The file a/b.txt');
    expect(expectText(await client.readResource('everything://sum?a=2&b=40'))).toBe('42');
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'everything://items/{id}' },
      argument: { name: 'id', value: '9' },
    });
    expect(ids.values).toEqual(['9', '90', '91', '92', '93', '94', '95', '96', '97', '98', '99']);
  });

  it('gets prompts, and completes an argument for another', async () => {
    const client = await connect(version);
    expect(expectText(await client.getPrompt('travel', { country: 'Italy', city: 'Rome' }))).toContain('Rome, Italy');
    expect((await client.getPrompt('conversation')).messages).toHaveLength(5);
    const { values } = await client.complete({
      ref: { type: 'ref/prompt', name: 'travel' },
      argument: { name: 'city', value: 'm' },
      context: { arguments: { country: 'Italy' } },
    });
    expect(values).toEqual(['Milan']);
  });
});

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('everything in %s', (version) => {
  it('asks forms, one after the other, together, and during work', async () => {
    const client = await connect(version);
    const ask = async (name: string): Promise<string> => expectText(await client.callTool(name));
    expect(await ask('ask_form')).toContain('"text":"abc","integer":4');
    expect(await ask('ask_twice')).toBe('Ada: true');
    expect(JSON.parse(await ask('ask_together'))).toMatchObject([
      { content: { name: 'Ada' } },
      { model: 'small' },
      [{}],
    ]);
    expect(await ask('ask_during_work')).toBe('The answer: accept');
    const { messages } = await client.getPrompt('ask');
    expect(messages).toMatchObject([{ content: { text: 'Explain tides.' } }]);
  });
});

describe.each(['2025-11-25', '2026-07-28'])('everything in %s', (version) => {
  it('asks with choices, by URL, and a model that has tools', async () => {
    const client = await connect(version);
    const ask = async (name: string): Promise<string> => expectText(await client.callTool(name));
    expect(await ask('ask_choices')).toContain('"several":["a","c"]');
    expect(await ask('ask_url')).toBe('{"action":"accept"}');
    expect(await ask('sample_with_tools')).toContain('Hello');
  });
});

describe.each(['2025-11-25', '2026-07-28'])('the tasks of everything in %s', (version) => {
  it('complete, fail in both ways, and ask before and within', async () => {
    const client = await connect(version, { extensions: [tasksClient()] });
    expect(expectText(await client.callTool('task', { ms: 4 }))).toBe('The task took 4 ms');
    expect(expectText(await client.callTool('task_required', { ms: 1 }))).toBe('The task is done');
    expect(expectText(await client.callTool('task_asks'))).toBe('The colour: red');
    expect(expectText(await client.callTool('task_asks_first'))).toBe('The colour: red');
    expect(expectToolError(await client.callTool('task_fails'))).toBe('The task failed, as intended');
    await expectProtocolError(client.callTool('task_breaks'), -32_603);
  });
});

it('notifies of changed lists and of the counter', async () => {
  const client = await connect('2025-11-25');
  const changes: string[] = [];
  const waitFor = (count: number): Promise<unknown> => vi.waitUntil(() => changes.length >= count);
  await client.listen(
    { tools: true, resources: true, prompts: true, uris: ['everything://counter'] },
    {
      onChange: ({ kind }) => changes.push(kind),
    },
  );
  for (const [index, name] of ['toggle_tool', 'toggle_resource', 'toggle_prompt'].entries()) {
    await client.callTool(name);
    await waitFor(index + 1);
  }
  expect(changes).toEqual(['tools', 'resources', 'prompts']);
  expect(expectText(await client.callTool('extra'))).toBe('Extra');
  expect(expectText(await client.callTool('update_counter'))).toBe('The counter is 1');
  await waitFor(4);
  expect(changes.at(-1)).toBe('resource');
  expect(expectText(await client.readResource('everything://counter'))).toBe('1');
});
