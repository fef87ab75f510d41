import { expect, it } from 'vitest';
import { connect, memoryTransport } from '../../client.ts';
import { createServer, tool } from '../../index.ts';

const form = { type: 'object', properties: { n: { type: 'number', default: 1 } } } as const;
const server = createServer({
  name: 'n',
  version: '1',
  tools: [
    tool('ask', {}, async (_, context) => JSON.stringify(await context.elicit({ message: 'n?', schema: form }))),
    tool('can', {}, (_, { can }) => String(can('sample'))),
  ],
});

it.each(['handshake', 'stateless'] as const)(
  'one handler answers every question as it came, in the %s era',
  async (era) => {
    const asked: unknown[] = [];
    const client = await connect(memoryTransport(server), {
      era,
      capabilities: { elicitation: { form: {} } },
      answer(method, params) {
        asked.push([method, params?.message]);
        return { action: 'accept', content: {} };
      },
    });
    // Without the defaults of the form, which the handler of forms would fill in.
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: '{"action":"accept","content":{}}' }] });
    expect(asked).toEqual([['elicitation/create', 'n?']]);
    await client.close();
  },
);

it('a raw request returns the questions, and declares the given capabilities', async () => {
  const client = await connect(memoryTransport(server), { era: 'stateless' });
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const asked = await client.request('tools/call', { name: 'ask' }, { raw: true, capabilities });
  expect(asked).toMatchObject({
    resultType: 'input_required',
    inputRequests: { 'input-1': { method: 'elicitation/create' } },
  });
  expect(await client.callTool('can')).toMatchObject({ content: [{ text: 'false' }] });
  expect(await client.callTool('can', {}, { capabilities })).toMatchObject({ content: [{ text: 'true' }] });
  await client.close();
});
