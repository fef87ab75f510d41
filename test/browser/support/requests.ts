/** True for URLs within the page, or of the test server. */
export function isOurs(asked: string, url: string): boolean {
  return asked.startsWith(url) || /^(?:data|blob|about):/.test(asked);
}
