import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import { UsageError } from '../command/usage-error.ts';
import { metricsUrl, readMetrics, parseMetrics } from './metrics.ts';

async function answering(answer: RequestListener): Promise<string> {
  return `${await listening(createServer(answer))}/metrics`;
}

function read(url: string, headers: Record<string, string> = {}, timeoutMs = 60_000) {
  return readMetrics(url, { headers, signal: new AbortController().signal, timeoutMs });
}

describe('the URL of metrics', () => {
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
  it('returns metrics, and sends the given headers', async () => {
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
  ])('explains the response status %i', async (status, words) => {
    const url = await answering((_, response) => void response.writeHead(status).end('<html>'));
    await expect(read(url)).rejects.toThrow(words);
  });

  it('gives a hint if nothing listens', async () => {
    await expect(read('http://127.0.0.1:9/metrics')).rejects.toThrow(
      /can't be reached \(.*\): is the server there, and was it started with --admin PORT\?/,
    );
  });

  it('times out without a response', async () => {
    const url = await answering(() => {});
    await expect(read(url, {}, 10)).rejects.toThrow(/does not answer: it is busy, or not there/);
  });

  it('rejects a response that is too large for metrics', async () => {
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

describe('the text format of metrics', () => {
  it('is parsed by name, with labels and values', () => {
    const text = '# HELP a What.\n# TYPE a counter\na 3\na{x="1",y=""} 0.5\n\nb{le="+Inf"} 2 1700000000000\n';
    expect(Object.fromEntries(parseMetrics(text))).toEqual({
      a: [
        { labels: {}, value: 3 },
        { labels: { x: '1', y: '' }, value: 0.5 },
      ],
      b: [{ labels: { le: '+Inf' }, value: 2 }],
    });
  });

  it('may have any characters in a label', () => {
    const [sample] = parseMetrics('a{x="q\\"u\\\\o\\nte}, y=",z="2"} +Inf').get('a') ?? [];
    expect(sample).toEqual({ labels: { x: 'q"u\\o\nte}, y=', z: '2' }, value: Number.POSITIVE_INFINITY });
  });

  it('is skipped line by line if it is invalid', () => {
    expect([...parseMetrics('<html>\n{"a":1}\n\u0000 = \n')]).toEqual([]);
  });
});
