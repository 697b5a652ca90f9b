export * from './define.ts'
export { configErrors } from './errors.ts'
export * from './load.ts'
export * from './merge.ts'
