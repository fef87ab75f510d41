import type { ClientExtension } from '../../client/extension.ts';
import { appsId, viewMimeType } from './ids.ts';

/**
 * What a host that shows views declares: pass it in `extensions` of `connect`. Servers then list tools for views too.
 */
export const appsClient: ClientExtension = { id: appsId, settings: { mimeTypes: [viewMimeType] } };
