/** True if nothing may be left out: what is missing then fails, instead of being skipped with a line that says so. */
export const mustTestEverything = process.env.CCMCP_TEST_EVERYTHING === 'true' || process.env.CI === 'true';

const without = (process.env.CCMCP_TEST_WITHOUT ?? '').split(/\s+/);

/** True if a program must be there: where nothing may be left out, but for what `CCMCP_TEST_WITHOUT` names. */
export function mustHave(program: string): boolean {
  return mustTestEverything && !without.includes(program);
}
