import fc from 'fast-check';

/** Any character, of one or two code units. Like `unit: 'binary'` of fast-check, which takes a second to prepare. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** Texts of any characters, without lone surrogates. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
