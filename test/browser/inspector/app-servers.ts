import { createServer, type Server, tool } from '@ccmcp/core';
import { apps, appView } from '@ccmcp/core/apps';

/** A view without a library: shows the messages it gets, and sends those of its buttons. */
const page = `<!doctype html><html lang="en"><head><title>Panel</title></head><body>
<p id="told"></p><p id="context"></p><p id="answer"></p>
<button id="stray">Stray</button><button id="ask">Ask</button><button id="link">Link</button>
<button id="large">Large</button><button id="make">Make</button>
<script>
let last = 0;
const waiting = new Map();
const context = {};
const by = (id) => document.getElementById(id);
const ask = (method, params) => new Promise((resolve) => {
  last += 1;
  waiting.set(last, resolve);
  parent.postMessage({ jsonrpc: '2.0', id: last, method, params }, '*');
});
const tell = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
const place = (given) => {
  Object.assign(context, given);
  const { theme, locale, displayMode, containerDimensions: { width, maxHeight } = {} } = context;
  by('context').textContent = [theme, locale, displayMode, width, maxHeight].join(' ');
};
addEventListener('message', ({ data }) => {
  if (data.method === 'ui/notifications/tool-input') by('told').textContent = JSON.stringify(data.params.arguments);
  if (data.method === 'ui/notifications/tool-result') by('told').textContent += ' ' + data.params.content[0].text;
  if (data.method === 'ui/notifications/host-context-changed') place(data.params);
  if (data.method === 'ping') parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*');
  waiting.get(data.id)?.(data.result ?? data.error);
});
by('stray').onclick = () => fetch(['https:', '', 'stray.invalid', 'x'].join('/')).catch(() => {});
by('ask').onclick = async () => {
  const { content } = await ask('tools/call', { name: 'inside', arguments: {} });
  by('answer').textContent = content[0].text;
};
by('link').onclick = async () => {
  by('answer').textContent = JSON.stringify(await ask('ui/open-link', { url: 'https://example.invalid/page' }));
};
by('large').onclick = () => ask('ui/request-display-mode', { mode: 'fullscreen' });
by('make').onclick = () => {
  try {
    by('answer').textContent = new Function('return "made"')();
  } catch {
    by('answer').textContent = 'not made';
  }
};
ask('ui/initialize', {
  protocolVersion: '2026-01-26', appInfo: { name: 'panel', version: '1.0.0' },
  appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
}).then(({ hostContext }) => {
  place(hostContext);
  tell('ui/notifications/initialized', {});
  tell('ui/notifications/size-changed', { height: 180 });
});
</script></body></html>`;

/** A server with a tool whose view sends requests, and a tool for views only. */
export function panelServer(): Server {
  let count = 0;
  let wake: (text: string) => void = () => {};
  const view = appView('ui://panel/page', { html: page });
  return createServer({
    name: 'panel',
    version: '1.0.0',
    extensions: [apps()],
    tools: [
      tool(
        'panel',
        {
          description: 'Shows a panel.',
          input: { type: 'object', properties: { title: { type: 'string' } } } as const,
          ui: view,
        },
        () => {
          count += 1;
          return `shown ${count}`;
        },
      ),
      tool(
        'late',
        { description: 'Ends when the panel calls.', ui: view },
        () =>
          new Promise<string>((resolve) => {
            wake = resolve;
          }),
      ),
      tool('inside', { description: 'For the panel.', visibility: ['app'] }, () => {
        wake('at last');
        return 'from inside';
      }),
    ],
  });
}

/** A view that shows the messages it gets, with a button for each request that a host supports. */
const asking = `<!doctype html><html lang="en"><head><title>Asking</title></head><body>
<p id="heard"></p><p id="answer"></p>
<button id="model">Model</button><button id="log">Log</button><button id="who">Who</button>
<script>
let last = 0;
const waiting = new Map();
const by = (id) => document.getElementById(id);
const show = (value) => { by('answer').textContent = typeof value === 'string' ? value : JSON.stringify(value); };
const ask = (method, params) => new Promise((resolve) => {
  last += 1;
  waiting.set(last, resolve);
  parent.postMessage({ jsonrpc: '2.0', id: last, method, params }, '*');
});
const tell = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
addEventListener('message', ({ data }) => {
  if (data.method === 'ui/resource-teardown') ask('tools/call', { name: 'farewell', arguments: {} }).then(() =>
    parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*'));
  if (data.method === 'tools/list') parent.postMessage({ jsonrpc: '2.0', id: data.id, result: { tools: [] } }, '*');
  if (data.method === 'ping') parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*');
  if (data.method && data.method !== 'ping') by('heard').textContent += data.method.split('/').pop() + ' ' + (data.params.reason ?? '') + '; ';
  waiting.get(data.id)?.(data.result ?? data.error);
});
by('model').onclick = async () => show(await ask('sampling/createMessage', {
  messages: [{ role: 'user', content: { type: 'text', text: 'A word for rain?' } }], maxTokens: 10 }));
by('log').onclick = () => tell('notifications/message', { level: 'warning', logger: 'asking', data: 'It rains' });
by('who').onclick = () => show('I am ' + self.origin);
ask('ui/initialize', {
  protocolVersion: '2026-01-26', appInfo: { name: 'asking', version: '1.0.0' }, appCapabilities: { tools: {} },
}).then(({ hostCapabilities }) => {
  show(Object.keys(hostCapabilities).join(' '));
  tell('ui/notifications/initialized', {});
});
</script></body></html>`;

/** A server whose view requests everything. */
export function askingServer(): Server {
  const view = appView('ui://asking/page', {
    html: asking,
    permissions: { geolocation: {}, clipboardWrite: {} },
    csp: { connectDomains: ['https://weather.invalid'] },
  });
  return createServer({
    name: 'asking',
    version: '1.0.0',
    extensions: [apps()],
    tools: [
      tool('asking', { description: 'Asks for much.', ui: view }, () => 'asked'),
      tool('farewell', { description: 'For the view that ends.', visibility: ['app'] }, () => 'well'),
    ],
  });
}
