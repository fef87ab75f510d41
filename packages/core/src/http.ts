/// <reference types="node" preserve="true" />

export type {
  PublicDocument,
  Authenticator,
  AuthRejection,
  CredentialsRequest,
  NeededScopes,
  ProtectedEndpoint,
} from './auth/server/authenticator.ts';
export { anyOf } from './auth/server/any-of.ts';
export { oauth } from './auth/server/oauth/oauth.ts';
export type {
  DpopOptions,
  IntrospectionOptions,
  IssuerRule,
  NamedCaller,
  OAuthCaller,
  OAuthClaims,
  OAuthOptions,
} from './auth/server/oauth/options.ts';
export { type Preset, presets } from './auth/server/oauth/presets.ts';
export type { Auth } from './server/peer.ts';
export { createStore } from './stores/derived/create-store.ts';
export { type StoreFault, StoreHeartbeat, type StoreHeartbeatOptions } from './stores/store-heartbeat.ts';
export type { RecordLabels, RecordLimits, StoreDriver, StoredValue, ValueOptions } from './stores/driver.ts';
export { type MemoryStoreOptions, memoryStore } from './stores/memory.ts';
export type {
  Counted,
  Fields,
  Life,
  LogBounds,
  MemberBounds,
  MemberChanges,
  QuotaRequest,
  Room,
  Store,
  StoredEntry,
  StoreStatus,
  TokenBucketResult,
  TokenBucket,
} from './stores/store.ts';
export { type ApiKey, type ApiKeyOptions, apiKey } from './auth/server/api-key.ts';
export type { CallerOf, CallerRequest } from './transports/http/server/endpoint/callers.ts';
export type { AdminOptions } from './transports/http/server/admin/admin.ts';
export type { HealthPaths, Readiness } from './transports/http/server/endpoint/health.ts';
export { type HttpHandler, type HttpOptions, httpHandler } from './transports/http/server/handler.ts';
export type { InspectorPlace, MakeInspector, MountedInspector } from './transports/http/server/inspector/mount.ts';
export { type HttpService, type ServeHttpOptions, serveHttp } from './transports/http/server/serve.ts';
export type { ServerCardOptions } from './features/server-card/server-card.ts';
export type { HttpPage, HttpPageRequest, HttpPageResponse } from './transports/http/server/steps/pages.ts';
