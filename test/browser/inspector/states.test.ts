import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { inspector, type OfferedTarget } from '@ccmcp/inspector';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium, openWindow } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { sampleServer } from './sample-server.ts';
import { openInspector, overHttp } from './open-inspector.ts';
import { type Answer, rawServer } from './raw-server.ts';

const input = { type: 'object' };
const output = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };

async function openRawServer(answers: Readonly<Record<string, Answer>>) {
  const server = await rawServer('shop', answers);
  const inspector = await openInspector({ targets: [server.target] });
  const { page } = inspector;
  return {
    ...inspector,
    server,
    result: page.getByRole('region', { name: 'Result' }),
    call: async (name: string) => {
      await page.getByRole('option', { name: new RegExp(`^${name}\\b`) }).click();
      await page.getByRole('button', { name: '▶ Call' }).click();
    },
  };
}

function tools(...names: readonly string[]): Answer {
  return () => ({
    tools: names.map((name) => ({
      name,
      inputSchema: input,
      ...(name.startsWith('promised') && { outputSchema: output }),
    })),
  });
}

describe.skipIf(!hasChromium)('outcomes of calls in the inspector', () => {
  it('differ for a failed tool, a protocol error and an invalid result', async () => {
    const results: Readonly<Record<string, unknown>> = {
      promised_kept: { content: [], structuredContent: { price: 3 } },
      promised_broken: { content: [], structuredContent: { price: 'three' } },
      unpromised: { content: [], structuredContent: { price: 3 } },
      failing: { content: [{ type: 'text', text: 'Sold out' }], isError: true },
    };
    const { call, result, problems } = await openRawServer({
      'tools/list': tools(...Object.keys(results), 'refused'),
      'tools/call': ({ name }) => {
        if (name === 'refused') throw { code: -32602, message: 'No such shelf', data: { shelf: 9 } };
        return results[String(name)];
      },
    });
    await call('promised_kept');
    await result.getByText('✓ done').waitFor();
    await result.getByText('schema ✓').waitFor();

    await call('unpromised');
    await result.getByText('✓ done').waitFor();
    await result.getByText('price').waitFor();
    await expect.poll(() => result.getByText(/schema [✓✕]/).count()).toBe(0);

    await call('promised_broken');
    await result.getByText('✕ output does not match its schema').waitFor();
    await result.getByText('schema ✕ 1').waitFor();
    const wrong = result.getByRole('list', { name: 'Problems of the structured result' });
    await wrong.getByText('/price').waitFor();
    await result.getByText('three').waitFor();
    await expect.poll(() => result.getByRole('alert').count()).toBe(0);

    await call('failing');
    await result.getByText('▲ the tool failed').waitFor();
    await result.getByText('Sold out').waitFor();
    await expect.poll(() => result.getByRole('alert').count()).toBe(0);

    await call('refused');
    await result.getByText('✕ protocol error').waitFor();
    const alert = result.getByRole('alert');
    await alert.getByText('-32602').waitFor();
    await alert.getByText('No such shelf').waitFor();
    await alert.getByText('shelf').last().waitFor();
    expect(problems).toEqual([]);
  });

  it('include a large result on request, and the rest of its texts after that', async () => {
    const text = 'word '.repeat(100_000);
    const { call, result, problems } = await openRawServer({
      'tools/list': tools('long'),
      'tools/call': () => ({ content: [{ type: 'text', text }] }),
    });
    await call('long');
    await result.getByText('The result has 500.1 kB.').waitFor();
    await expect.poll(() => result.getByRole('tab').count()).toBe(0);
    await result.getByRole('button', { name: 'Show all' }).click();
    await result.getByRole('button', { name: '… 480000 more characters' }).click();
    await expect.poll(async () => (await result.locator('pre.text').innerText()).length).toBeGreaterThan(499_000);
    expect(problems).toEqual([]);
  });

  it('include a result that is too large to store, and how to get it', async () => {
    const { call, result, problems } = await openRawServer({
      'tools/list': tools('endless'),
      'tools/call': () => ({ content: [{ type: 'text', text: 'x'.repeat(17 * 1024 * 1024) }] }),
    });
    await call('endless');
    await result.getByText('The result has 17.8 MB.').waitFor();
    await result.getByRole('button', { name: 'Show all' }).click();
    await result.getByText(/too large to store.*ccmcp call prints all of it/).waitFor();
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('lists of the inspector', () => {
  it('are empty, rejected or unsupported, in different words', async () => {
    let isOpen = false;
    const { page, problems } = await openRawServer({
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: {}, prompts: {} },
        serverInfo: { name: 'shop', version: '1' },
      }),
      'tools/list': () => ({ tools: [] }),
      'prompts/list': () => {
        if (!isOpen) throw { code: -32603, message: 'Closed on Sundays' };
        return { prompts: [{ name: 'advise' }] };
      },
    });
    await page.getByText('The server has no tools.').waitFor();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Prompts/ })
      .click();
    const refused = page.getByRole('alert');
    await refused.getByText('✕ The server refused to list its prompts.').waitFor();
    await refused.getByText('Closed on Sundays').waitFor();
    await refused.getByText('-32603').waitFor();
    isOpen = true;
    await refused.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('option', { name: /^advise/ }).waitFor();
    // A list that is rejected later stays visible, with a note.
    isOpen = false;
    await page.getByRole('button', { name: 'Reload the list' }).click();
    await refused.getByText('Closed on Sundays').waitFor();
    await expect.poll(() => page.getByRole('option', { name: /^advise/ }).isVisible()).toBe(true);
    await page.evaluate('location.hash = "#/shop/resources"');
    await page.getByText('This server does not declare resources.').waitFor();
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('connections of the inspector', () => {
  it('show what they wait for and how long, and can be cancelled', async () => {
    let answer: (value: object) => void = () => {};
    const { page, problems } = await openRawServer({
      initialize: () =>
        new Promise<object>((resolve) => {
          answer = resolve;
        }),
    });
    onTestFinished(() => answer({}));
    await page.getByRole('navigation').getByRole('img', { name: 'connecting' }).waitFor();
    const status = page.getByRole('main').getByRole('status');
    await status.getByText('Negotiating a revision').waitFor();
    await status.getByText(/^\d[\d.]* m?s$/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('navigation').getByRole('img', { name: 'closed' }).waitFor();
    await expect.poll(() => status.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('report the end of a program with its last output, and restart it on request', async () => {
    const { page, problems } = await openInspector({ targets: [program()] });
    await page.getByRole('option', { name: /^die/ }).click();
    await page.getByRole('button', { name: '▶ Call' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('✕ the connection was lost').waitFor();
    const line = page.getByRole('main').getByRole('status', { name: 'Connection' });
    await line.getByText(/code 7/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: '▶ Call' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('option', { name: /^die/ }).isVisible()).toBe(true);
    await page.getByRole('navigation').getByRole('button', { name: 'Connection' }).click();
    await page.getByRole('alert').getByText('I am tired', { exact: true }).waitFor();
    await page.goBack();
    await line.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('navigation').getByRole('img', { name: 'connected' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: '▶ Call' }).isEnabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('are re-established when the server returns, with its lists and change notifications', async () => {
    const port = await freePort();
    const first = await serveHttp(sampleServer(), { port });
    const target: OfferedTarget = {
      label: 'kitchen',
      kind: 'url',
      origin: 'given',
      resolve: async () => ({ kind: 'url', url: first.url, label: 'kitchen' }),
    };
    const { page } = await openInspector({ targets: [target] });
    await page.getByRole('option', { name: /^menu/ }).click();
    await first.close({ graceMs: 0, lingerMs: 0 });
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('img', { name: 'lost' }).waitFor();
    const line = page.getByRole('main').getByRole('status', { name: 'Connection' });
    await line.getByText(/attempt \d of 5/).waitFor();
    await expect.poll(() => page.getByRole('option', { name: /^menu/ }).isVisible()).toBe(true);
    const other = sampleServer();
    const second = await serveHttp(other, { port });
    onTestFinished(() => second.close({ graceMs: 0, lingerMs: 0 }));
    await navigation.getByRole('img', { name: 'connected' }).waitFor();
    await expect.poll(() => line.count()).toBe(0);
    await page.getByRole('button', { name: '▶ Call' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Plum cake').waitFor();
    await expect
      .poll(async () => {
        other.tools.remove('dessert');
        other.tools.add(tool('dessert', {}, () => 'cake'));
        return page.getByRole('option', { name: /^dessert/ }).count();
      })
      .toBe(1);
  });
});

describe.skipIf(!hasChromium)('the event stream of the page', () => {
  it('resumes after a disconnect, without duplicates or gaps', async () => {
    const { handle, token, close } = inspector({ targets: [await overHttp('kitchen', sampleServer())] });
    const streams = new Set<ServerResponse>();
    let isTruncated = false;
    const site = createHttpServer((request, response) => {
      const isStream = request.url?.startsWith('/api/events') === true;
      if (isStream && isTruncated) return void response.destroy();
      if (isStream) streams.add(response);
      handle(request, response);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await close();
      site.closeAllConnections();
      site.close();
    });
    const window = await openWindow({ viewport: { width: 1440, height: 900 } });
    const page = await window.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/#token=${token}`);
    await page.getByRole('option', { name: /^menu/ }).click();
    const call = page.getByRole('button', { name: '▶ Call' });
    const rows = page.getByRole('treeitem', { name: /tools\/call menu/ });
    await call.click();
    await expect.poll(() => rows.count()).toBe(1);

    isTruncated = true;
    for (const stream of streams) stream.destroy();
    await page.getByText('The inspector does not respond.').waitFor();
    for (let times = 0; times < 3; times++) {
      const asked = page.waitForResponse(/api\/call$/);
      await call.click();
      await asked;
    }
    await expect.poll(() => rows.count()).toBe(1);
    isTruncated = false;
    await expect.poll(() => rows.count()).toBe(4);
    await expect.poll(() => page.getByText('The inspector does not respond.').count()).toBe(0);
    await page.getByRole('region', { name: 'Result' }).getByText('4 of 4').waitFor();
  });
});

/** A server program that exits when its tool is called. */
function program(): OfferedTarget {
  const script = `
    const answers = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'program', version: '1' } }),
      'tools/list': () => ({ tools: [{ name: 'die', inputSchema: { type: 'object' } }] }),
    };
    process.stdin.setEncoding('utf8').on('data', (text) => {
      for (const line of text.trim().split('\\n')) {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) continue;
        if (method === 'tools/call') { console.error('I am tired'); process.exit(7); }
        const answer = answers[method]?.(params);
        const rest = answer ? { result: answer } : { error: { code: -32601, message: 'Not found' } };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
      }
    });`;
  const target = { kind: 'command', command: process.execPath, args: ['-e', script], label: 'program' } as const;
  return { label: 'program', kind: 'command', origin: 'given', resolve: async () => target };
}
