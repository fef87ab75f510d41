import type { Source } from './imports.ts';

/** A class of a source file, and its number of members. */
export interface ClassSize {
  readonly name: string;
  readonly members: number;
}

const declaration =
  /^( *)(?:export )?(?:default )?(?:return |const \w+ = )?(?:abstract )?class (?:(?!extends)(\w+))?[^;{}\n]*(?:\n[^;{}]*)?\{\n([^]*?)^\1\}/gm;

/**
 * Counts fields, accessors and methods, private ones too, and constructor parameters that declare a field. Relies on
 * the formatter's indentation.
 */
export function classSizes({ text }: Source): ClassSize[] {
  return [...text.matchAll(declaration)].map(([, indent = '', name = 'anonymous', body = '']) => {
    const member = new RegExp(`^${indent}  (?!constructor\\()[\\w#[*'"]`, 'gm');
    const [, parameters = ''] = new RegExp(`^${indent}  constructor\\(([^]*?)\\) \\{`, 'm').exec(body) ?? [];
    const fields = parameters.match(/\b(?:readonly|private|protected|public) /g) ?? [];
    return { name, members: (body.match(member) ?? []).length + fields.length };
  });
}
