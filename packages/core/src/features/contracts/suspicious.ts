import type { PromptListing, ToolListing } from '../../protocol/listing.ts';
import { formatPointer, quoteShort } from '../../schema/problems.ts';
import { collectTexts } from './suspicion/definition-texts.ts';
import { collectingNames } from './suspicion/signals.ts';
import type { Definition, Sign, Suspicion, SuspicionContext } from './suspicion/suspicion.ts';
import { describeSubject, signsOf, type Subject } from './suspicion/text-signs.ts';

/** The sum of weights from which a definition is suspicious. */
const threshold = 2.5;

/**
 * Finds signs that a definition tries to steer a model. Weak signs are only reported if there are several. An empty list is
 * no promise that the definition is harmless.
 */
export function findSuspicious(definition: Definition, context: SuspicionContext = {}): readonly Suspicion[] {
  const signs = findSigns(definition, context);
  // The same sign in several texts counts once.
  const strongest = new Map<string, number>();
  for (const { text, weight } of signs) strongest.set(text, Math.max(weight, strongest.get(text) ?? 0));
  const total = [...strongest.values()].reduce((sum, weight) => sum + weight, 0);
  if (total < threshold) return [];
  const found = new Map<string, Suspicion>();
  for (const { weight, ...sign } of signs) if (weight >= 1) found.set(`${sign.path} ${sign.text}`, sign);
  return [...found.values()];
}

function findSigns(definition: Definition, context: SuspicionContext): Sign[] {
  const texts = collectTexts(definition);
  const subject = describeSubject(definition, texts, context);
  const signs = texts.flatMap((text) => signsOf(text, subject));
  return [...signs, ...signsOfSchema(definition, subject), ...signsOfChange(definition, context.before)];
}

/** Arguments that collect what a model knows. */
function signsOfSchema(definition: Definition, { usesPrompts }: Subject): Sign[] {
  const { inputSchema } = definition as Partial<ToolListing>;
  const properties = inputSchema?.properties;
  const names = Array.isArray((definition as PromptListing).arguments) ? [] : Object.keys(Object(properties) as object);
  return names
    .filter((name) => collectingNames.has(name.toLowerCase().replaceAll('-', '_')) || collectingNames.has(snake(name)))
    .map((name) => ({
      path: `/inputSchema/properties${formatPointer([name])}`,
      reason: 'prompt-collection',
      text: `the argument ${quoteShort(name)} collects what a model knows`,
      weight: commonNames.has(snake(name)) ? 1 : /side_?note/i.test(name) ? 3 : usesPrompts ? 0.5 : 3,
    }));
}

const commonNames: ReadonlySet<string> = new Set([
  'model_name',
  'model_version',
  'environment_variables',
  'env_vars',
  'thinking',
  'conversation',
  'ssh_key',
  'ssh_keys',
  'available_tools',
]);

function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** The minimum length of a text that grew, and by which factor. */
const grownLength = 600;
const grownFactor = 4;

const writing =
  /^(?:[a-z]+[_.-])?(?:delete|remove|drop|destroy|erase|purge|wipe|truncate|format|kill|uninstall)(?:[_.-]|[A-Z]|$)/;

function signsOfChange(definition: Definition, before: Definition | undefined): Sign[] {
  const signs: Sign[] = [];
  const { annotations, name = '' } = definition as Partial<ToolListing>;
  const path = '/annotations/readOnlyHint';
  const isWriting = writing.test(name);
  if (isWriting && annotations?.readOnlyHint === true)
    signs.push({
      path,
      reason: 'annotation',
      text: 'it says that it only reads, and its name that it deletes',
      weight: 3,
    });
  if (before === undefined) return signs;
  const old = (before as Partial<ToolListing>).annotations;
  for (const [hint, harmless] of [
    ['readOnlyHint', true],
    ['destructiveHint', false],
    ['openWorldHint', false],
  ] as const) {
    const [was, is] = [old?.[hint], annotations?.[hint]];
    if (is === harmless && was === !harmless)
      signs.push({
        path: `/annotations/${hint}`,
        reason: 'annotation',
        text: `"${hint}" says now that it is harmless`,
        weight: hint === 'openWorldHint' ? 1.5 : 3,
      });
  }
  const [short, long] = [before.description ?? '', definition.description ?? ''];
  if (long.length >= grownLength && long.length >= short.length * grownFactor && short.length > 0)
    signs.push({
      path: '/description',
      reason: 'growth',
      text: `the description grew from ${short.length} to ${long.length} characters`,
      weight: 2,
    });
  return signs;
}
