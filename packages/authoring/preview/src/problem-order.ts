import type { Problem } from './api.ts'

const ORDER = ['error', 'warning', 'note'] as const

/** The errors first, then the warnings, else in the order in which they were found. */
export const sortProblems = (problems: readonly Problem[]): Problem[] =>
  ORDER.flatMap((severity) => problems.filter((problem) => problem.severity === severity))
