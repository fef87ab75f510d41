/** A value as JSON for an error message, cut to so many characters. What is nested too deeply to be written is called so. */
export function briefJson(value: unknown, longest = 80): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return 'nested too deeply to be shown';
  }
  return (text ?? typeof value).slice(0, longest);
}
