/** The number of files to print. */
const most = 10;

/**
 * A reporter for Vitest that prints the slowest files at the end of a run, so that a file that became slow is noticed.
 *
 * @param {{ print?: (text: string) => void }} [options]
 * @returns {import('vitest/reporters').Reporter}
 */
export function slowestFiles({ print = console.log } = {}) {
  return {
    onTestRunEnd(modules) {
      if (modules.length <= 1) return;
      const rows = modules
        .map((module) => ({ path: module.relativeModuleId, ms: durationOf(module.diagnostic()) }))
        .toSorted((one, other) => other.ms - one.ms)
        .slice(0, most)
        .map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
      print(`\nSlowest files\n${rows.join('\n')}\n`);
    },
  };
}

/** @param {import('vitest/node').ModuleDiagnostic} diagnostic */
function durationOf({ setupDuration, collectDuration, duration }) {
  return setupDuration + collectDuration + duration;
}
