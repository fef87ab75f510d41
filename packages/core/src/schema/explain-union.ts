import { formatPointer, formatProblem, isInsidePath, parsePointer, type Problem } from './problems.ts';
import { describeTypes, describeValues, type Fault, formatValue, type Subject } from './describe.ts';

const maxForms = 3;

interface Union {
  readonly subject: Subject;
  /** The failed `anyOf` or `oneOf`. */
  readonly fault: Fault;
  /** The faults of its branches. */
  readonly causes: readonly Fault[];
  /** Explains the faults of a branch, which may be another union. */
  explainFaults(subject: Subject, faults: readonly Fault[]): Problem[];
}

/** Explains why a value fits no branch: by the branch that was clearly meant, or by a summary of several. */
export function explainUnion(union: Union): Problem[] {
  const { subject, fault } = union;
  const branches = branchesOf(fault, union.causes);
  const simple = explainTypes(union, branches) ?? explainDiscriminator(union, branches);
  if (simple !== undefined) return [simple];
  const likely = branches.filter((branch) => !branch.some((cause) => rulesOut(cause, fault)));
  const forms = (likely.length > 0 ? likely : branches).map((branch) => union.explainFaults(subject, branch));
  const common = commonProblems(forms);
  return common.length > 0 ? common : [{ path: fault.instancePath, message: summarize(forms) }];
}

/** The faults of each branch. A nested union counts as all of its branches. */
function branchesOf(union: Fault, causes: readonly Fault[]): Fault[][] {
  const start = `${union.schemaPath}/${union.keyword}/`;
  const branches = new Map<string, Fault[]>();
  for (const cause of causes) {
    const [index = ''] = cause.schemaPath.slice(start.length).split('/');
    branches.set(index, [...(branches.get(index) ?? []), cause]);
  }
  return [...branches].flatMap(([index, faults]) => {
    const root = start + index;
    const nested = faults.findLast((fault) => isUnion(fault) && fault.schemaPath === root);
    if (nested === undefined) return [faults];
    return branchesOf(
      nested,
      faults.filter((fault) => isInsidePath(fault.schemaPath, `${root}/${nested.keyword}`)),
    );
  });
}

function isUnion(fault: Fault): boolean {
  return fault.keyword === 'anyOf' || (fault.keyword === 'oneOf' && fault.params.passingSchemas.length === 0);
}

/** If all branches are plain types or values: `expected string or null, got number`. */
function explainTypes({ subject, fault: union }: Union, branches: readonly Fault[][]): Problem | undefined {
  const path = union.instancePath;
  const types: string[] = [];
  const values: unknown[] = [];
  for (const branch of branches) {
    const wanted = expectedValues(branch, path);
    const type = branch.find((fault) => fault.keyword === 'type' && fault.instancePath === path);
    if (wanted !== undefined) for (const value of wanted) values.push(value);
    else if (type?.keyword === 'type') types.push(...[type.params.type].flat());
    else return undefined;
    // An object with nested faults is not a plain type.
    if (branch.some((fault) => fault.instancePath !== path)) return undefined;
  }
  const got = subject.valueAt(path);
  if (types.length === 0) return { path, message: describeValues(values, got) };
  return { path, message: describeTypes([...types, ...values.map(formatValue)], got) };
}

/** If one property discriminates the branches and has none of their values. */
function explainDiscriminator({ subject, fault: union }: Union, branches: readonly Fault[][]): Problem | undefined {
  const [first = []] = branches;
  for (const { instancePath: path } of first.filter((fault) => isDiscriminator(fault, union))) {
    const wanted = branches.map((branch) => expectedValues(branch, path));
    if (wanted.every((values) => values !== undefined)) {
      return { path, message: describeValues(wanted.flat(), subject.valueAt(path)) };
    }
  }
  return undefined;
}

function expectedValues(branch: readonly Fault[], path: string): readonly unknown[] | undefined {
  for (const fault of branch) {
    if (fault.instancePath !== path) continue;
    if (fault.keyword === 'const') return [fault.params.allowedValue];
    if (fault.keyword === 'enum') return fault.params.allowedValues;
  }
  return undefined;
}

/** A value of the wrong type, or with the discriminator of another branch, was not meant for this one. */
function rulesOut(cause: Fault, union: Fault): boolean {
  return (cause.keyword === 'type' && cause.instancePath === union.instancePath) || isDiscriminator(cause, union);
}

function isDiscriminator(fault: Fault, union: Fault): boolean {
  const parent = formatPointer(parsePointer(fault.instancePath).slice(0, -1));
  const single = fault.keyword === 'const' || (fault.keyword === 'enum' && fault.params.allowedValues.length === 1);
  return single && fault.instancePath !== union.instancePath && parent === union.instancePath;
}

/** The problems that all branches share. */
function commonProblems([first = [], ...others]: readonly Problem[][]): Problem[] {
  return first.filter(({ path, message }) =>
    others.every((form) => form.some((problem) => problem.path === path && problem.message === message)),
  );
}

function summarize(forms: readonly Problem[][]): string {
  const reasons = forms.flatMap((form) => form.slice(0, 1)).map(formatProblem);
  const listed = reasons.slice(0, maxForms).map((reason, index) => ` (${index + 1}) ${reason}`);
  return `is none of the allowed forms:${listed.join(';')}${reasons.length > maxForms ? '; …' : ''}`;
}
