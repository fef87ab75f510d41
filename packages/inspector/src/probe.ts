/// <reference types="node" preserve="true" />

export { type Claims, readJwt, scopesIn } from './probe/auth/claims.ts';
export type { Finding } from './probe/auth/finding.ts';
export { type Walk, walk } from './probe/auth/walk.ts';
export { type Answer, ask, type Question } from './probe/http.ts';
export type { ProbeOpening } from './probe/open-client.ts';
export { probe, type ProbeOptions, type ProbeReport } from './probe/probe.ts';
export type { ProblemKind, ProbeStep } from './probe/report.ts';
export type { ProbeTarget } from './probe/target.ts';
export type { ProbeWords } from './probe/words.ts';
