/// <reference types="node" preserve="true" />

export { type TestClient, type TestClientOptions, testClient } from './testing/client.ts';
export { expectRefusal, expectStructured, expectText, expectToolError } from './testing/expect.ts';
export type { OpenStore, StoreCase } from './testing/store-contract/case.ts';
export { storeContract } from './testing/store-contract.ts';
export { type Line, TestFailure, type Transcript } from './testing/transcript.ts';
export { recorded, type Sender } from './transports/recorded.ts';
