// Run it with: node examples/app-view/server.js
import { serveStdio } from '@ccmcp/core/stdio';
import { server } from './dice.js';

serveStdio(server);
