export { type LintInput, lintErrorsTask, lintTask } from './lint/lint-tasks.ts'
