export { type RedisStoreOptions, redisStore } from './store.ts';
