import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createServer } from '../../../server/create-server.ts';
import { serveStdio, type StdioOptions, type StdioTaker, takeStdio } from './serve.ts';

const server = createServer({ name: 'test', version: '1.0.0' });

/** Takes over until the test is told to give back. */
function taker() {
  const got: { server: unknown; options: StdioOptions }[] = [];
  const connection = { closed: Promise.resolve(), close: () => Promise.resolve() };
  const take: StdioTaker = (each, options) => {
    got.push({ server: each, options });
    return connection;
  };
  return { got, connection, giveBack: takeStdio(take) };
}

it('what is served on the own stdin and stdout goes to who has taken it over, with its options', () => {
  const { got, connection, giveBack } = taker();
  try {
    expect(serveStdio(server, { maxMessage: 5000 })).toBe(connection);
    expect(got).toEqual([{ server, options: { maxMessage: 5000 } }]);
  } finally {
    giveBack();
  }
});

it('what is served on other streams stays where it is', async () => {
  const { got, giveBack } = taker();
  const [input, output] = [new PassThrough(), new PassThrough()];
  try {
    const { closed } = serveStdio(server, { input, output });
    input.end();
    await closed;
    expect(got).toEqual([]);
  } finally {
    giveBack();
  }
});

it('giving back lets an earlier taker have it again', () => {
  const outer = taker();
  const inner = taker();
  inner.giveBack();
  try {
    serveStdio(server);
    expect([outer.got.length, inner.got.length]).toEqual([1, 0]);
  } finally {
    outer.giveBack();
  }
});
