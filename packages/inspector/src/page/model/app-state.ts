import { type CallEnd, type CallStart, isTaskFinished, type Progress, type TaskState } from '../../shared/calls.ts';
import type { Connection, KnownTarget } from '../../shared/connections.ts';
import type { Hello, InspectorEvent, NumberedEvent } from '../../shared/events.ts';
import type { HeldDefinition, ListEntries, ListState, ReadSkill, SkillList, Subscription } from '../../shared/lists.ts';
import type { Question, QuestionEnd } from '../../shared/questions.ts';
import type { Collection, RecordingState } from '../../shared/recordings.ts';
import { ChangeHistory } from './change-history.ts';
import { Diagnostics } from './diagnostics.ts';
import { ModelAnswers } from './model-answers.ts';
import { countEventsUpTo, Timeline, type TimelineEvent } from './timeline.ts';

/** A call and everything that belongs to it. */
export interface Call {
  readonly start: CallStart & NumberedEvent;
  end?: CallEnd & NumberedEvent;
  progress?: Progress;
  /** Its events, in order. */
  readonly events: TimelineEvent[];
  readonly questions: string[];
}

/** A question of a server and its outcome. */
export interface QuestionEntry {
  readonly question: Question & NumberedEvent;
  end?: QuestionEnd & NumberedEvent;
}

/** Areas of the state that components subscribe to. */
export const areas = ['hello', 'connections', 'lists', 'calls', 'timeline', 'questions', 'findings', 'work'] as const;
export type Area = (typeof areas)[number];

/** Limit of distinct warnings per connection. */
const maxWarnings = 50;

/** State of the page, reduced from events. An opened recording is one too. */
export class AppState {
  hello: Hello | undefined;
  last = 0;
  /** Time of the latest event. */
  lastEventAt = 0;
  targets: readonly KnownTarget[] = [];
  readonly connections = new Map<string, Connection>();
  readonly lists = new Map<string, ListState & NumberedEvent>();
  /** List entries, if a recording contains them. */
  readonly recordedEntries = new Map<string, ListEntries>();
  /** Skills by connection, and read skills by connection and URI. */
  readonly skills = new Map<string, SkillList>();
  readonly readSkills = new Map<string, ReadSkill>();
  readonly calls = new Map<string, Call>();
  readonly questions = new Map<string, QuestionEntry>();
  readonly modelAnswers = new ModelAnswers();
  readonly diagnostics = new Diagnostics();
  readonly subscriptions = new Map<string, Subscription>();
  readonly tasks = new Map<string, TaskState & NumberedEvent>();
  /** Definitions that wait for a decision, by connection. */
  readonly heldBack = new Map<string, readonly HeldDefinition[]>();
  /** Warnings by connection, with their counts. */
  readonly warnings = new Map<string, Map<string, number>>();
  readonly changeHistory = new ChangeHistory();
  readonly timeline = new Timeline();
  collection: Collection | undefined;
  recording: RecordingState | undefined;

  /** Applies an event, and returns the areas it changed. */
  apply(event: InspectorEvent): readonly Area[] {
    this.last = event.n;
    this.lastEventAt = event.at;
    switch (event.type) {
      case 'targets':
        this.targets = event.targets;
        return ['connections'];
      case 'connection':
        this.connections.set(event.connection.id, event.connection);
        return ['connections'];
      case 'forgotten':
        this.#removeConnection(event.connection);
        return areas;
      case 'message':
        return this.#addRow(event, event.call);
      case 'http-request':
        this.diagnostics.apply(event);
        // A request that carried a message is shown with the message.
        return event.body === undefined && event.method === 'POST'
          ? ['findings']
          : [...this.#addRow(event, event.call), 'findings'];
      case 'http-response':
      case 'http-end':
        this.diagnostics.apply(event);
        return ['findings', 'timeline'];
      case 'call':
        this.calls.set(event.call, { start: event, events: [], questions: [] });
        this.changeHistory.addCall(event);
        return ['calls'];
      case 'progress':
        return this.#updateCall(event.call, (call) => (call.progress = event));
      case 'call-end':
        return this.#updateCall(event.call, (call) => (call.end = event));
      case 'question':
        this.questions.set(event.question, { question: event });
        if (event.call !== undefined) this.calls.get(event.call)?.questions.push(event.question);
        return ['questions', 'calls'];
      case 'question-end': {
        const asked = this.questions.get(event.question);
        if (asked !== undefined) asked.end = event;
        return ['questions', 'calls'];
      }
      case 'model':
      case 'model-ask':
      case 'model-end':
      case 'auto-answer':
        this.modelAnswers.apply(event);
        return ['questions'];
      case 'list':
        this.lists.set(`${event.connection}/${event.kind}`, event);
        if (event.listed !== undefined) this.recordedEntries.set(`${event.connection}/${event.kind}`, event.listed);
        this.changeHistory.addList(event);
        return ['lists', 'work'];
      case 'held-back':
        this.heldBack.set(event.connection, event.definitions);
        return ['connections'];
      case 'skills':
        this.skills.set(event.connection, event);
        return ['work'];
      case 'skill':
        this.readSkills.set(`${event.connection}/${event.uri}`, event);
        return ['work'];
      case 'doctor':
      case 'doctor-step':
      case 'doctor-end':
      case 'sign-in':
      case 'sign-in-step':
        this.diagnostics.apply(event);
        return ['findings'];
      case 'subscription':
        this.subscriptions.set(event.subscription, event);
        return ['work'];
      case 'change':
        this.changeHistory.addChange(event);
        return [...this.#addRow(event, undefined), 'work'];
      case 'task':
        this.tasks.set(`${event.connection}/${event.task}`, event);
        return [...this.#addRow(event, event.call), 'work'];
      case 'collection':
        this.collection = event;
        return ['work'];
      case 'recording':
        this.recording = event;
        return ['work'];
      case 'dropped':
        this.#dropBefore(event.before);
        return ['timeline', 'calls', 'findings', 'work'];
      case 'output':
        return this.#addRow(event, undefined);
      case 'warning':
        this.#addWarning(event.connection ?? '', event.message);
        return [...this.#addRow(event, undefined), 'connections'];
      case 'span':
        return this.#addRow(event, event.call);
      default:
        return [];
    }
  }

  #addWarning(connection: string, message: string): void {
    const known = this.warnings.get(connection) ?? new Map<string, number>();
    if (known.size < maxWarnings || known.has(message)) known.set(message, (known.get(message) ?? 0) + 1);
    this.warnings.set(connection, known);
  }

  /** Drops what a freshly loaded page would not receive any more. */
  #dropBefore(before: number): void {
    this.timeline.dropBefore(before);
    for (const [key, { end, events }] of this.calls) {
      if (end !== undefined && end.n < before) this.calls.delete(key);
      else if ((events[0]?.n ?? before) < before) events.splice(0, countEventsUpTo(events, before - 1));
    }
    for (const [key, { end }] of this.questions) if (end !== undefined && end.n < before) this.questions.delete(key);
    for (const [key, { status, n }] of this.tasks) if (n < before && isTaskFinished(status)) this.tasks.delete(key);
    this.diagnostics.dropBefore(before);
    this.changeHistory.dropBefore(before);
  }

  #addRow(event: TimelineEvent, call: string | undefined): readonly Area[] {
    this.timeline.add(event);
    if (call === undefined) return ['timeline'];
    this.calls.get(call)?.events.push(event);
    return ['timeline', 'calls'];
  }

  #updateCall(id: string, change: (call: Call) => void): readonly Area[] {
    const call = this.calls.get(id);
    if (call !== undefined) change(call);
    return ['calls', 'timeline'];
  }

  #removeConnection(connection: string): void {
    this.connections.delete(connection);
    this.warnings.delete(connection);
    this.heldBack.delete(connection);
    this.modelAnswers.removeConnection(connection);
    for (const [key, { connection: owner }] of this.lists) {
      if (owner !== connection) continue;
      this.lists.delete(key);
      this.recordedEntries.delete(key);
    }
    this.skills.delete(connection);
    for (const key of this.readSkills.keys()) if (key.startsWith(`${connection}/`)) this.readSkills.delete(key);
    for (const [key, { start }] of this.calls) if (start.connection === connection) this.calls.delete(key);
    for (const [key, { question }] of this.questions)
      if (question.connection === connection) this.questions.delete(key);
    this.diagnostics.removeConnection(connection);
    for (const [key, { connection: owner }] of this.subscriptions)
      if (owner === connection) this.subscriptions.delete(key);
    for (const [key, { connection: owner }] of this.tasks) if (owner === connection) this.tasks.delete(key);
    this.timeline.removeConnection(connection);
    this.changeHistory.removeConnection(connection);
  }
}
