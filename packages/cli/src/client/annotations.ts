/** The hints of a tool as a server sends them. */
export interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What a server says of a tool's ways, in words; empty where it says nothing. */
export function hintsText({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolHints): string[] {
  const told = [
    readOnlyHint === true && 'only reads',
    readOnlyHint === false && destructiveHint !== false && 'changes things',
    destructiveHint === true && readOnlyHint !== true && 'may destroy something',
    destructiveHint === false && readOnlyHint !== true && 'adds, and destroys nothing',
    idempotentHint === true && 'may be repeated without harm',
    idempotentHint === false && readOnlyHint !== true && 'does something more each time',
    openWorldHint === true && 'reaches beyond the server, such as into the web',
    openWorldHint === false && 'stays within the server',
  ];
  return told.filter((line): line is string => typeof line === 'string');
}
