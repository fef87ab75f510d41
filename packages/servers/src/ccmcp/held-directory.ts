import { closeSync, type Dirent, readdirSync, statSync } from 'node:fs';
import { isWithheld } from './file-error.ts';
import { type Directory, isSame, openDirectory, type Root } from './directory.ts';

/** Whether paths can start at an open descriptor here, as they can on Linux. */
export function hasDescriptorPaths({ descriptor, identity }: Root): boolean {
  const path = `/proc/self/fd/${descriptor}/.`;
  try {
    return isSame(statSync(path, { bigint: true, throwIfNoEntry: false }), identity);
  } catch (error) {
    if (isWithheld(error)) return false;
    throw error;
  }
}

/**
 * A directory held by its descriptor. Every step down starts at the descriptor and refuses links, so the way back to
 * the root is not looked at again, and swapping anything on it changes nothing.
 */
export class HeldDirectory implements Directory {
  constructor(
    private readonly descriptor: number,
    readonly parent: Directory | undefined,
  ) {}

  path(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`;
  }

  enter(name: string): Directory {
    return new HeldDirectory(openDirectory(this.path(name)), this);
  }

  list(): Dirent[] {
    return readdirSync(this.path('.'), { withFileTypes: true });
  }

  confirm(): void {}

  close(): void {
    closeSync(this.descriptor);
  }
}
