import type { ChangeKind, DefinitionChange } from '@ccmcp/core/contracts';
import manifest from '../../package.json' with { type: 'json' };
import { toOneLine } from '../terminal/print.ts';

/** The rules of a report: how a kind of change is shown, and what it means. */
const rules: Readonly<Record<ChangeKind, { level: 'error' | 'warning' | 'note'; text: string }>> = {
  suspicious: { level: 'error', text: 'A definition looks like an attempt to steer a model' },
  breaking: { level: 'error', text: 'A definition changed in a way that breaks those who rely on it' },
  undecided: { level: 'warning', text: 'A definition changed, and may break those who rely on it' },
  wording: { level: 'note', text: 'The wording of a definition changed' },
  compatible: { level: 'note', text: 'A definition changed, and those who rely on it need not care' },
};

/** Formats changes as SARIF 2.1.0, located in the lock. */
export function toSarif(changes: readonly DefinitionChange[], lockPath: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ccmcp diff',
            version: manifest.version,
            rules: Object.entries(rules).map(([id, { level, text }]) => ({
              id,
              shortDescription: { text },
              defaultConfiguration: { level },
            })),
          },
        },
        results: changes.map((change) => toResult(change, lockPath)),
      },
    ],
  };
}

function toResult({ kind, target, item, name, path, text, before, after }: DefinitionChange, lockPath: string): object {
  const place = [target, item, name].filter((part) => part !== '').map(toOneLine);
  const values = [
    ...(before === undefined ? [] : [`Before: ${toOneLine(before)}`]),
    ...(after === undefined ? [] : [`Now: ${toOneLine(after)}`]),
  ];
  return {
    ruleId: kind,
    level: rules[kind].level,
    message: { text: [`${place.slice(1).join(' ')}: ${toOneLine(text)}`, ...values].join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(lockPath.replaceAll('\\', '/')) },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: `${place.join('/')}${toOneLine(path)}` }],
      },
    ],
  };
}
