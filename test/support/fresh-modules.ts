import { vi } from 'vitest';

// One process runs many test files, one after another. Each gets our modules as they are when a program starts.
vi.resetModules();
