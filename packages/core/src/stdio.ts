/// <reference types="node" preserve="true" />

export type { StdioConnection } from './transports/stdio/server/connection.ts';
export { serveStdio, type StdioOptions, type StdioTaker, takeStdio } from './transports/stdio/server/serve.ts';
