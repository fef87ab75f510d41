import type { InspectorEvent } from '../../shared/events.ts';
import type { RecordingHead } from '../../shared/recordings.ts';
import { World } from '../model/app-state.ts';

/** The world that a recording tells of. */
export function worldOf(text: string): World {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '');
  if (headOf(head)?.format !== 'ccmcp-recording')
    throw new Error('This file is no recording of the inspector: its first line is not the head of one.');
  const world = new World();
  for (const [index, line] of lines.entries()) {
    try {
      world.take(JSON.parse(line) as InspectorEvent);
    } catch {
      // A recording that was cut off in the middle of a line shows what came before.
      if (index < lines.length - 1) throw new Error(`Line ${index + 2} of the recording can't be read.`);
    }
  }
  // Nobody waits for an answer in a recording.
  for (const asked of world.questions.values()) {
    const { question, n, at } = asked.question;
    asked.end ??= { question, n, at, outcome: 'lost', ms: world.until - at };
  }
  return world;
}

function headOf(line: string): RecordingHead | undefined {
  try {
    return JSON.parse(line) as RecordingHead;
  } catch {
    return undefined;
  }
}
