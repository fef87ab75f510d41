/// <reference types="node" preserve="true" />

export { auditFiles } from './audit/file.ts';
export type { AuditOptions } from './audit/options.ts';
export { isSecretName, maskText, type Redact } from './audit/redact.ts';
export { type AuditTrail, audit } from './audit/trail.ts';
export { type AuditProblem, type AuditReport, type VerifyOptions, verifyAudit } from './audit/verify.ts';
