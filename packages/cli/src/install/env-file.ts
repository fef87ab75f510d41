import { readRegularFile } from './regular-file.ts';

/** The variables in a file of lines such as `NAME=value`, with or without quotes; ` #` begins a comment. */
export function readEnvFile(path: string): Record<string, string> {
  const bytes = readRegularFile(path);
  if (bytes === undefined) throw new Error(`the file ${path} with its environment does not exist`);
  return Object.fromEntries(bytes.toString('utf8').split(/\r?\n/).flatMap(variableIn));
}

function variableIn(line: string): [string, string][] {
  const at = line.indexOf('=');
  const name = line
    .slice(0, Math.max(at, 0))
    .trim()
    .replace(/^export\s+/, '');
  return /^[\w.-]+$/.test(name) ? [[name, valueOf(line.slice(at + 1).trim())]] : [];
}

function valueOf(text: string): string {
  const [quote = ''] = text;
  const end = text.indexOf(quote, 1);
  if (/["'`]/.test(quote) && end !== -1) {
    const inside = text.slice(1, end);
    return quote === '"' ? inside.replaceAll(String.raw`\n`, '\n') : inside;
  }
  const comment = text.search(/(?:^|\s)#/);
  return comment === -1 ? text : text.slice(0, comment).trimEnd();
}
