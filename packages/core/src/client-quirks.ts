export { type AdaptOptions, adaptToClient } from './features/client-quirks/adapt-to-client.ts';
export { affectedTools } from './features/client-quirks/affected-tools.ts';
export type { ClientMatch } from './features/client-match.ts';
export { type ClientQuirk, clientQuirks, type QuirkFix, quirksOf } from './features/client-quirks/client-quirks.ts';
