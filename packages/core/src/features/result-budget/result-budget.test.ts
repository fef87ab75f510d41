import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, McpClient } from '../../../../../test/support/mcp-client.ts';
import { streamWire } from '../../../../../test/support/wires.ts';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import type { ContentBlock } from '../../protocol/content.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { tool } from '../../server/define/define.ts';
import type { Server } from '../../server/server.ts';
import { toolSearch } from '../tool-search/tool-search.ts';
import { resultBudget, type ResultBudgetOptions } from './result-budget.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** The smallest budget: 2000 bytes. */
const small: ResultBudgetOptions = { tokens: 500 };

const rows = Array.from({ length: 1200 }, (_, id) => ({ id, name: `Row "${id}" 😀` }));
const listOf = { type: 'object', properties: { items: { type: 'array' }, total: { type: 'integer' } } } as const;

function toolOf(value: unknown, options: object = {}): ReturnType<typeof tool> {
  return tool('big', options, () => value as object);
}

function serverOf(value: unknown, options: ResultBudgetOptions = small, more: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'big', version: '1', tools: [toolOf(value)], ...more }).use(resultBudget(options));
}

async function connect(server: Server, options: Partial<ClientOptions> = {}): Promise<McpClient> {
  const client = new McpClient(streamWire(server, 'newline'), { version: '2025-11-25', ...options });
  await client.initialize();
  return client;
}

type Result = Omit<CallToolResult, 'content'> & { content: (ContentBlock & { text: string })[] };

async function call(client: McpClient, name = 'big', args: object = {}): Promise<Result> {
  return await client.request('tools/call', { name, arguments: args });
}

const cursorIn = /read the rest with (\S+), cursor "([^"]+)"/;

/** The sentence of a result, and its blocks without the sentence and the link. */
function read({ content }: Result): { note: string; parts: string[]; cursor?: string; tool?: string } {
  const texts = content.filter(({ type }) => type === 'text').map((block) => (block as { text: string }).text);
  const at = texts.findLastIndex((each) => each.startsWith('Showing '));
  if (at === -1) return { note: '', parts: texts };
  const note = texts[at] as string;
  const [, readMore, cursor] = cursorIn.exec(note) ?? [];
  return { note, parts: texts.slice(0, at), ...(cursor && { cursor }), ...(readMore && { tool: readMore }) };
}

/** All parts of a result, page by page, and how large the largest page was. */
async function readAll(
  client: McpClient,
  first: Result,
): Promise<{ pages: string[][]; largest: number; last: string }> {
  let { parts, cursor, note } = read(first);
  const pages = [parts];
  let largest = 0;
  while (cursor !== undefined) {
    const page = await call(client, 'read_more', { cursor });
    expect(page.isError).toBe(false);
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(page)));
    ({ parts, cursor, note } = read(page));
    pages.push(parts);
  }
  return { pages, largest, last: note };
}

function rowsOf(pages: string[][]): unknown[] {
  const fragments = new Map<number, string>();
  const found: unknown[] = [];
  for (const page of pages.flat().map((part) => JSON.parse(part))) {
    if (!Array.isArray(page) && typeof page?.json === 'string' && typeof page.row === 'number') {
      if (!fragments.has(page.row)) found.push({ fragment: page.row });
      fragments.set(page.row, (fragments.get(page.row) ?? '') + page.json);
    } else found.push(...page);
  }
  return found.map((row) => {
    const { fragment } = (row ?? {}) as { fragment?: number };
    return fragment === undefined ? row : JSON.parse(fragments.get(fragment) as string);
  });
}

describe.each(versions)('a result budget in %s', (version) => {
  it('shows the first rows, and gives every other one once, within the budget', async () => {
    const client = await connect(serverOf(JSON.stringify(rows)), { version });
    const result = await call(client);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(2100);
    expect(read(result).note).toMatch(/^Showing rows 1–\d\d of 1,200; read the rest with read_more, cursor "\S+"\.$/);
    const { pages, largest, last } = await readAll(client, result);
    expect(rowsOf(pages)).toEqual(rows);
    expect(largest).toBeLessThan(2100);
    expect(last).toContain('this is the last part');
  });

  it('shows whole lines of a text', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `Line ${index + 1} of some text`).join('\n');
    const client = await connect(serverOf(lines), { version });
    const result = await call(client);
    expect(read(result).note).toMatch(/^Showing lines 1–\d+ of 500; read the rest with/);
    expect(read(result).parts.join('')).toMatch(/text\n$/);
    expect((await readAll(client, result)).pages.flat().join('')).toBe(lines);
  });

  it('leaves a result below it as it is', async () => {
    const value = { items: rows.slice(0, 3), text: 'short' };
    const plain = await connect(createServer({ name: 'big', version: '1', tools: [toolOf(value)] }), { version });
    expect(await call(await connect(serverOf(value), { version }))).toEqual(await call(plain));
  });

  it('lists read_more', async () => {
    const client = await connect(serverOf(''), { version });
    const { tools } = (await client.request('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['big', 'read_more']);
  });

  it('gives the rest as a resource too', async () => {
    const client = await connect(serverOf(JSON.stringify(rows)), { version });
    const result = await call(client);
    const { cursor = '' } = read(result);
    const uri = `result:///big/${cursor}`;
    expect(JSON.stringify(result.content.at(-1))).toContain(uri);
    const { contents } = (await client.request('resources/read', { uri })) as { contents: { text: string }[] };
    const page = read(await call(client, 'read_more', { cursor }));
    expect(contents[0]?.text).toBe(page.parts[0]);
    expect(contents[1]?.text).toContain('the rest is at result:///big/');
  });

  it('gives unknown cursors one error', async () => {
    const client = await connect(serverOf(JSON.stringify(rows)), { version });
    const { cursor = '' } = read(await call(client));
    const forged = [
      `${cursor}999`,
      `${cursor.startsWith('x') ? 'y' : 'x'}${cursor.slice(1)}`,
      '',
      '../x',
      'x'.repeat(100_000),
      `${cursor}\u0000`,
    ];
    const answers = [];
    for (const each of forged) answers.push(await call(client, 'read_more', { cursor: each }));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Unknown cursor') }] });
    const { error } = await client.sendRequest('resources/read', { uri: `result:///big/${cursor}999` });
    expect(error?.message).toContain('Unknown cursor');
  });
});

describe('structured content', () => {
  const value = { total: 1200, items: rows };

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('is cut as the text is, in %s', async (version) => {
    const server = createServer({ name: 'big', version: '1', tools: [toolOf(value, { output: listOf })] });
    const client = await connect(server.use(resultBudget(small)), { version });
    const result = await call(client);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(2200);
    expect(JSON.parse(read(result).parts[0] as string)).toEqual(result.structuredContent);
    expect(result).toMatchObject({ isError: false, structuredContent: { total: 1200 } });
    expect(read(result).note).toMatch(/^Showing rows 1–\d+ of 1,200 of "items"; /);
    const { pages } = await readAll(client, result);
    const [first, ...rest] = pages.flat().map((part) => JSON.parse(part));
    expect([...first.items, ...rest.flat()]).toEqual(rows);
  });

  it.each(versions)('that would no longer fit its schema is left out, with the reason, in %s', async (version) => {
    const output = { type: 'object', properties: { items: { type: 'array', minItems: 1000 } } } as const;
    const server = createServer({ name: 'big', version: '1', tools: [toolOf(value, { output })] });
    const client = await connect(server.use(resultBudget(small)), { version });
    const result = await call(client);
    expect(result).not.toHaveProperty('structuredContent');
    expect(result.isError).toBe(true);
    expect(read(result).note).toMatch(/left out: .* output schema .* marked as an error/);
    const { pages } = await readAll(client, result);
    expect(JSON.parse(pages.flat()[0] as string).total).toBe(1200);
  });

  it('of a formatted text is recognized as the same', async () => {
    const pretty = { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
    const client = await connect(serverOf(pretty));
    const result = await call(client);
    expect(JSON.parse(read(result).parts[0] as string)).toEqual(result.structuredContent);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(2200);
  });

  it('that the text does not repeat is cut and continued as text', async () => {
    const client = await connect(
      serverOf({ content: [{ type: 'text', text: '1200 rows' }], structuredContent: value }),
    );
    const result = await call(client);
    expect(result.content[0]?.text).toBe('1200 rows');
    expect(JSON.parse(result.content[1]?.text as string)).toEqual(result.structuredContent);
    const { pages } = await readAll(client, result);
    const [, first, ...rest] = pages.flat();
    expect([...JSON.parse(first as string).items, ...rest.flatMap((page) => JSON.parse(page))]).toEqual(rows);
  });

  it('of a small size stays beside a large text', async () => {
    const content = [{ type: 'text', text: 'line\n'.repeat(5000) }];
    const result = await call(await connect(serverOf({ content, structuredContent: { lines: 5000 } })));
    expect(result.structuredContent).toEqual({ lines: 5000 });
    expect(read(result).note).toMatch(/^Showing lines 1–\d+ of 5,000;/);
  });
});

describe('a log', () => {
  const log = Array.from({ length: 900 }, (_, at) => `2026-11-18T20:00:00Z INFO step ${at + 1}`).join('\n');

  it('is shown from both ends', async () => {
    const client = await connect(serverOf(log));
    const result = await call(client);
    const { parts, note } = read(result);
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatch(/step 1\n/);
    expect(parts[1]).toMatch(/step 900$/);
    expect(note).toMatch(/^Showing lines 1–\d+ and lines \d+–900 of 900; read the rest/);
    const { pages } = await readAll(client, result);
    const [[head = '', tail = ''] = [], ...middle] = pages;
    expect(head + middle.flat().join('') + tail).toBe(log);
  });

  it('is what the author says is one', async () => {
    const client = await connect(serverOf('entry\n'.repeat(2000), { ...small, isLog: () => true }));
    expect(read(await call(client)).parts).toHaveLength(2);
  });
});

describe('generated results', () => {
  const page = { tokens: 500 };

  it('are JSON in each part, and have every row once', async () => {
    const row = fc.oneof(
      fc.jsonValue(),
      fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 1500 }), list: fc.array(fc.double()) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), fc.constantFrom(0, 2), async (list, space) => {
        const json = JSON.stringify(list, null, space);
        const client = await connect(serverOf(json, page));
        const result = await call(client);
        if (read(result).note === '') {
          expect(read(result).parts).toEqual([json]);
          return;
        }
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(2100);
        const { pages, largest } = await readAll(client, result);
        expect(largest).toBeLessThan(2100);
        expect(JSON.stringify(inOneArray(pages, json))).toBe(JSON.stringify(JSON.parse(json)));
      }),
      { numRuns: 60 },
    );
  });

  it('count what each page shows, from the first row or line to the last', async () => {
    const row = fc.record({ id: fc.nat(), text: fc.string({ maxLength: 120 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 30, maxLength: 90 }), fc.boolean(), async (list, asLines) => {
        const lines = list.map(({ id, text }) => `${id} ${text.replaceAll(/[\r\n]/g, ' ')} ${'.'.repeat(60)}`);
        const client = await connect(serverOf(asLines ? lines.join('\n') : JSON.stringify(list), page));
        let result = await call(client);
        if (read(result).note === '') return;
        let shown = 0;
        for (;;) {
          const { note, parts, cursor } = read(result);
          const [, from, to = from, of] = /^Showing (?:rows?|lines?) (\d+)(?:–(\d+))? of (\d+);/.exec(note) ?? [];
          expect([note, Number(from), Number(of)]).toEqual([note, shown + 1, list.length]);
          const text = parts.join('');
          const size = asLines ? text.replace(/\n$/, '').split('\n').length : (JSON.parse(text) as unknown[]).length;
          shown += size;
          expect([note, Number(to)]).toEqual([note, shown]);
          if (cursor === undefined) break;
          result = await call(client, 'read_more', { cursor });
        }
        expect(shown).toBe(list.length);
      }),
      { numRuns: 20 },
    );
  });

  it('have structured content that fits the schema, or none and the reason', async () => {
    const outcomes = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 60, max: 90 }), async (minItems, length) => {
        const output = { type: 'object', properties: { items: { type: 'array', minItems } } } as const;
        const items = Array.from({ length }, (_, id) => ({ id, text: 'x'.repeat(id % 50) }));
        const server = createServer({ name: 'big', version: '1', tools: [toolOf({ items }, { output })] });
        const result = await call(await connect(server.use(resultBudget(page))));
        const shown = result.structuredContent as { items: unknown[] } | undefined;
        outcomes.add(shown !== undefined);
        expect(result.isError).toBe(shown === undefined);
        const first = JSON.parse(read(result).parts[0] as string) as typeof shown;
        if (shown === undefined) {
          expect(first?.items.length).toBeLessThan(minItems);
          expect(read(result).note).toContain('would not fit the output schema');
        } else {
          expect(shown).toEqual(first);
          expect(shown.items.length).toBeGreaterThanOrEqual(minItems);
        }
      }),
      {
        numRuns: 20,
        examples: [
          [0, 60],
          [60, 90],
        ],
      },
    );
    expect(outcomes.size).toBe(2);
  });

  it('of text are the same when joined, and no character is divided', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('👨‍👩‍👧‍👦'.repeat(300), '😀'.repeat(700), 'é'.repeat(900), 'x'.repeat(5000), '\r'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), fc.boolean(), async (lines, isLog) => {
        const whole = `.${lines.join('\n')}`;
        const client = await connect(serverOf(whole, { ...page, isLog: () => isLog }));
        const result = await call(client);
        const { pages, largest } = await readAll(client, result);
        expect(largest).toBeLessThan(2100);
        const [[head = '', tail = ''] = [], ...middle] = pages;
        expect(head + middle.flat().join('') + tail).toBe(whole);
        for (const part of pages.flat()) expect(Buffer.from(part).toString()).toBe(part);
      }),
      { numRuns: 60 },
    );
  });
});

/** The rows of a result whose first page has an array somewhere inside: joined there. */
function inOneArray(pages: string[][], json: string): unknown {
  const [first = '', ...rest] = pages.flat();
  const more = rowsOf(
    rest.length === 0 ? [] : [rest.filter((part) => part.startsWith('[') || part.startsWith('{"row"'))],
  );
  const members = rest.filter((part) => part.startsWith('{') && !part.startsWith('{"row"'));
  const target = JSON.parse(first);
  // The array that was cut is the one that is shorter than in the original.
  const join = (shown: unknown, whole: unknown): unknown => {
    if (JSON.stringify(shown) === JSON.stringify(whole)) return shown;
    if (Array.isArray(shown) && Array.isArray(whole)) {
      if (shown.length !== whole.length) return [...shown, ...more];
      return shown.map((each, at) => join(each, whole[at]));
    }
    const from = shown as Record<string, unknown>;
    const to = whole as Record<string, unknown>;
    if (Object.keys(from).length !== Object.keys(to).length) {
      const fragments = members.map((part) => JSON.parse(part));
      return joinMembers(from, fragments);
    }
    return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, join(value, to[name])]));
  };
  return join(target, JSON.parse(json));
}

function joinMembers(from: Record<string, unknown>, pages: Record<string, unknown>[]): unknown {
  let text = '';
  const texts = [JSON.stringify(from).slice(1, -1)];
  for (const page of pages) {
    if (typeof page.member === 'number' && typeof page.json === 'string') {
      if (page.part === 1 && text !== '') texts.push(text);
      text = page.part === 1 ? page.json : text + page.json;
      continue;
    }
    if (text !== '') texts.push(text);
    text = '';
    texts.push(JSON.stringify(page).slice(1, -1));
  }
  if (text !== '') texts.push(text);
  return JSON.parse(`{${texts.filter((each) => each !== '').join(',')}}`);
}

describe('hostile results', () => {
  it('of deep JSON stay valid', async () => {
    const deep = `[${'['.repeat(5000)}1${']'.repeat(5000)},${'{"a":'.repeat(2000)}2${'}'.repeat(2000)}]`;
    const client = await connect(serverOf(deep));
    const { pages } = await readAll(client, await call(client));
    for (const part of pages.flat()) expect(() => JSON.parse(part)).not.toThrow();
  });

  it('keep large numbers as they are', async () => {
    const json = `[${Array.from({ length: 400 }, () => '12345678901234567890.10').join(',')}]`;
    const client = await connect(serverOf(json));
    const { pages } = await readAll(client, await call(client));
    expect(
      pages
        .flat()
        .join('')
        .match(/12345678901234567890\.10/g),
    ).toHaveLength(400);
  });

  it('of a single row that is larger than the budget go in fragments', async () => {
    const value = [{ id: 1 }, { id: 2, text: '😀"\\'.repeat(3000) }, { id: 3 }];
    const client = await connect(serverOf(JSON.stringify(value)));
    expect(rowsOf((await readAll(client, await call(client))).pages)).toEqual(value);
  });

  it('of 50 MB are cut, and what is too large to be kept is said', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const server = serverOf(line.repeat(500_000), { keptPerCaller: 100_000 }, { maxResult: 100_000_000 });
    const client = await connect(server);
    const result = await call(client);
    expect(read(result).note).toMatch(/of 500,000; read the rest/);
    expect((await readAll(client, result)).last).toContain('what follows was too large to be kept');
  });

  it('whose rest may not be kept at all say so', async () => {
    const client = await connect(serverOf(JSON.stringify(rows), { ...small, keptPerCaller: 0 }));
    expect(read(await call(client)).note).toMatch(/the rest is too large to be kept: ask for less at a time/);
  });
});

describe('images, audio and blobs', () => {
  const data = Buffer.alloc(6000, 7).toString('base64');
  const picture = { type: 'image', data, mimeType: 'image/png' };

  it('are not counted as text', async () => {
    const result = await call(await connect(serverOf({ content: [picture] })));
    expect(result.content).toEqual([picture]);
  });

  it.each([
    picture,
    { type: 'audio', data, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///x', blob: data, mimeType: 'application/zip' } },
  ])('above the budget become a link with size and type: $type', async (block) => {
    const client = await connect(serverOf({ content: [{ type: 'text', text: 'here' }, block] }, { bytes: 4000 }));
    const result = await call(client);
    const mimeType = 'mimeType' in block ? block.mimeType : 'application/zip';
    expect(result.content).toMatchObject([{ text: 'here' }, { type: 'resource_link', mimeType, size: 6000 }]);
    const { uri } = result.content[1] as unknown as { uri: string };
    expect(await client.request('resources/read', { uri })).toMatchObject({
      contents: [{ uri, mimeType, blob: data }],
    });
    const cursor = uri.slice(uri.lastIndexOf('/') + 1);
    expect(JSON.stringify(await call(client, 'read_more', { cursor }))).toContain(`read it as the resource ${uri}`);
  });

  it('are scaled down by a function of the author', async () => {
    const resize: ResultBudgetOptions['resize'] = ({ data: given, mimeType, maxBytes }) => {
      expect([given.length, mimeType, maxBytes > 1000]).toEqual([6000, 'image/png', true]);
      return { data: new Uint8Array(100), mimeType: 'image/webp' };
    };
    const result = await call(await connect(serverOf({ content: [picture] }, { bytes: 4000, resize })));
    expect(result.content).toMatchObject([{ type: 'image', mimeType: 'image/webp' }]);
  });
});

describe('cursors', () => {
  it('that are forged or changed get the error of unknown ones, from any caller', async () => {
    const server = serverOf(JSON.stringify(rows));
    const client = await connect(server);
    const other = await connect(server);
    const { cursor = '' } = read(await call(client));
    const unknown = await call(client, 'read_more', { cursor: 'unknown' });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Unknown cursor') }] });
    const change = fc
      .tuple(fc.nat(cursor.length - 1), fc.constantFrom('A', '0', '_', '-', '.', '~', '/', ' ', '\u0000', 'é'))
      .map(([at, by]) => {
        const changed = cursor.slice(0, at) + by + cursor.slice(at + 1);
        // Pages of the same result are the caller's own.
        return changed.slice(0, 22) === cursor.slice(0, 22) ? `${changed}9999` : changed;
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(change, fc.string()), async (forged) => {
        expect(await call(client, 'read_more', { cursor: forged })).toEqual(unknown);
      }),
      { numRuns: 40 },
    );
    expect(await call(other, 'read_more', { cursor })).toEqual(unknown);
    expect(read(await call(client, 'read_more', { cursor })).parts).toHaveLength(1);
  });

  it('belong to the session', async () => {
    const server = serverOf(JSON.stringify(rows));
    const { cursor = '' } = read(await call(await connect(server)));
    const other = await connect(server);
    const foreign = await call(other, 'read_more', { cursor });
    expect(foreign).toMatchObject({ isError: true });
    expect(foreign).toEqual(await call(other, 'read_more', { cursor: 'never' }));
  });

  it('expire', async () => {
    const client = await connect(serverOf(JSON.stringify(rows), { ...small, keepMs: 1 }));
    const { cursor = '' } = read(await call(client));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await call(client, 'read_more', { cursor })).toMatchObject({ isError: true });
  });

  it('of the oldest result go first', async () => {
    const client = await connect(serverOf(JSON.stringify(rows), { ...small, keptPerCaller: 150_000 }));
    const cursors = [];
    for (let each = 0; each < 4; each++) cursors.push(read(await call(client)).cursor);
    expect(await call(client, 'read_more', { cursor: cursors[0] as string })).toMatchObject({ isError: true });
    expect(await call(client, 'read_more', { cursor: cursors[3] as string })).toMatchObject({ isError: false });
  });
});

describe('beside other middleware and parts', () => {
  it.each(['before', 'after'])('is used through call_tool, added %s tool search', async (order) => {
    const server = createServer({ name: 'big', version: '1', tools: [toolOf(JSON.stringify(rows))] });
    const all = [resultBudget(small), toolSearch({ above: 0 })];
    for (const each of order === 'before' ? all : all.toReversed()) server.use(each);
    const client = await connect(server);
    const { tools } = (await client.request('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('read_more');
    const result = await call(client, 'call_tool', { name: 'big', arguments: {} });
    const { cursor } = read(result);
    const page = await call(client, 'call_tool', { name: 'read_more', arguments: { cursor } });
    expect(read(page).note).toMatch(/^Showing rows/);
    expect(rowsOf((await readAll(client, result)).pages)).toEqual(rows);
  });

  it('names read_more as the client knows it, for a part with a prefix', async () => {
    const parts = { a: { server: serverOf(JSON.stringify(rows)), prefix: 'a_' } };
    const client = await connect(compose(parts, { name: 'whole', version: '1' }));
    const { tool: name = '', cursor } = read(await call(client, 'a_big'));
    expect(name).toBe('a_read_more');
    const page = read(await call(client, name, { cursor }));
    expect(page.note).toMatch(/read the rest with a_read_more/);
    const { contents } = (await client.request('resources/read', { uri: `result:///big/${cursor}` })) as {
      contents: { text: string }[];
    };
    expect(contents[0]?.text).toBe(page.parts[0]);
  });

  it('limits results of all parts of a composed server', async () => {
    const part = createServer({ name: 'part', version: '1', tools: [toolOf({ items: rows }, { output: listOf })] });
    const whole = compose({ a: { server: part, prefix: 'a_' } }, { name: 'whole', version: '1' });
    const client = await connect(whole.use(resultBudget(small)));
    const result = await call(client, 'a_big');
    expect(read(result).tool).toBe('read_more');
    expect(result.structuredContent).toMatchObject({ items: expect.any(Array) });
    expect(read(await call(client, 'read_more', { cursor: read(result).cursor })).note).toMatch(/^Showing rows/);
  });

  it('leaves exempt calls alone', async () => {
    const exempt: ResultBudgetOptions['exempt'] = ({ params }) => params.name === 'big';
    const client = await connect(serverOf(JSON.stringify(rows), { ...small, exempt }));
    expect((await call(client)).content[0]?.text).toBe(JSON.stringify(rows));
  });
});

it('resultBudget rejects a server that has a tool of that name, and options that it does not have', () => {
  const taken = createServer({ name: 'x', version: '1', tools: [tool('read_more', {}, () => '')] });
  expect(() => taken.use(resultBudget())).toThrow('read_more');
  const server = serverOf('');
  expect(() => server.tools.add(tool('read_more', {}, () => ''))).toThrow('read_more');
  expect(() => resultBudget({ token: 40 } as ResultBudgetOptions)).toThrow('resultBudget has no option "token"');
  expect(() => resultBudget({ tokens: 10 })).toThrow('"tokens" of resultBudget must be a number of at least 500');
});
