export type { StdioConnection } from './transports/stdio/server/connection.ts';
export { serveStdio, type StdioOptions } from './transports/stdio/server/serve.ts';
