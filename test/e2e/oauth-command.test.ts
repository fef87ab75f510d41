import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { authorizationServer } from '@ccmcp/core/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, runProcess } from '../support/ccmcp.ts';
import { freePort } from '../support/free-port.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the notes server with an issuer of tokens, and waits until it prints its URL. */
async function serveNotes(...more: string[]) {
  const issuer = await authorizationServer();
  onTestFinished(() => issuer.close());
  const port = String(await freePort());
  const resource = `http://127.0.0.1:${port}/mcp`;
  const db = join(emptyFolder(), 'notes.db');
  const args = ['notes', '--http', port, '--db', db, '--oauth', issuer.issuer, '--resource', resource, ...more];
  const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(line));
  while (!said.some((line) => line.includes('curl'))) await once(lines, 'line');
  return { issuer, resource, said };
}

async function call(url: string, name: string, args: object, token?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
}

describe('ccmcp --oauth', () => {
  it('serves callers with a valid token, and names the authorization server to others', async () => {
    const { issuer, resource, said } = await serveNotes('--scope', 'notes:read');
    const metadata = new URL('/.well-known/oauth-protected-resource/mcp', resource).href;
    const without = await call(resource, 'list_notes', {});
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}", scope="notes:read"`);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['notes:read'],
    });

    const reader = issuer.token({ audience: resource, scopes: ['notes:read'] });
    const writer = issuer.token({ audience: resource, scopes: ['notes:read', 'notes:write'] });
    const added = await call(resource, 'create_note', { title: 'Milk', content: 'Two litres' }, writer);
    expect(await added.json()).toMatchObject({ result: { isError: false } });
    expect(await (await call(resource, 'list_notes', {}, reader)).text()).toContain('Milk');

    const tooLittle = await call(resource, 'create_note', { title: 'Eggs', content: 'Six' }, reader);
    expect(tooLittle.status).toBe(403);
    expect(tooLittle.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(tooLittle.headers.get('www-authenticate')).toContain('scope="notes:read notes:write"');

    for (const wish of [{ fault: 'wrong-audience' }, { fault: 'expired' }, { scopes: [] }] as const) {
      const token = issuer.token({ audience: resource, ...wish });
      expect((await call(resource, 'list_notes', {}, token)).status).toBe('fault' in wish ? 401 : 403);
      expect(said.join('\n')).not.toContain(token);
    }
  });

  it('accepts tokens for the --audience only', async () => {
    const { issuer, resource } = await serveNotes('--audience', 'api://notes');
    const scopes = ['notes:read'];
    const named = issuer.token({ audience: 'api://notes', scopes });
    expect((await call(resource, 'list_notes', {}, named)).status).toBe(200);
    expect((await call(resource, 'list_notes', {}, issuer.token({ audience: resource, scopes }))).status).toBe(401);
  });

  it('reports missing and conflicting options at start', async () => {
    const issuer = 'https://login.example.com';
    const db = join(emptyFolder(), 'notes.db');
    const wrong: [string[], RegExp][] = [
      [['--oauth', issuer], /--resource/],
      [['--oauth', 'http://login.example.com', '--resource', 'https://api.example.com/mcp'], /--oauth.*https/],
      [['--oauth', issuer, '--resource', 'https://api.example.com/mcp?x=1'], /resource/],
    ];
    for (const [args, expected] of wrong) {
      const { code, stderr } = await runProcess(['notes', '--http', '0', '--db', db, ...args]);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(expected);
    }
  });
});
