import { createServer, tool } from '@ccmcp/core';
import { connect, memoryTransport } from '@ccmcp/core/client';
import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseToolArguments } from './arguments.ts';
import { commandLine, exampleCall } from './example-call.ts';
import { processDataSource } from './data-source.ts';

const here = { word: './server.js', command: undefined, flags: [] };

/** The words of a line, as a shell parses them. */
function words(line: string): string[] {
  const script = `for word in "$@"; do printf '%s\\0' "$word"; done`;
  const text = execFileSync('sh', ['-c', `set -- ${line}; ${script}`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}

/** The result of a tool with this schema when its example is run through a shell, with validation. */
async function outcome(inputSchema: object): Promise<{ isError: boolean | undefined; args: Record<string, unknown> }> {
  const echo = tool('echo', { input: inputSchema as { type: 'object' } }, (args) => JSON.stringify(args));
  const client = await connect(memoryTransport(createServer({ name: 'n', version: '1', tools: [echo] })));
  onTestFinished(() => client.close());
  const [listed] = await client.listTools().all();
  const line = await exampleCall(listed as { name: string }, here);
  const given = words(line ?? '').slice(4);
  const data = processDataSource({ inShell: false, signal: AbortSignal.timeout(60_000) });
  const args = await parseToolArguments(listed as { name: string; inputSchema?: unknown }, given, data);
  const { isError } = await client.callTool('echo', args);
  return { isError, args };
}

describe('an example call', () => {
  it.each<[string, object]>([
    ['a text', { type: 'string' }],
    ['a long text', { type: 'string', minLength: 20 }],
    ['a short text', { type: 'string', maxLength: 2 }],
    ['a text with a pattern', { type: 'string', pattern: "^[A-Z]{2}\\d+ 'x'$" }],
    ['a date', { type: 'string', format: 'date' }],
    ['a moment', { type: 'string', format: 'date-time' }],
    ['an address', { type: 'string', format: 'uri' }],
    ['an id', { type: 'string', format: 'uuid' }],
    ['an email address', { type: 'string', format: 'email' }],
    ['a number', { type: 'number', exclusiveMinimum: 0.2, exclusiveMaximum: 0.4 }],
    ['a whole number', { type: 'integer', minimum: 7, multipleOf: 5 }],
    ['a negative number', { type: 'integer', maximum: -3 }],
    ['a boolean', { type: 'boolean' }],
    ['one of some', { enum: ['it\'s "x"', 'b'] }],
    ['a number of some', { enum: [3, 4] }],
    ['a list', { type: 'array', items: { type: 'string' }, minItems: 2 }],
    ['a list without doubles', { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }],
    ['an object', { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }],
    [
      'a list of objects',
      { type: 'array', items: { type: 'object', properties: { $: { type: 'string' } }, required: ['$'] } },
    ],
    ['a pair', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 }],
    ['several kinds', { anyOf: [{ type: 'null' }, { type: 'string', minLength: 3 }] }],
    ['a text that looks like a number', { anyOf: [{ type: 'string', const: '5' }, { type: 'number' }] }],
    [
      'parts of a whole',
      { allOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'object' }] },
    ],
    ['what the schema names', { type: 'string', examples: ['a b'], minLength: 1 }],
    ['a reference', { $ref: '#/$defs/name' }],
    ['anything', {}],
  ])('is valid for the schema: %s', async (_, schema) => {
    const whole = {
      type: 'object',
      properties: { 'a-b': schema, more: { type: 'string' } },
      required: ['a-b'],
      $defs: { name: { type: 'string', minLength: 2 } },
      additionalProperties: false,
    };
    const { isError, args } = await outcome(whole);
    expect({ isError, args: Object.keys(args) }).toEqual({ isError: false, args: ['a-b'] });
  });

  it.each([
    ['url', {}, 'url=https://example.com/'],
    ['image_url', {}, 'image_url=https://example.com/'],
    ['baseUrl', {}, 'baseUrl=https://example.com/'],
    ['email', {}, 'email=ada@example.com'],
    ['start_date', {}, 'start_date=1969-07-20'],
    ['directory', {}, 'directory=.'],
    ['url', { maxLength: 3 }, 'url=tex'],
    ['url', { pattern: '^x$' }, 'url=x'],
    ['url', { default: '/' }, 'url=/'],
    ['curl', {}, 'curl=text'],
    ['candidate', {}, 'candidate=text'],
  ])('follows the property name if the schema says no more: %s %j', async (name, more, word) => {
    const inputSchema = { properties: { [name]: { type: 'string', ...more } }, required: [name] };
    expect((await exampleCall({ name: 'x', inputSchema }, here))?.split(' ').at(-1)).toBe(word);
  });

  it('has no arguments if none are needed', async () => {
    expect(await exampleCall({ name: 'x', inputSchema: { properties: { a: { type: 'string' } } } }, here)).toMatch(
      / call \.\/server\.js x$/,
    );
  });

  it('is omitted if no valid values are known', async () => {
    const inputSchema = { properties: { a: { type: 'string', pattern: '(?=never)' } }, required: ['a'] };
    expect(await exampleCall({ name: 'x', inputSchema }, here)).toBeUndefined();
  });

  it('repeats the flags of a ready-made server', () => {
    const notes = { word: 'notes', command: undefined, flags: ['--db=my notes.db'] };
    expect(commandLine('call', notes, ['-x', 'a=1'])).toMatch(/ call notes '--db=my notes\.db' -- -x a=1$/);
    expect(commandLine('call', notes, ['list_notes'])).toMatch(/ call notes '--db=my notes\.db' list_notes$/);
  });

  it('is quoted for a shell', () => {
    const hostile = { word: undefined, command: ['node', 'my server.js', '$(touch x)', "it's"], flags: [] };
    const line = commandLine('call', hostile, ['a`b`', 'c;d']);
    expect(words(line).slice(1)).toEqual(['call', 'a`b`', 'c;d', '--', 'node', 'my server.js', '$(touch x)', "it's"]);
  });
});
