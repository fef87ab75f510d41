import type { Question } from '../../shared/questions.ts';
import { isRecord } from '../form/json.ts';

const mostHints = 4;

/** Models that a server would like to be asked, as far as they look like names. */
export function hintsOf({ modelPreferences }: Question['params']): readonly string[] {
  const hints = isRecord(modelPreferences) ? modelPreferences.hints : undefined;
  if (!Array.isArray(hints)) return [];
  const names = hints.flatMap((hint) =>
    isRecord(hint) && typeof hint.name === 'string' && /^[\w.:/@-]{1,80}$/.test(hint.name) ? [hint.name] : [],
  );
  return [...new Set(names)].slice(0, mostHints);
}
