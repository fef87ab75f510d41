// Draws a number and waits for its turn. The extension hides that the server answers with a ticket first.
// Run it with: node examples/own-extension/client.js          (starts the server on stdio)
//          or: node examples/own-extension/client.js <url>
import { fileURLToPath } from 'node:url';
import { connect, httpTransport, spawn } from '@ccmcp/core/client';
import { tickets } from './tickets.js';

const [, , url] = process.argv;
const server = fileURLToPath(new URL('server.js', import.meta.url));
const transport = url === undefined ? spawn(process.execPath, [server]) : httpTransport(url);
const client = await connect(transport, {
  extensions: [tickets({ onCalled: (number) => console.log(`Number ${Number(number)} is called`) })],
});

if (!client.supports('com.example/tickets')) throw new Error('This server gives no tickets');
const { number, desk } = await client.request('tickets/draw');
console.log(`Number ${Number(number)} goes to desk ${Number(desk)}`);
await client.close();
