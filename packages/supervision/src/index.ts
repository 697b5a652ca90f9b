export * from './hooks.ts'
export * from './watch.ts'
