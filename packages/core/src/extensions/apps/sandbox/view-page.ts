/**
 * The page that a view's document is written into. Its header has the view's policy, and it reports violations and
 * errors to the proxy, on a port that the view's scripts can't see.
 */
export function viewPage(proxyHost: string): string {
  return `<!doctype html><meta charset="utf-8"><script>(${program})(${JSON.stringify(proxyHost)})</script>`;
}

// A string, because a bundler would transform a function and add helpers that this page lacks.
const program = `function (proxyHost) {
  'use strict';
  const proxy = window.parent;
  const origin = location.protocol + '//' + proxyHost;
  if (proxy === window) return;

  function report(port) {
    const text = (value) => String(value === undefined || value === null ? '' : value).slice(0, 500);
    const tell = (kind, what) => port.postMessage(Object.assign({ kind: kind }, what));
    addEventListener('securitypolicyviolation', (event) => tell('policy', {
      directive: text(event.effectiveDirective),
      blocked: text(event.blockedURI),
      source: text(event.sourceFile),
      line: event.lineNumber,
    }));
    addEventListener('error', (event) => {
      const at = event.target;
      const failed = at && at !== window && (at.src || at.href);
      const message = failed ? 'Could not load ' + text(failed) : text(event.message);
      tell('error', { message: message, source: text(event.filename), line: event.lineno || 0 });
    }, true);
    addEventListener('unhandledrejection', (event) => {
      tell('error', { message: 'Unhandled rejection: ' + text(event.reason), source: '', line: 0 });
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
