import { createHash } from 'node:crypto';

/** What the session sends, and what each frame is for. */
export const sent = [
  [
    'begins the handshake',
    request(1, 'initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'smoke', version: '1.0.0' },
    }),
  ],
  ['ends the handshake: a notification, which has no answer', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ['asks for the tools', request(2, 'tools/list', {})],
  [
    'conjugates a verb',
    request(3, 'tools/call', { name: 'conjugate', arguments: { verb: 'eat', tense: 'past_simple', person: '3sg' } }),
  ],
  ['looks up its Spanish', request(4, 'tools/call', { name: 'lookup_spanish', arguments: { form: 'ate' } })],
];

/** What each answer is, in their order. */
const answered = [
  'the version, what the server offers, and who it is',
  'four tools, each with its schemas',
  'the form of the verb',
  'its Spanish forms; their accents take two bytes each',
];

/**
 * @param {number} id
 * @param {string} method
 * @param {object} params
 */
function request(id, method, params) {
  return { jsonrpc: '2.0', id, method, params };
}

/**
 * Puts a message in a frame; its length is counted in bytes.
 *
 * @param {unknown} message
 */
export function frame(message) {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/**
 * Takes a stream of frames apart; throws where it is not one.
 *
 * @param {Buffer} bytes
 */
export function readFrames(bytes) {
  const bodies = [];
  for (let rest = bytes; rest.length > 0; ) {
    const header = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString('latin1', 0, 64));
    if (header === null) throw new Error(`Not a frame: ${rest.toString('utf8', 0, 64)}`);
    const start = header[0].length;
    const end = start + Number(header[1]);
    if (rest.length < end) throw new Error('The last frame is cut off');
    bodies.push(rest.toString('utf8', start, end));
    rest = rest.subarray(end);
  }
  return bodies;
}

/**
 * Tells what is in input.bin and output.bin: as a transcript with a comment for each frame, as results, and as the hash
 * of the transcript. The results count what comes after the request and the answer that open the session.
 *
 * @param {Buffer} input
 * @param {Buffer} output
 */
export function describe(input, output) {
  const [into, out] = [readFrames(input), readFrames(output)];
  const transcript = [
    ...into.map((body, at) => told('client', sent[at]?.[0], body)),
    ...out.map((body, at) => told('server', answered[at], body)),
  ].join('\n');
  const results = {
    frames_in: into.length - 1,
    frames_out: out.length - 1,
    all_success: out.map((body) => JSON.parse(body)).every(isSuccess),
  };
  return { transcript, results, sha256: createHash('sha256').update(transcript).digest('hex') };
}

/**
 * @param {string} who
 * @param {unknown} why
 * @param {string} body
 */
function told(who, why, body) {
  return `# noqa: ${who}: ${String(why)}\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}\n`;
}

/** @param {{ result?: { isError?: boolean } }} answer */
function isSuccess({ result }) {
  return result !== undefined && result.isError !== true;
}
