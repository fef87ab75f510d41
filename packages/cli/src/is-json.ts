/** Whether a text is JSON, without comments or anything else that some allow. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
