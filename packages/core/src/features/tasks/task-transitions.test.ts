import { expect, test } from 'vitest';
import { ProtocolError } from '../../jsonrpc/errors.ts';
import { tool } from '../../server/define/define.ts';
import { Instance } from './fixtures/instance.ts';

const endless: Record<string, unknown> = {};
endless.itself = endless;

const results: Record<string, object> = {
  'a circle': { content: [], structuredContent: endless },
  'a number beyond JSON': { content: [], structuredContent: { count: 10n } },
  'a value that fails to serialize': {
    content: [],
    structuredContent: {
      toJSON() {
        throw new Error('no');
      },
    },
  },
};

test.each(Object.entries(results))(
  'TX-11: a task whose result is %s has failed, and its author hears why',
  async (_, result) => {
    const instance = new Instance({ tools: [tool('odd', { task: 'required' }, () => result as never)] });
    const id = await instance.begin('odd');
    const { error, statusMessage } = await instance.until(id, 'failed');
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(statusMessage).toBe('Internal error');
    expect(instance.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        data: 'What came of Tool "odd" can not be kept: it can not be written as JSON',
      }),
    );
  },
);

test('TX-11: an error is stored without data that JSON can not represent', async () => {
  const instance = new Instance({
    tools: [
      tool('odd', { task: 'required' }, () => {
        throw new ProtocolError(-32000, 'Too full', endless);
      }),
    ],
  });
  const { error } = await instance.until(await instance.begin('odd'), 'failed');
  expect(error).toEqual({ code: -32000, message: 'Too full' });
});
