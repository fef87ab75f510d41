import { deflateSync } from 'node:zlib';
import type { Answer } from './raw-server.ts';

/** A short sound: a wave of 8000 samples per second. */
export const sound: Buffer = wave(4000);
/** A picture larger than any window. */
export const largePicture: Buffer = picture(2400, 1600);

const bytes = Buffer.from('bytes of a file');

const contents: Readonly<Record<string, readonly object[]>> = {
  sound: [{ type: 'audio', data: sound.toString('base64'), mimeType: 'audio/wav' }],
  picture: [{ type: 'image', data: largePicture.toString('base64'), mimeType: 'image/png' }],
  links: [
    { type: 'resource_link', uri: 'larder://jam', name: 'jam', description: 'Of plums', mimeType: 'text/plain' },
    { type: 'resource_link', uri: 'https://example.invalid/jam', name: 'jam elsewhere' },
  ],
  embedded: [
    { type: 'resource', resource: { uri: 'larder://note', mimeType: 'text/markdown', text: '# A note' } },
    {
      type: 'resource',
      resource: { uri: 'larder://file.bin', mimeType: 'application/zip', blob: bytes.toString('base64') },
    },
  ],
  strange: [{ type: 'smell', notes: ['cinnamon'] }, { text: 'without a type' }, 'no object'] as readonly object[],
  wrong: [{ type: 'image', data: '%%%', mimeType: 'image/png' }],
};

/** Responses of a server with every kind of content, and some invalid ones. */
export const contentAnswers: Readonly<Record<string, Answer>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'larder', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.keys(contents).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': ({ name }) => ({ content: contents[String(name)] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Sweet and dark.' }] }),
};

function wave(samples: number): Buffer {
  const head = Buffer.from('RIFF____WAVEfmt ____________________data____', 'latin1');
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

function picture(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const parts = [chunk('IHDR', size), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(named));
  return Buffer.concat([length, named, sum]);
}

function checksum(data: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
