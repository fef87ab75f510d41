import fc from 'fast-check';

/** Every character there is, of one or two code units. As `unit: 'binary'` of fast-check, which takes a second to prepare. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** Texts of any characters, never half of one. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
