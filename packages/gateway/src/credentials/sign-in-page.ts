import type { HttpPageResponse } from '@ccmcp/core/http';

/** A page without scripts and styles. */
export function toPage(
  status: number,
  title: string,
  paragraphs: readonly string[],
  link?: { text: string; href: string },
): HttpPageResponse {
  const anchor = link === undefined ? '' : `<p><a href="${escape(link.href)}">${escape(link.text)}</a></p>`;
  const body = paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n');
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<h1>${escape(title)}</h1>
${body}
${anchor}</html>
`,
  };
}

function escape(text: string): string {
  return text.slice(0, 1000).replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
