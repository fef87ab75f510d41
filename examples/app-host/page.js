// @ts-nocheck It runs in a page, and this folder is checked for Node.
import { appHost } from './apps-host.js';

const status = document.querySelector('#status');

/** Asks the server of the view, by way of our own program. */
async function request(method, params) {
  const response = await fetch('/request', { method: 'POST', body: JSON.stringify({ method, params }) });
  const { result, error } = await response.json();
  if (error !== undefined) throw Object.assign(new Error(error.message), error);
  return result;
}

const { sandboxUrl, tool } = await (await fetch('/start')).json();
const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = () => (dark.matches ? 'dark' : 'light');

const view = appHost({
  container: document.querySelector('#view'),
  sandboxUrl,
  server: { request },
  tool,
  hostInfo: { name: 'example', version: '1.0.0' },
  context: { theme: theme(), locale: navigator.language, containerDimensions: { maxHeight: 900 }, platform: 'web' },
  openLink(url) {
    if (!confirm(`Open ${url.href}?`)) return false;
    window.open(url, '_blank', 'noopener');
    return true;
  },
  onProblem: ({ message }) => (status.textContent = message),
  onReport: (report) => console.warn(report),
});
dark.addEventListener('change', () => view.changeContext({ theme: theme() }));

const args = { datetime: '2026-07-29' };
view.toolInput(args);
view.toolResult(await request('tools/call', { name: tool.name, arguments: args }));
await view.ready;
status.textContent = `${view.appInfo.name} is shown`;
