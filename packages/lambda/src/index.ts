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
