import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere, onEveryWire, textWires } from './cells.ts';

const wires = { wires: textWires };

/** Sends an invalid text; returns the error, after checking that the next message is served. */
async function rejectionOf(
  client: Client,
  text: string,
  id: string | number | null = null,
): Promise<number | undefined> {
  client.wire.sendText(text);
  const { error } = await client.answerTo(id);
  expect((await client.sendRequest('ping')).result).toEqual({});
  return error?.code;
}

onEveryWire(
  'a text that is no JSON is a parse error without an id, and what comes next is served (S-B-01)',
  async ({ open }) => {
    const client = open();
    for (const text of [
      '{',
      'ping',
      '{"jsonrpc": "2.0", "id": 1, "method": "ping",}',
      "{'id': 1}",
      '"\u0001"',
      '[1,',
      '\u0000',
    ]) {
      expect([text, await rejectionOf(client, text)]).toEqual([text, -32700]);
    }
  },
  wires,
);

onEveryWire(
  'JSON that is no message is an invalid request, with its id where that can be read (S-B-02)',
  async ({ open }) => {
    const client = open();
    for (const text of ['1', 'null', '"ping"', 'true', '{}', '{"jsonrpc": "2.0", "method": "ping", "id": null}']) {
      expect([text, await rejectionOf(client, text)]).toEqual([text, -32600]);
    }
    expect(await rejectionOf(client, '{"jsonrpc": "1.0", "id": "a", "method": "ping"}', 'a')).toBe(-32600);
    expect(await rejectionOf(client, '{"jsonrpc": "2.0", "id": 7, "method": 8}', 7)).toBe(-32600);
    expect(await rejectionOf(client, '{"jsonrpc": "2.0", "id": "b", "method": "ping", "params": [1]}', 'b')).toBe(
      -32602,
    );
    expect(await rejectionOf(client, '{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}')).toBe(-32600);
    expect(await rejectionOf(client, '{"jsonrpc": "2.0", "id": 9007199254740993, "method": "ping"}')).toBe(-32600);
  },
  wires,
);

onEveryWire(
  'a text that is too long is rejected without an id, and what comes next is served',
  async ({ open }) => {
    const client = open();
    const padding = 'x'.repeat(1024 * 1024);
    expect(
      await rejectionOf(client, `{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"p": "${padding}"}}`),
    ).toBe(-32600);
  },
  wires,
);

onEveryWire(
  'a text may be nested as deep as it is long',
  async ({ open }) => {
    const client = open();
    const depth = 100_000;
    const deep = '['.repeat(depth) + ']'.repeat(depth);
    client.wire.sendText(`{"jsonrpc": "2.0", "id": "deep", "method": "ping", "params": {"deep": ${deep}}}`);
    expect((await client.answerTo('deep')).result).toEqual({});
    expect(await rejectionOf(client, deep)).toBe(-32600);
  },
  wires,
);

everywhere(
  'deep arguments, and ones with treacherous names, do no harm',
  async ({ connect }) => {
    const client = await connect();
    client.post(
      'tools/call',
      { name: 'open', arguments: JSON.parse('{"anything": {"__proto__": {"polluted": true}}}') },
      'proto',
    );
    const { result } = await client.answerTo('proto');
    expect(result.content[0].text).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: true }).polluted).toBeUndefined();

    const meta = client.stateless
      ? '"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}, '
      : '';
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    client.wire.sendText(
      `{"jsonrpc": "2.0", "id": "deep", "method": "tools/call", "params": {${meta}"name": "open", "arguments": {"anything": ${deep}}}}`,
    );
    const answer = await client.answerTo('deep');
    // Some engines can serialize such a deep value; with others the tool fails.
    const { content, isError } = answer.result;
    expect([deep, 'Tool "open" failed unexpectedly']).toContain(content[0].text);
    expect(isError).toBe(content[0].text !== deep);
    expect((await client.request('tools/call', { name: 'nothing' })).isError).toBe(false);
  },
  wires,
);

everywhere(
  'text of every script comes back as it was sent',
  async ({ connect }) => {
    const client = await connect();
    const text = 'añ ☃ 漢字 🌒 \u2028\u2029 \u0000 \ud800 "\\/\r\n\t';
    const { content } = await client.request('tools/call', { name: 'open', arguments: { anything: text } });
    expect(JSON.parse(content[0].text)).toBe(text);
  },
  wires,
);

everywhere(
  'the era that a text claims decides what it is, however it is written',
  async ({ open }) => {
    const client = open({ version: '2025-11-25' });
    const escaped = '"\\u0069o.modelcontextprotocol/protocolVersion"';
    client.wire.sendText(
      `{"id": "e", "method": "tools/list", "params": {"_meta": {${escaped}: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}, "jsonrpc": "2.0"}`,
    );
    expect((await client.answerTo('e')).result.resultType).toBe('complete');
    client.wire.sendText('{"jsonrpc": "2.0", "id": "n", "method": "tools/list"}');
    expectError(await client.answerTo('n'), -32002);
  },
  wires,
);
