export * from './hooks.ts'
export * from './pool.ts'
export * from './watch.ts'
