import type { Question } from '../../shared/questions.ts';
import { hintsOf } from './hints-of.ts';
import { sampleFaults } from './sample-faults.ts';

/** What a request for a sample wants beside its messages, and what is wrong with it. */
export function SampleFacts({ params }: { params: Question['params'] }) {
  const { maxTokens, temperature, stopSequences, tools, toolChoice, includeContext, messages } = params;
  const facts = [
    typeof maxTokens === 'number' ? `at most ${maxTokens} tokens` : 'no bound of tokens, which the protocol wants',
    ...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0
      ? [`stops at ${stopSequences.length} ${stopSequences.length === 1 ? 'text' : 'texts'}`]
      : []),
    ...(Array.isArray(tools)
      ? [`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${choiceWords(toolChoice)}`]
      : []),
    ...(hintsOf(params).length > 0 ? [`would like ${hintsOf(params).join(', ')}`] : []),
    ...(includeContext === 'thisServer' || includeContext === 'allServers'
      ? [`wants context (${includeContext}), which is not supported: none is added`]
      : []),
  ];
  const faults = sampleFaults(messages);
  return (
    <>
      <p class="dim small">{facts.join(' · ')}</p>
      {faults.length === 0 ? null : (
        <ul class="small">
          {faults.map((fault) => (
            <li key={fault} class="note">
              ▲ {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function choiceWords(choice: unknown): string {
  const mode = (choice as { mode?: unknown } | null | undefined)?.mode;
  return typeof mode === 'string' ? `, ${mode.slice(0, 20)}` : '';
}
