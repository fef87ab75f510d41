/** What callers must have been granted to see notes, where tokens say what they were. */
export const reading: readonly string[] = ['notes:read'];

/** The same to change them. */
export const writing: readonly string[] = ['notes:write'];
