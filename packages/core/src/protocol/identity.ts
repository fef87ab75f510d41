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
