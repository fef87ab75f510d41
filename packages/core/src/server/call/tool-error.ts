import type { ContentBlock } from '../../protocol/content.ts';

/** An error meant for the model: the call's result carries this text and `isError: true`. */
export class ToolError extends Error {
  override name = 'ToolError';

  constructor(
    message: string,
    readonly content?: ContentBlock[],
  ) {
    super(message);
  }
}
