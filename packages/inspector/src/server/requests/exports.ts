import { createRecordedSnippet, createSnippet } from '../snippets/create-snippet.ts';
import { anyObject, anyValue, type Handlers, id, list, object, oneOf, text } from './handler.ts';

const shortText = { ...text, maxLength: 200 };
const recordedCall = object({
  target: object({ kind: oneOf('url', 'command', 'own'), label: text, detail: text }),
  method: text,
  params: anyObject,
  'result?': anyValue,
  'revision?': shortText,
  'sent?': object({ headers: list({ ...list(text), minItems: 2, maxItems: 2 }), body: { type: 'string' } }),
});

/** Handlers of snippets, saved requests and recordings. */
export const exportRequests: Handlers<'copy-as' | 'save' | 'unsave' | 'record' | 'record-stop' | 'recordings'> = {
  'copy-as': {
    schema: object({
      form: oneOf('curl', 'command', 'test'),
      'call?': id,
      'connection?': id,
      'method?': text,
      'params?': anyObject,
      'recorded?': recordedCall,
    }),
    run(asked, parts) {
      if ('recorded' in asked) return { text: createRecordedSnippet(asked.form, asked.recorded) };
      const call = 'call' in asked ? { id: asked.call, ...parts.calls.full(asked.call) } : { params: {}, ...asked };
      return { text: createSnippet(asked.form, call, parts) };
    },
  },
  save: {
    schema: object({ 'id?': id, name: shortText, target: text, method: text, params: anyObject }),
    run: async (request, { collection }) => ({ id: await collection.save(request) }),
  },
  unsave: {
    schema: object({ id }),
    async run({ id: saved }, { collection }) {
      await collection.remove(saved);
      return {};
    },
  },
  record: {
    schema: object({ 'name?': shortText }),
    run: ({ name }, { recorder }) => ({ file: recorder.start(name) }),
  },
  'record-stop': { schema: object({}), run: (_, { recorder }) => ({ file: recorder.stop() }) },
  recordings: { schema: object({}), run: (_, { recorder }) => ({ files: recorder.list() }) },
};
