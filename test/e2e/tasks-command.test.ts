import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { tasks } from '@ccmcp/core/tasks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { onTerminal } from '../support/terminal.ts';

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

/** Pictures that may be finished, and the outcomes of their tasks. */
const finished = new Set<string>();
const stopped: string[] = [];
let onChange = (): void => {};

function studio() {
  const input = { type: 'object', properties: { picture: { type: 'string' } }, required: ['picture'] } as const;
  return createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [tasks({ pollMs: 50 })],
    tools: [
      tool('plain', {}, () => 'at once'),
      tool('render', { task: 'optional', input }, async ({ picture }, { progress, signal }) => {
        progress(1, 2, `sketched ${picture}`);
        while (!finished.has(picture)) {
          if (signal.aborted) {
            stopped.push(picture);
            onChange();
            throw signal.reason;
          }
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return `rendered ${picture}`;
      }),
      tool('fail', { task: 'required' }, () => ({ content: [{ type: 'text', text: 'out of paint' }], isError: true })),
      tool('greet', { task: 'required' }, async (_, { elicit }) => {
        const { content } = await elicit({ message: 'Your name?', schema: name });
        return `Hello, ${content?.name ?? 'stranger'}!`;
      }),
    ],
  });
}

let url = '';
let guarded = '';
const kept = mkdtempSync(join(tmpdir(), 'ccmcp-tasks-'));
const env = { CCMCP_TASKS: kept, CCMCP_LOGINS: join(kept, 'none') };

beforeAll(async () => {
  const services = [
    await serveHttp(studio(), { port: 0 }),
    await serveHttp(studio(), { port: 0, auth: apiKey({ keys: ['key-of-ada-1234', 'key-of-bob-5678'] }) }),
  ];
  [url = '', guarded = ''] = services.map((service) => service.url);
  return async () => {
    for (const service of services) await service.close({ graceMs: 0, lingerMs: 0 });
  };
});

afterAll(() => rmSync(kept, { recursive: true, maxRetries: 10 }));

async function outcome(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args, { env });
  expect({ code, stderr: stderr.replace(/^The task keeps running\..*\n/, '') }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

async function failure(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stderr } = await run([...args, '--json'], { env });
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  expect(error.exitCode).toBe(code);
  return error;
}

describe('ccmcp call of a tool that becomes a task', () => {
  it('waits for the result, and stores nothing', async () => {
    finished.add('a');
    expect(await outcome('call', url, 'render', 'picture=a')).toBe('rendered a');
    expect(readdirSync(kept).filter((file) => file.endsWith('.json'))).toEqual([]);
  });

  it('reports an error of the tool as usual', async () => {
    expect(await failure('call', url, 'fail')).toMatchObject({ kind: 'tool-error', message: 'out of paint' });
  });

  it('shows the status of the task, and cancels it with Ctrl+C (TC-04)', async () => {
    const received = new Promise<void>((resolve) => {
      onChange = resolve;
    });
    const { screen, code } = await onTerminal(['call', url, 'render', 'picture=b'], [[/sketched b/, '\u0003']], env);
    await received;
    expect(screen).toContain('working: 1 of 2: sketched b');
    expect(screen).toContain('Ctrl+C again does not wait for its end');
    expect(screen).toContain('The task was cancelled');
    expect(code).toBe(130);
    expect(stopped).toContain('b');
    expect(await outcome('tasks', url)).toContain('There is no stored task');
  });

  it('asks the person what the task asks (TC-03)', async () => {
    const { screen, code } = await onTerminal(
      ['call', url, 'greet'],
      [
        [/Answer\?/, 'y\n'],
        [/name/, 'Ada\n'],
      ],
      env,
    );
    expect(screen).toContain('Hello, Ada!');
    expect(code).toBe(0);
  });
});

describe('ccmcp call --detach', () => {
  it('prints the id and exits; the task can be awaited later (TC-02)', async () => {
    const id = await outcome('call', url, 'render', 'picture=c', '--detach');
    expect(await outcome('tasks', url)).toContain(`${id}  working: 1 of 2: sketched c\n    render, since `);
    expect(JSON.parse(await outcome('tasks', url, 'show', id.slice(0, 8), '--json'))).toMatchObject({
      taskId: id,
      tool: 'render',
      status: 'working',
    });
    finished.add('c');
    expect(await outcome('tasks', url, 'wait', id)).toBe('rendered c');
    expect(await outcome('tasks', url)).toBe('There is no stored task for this server');
  });

  it('stores ids readable by their owner only', async () => {
    const id = await outcome('call', url, 'render', 'picture=d', '--detach');
    const [file = ''] = readdirSync(kept).filter((each) => each.endsWith('.json'));
    expect(statSync(join(kept, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(kept, file), 'utf8')).toContain(id);
    expect(await outcome('tasks', url, 'cancel', id)).toMatch(/^The task was (cancelled|asked to stop)/);
    expect(readdirSync(kept).filter((each) => each.endsWith('.json'))).toEqual([]);
    expect(await failure('tasks', url, 'wait', id)).toMatchObject({ kind: 'cancelled', exitCode: 9 });
  });

  it('prints the handle as JSON', async () => {
    const handle = JSON.parse(await outcome('call', url, 'greet', '--detach', '--json')) as Record<string, unknown>;
    expect(handle).toMatchObject({ form: 'extension', tool: 'greet', taskId: expect.any(String) as string });
    await outcome('tasks', url, 'cancel', String(handle.taskId));
  });

  it('reports that the tool returned at once', async () => {
    const { code, stdout, stderr } = await run(['call', url, 'plain', '--detach'], { env });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'at once\n',
      stderr: 'The tool answered at once: there is no task.\n',
    });
  });

  it('is rejected for a server that ends with the command', async () => {
    expect(await failure('call', 'ccmcp', 'add', 'a=1', 'b=2', '--detach')).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('ends with it') as string,
    });
    const { stdout } = await run(['tasks', 'ccmcp'], { env });
    expect(stdout).toContain('tasks of a server that the command starts end with it');
  });

  it('isolates tasks of different callers', async () => {
    const [ada, bob] = ['key-of-ada-1234', 'key-of-bob-5678'].map((key) => ['--header', `X-Api-Key: ${key}`]);
    const id = await outcome('call', guarded, 'greet', '--detach', ...(ada ?? []));
    expect(await outcome('tasks', guarded, ...(ada ?? []))).toContain(id);
    expect(await outcome('tasks', guarded, ...(bob ?? []))).toContain('There is no stored task');
    expect(await failure('tasks', guarded, 'wait', id, ...(bob ?? []))).toMatchObject({ kind: 'unknown-name' });
    expect(await outcome('tasks', guarded, ...(ada ?? []))).toContain(id);
    await outcome('tasks', guarded, 'cancel', id, ...(ada ?? []));
  });
});

describe('ccmcp tasks answer', () => {
  it('reads the fields of the form from the command line', async () => {
    const id = await outcome('call', url, 'greet', '--detach');
    expect(await outcome('tasks', url, 'show', id)).toMatch(/Your name\?\n +name: string$/);
    expect(await failure('tasks', url, 'answer', id)).toMatchObject({ kind: 'usage' });
    await outcome('tasks', url, 'answer', id, 'name=Grace');
    expect(await outcome('tasks', url, 'wait', id)).toBe('Hello, Grace!');
    expect(await failure('tasks', url, 'answer', id, 'name=Ada')).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('asks nothing') as string,
    });
  });

  it('asks the person at the terminal', async () => {
    const id = await outcome('call', url, 'greet', '--detach');
    const { screen, code } = await onTerminal(
      ['tasks', url, 'answer', id],
      [
        [/Answer\?/, 'y\n'],
        [/name/, 'Ada\n'],
      ],
      env,
    );
    expect(screen).toMatch(/Hello, Ada!|Answered; the task is now/);
    expect(code).toBe(0);
    expect(await outcome('tasks', url, 'wait', id)).toBe('Hello, Ada!');
  });
});

describe('ccmcp tasks', () => {
  it('leaves a task running if waiting is interrupted', async () => {
    const id = await outcome('call', url, 'render', 'picture=e', '--detach');
    const { screen, code } = await onTerminal(['tasks', url, 'wait', id], [[/sketched e/, '\u0003']], env);
    expect(screen).toContain('The task keeps running.');
    expect(code).toBe(130);
    finished.add('e');
    expect(await outcome('tasks', url, 'wait', id)).toBe('rendered e');
  });

  it('reports usage errors', async () => {
    expect(await failure('tasks', url, 'hold')).toMatchObject({ kind: 'usage' });
    expect(await failure('tasks', url, 'wait')).toMatchObject({ kind: 'usage' });
    expect(await failure('tasks', url, 'wait', 'a', 'b')).toMatchObject({ kind: 'usage' });
  });

  it('reports an unknown task, also if its id starts with a dash (TC-06)', async () => {
    expect(await failure('tasks', url, 'wait', '-0123456789abcdef')).toMatchObject({
      kind: 'unknown-name',
      exitCode: 7,
      message: expect.stringContaining('"-0123456789abcdef" was not found') as string,
    });
  });

  it('names the file that blocks its folder', async () => {
    const folder = emptyFolder();
    const place = { ...env, CCMCP_TASKS: folder };
    await run(['call', url, 'greet', '--detach'], { env: place });
    const [file = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'));
    writeFileSync(join(folder, file), '{', { mode: 0o600 });
    const { code, stderr } = await run(['tasks', url], { env: place });
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} is damaged`);
  });
});
