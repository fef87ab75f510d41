import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import { UsageError } from '../command/usage-error.ts';
import { metricsUrl, readMetrics } from './read-metrics.ts';

async function answering(answer: RequestListener): Promise<string> {
  return `${await listening(createServer(answer))}/metrics`;
}

function read(url: string, headers: Record<string, string> = {}) {
  return readMetrics(url, { headers, signal: new AbortController().signal });
}

describe('the address of metrics', () => {
  it.each([
    ['9464', 'http://127.0.0.1:9464/metrics'],
    ['127.0.0.1:9464', 'http://127.0.0.1:9464/metrics'],
    ['localhost:9464/', 'http://localhost:9464/metrics'],
    ['http://10.0.0.1:9464', 'http://10.0.0.1:9464/metrics'],
    ['http://10.0.0.1/own/route', 'http://10.0.0.1/own/route'],
    ['metrics.example.com', 'https://metrics.example.com/metrics'],
  ])('may be written %s', (word, url) => {
    expect(metricsUrl(word)).toBe(url);
  });

  it.each(['', 'server.js', 'http://', 'no thing'])('can not be %j', (word) => {
    expect(() => metricsUrl(word)).toThrow(UsageError);
    expect(() => metricsUrl(word)).toThrow(/--admin PORT/);
  });
});

describe('reading metrics', () => {
  it('gives them, and sends what it is told to', async () => {
    const url = await answering((request, response) => {
      response.end(`ccmcp_build_info{server="${String(request.headers['x-api-key'])}"} 1\n`);
    });
    const reading = await read(url, { 'X-Api-Key': 'k' });
    expect(reading.get('ccmcp_build_info')).toEqual([{ labels: { server: 'k' }, value: 1 }]);
  });

  it.each([
    [404, /there are no metrics at http:.* \(404\): start the server with --admin PORT/],
    [401, /is not open to you \(401\): --header can send a key/],
    [200, /answers, but not with metrics of ccmcp: start the server with --admin/],
  ])('says what to do where the answer is %i', async (status, words) => {
    const url = await answering((_, response) => void response.writeHead(status).end('<html>'));
    await expect(read(url)).rejects.toThrow(words);
  });

  it('says what to do where nobody answers', async () => {
    await expect(read('http://127.0.0.1:9/metrics')).rejects.toThrow(
      /can't be reached \(.*\): is the server there, and was it started with --admin PORT\?/,
    );
  });

  it('takes no more than metrics can be', async () => {
    const url = await answering((_, response) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const go = (): void => {
        while (response.write(chunk));
        response.once('drain', go);
      };
      go();
    });
    await expect(read(url)).rejects.toThrow(/answers with more than metrics/);
  });
});
