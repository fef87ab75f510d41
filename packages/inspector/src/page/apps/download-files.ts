import type { AppServer, DownloadedFile } from '@ccmcp/core/apps-host';

interface Contents {
  readonly text?: string;
  readonly blob?: string;
}

/** Lets the browser save files of a view; those that are only named are read from its server. */
export async function downloadFiles(files: readonly DownloadedFile[], server: AppServer): Promise<void> {
  for (const { name, content } of files) {
    const given: readonly Contents[] =
      content.type === 'resource'
        ? [content.resource]
        : ((await server.request('resources/read', { uri: content.uri })) as { contents: Contents[] }).contents;
    const [contents] = given;
    if (contents !== undefined) downloadFile(name, contents);
  }
}

function downloadFile(name: string, { text, blob = '' }: Contents): void {
  const bytes = text ?? Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
