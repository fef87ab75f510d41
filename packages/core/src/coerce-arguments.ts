export { coerceArguments } from './features/coerce-arguments/coerce-arguments.ts';
