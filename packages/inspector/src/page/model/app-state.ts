import { type CallEnd, type CallStart, type Progress, isTaskFinished, type TaskState } from '../../shared/calls.ts';
import type { Connection, KnownTarget } from '../../shared/connections.ts';
import type { Hello, InspectorEvent, Numbered } from '../../shared/events.ts';
import type { DoctorEnd, DoctorStart, DoctorStep, SignInState, SignInStep } from '../../shared/diagnostics.ts';
import type { HttpEnd, HttpRequest, HttpResponse } from '../../shared/http.ts';
import type { ListEntries, ListState } from '../../shared/lists.ts';
import type { AutoAnswerState, KnownModel, ModelAsk, ModelEnd } from '../../shared/models.ts';
import type { Question, QuestionEnd } from '../../shared/questions.ts';
import type { ReadSkill, SkillList } from '../../shared/skills.ts';
import type { Subscription } from '../../shared/subscriptions.ts';
import type { Collection, RecordingState } from '../../shared/recordings.ts';
import { ChangeHistory } from './change-history.ts';

/** A call and everything that belongs to it. */
export interface Call {
  readonly start: CallStart & Numbered;
  end?: CallEnd & Numbered;
  progress?: Progress;
  /** Its events, in order. */
  readonly events: TimelineEvent[];
  readonly questions: string[];
}

/** An HTTP exchange, possibly unfinished. */
export interface Exchange {
  readonly request: HttpRequest & Numbered;
  response?: HttpResponse & Numbered;
  end?: HttpEnd & Numbered;
}

/** A question of a server and its outcome. */
export interface QuestionEntry {
  readonly question: Question & Numbered;
  end?: QuestionEnd & Numbered;
}

/** A request to a model and its outcome. */
export interface ModelRequest {
  readonly start: ModelAsk & Numbered;
  end?: ModelEnd & Numbered;
}

/** One run of the doctor. */
export interface DoctorRun {
  readonly start: DoctorStart & Numbered;
  readonly steps: DoctorStep[];
  end?: DoctorEnd & Numbered;
}

/** One OAuth flow. */
export interface SignInFlow {
  state: SignInState;
  readonly steps: Map<string, SignInStep>;
}

/** Events that have a row in the timeline. */
export type TimelineEvent = InspectorEvent<
  'message' | 'http-request' | 'output' | 'warning' | 'span' | 'change' | 'task'
>;

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
  firstRetained = 1;
  /** Number of timeline events dropped so far. */
  droppedCount = 0;
  targets: readonly KnownTarget[] = [];
  readonly connections = new Map<string, Connection>();
  readonly lists = new Map<string, ListState & Numbered>();
  /** List entries, if a recording contains them. */
  readonly recordedEntries = new Map<string, ListEntries>();
  /** Skills by connection, and read skills by connection and URI. */
  readonly skills = new Map<string, SkillList>();
  readonly readSkills = new Map<string, ReadSkill>();
  readonly calls = new Map<string, Call>();
  readonly exchanges = new Map<string, Exchange>();
  readonly questions = new Map<string, QuestionEntry>();
  /** The model that may answer questions. */
  model: KnownModel | undefined;
  /** Latest model request by question. */
  readonly modelRequests = new Map<string, ModelRequest>();
  /** Auto-answer state by connection. */
  readonly autoAnswers = new Map<string, AutoAnswerState>();
  readonly doctorRuns = new Map<string, DoctorRun>();
  readonly flows = new Map<string, SignInFlow>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly tasks = new Map<string, TaskState & Numbered>();
  readonly answers = new Map<number, number>();
  /** Warnings by connection, with their counts. */
  readonly warnings = new Map<string, Map<string, number>>();
  readonly changeHistory = new ChangeHistory();
  timeline: TimelineEvent[] = [];
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
        if (event.answers !== undefined) this.answers.set(event.answers, event.n);
        return this.#addRow(event, event.call);
      case 'http-request':
        this.exchanges.set(event.exchange, { request: event });
        // A request that carried a message is shown with the message.
        return event.body === undefined && event.method === 'POST'
          ? ['findings']
          : [...this.#addRow(event, event.call), 'findings'];
      case 'http-response':
        return this.#updateExchange(event.exchange, (exchange) => (exchange.response = event));
      case 'http-end':
        return this.#updateExchange(event.exchange, (exchange) => (exchange.end = event));
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
        this.model = event.model;
        return ['questions'];
      case 'model-ask':
        this.modelRequests.set(event.question, { start: event });
        return ['questions'];
      case 'model-end': {
        const asked = this.modelRequests.get(event.question);
        if (asked?.start.ask === event.ask) asked.end = event;
        return ['questions'];
      }
      case 'by-itself':
        this.autoAnswers.set(event.connection, event);
        return ['questions'];
      case 'list':
        this.lists.set(`${event.connection}/${event.kind}`, event);
        if (event.listed !== undefined) this.recordedEntries.set(`${event.connection}/${event.kind}`, event.listed);
        this.changeHistory.addList(event);
        return ['lists', 'work'];
      case 'skills':
        this.skills.set(event.connection, event);
        return ['work'];
      case 'skill':
        this.readSkills.set(`${event.connection}/${event.uri}`, event);
        return ['work'];
      case 'doctor':
        this.doctorRuns.set(event.doctor, { start: event, steps: [] });
        return ['findings'];
      case 'doctor-step':
        this.doctorRuns.get(event.doctor)?.steps.push(event);
        return ['findings'];
      case 'doctor-end': {
        const examination = this.doctorRuns.get(event.doctor);
        if (examination !== undefined) examination.end = event;
        return ['findings'];
      }
      case 'sign-in':
        this.flows.set(event.flow, { steps: new Map(), ...this.flows.get(event.flow), state: event });
        return ['findings'];
      case 'sign-in-step':
        this.flows.get(event.flow)?.steps.set(event.step, event);
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
        this.#addWarning(event.connection ?? '', event.says);
        return [...this.#addRow(event, undefined), 'connections'];
      case 'span':
        return this.#addRow(event, event.call);
      default:
        return [];
    }
  }

  #addWarning(connection: string, says: string): void {
    const known = this.warnings.get(connection) ?? new Map<string, number>();
    if (known.size < maxWarnings || known.has(says)) known.set(says, (known.get(says) ?? 0) + 1);
    this.warnings.set(connection, known);
  }

  /** Number of timeline events with a number up to `n`. */
  countUpTo(n: number): number {
    return countEventsUpTo(this.timeline, n);
  }

  /** Drops what a freshly loaded page would not receive any more. */
  #dropBefore(before: number): void {
    this.firstRetained = before;
    const count = this.countUpTo(before - 1);
    this.timeline.splice(0, count);
    this.droppedCount += count;
    for (const [key, { end, events }] of this.calls) {
      if (end !== undefined && end.n < before) this.calls.delete(key);
      else if ((events[0]?.n ?? before) < before) events.splice(0, countEventsUpTo(events, before - 1));
    }
    for (const [key, { end }] of this.questions) if (end !== undefined && end.n < before) this.questions.delete(key);
    for (const [key, { status, n }] of this.tasks) if (n < before && isTaskFinished(status)) this.tasks.delete(key);
    for (const [key, { end }] of this.exchanges) if (end !== undefined && end.n < before) this.exchanges.delete(key);
    for (const [asked, answer] of this.answers) if (answer < before) this.answers.delete(asked);
    this.changeHistory.dropBefore(before);
  }

  #addRow(event: TimelineEvent, call: string | undefined): readonly Area[] {
    this.timeline.push(event);
    if (call === undefined) return ['timeline'];
    this.calls.get(call)?.events.push(event);
    return ['timeline', 'calls'];
  }

  #updateCall(id: string, change: (call: Call) => void): readonly Area[] {
    const call = this.calls.get(id);
    if (call !== undefined) change(call);
    return ['calls', 'timeline'];
  }

  #updateExchange(id: string, change: (exchange: Exchange) => void): readonly Area[] {
    const exchange = this.exchanges.get(id);
    if (exchange !== undefined) change(exchange);
    return ['findings', 'timeline'];
  }

  #removeConnection(connection: string): void {
    this.connections.delete(connection);
    this.warnings.delete(connection);
    this.autoAnswers.delete(connection);
    for (const [key, { start }] of this.modelRequests)
      if (start.connection === connection) this.modelRequests.delete(key);
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
    for (const [key, { request }] of this.exchanges) if (request.connection === connection) this.exchanges.delete(key);
    for (const [key, { connection: owner }] of this.subscriptions)
      if (owner === connection) this.subscriptions.delete(key);
    for (const [key, { connection: owner }] of this.tasks) if (owner === connection) this.tasks.delete(key);
    this.timeline = this.timeline.filter((event) => !('connection' in event) || event.connection !== connection);
    this.changeHistory.removeConnection(connection);
  }
}

/** Binary search: number of events with a number up to `n`. */
function countEventsUpTo(events: readonly TimelineEvent[], n: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as TimelineEvent).n <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
