import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, httpTransport, memoryTransport, spawn, sseTransport, tapTransport } from '../client.ts';
import { createServer } from '../index.ts';

/** What JavaScript passes where TypeScript would object. */
const untyped = (value: unknown): never => value as never;

const server = createServer({ name: 'a', version: '1' });
const useHttp = 'needs a transport: for a URL, use httpTransport(url)';
const useSpawn = 'needs a transport: for a program, use spawn(command, args)';
const useMemory = 'needs a transport: for a server in this process, use memoryTransport(server)';
const useAny = 'needs a transport: use httpTransport(url), spawn(command, args) or memoryTransport(server)';

describe('a value that is no transport is rejected, with the function that creates one', () => {
  it.each([
    ['a URL as text', 'http://127.0.0.1:1/mcp', useHttp],
    ['a URL', new URL('https://a.example/mcp'), useHttp],
    ['a command', 'node', useSpawn],
    ['a server', server, useMemory],
    ['nothing', undefined, useAny],
    ['null', null, useAny],
    ['an entry of a configuration', { command: 'node', args: ['server.js'] }, useAny],
  ])('%s', async (_, value, hint) => {
    await expect(connect(untyped(value))).rejects.toThrow(new TypeError(`connect ${hint}`));
    expect(() => tapTransport(untyped(value), () => {})).toThrow(new TypeError(`tapTransport ${hint}`));
  });
});

describe('a transport rejects wrong arguments', () => {
  it.each([undefined, null, 'http://127.0.0.1:1/mcp', {}])('memoryTransport(%j)', (value) => {
    expect(() => memoryTransport(untyped(value))).toThrow(
      new TypeError('memoryTransport needs a server, as createServer returns it'),
    );
  });

  it.each([undefined, '', 'localhost:3000/mcp', '/mcp', 'file:///mcp', {}])('httpTransport(%j)', (value) => {
    const needs = 'needs an http or https URL, such as http://localhost:3000/mcp';
    expect(() => httpTransport(untyped(value))).toThrow(new TypeError(`httpTransport ${needs}`));
    expect(() => sseTransport(untyped(value))).toThrow(new TypeError(`sseTransport ${needs}`));
  });

  it.each([[[{ command: 'node' }]], [['node', 'server.js']], [['node', { cwd: '/' }]]])('spawn(...%j)', (args) => {
    expect(() => spawn(...(args as unknown as [string]))).toThrow(
      new TypeError("spawn needs a command and an array of arguments: spawn('node', ['server.js'], options)"),
    );
  });
});

it('a client rejects an object in place of a name or an address', async () => {
  const client = await connect(memoryTransport(server));
  onTestFinished(() => client.close());
  const given = untyped({ name: 'add', uri: 'a:b', arguments: {} });
  for (const [calling, usage] of [
    [client.callTool(given), 'callTool(name, args)'],
    [client.getPrompt(given), 'getPrompt(name, args)'],
    [client.readResource(given), 'readResource(uri)'],
    [client.subscribe(given), 'subscribe(uri)'],
    [client.unsubscribe(given), 'unsubscribe(uri)'],
  ] as const) {
    await expect(calling).rejects.toThrow(new TypeError(`The first argument must be a string: ${usage}`));
  }
});
