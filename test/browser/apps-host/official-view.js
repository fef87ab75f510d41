// @ts-nocheck A view by the official package. What it hears it writes down; tests make it ask.
import { App } from '@modelcontextprotocol/ext-apps/app-with-deps';

const heard = [];
const app = new App(
  { name: 'official', version: '2.0.4' },
  { tools: { listChanged: true }, availableDisplayModes: ['inline', 'fullscreen'] },
);

for (const kind of ['toolinput', 'toolinputpartial', 'toolresult', 'toolcancelled', 'hostcontextchanged']) {
  app.addEventListener(kind, (params) => heard.push({ kind, params }));
}
for (const list of ['tools', 'resources', 'prompts']) {
  app.setNotificationHandler(`notifications/${list}/list_changed`, () => heard.push({ kind: `${list} changed` }));
}
app.onteardown = async (params) => {
  heard.push({ kind: 'teardown', params });
  return {};
};
app.registerTool('shade', { description: 'Says which shade it has' }, async () => ({
  content: [{ type: 'text', text: 'dark' }],
}));

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const raw = (method, params = {}) => app.request({ method, params }, anything);

Object.assign(globalThis, { raw, app, heard, connected: app.connect() });
