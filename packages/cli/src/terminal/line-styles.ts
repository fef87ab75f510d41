import type { Line } from './wrap.ts';

/** Styles a line of a list: titles bold, names coloured, descriptions dim. */
export function styleListLine(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation === '') return { pieces: [{ text: line, style: isFootnote(line) ? 'dim' : 'bold' }] };
  return highlightName(indentation, rest, /^[^( ]+(?=\(|$)/);
}

/** Styles a line of a page about one tool. */
export function stylePageLine(line: string): Line {
  const [, indentation = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (indentation !== '') return highlightName(indentation, rest, /^\S+(?= \()/);
  if (isFootnote(line)) return { pieces: [{ text: line, style: 'dim' }] };
  const isTitle = line.length <= 40 && /^[^.()]+$/.test(line);
  return isTitle ? { pieces: [{ text: line, style: 'bold' }] } : highlightName('', line, /^[^( ]+(?=\()/);
}

function isFootnote(line: string): boolean {
  return line.startsWith('A model is charged ');
}

function highlightName(indentation: string, rest: string, name: RegExp): Line {
  const [found = ''] = name.exec(rest) ?? [];
  if (indentation.length > 2 && found === '') return { pieces: [{ text: indentation + rest, style: 'dim' }] };
  return {
    pieces: [{ text: indentation }, { text: found, style: 'cyan' }, { text: rest.slice(found.length) }],
    ...(found !== '' && { hang: indentation.length + 8 }),
  };
}
