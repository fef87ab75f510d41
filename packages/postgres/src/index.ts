export { type PostgresStoreOptions, postgresStore } from './store.ts';
