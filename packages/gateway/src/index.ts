export { type Remote, remote } from './remote.ts';
export type { RemoteGroup, RemoteOptions, RemoteStatus, RemoteTarget } from './remote-options.ts';
export type { CallerCredentials } from './credentials/caller-credentials.ts';
