// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createServer } from 'node:http';
import { makeAnswer } from './answer.mjs';

const answer = makeAnswer(2);

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const body = answer(message);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(message.method === 'initialize' && { 'Mcp-Session-Id': 'bare' }),
    });
    response.end(body);
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
