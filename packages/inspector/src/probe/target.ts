import type { HttpAuth, HttpTap } from '@ccmcp/core/client';

/** What is examined: what answers at an address, or a program that is started for it. */
export type ProbeTarget =
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Where credentials come from that are kept for this server; `tap` sees what is asked for them. */
      readonly auth?: (tap: HttpTap) => Promise<HttpAuth | undefined>;
    }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      /** All of its environment. Default: that of this process. */
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly framing?: 'newline' | 'content-length';
    };
