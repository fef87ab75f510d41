/** The names of the phases, in the order in which the moon goes through them. */
export const phases = [
  'new moon',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full moon',
  'waning gibbous',
  'last quarter',
  'waning crescent',
] as const;

export type Phase = (typeof phases)[number];
