import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** An open editor. */
export interface CodeEditor {
  /** Replaces the text, unless it is unchanged. */
  show(text: string): void;
  close(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-name)' },
  { tag: tags.string, color: 'var(--json-text)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-word)' },
]);

const theme = EditorView.theme({
  '&': {
    fontSize: '12px',
    color: 'var(--text)',
    backgroundColor: 'var(--ground)',
    borderRadius: '4px',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--side)', color: 'var(--dim)', border: '0' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--dim)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--chosen) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
});

/** Opens an editor in a shadow root, where its styles need no inline markup that the CSP would block. */
export function openEditor(
  container: HTMLElement,
  text: string,
  label: string,
  onType: (text: string) => void,
): CodeEditor {
  const root = container.shadowRoot ?? container.attachShadow({ mode: 'open' });
  let isOurs = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        json(),
        linter(jsonParseLinter(), { delay: 200 }),
        syntaxHighlighting(colours),
        // Escape, then Tab leaves the editor, as screen reader users expect.
        keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap, indentWithTab]),
        placeholder('{ }'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isOurs) onType(state.doc.toString());
        }),
        theme,
      ],
    }),
  });
  return {
    show: (now) => {
      if (now === view.state.doc.toString()) return;
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } });
      isOurs = false;
    },
    close: () => view.destroy(),
  };
}
