/** What can be done with a task. */
export const taskVerbs = ['show', 'wait', 'answer', 'cancel'] as const;

export type TaskVerb = (typeof taskVerbs)[number];
