import type { ClientExtension, ClientNotification } from '../client/extension.ts';
import type { ExtensionMethod, ExtensionNotification, ServerExtension } from '../server/extension.ts';

/**
 * An extension of the protocol: one value for both sides. A server takes what it serves and sends, a client what it
 * declares, follows and hears.
 */
export interface Extension extends Omit<ServerExtension & ClientExtension, 'methods' | 'notifications'> {
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  readonly notifications?: Readonly<Record<string, ExtensionNotification & ClientNotification>>;
}
