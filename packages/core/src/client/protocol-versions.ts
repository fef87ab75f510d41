import { revisions } from '../revisions/history.ts';

/** The versions of the protocol that a client may speak, newest first: for whoever lets people choose. */
export const protocolVersions: readonly { readonly version: string; readonly era: 'handshake' | 'stateless' }[] =
  revisions.map(({ version, era }) => ({ version, era })).toReversed();
