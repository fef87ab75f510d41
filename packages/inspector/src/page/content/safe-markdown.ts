import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked({
  gfm: true,
  async: false,
  // HTML in Markdown is shown as text.
  renderer: { html: ({ text }) => escapeHtml(text), image: ({ text, href }) => escapeHtml(`![${text}](${href})`) },
});

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const sanitizeOptions = {
  ALLOWED_TAGS: (
    'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code em strong del a ul ol li ' +
    'table thead tbody tr th td sub sup kbd dl dt dd'
  ).split(' '),
  ALLOWED_ATTR: ['href', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Renders Markdown to sanitized elements, with links that open in a new tab. */
export function safeMarkdown(text: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(marked.parse(text) as string, { ...sanitizeOptions, RETURN_DOM_FRAGMENT: true });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.title = link.href;
  }
  return fragment;
}
