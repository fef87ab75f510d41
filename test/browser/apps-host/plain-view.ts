import { documentWith } from './stage.ts';

const begin = `
  const said = [];
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const tell = (data) => send({ method: 'notifications/message', params: { level: 'info', data } });
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    said.push(data);
    if (data.method && data.id !== undefined) send({ id: data.id, result: {} });
    if (data.id === 'begin') { send({ method: 'ui/notifications/initialized', params: {} }); begun(); }
  });
  send({ id: 'begin', method: 'ui/initialize', params: { protocolVersion: 'x', appInfo: { name: 'plain', version: '1' }, appCapabilities: {} } });
`;

/** A view without a library: initializes, then runs a script in which `send` and `tell` talk to the host. */
export function plainView(script = '', body = ''): string {
  return documentWith(`function begun() {\n${script}\n}\n${begin}`, body);
}
