import { describe, expect, it } from 'vitest';
import { connect } from '../../../client/connect.ts';
import { createServer } from '../../../create-server.ts';
import { tool } from '../../../server/define/define.ts';
import { memoryTransport } from '../../../transports/memory.ts';
import { appsClient } from '../client.ts';
import { appView } from '../server/app-view.ts';
import { apps } from '../server/apps.ts';
import { readAppPage } from './read-page.ts';

const uri = 'ui://weather/view.html';
const good = { uri, mimeType: 'text/html;profile=mcp-app', text: '<!doctype html>' };

function serving(...contents: unknown[]) {
  return { request: () => Promise.resolve({ contents }) };
}

describe('the document of a view', () => {
  it('is read with its metadata, of which only valid origins count (AH-01, AH-04)', async () => {
    const csp = { connectDomains: ['https://a.example', 'https://b.example; script-src *'] };
    const ui = { csp, permissions: { camera: {}, unknown: {}, microphone: true }, prefersBorder: true, domain: 'x' };
    expect(await readAppPage(serving({ ...good, _meta: { ui } }), uri)).toEqual({
      uri,
      html: '<!doctype html>',
      csp: { connectDomains: ['https://a.example'], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
      rejected: ['connectDomains: "https://b.example; script-src *"'],
      permissions: ['camera'],
      prefersBorder: true,
      domain: 'x',
    });
  });

  it('falls back to the metadata of its list entry (AP-13)', async () => {
    const listed = { csp: { connectDomains: ['https://listed.example'] }, prefersBorder: true };
    const asked: object[] = [];
    const server = (ui?: object) => ({
      request: (method: string, params: object = {}) => {
        asked.push({ method, ...params });
        if (method === 'resources/read')
          return Promise.resolve({ contents: [{ ...good, ...(ui && { _meta: { ui } }) }] });
        if (!('cursor' in params)) return Promise.resolve({ resources: [7, { uri: 'ui://other' }], nextCursor: 'b' });
        return Promise.resolve({ resources: [{ uri, _meta: { ui: listed } }] });
      },
    });
    const said = await readAppPage(server({ csp: { connectDomains: ['https://said.example'] } }), uri);
    expect(said.csp.connectDomains).toEqual(['https://said.example']);
    expect(said.prefersBorder).toBeUndefined();
    expect(asked).toEqual([{ method: 'resources/read', uri }]);
    const page = await readAppPage(server(), uri);
    expect(page.csp.connectDomains).toEqual(['https://listed.example']);
    expect(page.prefersBorder).toBe(true);
  });

  it('is read even if it is not listed, or the list fails', async () => {
    const server = {
      request: (method: string) =>
        method === 'resources/read' ? Promise.resolve({ contents: [good] }) : Promise.reject(new Error('away')),
    };
    expect((await readAppPage(server, uri)).csp.connectDomains).toEqual([]);
  });

  it('is read from a server of ours by its client (AH-01)', async () => {
    const ui = appView(uri, {
      html: '<!doctype html><title>x</title>',
      csp: { connectDomains: ['https://a.example'] },
    });
    const server = createServer({
      name: 'x',
      version: '1',
      extensions: [apps()],
      tools: [tool('show', { ui }, () => 'x')],
    });
    const client = await connect(memoryTransport(server), { extensions: [appsClient] });
    const page = await readAppPage(client, uri);
    expect(page).toMatchObject({
      html: '<!doctype html><title>x</title>',
      csp: { connectDomains: ['https://a.example'] },
      rejected: [],
    });
    await client.close();
  });

  it('may come as bytes, and beside others (AH-01)', async () => {
    const blob = Buffer.from('<!doctype html>ä').toString('base64');
    const { html } = await readAppPage(
      serving({ uri: 'ui://other', text: '' }, { ...good, text: undefined, blob }),
      uri,
    );
    expect(html).toBe('<!doctype html>ä');
  });

  it.each(['text/html; profile=mcp-app', 'Text/HTML;profile="mcp-app"'])(
    'may have a doctype in upper case: %s',
    async (mimeType) => {
      await expect(readAppPage(serving({ ...good, mimeType }), uri)).resolves.toMatchObject({ uri });
    },
  );

  it.each([
    [
      'another type',
      { ...good, mimeType: 'text/html' },
      'its mimeType must be "text/html;profile=mcp-app", and is "text/html"',
    ],
    ['no type', { ...good, mimeType: undefined }, 'and is missing'],
    ['another profile', { ...good, mimeType: 'text/html;profile=mcp-app2' }, 'mimeType'],
    ['a type with a space in it', { ...good, mimeType: 'text/ht ml;profile=mcp-app' }, 'mimeType'],
    ['half a quotation', { ...good, mimeType: 'text/html;profile="mcp-app' }, 'mimeType'],
    ['another address', { ...good, uri: `${uri}/` }, 'the server gave another one: "ui://weather/view.html/"'],
    ['no contents', undefined, 'the server gave no document for it'],
    ['neither text nor blob', { ...good, text: 7 }, 'neither text nor a blob'],
    ['bytes that are no text', { ...good, text: undefined, blob: '/w==' }, 'neither text nor a blob of UTF-8'],
    ['too much', { ...good, text: 'x'.repeat(16 * 1024 * 1024 + 1) }, 'longer than'],
  ])('is rejected with the reason for %s (AH-01)', async (_, contents, reason) => {
    await expect(readAppPage(serving(contents), uri)).rejects.toThrow(reason);
  });

  it('is rejected if its URI is no ui:// URI, or reading fails (AH-01)', async () => {
    await expect(readAppPage(serving(good), 'https://a.example')).rejects.toThrow('must begin with ui://');
    const failing = { request: () => Promise.reject(new Error('404')) };
    await expect(readAppPage(failing, uri)).rejects.toMatchObject({
      problem: 'page',
      message: expect.stringContaining('resources/read failed: 404'),
    });
  });
});
