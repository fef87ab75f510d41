import { expect, it, vi } from 'vitest';
import { compileSchema } from './compile.ts';
import { loadedValidator } from './validator.ts';

// The validator is loaded once per process, so this needs a separate file.

it('the validator is loaded behind a hundred values that the fast path accepted, not behind fewer', async () => {
  const schema = compileSchema({ type: 'object', properties: { name: { type: 'string' } } }, { side: 'input' });
  expect(schema.isFast).toBe(true);
  for (let each = 1; each < 100; each++) expect(schema.check({ name: 'n' })).toMatchObject({ ok: true });
  await new Promise((resolve) => void setImmediate(resolve));
  expect(schema.prepare({ name: 'n' })).toBeUndefined();
  expect(loadedValidator).toBeUndefined();
  expect(schema.check({ name: 'n' })).toEqual({ ok: true, value: { name: 'n' } });
  await vi.waitFor(() => expect(loadedValidator).toBeDefined(), { timeout: 10_000 });
  expect(schema.check({ name: 'n' })).toEqual({ ok: true, value: { name: 'n' } });
});

it('a schema with a keyword that only the validator knows is not fast', () => {
  const input = { type: 'object', properties: { email: { type: 'string', format: 'email' } } } as const;
  expect(compileSchema(input, { side: 'input' }).isFast).toBe(false);
});
