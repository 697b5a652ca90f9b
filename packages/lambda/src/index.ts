export { type ActualCost, type CostOptions, costOfCalls } from './cost/actual-cost.ts'
export { knownPrices } from './cost/known-prices.ts'
export { type Prices, PricesSchema, type RegionPrices, RegionPricesSchema } from './cost/prices.ts'
export { readPrices } from './cost/read-prices.ts'
export type { CostParts } from './cost/usage.ts'
export { type ConfigProblem, lambdaErrors } from './errors.ts'
export { bucketTemplate, stackTemplate } from './stack/template.ts'
export type {
  PolicyDocument,
  PolicyStatement,
  StackTemplate,
  TemplateResource,
  TemplateValue,
} from './stack/values.ts'
export { workflowDefinition } from './workflow/definition.ts'
export { finalErrors as finalCodes } from './workflow/final-errors.ts'
export { retriers } from './workflow/retries.ts'
export type { Catcher, MapState, Retrier, TaskState, WorkflowDefinition } from './workflow/states.ts'
