import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { plainView } from './plain-view.ts';
import { documentWith, type ShownOnStage, Stage } from './stage.ts';

async function showView(document: string, options: object = {}): Promise<{ stage: Stage; view: ShownOnStage }> {
  const stage = await Stage.open({ views: { view: document, other: plainView() } });
  return { stage, view: await stage.show('view', options as Record<string, unknown>) };
}

/** Checks that the host page still works, and shows another view. */
async function goesOn(stage: Stage): Promise<void> {
  const other = await stage.show('other');
  await other.ready();
  expect(await other.run('view.ping()')).toBeUndefined();
}

describe.skipIf(!hasChromium)('a view that', () => {
  it('freezes does not affect the page, is reported, and can be removed (AH-15)', async () => {
    const freezing = plainView(
      "addEventListener('message', ({ data }) => { if (data.method === 'ui/notifications/tool-input') for (;;); })",
    );
    const { stage, view } = await showView(freezing, { silenceMs: 200, teardownMs: 200 });
    await view.ready();
    await view.run('view.toolInput({})');
    await stage.until('problem', { problem: 'unresponsive' });
    await goesOn(stage);
    await view.run("view.close('enough')");
    expect(await view.state()).toBe('closed');
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(1);
  });

  it('freezes before it begins can be killed at once (AH-15)', async () => {
    const { stage, view } = await showView(documentWith('for (;;);'), { initializeMs: 300 });
    await stage.until('problem', { problem: 'initialize' });
    await view.run('view.kill()');
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
    await goesOn(stage);
  });

  it('floods is refused, then ended, while the page responds (AH-15)', async () => {
    const flooding = plainView(`
      const more = new MessageChannel();
      more.port1.onmessage = () => {
        for (let index = 0; index < 100; index++) send({ id: 'f' + Math.random(), method: 'ping' });
        more.port2.postMessage('');
      };
      more.port2.postMessage('');`);
    const { stage, view } = await showView(flooding, { messagesPerSecond: 20 });
    await view.ready();
    await stage.until('problem', { problem: 'message', message: 'The view sends too many messages' });
    await goesOn(stage);
    await stage.until('problem', { problem: 'flood' });
    expect(await view.state()).toBe('closed');
  });

  it('sends much in few messages is refused, then ended, while the page responds (AH-15)', async () => {
    const flooding = plainView(`
      const text = 'x'.repeat(3e6);
      const more = new MessageChannel();
      more.port1.onmessage = () => { tell(text); more.port2.postMessage(''); };
      more.port2.postMessage('');`);
    const { stage, view } = await showView(flooding, { messagesPerSecond: 20, quiet: ['log', 'view'] });
    await view.ready();
    await goesOn(stage);
    await stage.until('problem', { problem: 'flood' });
    expect(await view.state()).toBe('closed');
    await goesOn(stage);
  });

  it('reloads itself endlessly is emptied and reported after a hundred reloads (AH-15)', async () => {
    const { stage, view } = await showView(plainView('location.reload()'), { silenceMs: 200 });
    await stage.until('report', { kind: 'refused', what: expect.stringContaining('it did so 100 times') });
    await stage.until('problem', { problem: 'unresponsive' });
    expect(await view.run('view.context.displayMode')).toBe('inline');
    await goesOn(stage);
  });

  it('initializes repeatedly gets its call a hundred times at most (AH-15)', async () => {
    const again = plainView(`
      globalThis.times = (globalThis.times ?? 0) + 1;
      if (times < 150) send({ id: 'begin', method: 'ui/initialize', params: {} });
      else tell('done');`);
    const { stage, view } = await showView(again, { messagesPerSecond: 10_000 });
    await view.run('view.toolInput({})');
    await stage.until('log', { data: 'done' });
    const told = (await stage.noted('host')).filter(({ method }) => method === 'ui/notifications/tool-input');
    expect(told.length).toBeLessThanOrEqual(101);
    await stage.until('host', { id: 'begin', error: expect.objectContaining({ code: -32000 }) });
  });

  it('declares an invalid name or invalid tools has neither (AH-15)', async () => {
    const odd = documentWith(`
      addEventListener('message', ({ data }) => {
        if (data.id === 1 && data.method === undefined) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');
        if (data.method === 'tools/list') parent.postMessage({ jsonrpc: '2.0', id: data.id, result: { tools: [7, null, { name: {} }, { name: 'x' }, { name: 'good', inputSchema: { type: 'object' } }] } }, '*');
      });
      const params = { appInfo: { name: { toString: 1 }, version: [] }, appCapabilities: { tools: {}, availableDisplayModes: [{}, 7] } };
      parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params }, '*');`);
    const { view } = await showView(odd);
    await view.ready();
    expect(await view.run('view.appInfo === undefined')).toBe(true);
    expect(await view.run('view.listTools()')).toEqual([{ name: 'good', inputSchema: { type: 'object' } }]);
  });

  it('uses names that every object has is answered like any other (AH-15)', async () => {
    const odd = plainView(`
      for (const id of ['__proto__', 'constructor', 'toString']) send({ id, method: 'ping' });
      for (const method of ['__proto__', 'constructor', 'hasOwnProperty', 'ui/notifications/__proto__']) {
        send({ id: 'm' + method, method, params: JSON.parse('{"__proto__":{"polluted":true}}') });
        send({ method, params: {} });
      }
      for (const id of ['__proto__', 'never asked', 0]) send({ id, result: JSON.parse('{"__proto__":{"polluted":true}}') });
      send({ id: 'context', method: 'ui/update-model-context', params: JSON.parse('{"structuredContent":{"__proto__":{"polluted":true}}}') });
      send({ id: 'tool', method: 'tools/call', params: JSON.parse('{"name":"__proto__","arguments":{"__proto__":{"polluted":true}}}') });
      tell('sent');`);
    const stage = await Stage.open({
      views: { view: odd },
      server: { 'tools/list': () => ({ tools: [] }), 'tools/call': () => ({ content: [] }) },
    });
    const view = await stage.show('view', { answers: { modelContext: true } });
    await view.ready();
    await stage.until('log', { data: 'sent' });
    for (const id of ['__proto__', 'constructor', 'toString']) await stage.until('host', { id, result: {} });
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
      await stage.until('host', { id: `m${name}`, error: expect.objectContaining({ code: -32601 }) });
    }
    await stage.until('host', { id: 'context', result: {} });
    await stage.until('host', { id: 'tool', result: { content: [] } });
    expect(await stage.page.evaluate('({}).polluted')).toBeUndefined();
    expect(await view.state()).toBe('ready');
  });

  it('reuses a request id gets one response from the server and one rejection (AH-15)', async () => {
    const asking = plainView(`
      for (let time = 0; time < 2; time++) send({ id: 'same', method: 'tools/call', params: { name: 'slow' } });`);
    const stage = await Stage.open({
      views: { view: asking },
      server: { 'tools/list': () => ({ tools: [] }), 'tools/call': () => ({ content: [] }) },
    });
    await (await stage.show('view')).ready();
    await stage.until('host', { id: 'same', error: expect.objectContaining({ code: -32000 }) });
    await stage.until('host', { id: 'same', result: { content: [] } });
    expect(stage.asked.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  it('reloads itself during a call is served as if it had never called', async () => {
    const answers: ((result: object) => void)[] = [];
    const calling = plainView(`
      addEventListener('message', ({ data }) => { if (data.id === 'call') tell(data.result ?? data.error); });
      send({ id: 'call', method: 'tools/call', params: { name: 'slow' } });`);
    const stage = await Stage.open({
      views: { view: calling },
      server: {
        'tools/list': () => ({ tools: [] }),
        'tools/call': () => new Promise((resolve) => answers.push(resolve)),
      },
    });
    const view = await stage.show('view');
    await view.ready();
    await expect.poll(() => answers.length).toBe(1);
    await (await view.frame()).evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => answers.length).toBe(2);
    for (const [index, answer] of answers.entries()) answer({ index });
    await stage.until('log', { data: { index: 1 } });
    expect(await stage.noted('log')).toHaveLength(1);
  });

  it('takes the focus from a person who is typing does not get it, and is ended (AH-15)', async () => {
    const taking = plainView(`
      const field = document.body.appendChild(document.createElement('input'));
      field.addEventListener('keydown', () => tell('key'));
      setInterval(() => { window.focus(); field.focus(); }, 20);`);
    const { stage, view } = await showView(taking);
    await view.ready();
    await stage.page.evaluate("document.body.prepend(Object.assign(document.createElement('input'), { id: 'field' }))");
    await stage.page.click('#field');
    // Not awaited: a key event for a frame that was removed may never be processed.
    const text = 'correct horse battery staple '.repeat(10);
    stage.page.keyboard.type(text, { delay: 40 }).catch(() => {});
    await stage.until('problem', { problem: 'focus' });
    expect(await view.state()).toBe('closed');
    expect((await stage.noted('log')).length).toBeLessThan(text.length / 2);
    await expect.poll(() => stage.page.evaluate('document.activeElement.id')).toBe('field');
  });

  it('is clicked, or reached with the tab key, keeps the focus', async () => {
    const { stage, view } = await showView(plainView("document.body.innerHTML = '<input id=in autofocus>'"));
    await view.ready();
    await stage.page.evaluate("document.body.prepend(Object.assign(document.createElement('input'), { id: 'field' }))");
    await stage.page.click('#field');
    await stage.page.keyboard.type('ab');
    await stage.page.keyboard.press('Tab');
    const frame = await view.frame();
    await expect.poll(() => frame.evaluate('document.hasFocus() && document.activeElement.id')).toBe('in');
    expect(await stage.page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    await stage.page.keyboard.type('cd');
    await expect.poll(() => frame.locator('#in').inputValue()).toBe('cd');
    await stage.page.keyboard.press('Shift+Tab');
    await expect.poll(() => stage.page.evaluate('document.activeElement.id')).toBe('field');
    await frame.evaluate('document.getElementById("in").focus()');
    await expect.poll(() => stage.page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    expect(await view.state()).toBe('ready');
  });

  it('prompts people endlessly is refused after the first no (AH-14)', async () => {
    const asking = plainView(`
      for (let id = 0; id < 50; id++) send({ id, method: 'ui/open-link', params: { url: 'https://example.com/' + id } });
      tell('asked');`);
    const { stage } = await showView(asking, { answers: { openLink: false } });
    await stage.until('log', { data: 'asked' });
    await stage.until('host', { id: 49, error: expect.objectContaining({ code: -32000 }) });
    expect((await stage.noted('openLink')).length).toBeLessThanOrEqual(5);
    await stage.until('host', { id: 0, result: { isError: true } });
  });

  it('is closed during a call gets no response, and is not awaited (AH-12)', async () => {
    let answer: (result: object) => void = () => {};
    const stage = await Stage.open({
      views: { view: plainView("send({ id: 'call', method: 'tools/call', params: { name: 'slow' } })") },
      server: {
        'tools/list': () => ({ tools: [] }),
        'tools/call': () => new Promise((resolve) => (answer = resolve)),
      },
    });
    const view = await stage.show('view');
    await view.ready();
    await expect.poll(() => stage.asked.map(({ method }) => method)).toContain('tools/call');
    await view.run("view.close('enough')");
    answer({ content: [] });
    await expect(view.run('view.ping()')).rejects.toThrow('closed');
    expect(await stage.noted('host')).not.toContainEqual(expect.objectContaining({ id: 'call' }));
    expect(await stage.noted('problem')).toEqual([]);
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });

  it('requests another display mode repeatedly stays as its host shows it (AH-11)', async () => {
    const wanting = plainView(
      "for (let id = 0; id < 50; id++) send({ id, method: 'ui/request-display-mode', params: { mode: id % 2 ? 'pip' : 'fullscreen' } })",
    );
    const context = { availableDisplayModes: ['inline', 'fullscreen', 'pip'] };
    const { stage, view } = await showView(wanting, { context, answers: { displayMode: 'inline' } });
    await view.ready();
    for (let id = 0; id < 50; id++) await stage.until('host', { id, result: { mode: 'inline' } });
    expect(await view.run('view.context.displayMode')).toBe('inline');
  });

  it('sends a message that is too long, no JSON, or invalid, is refused (AH-15)', async () => {
    const sending = plainView(`
      send({ id: 1, method: 'ui/message', params: { role: 'user', content: [{ type: 'text', text: 'x'.repeat(17 * 1024 * 1024) }] } });
      const ring = { method: 'notifications/message' }; ring.ring = ring; send(ring);
      parent.postMessage(new Map([[1, 2]]), '*');
      parent.postMessage('text', '*');
      send({ id: 2, method: 'tools/destroy' });
      send({ id: 3, method: 'tools/call', params: { name: 7 } });
      send({ method: 'ui/notifications/size-changed', params: { height: '100%' } });
      tell('sent');`);
    const { stage, view } = await showView(sending, { answers: { message: true } });
    await view.ready();
    await stage.until('log', { data: 'sent' });
    expect(await stage.noted('message')).toEqual([]);
    await expect.poll(() => view.run("view.reports.filter(({ kind }) => kind === 'refused').length")).toBe(2);
    await stage.until('host', { id: 2, error: expect.objectContaining({ code: -32601 }) });
    await stage.until('host', { id: 3, error: expect.objectContaining({ code: -32602 }) });
    expect(await view.state()).toBe('ready');
  });

  it('sends a message before it begins is not served (AH-08)', async () => {
    const early = documentWith(`
      parent.postMessage({ jsonrpc: '2.0', id: 'early', method: 'tools/list', params: {} }, '*');
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');`);
    const { stage, view } = await showView(early);
    await stage.until('host', { id: 'early', error: expect.objectContaining({ code: -32000 }) });
    expect(await view.state()).toBe('starting');
    expect(stage.asked.map(({ method }) => method)).not.toContain('tools/list');
  });

  it('is always a little higher than its frame stops growing (AH-10)', async () => {
    const growing = plainView(
      `new ResizeObserver(() => send({ method: 'ui/notifications/size-changed', params: { height: document.documentElement.scrollHeight + 20 } })).observe(document.documentElement);`,
      '<div style="height:100vh"></div>',
    );
    const { stage, view } = await showView(growing);
    await view.ready();
    await stage.until('problem', { problem: 'size' });
    const heights = (await stage.noted('size')).map(({ height }) => Number(height));
    expect(Math.max(...heights)).toBeLessThan(5000);
  });

  it('reports errors endlessly is truncated (AH-15)', async () => {
    const failing = plainView(
      "for (let index = 0; index < 500; index++) setTimeout(() => { throw new Error('again') }); setTimeout(tell, 50, 'done')",
    );
    const { stage, view } = await showView(failing);
    await stage.until('log', { data: 'done' });
    await expect.poll(() => view.run('view.reports.length')).toBe(100);
  });

  it('leaves with its frame is ended', async () => {
    const { stage, view } = await showView(plainView());
    await view.ready();
    await (await view.proxy()).evaluate("setTimeout(() => { location = 'about:blank' })");
    await stage.until('problem', { problem: 'left' });
    expect(await view.state()).toBe('closed');
  });

  it.each([
    ['its script fails', documentWith("throw new Error('kaputt')"), 'a script failed: Uncaught Error: kaputt'],
    [
      'its script is kept from loading',
      '<!doctype html><script src="https://cdn.example/a.js"></script>',
      "resourceDomains: ['https://cdn.example']",
    ],
    [
      'it never says that it listens',
      documentWith("parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {} }, '*')"),
      'The view has not sent ui/notifications/initialized',
    ],
    ['it does nothing', '<!doctype html><p>Hello', 'No error was seen. Usual causes'],
  ])('never begins because %s is reported with the cause (AH-15)', async (_, document, cause) => {
    const { stage } = await showView(document, { initializeMs: 500 });
    await stage.until('problem', { problem: 'initialize', message: expect.stringContaining(cause) });
  });
});

describe.skipIf(!hasChromium)('a host', () => {
  it('reports why there is no view to show (AH-01)', async () => {
    const stage = await Stage.open({
      views: {},
      server: {
        'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/html', text: '<!doctype html>' }] }),
      },
    });
    const view = await stage.show('x');
    await stage.until('problem', {
      problem: 'page',
      message: expect.stringContaining('its mimeType must be "text/html;profile=mcp-app", and is "text/html"'),
    });
    await expect(view.ready()).rejects.toThrow('mimeType');
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });

  it('shows no unapproved view, and none that was killed while it was read', async () => {
    const { stage, view } = await showView(plainView(), { answers: { approve: false } });
    await stage.until('problem', { problem: 'declined' });
    await expect(view.ready()).rejects.toThrow('not approved');
    const killed = await stage.show('view');
    await killed.run('view.kill()');
    await expect(killed.ready()).rejects.toThrow('closed');
    await expect(killed.run('view.ping()')).rejects.toThrow('closed');
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });

  it('reports a missing sandbox, or one that is not for this page', async () => {
    const { stage } = await showView(plainView(), { sandboxUrl: 'http://*.localhost:9', initializeMs: 300 });
    await stage.until('problem', {
      problem: 'sandbox',
      message: expect.stringContaining('is it served at sandboxUrl'),
    });
  });

  it('refuses a sandbox of its own origin, and one origin for several views (AH-02)', async () => {
    const { stage } = await showView(plainView());
    await stage.show('view', { sandboxUrl: stage.origin });
    await stage.until('problem', { problem: 'sandbox', message: expect.stringContaining('another origin') });
    await stage.show('view', { sandboxUrl: stage.sandboxUrl.replace('*.', ''), origin: 'own' });
    await stage.until('problem', { problem: 'sandbox', message: expect.stringContaining('must have a *') });
    const opaque = await stage.show('view', { sandboxUrl: stage.sandboxUrl.replace('*.', '') });
    await opaque.ready();
  });
});
