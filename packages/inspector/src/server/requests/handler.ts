import type { RequestBody, ResponseBody, RequestName } from '../../shared/requests.ts';
import type { InspectorContext } from '../context.ts';

/** How one request of the page is served. */
export interface RequestHandler<Name extends RequestName> {
  /** A JSON Schema of what it may ask. */
  readonly schema: Readonly<Record<string, unknown>>;
  run(asked: RequestBody<Name>, context: InspectorContext): Promise<ResponseBody<Name>> | ResponseBody<Name>;
}

/** The handlers of some requests, by name. */
export type Handlers<Names extends RequestName> = { readonly [Name in Names]: RequestHandler<Name> };
