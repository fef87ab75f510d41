import type { AppServer, DownloadedFile } from '@ccmcp/core/apps-host';

interface Contents {
  readonly text?: string;
  readonly blob?: string;
}

/** Lets the browser save files of a view; those that are only named are read from its server. */
export async function saveFiles(files: readonly DownloadedFile[], server: AppServer): Promise<void> {
  for (const { name, content } of files) {
    const given: readonly Contents[] =
      content.type === 'resource'
        ? [content.resource]
        : ((await server.request('resources/read', { uri: content.uri })) as { contents: Contents[] }).contents;
    const [contents] = given;
    if (contents !== undefined) save(name, contents);
  }
}

function save(name: string, { text, blob = '' }: Contents): void {
  const bytes = text ?? Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
