import { createServer as createHttpServer } from 'node:http';
import { createServer } from '@ccmcp/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import { connectPage, openPage } from './fixtures/page.ts';
import { startService } from './fixtures/start-service.ts';

describe('the doctor', () => {
  it('logs each step with its exchanges and problems, without secrets', async () => {
    const origin = await listening(
      createHttpServer((_, response) => void response.writeHead(500, { 'X-Api-Key': 'abc123' }).end('<p>Broken here')),
    );
    const page = await openPage();
    const made = await page.ask('connect', {
      typed: `${origin}/mcp`,
      settings: { headers: { 'X-Api-Key': 'abc123' } },
    });
    const { connection } = made as { connection: string };
    const { doctor } = (await page.ask('doctor', { connection })) as { doctor: string };
    const end = await page.until('doctor-end');
    expect(end).toMatchObject({ doctor, problem: { kind: 'server-error', advice: expect.stringContaining('log') } });
    const steps = page.events.filter((event) => event.type === 'doctor-step');
    expect(steps.map(({ step, status }) => `${step} ${status}`)).toEqual(['name ok', 'port ok', 'endpoint wrong']);
    const asked = page.events
      .filter((event) => event.type === 'http-request')
      .filter((event) => event.doctor === doctor);
    expect(steps.at(-1)?.exchanges).toEqual(expect.arrayContaining([asked.at(-1)?.exchange]));
    expect(page.events).toContainEqual(
      expect.objectContaining({ type: 'http-end', exchange: asked[0]?.exchange, body: '<p>Broken here' }),
    );
    expect(JSON.stringify(page.events)).not.toContain('abc123');
  });

  it('masks secrets in an invalid URL', async () => {
    const origin = await listening(
      createHttpServer((request, response) => {
        if (!request.url?.startsWith('/.well-known/oauth-protected-resource'))
          return void response.writeHead(401).end();
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ authorization_servers: [`http://${request.headers.host}`] }));
      }),
    );
    const page = await openPage();
    await page.ask('doctor', { typed: `${origin}/mcp?token=hush-hush-hush` });
    await page.until('doctor-end');
    expect(JSON.stringify(page.events)).toContain(`resource: \\"${origin}/mcp`);
    expect(JSON.stringify(page.events)).not.toContain('hush-hush-hush');
  });

  it('probes targets that are not connected, but no unconfirmed command', async () => {
    const page = await openPage({
      resolveTarget: async (typed) =>
        typed.startsWith('http')
          ? { kind: 'url', url: typed, label: typed }
          : { kind: 'command', command: typed, args: [], label: typed },
    });
    expect(await page.ask('doctor', { typed: 'http://127.0.0.1:9/' })).toHaveProperty('doctor');
    expect(await page.until('doctor-end')).toMatchObject({ problem: { kind: 'nothing-listens' } });
    expect(await page.ask('doctor', { typed: 'rm' })).toHaveProperty('confirm');
  });

  it('probes the public URL of a server that mounts the inspector', async () => {
    const service = await startService(createServer({ name: 'mine', version: '1' }), { inspector: true });
    const page = await connectPage(service.inspectorUrl ?? '');
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    expect(connection).toMatchObject({ kind: 'own', address: service.url });
    await page.ask('doctor', { connection: connection.id });
    expect(await page.until('doctor-end')).not.toHaveProperty('problem');
    const steps = page.events.filter((event) => event.type === 'doctor-step').map(({ step }) => step);
    expect(steps).toEqual(['name', 'port', 'endpoint', 'protocol', 'stream', 'other era']);
    const ends = page.events.filter((event) => event.type === 'http-end');
    expect(ends.length).toBeGreaterThan(5);
    expect(ends.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('passes no more environment to a command than a connection does', async () => {
    process.env.OUR_SECRET = 'x';
    onTestFinished(() => void delete process.env.OUR_SECRET);
    const script =
      'const { OUR_SECRET, GIVEN, PATH } = process.env; console.error("has", OUR_SECRET, GIVEN, typeof PATH); process.exit(3)';
    const page = await openPage({
      targets: [
        {
          label: 'program',
          kind: 'command',
          origin: 'configured',
          resolve: async () => ({
            kind: 'command',
            label: 'program',
            command: process.execPath,
            args: ['-e', script],
            env: { GIVEN: 'y' },
          }),
        },
      ],
    });
    const { targets } = await page.until('targets');
    await page.ask('doctor', { target: targets[0]?.id ?? '' });
    expect(await page.until('doctor-end')).toMatchObject({
      problem: { kind: 'exits', message: expect.stringContaining('has undefined y string') },
    });
  });

  it('rejects a server that is only reachable in its own process', async () => {
    const server = createServer({ name: 'inside', version: '1' });
    const page = await openPage({
      targets: [
        {
          label: 'inside',
          kind: 'own',
          origin: 'given',
          resolve: async () => ({ kind: 'own', server, label: 'inside' }),
        },
      ],
    });
    const { connection } = await page.until('connection', (event) => event.connection.status.is === 'connected');
    await expect(page.ask('doctor', { connection: connection.id })).rejects.toThrow('no connection to diagnose');
  });
});
