import type { Tense } from '../english/tense.ts';

/** The Spanish tenses that English ones are translated by, the closest first. */
export const spanishTenses = {
  present_simple: ['presente'],
  present_continuous: ['presente continuo'],
  present_perfect: ['pretérito perfecto'],
  present_perfect_continuous: ['pretérito perfecto continuo'],
  past_simple: ['pretérito', 'imperfecto'],
  past_continuous: ['imperfecto continuo'],
  past_perfect: ['pluscuamperfecto'],
  past_perfect_continuous: ['pluscuamperfecto continuo'],
  past_habitual: ['imperfecto'],
  future_simple: ['futuro'],
  future_continuous: ['futuro continuo'],
  future_perfect: ['futuro perfecto'],
  future_perfect_continuous: ['futuro perfecto continuo'],
  future_going_to: ['futuro próximo'],
  conditional_simple: ['condicional'],
  conditional_continuous: ['condicional continuo'],
  conditional_perfect: ['condicional perfecto'],
  conditional_perfect_continuous: ['condicional perfecto continuo'],
  imperative: ['imperativo'],
} as const satisfies Record<Tense, readonly string[]>;

/** A tense of Spanish verbs. */
export type SpanishTense = (typeof spanishTenses)[Tense][number];
