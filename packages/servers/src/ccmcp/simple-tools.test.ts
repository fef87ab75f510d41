import { describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

describe('hello', () => {
  it('greets by name', async () => {
    expect(await callTool(await connect(), 'hello', { name: 'World' })).toBe('Hello, World!');
  });

  it('takes a name as it is', async () => {
    const client = await connect();
    expect(await callTool(client, 'hello', { name: '' })).toBe('Hello, !');
    expect(await callTool(client, 'hello', { name: '{name} $& \u{1F600}\n' })).toBe('Hello, {name} $& \u{1F600}\n!');
  });

  it('says which argument is missing or wrong (S-T-10)', async () => {
    const client = await connect();
    expect(await callTool(client, 'hello')).toMatch(/^failed: .*"hello".*name/);
    expect(await callTool(client, 'hello', { name: 7 })).toMatch(/^failed: .*name.*string.*number/);
    expect(await callTool(client, 'hello', { name: null })).toMatch(/^failed: .*name.*string/);
  });
});

describe('add', () => {
  it.each([
    [2, 3, '5'],
    [10, 32, '42'],
    [-1, 1, '0'],
    [-0, -0, '0'],
    [1.5, 0.25, '1.75'],
    [0.1, 0.2, '0.30000000000000004'],
    [1e21, 1e21, '2e+21'],
  ])('adds %d and %d', async (a, b, sum) => {
    expect(await callTool(await connect(), 'add', { a, b })).toBe(sum);
  });

  it('says that a sum is too large instead of calling it infinite', async () => {
    expect(await callTool(await connect(), 'add', { a: 1e308, b: 1e308 })).toBe(
      'failed: The sum is too large to be a number: use smaller ones',
    );
  });

  it('takes numbers only, and names every problem', async () => {
    const client = await connect();
    expect(await callTool(client, 'add', { a: '1', b: '2' })).toMatch(/^failed: [^]*a: [^]*number[^]*b: [^]*number/);
    expect(await callTool(client, 'add', { a: 1 })).toMatch(/^failed: .*b/);
  });
});

describe('echo', () => {
  it.each(['', 'hi', ' \t\r\n\u2028 ', '\u0000\u{1F9EA}', 'x'.repeat(100_000)])(
    'returns %j unchanged',
    async (message) => {
      expect(await callTool(await connect(), 'echo', { message })).toBe(message);
    },
  );
});
