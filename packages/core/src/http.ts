/// <reference types="node" preserve="true" />

export type { Authenticator, AuthRefusal, CredentialsRequest } from './auth/server/authenticator.ts';
export type { Auth } from './server/exchange.ts';
export { type MemoryStoreOptions, memoryStore } from './stores/memory.ts';
export type {
  Counted,
  Fields,
  Life,
  LogBounds,
  MemberBounds,
  MemberChanges,
  Store,
  StoredEntry,
  StoreStatus,
} from './stores/store.ts';
export { type ApiKey, type ApiKeyOptions, apiKey } from './auth/server/api-key.ts';
export type { CallerOf, CallerRequest } from './transports/http/server/endpoint/callers.ts';
export { type HttpHandler, type HttpOptions, httpHandler } from './transports/http/server/handler.ts';
export { type HttpService, type ServeHttpOptions, serveHttp } from './transports/http/server/serve.ts';
