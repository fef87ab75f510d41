import type { Engine } from '../../../../server/engine.ts';
import type { ListKind } from '../sessions/relay-changes.ts';

const kinds = ['tools', 'prompts', 'resources'] as const;

/** The lists that a server has. */
export function offeredLists(server: Engine): readonly ListKind[] {
  return kinds.filter((kind) => server.capabilities.offers(kind));
}
