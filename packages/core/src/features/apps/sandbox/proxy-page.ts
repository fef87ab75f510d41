import { pageLimits as limits } from '../../../page-limits.ts';

/** The settings of the proxy. */
export interface ProxySettings {
  /** The origin of the page that shows the view. */
  readonly host: string;
  /** The path of the view's page, and its host name. */
  readonly path: string;
  readonly viewHost: string;
  readonly own: boolean;
  /** The `allow` attribute of the view's frame. */
  readonly allow: string;
}

/** A multiple of the host's rate limit: messages above it are dropped here. */
const burst = 5;

/** The page between host and view: it frames the view and forwards messages, each only from its expected sender. */
export function proxyPage(settings: ProxySettings, nonce: string): string {
  const known = {
    ...settings,
    longest: limits.appHost.message.value,
    most: limits.appHost.messagesPerSecond.value * burst,
    weight: limits.appHost.weight.value / burst,
    reports: limits.appHost.reports.value,
    loads: limits.appHost.loads.value,
  };
  const given = JSON.stringify(known).replaceAll('<', '\\u003c');
  return `<!doctype html><meta charset="utf-8"><title>View</title><body><script nonce="${nonce}">(${proxyProgram})(${given})</script>`;
}

const proxyProgram = `function (settings) {
  'use strict';
  if (window.top === window) {
    document.body.textContent = 'This page shows the view of an MCP server inside of another page. There is nothing to see here.';
    return;
  }
  const own = 'ui/notifications/sandbox-';
  const host = window.parent;
  const origin = location.protocol + '//' + settings.viewHost;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-forms' + (settings.own ? ' allow-same-origin' : ''));
  frame.allow = settings.allow;
  frame.title = 'View';
  frame.src = origin + settings.path;
  document.documentElement.style.height = document.body.style.height = '100%';
  document.body.style.margin = '0';
  document.body.style.overflow = 'hidden';
  Object.assign(frame.style, { border: '0', display: 'block', width: '100%', height: '100%' });

  const say = (method, params) => host.postMessage({ jsonrpc: '2.0', method: own + method, params: params || {} }, settings.host);
  let html;
  let reports = 0;
  let begins = 0;
  let passed = 0;
  let dropped = 0;
  let begun = performance.now();

  function report(what) {
    reports += 1;
    if (reports <= settings.reports) say('report', what);
  }

  function isTooMuch() {
    const now = performance.now();
    if (now - begun >= 1000) {
      if (dropped > 0) say('report', { kind: 'flood', dropped: dropped });
      begun = now;
      passed = dropped = 0;
    }
    passed += 1;
    if (passed > settings.most) dropped += 1;
    return passed > settings.most;
  }

  function begin() {
    begins += 1;
    if (begins === settings.loads + 1) report({ kind: 'refused', what: 'to reload the view: it did so ' + settings.loads + ' times' });
    if (html === undefined || begins > settings.loads) return;
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => report(event.data);
    frame.contentWindow.postMessage(html, settings.own ? origin : '*', [channel.port2]);
  }

  function fromHost(message) {
    const method = String(message && message.method);
    if (!method.startsWith(own)) return frame.contentWindow && frame.contentWindow.postMessage(message, settings.own ? origin : '*');
    if (method !== own + 'resource-ready' || html !== undefined) return;
    html = String(message.params && message.params.html);
    document.body.append(frame);
  }

  function fromView(message) {
    if (isTooMuch()) return;
    const method = String(message && message.method);
    if (method === own + 'view-ready') return begin();
    if (method.startsWith(own)) return report({ kind: 'refused', what: method.slice(0, 200) });
    let text;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      return report({ kind: 'refused', what: 'a message that is no JSON' });
    }
    if (text === undefined || text.length > settings.longest) return report({ kind: 'refused', what: 'a message that is too long, or is no JSON' });
    passed += Math.floor(text.length / settings.weight);
    host.postMessage(JSON.parse(text), settings.host);
  }

  addEventListener('message', (event) => {
    if (event.source === host && event.origin === settings.host) fromHost(event.data);
    else if (event.source === frame.contentWindow && event.origin === (settings.own ? origin : 'null')) fromView(event.data);
  });
  say('proxy-ready');
}`;

/**
 * The page that a view's document is written into. Its header has the view's policy, and it reports violations and
 * errors to the proxy, on a port that the view's scripts can't see.
 */
export function viewPage(proxyHost: string): string {
  return `<!doctype html><meta charset="utf-8"><script>(${viewProgram})(${JSON.stringify(proxyHost)})</script>`;
}

// A string, because a bundler would transform a function and add helpers that this page lacks.
const viewProgram = `function (proxyHost) {
  'use strict';
  const proxy = window.parent;
  const origin = location.protocol + '//' + proxyHost;
  if (proxy === window) return;

  function report(port) {
    const text = (value) => String(value === undefined || value === null ? '' : value).slice(0, 500);
    const send = (kind, what) => port.postMessage(Object.assign({ kind: kind }, what));
    addEventListener('securitypolicyviolation', (event) => send('policy', {
      directive: text(event.effectiveDirective),
      blocked: text(event.blockedURI),
      source: text(event.sourceFile),
      line: event.lineNumber,
    }));
    addEventListener('error', (event) => {
      const at = event.target;
      const failed = at && at !== window && (at.src || at.href);
      const message = failed ? 'Could not load ' + text(failed) : text(event.message);
      send('error', { message: message, source: text(event.filename), line: event.lineno || 0 });
    }, true);
    addEventListener('unhandledrejection', (event) => {
      send('error', { message: 'Unhandled rejection: ' + text(event.reason), source: '', line: 0 });
    });
  }

  addEventListener('message', function begin(event) {
    if (event.source !== proxy || event.origin !== origin || event.ports.length === 0) return;
    const html = String(event.data);
    document.open();
    report(event.ports[0]);
    document.write(html);
    document.close();
  });
  proxy.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-view-ready', params: {} }, origin);
}`;
