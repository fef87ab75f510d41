import { createServer, tool } from '@ccmcp/core';
import { oauth } from '@ccmcp/core/http';
import { authorizationServer } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../../test/support/free-port.ts';
import type { InspectorEvent } from '../../shared/events.ts';
import { openPage, type TestPage } from '../fixtures/page.ts';
import { startService } from '../fixtures/start-service.ts';

async function protectedServer(): Promise<{ url: string; by: Awaited<ReturnType<typeof authorizationServer>> }> {
  const by = await authorizationServer();
  const server = createServer({ name: 'guarded', version: '1', tools: [tool('hello', {}, () => 'hello')] });
  // Tokens are issued for a URL, which must be known before the server starts.
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  onTestFinished(() => by.close());
  const service = await startService(server, { port, resource, auth: oauth({ issuer: by.issuer }) });
  return { url: service.url, by };
}

/** The last message of each step. */
function steps(page: TestPage): Record<string, InspectorEvent<'sign-in-step'>> {
  const found = page.events.filter((event) => event.type === 'sign-in-step');
  return Object.fromEntries(found.map((event) => [event.step, event]));
}

/** Acts as the user's browser. */
async function visit(page: TestPage): Promise<void> {
  const { open = '' } = await page.until('sign-in', ({ status }) => status === 'waiting');
  const answer = await fetch(open, { redirect: 'manual' });
  await fetch(answer.headers.get('location') ?? '');
}

const names = ['challenge', 'resource-metadata', 'server-metadata', 'registration', 'authorization', 'token', 'use'];

describe('signing in', () => {
  it('logs every step with its requests', async () => {
    const { url } = await protectedServer();
    const page = await openPage();
    await page.ask('connect', { typed: url });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'needs-sign-in');
    const { flow } = await page.ask('sign-in', { connection: connection.id });
    await visit(page);
    await page.until('sign-in', ({ status }) => status === 'done');
    const found = steps(page);
    expect(Object.entries(found).map(([name, { status }]) => [name, status])).toEqual(
      names.map((name) => [name, 'ok']),
    );
    expect(found['resource-metadata']?.facts).toContainEqual(['resource', url]);
    expect(found.authorization?.facts).toContainEqual(['resource', url]);
    expect(found.challenge?.facts).toContainEqual(['WWW-Authenticate', expect.stringContaining('resource_metadata')]);
    for (const name of names.filter((each) => each !== 'authorization')) {
      const [exchange] = found[name]?.exchanges ?? [];
      expect(page.events).toContainEqual(expect.objectContaining({ type: 'http-request', exchange, flow }));
    }
    await page.until('connection', (event) => event.connection.status.is === 'connected');
    await page.ask('doctor', { connection: connection.id });
    expect(await page.until('doctor-end')).not.toHaveProperty('problem');
    expect(page.events).toContainEqual(expect.objectContaining({ type: 'doctor-step', step: 'login', status: 'ok' }));
  });

  it('exposes no token, code or verifier', async () => {
    const { url, by } = await protectedServer();
    const page = await openPage();
    await page.ask('sign-in', { url });
    await visit(page);
    await page.until('sign-in', ({ status }) => status === 'done');
    const [form = {}] = by.forms();
    const secrets = [...by.tokens.keys(), form.code, form.code_verifier].filter((text) => text !== undefined);
    expect(secrets.length).toBeGreaterThan(2);
    const found = JSON.stringify(page.events);
    for (const secret of secrets) expect(found).not.toContain(secret);
    const made = (await page.ask('connect', { typed: url })) as { connection: string };
    await page.until(
      'connection',
      (event) => event.connection.id === made.connection && event.connection.status.is === 'connected',
    );
    for (const secret of secrets) expect(JSON.stringify(page.events)).not.toContain(secret);
  });

  it('pauses before each step on request, and can be cancelled', async () => {
    const { url } = await protectedServer();
    const page = await openPage();
    const { flow } = await page.ask('sign-in', { url, steps: true });
    await page.until('sign-in', ({ status, step }) => status === 'ready' && step === 'resource-metadata');
    expect(Object.keys(steps(page))).toEqual(['challenge']);
    await page.ask('sign-in-next', { flow });
    await page.until('sign-in', ({ status, step }) => status === 'ready' && step === 'server-metadata');
    expect(Object.keys(steps(page))).toEqual(['challenge', 'resource-metadata']);
    await page.ask('sign-in-cancel', { flow });
    await page.until('sign-in', ({ status }) => status === 'cancelled');
  });

  it('reports which step failed, and what to change', async () => {
    const { url, by } = await protectedServer();
    await by.close();
    const page = await openPage();
    await page.ask('sign-in', { url });
    await page.until('sign-in', ({ status, step }) => status === 'failed' && step === 'server-metadata');
    expect(steps(page)['server-metadata']).toMatchObject({
      status: 'wrong',
      message: expect.stringContaining('No usable answer'),
      advice: expect.stringContaining('answer from here'),
    });
  });

  it('is not needed if the server requires no token', async () => {
    const service = await startService(createServer({ name: 'open', version: '1' }));
    const page = await openPage();
    await page.ask('sign-in', { url: service.url });
    await page.until('sign-in', ({ status }) => status === 'done');
    expect(steps(page).challenge).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('no sign-in is required'),
    });
  });

  it('is limited to URLs', async () => {
    const page = await openPage();
    await expect(page.ask('sign-in', { url: 'file:///etc/passwd' })).rejects.toThrow('no address');
  });
});
