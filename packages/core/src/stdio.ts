export { serveStdio, type StdioConnection, type StdioOptions } from './transports/stdio/serve.ts';
