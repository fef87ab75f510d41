import type { Limit } from '@ccmcp/core';

const list = {
  ccmcp: {
    file: { value: 1024 * 1024, unit: 'bytes', what: 'the file that `read_file` reads' },
    path: { value: 4096, unit: 'characters', what: 'a path' },
    links: { value: 40, unit: 'count', what: 'symbolic links on the way to a file' },
    edits: { value: 100, unit: 'count', what: 'edits in one call of `edit_file`' },
    diff: { value: 64 * 1024, unit: 'characters', what: 'the diff in its answer' },
    deleted: { value: 100_000, unit: 'count', what: 'entries that one call of `delete` removes with `--hard`' },
    sought: { value: 1000, unit: 'characters', what: 'the text that `search_files` looks for' },
    namePattern: { value: 200, unit: 'characters', what: 'a pattern for names' },
    nameAlternatives: { value: 64, unit: 'count', what: 'names that its braces stand for' },
    matches: { value: 200, unit: 'count', what: 'what one search finds' },
    matchedLine: { value: 200, unit: 'characters', what: 'what is shown of a line in which the text is' },
    searchedEntries: { value: 100_000, unit: 'count', what: 'files and folders that one search sees' },
    searchedText: { value: 64 * 1024 * 1024, unit: 'characters', what: 'the text that it reads' },
    searchMs: { value: 10_000, unit: 'milliseconds', what: 'the time that it takes' },
    registeredTools: { value: 1000, unit: 'count', what: 'tools made with `register_tool`' },
    description: { value: 2000, unit: 'characters', what: 'the description of such a tool' },
    template: { value: 64 * 1024, unit: 'bytes', what: 'its template' },
    placeholders: { value: 64, unit: 'count', what: 'placeholders in a template' },
    placeholder: { value: 64, unit: 'characters', what: 'the name of a placeholder' },
    filledIn: { value: 1024 * 1024, unit: 'bytes', what: 'the filled-in text' },
  },

  moonphase: {
    times: { value: 62, unit: 'count', what: 'times that one call of `moonphases` is about' },
  },

  notes: {
    title: { value: 500, unit: 'characters', what: 'the title of a note' },
    content: { value: 1_000_000, unit: 'bytes', what: 'its content' },
    tags: { value: 50, unit: 'count', what: 'its tags' },
    tag: { value: 100, unit: 'characters', what: 'one tag' },
    query: { value: 1000, unit: 'characters', what: 'what is searched for' },
    scanned: {
      value: 8 * 1024 * 1024,
      unit: 'bytes',
      what: 'text of the newest notes that a search reads for parts of words',
    },
    scannedNotes: { value: 20_000, unit: 'count', what: 'notes whose text it reads' },
    phrases: { value: 32, unit: 'count', what: 'phrases of a search that count' },
    words: { value: 32, unit: 'count', what: 'words of a phrase that count' },
    found: { value: 50, unit: 'count', what: 'notes in one answer of a search' },
    listed: { value: 200, unit: 'count', what: 'notes in one page of a list' },
    owner: { value: 500, unit: 'characters', what: 'the name of a caller who owns notes' },
    key: { value: 200, unit: 'characters', what: 'the key by which a repeated `create_note` is known' },
    checkedFile: {
      value: 64 * 1024 * 1024,
      unit: 'bytes',
      what: 'the SQLite file that is checked as a whole when it is opened',
    },
    lockMs: { value: 20_000, unit: 'milliseconds', what: 'waiting for other processes that hold the SQLite file' },
    statementMs: { value: 10_000, unit: 'milliseconds', what: 'a statement in PostgreSQL' },
    answerMs: { value: 12_000, unit: 'milliseconds', what: 'waiting for the answer to it' },
    connections: { value: 10, unit: 'count', what: 'connections to PostgreSQL' },
  },

  miniagent: {
    word: { value: 80, unit: 'characters', what: 'a verb or a form' },
  },
} satisfies Record<string, Record<string, Limit>>;

type Groups = typeof list;

/** What the servers bound, one group for each server that bounds something. */
export const limits: { readonly [Group in keyof Groups]: Readonly<Record<keyof Groups[Group], Limit>> } = list;
