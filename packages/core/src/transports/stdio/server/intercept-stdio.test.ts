import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createServer } from '../../../create-server.ts';
import { serveStdio, type StdioOptions, type StdioInterceptor, interceptStdio } from './serve.ts';

const server = createServer({ name: 'test', version: '1.0.0' });

/** Intercepts `serveStdio` until `restore` is called. */
function intercept() {
  const got: { server: unknown; options: StdioOptions }[] = [];
  const connection = { closed: Promise.resolve(), close: () => Promise.resolve() };
  const interceptor: StdioInterceptor = (each, options) => {
    got.push({ server: each, options });
    return connection;
  };
  return { got, connection, restore: interceptStdio(interceptor) };
}

it('calls the interceptor instead of serving stdin and stdout, with the options', () => {
  const { got, connection, restore } = intercept();
  try {
    expect(serveStdio(server, { maxMessage: 5000 })).toBe(connection);
    expect(got).toEqual([{ server, options: { maxMessage: 5000 } }]);
  } finally {
    restore();
  }
});

it('does not intercept other streams', async () => {
  const { got, restore } = intercept();
  const [input, output] = [new PassThrough(), new PassThrough()];
  try {
    const { closed } = serveStdio(server, { input, output });
    input.end();
    await closed;
    expect(got).toEqual([]);
  } finally {
    restore();
  }
});

it('restores the previous interceptor', () => {
  const outer = intercept();
  const inner = intercept();
  inner.restore();
  try {
    serveStdio(server);
    expect([outer.got.length, inner.got.length]).toEqual([1, 0]);
  } finally {
    outer.restore();
  }
});
