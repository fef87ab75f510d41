import type { Line } from './wrap.ts';

/** How a list looks on a terminal: titles stand out, names too, and what is said of them steps back. */
export function listLook(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation === '') return { pieces: [{ text: line, style: isAside(line) ? 'dim' : 'bold' }] };
  return named(indentation, rest, /^[^( ]+(?=\(|$)/);
}

/** How a page about one tool looks there. */
export function pageLook(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation !== '') return named(indentation, rest, /^\S+(?= \()/);
  if (isAside(line)) return { pieces: [{ text: line, style: 'dim' }] };
  const isTitle = line.length <= 40 && /^[^.()]+$/.test(line);
  return isTitle ? { pieces: [{ text: line, style: 'bold' }] } : named('', line, /^[^( ]+(?=\()/);
}

function isAside(line: string): boolean {
  return line.startsWith('A model is charged ');
}

function named(indentation: string, rest: string, name: RegExp): Line {
  const [found = ''] = name.exec(rest) ?? [];
  if (indentation.length > 2 && found === '') return { pieces: [{ text: indentation + rest, style: 'dim' }] };
  return {
    pieces: [{ text: indentation }, { text: found, style: 'cyan' }, { text: rest.slice(found.length) }],
    ...(found !== '' && { hang: indentation.length + 8 }),
  };
}
