import { describe, expect, it } from 'vitest';
import type { CallEnd, CallStart } from '../../shared/calls.ts';
import { type Call, AppState } from '../model/app-state.ts';
import { createRecordedServer } from './view-server.ts';

function recording() {
  const appState = new AppState();
  let n = 0;
  const take = (event: object) => void appState.apply({ n: ++n, at: n, ...event } as never);
  const made = (start: Partial<CallStart> & { params: string }, end?: Partial<CallEnd>) => {
    const call = `c${n}`;
    take({ type: 'call', call, connection: 'a', method: 'tools/call', by: 'view', ...start });
    if (end !== undefined) take({ type: 'call-end', call, outcome: 'ok', ms: 1, bytes: 1, tokens: 1, ...end });
    return appState.calls.get(call) as Call;
  };
  return { appState, made };
}

const params = JSON.stringify({ name: 'roll', arguments: { sides: 6 }, _meta: { progressToken: 7 } });
const asked = { arguments: { sides: 6 }, name: 'roll', _meta: { progressToken: 1 } };

describe('the server of a view in a recording', () => {
  it('repeats the recorded answers in order, and then the last one', async () => {
    const { appState, made } = recording();
    made({ params }, { result: { is: 'before' } });
    const shown = made({ params: '{}', by: 'page' });
    made({ params }, { result: { is: 1 } });
    made({ params }, { result: { is: 2 } });
    const server = createRecordedServer(appState, shown);
    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push(await server.request('tools/call', asked));
    expect(answers).toEqual([{ is: 1 }, { is: 2 }, { is: 2 }]);
  });

  it('reads everything that was read in the recording, also earlier', async () => {
    const { appState, made } = recording();
    const uri = { uri: 'ui://panel' };
    const read = { method: 'resources/read', params: JSON.stringify(uri) } as const;
    made({ ...read, by: 'inspector' }, { result: { contents: [] } });
    const server = createRecordedServer(appState, made({ params: '{}', by: 'page' }));
    expect(await server.request('resources/read', uri)).toEqual({ contents: [] });
  });

  it('repeats a recorded error', async () => {
    const { appState, made } = recording();
    const shown = made({ params: '{}', by: 'page' });
    made({ params }, { outcome: 'error', error: { message: 'Out of dice', code: -32602, data: { left: 0 } } });
    await expect(createRecordedServer(appState, shown).request('tools/call', asked)).rejects.toMatchObject({
      message: 'Out of dice',
      code: -32602,
      data: { left: 0 },
    });
  });

  it('rejects a request without a recorded answer', async () => {
    const { appState, made } = recording();
    const shown = made({ params, by: 'page' }, { result: {} });
    made({ params, connection: 'b' }, { result: {} });
    made({ params });
    made({ params: '{"name":"long"}' }, { truncated: true });
    const rejected: string[] = [];
    const server = createRecordedServer(appState, shown, (method) => void rejected.push(method));
    await expect(server.request('tools/call', asked)).rejects.toThrow('it has no answer to this tools/call');
    await expect(server.request('tools/call', { name: 'other' })).rejects.toMatchObject({ code: -32000 });
    await expect(server.request('tools/call', { name: 'long' })).rejects.toThrow('too long for the recording');
    expect(rejected).toEqual(['tools/call', 'tools/call']);
  });
});
