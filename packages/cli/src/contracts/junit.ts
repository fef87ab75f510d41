import { type DefinitionChange, formatChanges } from '@ccmcp/core/contracts';
import { escapeControls } from '../terminal/print.ts';

/** Formats changes as a JUnit report: one suite per target, one case per change, which fails or passes. */
export function toJunit(
  changes: readonly DefinitionChange[],
  isFailure: (change: DefinitionChange) => boolean,
): string {
  const targets = [...new Set(changes.map(({ target }) => target))];
  const suites = targets.map((target) => {
    const own = changes.filter((change) => change.target === target);
    const count = own.filter(isFailure).length;
    const cases = own.map((change) => toCase(change, isFailure(change)));
    return `  <testsuite name="${xml(target)}" tests="${own.length}" failures="${count}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  const failures = changes.filter(isFailure).length;
  const unchanged =
    suites.length > 0
      ? suites
      : [
          '  <testsuite name="ccmcp diff" tests="1" failures="0">\n    <testcase name="nothing changed"/>\n  </testsuite>',
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ccmcp diff" tests="${Math.max(changes.length, 1)}" failures="${failures}">`,
    ...unchanged,
    '</testsuites>',
  ].join('\n');
}

function toCase(change: DefinitionChange, hasFailed: boolean): string {
  const { kind, item, name, path, text } = change;
  const details = xml(formatChanges([change]));
  const begin = `    <testcase classname="${xml(`${item} ${name}`.trim())}" name="${xml(path === '' ? text : `${path}: ${text}`)}">`;
  const inner = hasFailed
    ? `<failure type="${kind}" message="${xml(text)}">${details}</failure>`
    : `<system-out>${details}</system-out>`;
  return `${begin}${inner}</testcase>`;
}

/** Escapes a text for XML, without the characters that XML can't have. */
function xml(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"'\n\t]/g, (found) => `&#${found.charCodeAt(0)};`);
}
