import { maskText } from '@ccmcp/core/audit';
import type { Client, Serving } from '@ccmcp/core/client';
import type { LockedServer } from '@ccmcp/core/contracts';
import type { CommandTarget, UrlTarget } from '../probe/target.ts';
import type { KnownTarget } from '../shared/connections.ts';

/** The approved definitions of a target. */
export interface TargetPin {
  lock(): Promise<LockedServer>;
  /** Stores a definition that the user accepted, by its name; `instructions` stands for those of the server. */
  accept(client: Client, name: string): Promise<void>;
}

/** How to reach a server. */
export type Target = {
  /** As written on a command line. */
  readonly label: string;
  /** URL or command without secrets. Default: derived from the target. */
  readonly detail?: string;
  /** Holds back what differs from a lock. Default: nothing is held back. */
  readonly pin?: TargetPin;
} & (
  | UrlTarget
  | (Omit<CommandTarget, 'env'> & { readonly env?: Readonly<Record<string, string>> })
  | {
      readonly kind: 'own';
      readonly server: Serving;
      /** Its public URL. */
      readonly address?: string;
    }
);

/** A known target, resolved on connect. */
export interface OfferedTarget {
  readonly label: string;
  readonly kind: KnownTarget['kind'];
  readonly origin: KnownTarget['origin'];
  readonly detail?: string;
  resolve(): Promise<Target>;
}

/** An error for the user of the page. */
export class RequestError extends Error {
  override name = 'RequestError';

  constructor(
    message: string,
    readonly advice?: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** URL or command without secrets. */
export function describeTarget(target: Target): string {
  if (target.detail !== undefined) return target.detail;
  if (target.kind === 'url') return stripQuery(target.url);
  return target.kind === 'command' ? maskText([target.command, ...target.args].join(' ')) : 'in this process';
}

function stripQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
