/** What the smoke session sends: a handshake, the list of tools and two calls. */
export const messages = [
  request(1, 'initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1.0.0' },
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  request(2, 'tools/list', {}),
  request(3, 'tools/call', { name: 'conjugate', arguments: { verb: 'eat', tense: 'past_simple', person: '3sg' } }),
  request(4, 'tools/call', { name: 'lookup_spanish', arguments: { form: 'ate' } }),
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
