import { changeSettings, settings } from '../model/settings.ts';

type Measure = 'servers' | 'list' | 'timeline';

const minSize: Readonly<Record<Measure, number>> = { servers: 140, list: 200, timeline: 96 };

/** A separator to drag, or to move with the arrow keys. */
export function ResizeHandle({ of, label }: { of: Measure; label: string }) {
  const isFlat = of === 'timeline';
  const move = (by: number) => changeSettings({ [of]: clampSize(of, settings.value[of] + by) });
  return (
    <div
      class={`edge ${of}-edge ${isFlat ? 'flat' : ''}`}
      role="separator"
      aria-orientation={isFlat ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={settings.value[of]}
      aria-valuemin={minSize[of]}
      aria-valuemax={maxSize(of)}
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
    changeSettings({ [of]: clampSize(of, before + by) });
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}

function clampSize(of: Measure, value: number): number {
  return Math.round(Math.min(Math.max(value, minSize[of]), maxSize(of)));
}

function maxSize(of: Measure): number {
  return of === 'timeline' ? Math.max(minSize.timeline, innerHeight - 160) : Math.max(minSize[of], innerWidth * 0.45);
}
