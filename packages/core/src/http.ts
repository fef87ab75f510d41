export type { Auth } from './server/exchange.ts';
export { type MemoryStoreOptions, memoryStore } from './stores/memory.ts';
export type { Fields, Life, LogBounds, MemberChanges, Store, StoredEntry } from './stores/store.ts';
export { type ApiKeyOptions, apiKey } from './transports/http/api-key.ts';
export { type Authenticator, type HttpHandler, type HttpOptions, httpHandler } from './transports/http/handler.ts';
export { type HttpService, type ServeHttpOptions, serveHttp } from './transports/http/serve.ts';
