import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@ccmcp/core';
import type { TappedRequest } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
import type { Examination, Target } from '@ccmcp/inspector';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseWords } from '../client/options.ts';
import { examineTarget } from './examine.ts';

async function examined(url: string) {
  const steps: string[] = [];
  const requests: TappedRequest[] = [];
  const statuses: number[] = [];
  const examination: Examination = {
    found: ({ step, status }) => void steps.push(`${step} ${status}`),
    tap: {
      request(sent) {
        requests.push(sent);
        return { response: ({ status }) => void statuses.push(status), data: () => {}, end: () => {} };
      },
    },
    signal: new AbortController().signal,
  };
  const target: Target = { kind: 'url', url, label: url };
  const problem = await examineTarget(target, examination, parseWords([]).options);
  return { steps, problem, requests, statuses };
}

describe('the doctor of the inspector', () => {
  it('finds nothing wrong with a server that is well, and shows what it asked', async () => {
    const service = await serveHttp(createServer({ name: 'well', version: '1' }));
    onTestFinished(() => service.close());
    const { steps, problem, requests, statuses } = await examined(service.url);
    expect(problem).toBeUndefined();
    expect(steps).toEqual(['name ok', 'port ok', 'endpoint ok', 'protocol ok', 'stream ok', 'other era ok']);
    expect(requests.some(({ body }) => body?.includes('"ping"'))).toBe(true);
    expect(statuses).toContain(200);
  });

  it('says what is there instead of a server', async () => {
    const http = createHttpServer((_, response) => void response.end('<!doctype html><p>Hello'));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { steps, problem } = await examined(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
    expect(steps.at(-1)).toBe('endpoint wrong');
    expect(problem).toMatchObject({ kind: 'web-page', says: expect.stringContaining('web page') });
  });

  it('says that nothing is there', async () => {
    const { steps, problem } = await examined('http://127.0.0.1:9/mcp');
    expect(steps).toEqual(['name ok', 'port wrong']);
    expect(problem).toMatchObject({
      kind: 'nothing-listens',
      advice: expect.stringContaining('Is the server running'),
    });
  });
});
