import type { Params } from '../../../jsonrpc/message.ts';
import { isLogLevel } from '../../../protocol/logging.ts';
import type { FollowedSize } from './auto-resizer.ts';
import type { AppHostOptions } from './options.ts';

/** What notifications of a view are about. */
export interface Told {
  readonly options: AppHostOptions;
  readonly size: FollowedSize;
  close(): void;
  refuse(reason: string): void;
}

/** Hears what a view tells, beside that it has begun. What is not known is left out, as views may know more than hosts. */
export function hearView(method: string, params: Params, { options, size, close, refuse }: Told): void {
  switch (method) {
    case 'ui/notifications/size-changed': {
      const { width, height } = params;
      if (!isPixels(width) || !isPixels(height)) return refuse('"width" and "height" must be numbers of pixels');
      return size.take({ ...(width !== undefined && { width }), ...(height !== undefined && { height }) });
    }
    case 'ui/notifications/request-teardown':
      return options.closing === undefined ? close() : options.closing();
    case 'notifications/message': {
      const { level, data, logger } = params;
      if (!isLogLevel(level)) return refuse('"level" must be a level of logs');
      return options.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) });
    }
    case 'notifications/tools/list_changed':
      return options.onToolsChanged?.();
    default:
  }
}

function isPixels(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number';
}
