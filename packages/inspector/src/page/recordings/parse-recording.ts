import type { InspectorEvent } from '../../shared/events.ts';
import type { RecordingHead } from '../../shared/recordings.ts';
import { AppState } from '../model/app-state.ts';

/** Parses a recording into a state. */
export function parseRecording(text: string): AppState {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '');
  if (parseHead(head)?.format !== 'ccmcp-recording') throw new Error('This file is not a recording of the inspector.');
  const appState = new AppState();
  for (const [index, line] of lines.entries()) {
    try {
      appState.apply(JSON.parse(line) as InspectorEvent);
    } catch {
      // A recording truncated in its last line shows everything before.
      if (index < lines.length - 1) throw new Error(`Line ${index + 2} of the recording is invalid.`);
    }
  }
  // Questions in a recording can't be answered any more.
  for (const asked of appState.questions.values()) {
    const { question, n, at } = asked.question;
    asked.end ??= { question, n, at, outcome: 'lost', ms: appState.lastEventAt - at };
  }
  return appState;
}

function parseHead(line: string): RecordingHead | undefined {
  try {
    return JSON.parse(line) as RecordingHead;
  } catch {
    return undefined;
  }
}
