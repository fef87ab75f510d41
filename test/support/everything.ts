/** True if missing programs fail the run instead of skipping tests with a message. */
export const mustTestEverything = process.env.CCMCP_TEST_EVERYTHING === 'true' || process.env.CI === 'true';

const without = (process.env.CCMCP_TEST_WITHOUT ?? '').split(/\s+/);

/** True if a program is required: in a complete run, unless `CCMCP_TEST_WITHOUT` names it. */
export function mustHave(program: string): boolean {
  return mustTestEverything && !without.includes(program);
}
