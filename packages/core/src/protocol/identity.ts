/** An icon that a host may show for a server, tool, resource or prompt. `src` is an `https:` or `data:` URL. */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** The name and version of a server or client. For display and logs, never for decisions. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
}

/** The default client info. The version is that of this package. */
export const ownIdentity: Implementation = { name: 'ccmcp', version: '0.1.0' };
