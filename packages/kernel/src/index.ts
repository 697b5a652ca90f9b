export * from './errors.ts'
export * from './plan.ts'
export * from './request.ts'
export type * from './roles.ts'
