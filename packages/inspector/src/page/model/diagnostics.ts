import type { DoctorEnd, DoctorStart, DoctorStep, SignInState, SignInStep } from '../../shared/diagnostics.ts';
import type { InspectorEvent, NumberedEvent } from '../../shared/events.ts';
import type { HttpEnd, HttpRequest, HttpResponse } from '../../shared/messages.ts';

/** An HTTP exchange, possibly unfinished. */
export interface Exchange {
  readonly request: HttpRequest & NumberedEvent;
  response?: HttpResponse & NumberedEvent;
  end?: HttpEnd & NumberedEvent;
}

/** One run of the doctor. */
export interface DoctorRun {
  readonly start: DoctorStart & NumberedEvent;
  readonly steps: DoctorStep[];
  end?: DoctorEnd & NumberedEvent;
}

/** One OAuth flow. */
export interface SignInFlow {
  state: SignInState;
  readonly steps: Map<string, SignInStep>;
}

/** Diagnostics of a connection: HTTP exchanges, runs of the doctor, and sign-ins. */
export class Diagnostics {
  readonly exchanges = new Map<string, Exchange>();
  readonly doctorRuns = new Map<string, DoctorRun>();
  readonly signIns = new Map<string, SignInFlow>();

  apply(
    event: InspectorEvent<
      | 'http-request'
      | 'http-response'
      | 'http-end'
      | 'doctor'
      | 'doctor-step'
      | 'doctor-end'
      | 'sign-in'
      | 'sign-in-step'
    >,
  ): void {
    switch (event.type) {
      case 'http-request':
        this.exchanges.set(event.exchange, { request: event });
        break;
      case 'http-response': {
        const exchange = this.exchanges.get(event.exchange);
        if (exchange !== undefined) exchange.response = event;
        break;
      }
      case 'http-end': {
        const exchange = this.exchanges.get(event.exchange);
        if (exchange !== undefined) exchange.end = event;
        break;
      }
      case 'doctor':
        this.doctorRuns.set(event.doctor, { start: event, steps: [] });
        break;
      case 'doctor-step':
        this.doctorRuns.get(event.doctor)?.steps.push(event);
        break;
      case 'doctor-end': {
        const run = this.doctorRuns.get(event.doctor);
        if (run !== undefined) run.end = event;
        break;
      }
      case 'sign-in':
        this.signIns.set(event.flow, { steps: new Map(), ...this.signIns.get(event.flow), state: event });
        break;
      case 'sign-in-step':
        this.signIns.get(event.flow)?.steps.set(event.step, event);
    }
  }

  dropBefore(before: number): void {
    for (const [key, { end }] of this.exchanges) if (end !== undefined && end.n < before) this.exchanges.delete(key);
  }

  removeConnection(connection: string): void {
    for (const [key, { request }] of this.exchanges) if (request.connection === connection) this.exchanges.delete(key);
  }
}
