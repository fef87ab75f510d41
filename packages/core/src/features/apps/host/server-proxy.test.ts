import { describe, expect, it } from 'vitest';
import { isForModel, ServerProxy } from './server-proxy.ts';

const { signal } = new AbortController();
const row = (name: string, visibility?: string[]) => ({
  name,
  inputSchema: {},
  ...(visibility && { _meta: { ui: { visibility } } }),
});

function server(tools = [row('both'), row('views', ['app']), row('models', ['model']), row('nobody', [])]) {
  const asked: string[] = [];
  const request = async (method: string, params: Record<string, unknown> = {}): Promise<object> => {
    asked.push(method);
    if (method !== 'tools/list') return { method, params };
    const at = Number(params.cursor ?? 0);
    return { tools: tools.slice(at, at + 1), ...(at + 1 < tools.length && { nextCursor: String(at + 1) }) };
  };
  return { asked, requests: new ServerProxy({ server: { request } }) };
}

describe('a request of a view to its server', () => {
  it('calls tools for views, on any page of the list, and no others (AH-09)', async () => {
    const { requests } = server();
    for (const name of ['both', 'views', 'unlisted']) {
      expect(await requests.callTool({ name, arguments: { a: 1 }, _meta: { b: 2 } }, signal)).toEqual({
        method: 'tools/call',
        params: { name, arguments: { a: 1 } },
      });
    }
    for (const name of ['models', 'nobody']) {
      await expect(requests.callTool({ name }, signal)).rejects.toMatchObject({ code: -32000 });
    }
  });

  it('reads the list of tools once, until it changes (AH-09)', async () => {
    const { requests, asked } = server([row('both')]);
    const lists = () => asked.filter((method) => method === 'tools/list').length;
    await requests.callTool({ name: 'both' }, signal);
    await requests.callTool({ name: 'both' }, signal);
    expect(lists()).toBe(1);
    requests.invalidateTools();
    await requests.callTool({ name: 'both' }, signal);
    expect(lists()).toBe(2);
  });

  it('calls no tool if the list can not be read (AH-09)', async () => {
    const asked: string[] = [];
    const request = (method: string) => Promise.reject(new Error(`away ${asked.push(method)}`));
    const requests = new ServerProxy({ server: { request } });
    await expect(requests.callTool({ name: 'both' }, signal)).rejects.toThrow('away');
    expect(asked).toEqual(['tools/list']);
  });

  it('is forwarded without the other members of the message', async () => {
    const { requests } = server();
    const more = { _meta: { progressToken: 1 }, other: 1 };
    expect(await requests.readResource({ uri: 'a://b', ...more }, signal)).toEqual({
      method: 'resources/read',
      params: { uri: 'a://b' },
    });
    expect(await requests.list('prompts/list', { cursor: 'c', ...more }, signal)).toEqual({
      method: 'prompts/list',
      params: { cursor: 'c' },
    });
    await expect(requests.callTool({ name: 'both', arguments: [] }, signal)).rejects.toMatchObject({ code: -32602 });
    await expect(async () => requests.readResource({}, signal)).rejects.toMatchObject({ code: -32602 });
  });
});

it('a tool for views only is hidden from models (AH-09)', () => {
  expect([row('a'), row('b', ['app']), row('c', ['model', 'app']), row('d', [])].map(isForModel)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
