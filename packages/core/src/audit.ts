/// <reference types="node" preserve="true" />

export { auditFiles } from './features/audit/file.ts';
export type { AuditOptions } from './features/audit/options.ts';
export { isSecretName, maskText, type Redact } from './features/audit/redact.ts';
export { type AuditTrail, audit } from './features/audit/trail.ts';
export { type AuditProblem, type AuditReport, type VerifyOptions, verifyAudit } from './features/audit/verify.ts';
