export * from './hooks.ts'
export * from './machine.ts'
export * from './pool.ts'
export * from './watch.ts'
