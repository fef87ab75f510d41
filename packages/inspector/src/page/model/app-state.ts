import { type CallEnd, type CallStart, type Progress, taskIsOver, type TaskState } from '../../shared/calls.ts';
import type { Connection, KnownTarget } from '../../shared/connections.ts';
import type { Hello, InspectorEvent, Numbered } from '../../shared/events.ts';
import type { DoctorEnd, DoctorStart, DoctorStep, SignInState, SignInStep } from '../../shared/diagnostics.ts';
import type { HttpEnd, HttpRequest, HttpResponse } from '../../shared/http.ts';
import type { ListEntries, ListState } from '../../shared/lists.ts';
import type { ByItself, KnownModel, ModelAsk, ModelEnd } from '../../shared/models.ts';
import type { Question, QuestionEnd } from '../../shared/questions.ts';
import type { ReadSkill, SkillsOfServer } from '../../shared/skills.ts';
import type { Subscription } from '../../shared/subscriptions.ts';
import type { Collection, RecordingState } from '../../shared/recordings.ts';
import { HeardChanges } from './change-history.ts';

/** A call with all that is known of it. */
export interface Call {
  readonly start: CallStart & Numbered;
  end?: CallEnd & Numbered;
  progress?: Progress;
  /** What belongs to it, in order. */
  readonly inside: TimelineEvent[];
  readonly questions: string[];
}

/** An HTTP exchange, as far as it has come. */
export interface Exchange {
  readonly request: HttpRequest & Numbered;
  response?: HttpResponse & Numbered;
  end?: HttpEnd & Numbered;
}

/** A question of a server, and how it ended. */
export interface Asked {
  readonly question: Question & Numbered;
  end?: QuestionEnd & Numbered;
}

/** A model that was asked for an answer, and what came of it. */
export interface AskedModel {
  readonly start: ModelAsk & Numbered;
  end?: ModelEnd & Numbered;
}

/** An examination. */
export interface Examination {
  readonly start: DoctorStart & Numbered;
  readonly steps: DoctorStep[];
  end?: DoctorEnd & Numbered;
}

/** A walk through signing in. */
export interface SignInFlow {
  state: SignInState;
  readonly steps: Map<string, SignInStep>;
}

/** What has a row in the timeline. */
export type TimelineEvent = InspectorEvent<
  'message' | 'http-request' | 'output' | 'warning' | 'span' | 'change' | 'task'
>;

/** Parts of the world that are told of together. */
export const areas = ['hello', 'connections', 'lists', 'calls', 'timeline', 'questions', 'findings', 'work'] as const;
export type Area = (typeof areas)[number];

/** So many different warnings of a connection are shown beside the timeline. */
const mostWarnings = 50;

/** All that is known: what the events said, laid in order. A recording that was opened is one too. */
export class World {
  hello: Hello | undefined;
  last = 0;
  /** When the latest event happened. */
  until = 0;
  firstKept = 1;
  /** How many events of the timeline were given up so far. */
  gone = 0;
  targets: readonly KnownTarget[] = [];
  readonly connections = new Map<string, Connection>();
  readonly lists = new Map<string, ListState & Numbered>();
  /** What lists have, where a recording tells it. */
  readonly listed = new Map<string, ListEntries>();
  /** The skills of connections, and those that were read, by connection and address. */
  readonly skills = new Map<string, SkillsOfServer>();
  readonly readSkills = new Map<string, ReadSkill>();
  readonly calls = new Map<string, Call>();
  readonly exchanges = new Map<string, Exchange>();
  readonly questions = new Map<string, Asked>();
  /** The model that may answer for the person. */
  model: KnownModel | undefined;
  /** What was last asked of it, by question. */
  readonly askedModels = new Map<string, AskedModel>();
  /** Connections that it answers by itself, or did. */
  readonly byItself = new Map<string, ByItself>();
  readonly examinations = new Map<string, Examination>();
  readonly flows = new Map<string, SignInFlow>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly tasks = new Map<string, TaskState & Numbered>();
  readonly answers = new Map<number, number>();
  /** What was odd about each connection, and how often; the first of them. */
  readonly warnings = new Map<string, Map<string, number>>();
  readonly heard = new HeardChanges();
  timeline: TimelineEvent[] = [];
  collection: Collection | undefined;
  recording: RecordingState | undefined;

  /** Takes in one event, and says which parts it changed. */
  take(event: InspectorEvent): readonly Area[] {
    this.last = event.n;
    this.until = event.at;
    switch (event.type) {
      case 'targets':
        this.targets = event.targets;
        return ['connections'];
      case 'connection':
        this.connections.set(event.connection.id, event.connection);
        return ['connections'];
      case 'forgotten':
        this.#forget(event.connection);
        return areas;
      case 'message':
        if (event.answers !== undefined) this.answers.set(event.answers, event.n);
        return this.#row(event, event.call);
      case 'http-request':
        this.exchanges.set(event.exchange, { request: event });
        // One that carried a message is shown with it.
        return event.body === undefined && event.method === 'POST'
          ? ['findings']
          : [...this.#row(event, event.call), 'findings'];
      case 'http-response':
        return this.#exchange(event.exchange, (exchange) => (exchange.response = event));
      case 'http-end':
        return this.#exchange(event.exchange, (exchange) => (exchange.end = event));
      case 'call':
        this.calls.set(event.call, { start: event, inside: [], questions: [] });
        this.heard.call(event);
        return ['calls'];
      case 'progress':
        return this.#call(event.call, (call) => (call.progress = event));
      case 'call-end':
        return this.#call(event.call, (call) => (call.end = event));
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
        this.askedModels.set(event.question, { start: event });
        return ['questions'];
      case 'model-end': {
        const asked = this.askedModels.get(event.question);
        if (asked?.start.ask === event.ask) asked.end = event;
        return ['questions'];
      }
      case 'by-itself':
        this.byItself.set(event.connection, event);
        return ['questions'];
      case 'list':
        this.lists.set(`${event.connection}/${event.kind}`, event);
        if (event.listed !== undefined) this.listed.set(`${event.connection}/${event.kind}`, event.listed);
        this.heard.list(event);
        return ['lists', 'work'];
      case 'skills':
        this.skills.set(event.connection, event);
        return ['work'];
      case 'skill':
        this.readSkills.set(`${event.connection}/${event.uri}`, event);
        return ['work'];
      case 'doctor':
        this.examinations.set(event.doctor, { start: event, steps: [] });
        return ['findings'];
      case 'doctor-step':
        this.examinations.get(event.doctor)?.steps.push(event);
        return ['findings'];
      case 'doctor-end': {
        const examination = this.examinations.get(event.doctor);
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
        this.heard.change(event);
        return [...this.#row(event, undefined), 'work'];
      case 'task':
        this.tasks.set(`${event.connection}/${event.task}`, event);
        return [...this.#row(event, event.call), 'work'];
      case 'collection':
        this.collection = event;
        return ['work'];
      case 'recording':
        this.recording = event;
        return ['work'];
      case 'dropped':
        this.#giveUp(event.before);
        return ['timeline', 'calls', 'findings', 'work'];
      case 'output':
        return this.#row(event, undefined);
      case 'warning':
        this.#warn(event.connection ?? '', event.says);
        return [...this.#row(event, undefined), 'connections'];
      case 'span':
        return this.#row(event, event.call);
      default:
        return [];
    }
  }

  #warn(connection: string, says: string): void {
    const known = this.warnings.get(connection) ?? new Map<string, number>();
    if (known.size < mostWarnings || known.has(says)) known.set(says, (known.get(says) ?? 0) + 1);
    this.warnings.set(connection, known);
  }

  /** How many events of the timeline have a number up to this one. */
  countUpTo(n: number): number {
    return upTo(this.timeline, n);
  }

  /** Forgets what a page that is loaded now would not hear of any more. */
  #giveUp(before: number): void {
    this.firstKept = before;
    const count = this.countUpTo(before - 1);
    this.timeline.splice(0, count);
    this.gone += count;
    for (const [key, { end, inside }] of this.calls) {
      if (end !== undefined && end.n < before) this.calls.delete(key);
      else if ((inside[0]?.n ?? before) < before) inside.splice(0, upTo(inside, before - 1));
    }
    for (const [key, { end }] of this.questions) if (end !== undefined && end.n < before) this.questions.delete(key);
    for (const [key, { status, n }] of this.tasks) if (n < before && taskIsOver(status)) this.tasks.delete(key);
    for (const [key, { end }] of this.exchanges) if (end !== undefined && end.n < before) this.exchanges.delete(key);
    for (const [asked, answer] of this.answers) if (answer < before) this.answers.delete(asked);
    this.heard.giveUp(before);
  }

  #row(event: TimelineEvent, call: string | undefined): readonly Area[] {
    this.timeline.push(event);
    if (call === undefined) return ['timeline'];
    this.calls.get(call)?.inside.push(event);
    return ['timeline', 'calls'];
  }

  #call(id: string, change: (call: Call) => void): readonly Area[] {
    const call = this.calls.get(id);
    if (call !== undefined) change(call);
    return ['calls', 'timeline'];
  }

  #exchange(id: string, change: (exchange: Exchange) => void): readonly Area[] {
    const exchange = this.exchanges.get(id);
    if (exchange !== undefined) change(exchange);
    return ['findings', 'timeline'];
  }

  #forget(connection: string): void {
    this.connections.delete(connection);
    this.warnings.delete(connection);
    this.byItself.delete(connection);
    for (const [key, { start }] of this.askedModels) if (start.connection === connection) this.askedModels.delete(key);
    for (const [key, { connection: owner }] of this.lists) {
      if (owner !== connection) continue;
      this.lists.delete(key);
      this.listed.delete(key);
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
    this.heard.forget(connection);
  }
}

/** How many of these events, which are in order, have a number up to this one. */
function upTo(events: readonly TimelineEvent[], n: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as TimelineEvent).n <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
