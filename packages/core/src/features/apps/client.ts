import type { ClientExtension } from '../../client/extension.ts';
import { appsId, viewMimeType } from './ids.ts';

/**
 * Declares that a host shows views: pass it in `extensions` of `connect`. Servers then list tools for views too.
 */
export const appsClient: ClientExtension = { id: appsId, settings: { mimeTypes: [viewMimeType] } };
