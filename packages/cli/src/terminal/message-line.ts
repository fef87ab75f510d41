/** The words that messages begin with. Others may be names: of files, tools, services. */
const openers = new Set(
  `a an another answered answers at both can cancelled cancelling changes chat closed directory disks expected extension extensions fields file group
  groups in interrupted invalid is it its line links listening lost malformed name no nobody not nothing one only path prompt resource say
  sign signing skill skills some something standard stopped task tasks template the there this too tool two type unexpected unknown upstream
  what wrong you`.split(/\s+/),
);

/** A message of the command as a line of stderr: after its name, in lower case as those of other commands are. */
export function messageLine(message: string): string {
  const [first = ''] = /^[A-Z][a-z]*(?![\w./\\-]*[\w/\\])/.exec(message) ?? [];
  const text = openers.has(first.toLowerCase()) ? first.toLowerCase() + message.slice(first.length) : message;
  return `ccmcp: ${text}\n`;
}
