import type { PublicDocument } from '../../../auth/server/authenticator.ts';
import {
  cardMediaType,
  catalogMediaType,
  catalogPath,
  checkServerCard,
  createCatalog,
  createServerCard,
  type ServerCardFacts,
  type ServerCardOptions,
} from '../../../features/server-card/server-card.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';

/** An endpoint with a card. */
interface CardEndpoint extends Omit<ServerCardFacts, 'info'> {
  /** The paths of the endpoint: the local one, and that of its public URL. */
  readonly paths: readonly string[];
  /** The server's identity, which may change. */
  info(): Implementation;
}

/** The server card of an endpoint beside it, and the catalog of its domain. */
export function cardDocuments(
  { paths, info, ...facts }: CardEndpoint,
  given: true | ServerCardOptions,
): PublicDocument[] {
  const options = given === true ? {} : given;
  assertKnownOptions('serverCard', options, ['name', 'description', 'repository', 'catalog']);
  checkServerCard(options);
  const card = () => createServerCard({ ...facts, info: info() }, options);
  const cardPath = (path: string): string => `${path.replace(/\/$/, '')}/server-card`;
  const url = cardPath(facts.url);
  const read = () => ({ json: JSON.stringify(card()) });
  const readCatalog = () => ({ json: JSON.stringify(createCatalog(card(), url)) });
  return [
    ...paths.map((path) => ({ path: cardPath(path), mediaType: cardMediaType, read })),
    ...(options.catalog === false ? [] : [{ path: catalogPath, mediaType: catalogMediaType, read: readCatalog }]),
  ];
}
