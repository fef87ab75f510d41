// A whole MCP server. Run it with: node examples/greet/server.js
import { createServer, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';

// biome-ignore format: as short as in the README
const greet = tool('greet', {
  description: 'Greet someone by name',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }, // or any Standard Schema
}, ({ name }) => `Hello, ${name}!`); // name is a string

serveStdio(createServer({ name: 'greeting', version: '1.0.0', tools: [greet] }));
