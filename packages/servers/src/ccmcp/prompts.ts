import { type Prompt, prompt, text } from '@ccmcp/core';

const greet = prompt(
  'greet',
  { description: 'Greet someone warmly', arguments: { name: { description: 'Name to greet', required: true } } },
  ({ name }) => `Please greet ${name} warmly`,
);

const summarize = prompt(
  'summarize',
  { description: 'Summarize a text', arguments: { text: { description: 'The text', required: true } } },
  (args) => `Please summarize the following text:\n\n${args.text}`,
);

const languages = [
  'C',
  'C++',
  'C#',
  'Go',
  'Java',
  'JavaScript',
  'Kotlin',
  'PHP',
  'Python',
  'Ruby',
  'Rust',
  'Swift',
  'TypeScript',
  'Zig',
];

const codeReview = prompt(
  'code_review',
  {
    description: 'Review code quality',
    arguments: {
      code: { description: 'Code to review', required: true },
      language: { description: 'The language it is written in', complete: languages },
    },
  },
  ({ code, language }) => ({
    description: 'Code review prompt',
    messages: [
      {
        role: 'user',
        content: text(`Please review this ${language === undefined ? '' : `${language} `}code:\n${code}`),
      },
    ],
  }),
);

/** Texts that a person can start a conversation with. */
export const prompts: Prompt[] = [greet, summarize, codeReview];
