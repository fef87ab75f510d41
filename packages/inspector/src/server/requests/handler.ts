import type { Asks, Gives, RequestName } from '../../shared/requests.ts';
import type { InspectorParts } from '../context.ts';

/** How one request of the page is served. */
export interface RequestHandler<Name extends RequestName> {
  /** A JSON Schema of what it may ask. */
  readonly schema: Readonly<Record<string, unknown>>;
  run(asked: Asks<Name>, parts: InspectorParts): Promise<Gives<Name>> | Gives<Name>;
}

/** The handlers of some requests, by name. */
export type Handlers<Names extends RequestName> = { readonly [Name in Names]: RequestHandler<Name> };
