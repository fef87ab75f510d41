import { type Tool, tool } from '@ccmcp/core';
import { appView } from '@ccmcp/core/apps';

const html = `<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Everything</title>
<style>body { font: 1rem system-ui; padding: 1rem }</style>
<p id="value">…</p>
<button id="increase">Increase</button>
<script type="module">
  let calls = 2;
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const show = ({ value }) => { document.getElementById('value').textContent = 'Value: ' + value; };
  const waiting = new Map();
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    const { id, method, params, result } = data;
    if (method === 'ui/notifications/tool-result') show(params.structuredContent);
    else if (method !== undefined && id !== undefined) post({ id, result: {} });
    else if (id === 1) post({ method: 'ui/notifications/initialized' });
    else if (result?.structuredContent) show(result.structuredContent);
  });
  document.getElementById('increase').addEventListener('click', () => {
    post({ id: calls++, method: 'tools/call', params: { name: 'increase_view', arguments: {} } });
  });
  const params = { protocolVersion: '2026-01-26', appInfo: { name: 'everything', version: '1.0.0' }, appCapabilities: {} };
  post({ id: 1, method: 'ui/initialize', params });
</script>
`;

/** Tools with a view: one for the model, one for the view only. */
export function viewTools(): Tool[] {
  const ui = appView('ui://everything/view.html', { html, name: 'view', prefersBorder: true });
  let value = 0;
  return [
    tool('show_view', { description: 'Shows a value in a view, where the host has views', ui }, () => ({
      content: [{ type: 'text', text: `Value: ${value}` }],
      structuredContent: { value },
    })),

    tool('increase_view', { description: 'Increases the value: for the view only', ui, visibility: ['app'] }, () => ({
      value: (value += 1),
    })),
  ];
}
