export { type SharedTokens, type SharedTokensOptions, sharedTokens } from './credentials/shared-tokens.ts';
export type { CallerCredentials } from './credentials/caller-credentials.ts';
export { type SignInOptions, type SignIns, signIns } from './credentials/sign-ins.ts';
