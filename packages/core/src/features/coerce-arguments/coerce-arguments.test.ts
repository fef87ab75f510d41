import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ClientOptions, McpClient } from '../../../../../test/support/mcp-client.ts';
import { streamWire } from '../../../../../test/support/wires.ts';
import { compose } from '../../compose.ts';
import { createServer } from '../../create-server.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { JsonSchema, Schema } from '../../schema/infer.ts';
import { tool } from '../../server/define/define.ts';
import type { LogEntry } from '../../server/log/log.ts';
import type { Server } from '../../server/server.ts';
import { toolSearch } from '../tool-search/tool-search.ts';
import { coerceArguments } from './coerce-arguments.ts';
import { coerce } from './coerce.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const input = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    dry: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
  },
} as const;

function serverOf(schema: Schema = input, log: LogEntry[] = []): Server {
  return createServer({
    name: 'strict',
    version: '1',
    logger: { level: 'debug', write: (entry) => void log.push(entry) },
    tools: [tool('echo', { input: schema }, (args) => JSON.stringify(args))],
  });
}

async function connect(server: Server, options: Partial<ClientOptions> = {}): Promise<McpClient> {
  const client = new McpClient(streamWire(server, 'newline'), { version: '2025-11-25', ...options });
  await client.initialize();
  return client;
}

async function echo(client: McpClient, args: unknown, name = 'echo'): Promise<unknown> {
  const { content, isError } = await client.request('tools/call', { name, arguments: args });
  return isError ? content[0].text : JSON.parse(content[0].text);
}

describe.each(versions)('coercion in %s', (version) => {
  it('gives the handler the types of its schema', async () => {
    const client = await connect(serverOf().use(coerceArguments()), { version });
    expect(await echo(client, { count: '10', dry: 'true', tags: 'new' })).toEqual({
      count: 10,
      dry: true,
      tags: ['new'],
    });
  });

  it('is off unless it is added', async () => {
    const client = await connect(serverOf(), { version });
    expect(await echo(client, { count: '10' })).toMatch(/Invalid arguments/);
  });

  it('leaves wrong arguments to the check', async () => {
    const client = await connect(serverOf().use(coerceArguments()), { version });
    expect(await echo(client, { count: 'ten' })).toMatch(/Invalid arguments/);
  });
});

describe('coercion', () => {
  it('says in the log which arguments were changed, and never their values', async () => {
    const log: LogEntry[] = [];
    const client = await connect(serverOf(input, log).use(coerceArguments()));
    await echo(client, { count: '424242', tags: 'secret' });
    const { data } = log.find((entry) => String(entry.data).startsWith('Coerced')) ?? {};
    expect(data).toBe('Coerced arguments of tool "echo": "count", "tags"');
    expect(JSON.stringify(log)).not.toMatch(/424242|secret/);
  });

  it('works for a schema of a library', async () => {
    const schema = z.object({ count: z.number().int(), filter: z.object({ dry: z.boolean() }).optional() });
    const client = await connect(serverOf(schema).use(coerceArguments()));
    expect(await echo(client, { count: '3', filter: '{"dry":"false"}' })).toEqual({ count: 3, filter: { dry: false } });
  });

  it('works for parts of a composed server, and through call_tool', async () => {
    const whole = compose({ a: { server: serverOf(), prefix: 'a_' } }, { name: 'whole', version: '1' });
    const client = await connect(whole.use(coerceArguments()).use(toolSearch({ above: 0 })));
    expect(await echo(client, { count: '10' }, 'a_echo')).toEqual({ count: 10 });
    const passed = await echo(client, { name: 'a_echo', arguments: { count: '10' } }, 'call_tool');
    expect(passed).toEqual({ count: 10 });
  });

  it('shows observers what the client sent', async () => {
    const server = serverOf().use(coerceArguments());
    const seen: unknown[] = [];
    server.observe({ begin: ({ params }) => void seen.push(params) });
    await echo(await connect(server), { count: '10' });
    expect(seen).toContainEqual({ name: 'echo', arguments: { count: '10' } });
  });
});

describe('one argument', () => {
  const reference = { $ref: '#/$defs/count' };
  const defs = { count: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } };
  const numbers = { type: 'array', items: { type: 'number' } };
  const texts = { type: 'array', items: { type: 'string' } };
  const point = { type: 'object', properties: { x: { type: 'number' } } };

  it.each<[JsonSchema, unknown, unknown]>([
    [{ type: 'number' }, '1.5e3', 1500],
    [{ type: 'integer' }, '-7', -7],
    [{ type: ['integer', 'null'] }, '7', 7],
    [{ type: ['integer', 'null'] }, 'null', null],
    [{ type: 'boolean' }, 'false', false],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
    [{ enum: [1, 2, 3] }, '2', 2],
    [reference, '7', 7],
    [{ allOf: [{ type: ['number', 'string'] }, { type: 'number' }] }, '7', 7],
    [point, '{"x":"1"}', { x: 1 }],
    [{ anyOf: [point, { type: 'null' }] }, { x: '1' }, { x: 1 }],
    [numbers, '[1,"2"]', [1, 2]],
    [numbers, 5, [5]],
    [numbers, '5', [5]],
    [numbers, ['1', 2], [1, 2]],
    [texts, 'a', ['a']],
    [texts, '["a","b"]', ['a', 'b']],
    [{ type: 'array', items: point }, { x: '1' }, [{ x: 1 }]],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { any: '1' }, { any: 1 }],
  ])('by %j reads %j as %j', (schema, given, wanted) => {
    const whole = { type: 'object', properties: { it: schema }, $defs: defs };
    expect(coerce({ it: given }, whole).value).toEqual({ it: wanted });
  });

  it.each<[JsonSchema, unknown]>([
    [{ type: 'string' }, '10'],
    [{ type: ['string', 'number'] }, '10'],
    [{ anyOf: [{ type: 'number' }, { type: 'string' }] }, '10'],
    [{}, '10'],
    [{ description: 'any' }, '[1]'],
    [{ type: 'integer' }, '1.5'],
    [{ type: 'integer' }, '12345678901234567890'],
    [{ type: 'integer' }, ''],
    [{ type: 'integer' }, ' 1'],
    [{ type: 'integer' }, '0x10'],
    [{ type: 'integer' }, true],
    [{ type: 'string' }, 10],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'boolean' }, 1],
    [{ type: 'object' }, '[1]'],
    [{ type: 'object' }, '{"__proto__":{"admin":true}}'],
    [{ type: 'object' }, `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`],
    [{ type: ['integer', 'array'], items: { type: 'integer' } }, '10'],
    [{ anyOf: [point, { type: 'object', properties: { x: { type: 'string' } } }] }, { x: '1' }],
    [texts, null],
    [texts, 5],
    [{ type: 'array' }, 5],
    [{ $ref: 'https://example.com/schema' }, '10'],
    [{ $ref: '#/$defs/loop' }, '10'],
    [{ $ref: '#/$defs/__proto__' }, '10'],
    [
      { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: { type: 'number' } },
      { x: '1' },
    ],
  ])('by %j stays %j', (schema, given) => {
    const whole = { type: 'object', properties: { it: schema }, $defs: defs };
    const { value, changed } = coerce({ it: given }, whole);
    expect(value).toEqual({ it: given });
    expect(changed).toEqual([]);
  });

  it('called __proto__ changes no prototype', () => {
    const given = JSON.parse('{"__proto__":"1","n":"2"}');
    const { value } = coerce(given, { type: 'object', additionalProperties: { type: 'integer' } });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":"1","n":2}');
  });

  it('in a large value takes bounded work', () => {
    const given = { list: Array.from({ length: 200_000 }, () => '1') };
    const schema = { type: 'object', properties: { list: numbers } };
    expect(coerce(given, schema).changed.length).toBeLessThanOrEqual(10_000);
  });

  it('that is valid is never changed', async () => {
    const leaf = fc.constantFrom<JsonSchema>(
      ...(['string', 'integer', 'number', 'boolean', 'null'] as const).map((type) => ({ type })),
      { type: ['integer', 'null'] },
      { enum: ['1', 2] },
    );
    const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema') }),
        fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
      ),
    }));
    const value = fc.oneof(
      fc.constantFrom<unknown>('1', '1.5', 'true', 'null', '[1]', '{"a":"1"}', 1, 1.5, true, null, [], ['1'], {
        a: '1',
      }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(schema, value, async (each, given) => {
        const whole = { type: 'object', properties: { it: each } } as JsonSchema;
        const isValid = (await compileSchema(whole, { side: 'input' }).check({ it: given })).ok;
        const { changed } = coerce({ it: given }, whole);
        expect(isValid ? changed : []).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
