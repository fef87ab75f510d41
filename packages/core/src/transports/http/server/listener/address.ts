/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A host as a URL has it. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
