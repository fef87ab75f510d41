/**
 * The page into which the document of a view is written. It has the policy of the view in its header, and tells the proxy what
 * the policy stopped and what went wrong: on a port that scripts of the view do not see.
 */
export function viewPage(proxyHost: string): string {
  return `<!doctype html><meta charset="utf-8"><script>(${program})(${JSON.stringify(proxyHost)})</script>`;
}

// As a text, because a bundler would change a function: what it adds around one is not there in this page.
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
