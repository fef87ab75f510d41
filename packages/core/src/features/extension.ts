import type { ClientExtension, ClientNotification } from '../client/extension.ts';
import type { ExtensionMethod, ExtensionNotification, ServerExtension } from '../server/extension.ts';

/**
 * A protocol extension: one value for both sides. A server uses its methods and notifications, a client its
 * declarations, result types and listeners.
 */
export interface Extension extends Omit<ServerExtension & ClientExtension, 'methods' | 'notifications'> {
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  readonly notifications?: Readonly<Record<string, ExtensionNotification & ClientNotification>>;
}
