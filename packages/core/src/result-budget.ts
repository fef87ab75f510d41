export { firstPage } from './features/result-budget/first-page.ts';
export {
  type LargeImage,
  type ResizedImage,
  resultBudget,
  type ResultBudgetOptions,
} from './features/result-budget/result-budget.ts';
