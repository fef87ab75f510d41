import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { createServer } from '@ccmcp/core';
import { httpHandler } from '@ccmcp/core/http';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { listening, mcp, probe, script, web } from '../support/probe.ts';

/** A domain whose catalog lists these cards. */
function domain(...cards: object[]): Promise<string> {
  const entries = cards.map((data) => ({ type: 'application/mcp-server-card+json', data }));
  return web((request, response) => {
    if (request.url !== '/.well-known/ai-catalog.json') response.statusCode = 404;
    response.end(JSON.stringify({ specVersion: '1.0', entries }));
  }, '');
}

describe('ccmcp probe DOMAIN', () => {
  it('probes the only server of its catalog', async () => {
    const url = await mcp();
    const listed = { name: 'com.example/probed', version: '1.0.0', remotes: [{ type: 'streamable-http', url }] };
    const at = await domain(listed);
    const found = await probe(at);
    expect(found).toMatchObject({ code: 0, target: url, catalog: [{ name: listed.name, url }], speaks: { tools: 1 } });
    const { stdout } = await run(['probe', at.replace('http://', '')]);
    expect(stdout).toContain(`com.example/probed (1.0.0): ${url}`);
    expect(stdout).toContain('Nothing is wrong.');
  });

  it('lists several, escaped, and says how to probe one', async () => {
    const card = (name: string) => ({
      name,
      remotes: [{ type: 'streamable-http', url: `https://example.com/${name}` }],
    });
    const { code, stdout } = await run(['probe', await domain(card('one'), card('two\u001b[31m'))]);
    expect(code).toBe(0);
    expect(stdout).toContain('one: https://example.com/one');
    expect(stdout).not.toContain('\u001b[31m');
    expect(stdout).toContain('To probe one: ccmcp probe https://example.com/one');
  });

  it('probes the address itself if there is no catalog', async () => {
    expect(await probe(await web((_, response) => void response.end('<!doctype html>'), '/'))).toMatchObject({
      problem: { kind: 'web-page' },
    });
  });
});

/** A self-signed key for these tests only. */
const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUqN9zmlT2XdZoeGR
d6qAy94Pkpm/C0H1WEfwdN+kCv2hRANCAATEFNRQpnvg8KS+ydP7Clujrkrlx9e3
8SbdWgo/trx+WUh1LtThhRvJ53LyBZeT5q9q9PdDm11aN1FQz9sxkZZL
-----END PRIVATE KEY-----`;
const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUMjcjler0xhSG+KV+RKOfimjxM20wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTIyNTMzNloYDzIxMjYxMDIy
MjI1MzM2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATEFNRQpnvg8KS+ydP7Clujrkrlx9e38SbdWgo/trx+WUh1LtThhRvJ
53LyBZeT5q9q9PdDm11aN1FQz9sxkZZLo1MwUTAdBgNVHQ4EFgQUd354Lp+C6Uvt
6vGt/oJbnQKe9DswHwYDVR0jBBgwFoAUd354Lp+C6Uvt6vGt/oJbnQKe9DswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBoq/k//YbATMF8JzCKm28m
45Q1aDmlVozHAekl874iDQIgSiTrWXDExlyy8tJ8T/bj3ORL+eQI9OMIozIq+h6W
MlM=
-----END CERTIFICATE-----`;

/** A minimal stdio server of the handshake era. */
const plainServer = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'plain', version: '1' } }
      : {};
    const known = method === 'initialize' || method === 'ping';
    const answer = known ? { result } : { error: { code: -32601, message: 'Method not found' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  });`;

/** A handshake server over HTTP that rejects requests without a session, with a plain text. */
function strict(reject: { status: number; text: string }, discovered = reject): RequestListener {
  return (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(body || '{}');
      const hasSession = request.headers['mcp-session-id'] === 's1';
      if (method === 'initialize') {
        const serverInfo = { name: 'strict', version: '1' };
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      } else if (!hasSession) {
        const { status, text } = method === 'server/discover' ? discovered : reject;
        response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
      } else if (method === 'tools/list') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } }));
      } else {
        response.writeHead(request.method === 'POST' ? 202 : 405).end();
      }
    });
  };
}

describe('ccmcp probe reports the problem:', () => {
  it('a wrong port', async () => {
    const server = createTcp();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));

    const { code, problem, steps } = await probe(`http://127.0.0.1:${port}/mcp`);
    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'nothing-listens' });
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['name', true],
      ['port', false],
    ]);
  });

  it('TLS on a plain port', async () => {
    const url = (await mcp()).replace('http:', 'https:');
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'plain-port' });
    expect(problem?.advice).toContain('http://');
  });

  it('plain HTTP on a TLS port', async () => {
    const port = await listening(createHttps({ key: testKey, cert: testCertificate }, (_, answer) => answer.end()));
    const { code, problem } = await probe(`http://127.0.0.1:${port}/mcp`);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'tls-port' });
    expect(problem?.advice).toContain('https://');
  });

  it('an untrusted certificate', async () => {
    const port = await listening(createHttps({ key: testKey, cert: testCertificate }, (_, answer) => answer.end()));
    const { code, problem } = await probe(`https://127.0.0.1:${port}/mcp`);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'certificate' });
  });

  it('401', async () => {
    const url = await web((_, answer) => answer.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="x"' }).end());
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 4, kind: 'unauthorized' });
    expect(problem?.message).toContain('Bearer');
    expect(problem?.advice).toContain('--header');
  });

  it('401, with a broken OAuth discovery', async () => {
    const challenge = 'Bearer resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource"';
    const url = await web((_, answer) => answer.writeHead(401, { 'WWW-Authenticate': challenge }).end());
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 4, kind: 'broken-sign-in' });
    expect(problem?.message).toContain("it can't be reached");
  });

  it('404, and the right path', async () => {
    const url = await mcp();
    const { code, problem } = await probe(url.replace('/mcp', '/mpc'));

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'not-found' });
    expect(problem?.message).toContain('/mpc');
    expect(problem?.advice).toContain(url);
  });

  it('404, without another path', async () => {
    const { code, problem } = await probe(await web((_, answer) => answer.writeHead(404).end('nothing')));

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'not-found' });
    expect(problem?.advice).toContain('path');
  });

  it('a web page', async () => {
    const page = '<!doctype html><title>Welcome</title>';
    const url = await web((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'web-page' });
  });

  it('a gateway without a server', async () => {
    const { code, problem } = await probe(await web((_, answer) => answer.writeHead(502).end('Bad Gateway')));

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'server-error' });
    expect(problem?.advice).toContain('proxy');
  });

  it('a redirect', async () => {
    const Location = 'https://example.com/mcp';
    const { code, problem } = await probe(await web((_, answer) => answer.writeHead(308, { Location }).end()));

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'redirect' });
    expect(problem?.message).toContain(Location);
  });

  it('a redirect loop', async () => {
    const url = await web((request, answer) => answer.writeHead(307, { Location: request.url }).end());
    const { problem } = await probe(url);

    expect(problem?.kind).toBe('redirect');
    expect(problem?.advice).toContain('circle');
    expect(problem?.advice).not.toContain('Use that address');
  });

  it('a server that always fails', async () => {
    const url = await web((_, answer) => answer.writeHead(500).end('Out of order'));
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'server-error' });
    expect(problem?.message).toContain('Out of order');
    expect(problem?.advice).not.toContain('ccmcp probe');
    const { stderr } = await run(['list', url]);
    expect(stderr).toMatch(/500.*Out of order[^]*"ccmcp probe"/);
  });

  it('JSON that is no JSON-RPC', async () => {
    const url = await web((_, answer) => answer.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":1}'));
    const { code, problem } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 6, kind: 'not-mcp' });
    expect(problem?.message).toContain('{"ok":1}');
  });

  it('a server of HTTP+SSE, and its versions', async () => {
    const url = (await mcp({ sse: true })).replace('/mcp', '/sse');
    const { code, problem, speaks } = await probe(url);

    expect({ code, kind: problem?.kind }).toEqual({ code: 0, kind: 'old-sse' });
    expect(speaks).toMatchObject({ transport: 'http+sse', era: 'handshake', tools: 1 });
  });

  it('a server that prints a banner on stdout', async () => {
    const { code, problem } = await probe(...script(`console.log('Server started');${plainServer}`));

    expect({ code, kind: problem?.kind }).toEqual({ code: 6, kind: 'stdout-noise' });
    expect(problem?.message).toContain('"Server started"');
    expect(problem?.advice).toContain('stderr');
  });

  it('a server that prints an endless line', async () => {
    const endless = "const more = () => process.stdout.write('x'.repeat(65536), more); more()";
    const { code, problem } = await probe(...script(endless));

    expect({ code, kind: problem?.kind }).toEqual({ code: 6, kind: 'stdout-noise' });
    expect(problem?.message).toMatch(/"xxx.*… \(a line of more than 1048576 characters\)"/);
  });

  it('a server that exits at once: its exit code, its error and the location', async () => {
    const file = join(emptyFolder(), 'broken.cjs');
    writeFileSync(file, "process.on('exit', () => (process.exitCode = 7));\n\nthrow new TypeError('no such table');");
    const { code, problem } = await probe('--', process.execPath, file);

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'exits' });
    expect(problem?.message).toMatch(/exit code 7\)\. It says:\nTypeError: no such table\n {4}at .*broken\.cjs:3:7/);
    expect(problem?.message).not.toContain('node:internal');
  });

  it('a program that does not exist', async () => {
    const { code, problem } = await probe('--', 'no-such-program-at-all');

    expect({ code, kind: problem?.kind }).toEqual({ code: 3, kind: 'cannot-start' });
  });
});

describe('ccmcp probe finds no problem in', () => {
  it('a server of both eras over HTTP', async () => {
    const { code, problem, speaks, steps } = await probe(await mcp());

    expect({ code, problem }).toEqual({ code: 0, problem: undefined });
    expect(speaks).toMatchObject({ transport: 'http', era: 'stateless', tools: 1 });
    expect(steps.map(({ step }) => step)).toEqual(['name', 'port', 'endpoint', 'protocol', 'stream', 'other era']);
    expect(steps.at(-1)?.says).toContain('handshake');
  });

  it('a server without sessions in another web server', async () => {
    const handler = httpHandler(createServer({ name: 'mounted', version: '1.0.0' }));
    const { code, problem } = await probe(await web((incoming, outgoing) => handler.node(incoming, outgoing)));

    expect({ code, problem }).toEqual({ code: 0, problem: undefined });
  });

  it.each([400, 404, 405, 406, 422, 500])('a server that rejects unknown requests with text and %i', async (status) => {
    const { code, problem, speaks } = await probe(await web(strict({ status, text: 'No session' })));

    expect({ code, problem }).toEqual({ code: 0, problem: undefined });
    expect(speaks).toMatchObject({ transport: 'http', era: 'handshake', tools: 0 });
  });

  it('a server that fails on unknown methods; it is listed, too', async () => {
    const url = await web(strict({ status: 400, text: 'No session' }, { status: 500, text: 'Internal Server Error' }));

    expect(await probe(url)).toMatchObject({ code: 0, speaks: { era: 'handshake' } });
    expect((await run(['list', url])).stdout).toMatch(/^strict 1, protocol 2025-06-18 \(handshake\)/);
  });

  it('such a server at another path', async () => {
    const listener = strict({ status: 400, text: 'No session' });
    const url = await web((request, response) =>
      request.url === '/mcp' ? listener(request, response) : response.writeHead(404).end(),
    );
    const { problem } = await probe(url.replace('/mcp', '/mpc'));

    expect(problem).toMatchObject({ kind: 'not-found', advice: `There is at ${url}` });
  });

  it('a server on stdio that exits on any request before initialize', async () => {
    const first = 'if (id === undefined) return;';
    const check = "met ||= method === 'initialize'; if (!met) process.exit(1);";
    const shy = `let met = false;${plainServer.replace(first, `${first} ${check}`)}`;
    const { code, problem, steps } = await probe(...script(shy));

    expect({ code, problem }).toEqual({ code: 0, problem: undefined });
    expect(steps[0]).toMatchObject({ step: 'process', ok: true, says: expect.stringContaining('introduced itself') });
  });

  it('a ready-made server', async () => {
    const { code, speaks } = await probe('ccmcp');

    expect(code).toBe(0);
    expect(speaks).toMatchObject({ transport: 'stdio', era: 'stateless', tools: 13 });
  });

  it('a server on stdio that supports only the handshake', async () => {
    const { code, problem, speaks } = await probe(...script(plainServer));

    expect({ code, problem }).toEqual({ code: 0, problem: undefined });
    expect(speaks).toMatchObject({ era: 'handshake', protocolVersion: '2025-06-18' });
  });

  it('any other problem', async () => {
    const { code, stdout } = await run(['probe', await mcp()]);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ok {5}name: .*\n(ok {5}.*\n)*ok {5}protocol: probed .*\n(ok {5}.*\n)*Nothing is wrong\.\n$/,
    );
  });
});
