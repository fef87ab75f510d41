import { describe, expect, it } from 'vitest';
import { checkExtensionId } from './capabilities.ts';

describe('the id of an extension', () => {
  it.each([
    'com.example/tickets',
    'io.modelcontextprotocol/tasks',
    'x/y',
    'Com.Example-1/a.b_c-d',
    'a1.b2/9',
    'localhost/x9',
  ])('may be %s (X-01)', (id) => {
    expect(() => checkExtensionId(id)).not.toThrow();
  });

  it.each([
    'tickets',
    '/tickets',
    'com.example/',
    'com.example',
    '',
    '1com/tickets',
    'com..example/tickets',
    '.com/tickets',
    'com./tickets',
    'com-/tickets',
    '-com/tickets',
    'com.1a/tickets',
    'com.example/tickets/more',
    'com.example/-tickets',
    'com.example/tickets-',
    'com.example/tick ets',
    'com.example /tickets',
    'com_example/tickets',
    'com.example/tickets\n',
    7,
    undefined,
  ])('may not be %j: the prefix is required, and both parts have a syntax (X-01)', (id) => {
    expect(() => checkExtensionId(id)).toThrow(/^.* is no id of an extension: write .* "com\.example\/tickets"$/);
  });

  it('is not shown at length where it is rejected', () => {
    expect(() => checkExtensionId('x'.repeat(1000))).toThrow(/^"x{100}" is no id/);
  });
});
