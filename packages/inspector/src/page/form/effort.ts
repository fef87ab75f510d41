/** How much may still be done about a schema, which can be written so that there is no end to it. */
export interface Effort {
  left: number;
}

/** So much effort. */
export function effort(most: number): Effort {
  return { left: most };
}

/** Takes some of the effort; false where there is none left. */
export function spend(on: Effort, amount = 1): boolean {
  on.left -= amount;
  return on.left >= 0;
}
