export { type SharedTokens, type SharedTokensOptions, sharedTokens } from './shared-tokens.ts';
export { type CallerCredentials, type SignInOptions, type SignIns, signIns } from './sign-ins.ts';
