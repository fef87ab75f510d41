import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@ccmcp/core';
import type { HttpTap, TappedRequest } from '@ccmcp/core/client';
import { oauth } from '@ccmcp/core/http';
import { authorizationServer } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../test/support/free-port.ts';
import { startService } from '../server/fixtures/start-service.ts';
import { probe } from './probe.ts';
import type { ProbeTarget } from './target.ts';

async function runProbe(target: ProbeTarget) {
  const steps: string[] = [];
  const requests: TappedRequest[] = [];
  const statuses: number[] = [];
  const tap: HttpTap = {
    request(sent) {
      requests.push(sent);
      return { response: ({ status }) => void statuses.push(status), data: () => {}, end: () => {} };
    },
  };
  const { problem } = await probe(target, {
    tap,
    found: ({ step, ok, isNote }) => void steps.push(`${step} ${isNote ? 'note' : ok ? 'ok' : 'wrong'}`),
  });
  return { steps, problem, requests, statuses };
}

describe('a probe', () => {
  it('reports no problem of a healthy server, and shows its requests', async () => {
    const service = await startService(createServer({ name: 'well', version: '1' }));
    const { steps, problem, requests, statuses } = await runProbe({ kind: 'url', url: service.url });
    expect(problem).toBeUndefined();
    expect(steps).toEqual(['name ok', 'port ok', 'endpoint ok', 'protocol ok', 'stream ok', 'other era ok']);
    expect(requests.some(({ body }) => body?.includes('"ping"'))).toBe(true);
    expect(statuses).toContain(200);
  });

  it('reports what else answers at a URL', async () => {
    const http = createHttpServer((_, response) => void response.end('<!doctype html><p>Hello'));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const { steps, problem } = await runProbe({ kind: 'url', url });
    expect(steps.at(-1)).toBe('endpoint wrong');
    expect(problem).toMatchObject({ kind: 'web-page', message: expect.stringContaining('web page') });
  });

  it('reports that nothing listens', async () => {
    const { steps, problem } = await runProbe({ kind: 'url', url: 'http://127.0.0.1:9/mcp' });
    expect(steps).toEqual(['name ok', 'port wrong']);
    expect(problem).toMatchObject({
      kind: 'nothing-listens',
      advice: expect.stringContaining('Is the server running'),
    });
  });

  it('starts a command with the given environment', async () => {
    process.env.OUR_SECRET = 'x';
    onTestFinished(() => void delete process.env.OUR_SECRET);
    const script = 'console.error("has it: " + ("OUR_SECRET" in process.env)); process.exit(3)';
    const { PATH } = process.env;
    const target = { kind: 'command', command: process.execPath, args: ['-e', script] } as const;
    const alone = await runProbe({ ...target, env: { PATH } });
    expect(alone.problem).toMatchObject({ kind: 'exits', message: expect.stringContaining('has it: false') });
    expect((await runProbe(target)).problem?.message).toContain('has it: true');
  });

  it('uses a stored login, and explains how to get one', async () => {
    const by = await authorizationServer();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    onTestFinished(() => by.close());
    const server = createServer({ name: 'guarded', version: '1' });
    await startService(server, { port, resource: url, auth: oauth({ issuer: by.issuer }) });
    const none = await runProbe({ kind: 'url', url });
    expect(none.problem).toMatchObject({ kind: 'unauthorized', advice: expect.stringContaining('Sign in') });
    expect(none.problem?.advice).not.toContain('ccmcp');
    const token = by.token({ audience: url });
    let received = 0;
    const auth = async () => ({
      headers: async (): Promise<Record<string, string>> =>
        received === 0 ? {} : { Authorization: `Bearer ${token}` },
      unauthorized: async () => (received += 1) > 0,
    });
    const { steps, problem } = await runProbe({ kind: 'url', url, auth });
    expect(problem).toBeUndefined();
    expect(steps).toEqual(expect.arrayContaining(['login ok', 'token ok', 'protocol ok']));
  });
});
