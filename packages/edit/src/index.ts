export { editErrors } from './errors.ts'
export type { ClipFacts, ElementAddress, ElementFacts, StyleFact } from './inspect/inspect.ts'
export { type Operation, type OperationName, OperationSchema, type Target } from './operations/operation.ts'
export { type EditOptions, type EditSession, openEdit, type StagedFile } from './session.ts'
