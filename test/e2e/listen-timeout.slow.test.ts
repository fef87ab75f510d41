import { expect, it } from 'vitest';
import { run } from '../support/ccmcp.ts';

it('listen exits after --timeout, with 8 if fewer changes came than requested', async () => {
  expect((await run(['listen', 'greeting', '--timeout', '4'])).code).toBe(0);
  const { code, stderr } = await run(['listen', 'greeting', '--timeout', '4', '--count', '1']);
  expect([code, stderr]).toEqual([8, expect.stringContaining('0 of 1 changes came in 4 s')]);
});
