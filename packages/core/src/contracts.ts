export { acceptDefinitions } from './features/contracts/accept.ts';
export {
  type ChangedItem,
  type ChangeKind,
  changeKinds,
  type DefinitionChange,
  worstKind,
} from './features/contracts/change.ts';
export { compareSchemas } from './features/contracts/compare-schemas.ts';
export { diffLocks, suspiciousIn } from './features/contracts/diff-locks.ts';
export { formatChanges } from './features/contracts/format-changes.ts';
export { formatLock, parseLock } from './features/contracts/lock-text.ts';
export {
  type Lock,
  type LockedDefinition,
  type LockedServer,
  LockError,
  lockedTarget,
} from './features/contracts/lock.ts';
export { type HeldBack, HeldBackError } from './features/contracts/pin.ts';
export type { Compatibility, SchemaChange } from './features/contracts/schema-change.ts';
export type { SuspicionReason } from './features/contracts/suspicion/signals.ts';
export type { Definition, Suspicion, SuspicionContext } from './features/contracts/suspicion/suspicion.ts';
export { findSuspicious } from './features/contracts/suspicious.ts';
export { createLock } from './transports/create-lock.ts';
