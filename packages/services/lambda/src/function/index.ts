export { type FunctionEnvironment, openEnvironment } from './environment.ts'
export { checkFunction } from './function-config.ts'
export { createHandler, type Handler } from './handler.ts'
export type { LambdaContext } from './lambda-context.ts'
