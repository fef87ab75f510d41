import { once } from 'node:events';
import { type IncomingMessage, request as nodeRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { prompt, tool } from '../../../../server/define/define.ts';
import { answerOf, post, statelessClient, textOf } from '../fixtures/client.ts';
import { start } from '../fixtures/start.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const input = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    method: { type: 'string', 'x-mcp-header': 'Method' },
    deep: {
      type: 'object',
      properties: { er: { type: 'object', properties: { still: { type: 'string', 'x-mcp-header': 'Still' } } } },
    },
    free: { type: 'string' },
  },
} as const;

async function mirroring(): Promise<ReturnType<typeof statelessClient>> {
  const { url } = await start({}, { tools: [tool('go', { input }, (args) => JSON.stringify(args))] });
  return statelessClient(url);
}

type Row = readonly [args: object, headers: Record<string, string>];

function base64(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

describe('the Mcp-Method header', () => {
  it.each([
    ['another one (HT-40)', { 'Mcp-Method': 'tools/call' }],
    ['in other letters (S-M-09)', { 'Mcp-Method': 'TOOLS/LIST' }],
    ['empty', { 'Mcp-Method': '' }],
  ])('is rejected: %s', async (_, headers) => {
    const { url } = await start();
    const response = await statelessClient(url).send('tools/list', {}, { id: 'm', headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 'm',
      error: { code: -32020, message: expect.stringMatching(/Mcp-Method/) },
    });
  });

  it('is rejected if it is missing (HT-42, S-M-05) or duplicated (HT-47, trap 8.27)', async () => {
    const { url } = await start();
    for (const methods of [[], ['tools/list', 'tools/list'], ['tools/list', 'tools/call']]) {
      expect(await sendRaw(url, methods)).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
    }
    expect(await sendRaw(url, ['tools/list'])).toMatchObject([200, { id: 1, result: {} }]);
  });

  it('is quoted if it mismatches, up to 100 characters', async () => {
    const { url } = await start();
    const message = async (methods: string[]): Promise<unknown> => {
      const [, answer] = await sendRaw(url, methods);
      return (answer as { error: { message: string } }).error.message;
    };
    expect(await message([])).toBe('Header mismatch: Mcp-Method is missing');
    expect(await message([`${'x'.repeat(100)}y`])).toBe(
      `Header mismatch: Mcp-Method is "${'x'.repeat(100)}", the body's method is "tools/list"`,
    );
  });

  it('may have surrounding white space and any letter case (S-M-09)', async () => {
    const { url } = await start();
    expect(await sendRaw(url, ['  tools/list \t'])).toMatchObject([200, { id: 1 }]);
  });
});

/** Lists tools, with any number of headers that name the method. */
async function sendRaw(url: string, methods: string[]): Promise<[number | undefined, unknown]> {
  const request = nodeRequest(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'mcp-protocol-VERSION': '2026-07-28', 'MCP-METHOD': methods },
  });
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  return [response.statusCode, JSON.parse(Buffer.concat(chunks).toString())];
}

describe('the Mcp-Name header', () => {
  it.each([
    ['tools/call', { name: 'echo', arguments: { text: 'x' } }, 'later'],
    ['prompts/get', { name: 'greet' }, 'other'],
    ['resources/read', { uri: 'test://one' }, 'test://two'],
  ])('must be that of the body: %s (HT-41, HT-43, S-M-05)', async (method, params, other) => {
    const { url } = await start();
    const client = statelessClient(url);
    expect((await client.send(method, params)).status).toBe(200);
    const wrong = await client.send(method, params, { id: 'n', headers: { 'Mcp-Name': other } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({
      id: 'n',
      error: { code: -32020, message: expect.stringMatching(/Mcp-Name/) },
    });
  });

  it('is required (HT-43)', async () => {
    const { url } = await start();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', _meta: meta } }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: -32020, message: 'Header mismatch: Mcp-Name is missing' } },
    ]);
  });

  it('is rejected with characters that headers can not carry', async () => {
    const { url } = await start();
    const uri = 'test://gr\xfcn';
    const response = await statelessClient(url).send('resources/read', { uri });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { message: expect.stringMatching(/Mcp-Name has characters .* use =\?base64\?/) } },
    ]);
  });

  it('is ignored if the method has none, or the body is invalid', async () => {
    const { url } = await start();
    const client = statelessClient(url);
    expect((await client.send('tools/list', {}, { headers: { 'Mcp-Name': 'whatever' } })).status).toBe(200);
    const malformed = await client.send('tools/call', { name: 5 }, { headers: { 'Mcp-Name': '5' } });
    expect([malformed.status, await malformed.json()]).toMatchObject([200, { error: { code: -32602 } }]);
  });

  it.each([
    ['base64', '=?base64?ZWNobw==?=', 200],
    ['without padding', '=?base64?ZWNobw?=', 400],
    ['with characters that base64 has not', '=?base64?ZWNo!bw==?=', 400],
    ['the alphabet for addresses', `=?base64?${Buffer.from('ÿÿ?').toString('base64url')}?=`, 400],
    ['with spaces in it', '=?base64?ZWN obw==?=', 400],
    ['bits that mean nothing', '=?base64?ZWNobx==?=', 400],
    ['not UTF-8', '=?base64?/////w==?=', 400],
    ['upper-case markers, which is plain text', '=?BASE64?ZWNobw==?=', 400],
    ['a beginning without an end, which is plain text', '=?base64?ZWNobw==', 400],
    ['an end without a beginning, which is plain text', 'ZWNobw==?=', 400],
    ['both markers in one, which is plain text', '=?base64?=', 400],
    ['bytes that no header should have', 'echo\xff', 400],
  ])('in the form for odd texts: %s (HT-46, S-M-06)', async (_, name, status) => {
    const { url } = await start();
    const response = await statelessClient(url).sendCall('echo', { text: 'x' }, { headers: { 'Mcp-Name': name } });
    expect(response.status).toBe(status);
    if (status === 400) expect(await response.json()).toMatchObject({ error: { code: -32020 } });
  });

  it('can be any text in base64 form', async () => {
    const { url } = await start();
    const client = statelessClient(url);
    for (const uri of ['test://über/grün', ' test://blank ', '=?base64?eA==?=']) {
      const response = await client.send('resources/read', { uri }, { headers: { 'Mcp-Name': base64(uri) } });
      expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }]);
    }
    for (const uri of ['=?base64?eA==ab', '=?base64?=', 'eA==?=', 'tab\tbed']) {
      const response = await client.send('resources/read', { uri });
      expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }]);
    }
  });
});

describe('mirrored arguments', () => {
  const right: Row[] = [
    [{}, {}],
    [{ free: 'x' }, {}],
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
    [{ region: 'eu' }, { 'mcp-param-REGION': '\t eu ' }],
    [{ region: 'eu west' }, { 'Mcp-Param-Region': 'eu west' }],
    [{ region: 'grün' }, { 'Mcp-Param-Region': base64('grün') }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': base64('eu') }],
    [{ region: '' }, { 'Mcp-Param-Region': '' }],
    [{ region: '' }, { 'Mcp-Param-Region': '=?base64??=' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '42' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '42.0' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '42.00' }],
    [{ count: -7 }, { 'Mcp-Param-Count': '-7' }],
    [{ dry: true }, { 'Mcp-Param-Dry': 'true' }],
    [{ dry: false }, { 'Mcp-Param-Dry': 'false' }],
    [{ method: 'm' }, { 'Mcp-Param-Method': 'm' }],
    [{ deep: { er: { still: 'here' } } }, { 'Mcp-Param-Still': 'here' }],
    [{ deep: { er: {} } }, {}],
    [{}, { 'Mcp-Param-Unknown': 'x' }],
  ];

  it.each(right)('match: %j with %j (S-M-07, S-M-08)', async (args, headers) => {
    const client = await mirroring();
    const response = await client.sendCall('go', args as Record<string, unknown>, { headers });
    expect(response.status).toBe(200);
    expect(textOf(await answerOf(response))).toBe(JSON.stringify(args));
  });

  it('match no argument that is duplicated in the body (JR-21)', async () => {
    const { url } = await start({}, { tools: [tool('go', { input }, (args) => JSON.stringify(args))] });
    const params = `{"name":"go","arguments":{"region":"us","region":"eu"},"_meta":${JSON.stringify(meta)}}`;
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'go' };
    const response = await post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
      ...headers,
      'Mcp-Param-Region': 'eu',
    });
    expect(response.status).toBe(400);
    const message = 'Invalid request: the member "region" stands twice in one object';
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32600, message } });
  });

  const wrong: Row[] = [
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'us' }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'EU' }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': '' }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'eu, eu' }],
    [{ region: 'eu' }, { 'Mcp-Param-Region': '=?base64?ZXU?=' }],
    [{}, { 'Mcp-Param-Region': 'eu' }],
    [{ region: '' }, {}],
    [{ count: 42 }, { 'Mcp-Param-Count': '43' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '-42' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '42.' }],
    [{ count: 26 }, { 'Mcp-Param-Count': '0x1a' }],
    [{ count: 1000 }, { 'Mcp-Param-Count': '1e3' }],
    [{ count: 1 }, { 'Mcp-Param-Count': '+1' }],
    [{ count: 0 }, { 'Mcp-Param-Count': '' }],
    [{ count: 1 }, { 'Mcp-Param-Count': 'true' }],
    [{ dry: true }, { 'Mcp-Param-Dry': 'True' }],
    [{ dry: true }, { 'Mcp-Param-Dry': '1' }],
    [{ dry: null }, { 'Mcp-Param-Dry': 'null' }],
    [{ deep: { er: { still: 'here' } } }, {}],
    [{ deep: { er: { still: 'here' } } }, { 'Mcp-Param-Still': 'there' }],
    [{ deep: 'flat' }, { 'Mcp-Param-Still': 'x' }],
  ];

  it.each(wrong)('mismatch: %j with %j (S-M-07)', async (args, headers) => {
    const client = await mirroring();
    const response = await client.sendCall('go', args as Record<string, unknown>, { id: 'p', headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 'p',
      error: { code: -32020, message: expect.stringMatching(/Mcp-Param-/) },
    });
  });

  it('are not required for a null argument, which the tool validates (S-M-07)', async () => {
    const client = await mirroring();
    const answer = await answerOf(await client.sendCall('go', { dry: null }));
    expect(textOf(answer)).toBe('Invalid arguments for tool "go": dry: expected boolean, got null');
  });

  it('are not checked for a prompt of the same name', async () => {
    const tools = [tool('go', { input: { ...input, required: ['region'] } }, () => '')];
    const { url } = await start({}, { tools, prompts: [prompt('go', {}, () => 'Go')] });
    const headers = { 'Mcp-Param-Region': 'eu' };
    expect((await statelessClient(url).send('prompts/get', { name: 'go' }, { headers })).status).toBe(200);
  });

  it('are quoted if they mismatch', async () => {
    const client = await mirroring();
    const message = async (args: Record<string, unknown>, headers: Record<string, string>): Promise<unknown> =>
      (await answerOf(await client.sendCall('go', args, { headers }))).error?.message;
    expect(await message({ count: 42 }, { 'Mcp-Param-Count': base64('43') })).toBe(
      'Header mismatch: Mcp-Param-Count is "43", the body\'s argument is "42"',
    );
    expect(await message({ region: 'eu' }, {})).toBe(
      'Header mismatch: Mcp-Param-Region is missing: the body has a value for that argument',
    );
    expect(await message({}, { 'Mcp-Param-Region': 'eu' })).toBe(
      'Header mismatch: Mcp-Param-Region is there, but the body has no such argument',
    );
    for (const region of ['=?base64?ZXU?=', '=?base64?/////w==?=']) {
      expect(await message({ region: 'eu' }, { 'Mcp-Param-Region': region })).toBe(
        'Header mismatch: Mcp-Param-Region is not valid base64 of UTF-8 text',
      );
    }
  });

  it('are not checked for an unknown tool', async () => {
    const client = await mirroring();
    const response = await client.sendCall('nobody', {}, { headers: { 'Mcp-Param-Region': 'eu' } });
    expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }]);
  });

  it('are an error that names the tool if its schema is invalid', async () => {
    const broken = tool('broken', { input: z.object({ when: z.date() }) }, () => '');
    const { url } = await start({}, { tools: [broken], logger: { level: 'emergency', write: () => {} } });
    const response = await statelessClient(url).sendCall('broken', {});
    const message = expect.stringMatching(/^Tool "broken": The input schema can't be used/);
    expect(await response.json()).toMatchObject({ error: { code: -32603, message } });
  });

  it('are not checked for handshake clients', async () => {
    const { url } = await start({}, { tools: [tool('go', { input }, (args) => JSON.stringify(args))] });
    const params = { name: 'go', arguments: { region: 'eu' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { 'Content-Type': 'application/json', 'Mcp-Param-Region': 'us', 'Mcp-Method': 'x' };
    const response = await fetch(url, { method: 'POST', body, headers });
    expect(textOf(await answerOf(response))).toBe('{"region":"eu"}');
  });
});
