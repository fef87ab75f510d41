/// <reference types="node" preserve="true" />

export type { StdioConnection } from './transports/stdio/server/connection.ts';
export {
  serveStdio,
  type StdioOptions,
  type StdioInterceptor,
  interceptStdio,
} from './transports/stdio/server/serve.ts';
