/// <reference types="node" preserve="true" />

export { authorizationServer } from './testing/authorization-server.ts';
export type { Answer, RecordedRequest } from './testing/authorization-server/http.ts';
export type { PublicJwk, TestAlgorithm } from './testing/authorization-server/jwt.ts';
export {
  type ProofFault,
  type ProofKey,
  type ProofWish,
  proofFaults,
  proofKey,
} from './testing/authorization-server/proof-key.ts';
export type {
  AuthEndpoint,
  AuthorizationServerOptions,
  AuthorizationServerSettings,
  IssuedToken,
  KnownClient,
  MetadataForm,
  Outage,
  ScopeClaim,
  TestAuthorizationServer,
  TokenWish,
} from './testing/authorization-server/options.ts';
export { type TokenFault, tokenFaults } from './testing/authorization-server/token-faults.ts';
export { type TestClient, type TestClientOptions, testClient } from './testing/client.ts';
export { type CompatibleOptions, expectCompatible } from './testing/expect-compatible.ts';
export {
  type ExpectedView,
  expectProtocolError,
  expectStructured,
  expectText,
  expectToolError,
  expectView,
} from './testing/expect.ts';
export type { OpenStore, StoreCase } from './testing/store-contract/case.ts';
export { storeContract } from './testing/store-contract.ts';
export { type Line, TestFailure, type Transcript } from './testing/transcript.ts';
export { recorded, type Sender } from './transports/recording-transport.ts';
