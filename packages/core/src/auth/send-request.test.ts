import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import { addressKind } from './address-kind.ts';
import { type RemoteRequest, sendByFetch, sendChecked } from './send-request.ts';

const signal = new AbortController().signal;
const request: RemoteRequest = { method: 'GET', headers: {}, signal };

function rejectPrivate(address: string): void {
  if (addressKind(address) !== 'public') throw new Error(`${address} is not public`);
}

describe('a checked request', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://10.0.0.1/',
    'http://localhost:1/',
    'http://0x7f000001:1/',
  ])('to %s is not sent if the check rejects its address, whether that is looked up or not', async (url) => {
    await expect(sendChecked(rejectPrivate)(new URL(url), request)).rejects.toThrow('is not public');
  });

  it('has any method, and a body of bytes', async () => {
    const server = createServer((incoming, response) => void incoming.pipe(response));
    const url = new URL(await listening(server));
    const bytes = new Uint8Array([0, 255, 10]);
    for (const send of [sendChecked(() => {}), sendByFetch(fetch)]) {
      const { status, body } = await send(url, { ...request, method: 'PUT', body: bytes });
      const chunks = [];
      for await (const chunk of body) chunks.push(chunk);
      expect({ status, body: Buffer.concat(chunks) }).toEqual({ status: 200, body: Buffer.from(bytes) });
    }
  });
});
