export * from './comment-events.ts'
export * from './edit-events.ts'
