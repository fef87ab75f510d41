/// <reference types="node" preserve="true" />

export { openTransport } from './client/open-transport.ts';
export { mask } from './features/audit/redact.ts';
export {
  type RecordedMessage,
  type RecordedSender,
  type RecordingHead,
  recordingFormat,
  recordingVersion,
} from './features/recording/format.ts';
export type { MatchKeys } from './features/recording/match-key.ts';
export { type ParsedMessage, parseFrame, subjectOf } from './features/recording/parse-frame.ts';
export {
  type Cue,
  type MessagePosition,
  readRecording,
  readRecordingEnd,
  type RecordedSession,
  type Recording,
  type Step,
} from './features/recording/read-recording.ts';
export {
  type RecordedConnection,
  type RecordedExchange,
  type RecordedTarget,
  type RecordingEnd,
  type RecordingWriter,
  type RecordingWriterOptions,
  recordingWriter,
} from './features/recording/recording-writer.ts';
export {
  type Replay,
  type ReplayConnection,
  type ReplayOptions,
  replayRecording,
} from './features/recording/replay.ts';
export { safeStringify } from './features/recording/safe-stringify.ts';
export { type MaskedHeaders, maskBody, maskHeaders, maskLabel, maskUrl } from './features/recording/secrets.ts';
export { createFraming, type FramingName } from './jsonrpc/framing/detect.ts';
export type { Framing, Unreadable } from './jsonrpc/framing/framing.ts';
export { parseEvents, type StreamEvent } from './transports/http/client/wire/sse-events.ts';
