/// <reference types="node" preserve="true" />

export { AuthError } from './auth/auth-error.ts';
export { type AddressKind, addressKind } from './auth/address-kind.ts';
export {
  type AddressCheck,
  type RemoteRequest,
  type RemoteResponse,
  sendByFetch,
  sendChecked,
  type SendRemoteRequest,
} from './auth/send-request.ts';
export type { PendingAuthorization } from './auth/client/authorization-code.ts';
export { type CompleteAuthorizationOptions, completeAuthorization } from './auth/client/complete-authorization.ts';
export { type ClientCredentialsOptions, clientCredentials } from './auth/client/client-credentials.ts';
export { loopbackAuthorize } from './auth/client/loopback.ts';
export { type OAuthOptions, oauth } from './auth/client/oauth.ts';
export { memoryTokenStore, type StoredGrant, type TokenKey, type TokenStore } from './auth/client/token-store.ts';
export { type EnterpriseOptions, enterpriseManaged, workloadIdentity } from './auth/client/workload-identity.ts';
export type {
  AnswerOptions,
  Asking,
  FormAnswer,
  FormQuestion,
  SampleAnswer,
  UrlAnswer,
  UrlQuestion,
} from './client/questions/answers.ts';
export type { Client, Completion, CompletionQuestion } from './client/client.ts';
export { protocolVersions } from './client/connect.ts';
export { type ConnectOptions, connect } from './connect.ts';
export { ConnectionError, HttpError, ResultError, TimeoutError } from './client/errors.ts';
export { type CheckedValue, checkValue } from './client/calls/output-check.ts';
export type {
  ClientExtension,
  ClientMiddleware,
  ClientNotification,
  FollowedRequest,
  KnownServer,
  ExtensionListenOptions,
  ResultType,
} from './client/extension.ts';
export type { AuthorizedRequest, HttpAuth, RejectedRequest } from './client/http-auth.ts';
export type { HttpTap, HttpWatch, TappedRequest, TappedResponse } from './client/http-tap.ts';
export type {
  ClientObserver,
  ConnectionEnd,
  ObservedQuestion,
  ObservedSending,
  Peer,
  QuestionWatch,
  SendingEnd,
  SendingOutcome,
  SendingWatch,
} from './client/observer.ts';
export type { Progress } from './client/connection/pending-requests.ts';
export type { LogMessage } from './client/connect-options.ts';
export type { Listing } from './client/calls/paged-list.ts';
export { type AbortSignalLike, LightAbortController } from './client/abort-signals.ts';
export type { RequestOptions } from './client/request-options.ts';
export {
  contentTokens,
  type ModelsTool,
  textTokens,
  tokenEstimate,
  toolTokens,
} from './client/calls/token-estimate.ts';
export type { Change, Filter, ListenOptions, Subscription } from './client/subscriptions/subscription.ts';
export type { Receiver, Transport } from './client/transport.ts';
export type { Message, Params } from './jsonrpc/message.ts';
export type { MethodFacts, MethodRows, MethodTable } from './protocol/methods.ts';
export { httpTransport } from './transports/http/client/transport.ts';
export type { HttpClientOptions } from './transports/http/client/wire/sender.ts';
export { memoryTransport, type Serving } from './transports/memory.ts';
export { type Sender, tapTransport } from './transports/tap-transport.ts';
export { sseTransport } from './transports/sse/client/transport.ts';
export { type SpawnOptions, spawn } from './transports/stdio/client/spawn.ts';
