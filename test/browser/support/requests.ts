/** True for what stays within the page, or goes to the server of the test. */
export function isOurs(asked: string, url: string): boolean {
  return asked.startsWith(url) || /^(?:data|blob|about):/.test(asked);
}
