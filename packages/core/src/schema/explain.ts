import { closest } from './edit-distance.ts';
import type { Problem } from './problems.ts';
import { describe } from './describe.ts';
import { explainUnion } from './explain-union.ts';
import type { Fault, Subject } from './fault.ts';
import { isWithin, pointerOf, quoted, segmentsOf } from './problems.ts';

const mostNames = 200;

/** Says what is wrong with a value: one problem for each cause, not one for each schema that noticed. */
export function explain(subject: Subject): Problem[] {
  const problems = explainFaults(subject, subject.faultsAt({ schemaPath: '#', instancePath: '' }));
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

/** A fault that sums up others comes after them, so the list is read backwards and those are taken out of it. */
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
    isWithin(fault.schemaPath, `${summary.schemaPath}/${keyword}`) && isWithin(fault.instancePath, summary.instancePath)
  );
}

/** `enum` and `const` say more than the `type` beside them. */
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
        ? plain(subject, fault)
        : explainUnion({ subject, fault, causes, explainFaults });
    case 'if':
      return explainCauses(subject, fault, causes.length > 0 ? causes : askAgain(subject, fault));
    case 'required':
      return eachName(fault.params.requiredProperties, (name) => [{ path: join(path, name), message: 'is required' }]);
    case 'dependentRequired':
    case 'dependencies':
      return fault.params.dependencies
        .filter((name) => !Object.hasOwn(Object(subject.valueAt(path)), name))
        .map((name) => ({
          path: join(path, name),
          message: `is required when ${quoted(fault.params.property)} is there`,
        }));
    case 'propertyNames':
      return eachName(fault.params.propertyNames, (name) => explainName(subject, join(path, name), causes));
    case 'additionalProperties':
      return isOpen(subject, fault)
        ? explainCauses(subject, fault, causes)
        : eachName(fault.params.additionalProperties, (name) => [unknownProperty(subject, fault, name)]);
    case 'unevaluatedProperties':
      return eachName(fault.params.unevaluatedProperties.map(String), (name) =>
        isOpen(subject, fault)
          ? explainCauses(subject, fault, askAgain(subject, fault, name))
          : [unknownProperty(subject, fault, name)],
      );
    case 'boolean':
      return fault.schemaPath.endsWith('/additionalProperties') ? explainStray(subject, fault) : plain(subject, fault);
    default:
      return plain(subject, fault);
  }
}

/** One of so many unknown properties that the validator stopped before it could sum them up. */
function explainStray(subject: Subject, fault: Fault): Problem[] {
  const segments = segmentsOf(fault.instancePath);
  const summary = {
    ...fault,
    schemaPath: fault.schemaPath.slice(0, -'/additionalProperties'.length),
    instancePath: pointerOf(segments.slice(0, -1)),
  };
  return [unknownProperty(subject, summary, segments.at(-1) ?? '')];
}

function plain(subject: Subject, fault: Fault): Problem[] {
  const path = fault.instancePath;
  return [{ path, message: describe(fault, subject.valueAt(path), subject.schemaAt(fault.schemaPath)) }];
}

function explainCauses(subject: Subject, fault: Fault, causes: readonly Fault[]): Problem[] {
  return causes.length > 0 ? explainFaults(subject, causes) : plain(subject, fault);
}

/** The validator keeps the faults of a failed `then` and of unevaluated properties to itself. */
function askAgain(subject: Subject, fault: Fault, name?: string): readonly Fault[] {
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

/** Whether further properties are allowed, if only they match a schema. */
function isOpen(subject: Subject, { schemaPath, keyword }: Fault): boolean {
  return typeof subject.schemaAt(schemaPath)?.[keyword] === 'object';
}

function unknownProperty(subject: Subject, fault: Fault, name: string): Problem {
  const meant = closest(name, Object.keys(subject.schemaAt(fault.schemaPath)?.properties ?? {}));
  const hint = meant === undefined ? '' : ` (did you mean ${quoted(meant)}?)`;
  return { path: fault.instancePath, message: `unknown property ${quoted(name)}${hint}` };
}

function eachName(names: readonly string[], explainOne: (name: string) => Problem[]): Problem[] {
  return names.slice(0, mostNames).flatMap(explainOne);
}

function join(path: string, name: string): string {
  return path + pointerOf([name]);
}

function nameAt(path: string): unknown {
  return segmentsOf(path).at(-1);
}
