/**
 * Formats a value as JSON for an error message, truncated to `longest` characters; says so if it is nested too deeply.
 */
export function briefJson(value: unknown, longest = 80): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return 'nested too deeply to be shown';
  }
  return (text ?? typeof value).slice(0, longest);
}
