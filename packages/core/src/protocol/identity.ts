/** A picture a host may show beside a server, tool, resource or prompt. `src` is an `https:` or `data:` address. */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** Who a server or client says it is: for display and logs, never for decisions. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** Who a client says it is where its author says nothing. The version is that of this package. */
export const ownIdentity: Implementation = { name: 'ccmcp', version: '0.1.0' };
