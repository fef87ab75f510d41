// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer } from 'node:http';
import { makeAnswer } from '../bare/answer.mjs';

// The same as `../bare/http.mjs`, written for speed: no listener if the body is already there, headers as one flat
// array, head and body in one write.

const answer = makeAnswer(2);

function take(request, response) {
  const length = Number(request.headers['content-length']);
  if (request.readableLength === length) reply(response, request.read(length));
  else {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => reply(response, Buffer.concat(chunks)));
  }
}

function reply(response, bytes) {
  const message = JSON.parse(bytes.latin1Slice());
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const body = answer(message);
  const head = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
  if (message.method === 'initialize') head.push('Mcp-Session-Id', 'bare');
  response.writeHead(200, head);
  response.cork();
  response.write(body, 'latin1');
  response.uncork();
  response.end();
}

// A short body is available in the next turn of the event loop.
createServer((request, response) => void setImmediate(take, request, response)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
  () => console.log('ready'),
);
