/** True where nothing may be left out: what is missing then fails, instead of being skipped with a line that says so. */
export const mustTestEverything = process.env.CCMCP_TEST_EVERYTHING === 'true' || process.env.CI === 'true';
