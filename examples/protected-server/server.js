import { createServer, tool } from '@ccmcp/core';
import { oauth, serveHttp } from '@ccmcp/core/http';

const port = Number(process.env.PORT ?? 3000);
const issuer = process.env.ISSUER ?? 'http://127.0.0.1:4000';

const notes = ['Buy milk'];

const server = createServer({
  name: 'protected-notes',
  version: '1.0.0',
  tools: [
    tool('list_notes', { description: 'List all notes' }, () => notes.join('\n')),
    tool(
      'add_note',
      {
        description: 'Add a note',
        input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        // A caller without this scope gets a challenge, and its client requests it.
        scopes: ['notes:write'],
      },
      ({ text }, { auth }) => `${String(auth?.subject)} now has ${notes.push(text)} notes`,
    ),
  ],
});

const service = await serveHttp(server, {
  port,
  // The URL that clients use: tokens are issued for it.
  resource: `http://127.0.0.1:${port}/mcp`,
  auth: oauth({ issuer, scopes: ['notes:read'] }),
});
process.stdout.write(`${service.url}\n`);
