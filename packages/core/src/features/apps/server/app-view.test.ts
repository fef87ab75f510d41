import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../create-server.ts';
import { tool } from '../../../server/define/define.ts';
import { testClient } from '../../../testing/client.ts';
import { type AppViewOptions, appView } from './app-view.ts';
import { apps } from './apps.ts';

const html = '<!doctype html><title>Moon</title>';

function options(given: object): AppViewOptions {
  return { html, ...given };
}

it.each([
  ['https://moon/view.html', {}, 'ui://'],
  ['ui://', {}, 'ui://'],
  ['ui://a', { html: undefined }, 'needs its document'],
  ['ui://a', { file: 'a.html' }, 'either "html", a text, or "file"'],
  ['ui://a', { html: '<p>' }, '<!doctype html>'],
  ['ui://a', { CSP: {} }, 'an option "CSP", which means nothing'],
  ['ui://a', { csp: { scriptDomains: [] } }, 'no list "scriptDomains"'],
  ['ui://a', { csp: { connectDomains: 'https://a' } }, 'must be a list of origins'],
  ['ui://a', { csp: { connectDomains: ['https://a.example/path'] } }, 'is no origin'],
  ['ui://a', { csp: { connectDomains: ["https://a.example; script-src 'unsafe-eval'"] } }, 'is no origin'],
  ['ui://a', { csp: { connectDomains: ['http://[::1]:3000'] } }, 'policies of browsers know no addresses of IPv6'],
  ['ui://a', { csp: { connectDomains: ['*'] } }, 'is no origin'],
  ['ui://a', { csp: { connectDomains: ['example.com'] } }, 'is no origin'],
  ['ui://a', { permissions: { bluetooth: {} } }, 'no permission "bluetooth"'],
  ['ui://a', { permissions: { camera: true } }, 'permissions: { camera: {} }'],
  ['ui://a', { _meta: { ui: { csp: { connectDomains: ['https://a; script-src *'] } } } }, '"ui" in its _meta'],
  ['ui://a', { prefersBorder: 'yes' }, '"prefersBorder" must be true or false'],
])('is rejected with the reason: %s %j (AP-17)', (uri, given, problem) => {
  expect(() => appView(uri, options(given))).toThrow(problem);
});

it('reports a missing file', () => {
  expect(() => appView('ui://a', { file: '/nowhere/view.html' })).toThrow(
    /can't be read from its file: there is no "\/nowhere\/view.html"$/,
  );
  expect(() => appView('ui://a', { file: 'nowhere.html' })).toThrow(
    /there is no "\/.*\/nowhere.html". A path counts from .*; new URL\("nowhere.html", import.meta.url\) counts from your own file/,
  );
});

it('says why its file is none: a folder, a pipe, one that is too large, or no text (AP-17)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  const at = (name: string): string => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  writeFileSync(at('huge.html'), html);
  truncateSync(at('huge.html'), 2 ** 40);
  writeFileSync(at('latin.html'), Buffer.from('<!doctype html><p>\xfcber', 'latin1'));
  expect(() => appView('ui://a', { file: folder })).toThrow('that is no file');
  expect(() => appView('ui://a', { file: at('pipe') })).toThrow('that is no file');
  expect(() => appView('ui://a', { file: at('huge.html') })).toThrow(
    'has 1099511627776 bytes, and 4194304 is the most',
  );
  expect(() => appView('ui://a', { file: at('latin.html') })).toThrow(/is no text in UTF-8: save ".*latin.html"/);
});

it('is reloaded when its file changes, and keeps the last valid version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  const file = join(folder, 'view.html');
  let written = 0;
  const write = (text: string): void => {
    writeFileSync(file, text);
    written += 1;
    utimesSync(file, written, written);
  };
  write(html);
  const said: unknown[] = [];
  const server = createServer({
    name: 'moon',
    version: '1.0.0',
    extensions: [apps()],
    tools: [tool('moon', { ui: appView('ui://moon', { file: pathToFileURL(file) }) }, () => 'full')],
    logger: { level: 'error', write: ({ data }) => said.push(data) },
  });
  const client = await testClient(server);
  const read = async (): Promise<unknown> => (await client.readResource('ui://moon')).contents[0];
  expect(await read()).toMatchObject({ text: html });
  write(`${html}<p>new`);
  expect(await read()).toMatchObject({ text: `${html}<p>new` });
  write('<p>broken');
  expect(await read()).toMatchObject({ text: `${html}<p>new` });
  expect(await read()).toMatchObject({ text: `${html}<p>new` });
  expect(said).toEqual([expect.stringContaining('was changed and is wrong; the former is served')]);
  write(`${html}<p>mended`);
  expect(await read()).toMatchObject({ text: `${html}<p>mended` });
});

it('is created and validated on the first read if it is a function', async () => {
  const texts = ['<p>wrong', html];
  let calls = 0;
  const make = (): Promise<string> => Promise.resolve(texts[calls++] as string);
  const server = createServer({
    name: 'moon',
    version: '1.0.0',
    extensions: [apps()],
    tools: [tool('moon', { ui: appView('ui://moon', { html: make }) }, () => 'full')],
    logger: { level: 'emergency', write: () => {} },
  });
  const client = await testClient(server);
  expect(calls).toBe(0);
  await expect(client.readResource('ui://moon')).rejects.toThrow('Internal error');
  for (let each = 0; each < 2; each++) {
    expect((await client.readResource('ui://moon')).contents).toMatchObject([{ text: html }]);
  }
  expect(calls).toBe(2);
});
