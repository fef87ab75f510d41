import { limits } from '../limits.ts';

/** Nothing longer can be a verb or a form of one. */
export const longestWord: number = limits.miniagent.word.value;
