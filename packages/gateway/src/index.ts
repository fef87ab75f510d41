export {
  type Remote,
  type RemoteGroup,
  type RemoteOptions,
  type RemoteStatus,
  type RemoteTarget,
  remote,
} from './remote.ts';
export { type SharedTokensOptions, sharedTokens } from './shared-tokens.ts';
export { type CallerCredentials, type SignInOptions, type SignIns, signIns } from './sign-ins.ts';
