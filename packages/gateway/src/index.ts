export { type Remote, type RemoteOptions, type RemoteStatus, type RemoteTarget, remote } from './remote.ts';
