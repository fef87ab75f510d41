/** A command line that can't be understood. */
export class Misuse extends Error {}
