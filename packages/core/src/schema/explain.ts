import { closestName } from './known-options.ts';
import { formatPointer, isInsidePath, parsePointer, type Problem, quoteShort } from './problems.ts';
import { describeFault, type Fault, type Subject } from './describe.ts';
import { explainUnion } from './explain-union.ts';

const maxNames = 200;

/** Explains the faults of a value: one problem per cause, not per failed schema. */
export function explain(subject: Subject): Problem[] {
  const problems = explainFaults(subject, subject.faultsAt({ schemaPath: '#', instancePath: '' }));
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

/** Summary faults follow their causes, so the list is read backwards and the causes are removed. */
function explainFaults(subject: Subject, faults: readonly Fault[]): Problem[] {
  const left = new Set(faults);
  const found: Problem[][] = [];
  for (const fault of faults.toReversed()) {
    if (!left.delete(fault)) continue;
    const causes = [...left].filter((other) => isCause(other, fault));
    for (const cause of causes) left.delete(cause);
    if (fault.keyword !== 'type' || !hasValueFault(faults, fault)) found.push(explainFault(subject, fault, causes));
  }
  return found.reverse().flat();
}

function isCause(fault: Fault, summary: Fault): boolean {
  const keyword = summary.keyword === 'if' ? summary.params.failingKeyword : summary.keyword;
  return (
    isInsidePath(fault.schemaPath, `${summary.schemaPath}/${keyword}`) &&
    isInsidePath(fault.instancePath, summary.instancePath)
  );
}

/** `enum` and `const` are more specific than the `type` beside them. */
function hasValueFault(faults: readonly Fault[], { schemaPath, instancePath }: Fault): boolean {
  return faults.some(
    (fault) =>
      (fault.keyword === 'enum' || fault.keyword === 'const') &&
      fault.schemaPath === schemaPath &&
      fault.instancePath === instancePath,
  );
}

function explainFault(subject: Subject, fault: Fault, causes: readonly Fault[]): Problem[] {
  const path = fault.instancePath;
  switch (fault.keyword) {
    case 'anyOf':
      return explainUnion({ subject, fault, causes, explainFaults });
    case 'oneOf':
      return fault.params.passingSchemas.length > 0
        ? explainPlainly(subject, fault)
        : explainUnion({ subject, fault, causes, explainFaults });
    case 'if':
      return explainCauses(subject, fault, causes.length > 0 ? causes : revalidate(subject, fault));
    case 'required':
      return explainNames(fault.params.requiredProperties, (name) => [
        { path: join(path, name), message: 'is required' },
      ]);
    case 'dependentRequired':
    case 'dependencies':
      return fault.params.dependencies
        .filter((name) => !Object.hasOwn(Object(subject.valueAt(path)), name))
        .map((name) => ({
          path: join(path, name),
          message: `is required when ${quoteShort(fault.params.property)} is there`,
        }));
    case 'propertyNames':
      return explainNames(fault.params.propertyNames, (name) => explainName(subject, join(path, name), causes));
    case 'additionalProperties':
      return isOpen(subject, fault)
        ? explainCauses(subject, fault, causes)
        : explainNames(fault.params.additionalProperties, (name) => [unknownProperty(subject, fault, name)]);
    case 'unevaluatedProperties':
      return explainNames(fault.params.unevaluatedProperties.map(String), (name) =>
        isOpen(subject, fault)
          ? explainCauses(subject, fault, revalidate(subject, fault, name))
          : [unknownProperty(subject, fault, name)],
      );
    case 'boolean':
      return fault.schemaPath.endsWith('/additionalProperties')
        ? explainStray(subject, fault)
        : explainPlainly(subject, fault);
    default:
      return explainPlainly(subject, fault);
  }
}

/** One of many unknown properties: the validator stopped before it summarized them. */
function explainStray(subject: Subject, fault: Fault): Problem[] {
  const segments = parsePointer(fault.instancePath);
  const summary = {
    ...fault,
    schemaPath: fault.schemaPath.slice(0, -'/additionalProperties'.length),
    instancePath: formatPointer(segments.slice(0, -1)),
  };
  return [unknownProperty(subject, summary, segments.at(-1) ?? '')];
}

function explainPlainly(subject: Subject, fault: Fault): Problem[] {
  const path = fault.instancePath;
  return [{ path, message: describeFault(fault, subject.valueAt(path), subject.schemaAt(fault.schemaPath)) }];
}

function explainCauses(subject: Subject, fault: Fault, causes: readonly Fault[]): Problem[] {
  return causes.length > 0 ? explainFaults(subject, causes) : explainPlainly(subject, fault);
}

/**
 * The validator does not report the faults of a failed `then` and of unevaluated properties, so they are validated
 * again.
 */
function revalidate(subject: Subject, fault: Fault, name?: string): readonly Fault[] {
  const keyword = fault.keyword === 'if' ? fault.params.failingKeyword : fault.keyword;
  return subject.faultsAt({
    schemaPath: `${fault.schemaPath}/${keyword}`,
    instancePath: name === undefined ? fault.instancePath : join(fault.instancePath, name),
  });
}

function explainName(subject: Subject, path: string, causes: readonly Fault[]): Problem[] {
  const named: Subject = { ...subject, valueAt: nameAt };
  return explainFaults(
    named,
    causes.filter((cause) => cause.instancePath === path),
  ).map(({ message }) => ({ path, message: `as a property name, ${message}` }));
}

/** Whether additional properties are allowed if they match a schema. */
function isOpen(subject: Subject, { schemaPath, keyword }: Fault): boolean {
  return typeof subject.schemaAt(schemaPath)?.[keyword] === 'object';
}

function unknownProperty(subject: Subject, fault: Fault, name: string): Problem {
  const meant = closestName(name, Object.keys(subject.schemaAt(fault.schemaPath)?.properties ?? {}));
  const hint = meant === undefined ? '' : ` (did you mean ${quoteShort(meant)}?)`;
  return { path: fault.instancePath, message: `unknown property ${quoteShort(name)}${hint}` };
}

function explainNames(names: readonly string[], explainOne: (name: string) => Problem[]): Problem[] {
  return names.slice(0, maxNames).flatMap(explainOne);
}

function join(path: string, name: string): string {
  return path + formatPointer([name]);
}

function nameAt(path: string): unknown {
  return parsePointer(path).at(-1);
}
