import { type Prompt, prompt } from '@ccmcp/core';

const greet = prompt(
  'greet',
  { description: 'Greet someone warmly', arguments: { name: { description: 'Who to greet', required: true } } },
  ({ name }) => `Please greet ${name} warmly`,
);

const summarize = prompt(
  'summarize',
  { description: 'Summarize a text', arguments: { text: { description: 'The text', required: true } } },
  ({ text }) => `Please summarize the following text:\n\n${text}`,
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
    description: 'Review the quality of code',
    arguments: {
      code: { description: 'The code to review', required: true },
      language: { description: 'The language it is written in', complete: languages },
    },
  },
  ({ code, language }) => `Please review this ${language === undefined ? '' : `${language} `}code:\n\n${code}`,
);

/** Texts that a person can start a conversation with. */
export const prompts: Prompt[] = [greet, summarize, codeReview];
