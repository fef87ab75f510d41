import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../schema/infer.ts';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import type { Tool } from '../define/define.ts';
import { connectDirect, textOf } from '../fixtures/direct-client.ts';
import type { Server } from '../server.ts';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** Tools whose schemas are those of a library, which counts how often it is asked for each. */
function library(): { asked: Map<string, number>; tools(count: number, from?: number): Tool[]; total(): number } {
  const asked = new Map<string, number>();
  const schema = (name: string, side: string): StandardSchema => {
    const write = (): Record<string, unknown> => {
      asked.set(`${name} ${side}`, (asked.get(`${name} ${side}`) ?? 0) + 1);
      return { type: 'object', title: name };
    };
    const standard = { version: 1, vendor: 'counting', validate: (value: unknown) => ({ value }) } as const;
    return { '~standard': { ...standard, jsonSchema: { input: write, output: write } } };
  };
  const make = (name: string): Tool => ({
    name,
    input: schema(name, 'input'),
    output: schema(name, 'output'),
    call: () => ({ content: [{ type: 'text', text: name }], structuredContent: {} }),
  });
  return {
    asked,
    tools: (count, from = 0) => Array.from({ length: count }, (_, each) => make(`t${from + each}`)),
    total: () => [...asked.values()].reduce((sum, times) => sum + times, 0),
  };
}

function serverOf(tools: Tool[], options: Partial<ServerOptions> = {}): Server {
  const logger = { level: 'error', write: () => {} } as const;
  return createServer({ name: 'x', version: '1', tools, logger, ...options });
}

type Page = { tools: { name: string; inputSchema: object }[]; nextCursor?: string };

const namesIn = ({ tools }: Page): string[] => tools.map(({ name }) => name);

async function list(server: Server, version?: string, cursor?: string): Promise<Page> {
  const { request } = connectDirect(server, version === undefined ? {} : { version });
  const answer = await request('tools/list', cursor === undefined ? {} : { cursor });
  const { result } = JSON.parse(
    JSON.stringify(answer, (_, value) => (value?.text === undefined ? value : asJson(value))),
  );
  return result as Page;
}

/** The value of a result that is cached as text. */
function asJson(value: { text: string }): unknown {
  return value.text.startsWith('{') ? JSON.parse(value.text) : value;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the JSON Schema of a library schema', () => {
  it.each([3, 300])('is converted once for each of %i tools, for any client and revision', async (count) => {
    const { asked, tools, total } = library();
    const server = serverOf(tools(count));
    await Promise.all(revisions.flatMap((version) => [list(server, version), list(server, version)]));
    for (const version of revisions) expect((await list(server, version)).tools).toHaveLength(count);
    expect(asked.size).toBe(2 * count);
    expect(total()).toBe(2 * count);
  });

  it('is cached when tools are removed and added, and for other servers', async () => {
    const { tools, total } = library();
    const many = tools(200);
    const server = serverOf(many);
    await list(server);
    const [first] = many as [Tool];
    server.tools.remove('t0');
    server.tools.add(first, ...tools(1, 200));
    expect(namesIn(await list(server)).slice(-2)).toEqual(['t0', 't200']);
    expect(total()).toBe(402);
    await list(serverOf(many));
    await list(compose({ part: server }, { name: 'whole', version: '1' }));
    expect(total()).toBe(402);
  });

  it('is converted immediately for a short list', () => {
    const { tools } = library();
    expect(connectDirect(serverOf(tools(64))).request('tools/list')).not.toBeInstanceOf(Promise);
    expect(connectDirect(serverOf(tools(65))).request('tools/list')).toBeInstanceOf(Promise);
  });

  it('is cached for later lists of any length', async () => {
    const { tools } = library();
    const server = serverOf(tools(500));
    await list(server);
    expect(connectDirect(server).request('tools/list')).not.toBeInstanceOf(Promise);
    server.tools.add(...tools(1, 500));
    expect(connectDirect(server).request('tools/list')).not.toBeInstanceOf(Promise);
  });

  it('is converted page by page', async () => {
    const { tools, asked } = library();
    const server = serverOf(tools(500), { pageSize: 100, logger: { level: 'notice', write: () => {} } });
    const { nextCursor } = await list(server);
    expect(asked.size).toBe(200);
    expect(namesIn(await list(server, undefined, nextCursor))[0]).toBe('t100');
    expect(asked.size).toBe(400);
  });
});

describe('during the conversion of a long list', () => {
  it('calls are answered', async () => {
    const { tools, asked } = library();
    const { request } = connectDirect(serverOf(tools(2000)));
    const order: string[] = [];
    const listed = Promise.resolve(request('tools/list')).then(() => order.push('list'));
    for (const name of ['t1', 't1999']) {
      await turn();
      const answer = await request('tools/call', { name });
      order.push(String(textOf(answer)));
    }
    expect(asked.size).toBeLessThan(4000);
    await listed;
    expect(order).toEqual(['t1', 't1999', 'list']);
    expect(asked.size).toBe(4000);
  });

  it('the conversion ends if no client waits for it', async () => {
    const { tools, asked } = library();
    const server = serverOf(tools(2000));
    const { request, notify } = connectDirect(server, { version: '2025-11-25' });
    const answer = request('tools/list', {}, 7);
    await turn();
    notify('notifications/cancelled', { requestId: 7 });
    expect(await answer).toBeUndefined();
    await turn();
    const done = asked.size;
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(asked.size).toBe(done);
    expect(done).toBeLessThan(4000);
    expect((await list(server)).tools).toHaveLength(2000);
  });

  it('added and removed tools are listed or not', async () => {
    const { tools, total } = library();
    const server = serverOf(tools(1000));
    const listed = list(server);
    await turn();
    server.tools.remove('t5');
    server.tools.remove('t990');
    server.tools.add(...tools(300, 1000));
    const names = namesIn(await listed);
    expect(names).toHaveLength(1298);
    expect(names).not.toContain('t5');
    expect(names).not.toContain('t990');
    expect(names.at(-1)).toBe('t1299');
    expect(total()).toBeLessThanOrEqual(2600);
  });

  it('pages are complete: no tool is missing or duplicated', async () => {
    const { tools } = library();
    const server = serverOf(tools(900), { pageSize: 200 });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const listed = list(server, undefined, cursor);
      await turn();
      server.tools.remove(names[0] ?? 'none');
      server.tools.add(...tools(1, 900 + names.length));
      const found = await listed;
      names.push(...namesIn(found));
      cursor = found.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 900)).toEqual(Array.from({ length: 900 }, (_, each) => `t${each}`));
  });

  it('a schema that can not be converted is an error that names the tool, on every list, and other calls continue', async () => {
    const { tools } = library();
    const broken = tools(1, 5000).map((tool) => {
      const fail = (): never => {
        throw new Error('no way');
      };
      const standard = { version: 1, vendor: 'broken', validate: (value: unknown) => ({ value }) } as const;
      return { ...tool, input: { '~standard': { ...standard, jsonSchema: { input: fail, output: fail } } } };
    });
    const server = serverOf([...tools(150), ...broken, ...tools(150, 150)]);
    const { request } = connectDirect(server);
    const message = `Tool "t5000": The input schema can't be used: broken can't write it as JSON Schema: no way`;
    for (let times = 0; times < 2; times++) {
      const answer = await request('tools/list');
      expect(answer).toMatchObject({ error: { code: -32603, message } });
    }
    expect(textOf(await request('tools/call', { name: 't299' }))).toBe('t299');
    server.tools.remove('t5000');
    expect((await list(server)).tools).toHaveLength(300);
  });
});
