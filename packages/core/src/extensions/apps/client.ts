import type { ClientExtension } from '../../client/extension.ts';
import { appsId, viewMimeType } from './ids.ts';

/** What a host declares that shows views: give it to `extensions` of `connect`. Servers then list tools for views too. */
export const appsClient: ClientExtension = { id: appsId, settings: { mimeTypes: [viewMimeType] } };
