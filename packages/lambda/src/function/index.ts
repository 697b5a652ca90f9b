export { checkFunction } from './check-function.ts'
export { type FunctionEnvironment, openEnvironment } from './environment.ts'
export { createHandler, type Handler } from './handler.ts'
export type { LambdaContext } from './lambda-context.ts'
