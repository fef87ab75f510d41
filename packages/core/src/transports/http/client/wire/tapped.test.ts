import { describe, expect, it } from 'vitest';
import { connect } from '../../../../client/connect.ts';
import type { HttpTap } from '../../../../client/http-tap.ts';
import { createServer } from '../../../../create-server.ts';
import { tool } from '../../../../server/define/define.ts';
import { serveHttp } from '../../server/serve.ts';
import { makeResponse } from '../fixtures/made-response.ts';
import { httpTransport } from '../transport.ts';
import type { SendRequest } from './response.ts';
import { tapSender } from './tapped.ts';

/** A tap that records a line per event. */
function noting(ready?: Promise<void>): { tap: HttpTap; seen: string[] } {
  const seen: string[] = [];
  const decoder = new TextDecoder();
  const tap: HttpTap = {
    request({ method, body }) {
      seen.push(`${method} ${body ?? ''}`.trim());
      return {
        ...(ready && { ready }),
        response: ({ status }) => void seen.push(`status ${status}`),
        data: (part) => void seen.push(`data ${typeof part === 'string' ? part : decoder.decode(part)}`),
        end: (error) => void seen.push(error === undefined ? 'end' : `end ${(error as Error).message}`),
      };
    },
  };
  return { tap, seen };
}

const url = new URL('http://127.0.0.1/');
const post = { method: 'POST' as const, headers: {}, body: 'hello', signal: new AbortController().signal };

describe('a tap', () => {
  it('sees a body that is read as text, unchanged', async () => {
    const { tap, seen } = noting();
    const response = await tapSender(async () => makeResponse(200, { a: 'b' }, ['one', 'two']), tap)(url, post);
    expect(response.header('a')).toBe('b');
    expect(await response.text(100)).toBe('onetwo');
    expect(seen).toEqual(['POST hello', 'status 200', 'data onetwo', 'end']);
  });

  it('sees the chunks of a body, and that the rest was discarded', async () => {
    const { tap, seen } = noting();
    const response = await tapSender(async () => makeResponse(200, {}, ['one', 'two', 'three']), tap)(url, post);
    for await (const chunk of response.body) if (new TextDecoder().decode(chunk) === 'two') break;
    expect(seen).toEqual(['POST hello', 'status 200', 'data one', 'data two', 'end']);
  });

  it('sees why a response is missing or incomplete', async () => {
    const { tap, seen } = noting();
    const rejecting: SendRequest = () => Promise.reject(new Error('refused'));
    await expect(tapSender(rejecting, tap)(url, post)).rejects.toThrow('refused');
    const cut = await tapSender(async () => makeResponse(200, {}, ['one', new Error('cut off')]), tap)(url, post);
    await expect(cut.text(100)).rejects.toThrow('cut off');
    expect(seen).toEqual(['POST hello', 'end refused', 'POST hello', 'status 200', 'end cut off']);
  });

  it('sees no error for a response that was aborted by the client', async () => {
    const { tap, seen } = noting();
    const stop = new AbortController();
    const asked = { ...post, signal: stop.signal };
    const cut = await tapSender(async () => makeResponse(200, {}, ['one', new Error('aborted')]), tap)(url, asked);
    await expect(
      (async () => {
        for await (const chunk of cut.body) if (chunk.length > 0) stop.abort();
      })(),
    ).rejects.toThrow('aborted');
    expect(seen).toEqual(['POST hello', 'status 200', 'data one', 'end']);
  });

  it('may delay or prevent a request', async () => {
    const { tap } = noting(Promise.reject(new Error('not now')));
    let sent = 0;
    const send: SendRequest = async () => {
      sent += 1;
      return makeResponse(200);
    };
    await expect(tapSender(send, tap)(url, post)).rejects.toThrow('not now');
    expect(sent).toBe(0);
  });

  it.each(['node:http', 'fetch'])('sees requests of a client by %s with their headers', async (way) => {
    const server = createServer({ name: 'x', version: '1', tools: [tool('hello', {}, () => 'hello')] });
    const service = await serveHttp(server);
    const heads: string[] = [];
    const tap: HttpTap = {
      request: ({ headers, about }) => {
        heads.push(about, ...Object.keys(headers));
        return {
          response: (head) => void heads.push(...head.headers.map(([name]) => name.toLowerCase())),
          data: () => {},
          end: () => {},
        };
      },
    };
    const client = await connect(httpTransport(service.url, { tap, ...(way === 'fetch' && { fetch }) }));
    expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'hello' }] });
    expect(heads).toEqual(expect.arrayContaining(['messages', 'mcp-method', 'content-type', 'date']));
    await client.close();
    await service.close();
  });
});
