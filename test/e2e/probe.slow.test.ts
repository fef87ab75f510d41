import { type RequestListener, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { mcp, probe, script, web } from '../support/probe.ts';

// Problems that the command detects by a timeout.

/** A proxy that buffers each response until it is complete. */
function bufferingProxy(target: string): RequestListener {
  return (incoming, outgoing) => {
    const { host: _, ...headers } = incoming.headers;
    const forwarded = request(target, { method: incoming.method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks)));
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
}

const headerServer = `
  let text = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    for (let found; (found = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text)); ) {
      const start = found[0].length;
      const end = start + Number(found[1]);
      if (text.length < end) return;
      const { id } = JSON.parse(text.slice(start, end));
      text = text.slice(end);
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
      process.stdout.write('Content-Length: ' + answer.length + '\\r\\n\\r\\n' + answer);
    }
  });`;

describe('ccmcp probe reports the problem:', () => {
  it.each(['stateless', 'handshake'])('a proxy that buffers, before a server of the %s era', async (era) => {
    const url = await web(bufferingProxy(await mcp()));
    const { code, problem, speaks } = await probe(url, '--era', era);

    expect({ code, kind: problem?.kind }).toEqual({ code: 8, kind: 'buffering' });
    expect(problem?.advice).toContain('proxy');
    expect(speaks).toMatchObject({ era });
  });

  it('the wrong framing', async () => {
    const { code, problem } = await probe(...script(headerServer));

    expect({ code, kind: problem?.kind }).toEqual({ code: 6, kind: 'wrong-framing' });
    expect(problem?.advice).toContain('--framing content-length');
  });
});
