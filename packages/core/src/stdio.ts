export { serveStdio, type StdioConnection, type StdioOptions } from './transports/stdio/server/serve.ts';
