/** Nobody can say now whether a token is good: its issuer can't be reached, or does not answer as it should. */
export class Undecided extends Error {
  override name = 'Undecided';
}
