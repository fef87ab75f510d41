/** Messages of a host that are worth trying, by what one would say of them. */
export const messageTemplates: readonly (readonly [name: string, message: object])[] = [
  ['a part of the input', notification('ui/notifications/tool-input-partial', { arguments: {} })],
  ['that the call was cancelled', notification('ui/notifications/tool-cancelled', { reason: 'The user cancelled' })],
  ['another result', notification('ui/notifications/tool-result', { content: [{ type: 'text', text: '' }] })],
  ['another place', notification('ui/notifications/host-context-changed', { theme: 'dark' })],
  ['that the tools have changed', notification('notifications/tools/list_changed', {})],
  ['a request to end', request('ui/resource-teardown', { reason: '' })],
  ['a request for its tools', request('tools/list', {})],
  ['a call of one of its tools', request('tools/call', { name: '', arguments: {} })],
];

function notification(method: string, params: object): object {
  return { jsonrpc: '2.0', method, params };
}

function request(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 'by-hand', method, params };
}
