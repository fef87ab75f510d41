import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { sanitizeCsp } from '../csp.ts';
import { encodeSettings } from '../sandbox-settings.ts';
import { serveAppSandbox } from './serve-sandbox.ts';

function get(
  port: string,
  path: string,
  host: string,
  method = 'GET',
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
      let text = '';
      response
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });
}

it('serves names below localhost, on this machine alone', async () => {
  const host = 'http://127.0.0.1:1';
  const served = await serveAppSandbox({ hosts: [host] });
  onTestFinished(() => served.close());
  const [, port = ''] = /^http:\/\/\*\.localhost:(\d+)$/.exec(served.url) ?? [];
  const path = `/proxy/${encodeSettings({ host, own: true, relaxed: false, csp: sanitizeCsp({}).csp, permissions: [] })}`;

  expect(await get(port, path, `v1.localhost:${port}`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('v1-view.localhost'),
  });
  expect(await get(port, path, `localhost:${port}`)).toMatchObject({ status: 200 });
  expect(await get(port, path, 'evil.example')).toMatchObject({ status: 403 });
  expect(await get(port, path, `a.b.localhost:${port}`)).toMatchObject({ status: 403 });
  expect(await get(port, `http://evil.example${path}`, `v1.localhost:${port}`)).toMatchObject({ status: 403 });
  expect(await get(port, path, `v1.localhost:${port}`, 'TRACE')).toMatchObject({ status: 405 });
});
