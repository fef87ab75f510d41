import type { InspectorEvent, NumberedEvent } from '../../shared/events.ts';
import type { AutoAnswerState, KnownModel, ModelAsk, ModelEnd } from '../../shared/questions.ts';

/** A request to a model and its outcome. */
export interface ModelRequest {
  readonly start: ModelAsk & NumberedEvent;
  end?: ModelEnd & NumberedEvent;
}

/** The model that may answer questions of servers, what it was asked, and where it answers without review. */
export class ModelAnswers {
  model: KnownModel | undefined;
  /** Latest request by question. */
  readonly requests = new Map<string, ModelRequest>();
  /** Auto-answer state by connection. */
  readonly auto = new Map<string, AutoAnswerState>();

  apply(event: InspectorEvent<'model' | 'model-ask' | 'model-end' | 'auto-answer'>): void {
    switch (event.type) {
      case 'model':
        this.model = event.model;
        break;
      case 'model-ask':
        this.requests.set(event.question, { start: event });
        break;
      case 'model-end': {
        const asked = this.requests.get(event.question);
        if (asked?.start.ask === event.ask) asked.end = event;
        break;
      }
      case 'auto-answer':
        this.auto.set(event.connection, event);
    }
  }

  removeConnection(connection: string): void {
    this.auto.delete(connection);
    for (const [key, { start }] of this.requests) if (start.connection === connection) this.requests.delete(key);
  }
}
