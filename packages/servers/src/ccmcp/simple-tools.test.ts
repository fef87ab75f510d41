import { expectText, expectToolError, type TestClient, testClient } from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { ccmcpServer } from './server.ts';

function connect(): Promise<TestClient> {
  return testClient(ccmcpServer({ root: emptyFolder(), logLevel: 'emergency' }));
}

async function textOf(name: string, args?: Record<string, unknown>): Promise<string> {
  const client = await connect();
  return expectText(await client.callTool(name, args));
}

async function errorOf(name: string, args?: Record<string, unknown>): Promise<string> {
  const client = await connect();
  return expectToolError(await client.callTool(name, args));
}

describe('hello', () => {
  it('greets by name', async () => {
    expect(await textOf('hello', { name: 'World' })).toBe('Hello, World!');
  });

  it('inserts the name literally', async () => {
    expect(await textOf('hello', { name: '' })).toBe('Hello, !');
    expect(await textOf('hello', { name: '{name} $& \u{1F600}\n' })).toBe('Hello, {name} $& \u{1F600}\n!');
  });

  it('reports missing and invalid arguments (S-T-10)', async () => {
    expect(await errorOf('hello')).toMatch(/"hello".*name/);
    expect(await errorOf('hello', { name: 7 })).toMatch(/name.*string.*number/);
    expect(await errorOf('hello', { name: null })).toMatch(/name.*string/);
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
    expect(await textOf('add', { a, b })).toBe(sum);
  });

  it('reports a sum that is too large instead of returning Infinity', async () => {
    expect(await errorOf('add', { a: 1e308, b: 1e308 })).toBe('The sum is too large to be a number: use smaller ones');
  });

  it('accepts only numbers, and reports every problem', async () => {
    expect(await errorOf('add', { a: '1', b: '2' })).toMatch(/a: [^]*number[^]*b: [^]*number/);
    expect(await errorOf('add', { a: 1 })).toMatch(/b/);
  });
});

describe('echo', () => {
  it.each(['', 'hi', ' \t\r\n\u2028 ', '\u0000\u{1F9EA}', 'x'.repeat(100_000)])(
    'returns %j unchanged',
    async (message) => {
      expect(await textOf('echo', { message })).toBe(message);
    },
  );
});
