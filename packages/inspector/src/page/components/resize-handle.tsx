import { set, settings } from '../model/settings.ts';

type Measure = 'servers' | 'list' | 'timeline';

const least: Readonly<Record<Measure, number>> = { servers: 140, list: 200, timeline: 96 };

/** A border that can be dragged, or moved with the arrow keys. */
export function Edge({ of, label }: { of: Measure; label: string }) {
  const isFlat = of === 'timeline';
  const move = (by: number) => set({ [of]: bounded(of, settings.value[of] + by) });
  return (
    <div
      class={`edge ${of}-edge ${isFlat ? 'flat' : ''}`}
      role="separator"
      aria-orientation={isFlat ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={settings.value[of]}
      aria-valuemin={least[of]}
      aria-valuemax={most(of)}
      tabIndex={0}
      onPointerDown={(event) => drag(event, of)}
      onKeyDown={(event) => {
        const steps = { ArrowLeft: -16, ArrowRight: 16, ArrowUp: 16, ArrowDown: -16 } as Record<string, number>;
        const by = steps[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(by);
      }}
    />
  );
}

function drag(event: PointerEvent, of: Measure): void {
  const edge = event.currentTarget as HTMLElement;
  edge.setPointerCapture(event.pointerId);
  const before = settings.value[of];
  const { clientX, clientY } = event;
  const move = (now: PointerEvent) => {
    const by = of === 'timeline' ? clientY - now.clientY : now.clientX - clientX;
    set({ [of]: bounded(of, before + by) });
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}

function bounded(of: Measure, value: number): number {
  return Math.round(Math.min(Math.max(value, least[of]), most(of)));
}

function most(of: Measure): number {
  return of === 'timeline' ? Math.max(least.timeline, innerHeight - 160) : Math.max(least[of], innerWidth * 0.45);
}
