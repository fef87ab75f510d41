import type { KeptLook, Look } from '@ccmcp/inspector';
import type { LoginPlace } from '../login/folder.ts';
import { inspectorFolder } from './inspector-folder.ts';

const fileName = 'look.json';

/** How the page looked last: an inspector has another port each time, and a browser keeps such things by the port. Where it can't be kept, the page looks as usual. */
export async function keptLook(at?: LoginPlace): Promise<KeptLook & { keep(look: Look): Promise<void> }> {
  const folder = inspectorFolder(at);
  let writing: Promise<void> = Promise.resolve();
  return {
    last: await folder
      .read(fileName)
      .then((text) => JSON.parse(text ?? '{}') as unknown)
      .catch(() => ({})),
    keep(look) {
      writing = writing.then(() => folder.write(fileName, `${JSON.stringify(look)}\n`)).catch(() => {});
      return writing;
    },
  };
}
