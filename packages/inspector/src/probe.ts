/// <reference types="node" preserve="true" />

export { type CatalogServer, readCatalog } from './probe/catalog.ts';
export { type Claims, readJwt, scopesIn } from './probe/auth/token.ts';
export type { Finding } from './probe/auth/finding.ts';
export { type OAuthDiscovery, discoverOAuth } from './probe/auth/discovery.ts';
export { type RawResponse, sendRequest, type RawRequest } from './probe/http.ts';
export type { ProbeClientOptions } from './probe/open-client.ts';
export { probe, type ProbeOptions, type ProbeReport } from './probe/probe.ts';
export type { ProblemKind, ProbeStep } from './probe/report.ts';
export type { ProbeTarget } from './probe/target.ts';
export type { ProbeTexts } from './probe/texts.ts';
