import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { McpClient } from '../../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../../test/support/wires.ts';
import { compose } from '../../compose.ts';
import { type Tool, tool } from './define.ts';
import type { LogEntry } from '../log/log.ts';
import { createServer } from '../../create-server.ts';
import type { Server } from '../server.ts';
import { engineOf } from '../server-handle.ts';

function serverWith(tools: Tool[], log: LogEntry[] = []): Server {
  const logger = { level: 'error', write: (entry: LogEntry) => void log.push(entry) } as const;
  return createServer({ name: 'x', version: '1', tools, logger });
}

async function connect(server: Server, version = '2026-07-28'): Promise<McpClient> {
  const client = new McpClient(memoryWire(server), { version, capabilities: {} });
  await client.initialize();
  return client;
}

describe('a tool that can not be used is rejected when it is added', () => {
  const rejected = (mistake: object): unknown => {
    try {
      return serverWith([{ name: 'it', call: () => '', ...mistake }]);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('if its name is none', () => {
    const longest = 'a'.repeat(128);
    expect(rejected({ name: longest })).toBeTypeOf('object');
    for (const name of ['', 'a b', 'ä', 'a\n', `${longest}a`, 7, undefined]) {
      expect(rejected({ name })).toMatch(/^Tool name .*: use 1 to 128 of the characters/);
    }
  });

  it('if it has no handler', () => {
    expect(rejected({ call: undefined })).toContain('Tool "it" has no handler: give it a "call" function');
  });

  it('if a JSON Schema is invalid, and the message names tool and location', () => {
    expect(rejected({ input: { properties: { a: { type: 'strin' } } } })).toMatch(
      /^Tool "it": The input schema can't be used: it is not valid JSON Schema: #\/properties\/a\/type must be one of/,
    );
    expect(rejected({ output: { $ref: '#/$defs/a' } })).toMatch(
      /^Tool "it": The output schema can't be used: #\/\$ref/,
    );
  });

  it('if an x-mcp-header is invalid, and the message names tool and location (S-M-15)', () => {
    const price = { type: 'number', 'x-mcp-header': 'Price' };
    expect(rejected({ input: { properties: { price } } })).toMatch(
      /^Tool "it": The input schema can't be used: "x-mcp-header" at "#\/properties\/price" stands at an argument/,
    );
  });

  it('if a schema library is too old', () => {
    const standard = { version: 1, vendor: 'zod', validate: (value: unknown) => ({ value }) };
    expect(rejected({ input: { '~standard': standard } })).toMatch(/^Tool "it": .*install zod 4\.2 or later$/);
  });

  it('together with those that were added with it', () => {
    const server = serverWith([tool('old', {}, () => '')]);
    const names = (): string[] => [...server.tools].map(({ name }) => name);
    const fine = tool('new', {}, () => '');
    expect(() =>
      server.tools.add(
        fine,
        tool('bad', { input: { type: 'string' } }, () => ''),
      ),
    ).toThrow('Tool "bad"');
    expect(() =>
      server.tools.add(
        fine,
        tool('old', {}, () => ''),
      ),
    ).toThrow('There is already a tool "old"');
    expect(() => server.tools.add(fine, fine)).toThrow('There is already a tool "new"');
    expect(names()).toEqual(['old']);
    server.tools.add(fine);
    expect(names()).toEqual(['old', 'new']);
  });
});

describe('a schema of a library', () => {
  const dated = tool('dated', { input: z.object({ when: z.date() }) }, () => '');
  const message =
    `Tool "dated": The input schema can't be used: zod can't write it as JSON Schema: ` +
    'Date cannot be represented in JSON Schema';

  it('is listed like any other', async () => {
    const schemas = { input: z.object({ n: z.number() }), output: z.object({ m: z.number() }) };
    const server = compose(
      { part: serverWith([tool('zod', schemas, ({ n }) => ({ m: n }))]) },
      { name: 'y', version: '1' },
    );
    const client = await connect(server);
    const properties = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { tools } = await client.request('tools/list');
    expect(tools).toMatchObject([{ name: 'zod', inputSchema: properties, outputSchema: { type: 'object' } }]);
    expect(await client.request('tools/call', { name: 'zod', arguments: { n: 1 } })).toMatchObject({
      structuredContent: { m: 1 },
    });
  });

  it('that can not be written as JSON Schema is an error of the first list, which names the tool', async () => {
    const log: LogEntry[] = [];
    const server = serverWith([tool('fine', {}, () => 'fine'), dated], log);
    const client = await connect(server);
    await expect(client.request('tools/list')).rejects.toMatchObject({ code: -32603, message });
    expect(log).toMatchObject([{ level: 'error', data: message, error: expect.any(TypeError) }]);
    expect(await client.request('tools/call', { name: 'fine' })).toMatchObject({ content: [{ text: 'fine' }] });
    server.tools.remove('dated');
    expect((await client.request('tools/list')).tools).toHaveLength(1);
  });

  it('is the same error for a call of that tool', async () => {
    const client = await connect(serverWith([dated]), '2025-11-25');
    await expect(client.request('tools/call', { name: 'dated' })).rejects.toMatchObject({ code: -32603, message });
  });
});

describe('what is offered', () => {
  it('can be looked up by name', () => {
    const one = tool('one', {}, () => '');
    const server = serverWith([one]);
    expect(server.tools.get('one')).toBe(one);
    expect(server.tools.get('two')).toBeUndefined();
    expect([server.tools.has('one'), server.tools.has('two'), server.tools.size]).toEqual([true, false, 1]);
  });

  it('is listed with the members that are set', async () => {
    const annotations = { readOnlyHint: true };
    const output = { type: 'object' } as const;
    const full = { title: 'T', description: 'D', icons: [{ src: 'x:y' }], _meta: { m: 1 }, annotations };
    const server = serverWith([tool('plain', {}, () => ''), tool('full', { ...full, output }, () => ({}))]);
    const rows = [...engineOf(server).catalog.tools.entries.values()].map(({ listing }) => listing);
    const inputSchema = { type: 'object', additionalProperties: false };
    expect(rows).toStrictEqual([
      { name: 'plain', inputSchema },
      { ...full, name: 'full', inputSchema, outputSchema: output },
    ]);
  });

  it('asks a schema library only when its schema is wanted, for input and for output', () => {
    let asked = 0;
    const lazy = (): never => {
      const schema = z.object({});
      const standard = schema['~standard'] as unknown as {
        jsonSchema: Record<string, (...args: unknown[]) => unknown>;
      };
      const jsonSchema = Object.fromEntries(
        Object.entries(standard.jsonSchema).map(([side, write]) => [
          side,
          (...args: unknown[]): unknown => {
            asked += 1;
            return write(...args);
          },
        ]),
      );
      return { '~standard': { ...standard, jsonSchema } } as never;
    };
    const server = serverWith([
      { name: 'in', input: lazy(), call: () => '' },
      { name: 'out', output: lazy(), call: () => '' },
    ]);
    expect(asked).toBe(0);
    for (const { listing } of engineOf(server).catalog.tools.entries.values()) expect(listing).toBeDefined();
    expect(asked).toBeGreaterThan(1);
  });

  it('names the cause', () => {
    let thrown: unknown;
    try {
      serverWith([{ name: 'it', input: { type: 'strin' }, call: () => '' }]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'TypeError', cause: { name: 'TypeError' } });
  });
});
