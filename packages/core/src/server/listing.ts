import type { Icon } from '../protocol/identity.ts';
import type { Meta } from '../protocol/meta.ts';

interface Described {
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/** The members that every kind of listing shares, without those that are not set. */
export function described({ title, description, icons, _meta }: Described): Described {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  };
}
