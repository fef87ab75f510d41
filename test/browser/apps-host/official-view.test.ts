import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { bundled, documentWith, type ShownOnStage, Stage } from './stage.ts';

let official = '';

beforeAll(async () => {
  if (hasChromium)
    official = documentWith(await bundled('./official-view.js'), '<p id="p" style="height:120px">Hello</p>');
});

const tool = (name: string, visibility?: string[]) => ({
  name,
  inputSchema: { type: 'object' },
  ...(visibility && { _meta: { ui: { visibility } } }),
});

const server = {
  'tools/list': () => ({ tools: [tool('show'), tool('more', ['app']), tool('secret', ['model'])] }),
  'tools/call': ({ name, arguments: args }: Record<string, unknown>) => ({
    content: [{ type: 'text', text: `${String(name)} ${JSON.stringify(args)}` }],
  }),
  'resources/list': () => ({ resources: [{ uri: 'data://a', name: 'a' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'data://{x}', name: 'x' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
};

interface Opened {
  stage: Stage;
  view: ShownOnStage;
  frame: Frame;
  /** Makes the view send a request; returns the result, or the error's code and message. */
  ask(expression: string): Promise<unknown>;
  heard(): Promise<{ kind: string; params?: unknown }[]>;
}

async function open(options: Record<string, unknown> = {}): Promise<Opened> {
  const stage = await Stage.open({ views: { official }, server: { ...server } });
  const view = await stage.show('official', options);
  await view.ready();
  const frame = await view.frame();
  return {
    stage,
    view,
    frame,
    ask: (expression) =>
      frame.evaluate(`(async () => ${expression})().catch((error) => ({ code: error.code, message: error.message }))`),
    heard: () => frame.evaluate('heard'),
  };
}

describe.skipIf(!hasChromium)('a view by the official package', () => {
  it('begins with the common version, and gets its host context (AH-16)', async () => {
    const tools = tool('show');
    const { view, frame } = await open({
      tool: tools,
      callId: 7,
      context: { theme: 'dark', locale: 'de-DE', timeZone: 'Europe/Berlin' },
    });

    expect(await view.run('[view.state, view.appInfo.name, view.protocolVersion]')).toEqual([
      'ready',
      'official',
      '2026-01-26',
    ]);
    expect(await frame.evaluate('app.getHostVersion()')).toEqual({ name: 'stage', version: '1.0.0' });
    expect(await frame.evaluate('app.getHostContext()')).toEqual({
      displayMode: 'inline',
      theme: 'dark',
      locale: 'de-DE',
      timeZone: 'Europe/Berlin',
      toolInfo: { id: 7, tool: tools },
    });
  });

  it('is offered what the host has functions for, and nothing else', async () => {
    const { ask } = await open();
    const bare = await ask('app.getHostCapabilities()');
    expect(Object.keys(bare as object).sort()).toEqual(['logging', 'sandbox', 'serverResources', 'serverTools']);
    expect(await ask("raw('ui/open-link', { url: 'https://a.example' })")).toMatchObject({
      code: -32601,
    });

    const answers = { openLink: true, download: true, message: true, modelContext: true, sample: true };
    const full = await (await open({ answers, tellsListChanges: true })).ask('app.getHostCapabilities()');
    expect(full).toMatchObject({
      openLinks: {},
      downloadFile: {},
      serverTools: { listChanged: true },
      message: { text: {} },
      updateModelContext: { structuredContent: {} },
      sampling: {},
    });
  });

  it('gets parts of the input, the input once and the result (AH-08)', async () => {
    const { view, heard } = await open();
    await view.run("view.toolInputPartial({ city: 'B' })");
    await view.run("view.toolInput({ city: 'Bern' })");
    await view.run("view.toolResult({ content: [{ type: 'text', text: 'mild' }], structuredContent: { degrees: 9 } })");

    await expect.poll(heard).toEqual([
      { kind: 'toolinputpartial', params: { arguments: { city: 'B' } } },
      { kind: 'toolinput', params: { arguments: { city: 'Bern' } } },
      { kind: 'toolresult', params: { content: [{ type: 'text', text: 'mild' }], structuredContent: { degrees: 9 } } },
    ]);
  });

  it('is notified of a cancelled call, and of messages sent before it listened (AH-08)', async () => {
    const stage = await Stage.open({ views: { official } });
    const view = await stage.show('official');
    await view.run('[view.toolInput({ a: 1 }), view.toolCancelled("user action"), view.state]');
    await view.ready();
    const frame = await view.frame();
    await expect
      .poll(() => frame.evaluate('heard'))
      .toEqual([
        { kind: 'toolinput', params: { arguments: { a: 1 } } },
        { kind: 'toolcancelled', params: { reason: 'user action' } },
      ]);
    const sent = (await stage.noted('host')).map(({ id, method }) => method ?? id);
    expect(sent).toEqual([0, 'ui/notifications/tool-input', 'ui/notifications/tool-cancelled']);
  });

  it('calls tools of its server that are for views, and no others (AH-09)', async () => {
    const { stage, ask } = await open();
    expect(await ask("app.callServerTool({ name: 'more', arguments: { page: 2 } })")).toMatchObject({
      content: [{ text: 'more {"page":2}' }],
    });
    expect(await ask("app.callServerTool({ name: 'secret' })")).toMatchObject({ code: -32000 });
    expect(stage.asked.filter(({ method }) => method === 'tools/call')).toEqual([
      { method: 'tools/call', params: { name: 'more', arguments: { page: 2 } } },
    ]);
    const listed = await ask("raw('tools/list')");
    expect((listed as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(['show', 'more']);
  });

  it('reads resources and lists of its server', async () => {
    const { ask } = await open();
    expect(await ask("app.readServerResource({ uri: 'ui://test/official' })")).toMatchObject({
      contents: [{ uri: 'ui://test/official' }],
    });
    expect(await ask('app.listServerResources()')).toMatchObject({ resources: [{ uri: 'data://a' }] });
    const other = (method: string) => ask(`raw('${method}')`);
    expect(await other('resources/templates/list')).toMatchObject({ resourceTemplates: [{ name: 'x' }] });
    expect(await other('prompts/list')).toMatchObject({ prompts: [{ name: 'p' }] });
    expect(await ask("app.readServerResource({ uri: 'ui://test/none' })")).toMatchObject({ code: -32603 });
  });

  it('opens web links only, if the person allows it (AH-14)', async () => {
    const { stage, ask } = await open({ answers: { openLink: true } });
    expect(await ask("app.openLink({ url: 'https://a.example/x' })")).toEqual({});
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x']) {
      expect(await ask(`app.openLink({ url: '${url}' })`)).toMatchObject({ code: -32000 });
    }
    expect(await ask("app.openLink({ url: 'no address' })")).toMatchObject({ code: -32602 });
    expect(await stage.noted('openLink')).toEqual(['https://a.example/x']);

    const declined = await open({ answers: { openLink: false } });
    expect(await declined.ask("app.openLink({ url: 'https://a.example/x' })")).toEqual({ isError: true });
  });

  it('downloads files under safe names, if the person allows it (AH-14)', async () => {
    const { stage, ask } = await open({ answers: { download: true } });
    const file = "{ type: 'resource', resource: { uri: 'file:///a/..%2Fb.csv', mimeType: 'text/csv', text: 'a,b' } }";
    expect(await ask(`app.downloadFile({ contents: [${file}] })`)).toEqual({});
    expect(await stage.noted('download')).toMatchObject([[{ name: 'b.csv', content: { resource: { text: 'a,b' } } }]]);
    expect(await ask('app.downloadFile({ contents: [] })')).toMatchObject({ code: -32602 });
  });

  it('posts to the conversation, as a list of blocks or as one (AH-14)', async () => {
    const { stage, ask } = await open({ answers: { message: true } });
    expect(await ask("app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'one' }] })")).toEqual({});
    const single = "{ role: 'user', content: { type: 'text', text: 'two' } }";
    expect(await ask(`raw('ui/message', ${single})`)).toEqual({});
    expect(await stage.noted('message')).toEqual([[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]]);
  });

  it('updates the context of the model; the last update counts (AH-14)', async () => {
    const { view, ask } = await open({ answers: { modelContext: true } });
    for (const text of ['first', 'second']) {
      expect(
        await ask(
          `app.updateModelContext({ content: [{ type: 'text', text: '${text}' }], structuredContent: { a: 1 } })`,
        ),
      ).toEqual({});
    }
    expect(await view.run('view.modelContext')).toEqual({
      content: [{ type: 'text', text: 'second' }],
      structuredContent: { a: 1 },
    });
  });

  it('gets the requested display mode if host and view support it, else the current one (AH-11)', async () => {
    const context = { availableDisplayModes: ['inline', 'fullscreen', 'pip'] };
    const { view, ask, heard } = await open({ context, answers: { displayMode: true } });
    expect(await ask("app.requestDisplayMode({ mode: 'fullscreen' })")).toEqual({ mode: 'fullscreen' });
    await expect.poll(heard).toEqual([{ kind: 'hostcontextchanged', params: { displayMode: 'fullscreen' } }]);
    // The view does not list this mode itself.
    expect(await ask("app.requestDisplayMode({ mode: 'pip' })")).toEqual({ mode: 'fullscreen' });
    await expect(view.run("view.setDisplayMode('pip')")).rejects.toThrow('inline, fullscreen only');
    await view.run("view.setDisplayMode('inline')");
    await expect.poll(() => frameMode(ask)).toBe('inline');

    const without = await open({ context });
    expect(await without.ask("app.requestDisplayMode({ mode: 'fullscreen' })")).toEqual({ mode: 'inline' });
  });

  it('is as high as it reports, and grows with its content (AH-10)', async () => {
    const { stage, frame } = await open();
    const height = () => stage.page.evaluate("document.querySelector('iframe').getBoundingClientRect().height");
    await expect.poll(height).toBe(152);
    await frame.evaluate("document.getElementById('p').style.height = '300px'");
    await expect.poll(height).toBe(332);
  });

  it('is as large as the host says if that is fixed (AH-10)', async () => {
    const { stage, view } = await open({ context: { containerDimensions: { height: 333 } } });
    const height = () => stage.page.evaluate("document.querySelector('iframe').getBoundingClientRect().height");
    await expect.poll(height).toBe(333);
    await view.run('view.changeContext({ containerDimensions: { height: 444 } })');
    await expect.poll(height).toBe(444);
  });

  it('is notified of another theme, and of changed lists', async () => {
    const { view, ask, heard } = await open({ context: { theme: 'light' } });
    await view.run("view.changeContext({ theme: 'dark', styles: { variables: { '--color-text-primary': '#eee' } } })");
    for (const list of ['tools', 'resources', 'prompts']) await view.run(`view.listChanged('${list}')`);
    await expect.poll(heard).toEqual([
      {
        kind: 'hostcontextchanged',
        params: { theme: 'dark', styles: { variables: { '--color-text-primary': '#eee' } } },
      },
      { kind: 'tools changed' },
      { kind: 'resources changed' },
      { kind: 'prompts changed' },
    ]);
    expect(await ask('app.getHostContext()')).toMatchObject({ theme: 'dark', displayMode: 'inline' });
  });

  it('writes to the log, and answers a ping as the host does', async () => {
    const { stage, view, ask } = await open();
    await ask("app.sendLog({ level: 'warning', data: { a: 1 }, logger: 'x' })");
    await stage.until('log', { level: 'warning', data: { a: 1 }, logger: 'x' });
    expect(await view.run('view.ping()')).toBeUndefined();
    expect(await ask("raw('ping')")).toEqual({});
  });

  it('offers its own tools', async () => {
    const { stage, view, ask } = await open();
    expect(await view.run('view.listTools()')).toMatchObject([{ name: 'shade' }]);
    expect(await view.run("view.callTool('shade')")).toMatchObject({ content: [{ text: 'dark' }] });
    await ask('app.sendToolListChanged()');
    await expect.poll(() => stage.noted('toolsChanged')).toHaveLength(1);
  });

  it('samples with the model of the host, if the host allows it', async () => {
    const question = "{ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 5 }";
    const { ask } = await open({ answers: { sample: true } });
    expect(await ask(`app.createSamplingMessage(${question})`)).toMatchObject({ content: { text: 'to 1' } });
  });

  it('gets a teardown request before it is removed (AH-12)', async () => {
    const { stage, view } = await open();
    await view.run("view.close('done')");
    expect(await view.state()).toBe('closed');
    const asked = (await stage.noted('host')).find(({ method }) => method === 'ui/resource-teardown');
    expect(asked).toMatchObject({ params: { reason: 'done' } });
    expect(await stage.noted('view')).toContainEqual({ jsonrpc: '2.0', id: asked?.id, result: {} });
    expect(await stage.page.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
  });

  it('ends on its own request, or when the host decides so (AH-12)', async () => {
    const { stage, view, ask } = await open();
    void ask('app.requestTeardown()').catch(() => {});
    await view.run('view.closed');
    expect((await stage.noted('host')).map(({ method }) => method)).toContain('ui/resource-teardown');

    const other = await open({ answers: { closing: true } });
    await other.ask('app.requestTeardown()');
    await expect.poll(() => other.stage.noted('closing')).toHaveLength(1);
    expect(await other.view.state()).toBe('ready');
  });

  it('gets its state again when it reloads itself', async () => {
    const { view, frame } = await open();
    await view.run('[view.toolInput({ a: 1 }), view.toolResult({ content: [] })]');
    await frame.evaluate('location.reload()').catch(() => {});
    await expect
      .poll(() => frame.evaluate('globalThis.heard?.map(({ kind }) => kind)').catch(() => undefined))
      .toEqual(['toolinput', 'toolresult']);
    expect(await view.state()).toBe('ready');
  });
});

async function frameMode(ask: Opened['ask']): Promise<unknown> {
  return ((await ask('app.getHostContext()')) as { displayMode: unknown }).displayMode;
}
