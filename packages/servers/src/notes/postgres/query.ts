import type { QueryResultRow } from 'pg';

/** Runs one statement; `$1` and so on stand for the values. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<QueryResultRow[]>;
